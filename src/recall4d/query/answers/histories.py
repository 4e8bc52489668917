"""What happened to a thing, read off its worldline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from recall4d.clock import seconds_to_ns
from recall4d.memory.snapshot import Snapshot
from recall4d.query.answers.surroundings import LOOKS, looks_at
from recall4d.query.plan import History
from recall4d.records import Entry, State

MIN_MOVE_M = 0.05
"""A box that shifts by less has not moved; it is seen better."""

IN_VIEW_GAP_S = 3.0
"""A move is seen happening when the thing was in view this shortly before and after it."""


SETTLING_S = 5.0
"""A place counts as seen empty only so long before a thing is first seen there: things are not noticed at once."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that happened to an entry.

    Attributes:
        kind: what.
        after_ns, before_ns: it happened between these: last evidence of the old state, first of the new.
        old, new: the states before and after; None where there is none.
    """

    kind: Literal["moved", "gone", "appeared", "returned", "stayed"]
    after_ns: int
    before_ns: int
    old: State | None = None
    new: State | None = None


def changes(
    snapshot: Snapshot, entry: Entry, after_ns: int | None = None, before_ns: int | None = None
) -> list[Change]:
    """What happened to an entry inside an interval, oldest first.

    An entry counts as appeared only where its place had been looked at before it was first seen: whatever is seen
    for the first time in a place seen for the first time has not changed.
    """
    low = snapshot.origin_ns if after_ns is None else after_ns
    high = snapshot.now_ns if before_ns is None else before_ns
    found = []
    empty_until = entry.first_seen_ns - seconds_to_ns(SETTLING_S)
    if low < entry.first_seen_ns <= high:
        looks = looks_at(snapshot, entry.states[0].box, snapshot.origin_ns, empty_until)
        if len(looks) >= LOOKS:
            found.append(Change("appeared", looks[-1], entry.first_seen_ns, None, entry.states[0]))
    for index, new in enumerate(entry.states[1:], start=1):
        old, begins = entry.states[index - 1], new.interval.from_ns
        if not low < begins <= high:
            continue
        seen = entry.last_seen_before(begins - 1)
        since = old.interval.from_ns if seen is None else seen
        moved = displacement_m(old, new) >= MIN_MOVE_M
        if new.visibility == "absent":
            if old.visibility != "absent" and not _turns_up_elsewhere(entry, index, high):
                found.append(Change("gone", since, begins, old, new))
        elif moved:
            found.append(Change("moved", since, begins, old, new))
        elif old.visibility == "absent":
            found.append(Change("returned", since, begins, old, new))
    return found


def _turns_up_elsewhere(entry: Entry, index: int, before_ns: int) -> bool:
    """Whether a thing missing in one state is at another place in the next: it moved, and nobody saw it go."""
    later = entry.states[index + 1 :]
    following = next((each for each in later if each.visibility != "absent"), None)
    if following is None or following.interval.from_ns > before_ns:
        return False
    return displacement_m(entry.states[index], following) >= MIN_MOVE_M


def displacement_m(old: State, new: State) -> float:
    """How far apart the box centres of two states are."""
    return float(np.linalg.norm(np.subtract(new.box.centroid_xyz, old.box.centroid_xyz)))


def seen_happening(change: Change) -> bool:
    """Whether somebody was looking when it moved."""
    return change.kind == "moved" and change.before_ns - change.after_ns <= seconds_to_ns(IN_VIEW_GAP_S)


def has_history(snapshot: Snapshot, entry: Entry, history: History) -> bool:
    """Whether an entry has such a history."""
    match history:
        case "moved":
            return any(each.kind == "moved" for each in changes(snapshot, entry))
        case "gone":
            return entry.now.visibility == "absent"
        case "new":
            return any(each.kind == "appeared" for each in changes(snapshot, entry))
        case "moving":
            return entry.motion == "moving" or any(map(seen_happening, changes(snapshot, entry)))
        case "hidden":
            return entry.now.visibility in ("occluded", "unknown")
        case "visible":
            return entry.now.visibility == "visible"
