"""What memory knows at one instant, laid out for scanning. This is all that queries ever see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import Clock
from recall4d.geometry.pose import Trajectory
from recall4d.geometry.region import Region
from recall4d.records import Entry, Event

OPEN_NS = np.iinfo(np.int64).max
"""`to_ns` of an interval still going on, in a column of int64."""

VISIBILITIES = ("visible", "occluded", "absent", "unknown")
"""Codes of the `visibility` column."""


@dataclass(frozen=True, eq=False, slots=True)
class StateColumns:
    """One row a state, all entries, ordered by entry and time.

    Attributes:
        entry: (m,) row of the entry in `Snapshot.entries`.
        from_ns, to_ns: (m,) int64; `OPEN_NS` while it lasts.
        min_xyz, max_xyz, centroid_xyz: (m, 3) float64, world frame, metres.
        visibility: (m,) uint8, code into `VISIBILITIES`.
    """

    entry: NDArray[np.intp]
    from_ns: NDArray[np.int64]
    to_ns: NDArray[np.int64]
    min_xyz: NDArray[np.float64]
    max_xyz: NDArray[np.float64]
    visibility: NDArray[np.uint8]

    @property
    def centroid_xyz(self) -> NDArray[np.float64]:
        """(m, 3) box centres."""
        return (self.min_xyz + self.max_xyz) / 2


@dataclass(frozen=True, eq=False, slots=True)
class SightingColumns:
    """One row a sighting, all entries, ordered by entry and time.

    Attributes:
        entry: (k,) row of the entry in `Snapshot.entries`.
        agent: (k,) index into `Snapshot.agents`.
        from_ns, to_ns: (k,) int64, both ends inside.
    """

    entry: NDArray[np.intp]
    agent: NDArray[np.intp]
    from_ns: NDArray[np.int64]
    to_ns: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What is known at `now_ns`: nothing observed later is in it.

    Attributes:
        now_ns: the instant.
        origin_ns: the memory's first instant.
        clock: what the instants mean.
        entries: things and surfaces.
        events: what changed up to now, in order of time.
        vectors: (n, d) float32, unit embedding of each entry's text.
        trajectories: `world_from_camera` of each agent up to `now_ns`, one pose a committed frame.
        frame_numbers: for each agent, (n,) the source's frame number of every pose in its trajectory.
        left_out: agents whose map is not aligned with the world: nothing of what they saw is in here.
        regions: regions that people have named.
        embed: text to (n, d) unit vectors, by the memory's own embedder.
    """

    now_ns: int
    origin_ns: int
    clock: Clock
    entries: tuple[Entry, ...]
    vectors: NDArray[np.float32]
    trajectories: Mapping[str, Trajectory]
    frame_numbers: Mapping[str, NDArray[np.int64]]
    embed: Callable[[Sequence[str]], NDArray[np.float32]] = field(repr=False)
    events: tuple[Event, ...] = ()
    left_out: tuple[str, ...] = ()
    regions: Mapping[str, Region] = field(default_factory=dict)

    def at(self, now_ns: int) -> Snapshot:
        """The same knowledge, asked about at another instant."""
        return self if now_ns == self.now_ns else replace(self, now_ns=now_ns)

    @property
    def agents(self) -> tuple[str, ...]:
        """Agents in order of their first frame."""
        return tuple(self.trajectories)

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """Row of each entry id."""
        return {entry.entry_id: row for row, entry in enumerate(self.entries)}

    @cached_property
    def states(self) -> StateColumns:
        """All states as columns."""
        rows = [(row, state) for row, entry in enumerate(self.entries) for state in entry.states]
        return StateColumns(
            entry=np.array([row for row, _ in rows], dtype=np.intp),
            from_ns=np.array([state.interval.from_ns for _, state in rows], dtype=np.int64),
            to_ns=np.array(
                [OPEN_NS if state.interval.to_ns is None else state.interval.to_ns for _, state in rows],
                dtype=np.int64,
            ),
            min_xyz=np.array([state.box.min_xyz for _, state in rows], dtype=np.float64).reshape(-1, 3),
            max_xyz=np.array([state.box.max_xyz for _, state in rows], dtype=np.float64).reshape(-1, 3),
            visibility=np.array([VISIBILITIES.index(s.visibility) for _, s in rows], dtype=np.uint8),
        )

    @cached_property
    def sightings(self) -> SightingColumns:
        """All sightings as columns."""
        code = {agent: index for index, agent in enumerate(self.agents)}
        rows = [(row, each) for row, entry in enumerate(self.entries) for each in entry.sightings]
        return SightingColumns(
            entry=np.array([row for row, _ in rows], dtype=np.intp),
            agent=np.array([code[each.agent] for _, each in rows], dtype=np.intp),
            from_ns=np.array([each.from_ns for _, each in rows], dtype=np.int64),
            to_ns=np.array([each.to_ns for _, each in rows], dtype=np.int64),
        )
