"""Which of several: nearer, taller, seen first. Who saw it. What it looks like."""

from __future__ import annotations

import re

from recall4d.query import vocabulary
from recall4d.query.answers.base import Reply, Telling, nothing_found
from recall4d.query.answers.lists import size_of
from recall4d.query.answers.naming import called, listed
from recall4d.query.answers.places import alike, by_likelihood
from recall4d.query.english.lexicon.sets import words
from recall4d.query.result import Row
from recall4d.query.words import is_colour, wording
from recall4d.records import Entry
from recall4d.units import format_length

_MATERIALS = words(
    "wooden wood oak pine metal steel stainless chrome plastic glass leather ceramic paper cardboard stone marble "
    "fabric cotton woollen rubber concrete"
)


def compare_distance(telling: Telling) -> Reply:
    """Which is nearer to, or farther from, the landmark."""

    def metres(row: Row) -> float:
        return float("inf") if row.distance_m is None else row.distance_m

    nearest = telling.ask.detail == "nearest"
    return _compared(
        telling, lambda row: metres(row) if nearest else -metres(row), lambda row: format_length(metres(row))
    )


def compare_size(telling: Telling) -> Reply:
    """Which is larger, taller, higher up."""
    kind = telling.ask.detail or "largest"
    return _compared(
        telling, lambda row: -size_of(kind, telling.state(row)), lambda row: _measured(kind, telling, row)
    )


def _measured(kind: str, telling: Telling, row: Row) -> str:
    size = abs(size_of(kind, telling.state(row)))
    return f"{size:.3f} cubic metres" if kind in ("largest", "smallest") else format_length(size)


def compare_seen(telling: Telling) -> Reply:
    """Which was seen first, or last."""
    first = telling.ask.detail == "first"

    steps = [telling.step(each) for each in (telling.ask.step, telling.ask.other) if each is not None]
    if len({each.agent for each in steps}) > 1:
        return _seen_before(telling)

    def at(row: Row) -> int:
        entry = telling.entry(row)
        return entry.first_seen_ns if first else entry.last_seen_ns

    return _compared(telling, lambda row: at(row) if first else -at(row), lambda row: telling.elapsed(at(row)))


def _seen_before(telling: Telling) -> Reply:
    """Whether one agent saw it before, or after, another first saw it."""
    first: list[tuple[str, int, Row]] = []
    for name in (telling.ask.step, telling.ask.other):
        rows = by_likelihood(telling, telling.rows(name))
        agent = telling.step(name or "").agent or "somebody"
        seen = [each.from_ns for row in rows[:1] for each in telling.entry(row).sightings if each.agent == agent]
        if not seen:
            return Reply(f"As far as memory knows, {agent} has not seen {telling.name}.", rows=rows[:1])
        first.append((agent, min(seen), rows[0]))
    yes = (first[0][1] < first[1][1]) == (telling.ask.detail == "first")
    told = ", ".join(f"{agent} first saw it at {telling.elapsed(at_ns)}" for agent, at_ns, _ in first)
    return Reply(f"{'Yes' if yes else 'No'}: {told}.", yes, [row for *_, row in first])


def _compared(telling: Telling, cost, said) -> Reply:  # type: ignore[no-untyped-def]
    ask = telling.ask
    best: list[Row] = []
    for step in (ask.step, ask.other, *ask.among):
        rows = by_likelihood(telling, telling.rows(step))
        if not rows:
            return nothing_found(telling, step)
        best.append(rows[0])
    order = sorted(best, key=cost)
    names = [called(telling.entry(row)) for row in order]
    others = ", ".join(f"the {name} {said(row)}" for name, row in zip(names[1:], order[1:], strict=True))
    text = f"The {names[0]}: {said(order[0])}; {others}."
    if telling.planned.answer_type == "yesno":
        yes = order[0] is best[0]
        return Reply(f"{'Yes' if yes else 'No'}. {text}", yes, order)
    return Reply(text, names[0], order)


