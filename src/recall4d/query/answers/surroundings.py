"""Where a thing is, said by the things around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry import relations
from recall4d.geometry.box import Box
from recall4d.geometry.relations import Boxes
from recall4d.geometry.viewpoint import Facing, bearing_name, in_view
from recall4d.memory.snapshot import Snapshot
from recall4d.query.answers.naming import called
from recall4d.query.english.names import CLOSED
from recall4d.query.words import kinds_of, wording_of
from recall4d.records import Entry
from recall4d.units import format_length

ON_FLOOR_M = 0.15
"""A thing whose underside is this near the floor stands on it."""

NEXT_TO_M = 1.5
"""Nothing farther is worth naming as a neighbour."""

SCREEN_M3 = 0.003
"""Things at least this large hide what is behind them: a kettle, not a cup."""

LANDMARK_M3 = 0.02
"""Neighbours are named by something at least this large: a crate, not a pen."""

LOOKED_SCORE = 0.2
"""How well a place must be inside the view to count as looked at."""
LOOKED_FROM_M = 5.0
LOOKED_FROM_SIZES = 15
"""A thing is noticed from up to so many times its own diagonal."""
LOOKS = 2
MAX_POSES = 150


_SHELVES = frozenset({"shelf", "rack", "bookcase"})

_HOLDING = {
    "on": relations.on, "inside": relations.inside, "in": relations.inside, "under": relations.under,
    "below": relations.below, "above": relations.above, "beside": relations.beside,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Around:
    """All boxes at one instant.

    Attributes:
        snapshot: the memory.
        rows: rows of entries that were somewhere then.
        boxes: theirs.
    """

    snapshot: Snapshot
    rows: NDArray[np.intp]
    boxes: Boxes

    @classmethod
    def at(cls, snapshot: Snapshot, at_ns: int) -> Around:
        """What was where at an instant, things known to be gone left out."""
        rows, lows, highs = [], [], []
        for row, entry in enumerate(snapshot.entries):
            state = entry.state_at(at_ns)
            if state is not None and state.visibility != "absent":
                rows.append(row)
                lows.append(state.box.min_xyz)
                highs.append(state.box.max_xyz)
        boxes = Boxes(
            np.array(lows, dtype=np.float64).reshape(-1, 3), np.array(highs, dtype=np.float64).reshape(-1, 3)
        )
        return cls(snapshot, np.array(rows, dtype=np.intp), boxes)

    def holder(self, box: Box, but: int, how: str = "on") -> int | None:
        """The row of the entry that best holds (or covers, ...) a box."""
        relate = _HOLDING.get(how)
        if relate is None or len(self.rows) == 0:
            return None
        scores = np.where(self.rows == but, 0.0, relate(Boxes.of(box), self.boxes))
        if not (scores > 0.0).any():
            return None
        volume = np.prod(self.boxes.extent, axis=-1)
        close = scores >= 0.9 * scores.max()
        return int(self.rows[np.where(close, volume, np.inf).argmin()])

    def neighbour(self, box: Box, but: int) -> tuple[int, float] | None:
        """The row of the nearest thing to go by, large and at the same height, and the gap to it in metres."""
        gaps = relations.gap_m(Boxes.of(box), self.boxes)
        large = (np.prod(self.boxes.extent, axis=-1) >= LANDMARK_M3) & (self.boxes.extent[:, 2] > FLAT_M)
        shared = np.minimum(self.boxes.high[:, 2], box.max_xyz[2]) - np.maximum(
            self.boxes.low[:, 2], box.min_xyz[2]
        )
        beside = shared >= 0.5 * np.minimum(self.boxes.extent[:, 2], box.max_xyz[2] - box.min_xyz[2])
        gaps = np.where((self.rows != but) & large & beside, gaps, np.inf)
        if len(gaps) == 0 or gaps.min() > NEXT_TO_M:
            return None
        best = int(gaps.argmin())
        return int(self.rows[best]), float(gaps[best])

    @property
    def floor_z(self) -> float:
        """Height of the floor: of the lowest wide, flat thing (floor, carpet), or where the lowest things stand."""
        if len(self.rows) == 0:
            return 0.0
        lows, extent = self.boxes.low[:, 2], self.boxes.extent
        lowest = float(np.quantile(lows, 0.05))
        flat = (extent[:, 2] < FLAT_M) & (extent[:, 0] * extent[:, 1] > FLOOR_M2) & (lows < lowest + FLAT_M)
        if not flat.any():
            return lowest
        row = self.rows[np.flatnonzero(flat)[lows[flat].argmin()]]
        # Noise and tilt thicken its box; the mean of its surface is where one stands.
        return float(self.snapshot.entries[row].now.surface_centroid_xyz[2])

    def place(self, box: Box, but: int) -> str:
        """Where a box is, in words: "on the dining table", "on the floor next to the sofa"."""
        entries = self.snapshot.entries
        around = self.holder(box, but, "inside")
        if around is not None and is_hollow(entries[around]):
            return f"in the {called(entries[around])}"
        holder = self.holder(box, but)
        if holder is not None:
            return f"on the {called(entries[holder])}"
        if around is not None:
            return f"under the {called(entries[around])}"
        low = "on the floor" if box.min_xyz[2] - self.floor_z <= ON_FLOOR_M else ""
        beside = self.neighbour(box, but)
        if beside is None:
            return low or "on its own"
        near = f"next to the {called(entries[beside[0]])}"
        return f"{low} {near}".strip()


def is_hollow(entry: Entry) -> bool:
    """Whether things stand in it; what is inside the box of a table stands under it."""
    heads = wording_of(entry.category, entry.description, {}).heads
    return bool(heads & (kinds_of("container") | CLOSED | _SHELVES))


def from_agent(facing: Facing | None, box: Box) -> str:
    """Where a box is from the asking agent: "2.10 m ahead-left of you"; empty where nobody stands anywhere."""
    if facing is None:
        return ""
    centre = np.asarray(box.centroid_xyz)
    distance = float(np.linalg.norm(centre - np.asarray(facing.eye_xyz)))
    bearing = float(np.degrees(facing.bearing_rad(centre)))
    return f"{format_length(distance)} {bearing_name(bearing)} of you"


def was_looked_at(snapshot: Snapshot, box: Box, after_ns: int, before_ns: int) -> bool:
    """Whether agents had a place in clear view between two instants."""
    return len(looks_at(snapshot, box, after_ns, before_ns)) >= LOOKS


def looks_at(snapshot: Snapshot, box: Box, after_ns: int, before_ns: int) -> list[int]:
    """The instants at which a place was in clear view: near enough, with nothing large before it; in order."""
    looks = []
    boxes = Boxes(*(np.asarray(corner)[None] for corner in (box.min_xyz, box.max_xyz)))
    screens = _screens(snapshot, box, before_ns)
    reach = min(LOOKED_FROM_M, LOOKED_FROM_SIZES * box.diagonal_m)
    for trajectory in snapshot.trajectories.values():
        stamps = trajectory.stamps_ns
        inside = np.flatnonzero((stamps >= after_ns) & (stamps <= before_ns))
        for index in inside[:: max(1, len(inside) // MAX_POSES)]:
            pose = trajectory.poses[index]
            in_sight = in_view(boxes, pose, max_range_m=reach)[0] >= LOOKED_SCORE
            if in_sight and not _is_screened(pose[:3, 3], np.asarray(box.centroid_xyz), screens):
                looks.append(int(stamps[index]))
    return sorted(looks)


def _screens(snapshot: Snapshot, box: Box, at_ns: int) -> Boxes:
    """Boxes that may stand before a place: large ones that do not reach into it."""
    around = Around.at(snapshot, at_ns)
    gaps = relations.gap_m(Boxes.of(box), around.boxes)
    large = np.prod(around.boxes.extent, axis=-1) >= SCREEN_M3
    return Boxes(around.boxes.low[large & (gaps > 0.1)], around.boxes.high[large & (gaps > 0.1)])


def _is_screened(eye: NDArray[np.float64], target: NDArray[np.float64], screens: Boxes) -> bool:
    """Whether the line of sight passes through a box (the slab test of Kay and Kajiya, 1986)."""
    ray = target - eye
    ray = np.where(np.abs(ray) < 1e-9, 1e-9, ray)
    low, high = (screens.low - eye) / ray, (screens.high - eye) / ray
    enters, leaves = np.minimum(low, high).max(axis=-1), np.maximum(low, high).min(axis=-1)
    return bool(((enters <= leaves) & (leaves > 0.05) & (enters < 0.95)).any())


FLAT_M, FLOOR_M2 = 0.15, 1.0
"""A thing thinner than the one and wider than the other, lower than all else, is floor or lies on it."""
