"""Regions of the floor plan and paths through it, as what boxes are measured against.

A region is a polygon on the floor plan, from a lower to an upper height; a box is in it when its centre is. A path
is where somebody went, in plan.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.errors import GeometryError
from recall4d.geometry.relations import Boxes

Floats = NDArray[np.float64]

MIN_AREA_M2 = 1e-6

PATH_STEP_M = 0.1
"""Points of a path are at least this far apart; what lies along it is known to half of that."""

_CHUNK = 8192


@dataclass(frozen=True, eq=False, slots=True)
class Region:
    """A polygon on the floor plan with a height.

    Attributes:
        corners_xy: (n, 2) in order, either way round, world frame, metres; an edge that crosses another encloses by
            the even-odd rule.
        low_z, high_z: metres; infinite where the region has no floor or no ceiling.
    """

    corners_xy: Floats
    low_z: float = -np.inf
    high_z: float = np.inf

    @classmethod
    def of(cls, corners_xy: ArrayLike, z: tuple[float, float] | None = None) -> Region:
        """A region by its corners.

        Raises:
            GeometryError: fewer than three corners, a corner that is not finite, or no area.
        """
        corners = np.asarray(corners_xy, dtype=np.float64)
        if corners.ndim != 2 or corners.shape[0] < 3 or corners.shape[1] != 2 or not np.isfinite(corners).all():
            raise GeometryError(f"a region needs at least three corners x,y, got an array of shape {corners.shape}")
        x, y = (corners - corners[0]).T
        area = abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2
        if area < MIN_AREA_M2:
            raise GeometryError("a region needs an area: its corners lie on one line")
        return cls(corners, *((-np.inf, np.inf) if z is None else z))

    @classmethod
    def of_box(cls, min_xyz: ArrayLike, max_xyz: ArrayLike) -> Region:
        """The inside of an axis-aligned box, which may be flat."""
        (x, y, z), (x2, y2, z2) = np.asarray(min_xyz, dtype=np.float64), np.asarray(max_xyz, dtype=np.float64)
        return cls(np.array([[x, y], [x2, y], [x2, y2], [x, y2]]), float(z), float(z2))

    @property
    def bounds(self) -> Boxes:
        """The box around it; where it has no floor or ceiling, flat at height 0 or at the end that it has."""
        ends = [end for end in (self.low_z, self.high_z) if np.isfinite(end)] or [0.0]
        low, high = self.corners_xy.min(axis=0), self.corners_xy.max(axis=0)
        return Boxes(np.append(low, ends[0]), np.append(high, ends[-1]))

    def distance_m(self, points_xyz: Floats) -> Floats:
        """(...) distances of points (..., 3) from the region; 0 inside and on its edge."""
        points = np.asarray(points_xyz, dtype=np.float64)
        aside, z = self.aside_m(points[..., :2]), points[..., 2]
        off = np.maximum(np.maximum(self.low_z - z, z - self.high_z), 0.0)
        return np.asarray(np.sqrt(aside * aside + off * off))

    def aside_m(self, points_xy: Floats) -> Floats:
        """(...) the same of points (..., 2) in plan, whatever their height."""
        inside = _encloses(self.corners_xy, points_xy)
        return np.asarray(np.where(inside, 0.0, _to_edges(self.corners_xy, points_xy)))

    def contains(self, points_xyz: Floats) -> NDArray[np.bool_]:
        """(...) whether points (..., 3) are inside or on the edge."""
        return np.asarray(self.distance_m(points_xyz) <= 1e-9)


@dataclass(frozen=True, eq=False, slots=True)
class Path:
    """Where somebody went.

    Attributes:
        points_xy: (n, 2) in order of time, at least `PATH_STEP_M` apart, world frame, metres.
    """

    points_xy: Floats

    @classmethod
    def of(cls, positions_xyz: Floats) -> Path:
        """The path over positions (n, 3), thinned out."""
        kept = [positions_xyz[0, :2]]
        for position in positions_xyz[1:, :2]:
            if np.hypot(*(position - kept[-1])) >= PATH_STEP_M:
                kept.append(position)
        return cls(np.array(kept))

    @property
    def bounds(self) -> Boxes:
        """The box around it, flat at height 0."""
        return Boxes(np.append(self.points_xy.min(axis=0), 0.0), np.append(self.points_xy.max(axis=0), 0.0))

    def distance_m(self, boxes: Boxes) -> Floats:
        """(...) horizontal distances between boxes (..., 3) and the nearest point of the path."""
        low, high = boxes.low[..., :2].reshape(-1, 2), boxes.high[..., :2].reshape(-1, 2)
        nearest = np.empty(len(low))
        for at in range(0, len(low), _CHUNK):
            rows = slice(at, at + _CHUNK)
            off = np.maximum(low[rows, None] - self.points_xy, self.points_xy - high[rows, None])
            nearest[rows] = np.square(np.maximum(off, 0.0)).sum(axis=-1).min(axis=-1)
        return np.asarray(np.sqrt(nearest).reshape(boxes.low.shape[:-1]))


def _encloses(corners: Floats, points: Floats) -> NDArray[np.bool_]:
    """Whether a ray from each point (..., 2) towards +x crosses an odd number of edges."""
    inside = np.zeros(points.shape[:-1], dtype=bool)
    x, y = points[..., 0], points[..., 1]
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y1 != y2:
            crosses = ((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
            inside ^= crosses
    return inside


def _to_edges(corners: Floats, points: Floats) -> Floats:
    """Distance of each point (..., 2) from the nearest edge."""
    nearest = np.full(points.shape[:-1], np.inf)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        edge = end - start
        along = np.clip(((points - start) @ edge) / max(float(edge @ edge), 1e-18), 0.0, 1.0)
        off = points - (start + along[..., None] * edge)
        nearest = np.minimum(nearest, np.sqrt(np.square(off).sum(axis=-1)))
    return nearest
