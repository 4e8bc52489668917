"""Space in cells: what was seen to be free, what stopped a ray, and what nobody ever looked into.

The cells form a lattice that is fixed in the world: their centres lie at whole multiples of the edge, so that a
floor at height 0 runs through the middle of a layer of cells and not between two. A grid is the part of the lattice
that was needed so far. Every frame adds at most one to either count of a cell, so their order does not matter:

- a *hit*: a measured point lies in the cell;
- a *pass*: no point does, and the rays through the cell's centre and its neighbours end well behind it.

What a cell is follows from its counts as in an occupancy grid (Hornung et al., OctoMap, 2013): a hit is worth about
two passes. Its clamping is left out, as it would make the order matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.geometry.box import Box, Vec3, thickened, vec3
from recall4d.geometry.camera import Intrinsics, unproject_image
from recall4d.geometry.pose import Floats, inverse, transform

STATES = ("unseen", "free", "occupied")
"""Codes of a cell's state."""

UNSEEN, FREE, OCCUPIED = range(3)

FINEST_EDGE_M = 0.10
"""Edge of a cell, doubled until a space fits into `MAX_CELLS`."""

MAX_CELLS = 4_000_000
"""16 MB of counts: 40 m x 33 m x 3 m in the finest cells."""

MAX_RANGE_M = 15.0
"""A ray is followed this far along the optical axis: depth measured farther off is free space up to here."""

MIN_RANGE_M = 0.05
"""Nothing nearer to the camera is looked at."""

PASSES_A_HIT = 2
"""A cell is occupied while it has no more than so many passes for each hit."""

NOISE_PER_M = 0.01
"""How much nearer than measured, by distance, a surface may be."""

_MAX_COUNT = np.iinfo(np.uint16).max

Counts = NDArray[np.uint16]
Corner = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Sight:
    """The straight way between two points.

    Attributes:
        blocked_at_xyz: centre of the first occupied cell on the way, those of both ends left out; None for none.
        unseen_m: how much of the way, up to there, leads through cells that nobody ever saw.
    """

    blocked_at_xyz: Vec3 | None
    unseen_m: float

    @property
    def clear(self) -> bool:
        """Nothing known stands in the way."""
        return self.blocked_at_xyz is None


