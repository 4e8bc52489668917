"""Where something is, on what, on which side, in which direction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recall4d.geometry.relations import Boxes, gap_m
from recall4d.geometry.viewpoint import Facing, bearing_name
from recall4d.query.answers.base import Reply, Telling, nothing_found
from recall4d.query.answers.naming import called, is_are, listed
from recall4d.query.answers.surroundings import Around, from_agent
from recall4d.query.answers.unseen import darkest, looked_at
from recall4d.query.plan import AgentAt, StepRef
from recall4d.query.resolve import Scope, UnresolvedError
from recall4d.query.result import Row
from recall4d.records import Entry, State

AMBIGUOUS = 0.95
"""Entries that score at least this share of the best are meant as likely as the best."""

SIDE_NAMES = {
    "left": "to the left of", "right": "to the right of", "front": "in front of", "behind": "behind",
    "above": "above", "below": "below",
}  # fmt: skip


def where(telling: Telling) -> Reply:
    """Its position, and what it stands on."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    row = rows[0]
    entry, state = telling.entry(row), telling.state(row)
    if telling.ask.detail in ("before", "first"):
        earlier = earlier_state(entry, state, telling.ask.detail)
        if earlier is None:
            return Reply(
                f"Memory knows {telling.name} at one place only, {place_of(telling, row, state)}: "
                "it holds no earlier one.",
                rows=[row],
            )
        text = f"{telling.subject} {telling.verb('was')} {place_of(telling, row, earlier)} before."
        return Reply(text, list(earlier.box.centroid_xyz), [row], "m")
    past = telling.step(telling.ask.step or "").temporal is not None and row.at_ns < telling.snapshot.now_ns
    place = place_of(telling, row, state, at_ns=row.at_ns)
    aside = "" if past else from_agent(telling.facing, state.box)
    verb = telling.verb("was" if past else "is")
    text = f"{telling.subject} {verb} {place}{', ' + aside if aside else ''}."
    if state.visibility == "absent":
        seen = entry.last_seen_ns
        text = f"{telling.subject} {telling.verb('is')} gone: it was {place}, last seen {telling.clock(seen)}."
    elif not past:
        text = f"{text} Last seen {telling.clock(entry.last_seen_ns)}."
    beside = by_likelihood(telling, telling.rows(telling.ask.other))
    if telling.ask.other is not None:
        also = "; ".join(
            f"the {called(telling.entry(each))} is {place_of(telling, each, telling.state(each))}"
            for each in beside[:1]
        )
        text += f" {also[:1].upper()}{also[1:]}." if also else " Memory does not hold the other."
        return Reply(text, list(state.box.centroid_xyz), [row, *beside[:1]], "m")
    others = alike(rows)[1:]
    if others:
        more = listed([place_of(telling, other, telling.state(other)) for other in others[:4]])
        text += f" There {is_are(len(others))} {len(others)} more like it: {more}."
    return Reply(
        text, list(state.box.centroid_xyz), [row, *others], "m", confidence=confidence(row, len(others) + 1)
    )


def by_likelihood(telling: Telling, rows: Sequence[Row]) -> list[Row]:
    """Rows with equal scores: first what is not known to be gone, then what was seen last."""
    if not rows:
        return []
    best = rows[0].score

    def rank(row: Row) -> tuple[bool, bool, int]:
        entry = telling.entry(row)
        return (row.score < AMBIGUOUS * best, not entry.present, -entry.last_seen_ns)

    return sorted(rows, key=rank)


def alike(rows: list[Row]) -> list[Row]:
    """Rows as likely as the first."""
    return [row for row in rows if row.score >= AMBIGUOUS * rows[0].score]


def confidence(row: Row, n_alike: int) -> float | None:
    """How well the thing's description fits the words, shared among the things that fit as well."""
    semantic = row.parts.get("semantic")
    return None if semantic is None else round(min(1.0, max(0.0, semantic)) / n_alike, 3)


def earlier_state(entry: Entry, state: State, detail: str | None) -> State | None:
    """The state at another place before this one, or the first of all."""
    before = [each for each in entry.states[: entry.states.index(state)] if each.visibility != "absent"]
    if detail == "first":
        return entry.states[0]
    elsewhere = [each for each in before if each.box != state.box]
    if elsewhere:
        return elsewhere[-1]
    return before[-1] if state.visibility == "absent" and before else None


def place_of(telling: Telling, row: Row, state: State, at_ns: int | None = None) -> str:
    """A state's place in words."""
    if at_ns is None:
        at_ns = telling.snapshot.now_ns if state.interval.to_ns is None else state.interval.to_ns - 1
    around = Around.at(telling.snapshot, max(at_ns, state.interval.from_ns))
    return around.place(state.box, but=row.entry)


