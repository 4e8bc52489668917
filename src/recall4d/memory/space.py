"""The space that a memory knows: free, occupied, never seen, from the depth that the store keeps of every frame.

What is built is kept beside the database, in one file that may be deleted at any time: it is a cache of facts. It
names the frames it was built from, each by a digest of its name, pose and camera. New frames are added to it; where
one of its own is not in the store any more, because a trajectory was corrected or an agent aligned, all is built
again. Both ways give the same cells.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, reduce
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.depth import unpack_depth
from recall4d.geometry.voxels import FREE, OCCUPIED, STATES, UNSEEN, Sight, VoxelGrid, edge_for, reach_of
from recall4d.memory.maps import world_from_maps
from recall4d.ports import Store, StoredFrame

FILE_NAME = "space.npz"

FORMAT = 1
"""Of the file, and of how frames become counts: a file of another one is built again."""

REACHED_M = 0.5
"""Unseen space farther than this from anything seen to be free may be outside the walls."""

_VERTEX = np.dtype(
    [(axis, "<f4") for axis in "xyz"] + [(c, "u1") for c in ("red", "green", "blue")] + [("hits", "<u2")]
)
_PLY_TYPES = {"<f4": "float", "|u1": "uchar", "<u2": "ushort"}

_ONCE_RGB, _OFTEN_RGB = np.array([60, 80, 170]), np.array([250, 220, 60])
"""Colours of cells hit in one frame and in the most frames."""


@dataclass(frozen=True, eq=False)
class Space:
    """What was seen of the space, all frames of agents in the world taken together.

    A place that changed is what most of the looks at it found; `Snapshot` says what was where at an instant.

    Attributes:
        grid: the cells, world frame.
        n_frames: frames it was built from.
    """

    grid: VoxelGrid
    n_frames: int

    def counts(self) -> dict[str, int]:
        """How many cells are in each of `geometry.voxels.STATES`."""
        counts = np.bincount(self.states.ravel(), minlength=len(STATES))
        return dict(zip(STATES, counts.tolist(), strict=True))

    def state_at(self, points_xyz: ArrayLike) -> NDArray[np.uint8]:
        """Codes (n,) into `geometry.voxels.STATES` of points (n, 3), world frame."""
        return self.grid.state_at(points_xyz)

    def seen_share(self, box: Box) -> float:
        """Share of a box that was ever seen, in [0, 1]. One does not see into things: few boxes reach 1."""
        return self.grid.seen_share(box)

    def never_looked(self, place: Box | ArrayLike) -> bool:
        """Whether nobody ever saw any part of a box, or the cell of a point (3,)."""
        if isinstance(place, Box):
            return self.seen_share(place) == 0.0
        return bool(self.state_at(place)[0] == UNSEEN)

    @cached_property
    def states(self) -> NDArray[np.uint8]:
        """(nx, ny, nz) codes into `geometry.voxels.STATES`."""
        return self.grid.states()

    @cached_property
    def reachable_unseen(self) -> NDArray[np.bool_]:
        """(nx, ny, nz) which cells nobody ever saw, though they are near free ones with nothing between."""
        from scipy.ndimage import binary_dilation

        states = self.states
        if states.size == 0:
            return np.zeros(states.shape, dtype=bool)
        steps = max(1, round(REACHED_M / self.grid.edge_m))
        free = states == FREE
        reached = binary_dilation(free, iterations=steps, mask=states != OCCUPIED)
        # Over what is inside the walls, some of the room was seen; over what is outside them, nothing was.
        return np.asarray(reached & (states == UNSEEN) & free.any(axis=2, keepdims=True))

    def line_of_sight(self, start_xyz: ArrayLike, end_xyz: ArrayLike) -> Sight:
        """What is between two points (3,). A thing hides its own centre: ask for a point on its surface."""
        return self.grid.line_of_sight(start_xyz, end_xyz)

    def export_ply(self, path: str | Path) -> int:
        """Write the centres of the occupied cells, coloured by how often they were hit; returns how many.

        The file is a binary little-endian PLY 1.0 point cloud (Turk, 1994): float x y z, uchar red green blue, and
        the count as ushort `hits`.
        """
        cells = np.argwhere(self.states == OCCUPIED)
        hits = self.grid.hits[tuple(cells.T)]
        vertices = np.zeros(len(cells), dtype=_VERTEX)
        vertices["x"], vertices["y"], vertices["z"] = self.grid.centres_xyz(cells).T
        often = np.log(np.maximum(hits, 1)) / max(np.log(hits.max(initial=1)), 1e-9)
        colours = _ONCE_RGB + often[:, None] * (_OFTEN_RGB - _ONCE_RGB)
        vertices["red"], vertices["green"], vertices["blue"] = np.rint(colours).T
        vertices["hits"] = hits
        header = ["ply", "format binary_little_endian 1.0", "comment recall4d occupied cells, metres, Z up"]
        header += [f"comment edge {self.grid.edge_m:g}", f"element vertex {len(vertices)}"]
        header += [f"property {_PLY_TYPES[_VERTEX[name].str]} {name}" for name in _VERTEX.names or ()]
        Path(path).write_bytes("\n".join([*header, "end_header", ""]).encode("ascii") + vertices.tobytes())
        return len(vertices)


def space_of(store: Store, until_ns: int | None = None) -> Space:
    """The space that a memory knows, with the frames of agents whose map is aligned with the world.

    What was built before is read from the memory's directory and only brought up to date. What was known at an
    earlier instant is built anew, from the frames up to then.

    Args:
        store: of the memory.
        until_ns: only frames up to this instant; None for all.

    Raises:
        StoreError: the store refuses. A directory that cannot be written to is no error: nothing is kept then.
    """
    path = store.directory / FILE_NAME
    with store.reading():
        every = _frames_in_world(store)
        frames = {_digest(frame): frame for frame in every if until_ns is None or frame.stamp_ns <= until_ns}
        if len(frames) < len(every):
            built = _brought_up_to_date(_NOTHING, frames, store)
            return Space(built.grid, len(built.frames))
        kept = _read(path)
        if kept is None or not kept.frames <= frames.keys():
            kept = _NOTHING
        built = kept if len(kept.frames) == len(frames) else _brought_up_to_date(kept, frames, store)
    if built is not kept:
        with suppress(OSError):
            _write(built, path)
    return Space(built.grid, len(built.frames))


@dataclass(frozen=True, eq=False, slots=True)
class _Built:
    """What is kept in the file: digests of frames, the box in the world of all they reach, and its cells."""

    frames: frozenset[int]
    reach: Box | None
    grid: VoxelGrid


_NOTHING = _Built(frozenset(), None, VoxelGrid.covering(None))


def _frames_in_world(store: Store) -> list[StoredFrame]:
    maps = world_from_maps(store)
    return [frame for frame in store.frames() if maps.get(frame.agent) is not None]


def _digest(frame: StoredFrame) -> int:
    named = f"{frame.agent}\0{frame.stamp_ns}\0{frame.intrinsics}\0".encode()
    return int.from_bytes(blake2b(named + frame.world_from_camera.tobytes(), digest_size=8).digest())


def _brought_up_to_date(kept: _Built, frames: Mapping[int, StoredFrame], store: Store) -> _Built:
    new = [frame for digest, frame in frames.items() if digest not in kept.frames]
    # Depth is unpacked once for its reach and once for its counts, so that one image at a time is in memory.
    looks = (_look(store, frame) for frame in new)
    reaches = [reach_of(*look, frame.world_from_camera) for look, frame in zip(looks, new, strict=True) if look]
    reach = reduce(_joined, reaches, kept.reach)
    if reach is None:
        return _Built(frozenset(frames), None, kept.grid)
    if kept.reach is None or kept.grid.edge_m == edge_for(reach):
        grid = VoxelGrid.covering(reach) if kept.reach is None else kept.grid.grown(reach)
    else:  # counts of small cells do not add up to those of large ones
        grid, new = VoxelGrid.covering(reach), list(frames.values())
    for frame in new:
        if look := _look(store, frame):
            grid.integrate(*look, frame.world_from_camera)
    return _Built(frozenset(frames), reach, grid)


def _look(store: Store, frame: StoredFrame) -> tuple[NDArray[np.float32], Intrinsics] | None:
    """A frame's small depth image and its camera; None where nothing was measured."""
    packed = store.depth(frame.agent, frame.stamp_ns)
    if packed is None:
        return None
    depth_m = unpack_depth(packed)
    return depth_m, frame.intrinsics.scaled_to(depth_m.shape[1], depth_m.shape[0])


