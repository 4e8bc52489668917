"""When, how long ago, for how long, how often."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recall4d.query.english.asks.changes import standing
from recall4d.query.english.asks.said import (
    CHANGE_OF_STATE,
    CHANGE_OF_VERB,
    CHANGES,
    Asked,
    Said,
    is_by_agent,
    said,
)
from recall4d.query.english.events import visits_of_clause
from recall4d.query.english.finder import Finder
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.phrases import Period, Relation, Wh
from recall4d.query.plan import Ask, Find, TemporalKey

_LEAVING_VIEW = frozenset(
    (
        "leave view|leave my view|disappear from view|disappear from sight|disappear from my view|vanish from view|"
        "vanish from sight|vanish from my view|drop out of sight|drop out of view|go out of sight|go out of view"
    ).split("|")
)
"""Verbs that tell when a thing was seen last, not that it went."""


def when(told: Said, finder: Finder) -> Asked:
    """The instant it was seen, or the interval in which it moved, went or came."""
    visit = _visited(told, finder)
    if visit is not None:
        left = told.clause.verb is not None and told.clause.verb.lemma == "leave"
        return Asked(Ask(kind="visits", step=visit, detail="left" if left else told.order or "last"), "time")
    places = told.narrowing()
    if told.before_my_eyes:
        step = finder.find(told.topic, tuple(each for each in places if not is_by_agent(each)))
        return Asked(Ask(kind="when_moved", step=step, detail="moved", only=("moving",)), "time")
    step = finder.find(told.topic, places, seer=told.seer)
    if told.clause.verb is not None and told.clause.verb.lemma in _LEAVING_VIEW:
        return Asked(Ask(kind="when_seen", step=step, detail="last"), "time")
    if told.wh.detail == "since" and told.verb not in CHANGES:
        return Asked(Ask(kind="when_seen", step=step, detail="since"), "time")
    change = None if "again" in told.words and told.verb in ("see", "appear") else _change(told)
    if change is not None:
        return Asked(Ask(kind="when_moved", step=step, detail=change, **_ends(told, finder)), "time")
    detail = "again" if "again" in told.words else "first" if told.verb == "appear" else told.order
    return Asked(Ask(kind="when_seen", step=step, detail=detail), "time")


def _change(told: Said) -> str | None:
    """The change a question dates; to appear for the first time is to be seen first."""
    if told.verb in CHANGE_OF_VERB:
        return None if told.verb == "appear" and told.order == "first" else CHANGE_OF_VERB[told.verb or ""]
    return next((CHANGE_OF_STATE[state] for state in ("gone", "displaced", "new") if state in told.states), None)


def _ends(told: Said, finder: Finder) -> dict[str, Any]:
    """The steps that find the topic where its change is said to begin and end: "from the stove to the sink"."""
    found: dict[str, Any] = {}
    for each in told.places:
        if isinstance(each, Relation) and each.kind in ("from", "to") and not is_by_agent(each):
            there = finder.find(told.topic, (standing(each),), periods=[Period("always")])
            found |= {"other": there} if each.kind == "to" else {"among": (there,)}
    return found


def how_long_ago(told: Said, finder: Finder) -> Asked:
    """Seconds since it was seen last, or since it moved."""
    asked = when(told, finder)
    changed = {"kind": "since_seen", "detail": asked.ask.detail or "last"}
    return Asked(asked.ask.model_copy(update=changed), "duration")


def how_long(told: Said, finder: Finder) -> Asked:
    """For how long it was in view; how long an agent was away; how long ago, by another wording."""
    after = [each.after for each in told.clause.of(Period) if each.after is not None]
    since = [each.event for each in after if each.event is not None]
    if told.verb == "pass" and since:
        finder.periods = []
        return how_long_ago(said(replace(since[0], wh=Wh("how_long_ago"))), finder)
    subject = told.clause.subject
    visit = _visited(told, finder)
    if visit is not None:
        return Asked(Ask(kind="visits", step=visit, detail="duration"), "duration")
    events = [m.event for p in told.clause.of(Period) for m in (p.after, p.before) if m is not None and m.event]
    if events and told.verb in ("see", "appear", *CHANGES):
        raise UnclearError("I cannot measure the time between two events; ask when each of them was.")
    if subject is None or (subject.agent is not None and told.clause.target is None):
        visits = [each.visit for each in after if each.visit is not None]
        agent = subject.agent if subject is not None else next((each.agent for each in visits), None)
        return Asked(Ask(kind="away_for", detail=finder.agent(agent or "asker")), "duration")
    if told.verb in CHANGES or told.before_my_eyes:
        raise UnclearError("Memory knows between which instants things changed, not how long a movement took.")
    step = finder.find(told.topic, told.narrowing(), seer=told.seer)
    if told.verb in (None, "stand", "leave", "stay") and "visible" not in told.states:
        return Asked(Ask(kind="since_seen", step=step, detail="placed"), "duration")
    return Asked(Ask(kind="seen_for", step=step), "duration")


def how_often(told: Said, finder: Finder) -> Asked:
    """On how many occasions it was in view, or how many times it moved."""
    visit = _visited(told, finder)
    if visit is not None:
        return Asked(Ask(kind="visits", step=visit, detail="count"), "count")
    step = finder.find(told.topic, told.narrowing(), seer=told.seer)
    return Asked(Ask(kind="times_seen", step=step, detail=CHANGE_OF_VERB.get(told.verb or "")), "count")


def _visited(told: Said, finder: Finder) -> str | None:
    """The step whose windows are an agent's visits to a place, where a question is about those."""
    subject = told.clause.subject
    stays = told.verb in (None, "pass", "stand", "stay", "leave")
    if subject is None or subject.agent in (None, "anyone") or not stays:
        return None
    span = visits_of_clause(replace(told.clause, complements=_places(told)), finder)
    if span is None:
        return None
    temporal = TemporalKey(during=span)
    return finder.add(Find(name=finder.unused("visits"), temporal=temporal, limit=1)).name


def _places(told: Said) -> tuple[Relation, ...]:
    return tuple(each for each in told.places if isinstance(each, Relation))
