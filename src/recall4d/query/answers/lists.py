"""What is there: one thing, several, what was in view, what changed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from recall4d.clock import seconds_to_ns
from recall4d.geometry.relations import Boxes
from recall4d.geometry.viewpoint import in_view as view_score
from recall4d.query.answers.base import Reply, Telling, nothing_found
from recall4d.query.answers.contents import described_contents, unseen_inside
from recall4d.query.answers.histories import Change, changes, displacement_m, seen_happening
from recall4d.query.answers.naming import called, listed
from recall4d.query.answers.places import confidence, place_of
from recall4d.query.answers.surroundings import Around
from recall4d.query.plan import AgentAt, StepRef
from recall4d.query.result import Row
from recall4d.records import State
from recall4d.units import format_length

MAX_LISTED = 15
MAX_IN_VIEW = 6

LOOK_S = 3.0
"""What was in view in a longer interval is listed, not taken from its middle."""

AT_HAND_M = 2.0
"""What is farther from a landmark is not said to be to one side of it."""

AROUND_ME_M = 3.0
"""What is farther is not asked for by "what is to my left?", as long as something is nearer."""

_SIDES = ("left", "right", "front", "behind")

_SIZES: dict[str, Callable[[State], float]] = {
    "highest": lambda state: state.box.max_xyz[2],
    "lowest": lambda state: -state.box.min_xyz[2],
    "largest": lambda state: state.box.volume_m3,
    "smallest": lambda state: -state.box.volume_m3,
    "tallest": lambda state: state.box.extent_xyz[2],
    "shortest": lambda state: -state.box.extent_xyz[2],
    "widest": lambda state: max(state.box.extent_xyz[:2]),
    "longest": lambda state: max(state.box.extent_xyz),
    "narrowest": lambda state: -max(state.box.extent_xyz[:2]),
}
"""What a superlative ranks by, most first."""


def which(telling: Telling) -> Reply:
    """The one thing that fits best."""
    unseen = unseen_inside(telling, telling.ask.step)
    if unseen is not None:
        return unseen
    rows = ranked(telling, list(telling.settled(telling.ask.step)))
    if not rows:
        return described_contents(telling, telling.ask.step) or nothing_found(telling, telling.ask.step)
    row = rows[0]
    name = called(telling.entry(row))
    viewpoint = telling.found(telling.ask.step).viewpoint
    seen = f" (seen from {viewpoint.removeprefix('from ')})" if viewpoint else ""
    far = ""
    if telling.ask.rank in ("nearest", "farthest") and row.distance_m is not None:
        far = f", {format_length(row.distance_m)} away"
    text = f"The {name}{far}{seen}."
    return Reply(text, name, rows[:5], viewpoint=viewpoint, confidence=confidence(row, 1))


def size_of(kind: str, state: State) -> float:
    """How much a state is what a superlative asks for."""
    return _SIZES[kind](state)


def ranked(telling: Telling, rows: list[Row]) -> list[Row]:
    """Rows in the order of the ask's superlative."""
    rank = telling.ask.rank
    if rank in _SIZES:
        return sorted(rows, key=lambda row: -size_of(rank, telling.state(row)))
    if rank in ("nearest", "farthest"):
        near = sorted(rows, key=lambda row: np.inf if row.distance_m is None else row.distance_m)
        return near if rank == "nearest" else near[::-1]
    return rows


def list_rows(telling: Telling) -> Reply:
    """Everything that fits."""
    unseen = unseen_inside(telling, telling.ask.step)
    if unseen is not None:
        return unseen
    rows = _at_hand(telling, ranked(telling, list(telling.settled(telling.ask.step))))
    if not rows:
        return described_contents(telling, telling.ask.step) or nothing_found(telling, telling.ask.step)
    names = [called(telling.entry(row)) for row in rows]
    viewpoint = telling.found(telling.ask.step).viewpoint
    more = f", and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    count = f"{len(names)} things: " if len(names) > 1 else "The "
    text = f"{count}{listed(names[:MAX_LISTED])}{more}."
    return Reply(text, names[:MAX_LISTED], rows[:MAX_LISTED], viewpoint=viewpoint)


def _at_hand(telling: Telling, rows: list[Row]) -> list[Row]:
    """Of things to one side of a landmark, those it shares a table with, or else those within reach of it.

    Half the house is left of the mug; who asks what is left of it means what is there with it.
    """
    step = telling.step(telling.ask.step or "")
    sided = [key for key in step.spatial if key.relation in _SIDES and not key.directly]
    anchor = sided[0].anchors[0] if sided and step.semantic is None else None
    if isinstance(anchor, AgentAt):
        near = sorted(rows, key=lambda row: np.inf if row.distance_m is None else row.distance_m)
        return [row for row in near if row.distance_m is not None and row.distance_m <= AROUND_ME_M] or near[:1]
    landmark = next(iter(telling.rows(anchor.step)), None) if isinstance(anchor, StepRef) else None
    if landmark is None:
        return rows
    around = Around.at(telling.snapshot, landmark.at_ns)
    holder = around.holder(telling.state(landmark).box, landmark.entry)
    beside = [
        row for row in rows if holder is not None and around.holder(telling.state(row).box, row.entry) == holder
    ]
    return beside or [row for row in rows if row.distance_m is not None and row.distance_m <= AT_HAND_M]


