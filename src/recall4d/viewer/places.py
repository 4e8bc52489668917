"""Where each entry was held to be, and what changed: the reading of states that every picture shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.box import Box, Vec3
from recall4d.geometry.pose import Trajectory
from recall4d.memory.snapshot import Snapshot
from recall4d.records import Entry, State

MOVED_M = 0.1
"""Box centres of two states closer than this are the same place, fused from other views."""

ChangeKind = Literal["moved", "gone", "returned"]


@dataclass(frozen=True, slots=True)
class Place:
    """What was held of an entry from `from_ns` until its next place begins.

    Attributes:
        from_ns: instant.
        state: the state it belongs to; its box is where the entry is, or was when last seen.
        absent: known to be there no longer.
    """

    from_ns: int
    state: State
    absent: bool

    @property
    def box(self) -> Box:
        """In the world frame."""
        return self.state.box


@dataclass(frozen=True, slots=True)
class Change:
    """An event in an entry's life: `moved` from one place to another, `gone` from one, `returned` to it."""

    kind: ChangeKind
    at_ns: int
    from_xyz: Vec3
    to_xyz: Vec3


def places_of(entry: Entry) -> tuple[Place, ...]:
    """The places of an entry, oldest first, never empty.

    The visibility of a state holds at the end of its interval. A state that ends absent was present up to the last
    sighting inside it, so it is told apart into two places; one without a sighting inside is absent throughout.
    """
    places = []
    for state in entry.states:
        begin = state.interval.from_ns
        if state.visibility != "absent":
            places.append(Place(begin, state, absent=False))
            continue
        end = state.interval.to_ns
        seen = [
            sighting.to_ns if end is None else min(sighting.to_ns, end)
            for sighting in entry.sightings
            if sighting.to_ns >= begin and (end is None or sighting.from_ns < end)
        ]
        if seen:
            places.append(Place(begin, state, absent=False))
        places.append(Place(max(seen) + 1 if seen else begin, state, absent=True))
    return tuple(places)


def changes_of(places: Sequence[Place]) -> tuple[Change, ...]:
    """What happened between consecutive places, oldest first.

    Distances are taken from where the last change left the entry, so that many small steps add up to a move.
    """
    changes = []
    here, absent = places[0].box.centroid_xyz, places[0].absent
    for place in places[1:]:
        there = place.box.centroid_xyz
        if place.absent:
            if not absent:
                changes.append(Change("gone", place.from_ns, here, here))
        elif math.dist(here, there) > MOVED_M:
            changes.append(Change("moved", place.from_ns, here, there))
            here = there
        elif absent:
            changes.append(Change("returned", place.from_ns, here, there))
        absent = place.absent
    return tuple(changes)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a memory holds, for a title line."""

    things: int
    surfaces: int
    moved: int
    absent: int
    agents: int

    @property
    def text(self) -> str:
        """For a person: ``"88 things · 5 surfaces · 9 moved · 3 absent · 2 agents"``."""
        parts = [_counted(self.things, "thing")]
        if self.surfaces:
            parts.append(_counted(self.surfaces, "surface"))
        parts += [f"{n} {word}" for n, word in ((self.moved, "moved"), (self.absent, "absent")) if n]
        return " · ".join([*parts, _counted(self.agents, "agent")])


def count(snapshot: Snapshot) -> Counts:
    """Counts over the whole snapshot, as known at its `now_ns`."""
    entries = snapshot.entries
    return Counts(
        things=sum(entry.kind == "thing" for entry in entries),
        surfaces=sum(entry.kind == "surface" for entry in entries),
        moved=sum(any(change.kind == "moved" for change in changes_of(places_of(entry))) for entry in entries),
        absent=sum(not entry.present for entry in entries),
        agents=len(snapshot.agents),
    )


def bounds_of(snapshot: Snapshot) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The smallest (3,) and largest (3,) coordinates of all states and trajectories, world frame.

    A memory without either gets two metres about the origin, so that there is something to draw.
    """
    states = snapshot.states
    walked = [trajectory.poses[:, :3, 3] for trajectory in snapshot.trajectories.values()]
    points = np.concatenate([states.min_xyz, states.max_xyz, *walked])
    if len(points) == 0:
        return np.array([-1.0, -1.0, 0.0]), np.array([1.0, 1.0, 2.0])
    return points.min(axis=0), points.max(axis=0)


def runs_of(trajectory: Trajectory) -> list[NDArray[np.intp]]:
    """Rows of the poses of each stretch without a gap."""
    breaks = np.flatnonzero(np.diff(trajectory.stamps_ns) > trajectory.max_gap_ns) + 1
    return list(np.split(np.arange(len(trajectory.stamps_ns)), breaks))


def label_of(entry: Entry, longest: int = 24) -> str:
    """A short name for a drawing: the category, or the start of the description."""
    text = " ".join((entry.category or entry.description or entry.entry_id).split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _counted(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