def _joined(a: Box | None, b: Box) -> Box:
    if a is None:
        return b
    return Box.from_arrays(np.minimum(a.min_xyz, b.min_xyz), np.maximum(a.max_xyz, b.max_xyz))


def _read(path: Path) -> _Built | None:
    """What was built before; None if there is nothing, or nothing that can be read."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            if int(kept["format"]) != FORMAT:
                return None
            reach = None if len(kept["reach"]) == 0 else Box.from_arrays(*kept["reach"])
            empty = VoxelGrid.covering(reach, float(kept["edge_m"]))
            grid = VoxelGrid(empty.edge_m, empty.corner, kept["hits"], kept["passes"])
            if not empty.hits.shape == grid.hits.shape == grid.passes.shape:
                return None
            return _Built(frozenset(kept["frames"].tolist()), reach, grid)
    except (OSError, EOFError, KeyError, ValueError, zlib.error, zipfile.BadZipFile):
        return None


def _write(built: _Built, path: Path) -> None:
    """Put the file in its place whole: others may be reading or writing it."""
    reach = [] if built.reach is None else [built.reach.min_xyz, built.reach.max_xyz]
    draft = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        with draft.open("xb") as file:
            np.savez_compressed(
                file,
                format=FORMAT,
                frames=np.array(sorted(built.frames), dtype=np.uint64),
                reach=np.array(reach, dtype=np.float64),
                edge_m=built.grid.edge_m,
                hits=built.grid.hits,
                passes=built.grid.passes,
            )
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
