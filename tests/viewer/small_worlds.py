"""Memories small enough to check by eye."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recall4d.clock import Clock, Interval, seconds_to_ns
from recall4d.geometry.box import Box, Vec3
from recall4d.geometry.pose import Trajectory, look_at
from recall4d.memory.snapshot import Snapshot
from recall4d.records import Entry, Sighting, State, View
from recall4d.records.detection import Kind
from recall4d.records.entry import Visibility

ORIGIN_NS = 1_760_000_000_000_000_000
"""As a camera stamps it: too large for a JavaScript number."""


def at_s(seconds: float) -> int:
    return ORIGIN_NS + seconds_to_ns(seconds)


def cube(centre: Vec3, edge_m: float = 0.2) -> Box:
    middle = np.array(centre)
    return Box.from_arrays(middle - edge_m / 2, middle + edge_m / 2)


def state(
    from_s: float, to_s: float | None, centre: Vec3, visibility: Visibility = "visible", edge_m: float = 0.2
) -> State:
    interval = Interval(at_s(from_s), None if to_s is None else at_s(to_s))
    return State(interval, cube(centre, edge_m), centre, visibility, "alpha")


def entry(
    entry_id: str,
    *states: State,
    seen_s: Sequence[tuple[float, float]] = ((0, 1),),
    category: str | None = "cup",
    description: str = "white cup",
    kind: Kind = "thing",
    crop: str | None = None,
    n_observations: int = 3,
) -> Entry:
    return Entry(
        entry_id=entry_id,
        category=category,
        description=description,
        kind=kind,
        states=states or (state(0, None, (0.0, 0.0, 0.5)),),
        sightings=tuple(Sighting("alpha", at_s(begin), at_s(end)) for begin, end in seen_s),
        n_observations=n_observations,
        agents=("alpha",),
        attributes={"colour": "white"},
        best_view=View("alpha", at_s(0), (0, 0, 10, 10), crop),
    )


def walk(*stamps_s: float, max_gap_s: float = 1.5) -> Trajectory:
    """One step of a metre along x a stamp, looking along x, at head height."""
    poses = [look_at((k, 0.0, 1.5), (k + 1, 0.0, 1.5)) for k in range(len(stamps_s))]
    stamps = np.array([at_s(each) for each in stamps_s], dtype=np.int64)
    return Trajectory(stamps, np.array(poses).reshape(-1, 4, 4), seconds_to_ns(max_gap_s))


def snapshot(*entries: Entry, now_s: float = 10, path: Trajectory | None = None) -> Snapshot:
    trajectories = {} if path is None else {"alpha": path}
    return Snapshot(
        now_ns=at_s(now_s),
        origin_ns=ORIGIN_NS,
        clock=Clock("camera", is_wall=True),
        entries=entries,
        vectors=np.zeros((len(entries), 4), dtype=np.float32),
        trajectories=trajectories,
        frame_numbers={name: np.arange(len(each.stamps_ns)) for name, each in trajectories.items()},
        embed=lambda texts: np.zeros((len(texts), 4), dtype=np.float32),
    )