@dataclass(frozen=True, eq=False, slots=True)
class VoxelGrid:
    """A box of cells of the lattice; `integrate` adds to its counts, everything else leaves them alone.

    Attributes:
        edge_m: edge of a cell.
        corner: lattice coordinates of the first cell: cell (0, 0, 0) has its centre at `corner` times `edge_m`.
        hits, passes: (nx, ny, nz) uint16 counts of frames, which stay at the largest number they can hold.
    """

    edge_m: float
    corner: Corner
    hits: Counts
    passes: Counts

    @classmethod
    def covering(cls, reach: Box | None, edge_m: float | None = None) -> VoxelGrid:
        """Unseen cells that hold a box in the world; without one, no cell.

        Args:
            reach: what must lie inside.
            edge_m: of a cell; None takes `edge_for`.
        """
        edge_m = edge_for(reach) if edge_m is None else edge_m
        corner, shape = _cells_of(reach, edge_m)
        return cls(edge_m, corner, np.zeros(shape, np.uint16), np.zeros(shape, np.uint16))

    def grown(self, reach: Box) -> VoxelGrid:
        """The same counts in cells that hold `reach`, which must hold this grid."""
        larger = VoxelGrid.covering(reach, self.edge_m)
        if self.hits.size == 0:
            return larger
        starts = np.subtract(self.corner, larger.corner)
        inner = tuple(slice(start, start + n) for start, n in zip(starts, self.hits.shape, strict=True))
        larger.hits[inner], larger.passes[inner] = self.hits, self.passes
        return larger

    def integrate(self, depth_m: NDArray[np.float32], intrinsics: Intrinsics, world_from_camera: Floats) -> None:
        """Count what a depth image says of every cell it reaches. What lies outside the grid is left out.

        Args:
            depth_m: (h, w) z along the optical axis, NaN unknown.
            intrinsics: of the depth image.
            world_from_camera: (4, 4).
        """
        ends, stopped = _ends(depth_m, intrinsics, world_from_camera)
        cells = self._cells(np.vstack([ends, world_from_camera[:3, 3]]))
        low = np.clip([axis.min() for axis in cells.T], 0, self.hits.shape)
        high = np.clip([axis.max() + 1 for axis in cells.T], 0, self.hits.shape)
        block = tuple(slice(*each) for each in np.stack([low, high], axis=1).tolist())

        hit = np.zeros(high - low, dtype=bool)
        hit[_columns(_within(cells[:-1][stopped] - low, hit.shape))] = True
        passed = self._passed(low, high, depth_m, intrinsics, world_from_camera)
        passed[_columns(_within(cells[-1:] - low, hit.shape))] = True  # whoever looks stands in free space
        passed &= ~hit
        for counts, counted in ((self.hits[block], hit), (self.passes[block], passed)):
            counts += counted & (counts < _MAX_COUNT)

    def _passed(
        self,
        low: NDArray[np.intp],
        high: NDArray[np.intp],
        depth_m: NDArray[np.float32],
        intrinsics: Intrinsics,
        world_from_camera: Floats,
    ) -> NDArray[np.bool_]:
        """Which cells from `low` up to `high` (3,) have their centres well before the measured surface."""
        from scipy.ndimage import minimum_filter

        # A pixel's neighbours bound the surface between rays, where it is seen too flat for each cell to get one.
        nearest = minimum_filter(np.where(np.isfinite(depth_m), depth_m, np.inf), size=3, mode="nearest")
        before = np.where(np.isfinite(depth_m), np.minimum(nearest, MAX_RANGE_M), 0.0) / (1 + NOISE_PER_M)
        before -= self.edge_m / 2  # a cell of which more lies behind the surface than before it is not free

        # Pixel and depth of the centres are affine along each axis of the lattice: three sums instead of a product.
        camera_from_world = inverse(world_from_camera)
        rows = intrinsics.matrix @ camera_from_world[:3]
        xs, ys, zs = (
            ((corner + np.arange(first, last)) * self.edge_m)
            for corner, first, last in zip(self.corner, low, high, strict=True)
        )
        u_z, v_z, z = (
            (row[0] * xs).astype(np.float32)[:, None, None]
            + (row[1] * ys).astype(np.float32)[:, None]
            + (row[2] * zs + row[3]).astype(np.float32)
            for row in rows
        )
        ahead = (z > MIN_RANGE_M) & (z < before.max(initial=0.0))
        at = np.flatnonzero(ahead)
        z = z.ravel()[at]
        u, v = np.rint(u_z.ravel()[at] / z), np.rint(v_z.ravel()[at] / z)
        inside = (u >= 0) & (u < intrinsics.width) & (v >= 0) & (v < intrinsics.height)
        at, z, pixel = at[inside], z[inside], (v[inside] * intrinsics.width + u[inside]).astype(np.intp)
        passed = np.zeros(ahead.shape, dtype=bool)
        passed.ravel()[at] = z < before.ravel()[pixel]
        return passed

    def states(self) -> NDArray[np.uint8]:
        """(nx, ny, nz) codes into `STATES`."""
        return _states(self.hits, self.passes)

    def centres_xyz(self, cells: NDArray[np.intp]) -> Floats:
        """Centres (n, 3) of cells (n, 3), world frame."""
        return np.asarray((cells + np.array(self.corner)) * self.edge_m, dtype=np.float64)

    @property
    def extent(self) -> Box | None:
        """The box that the cells fill; None without cells."""
        if self.hits.size == 0:
            return None
        low = (np.array(self.corner) - 0.5) * self.edge_m
        return Box.from_arrays(low, low + np.array(self.hits.shape) * self.edge_m)

    def state_at(self, points_xyz: ArrayLike) -> NDArray[np.uint8]:
        """Codes (n,) into `STATES` of the cells that hold points (n, 3); unseen outside the grid."""
        return self._states_of(self._cells(np.asarray(points_xyz, dtype=np.float64).reshape(-1, 3)))

    def seen_share(self, box: Box) -> float:
        """Share of a box's volume, in [0, 1], in cells that are free or occupied."""
        low, high = (corner / self.edge_m + 0.5 - self.corner for corner in thickened(box.min_xyz, box.max_xyz))
        seen: Floats = (self.states() != UNSEEN).astype(np.float64)
        for axis_low, axis_high in zip(low, high, strict=True):
            first = np.arange(len(seen))
            covered = np.clip(np.minimum(first + 1, axis_high) - np.maximum(first, axis_low), 0.0, None)
            seen = np.tensordot(covered / (axis_high - axis_low), seen, axes=1)
        return float(np.clip(seen, 0.0, 1.0))

    def line_of_sight(self, start_xyz: ArrayLike, end_xyz: ArrayLike) -> Sight:
        """What lies on the straight way between two points (3,): every cell on it is looked at once, in order."""
        start, end = np.asarray(start_xyz, dtype=np.float64), np.asarray(end_xyz, dtype=np.float64)
        a, b = self._lattice(start), self._lattice(end)
        cuts = [np.array([0.0, 1.0])]
        for n, from_, to in zip(self.hits.shape, a, b, strict=True):
            faces = np.arange(max(0, np.ceil(min(from_, to))), min(n, np.floor(max(from_, to))) + 1)
            cuts.append((faces - from_) / (to - from_ or 1.0))
        shares = np.unique(np.clip(np.concatenate(cuts), 0.0, 1.0))
        lengths_m = np.diff(shares) * float(np.linalg.norm(end - start))
        cells = np.floor(a + ((shares[:-1] + shares[1:]) / 2)[:, None] * (b - a)).astype(np.intp)
        states = self._states_of(cells)
        ends = (cells == np.floor(a)).all(axis=1) | (cells == np.floor(b)).all(axis=1)
        blocks = np.flatnonzero((states == OCCUPIED) & ~ends)
        until = blocks[0] if len(blocks) else len(cells)
        return Sight(
            blocked_at_xyz=vec3(self.centres_xyz(cells[until])) if len(blocks) else None,
            unseen_m=float(lengths_m[:until][states[:until] == UNSEEN].sum()),
        )

    def floor_height_m(self) -> float | None:
        """Height of the lowest large surface that one can stand on, to the edge of a cell; None if none was seen.

        Large is at least half as large as the largest, so that it is the lower one of two storeys.
        """
        states = self.states()
        standing = (states[:, :, :-1] == OCCUPIED) & (states[:, :, 1:] == FREE)
        areas = standing.sum(axis=(0, 1))
        if not areas.any():
            return None
        return float((self.corner[2] + np.argmax(areas >= areas.max() / 2)) * self.edge_m)

    def _lattice(self, points_xyz: Floats) -> Floats:
        """Points (..., 3) in edges from the first cell's low corner."""
        return points_xyz / self.edge_m + 0.5 - self.corner

    def _cells(self, points_xyz: Floats) -> NDArray[np.intp]:
        """Cells (..., 3) that hold points (..., 3), counted from the first; they may lie outside the grid."""
        return np.floor(self._lattice(points_xyz)).astype(np.intp)

    def _states_of(self, cells: NDArray[np.intp]) -> NDArray[np.uint8]:
        """Codes (n,) of cells (n, 3)."""
        states = np.full(len(cells), UNSEEN, dtype=np.uint8)
        inside = _is_within(cells, self.hits.shape)
        at = _columns(cells[inside])
        states[inside] = _states(self.hits[at], self.passes[at])
        return states


