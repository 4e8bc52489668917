"""What every frame found at every place, kept up to date as frames come and boxes settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.box import Vec3, vec3
from recall4d.geometry.depth import unpack_depth
from recall4d.memory.presence import Look
from recall4d.memory.visibility import look
from recall4d.ports import Store, StoredFrame
from recall4d.records import Entry

Floats = NDArray[Any]

ROUNDED_SHARE, FINEST_M, COARSEST_M = 0.125, 0.002, 0.04
"""The faces of a place are rounded to about this share of its edge, within limits, before it is looked at.

So a place need not be looked at again in all old frames whenever another view moves its box a little; and what is
found depends on where the box is now alone, not on when somebody asked.
"""


class LookBook:
    """Looks at places, from the small depth images that the store keeps of every frame."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._frames: list[tuple[str, int, bytes]] = []
        self._row_of: dict[str, int] = {}
        self._boxes: Floats = np.zeros((0, 6))
        self._shares: Floats = np.zeros((0, 0, 2), dtype=np.float32)

    def looks(
        self, entries: Sequence[Entry], frames: Sequence[StoredFrame], seen: Mapping[str, set[tuple[str, int]]]
    ) -> list[list[Look]]:
        """The looks at each entry's place, in order of time; a frame that says nothing of it is left out.

        Args:
            entries: places, in any order.
            frames: in order of time. Where they are not the known ones and more, all is looked up again.
            seen: for each entry id, the (agent, stamp) of the frames in which it was observed.
        """
        self._update(entries, frames)
        stands = [(frame.agent, frame.stamp_ns, vec3(frame.world_from_camera[:3, 3])) for frame in frames]
        return [self._looks_at(entry, stands, seen.get(entry.entry_id, set())) for entry in entries]

    def _looks_at(
        self, entry: Entry, stands: list[tuple[str, int, Vec3]], seen: set[tuple[str, int]]
    ) -> list[Look]:
        shares = self._shares[self._row_of[entry.entry_id]]
        clear = np.isfinite(shares[:, 0])
        return [
            Look(stamp_ns, agent, (agent, stamp_ns) in seen, float(shares[i, 0]), float(shares[i, 1]), eye_xyz)
            for i, (agent, stamp_ns, eye_xyz) in enumerate(stands)
            if clear[i] or (agent, stamp_ns) in seen
        ]

    def _update(self, entries: Sequence[Entry], frames: Sequence[StoredFrame]) -> None:
        named = [(frame.agent, frame.stamp_ns, frame.world_from_camera.tobytes()) for frame in frames]
        if named[: len(self._frames)] != self._frames:
            self._shares = self._shares[:, :0]
            self._boxes[:] = np.nan
        self._frames = named
        n_known = self._shares.shape[1]
        for entry in entries:
            self._row_of.setdefault(entry.entry_id, len(self._row_of))
        n_rows = len(self._row_of)
        self._boxes = _grown(self._boxes, (n_rows, 6), np.nan)
        self._shares = _grown(self._shares, (n_rows, len(frames), 2), np.nan)
        rows = np.array([self._row_of[entry.entry_id] for entry in entries], dtype=np.intp)
        boxes = _rounded(np.array([(*e.now.box.min_xyz, *e.now.box.max_xyz) for e in entries]).reshape(-1, 6))
        moved = (boxes != self._boxes[rows]).any(axis=1)
        self._boxes[rows[moved]] = boxes[moved]
        for index, frame in enumerate(frames):
            asked = rows if index >= n_known else rows[moved]
            if len(asked):
                self._look(index, frame, asked)

    def _look(self, index: int, frame: StoredFrame, rows: NDArray[np.intp]) -> None:
        packed = self._store.depth(frame.agent, frame.stamp_ns)
        if packed is None:
            return
        depth_m = unpack_depth(packed)
        camera = frame.intrinsics.scaled_to(depth_m.shape[1], depth_m.shape[0])
        low, high = self._boxes[rows, :3], self._boxes[rows, 3:]
        found = look(low, high, depth_m, camera, frame.world_from_camera)
        self._shares[rows, index, 0], self._shares[rows, index, 1] = found.free, found.hidden


def _rounded(boxes: Floats) -> Floats:
    """Boxes (n, 6) with their faces on grids that are finer across shorter edges, in steps of two."""
    edges_m = boxes[:, 3:] - boxes[:, :3]
    step_m = np.exp2(np.floor(np.log2(np.clip(ROUNDED_SHARE * edges_m, FINEST_M, COARSEST_M))))
    step_m = np.concatenate([step_m, step_m], axis=1)
    return np.asarray(np.rint(boxes / step_m) * step_m)


def _grown(array: Floats, shape: tuple[int, ...], fill: float) -> Floats:
    """The array in the corner of a larger one."""
    larger = np.full(shape, fill, dtype=array.dtype)
    larger[tuple(slice(n) for n in array.shape)] = array
    return larger
