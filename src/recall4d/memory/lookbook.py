"""What every frame found at every place, kept up to date as frames come and boxes settle."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.box import Vec3, vec3
from recall4d.geometry.depth import unpack_depth
from recall4d.memory.presence import Look
from recall4d.memory.visibility import in_image, look
from recall4d.ports import Store, StoredFrame
from recall4d.records import Entry

Floats = NDArray[Any]

ROUNDED_SHARE, FINEST_M, COARSEST_M = 0.125, 0.002, 0.04
"""The faces of a place are rounded to about this share of its edge, within limits, before it is looked at.

So a place need not be looked at again in all old frames whenever another view moves its box a little; and what is
found depends on where the box is now alone, not on when somebody asked.
"""


N_UNPACKED = 256
"""Depth images kept unpacked: 20 MB at most. A box that settles is looked at again in the frames that show it."""


@dataclass(frozen=True, eq=False, slots=True)
class _Page:
    """The looks at one place, with the frames in which it was observed when they were put together."""

    looks: list[Look]
    seen: frozenset[tuple[str, int]]


class LookBook:
    """Looks at places, from the small depth images that the store keeps of every frame."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._frames: list[tuple[str, int, bytes]] = []
        self._row_of: dict[str, int] = {}
        self._boxes: Floats = np.zeros((0, 6))
        self._shares: Floats = np.zeros((0, 0, 2), dtype=np.float32)
        self._pages: dict[str, _Page] = {}
        self._unpacked: OrderedDict[tuple[str, int], NDArray[np.float32] | None] = OrderedDict()

    def looks(
        self, entries: Sequence[Entry], frames: Sequence[StoredFrame], seen: Mapping[str, set[tuple[str, int]]]
    ) -> list[list[Look]]:
        """The looks at each entry's place, in order of time; a frame that says nothing of it is left out.

        Where nothing was found since the last time, the same list is returned.

        Args:
            entries: places, in any order.
            frames: in order of time. Where they are not the known ones and more, all is looked up again.
            seen: for each entry id, the (agent, stamp) of the frames in which it was observed.
        """
        n_known = self._update(entries, frames)
        stands = [(frame.agent, frame.stamp_ns, vec3(frame.world_from_camera[:3, 3])) for frame in frames]
        rows = np.array([self._row_of[entry.entry_id] for entry in entries], dtype=np.intp)
        clear = np.asarray(np.isfinite(self._shares[rows, n_known:, 0]).any(axis=1))
        just_seen = {stand[:2] for stand in stands[n_known:]}
        found = []
        for row, is_clear, entry in zip(rows.tolist(), clear.tolist(), entries, strict=True):
            page, now_seen = self._pages.get(entry.entry_id), seen.get(entry.entry_id, set())
            if page is None or not page.seen <= now_seen or not now_seen - page.seen <= just_seen:
                page = _Page(self._looks_at(row, stands, 0, now_seen), frozenset(now_seen))
            elif is_clear or len(now_seen) > len(page.seen):
                page = _Page(page.looks + self._looks_at(row, stands, n_known, now_seen), frozenset(now_seen))
            self._pages[entry.entry_id] = page
            found.append(page.looks)
        return found

    def _looks_at(
        self, row: int, stands: list[tuple[str, int, Vec3]], first: int, seen: set[tuple[str, int]]
    ) -> list[Look]:
        """The looks of the frames from the `first` on."""
        shares = self._shares[row, first:].tolist()
        return [
            Look(stamp_ns, agent, (agent, stamp_ns) in seen, free, hidden, eye_xyz)
            for (agent, stamp_ns, eye_xyz), (free, hidden) in zip(stands[first:], shares, strict=True)
            if not math.isnan(free) or (agent, stamp_ns) in seen
        ]

    def _update(self, entries: Sequence[Entry], frames: Sequence[StoredFrame]) -> int:
        """Look where nobody looked yet; how many of the frames were known, and lie where they lay."""
        named = [(frame.agent, frame.stamp_ns, frame.world_from_camera.tobytes()) for frame in frames]
        if named[: len(self._frames)] != self._frames:
            self._shares = self._shares[:, :0]
            self._boxes[:] = np.nan
            self._pages.clear()
        self._frames = named
        n_known = int(self._shares.shape[1])
        for entry in entries:
            self._row_of.setdefault(entry.entry_id, len(self._row_of))
        n_rows = len(self._row_of)
        self._boxes = _grown(self._boxes, (n_rows, 6), np.nan)
        self._shares = _grown(self._shares, (n_rows, len(frames), 2), np.nan)
        rows = np.array([self._row_of[entry.entry_id] for entry in entries], dtype=np.intp)
        boxes = _rounded(np.array([(*e.now.box.min_xyz, *e.now.box.max_xyz) for e in entries]).reshape(-1, 6))
        moved = (boxes != self._boxes[rows]).any(axis=1)
        self._boxes[rows[moved]] = boxes[moved]
        self._shares[rows[moved]] = np.nan
        for entry_id in [entry.entry_id for entry, has in zip(entries, moved.tolist(), strict=True) if has]:
            self._pages.pop(entry_id, None)
        for frame, index in zip(frames[n_known:], range(n_known, len(frames)), strict=True):
            self._look(index, frame, rows)
        if moved.any():
            shown = self._shown(frames[:n_known], rows[moved])
            for index in np.flatnonzero(shown.any(axis=1)).tolist():
                self._look(index, frames[index], rows[moved][shown[index]])
        return n_known

    def _shown(self, frames: Sequence[StoredFrame], rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(n, m): which frames have which boxes' centres inside their image; the others see nothing of them."""
        centres = (self._boxes[rows, :3] + self._boxes[rows, 3:]) / 2
        shown = np.zeros((len(frames), len(rows)), dtype=bool)
        cameras = [frame.intrinsics for frame in frames]
        for camera in set(cameras):
            of_camera = np.array([each == camera for each in cameras])
            poses = np.stack([frame.world_from_camera for frame in frames])[of_camera]
            shown[of_camera] = in_image(centres, camera, poses)
        return shown

    def _look(self, index: int, frame: StoredFrame, rows: NDArray[np.intp]) -> None:
        depth_m = self._depth(frame)
        if depth_m is None or len(rows) == 0:
            return
        camera = frame.intrinsics.scaled_to(depth_m.shape[1], depth_m.shape[0])
        low, high = self._boxes[rows, :3], self._boxes[rows, 3:]
        found = look(low, high, depth_m, camera, frame.world_from_camera)
        self._shares[rows, index, 0], self._shares[rows, index, 1] = found.free, found.hidden

    def _depth(self, frame: StoredFrame) -> NDArray[np.float32] | None:
        """A frame's depth image, which never changes."""
        name = frame.agent, frame.stamp_ns
        if name not in self._unpacked:
            packed = self._store.depth(*name)
            self._unpacked[name] = None if packed is None else unpack_depth(packed)
            if len(self._unpacked) > N_UNPACKED:
                self._unpacked.popitem(last=False)
        self._unpacked.move_to_end(name)
        return self._unpacked[name]


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