def on_what(telling: Telling) -> Reply:
    """What it lies on, in, under."""
    ask = telling.ask
    rows = by_likelihood(telling, telling.rows(ask.step))
    if not rows:
        return nothing_found(telling, ask.step)
    row = rows[0]
    state = telling.state(row)
    if ask.detail == "room":
        return _in_room(telling, row, state)
    if ask.detail == "either":
        return _at_either(telling, row, state)
    around = Around.at(telling.snapshot, row.at_ns)
    how = ask.detail or "on"
    holder = around.holder(state.box, row.entry, how)
    wanted = {each.entry for each in telling.rows(ask.other)}
    if ask.other is not None and holder not in wanted:
        boxes = Boxes.of(state.box)
        near = [
            (float(gap_m(boxes, Boxes.of(telling.state(each).box))), each.entry) for each in telling.rows(ask.other)
        ]
        holder = min(near)[1] if near and min(near)[0] < 0.3 else None
    if holder is None:
        place = around.place(state.box, row.entry)
        return Reply(
            f"Memory does not show that {telling.name} {telling.verb('is')} {how} anything; it is {place}.",
            rows=[row],
        )
    name = called(telling.snapshot.entries[holder])
    preposition = {"inside": "in", "in": "in"}.get(how, how)
    text = f"{telling.subject} {telling.verb('is')} {preposition} the {name}."
    return Reply(text, name, [row_of(telling, holder), row])


def row_of(telling: Telling, entry: int) -> Row:
    """A row for an entry that no step asked for, in its latest state."""
    states = np.flatnonzero(telling.snapshot.states.entry == entry)
    return Row(entry, int(states[-1]), telling.snapshot.now_ns, 1.0, {})


def _at_either(telling: Telling, row: Row, state: State) -> Reply:
    """The one of two places where it is."""
    there = [step for step in telling.ask.among if telling.settled(step)]
    if len(there) != 1:
        where = "at neither place" if not there else "at both places"
        return Reply(
            f"{telling.subject} {telling.verb('is')} {where}: {place_of(telling, row, state)}.", rows=[row]
        )
    found = telling.settled(there[0])[0]
    anchor = telling.step(there[0]).spatial[0].anchors[0]
    landmark = telling.rows(anchor.step)[0] if isinstance(anchor, StepRef) else None
    name = place_of(telling, found, telling.state(found)) if landmark is None else called(telling.entry(landmark))
    place = place_of(telling, found, telling.state(found))
    return Reply(f"{telling.subject} {telling.verb('is')} {place}.", name, [found])


def _in_room(telling: Telling, row: Row, state: State) -> Reply:
    """The room whose furniture is nearest."""
    boxes = Boxes.of(state.box)
    gaps = [
        (float(gap_m(boxes, Boxes.of(telling.state(each).box))), room, each)
        for room in telling.ask.among
        for each in telling.rows(room)
        if each.entry != row.entry
    ]
    if not gaps or min(gaps, key=lambda each: each[0])[0] > 4.0:
        return Reply(f"Memory does not tell which room {telling.name} {telling.verb('is')} in.", rows=[row])
    _, room, by = min(gaps, key=lambda each: each[0])
    name = room.replace("_", " ")
    return Reply(
        f"{telling.subject} {telling.verb('is')} in the {name}, near the {called(telling.entry(by))}.",
        name,
        [row, by],
    )


