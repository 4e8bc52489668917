"""How many, how far, how high, how large."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recall4d.geometry.box import Box
from recall4d.query.answers.base import Reply, Telling, nothing_found
from recall4d.query.answers.histories import changes, displacement_m, seen_happening
from recall4d.query.answers.naming import called, is_are, listed
from recall4d.query.answers.places import alike, by_likelihood, confidence
from recall4d.query.answers.surroundings import ON_FLOOR_M, Around, from_agent
from recall4d.query.morphology import plural
from recall4d.query.result import Row
from recall4d.query.words import kinds_of, standard_words, wording_of
from recall4d.records import State
from recall4d.units import format_length

MAX_LISTED = 12


_PEOPLE = frozenset({"person", "people", "child", "kid", "adult", "visitor", "resident", "human"})
"""Whoever does not see them cannot say that there are none."""


def count(telling: Telling) -> Reply:
    """How many different things; or how many more than of another kind."""
    rows = _counted(telling)
    missing = _missing_landmark(telling)
    if not rows and missing is not None:
        return nothing_found(telling, telling.ask.step)
    n = len(rows)
    if telling.ask.other is not None:
        m = len(telling.rows(telling.ask.other))
        return Reply(f"{n} against {m}: {n - m} more.", n - m, [*rows, *telling.rows(telling.ask.other)])
    if n == 0 and _PEOPLE & standard_words(telling.planned.name):
        return Reply("Memory holds things; it does not know of people.")
    if n == 0:
        there = " there" if telling.step(telling.ask.step or "").spatial else ""
        return Reply(f"None: memory holds no {telling.planned.name}{there}.", 0)
    names = listed([called(telling.entry(row)) for row in rows[:MAX_LISTED]])
    noun = telling.planned.name if n != 1 or not telling.planned.plural else "one"
    text = (
        f"There {is_are(n)} {n}: {names}."
        if noun == "one"
        else f"There {is_are(n)} {n} {_plural(noun, n)}: {names}."
    )
    return Reply(text, n, rows)


def _counted(telling: Telling) -> Sequence[Row]:
    """Every such thing, or those that were there at the end of the interval asked about."""
    step = telling.step(telling.ask.step or "")
    observed = step.temporal is not None and step.temporal.mode == "observed"
    return telling.rows(telling.ask.step) if observed or telling.ask.only else telling.settled(telling.ask.step)


def _plural(name: str, n: int) -> str:
    head, *rest = name.split(" with ")
    return name if n == 1 or head.endswith("s") else " with ".join([plural(head), *rest])


def _missing_landmark(telling: Telling) -> str | None:
    """A step that located the counted things and found nothing."""
    return next(
        (step.name for step in telling.plan.steps if step.name != telling.ask.step and not telling.rows(step.name)),
        None,
    )


def distance(telling: Telling) -> Reply:
    """Between box centres of two things, or of one and the asking agent."""
    ask = telling.ask
    rows = by_likelihood(telling, telling.rows(ask.step))
    if not rows:
        return nothing_found(telling, ask.step)
    if ask.other is None:
        return _from_here(telling, rows[0])
    others = by_likelihood(telling, telling.rows(ask.other))
    if ask.other == ask.step:
        if len(rows) < 2:
            return Reply(f"Memory holds only one {telling.planned.name}.", rows=rows)
        first, second = rows[0], rows[1]
    elif not others:
        return nothing_found(telling, ask.other)
    else:
        first, second = _different(telling, rows, others)
        if (first.entry, first.state) == (second.entry, second.state):
            only = called(telling.entry(first))
            return Reply(f"Memory holds only one thing that both may be: the {only}.", rows=[first])
    metres = displacement_m(telling.state(first), telling.state(second))
    names = called(telling.entry(first)), called(telling.entry(second))
    text = f"The {names[0]} and the {names[1]} are {format_length(metres)} apart, centre to centre."
    return Reply(text, round(metres, 3), [first, second], "m", confidence=confidence(first, 1))


def _different(telling: Telling, rows: list[Row], others: list[Row]) -> tuple[Row, Row]:
    """The likeliest pair of two different entries; of pairs as likely, the nearest."""
    firsts, seconds = alike(rows), alike(others)
    pairs = [(a, b) for a in firsts for b in seconds if a.entry != b.entry]
    if not pairs:
        pairs = [(a, b) for a in rows for b in others if a.entry != b.entry][:1] or [(rows[0], others[0])]
    return min(pairs, key=lambda pair: displacement_m(telling.state(pair[0]), telling.state(pair[1])))


def _from_here(telling: Telling, row: Row) -> Reply:
    if telling.facing is None:
        return Reply("Memory does not know where you stand.", rows=[row])
    box = telling.state(row).box
    metres = float(np.linalg.norm(np.subtract(box.centroid_xyz, telling.facing.eye_xyz)))
    text = f"{telling.subject} {telling.verb('is')} {from_agent(telling.facing, box)}."
    return Reply(text, round(metres, 3), [row], "m", confidence=confidence(row, 1))


def moved_distance(telling: Telling) -> Reply:
    """How far its place before is from its place after."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    for row in rows:
        moves = [each for each in changes(telling.snapshot, telling.entry(row)) if each.kind == "moved"]
        if not moves:
            continue
        first: State | None = moves[-1].old
        for earlier, later in zip(reversed(moves[:-1]), reversed(moves), strict=False):
            if not (seen_happening(earlier) and seen_happening(later)):
                break
            first = earlier.old
        assert first is not None
        assert moves[-1].new is not None
        metres = displacement_m(first, moves[-1].new)
        text = f"{telling.subject} moved by {format_length(metres)}, last between "
        text += f"{telling.elapsed(moves[-1].after_ns)} and {telling.elapsed(moves[-1].before_ns)}."
        return Reply(text, round(metres, 3), [row], "m")
    return Reply(f"Memory does not know that {telling.name} moved.", rows=rows[:1])