def in_view(telling: Telling) -> Reply:
    """What an agent had in view at a time, the middle of the view first."""
    rows = list(telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    windows = telling.found(telling.ask.step).windows
    first_ns, last_ns = windows[0].after_ns, windows[-1].before_ns
    if last_ns - first_ns > seconds_to_ns(LOOK_S):
        return _seen_between(telling, rows, first_ns, last_ns)
    at_ns = (first_ns + last_ns) // 2
    agent = telling.ask.detail or telling.agent or ""
    trajectory = telling.snapshot.trajectories.get(agent)
    latest = None if trajectory is None else trajectory.latest(at_ns)
    if latest is not None:
        boxes = Boxes(
            np.array([telling.state(row).box.min_xyz for row in rows]),
            np.array([telling.state(row).box.max_xyz for row in rows]),
        )
        scores = view_score(boxes, latest[1])
        rows = [rows[index] for index in np.argsort(-scores, kind="stable")]
    names = [called(telling.entry(row)) for row in rows[:MAX_IN_VIEW]]
    text = f"In view {telling.clock(at_ns)}: {listed(names)}."
    return Reply(text, names, rows[:MAX_IN_VIEW], viewpoint=f"agent {agent} at {telling.elapsed(at_ns)}")


def _seen_between(telling: Telling, rows: list[Row], first_ns: int, last_ns: int) -> Reply:
    """What was in view at some time of a longer interval, the latest first."""
    rows = sorted(rows, key=lambda row: -row.at_ns)
    names = [called(telling.entry(row)) for row in rows]
    more = f", and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    said = (
        f"Between {telling.elapsed(first_ns)} and {telling.elapsed(last_ns)}: {listed(names[:MAX_LISTED])}{more}."
    )
    return Reply(said, names[:MAX_LISTED], rows[:MAX_LISTED])


def what_changed(telling: Telling) -> Reply:
    """What moved, went or came, of the rows of a step and inside its interval."""
    after_ns, before_ns = window(telling)
    rows = telling.rows(telling.ask.step)
    wanted, at_ns = telling.ask.detail, _instant_asked(telling)
    found: list[tuple[Row, Change]] = []
    for row in rows:
        happened = changes(telling.snapshot, telling.entry(row), after_ns, before_ns)
        if at_ns is not None:
            happened = [each for each in happened if each.after_ns <= at_ns <= each.before_ns]
        if wanted == "moving":
            happened = [each for each in happened if seen_happening(each)]
        elif wanted == "stayed":
            stayed = [] if happened else [Change("stayed", after_ns, before_ns, None, telling.state(row))]
            happened = stayed if telling.entry(row).present else []
        elif wanted == "left":
            happened = _left(telling, row, happened)
        elif wanted != "changed":
            happened = [each for each in happened if each.kind == wanted]
        if wanted == "gone" and telling.entry(row).present:
            happened = []
        if happened:
            found.append((row, happened[-1]))
    if not found:
        what = {"gone": "went", "appeared": "came", "moving": "moved in view"}.get(
            wanted or "", wanted or "changed"
        )
        return Reply(
            f"Memory knows of nothing that {what} there in that time.", look_next="Look at that place again."
        )
    found.sort(key=lambda each: each[1].before_ns)
    if telling.ask.rank in ("farthest", "nearest"):
        ends = max if telling.ask.rank == "farthest" else min
        found = [ends(found, key=lambda each: _moved_m(each[1]))]
    names = [called(telling.entry(row)) for row, _ in found]
    told = "; ".join(_told(telling, row, change) for row, change in found[:MAX_LISTED])
    told = told[0].upper() + told[1:]
    value = names[0] if telling.planned.answer_type == "entity" else names
    return Reply(f"{told}.", value, [row for row, _ in found])


def _left(telling: Telling, row: Row, happened: list[Change]) -> list[Change]:
    """Changes that took a thing away from where the step found it."""
    there = {each.state for each in telling.found(telling.ask.step).rows if each.entry == row.entry}
    states = telling.entry(row).states
    first = row.state - states.index(telling.state(row))
    still = first + len(states) - 1 in there and telling.entry(row).present
    return [] if still else [each for each in happened if each.kind in ("moved", "gone")]


def _instant_asked(telling: Telling) -> int | None:
    """The one instant before now that is asked about: what happened around it may have happened then."""
    windows = telling.found(telling.ask.step).windows
    if telling.ask.detail != "changed" or len(windows) != 1 or windows[0].after_ns != windows[0].before_ns:
        return None
    return windows[0].after_ns if windows[0].before_ns < telling.snapshot.now_ns else None


def _moved_m(change: Change) -> float:
    return 0.0 if change.old is None or change.new is None else displacement_m(change.old, change.new)


def window(telling: Telling) -> tuple[int, int]:
    """The interval in which changes count: of the first step that has one."""
    for step in telling.plan.steps:
        windows = telling.found(step.name).windows
        if step.temporal is not None and windows:
            after_ns, before_ns = windows[0].after_ns, windows[-1].before_ns
            if after_ns == before_ns:
                break
            return after_ns, before_ns
    return telling.snapshot.origin_ns, telling.snapshot.now_ns


def _told(telling: Telling, row: Row, change: Change) -> str:
    name = f"the {called(telling.entry(row))}"
    if change.kind == "moved" and change.old is not None and change.new is not None:
        old, new = place_of(telling, row, change.old), place_of(telling, row, change.new)
        return f"{name} moved by {format_length(displacement_m(change.old, change.new))}, from {old} to {new}"
    if change.kind == "stayed" and change.new is not None:
        return f"{name} has stayed {place_of(telling, row, change.new)}"
    if change.kind == "gone" and change.old is not None:
        return f"{name} is gone; it was {place_of(telling, row, change.old)}"
    state = change.new
    place = place_of(telling, row, state) if state is not None else ""
    if change.kind == "returned":
        return f"{name} is back {place}, seen again {telling.elapsed(change.before_ns)}"
    return f"{name} is new {place}, first seen {telling.elapsed(change.before_ns)}"
