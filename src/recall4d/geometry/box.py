"""Axis-aligned boxes and the points that span them.

A thing seen once is kept as a *hull*: the few points that reach farthest in `HULL_DIRECTIONS`. Its box can then be
taken again in any world frame, after a loop closure or in another agent's map, without the images.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.errors import GeometryError

Vec3 = tuple[float, float, float]

MIN_THICKNESS_M = 0.005
"""No box is thinner: a sheet of paper, one point or a wall seen face-on still has a volume to compare."""


def _half_sphere_directions() -> NDArray[np.float64]:
    """The 13 directions to faces, edges and corners of a cube, one of each opposite pair, axes first."""
    every = [d for d in itertools.product((-1, 0, 1), repeat=3) if d > (0, 0, 0)]
    every.sort(key=lambda d: (sum(map(abs, d)), [-x for x in d]))
    directions = np.array(every, dtype=np.float64)
    return np.asarray(directions / np.linalg.norm(directions, axis=1, keepdims=True))


HULL_DIRECTIONS = _half_sphere_directions()
"""(13, 3) unit vectors; a hull holds the farthest point along each and against each: 26 points."""


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-aligned box in a named frame (the world unless said otherwise), metres."""

    min_xyz: Vec3
    max_xyz: Vec3

    def __post_init__(self) -> None:
        if not np.isfinite((self.min_xyz, self.max_xyz)).all():
            raise GeometryError(f"expected a finite box, got {self.min_xyz}..{self.max_xyz}")
        if not np.less_equal(self.min_xyz, self.max_xyz).all():
            raise GeometryError(f"expected min <= max in a box, got {self.min_xyz}..{self.max_xyz}")

    @classmethod
    def from_arrays(cls, min_xyz: ArrayLike, max_xyz: ArrayLike) -> Box:
        """From two (3,) arrays."""
        return cls(vec3(min_xyz), vec3(max_xyz))

    @classmethod
    def spanning(cls, points_xyz: ArrayLike) -> Box:
        """The box of points (n, 3), at least `MIN_THICKNESS_M` thick.

        Raises:
            GeometryError: no points, or points that are not finite.
        """
        points = np.asarray(points_xyz, dtype=np.float64).reshape(-1, 3)
        if len(points) == 0:
            raise GeometryError("a box needs at least one point")
        return cls.from_arrays(*thickened(points.min(axis=0), points.max(axis=0)))

    @property
    def centroid_xyz(self) -> Vec3:
        """The centre of the box."""
        (x0, y0, z0), (x1, y1, z1) = self.min_xyz, self.max_xyz
        return (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2

    @property
    def extent_xyz(self) -> Vec3:
        """Edge lengths, metres."""
        (x0, y0, z0), (x1, y1, z1) = self.min_xyz, self.max_xyz
        return x1 - x0, y1 - y0, z1 - z0

    @property
    def diagonal_m(self) -> float:
        """Length of the space diagonal."""
        return float(np.linalg.norm(self.extent_xyz))

    @property
    def volume_m3(self) -> float:
        """Volume, cubic metres."""
        return float(np.prod(self.extent_xyz))


def vec3(values: ArrayLike) -> Vec3:
    """Three plain floats."""
    x, y, z = np.asarray(values, dtype=np.float64).tolist()
    return (x, y, z)


def thickened(min_xyz: ArrayLike, max_xyz: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The corners (..., 3) of boxes moved apart, about the same centre, to at least `MIN_THICKNESS_M`."""
    low, high = np.asarray(min_xyz, dtype=np.float64), np.asarray(max_xyz, dtype=np.float64)
    missing = np.maximum(MIN_THICKNESS_M - (high - low), 0.0) / 2
    return low - missing, high + missing


def trimmed(points_xyz: NDArray[np.floating], share: float = 0.01) -> NDArray[np.bool_]:
    """Which of the points (n, 3) lie inside the `share`..1 - `share` quantiles of every axis.

    Mask bleed, flying pixels and noise sit in the tails; a box of the rest does not move with them.
    """
    n = len(points_xyz)
    k = int(n * share)
    if k == 0:
        return np.ones(n, dtype=bool)
    by_axis = np.ascontiguousarray(points_xyz.T)
    ordered = np.partition(by_axis, (k, n - 1 - k), axis=1)
    inside = (by_axis >= ordered[:, k, None]) & (by_axis <= ordered[:, n - 1 - k, None])
    return np.asarray(inside[0] & inside[1] & inside[2])


def hull(points_xyz: NDArray[np.floating]) -> NDArray[np.float64]:
    """The (26, 3) points that reach farthest along and against `HULL_DIRECTIONS`.

    Points may repeat. The box of the hull equals the box of the points in the frame they are given in, and is
    at most a few per cent of the extent smaller in a rotated one.

    Raises:
        GeometryError: no points, or points that are not finite.
    """
    points = np.asarray(points_xyz, dtype=np.float64)
    if len(points) == 0 or not np.isfinite(points).all():
        raise GeometryError(f"a hull needs finite points, got {len(points)}")
    reach = HULL_DIRECTIONS @ points.T
    return np.asarray(points[np.concatenate([reach.argmax(axis=1), reach.argmin(axis=1)])])


def gaps_m(
    min_a: NDArray[np.floating],
    max_a: NDArray[np.floating],
    min_b: NDArray[np.floating],
    max_b: NDArray[np.floating],
) -> NDArray[np.float64]:
    """Distance between boxes (..., 3), broadcast: 0 where they touch or overlap."""
    squared: NDArray[np.float64] | float = 0.0
    for axis in range(3):  # sums over a short last axis are several times slower than this
        apart = np.maximum(min_a[..., axis] - max_b[..., axis], min_b[..., axis] - max_a[..., axis])
        squared = squared + np.square(np.maximum(apart, 0.0))
    return np.sqrt(squared)


def overlaps_m3(
    min_a: NDArray[np.floating],
    max_a: NDArray[np.floating],
    min_b: NDArray[np.floating],
    max_b: NDArray[np.floating],
) -> NDArray[np.float64]:
    """Volume shared by boxes (..., 3), broadcast."""
    volume: NDArray[np.float64] | float = 1.0
    for axis in range(3):
        shared = np.minimum(max_a[..., axis], max_b[..., axis]) - np.maximum(min_a[..., axis], min_b[..., axis])
        volume = volume * np.maximum(shared, 0.0)
    return np.asarray(volume)


def crosses(start_xyz: NDArray[np.floating], end_xyz: NDArray[np.floating], box: Box) -> bool:
    """Whether the straight way between two points (3,) goes through a box."""
    way = np.asarray(end_xyz, dtype=np.float64) - start_xyz
    way = np.where(np.abs(way) < 1e-12, 1e-12, way)
    to_low, to_high = (box.min_xyz - start_xyz) / way, (box.max_xyz - start_xyz) / way
    enter, leave = np.minimum(to_low, to_high).max(), np.maximum(to_low, to_high).min()
    return bool(enter <= leave and leave >= 0 and enter <= 1)


def intersection_over_union(a: Box, b: Box) -> float:
    """Shared volume over joint volume, in [0, 1]."""
    corners = [np.asarray(c) for c in (a.min_xyz, a.max_xyz, b.min_xyz, b.max_xyz)]
    shared = float(overlaps_m3(*corners))
    return shared / (a.volume_m3 + b.volume_m3 - shared)