def height(telling: Telling) -> Reply:
    """How high its top is above the floor."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    row = rows[0]
    box = telling.state(row).box
    around = Around.at(telling.snapshot, row.at_ns)
    floor_z = around.floor_z
    tall, top, under = box.extent_xyz[2], box.max_xyz[2] - floor_z, box.min_xyz[2] - floor_z
    held = _is_held(around, box, row)
    stands = not held and (under <= 0.15 + 0.3 * tall or _is_furniture(telling, row))
    if telling.ask.detail == "top" or stands:
        metres = box.centroid_xyz[2] - floor_z if not stands else top
        text = f"{telling.subject} {telling.verb('reaches')} {format_length(top)} above the floor."
    else:
        metres = tall
        text = f"{telling.subject} {telling.verb('is')} {format_length(tall)} tall, "
        text += f"its top {format_length(top)} above the floor."
    return Reply(text, round(float(metres), 3), [row], "m", confidence=confidence(row, 1))


def _is_held(around: Around, box: Box, row: Row) -> bool:
    """Whether something raises a thing above the floor; a carpet does not."""
    holder = around.holder(box, row.entry)
    if holder is None:
        return False
    top = around.boxes.high[around.rows == holder, 2].max()
    return bool(top - around.floor_z > ON_FLOOR_M)


def _is_furniture(telling: Telling, row: Row) -> bool:
    """Whether a thing reaches down to the floor even where only its top was seen."""
    entry = telling.entry(row)
    return bool(wording_of(entry.category, entry.description, {}).heads & kinds_of("furniture"))


def size(telling: Telling) -> Reply:
    """Its edge lengths."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    row = rows[0]
    x, y, z = telling.state(row).box.extent_xyz
    longer, shorter = max(x, y), min(x, y)
    if telling.ask.detail == "volume":
        return Reply(
            f"{telling.subject} {telling.verb('takes')} {x * y * z:.3f} cubic metres.",
            round(x * y * z, 4),
            [row],
            "m3",
        )
    metres = {"width": longer, "length": longer, "depth": shorter}.get(telling.ask.detail or "", max(longer, z))
    measured = " by ".join(format_length(each) for each in (longer, shorter, z))
    text = f"{telling.subject} {telling.verb('measures')} {measured} (long side, short side, height)."
    return Reply(text, round(metres, 3), [row], "m", confidence=confidence(row, 1))
