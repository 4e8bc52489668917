"""Who says so: what each agent claims a thing is, and the claims that lost."""

from __future__ import annotations

from collections.abc import Sequence

from recall4d.query.answers.base import Reply, Telling, nothing_found
from recall4d.query.answers.naming import listed
from recall4d.query.answers.places import by_likelihood, place_of
from recall4d.query.result import Row
from recall4d.query.words import standard_words
from recall4d.records import Claim
from recall4d.units import format_length

SAME_TEXT = 0.9
"""Cosine similarity from which two descriptions say the same."""


def who_says(telling: Telling) -> Reply:
    """Which agents say that a thing is there, or is so; and who says otherwise."""
    rows = by_likelihood(telling, telling.rows(telling.ask.other or telling.ask.step))
    if not rows:
        if telling.ask.other is None or not telling.rows(telling.ask.step):
            return nothing_found(telling, telling.ask.step)
        row = by_likelihood(telling, telling.rows(telling.ask.step))[0]
        where = place_of(telling, row, telling.state(row))
        return Reply(f"Nobody says that: {telling.name} is {where}. {_told(telling, row)}", rows=[row])
    row = rows[0]
    claims = telling.entry(row).claims
    said = standard_words(telling.ask.detail or "")
    for_it = [each for each in claims if said <= standard_words(each.description)]
    if not for_it:
        return Reply(f"Nobody says that {telling.name} is {telling.ask.detail}. {_told(telling, row)}", rows=[row])
    if telling.ask.other is not None:
        return _who_saw_it_there(telling, row)
    agents = list(dict.fromkeys(each.agent for each in for_it if said or _same(telling, each, claims[0])))
    return Reply(_told(telling, row), listed(agents), [row])


def says(telling: Telling) -> Reply:
    """What the agents, or some of them, say a thing is."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    asked = (telling.ask.detail or "").split(",") if telling.ask.detail else None
    claims = [each for each in telling.entry(rows[0]).claims if asked is None or each.agent in asked]
    if not claims:
        return Reply(f"{listed(asked or ['Nobody'])} has said what {telling.name} is.", rows=rows[:1])
    return Reply(_told(telling, rows[0], claims), claims[0].description, rows[:1])


def agree(telling: Telling) -> Reply:
    """Whether all agents that saw a thing say the same of it."""
    return _agreement(telling, expected=True)


def disagree(telling: Telling) -> Reply:
    """Whether they do not."""
    return _agreement(telling, expected=False)


def _agreement(telling: Telling, expected: bool) -> Reply:
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    asked = (telling.ask.detail or "").split(",") if telling.ask.detail else None
    claims = telling.entry(rows[0]).claims
    first: dict[str, Claim] = {}
    for each in claims:
        if asked is None or each.agent in asked:
            first.setdefault(each.agent, each)
    if len(first) < 2:
        seen = f"Only {next(iter(first))} says" if first else "None of them says"
        return Reply(f"{seen} what {telling.name} is: there is nobody to agree with.", rows=rows[:1])
    best = next(iter(first.values()))
    same = all(_same(telling, each, best) for each in first.values())
    text = f"{'Yes' if same == expected else 'No'}: {_told(telling, rows[0], list(first.values()))}"
    return Reply(text, same == expected, rows[:1])


def _told(telling: Telling, row: Row, claims: Sequence[Claim] | None = None) -> str:
    """Every claim in a sentence, the one that counts first and those that lost by their name."""
    every = telling.entry(row).claims
    told = []
    for each in every if claims is None else claims:
        view = "view" if each.n_views == 1 else "views"
        rests = f"{each.n_views} {view}, {each.n_unoccluded} of them clear, from {format_length(each.nearest_m)}"
        lost = "" if _same(telling, each, every[0]) else "; this claim lost"
        told.append(f'{each.agent} says "{each.description}" ({rests}, last {telling.clock(each.last_ns)}{lost})')
    return f"{'; '.join(told)}."


def _who_saw_it_there(telling: Telling, row: Row) -> Reply:
    """The agents in whose view it was at the place."""
    entry, state = telling.entry(row), telling.state(row)
    until_ns = telling.snapshot.now_ns if state.interval.to_ns is None else state.interval.to_ns
    seen = [s for s in entry.sightings if s.to_ns >= state.interval.from_ns and s.from_ns <= until_ns]
    last = {each.agent: max(s.to_ns for s in seen if s.agent == each.agent) for each in seen}
    where = place_of(telling, row, state)
    saw = listed([f"{agent}, who saw it there last {telling.clock(at_ns)}" for agent, at_ns in last.items()])
    return Reply(f"{saw}: {telling.name} is {where}. {_told(telling, row)}", listed(list(last)), [row])


def _same(telling: Telling, a: Claim, b: Claim) -> bool:
    """Whether two claims say the same."""
    if a.description == b.description:
        return True
    one, other = telling.snapshot.embed([a.description, b.description])
    return float(one @ other) >= SAME_TEXT
