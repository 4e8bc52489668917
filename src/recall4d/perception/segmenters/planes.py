"""Surface normals and large planes of a depth image.

Inverse depth is linear across the image of a plane, `1/z = a u + b v + c` with u = x/z and v = y/z, and a stereo or
structured-light sensor's noise is uniform in it. So normals are least-squares fits of inverse depth over a window,
which box filters give for all pixels at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from recall4d.geometry.camera import Intrinsics, unproject_image

Floats = NDArray[np.float32]

WINDOW_PX = 5
"""Side of the window that a normal is fitted in."""

MIN_FACING = 0.15
"""Cosine between a surface's normal and the line of sight below which its points are too stretched to trust."""

MIN_PLANE_M2 = 0.25
"""Smaller planes are faces of things, not what things stand on or hang from."""

MIN_ALIKE = 0.7
"""Cosine between a plane's normal and a pixel's below which the pixel is not of the plane."""

HYPOTHESIS_ALIKE = 0.9
"""The same while planes are sought: a plane cut through the points of others must not win by its size."""

MAX_PLANES = 10
N_HYPOTHESES = 250
SAMPLE_STRIDE_PX = 5


@dataclass(frozen=True, eq=False, slots=True)
class Relief:
    """A depth image with what follows from it pixel by pixel. Camera frame, metres; NaN where unknown.

    Attributes:
        points: (h, w, 3).
        normals: (h, w, 3) unit vectors towards the camera; meaningless where not `smooth`.
        smooth: (h, w) where a normal could be fitted.
        areas_m2: (h, w) surface that each pixel covers; 0 where not smooth.
        footprints_m: (h, w) width of what a pixel sees, face on.
        noise_m: (h, w) standard deviation of the depth, as measured from the fits.
    """

    points: Floats
    normals: Floats
    smooth: NDArray[np.bool_]
    areas_m2: Floats
    footprints_m: Floats
    noise_m: Floats

    @classmethod
    def of(cls, z_m: Floats, intrinsics: Intrinsics) -> Relief:
        """From a (h, w) depth image."""
        points = unproject_image(z_m, intrinsics)
        normals, misfit, smooth = _fit(z_m, intrinsics)
        facing = -np.einsum("ijk,ijk->ij", normals, points) / np.linalg.norm(points, axis=2)
        smooth &= facing > MIN_FACING
        footprints = z_m / np.float32(np.sqrt(intrinsics.fx * intrinsics.fy))
        areas = np.where(smooth, footprints**2 / np.maximum(facing, np.float32(MIN_FACING)), 0)
        noise = z_m**2 * np.float32(np.median(misfit[smooth]) if smooth.any() else 0.0)
        return cls(points, normals, smooth, areas.astype(np.float32), footprints, noise)


@dataclass(frozen=True, eq=False, slots=True)
class Plane:
    """Points with `normal . point = offset_m`; the normal (3,) faces the camera, so the offset is negative."""

    normal: Floats
    offset_m: np.float32

    def distances_m(self, points: Floats) -> Floats:
        """Signed distances (...) of points (..., 3), positive on the camera's side."""
        return np.asarray(points @ self.normal - self.offset_m)