def edge_for(reach: Box | None) -> float:
    """The finest edge with which a box takes no more than `MAX_CELLS`."""
    edge_m = FINEST_EDGE_M
    while np.prod(np.array(_cells_of(reach, edge_m)[1], dtype=np.float64)) > MAX_CELLS:
        edge_m *= 2
    return edge_m


def reach_of(depth_m: NDArray[np.float32], intrinsics: Intrinsics, world_from_camera: Floats) -> Box:
    """The box in the world of all that `VoxelGrid.integrate` counts for a depth image: its points and its eye."""
    ends, _ = _ends(depth_m, intrinsics, world_from_camera)
    return Box.spanning(np.vstack([ends, world_from_camera[:3, 3]]))


def _ends(
    depth_m: NDArray[np.float32], intrinsics: Intrinsics, world_from_camera: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Where measured rays end (n, 3) in the world, and which of them (n,) something stopped within range."""
    known = np.isfinite(depth_m) & (depth_m > MIN_RANGE_M)
    points = unproject_image(np.minimum(depth_m, np.float32(MAX_RANGE_M)), intrinsics)[known]
    return transform(world_from_camera, points), depth_m[known] < MAX_RANGE_M


def _cells_of(reach: Box | None, edge_m: float) -> tuple[Corner, Corner]:
    """Lattice coordinates of the first cell of those that hold a box, and how many there are along each axis."""
    if reach is None:
        return (0, 0, 0), (0, 0, 0)
    low, high = (np.floor(np.array(each) / edge_m + 0.5) for each in (reach.min_xyz, reach.max_xyz))
    (x, y, z), (nx, ny, nz) = low.astype(int).tolist(), (high - low + 1).astype(int).tolist()
    return (x, y, z), (nx, ny, nz)


def _states(hits: Counts, passes: Counts) -> NDArray[np.uint8]:
    occupied = (hits > 0) & (hits >= passes / PASSES_A_HIT)
    return np.where(occupied, OCCUPIED, np.where((hits > 0) | (passes > 0), FREE, UNSEEN)).astype(np.uint8)


def _is_within(cells: NDArray[np.intp], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    inside = np.ones(len(cells), dtype=bool)
    for axis, n in zip(cells.T, shape, strict=True):  # `all` over a short last axis is several times slower
        inside &= (axis >= 0) & (axis < n)
    return inside


def _within(cells: NDArray[np.intp], shape: tuple[int, ...]) -> NDArray[np.intp]:
    return cells[_is_within(cells, shape)]


def _columns(cells: NDArray[np.intp]) -> tuple[NDArray[np.intp], ...]:
    """Cells (n, 3) as an index into an array of three axes."""
    return tuple(cells.T)