def direction(telling: Telling) -> Reply:
    """Which way it is from where the asking agent stands."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    facing = _facing_then(telling)
    if facing is None:
        return Reply("Memory does not know where you stand.", rows=rows[:1])
    row = rows[0]
    box = telling.state(row).box
    degrees = float(np.degrees(facing.bearing_rad(np.asarray(box.centroid_xyz))))
    name = bearing_name(degrees)
    text = f"{telling.subject} {telling.verb('is')} {name} of you, {abs(degrees):.0f} degrees to the "
    text += "right" if degrees >= 0 else "left"
    return Reply(
        f"{text}, {from_agent(facing, box).split(' of')[0].rsplit(' ', 1)[0]} away.",
        round(degrees, 1), rows[:1], "deg", viewpoint=standpoint(telling), confidence=confidence(row, 1),
    )  # fmt: skip


def _facing_then(telling: Telling) -> Facing | None:
    """Where the asking agent stood at the time that is asked about, at its end."""
    temporal, windows = telling.step(telling.ask.step or "").temporal, telling.found(telling.ask.step).windows
    past = temporal is not None and temporal.before is not None and windows
    return telling.facing_at(windows[-1].before_ns) if past else telling.facing


def agent_place(telling: Telling) -> Reply:
    """Where an agent stands, or stood, and what it is near."""
    found = telling.found(telling.ask.step)
    keys = telling.step(telling.ask.step or "").spatial
    anchor = keys[0].anchors[0] if keys and keys[0].anchors else None
    if not isinstance(anchor, AgentAt):
        return Reply("The plan does not say which agent is meant.")
    scope = Scope.of(telling.snapshot, telling.agent, telling.result.steps)
    try:
        pose = scope.pose(anchor)
    except UnresolvedError as error:
        return Reply(f"{str(error).capitalize()}.")
    who = anchor.agent or telling.agent
    near = f", next to the {called(telling.entry(found.rows[0]))}" if found.rows else ""
    text = f"{who} was at ({', '.join(f'{each:.2f}' for each in pose[:3, 3])}){near}, "
    at_ns = scope.instant(anchor.at)
    return Reply(f"{text}{telling.clock(at_ns)}.", [float(each) for each in pose[:3, 3]], found.rows[:3], "m")


def looked(telling: Telling) -> Reply:
    """Whether anybody ever looked at a place, how much of it nobody saw, or where most was never seen."""
    step = telling.ask.step
    if step is None:
        dark = darkest(telling, 5)
        if not dark:
            return Reply("Memory cannot tell what was never seen: it holds no depth.")
        told = listed([f"{each.name} ({each.unseen_m3:.2f} m3)" for each in dark])
        return Reply(f"Nobody has seen much of the space {told}.", [each.name for each in dark])
    landmark = next((find.name for find in telling.plan.steps if find.name != step), None)
    if landmark is not None and not telling.rows(landmark):
        return nothing_found(telling, landmark)
    place, rows = looked_at(telling, step), telling.rows(landmark)[:1]
    if place is None:
        return Reply("Memory cannot tell: it knows of no space at that place.", rows=rows)
    unseen = f"{100 * place.unseen_share:.0f} % of the space {place.name} was never seen"
    if telling.ask.detail == "ever":
        text = (
            f"No: {unseen}." if place.never else f"Yes, but {unseen}." if place.unseen_share else "Yes, all of it."
        )
        return Reply(text, not place.never, rows, look_next=place.look_next)
    text = f"{unseen}, {place.unseen_m3:.2f} m3" if place.unseen_share else f"Nothing: all {place.name} was seen"
    return Reply(f"{text}.", text, rows, look_next=place.look_next)


def standpoint(telling: Telling) -> str | None:
    """Where the asking agent stands at the time of the question, in words."""
    if telling.agent is None:
        return None
    return f"agent {telling.agent} at {telling.elapsed(telling.snapshot.now_ns)}"


def side(telling: Telling) -> Reply:
    """On which side of a landmark, or of the asking agent."""
    ask = telling.ask
    rows = telling.rows(ask.step)
    if not rows:
        return nothing_found(telling, ask.step)
    if ask.other is None:
        return _own_side(telling, rows[0])
    if not telling.rows(ask.other):
        return nothing_found(telling, ask.other)
    other = telling.rows(ask.other)[0]
    rows = tuple(row for row in rows if row.entry != other.entry)
    if not rows:
        return Reply(
            f"Memory holds one thing only that is called so: the {called(telling.entry(other))}.", rows=[other]
        )
    scores = {side: _score(telling, side, rows[0]) for side in ask.among}
    best = max(scores, key=lambda side: scores[side], default=None)
    landmark = called(telling.entry(other))
    if best is None or scores[best] == 0.0:
        return Reply(
            f"{telling.subject} {telling.verb('is')} on neither side of the {landmark} from there.", rows=rows[:1]
        )
    relation = best.split("_")[0]
    viewpoint = telling.found(best).viewpoint
    seen = f" (seen from {viewpoint.removeprefix('from ')})" if viewpoint else ""
    text = f"{telling.subject} {telling.verb('is')} {SIDE_NAMES[relation]} the {landmark}{seen}."
    return Reply(text, relation, [rows[0], other], viewpoint=viewpoint)


def _score(telling: Telling, step: str, of: Row) -> float:
    """How well an entry fits a step; 0 where it is not among its rows."""
    return max((row.score for row in telling.rows(step) if row.entry == of.entry), default=0.0)


def _own_side(telling: Telling, row: Row) -> Reply:
    if row.bearing_deg is None:
        return Reply("Memory does not know where you stand.", rows=[row])
    on_right = row.bearing_deg >= 0
    text = f"{telling.subject} {telling.verb('is')} on your {'right' if on_right else 'left'}."
    return Reply(text, "right" if on_right else "left", [row], viewpoint=standpoint(telling))