def find_planes(relief: Relief, tolerance_m: Floats) -> list[Plane]:
    """Planes that cover at least `MIN_PLANE_M2`, largest first.

    Greedy RANSAC without chance: hypotheses are the tangent planes of pixels on a regular grid, the best is fitted
    to its inliers, and these are taken away before the next.

    Args:
        relief: the depth image.
        tolerance_m: (h, w) how far from a plane a point may lie.
    """
    grid = np.s_[SAMPLE_STRIDE_PX // 2 :: SAMPLE_STRIDE_PX, SAMPLE_STRIDE_PX // 2 :: SAMPLE_STRIDE_PX]
    smooth = relief.smooth[grid]
    points, normals = relief.points[grid][smooth], relief.normals[grid][smooth]
    tolerance = tolerance_m[grid][smooth]
    free_m2 = relief.areas_m2[grid][smooth] * SAMPLE_STRIDE_PX**2
    fits = _hypotheses(points, normals, tolerance)
    planes: list[Plane] = []
    while len(fits) and len(planes) < MAX_PLANES:
        support_m2 = np.einsum("ij,j->i", fits, free_m2)
        best = int(support_m2.argmax())
        if support_m2[best] < MIN_PLANE_M2:
            break
        inliers = (fits[best] > 0) & (free_m2 > 0)
        plane = _through(points[inliers])
        for _ in range(2):
            near = (np.abs(plane.distances_m(points)) < tolerance) & (normals @ plane.normal > MIN_ALIKE)
            inliers = near & (free_m2 > 0)
            if free_m2[inliers].sum() < MIN_PLANE_M2:
                break
            plane = _through(points[inliers])
        else:
            planes.append(plane)
            free_m2[inliers] = 0
        free_m2[fits[best] > 0] = 0
    return planes


def nearest_plane(relief: Relief, planes: Sequence[Plane], tolerance_m: Floats) -> NDArray[np.int8]:
    """(h, w) number of the plane that each pixel belongs to, -1 for none.

    A pixel belongs to the nearest plane within `tolerance_m` (h, w), unless its normal says it faces elsewhere.
    """
    numbers = np.full(tolerance_m.shape, -1, dtype=np.int8)
    least_m = tolerance_m.copy()
    for number, plane in enumerate(planes):
        distances_m = np.abs(plane.distances_m(relief.points))
        faces_alike = ~relief.smooth | (relief.normals @ plane.normal > MIN_ALIKE)
        nearer = faces_alike & (distances_m < least_m)
        numbers[nearer] = number
        least_m[nearer] = distances_m[nearer]
    return numbers


def _hypotheses(points: Floats, normals: Floats, tolerance_m: Floats) -> Floats:
    """(k, n) 1 where one of n points lies on one of k tangent planes and faces as it does, else 0."""
    chosen = np.arange(0, len(points), max(1, len(points) // N_HYPOTHESES))
    # einsum, because a threaded matrix product waits for cores that other work holds
    offsets = np.einsum("ik,ik->i", normals[chosen], points[chosen])
    distances_m = np.abs(np.einsum("ik,jk->ij", normals[chosen], points) - offsets[:, None])
    facing = np.einsum("ik,jk->ij", normals[chosen], normals)
    return np.asarray((distances_m < tolerance_m) & (facing > HYPOTHESIS_ALIKE), dtype=np.float32)


def _through(points: Floats) -> Plane:
    """The least-squares plane of points (n, 3)."""
    centre = points.mean(axis=0)
    spread = points - centre
    normal = np.linalg.eigh(spread.T @ spread)[1][:, 0]
    normal = normal * -np.sign(normal @ centre)
    return Plane(normal, normal @ centre)


def _fit(z_m: Floats, intrinsics: Intrinsics) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Normals (h, w, 3), the spread of inverse depth about the fit (h, w), and where there is a fit."""
    known = np.isfinite(z_m)
    weight = known.astype(np.float32)
    d = np.divide(1, z_m, out=np.zeros_like(z_m), where=known)
    u = ((np.arange(z_m.shape[1]) - intrinsics.cx) / intrinsics.fx).astype(np.float32)[None, :]
    v = ((np.arange(z_m.shape[0]) - intrinsics.cy) / intrinsics.fy).astype(np.float32)[:, None]

    def mean(values: Floats) -> Floats:
        return np.asarray(ndimage.uniform_filter(values, WINDOW_PX, mode="constant"))

    share = mean(weight)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_u, mean_v, mean_d = mean(weight * u) / share, mean(weight * v) / share, mean(d) / share
        uu = mean(weight * u * u) / share - mean_u**2
        vv = mean(weight * v * v) / share - mean_v**2
        uv = mean(weight * u * v) / share - mean_u * mean_v
        ud = mean(d * u) / share - mean_u * mean_d
        vd = mean(d * v) / share - mean_v * mean_d
        dd = mean(d * d) / share - mean_d**2
        determinant = uu * vv - uv**2
        a, b = (ud * vv - vd * uv) / determinant, (vd * uu - ud * uv) / determinant
        normals = -np.stack([a, b, mean_d - a * mean_u - b * mean_v], axis=2)  # a x + b y + c z = 1
        normals /= np.linalg.norm(normals, axis=2, keepdims=True)
        misfit = np.sqrt(np.maximum(dd - a * ud - b * vd, 0))
    fitted = known & (share > 0.6) & np.isfinite(normals[..., 0])
    return normals, misfit, fitted