def who_saw(telling: Telling) -> Reply:
    """Which agent saw it, first or last."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    entry = telling.entry(rows[0])
    if telling.ask.detail == "first":
        sighting = min(entry.sightings, key=lambda each: each.from_ns)
        return Reply(f"{sighting.agent}, {telling.clock(sighting.from_ns)}.", sighting.agent, rows[:1])
    if telling.ask.detail == "last":
        sighting = max(entry.sightings, key=lambda each: each.to_ns)
        return Reply(f"{sighting.agent}, {telling.clock(sighting.to_ns)}.", sighting.agent, rows[:1])
    agents = list(dict.fromkeys(each.agent for each in entry.sightings))
    return Reply(f"{listed(agents)} saw {telling.name}.", listed(agents), rows[:1])


def seen_by(telling: Telling) -> Reply:
    """Whether all, any or none of several agents saw it; each step finds it for one of them."""
    steps = [each for each in (telling.ask.step, telling.ask.other, *telling.ask.among) if each is not None]
    saw = {telling.step(each).agent or "somebody": telling.rows(each) for each in steps}
    if not any(saw.values()) and telling.ask.detail == "and":
        return nothing_found(telling, steps[0])
    those = [agent for agent, rows in saw.items() if rows]
    others = [agent for agent, rows in saw.items() if not rows]
    yes = {"and": not others, "or": bool(those)}.get(telling.ask.detail or "and", not those)
    told = [f"{listed(those)} saw {telling.name}"] if those else []
    told += (
        [f"{listed(others)} did not"]
        if others and those
        else [f"{listed(others)} saw no such thing"]
        if others
        else []
    )
    return Reply(
        f"{'Yes' if yes else 'No'}: {', '.join(told)}.", yes, [row for rows in saw.values() for row in rows[:1]]
    )


def attribute(telling: Telling) -> Reply:
    """Its colour, material, title: what its description says; of several, what theirs say."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    detail = telling.ask.detail or "description"
    asked = alike(rows) if telling.planned.plural else rows[:1]
    values = [value for row in asked if (value := _value(telling.entry(row), detail)) is not None]
    name = called(telling.entry(rows[0]))
    if not values:
        text = f"Memory describes it as {name}; that says nothing of its {detail}."
        return Reply(text, rows=asked, look_next="Look at it closely.")
    value = listed(list(dict.fromkeys(values)))
    texts = {
        "title": f"{telling.subject} says {value}.",
        "description": f"Memory describes it as {value}.",
    }
    names = listed([called(telling.entry(row)) for row in asked])
    return Reply(texts.get(detail, f"{value.capitalize()}: {names}."), value, asked)


_PATTERNS = frozenset(
    (
        "flower flowers flowered floral stripe stripes striped dot dots dotted check checks checked checkered "
        "plaid star stars lattice border pattern patterned print printed spots spotted leaves hearts squares zigzag"
    ).split()
)
"""Words of a description that tell of a pattern."""


def _value(entry: Entry, detail: str) -> str | None:
    """What is known of one attribute of an entry: its own field, or what its description says."""
    known = entry.attributes.get(detail) or entry.attributes.get({"colour": "color"}.get(detail, detail))
    if known is not None:
        return known
    match detail:
        case "colour":
            return _colours(entry.description)
        case "material":
            spoken = re.findall(r"[a-z]+", entry.description.lower())
            return next((word for word in spoken if word in _MATERIALS), None)
        case "pattern":
            return called(entry) if _PATTERNS & set(re.findall(r"[a-z]+", entry.description.lower())) else None
        case "title":
            return ", ".join(re.findall(r'["“]([^"”]+)["”]', entry.description)) or None
        case "description":
            return called(entry)
    return None


def _colours(description: str) -> str | None:
    """The thing's own colours, in the words of its description."""
    own = wording(description).colours
    names = {name for colour in own for name in (colour, *vocabulary.COLOURS[colour].split("|"))}
    said = [word for word in re.findall(r"[a-z]+", description.lower()) if word in names or is_colour(word)]
    shades = [word for word in said if word in names]
    return " and ".join(dict.fromkeys(shades)) or None
