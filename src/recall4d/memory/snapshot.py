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
from recall4d.geometry.viewpoint import Facing
from recall4d.memory.entry_columns import OPEN_NS, VISIBILITIES, EntryColumns, SightingColumns, StateColumns
from recall4d.memory.shelf import Shelf
from recall4d.memory.space import Space
from recall4d.records import Entry, Event, Report

__all__ = ["OPEN_NS", "VISIBILITIES", "SightingColumns", "Snapshot", "StateColumns"]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What is known at `now_ns`: nothing observed later is in it.

    Attributes:
        now_ns: the instant.
        origin_ns: the memory's first instant.
        clock: what the instants mean.
        entries: things and surfaces; made one by one when looked at, where they come from disk.
        events: what changed up to now, in order of time.
        vectors: (t, d) float16 where they lie on disk, else float32; unit embeddings of entries' texts.
        vector_of: (n,) which of `vectors` is each entry's; None where it is that of the same row.
        trajectories: `world_from_camera` of each agent up to `now_ns`, one pose a committed frame.
        frame_numbers: for each agent, (n,) the source's frame number of every pose in its trajectory.
        left_out: agents whose map is not aligned with the world: nothing of what they saw is in here.
        regions: regions that people have named.
        reports: what models said they saw in pictures that were kept.
        survey: builds the space as it was known at that instant; None where no depth is at hand.
        approximate: similar texts may be found by an index that misses a few, see `query.neighbours`.
        shelf: where what is derived from it can be kept on disk; None where it is not kept itself.
        embed: text to (n, d) unit vectors, by the memory's own embedder.
    """

    now_ns: int
    origin_ns: int
    clock: Clock
    entries: Sequence[Entry]
    vectors: NDArray[np.float16] | NDArray[np.float32]
    trajectories: Mapping[str, Trajectory]
    frame_numbers: Mapping[str, NDArray[np.int64]]
    embed: Callable[[Sequence[str]], NDArray[np.float32]] = field(repr=False)
    events: tuple[Event, ...] = ()
    left_out: tuple[str, ...] = ()
    regions: Mapping[str, Region] = field(default_factory=dict)
    reports: tuple[Report, ...] = ()
    survey: Callable[[], Space] | None = field(default=None, repr=False)
    vector_of: NDArray[np.integer] | None = None
    approximate: bool = False
    shelf: Shelf | None = None

    def at(self, now_ns: int) -> Snapshot:
        """The same knowledge, asked about at another instant."""
        if now_ns == self.now_ns:
            return self
        later = replace(self, now_ns=now_ns)
        later.__dict__["columns"] = self.columns
        return later

    @property
    def agents(self) -> tuple[str, ...]:
        """Agents in order of their first frame."""
        return tuple(self.trajectories)

    @cached_property
    def columns(self) -> EntryColumns:
        """The entries as columns."""
        return (
            self.entries if isinstance(self.entries, EntryColumns) else EntryColumns.of(self.entries, self.agents)
        )

    @property
    def states(self) -> StateColumns:
        """All states as columns."""
        return self.columns.states

    @property
    def sightings(self) -> SightingColumns:
        """All sightings as columns."""
        return self.columns.sightings

    def standing(self, agent: str | None = None) -> Facing | None:
        """Where an agent, or the first, stands and looks at `now_ns`: between two poses, or at the last before.

        None where it was nowhere yet.
        """
        agent = agent or next(iter(self.trajectories), "")
        if agent not in self._standing:
            pose = None
            if (trajectory := self.trajectories.get(agent)) is not None:
                pose = trajectory.at_or_before(self.now_ns)
            self._standing[agent] = None if pose is None else Facing.of_pose(pose)
        return self._standing[agent]

    @cached_property
    def _standing(self) -> dict[str, Facing | None]:
        return {}

    def reports_on(self, entry_id: str) -> tuple[Report, ...]:
        """The reports on an entry, of frames up to `now_ns`."""
        return tuple(r for r in self.reports if r.entry_id == entry_id and r.stamp_ns <= self.now_ns)

    def row_of(self, entry_id: str) -> int | None:
        """Row of an entry; None where there is none of that id."""
        return self.columns.row_of(entry_id)

    def vectors_of(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """(k, d) embeddings of the texts of entries (k,)."""
        return self.vectors[rows if self.vector_of is None else self.vector_of[rows]].astype(np.float32)
