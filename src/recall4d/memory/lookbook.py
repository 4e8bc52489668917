"""What every frame found at every place, kept up to date as frames come and boxes settle."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
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
Stand = tuple[str, int, Vec3]
"""Agent, instant and eye of a frame."""

NOT_CLEAR = (float("nan"), float("nan"))

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


class _Shares:
    """What clear looks found: how far rays went through a box, and the share that ended in front of it.

    A frame looks at few of many places, so what is kept is what was found, not a table of all frames and places.
    """

    def __init__(self) -> None:
        self.n_frames = 0
        self._of_row: dict[int, dict[int, tuple[float, float]]] = {}
        self._latest: dict[int, int] = {}

    def of(self, row: int) -> Mapping[int, tuple[float, float]]:
        """(free, hidden) by the index of the frame."""
        return self._of_row.get(row, {})

    def since(self, first: int) -> set[int]:
        """Rows with a look of the frames from the `first` on."""
        return {row for row, index in self._latest.items() if index >= first}

    def keep(self, index: int, rows: NDArray[np.intp], free: Floats, hidden: Floats) -> None:
        """The looks of one frame at places; NaN where one was not clear."""
        clear = np.isfinite(free)
        shares = (each[clear].astype(np.float32).tolist() for each in (free, hidden))
        for row, *share in zip(rows[clear].tolist(), *shares, strict=True):
            self._of_row.setdefault(row, {})[index] = (share[0], share[1])
            self._latest[row] = max(index, self._latest.get(row, 0))

    def forget(self, rows: NDArray[np.intp]) -> None:
        """The boxes of these places have moved."""
        for row in rows.tolist():
            self._of_row.pop(row, None)
            self._latest.pop(row, None)


class LookBook:
    """Looks at places, from the small depth images that the store keeps of every frame."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._frames: list[tuple[str, int, bytes]] = []
        self._row_of: dict[str, int] = {}
        self._boxes: Floats = np.zeros((0, 6))
        self._shares = _Shares()
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
        rows = [self._row_of[entry.entry_id] for entry in entries]
        index_of = {stand[:2]: index for index, stand in enumerate(stands)}
        clear = self._shares.since(n_known)
        just_seen = {stand[:2] for stand in stands[n_known:]}

        def indices(names: Iterable[tuple[str, int]]) -> list[int]:
            return [index_of[name] for name in names if name in index_of]

        found = []
        for row, entry in zip(rows, entries, strict=True):
            page, now_seen = self._pages.get(entry.entry_id), seen.get(entry.entry_id, set())
            if page is None or not page.seen <= now_seen or not now_seen - page.seen <= just_seen:
                page = _Page(self._looks_at(row, stands, 0, indices(now_seen)), frozenset(now_seen))
            elif row in clear or len(now_seen) > len(page.seen):
                new = self._looks_at(row, stands, n_known, indices(now_seen - page.seen))
                page = _Page(page.looks + new, frozenset(now_seen))
            self._pages[entry.entry_id] = page
            found.append(page.looks)
        return found

    def _looks_at(self, row: int, stands: list[Stand], first: int, seen: Iterable[int]) -> list[Look]:
        """The looks of the frames from the `first` on, those in which the thing was `seen` among them."""
        shares, was_seen = self._shares.of(row), {index for index in seen if index >= first}
        found = []
        for index in sorted(was_seen | {index for index in shares if index >= first}):
            agent, stamp_ns, eye_xyz = stands[index]
            free, hidden = shares.get(index, NOT_CLEAR)
            found.append(Look(stamp_ns, agent, index in was_seen, free, hidden, eye_xyz))
        return found

    def _update(self, entries: Sequence[Entry], frames: Sequence[StoredFrame]) -> int:
        """Look where nobody looked yet; how many of the frames were known, and lie where they lay."""
        named = [(frame.agent, frame.stamp_ns, frame.world_from_camera.tobytes()) for frame in frames]
        if named[: len(self._frames)] != self._frames:
            self._shares = _Shares()
            self._boxes[:] = np.nan
            self._pages.clear()
        self._frames = named
        n_known = self._shares.n_frames
        for entry in entries:
            self._row_of.setdefault(entry.entry_id, len(self._row_of))
        n_rows = len(self._row_of)
        self._boxes = _grown(self._boxes, (n_rows, 6), np.nan)
        self._shares.n_frames = len(frames)
        rows = np.array([self._row_of[entry.entry_id] for entry in entries], dtype=np.intp)
        boxes = _rounded(np.array([(*e.now.box.min_xyz, *e.now.box.max_xyz) for e in entries]).reshape(-1, 6))
        moved = (boxes != self._boxes[rows]).any(axis=1)
        self._boxes[rows[moved]] = boxes[moved]
        self._shares.forget(rows[moved])
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
        depth_m = self.depth(frame)
        if depth_m is None or len(rows) == 0:
            return
        camera = frame.intrinsics.scaled_to(depth_m.shape[1], depth_m.shape[0])
        low, high = self._boxes[rows, :3], self._boxes[rows, 3:]
        found = look(low, high, depth_m, camera, frame.world_from_camera)
        self._shares.keep(index, rows, found.free, found.hidden)

    def depth(self, frame: StoredFrame) -> NDArray[np.float32] | None:
        """A frame's small depth image, (h, w) metres, which never changes; None if it has none."""
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
