"""What a depth image says of a place: is something there, is it hidden, or does one see through it?

Every frame is also evidence about what it does not show. Rays are cast through sample points of a box. Where the
measured depth ends before the box, something hides it; how far it goes on through the box says whether something
is there to stop it. A mug stops rays early; gone from its table, it lets them through to the table, where its box
ends. A bowl stops them late: what is usual for a thing is measured while it is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.camera import Intrinsics, project
from recall4d.geometry.depth import PACKED_WIDTH_PX
from recall4d.geometry.pose import Floats, inverse, transform

SAMPLES = np.stack(np.meshgrid(*[np.linspace(0.15, 0.85, 4)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
"""(64, 3) points of a unit box through which rays are cast; its rim is left out, where masks and boxes bleed."""

MIN_ACROSS_PX = 3.0
"""A place whose edges, on average, cover fewer pixels of the depth image is too far to say anything about."""

MIN_IN_IMAGE = 0.8
"""A look at a box needs this share of its samples inside the image."""

MIN_KNOWN = 0.5
"""And this share of those measured."""

MIN_AHEAD_M = 0.1
"""A place whose centre is nearer than this, along the optical axis, is not looked at."""

MIN_RAY_GAP_M, RAY_GAP_PER_M = 0.03, 0.015
"""Something is in front of a box when it is nearer than its near side by more than this, growing with distance."""


@dataclass(frozen=True, eq=False, slots=True)
class Looks:
    """One frame's look at n places.

    Attributes:
        clear: (n,) bool: the place is in view and measured well enough to say anything.
        free: (n,) mean share of the way through the box that its rays went, in [0, 1]; NaN where not clear.
        hidden: (n,) share of its rays that ended before the box; NaN where not clear.
    """

    clear: NDArray[np.bool_]
    free: NDArray[np.float64]
    hidden: NDArray[np.float64]


def look(
    min_xyz: NDArray[np.float64],
    max_xyz: NDArray[np.float64],
    depth_m: NDArray[np.float32],
    intrinsics: Intrinsics,
    world_from_camera: NDArray[np.float64],
) -> Looks:
    """Look at boxes.

    Args:
        min_xyz, max_xyz: (n, 3) world frame, metres.
        depth_m: (h, w) z along the optical axis, NaN unknown.
        intrinsics: of the depth image.
        world_from_camera: (4, 4).
    """
    n = len(min_xyz)
    clear, free, hidden = np.zeros(n, dtype=bool), np.full(n, np.nan), np.full(n, np.nan)
    near = _ahead(min_xyz, max_xyz, intrinsics, world_from_camera)
    low, high = min_xyz[near], max_xyz[near]
    if len(low) == 0:
        return Looks(clear, free, hidden)
    points = low[:, None] + SAMPLES * (high - low)[:, None]
    points_camera = transform(inverse(world_from_camera), points)
    pixels, z = project(points_camera, intrinsics)
    columns, rows = np.rint(pixels[..., 0]), np.rint(pixels[..., 1])
    inside = (z > 0.05) & (columns >= 0) & (columns < intrinsics.width) & (rows >= 0) & (rows < intrinsics.height)
    measured = np.full(inside.shape, np.nan)
    measured[inside] = depth_m[rows[inside].astype(np.intp), columns[inside].astype(np.intp)]
    known = np.isfinite(measured)

    enter, leave = _ray_through(low, high, points, world_from_camera[:3, 3])
    gap = MIN_RAY_GAP_M + RAY_GAP_PER_M * z
    with np.errstate(invalid="ignore"):
        ratio = measured / z  # along the ray, with the sample point at 1
        before = ratio < enter - gap / np.maximum(z, 0.05)
        way_through = np.clip((ratio - enter) / (leave - enter), 0.0, 1.0)
    n_known = known.sum(axis=1)
    enough = (inside.mean(axis=1) >= MIN_IN_IMAGE) & (n_known >= MIN_KNOWN * inside.sum(axis=1))
    clear[near] = enough
    free[near] = np.where(enough, np.where(known, way_through, 0.0).sum(axis=1) / np.maximum(n_known, 1), np.nan)
    hidden[near] = np.where(enough, (before & known).sum(axis=1) / np.maximum(n_known, 1), np.nan)
    return Looks(clear, free, hidden)


def _ahead(
    min_xyz: NDArray[np.float64],
    max_xyz: NDArray[np.float64],
    intrinsics: Intrinsics,
    world_from_camera: NDArray[np.float64],
) -> NDArray[np.intp]:
    """Rows of the boxes whose centre projects into the image, large enough: the others are not looked at."""
    centres = transform(inverse(world_from_camera), (min_xyz + max_xyz) / 2)
    pixels, z = project(centres, intrinsics)
    with np.errstate(invalid="ignore"):
        across_px = intrinsics.fx * np.mean(max_xyz - min_xyz, axis=1) / z
        ahead = (
            (z > MIN_AHEAD_M)
            & (across_px >= MIN_ACROSS_PX)
            & (pixels[:, 0] >= 0)
            & (pixels[:, 0] < intrinsics.width)
        )
        ahead &= (pixels[:, 1] >= 0) & (pixels[:, 1] < intrinsics.height)
    return np.flatnonzero(ahead)


def in_image(points_xyz: Floats, intrinsics: Intrinsics, poses: Floats) -> NDArray[np.bool_]:
    """(n, m): which of m points n cameras of one kind have before them and inside their image.

    An image and its small copy have their centres of pixels, and so their rims, a little apart; a rim of one pixel
    of the small copy is let in.

    Args:
        points_xyz: (m, 3) world frame.
        intrinsics: of any resolution.
        poses: (n, 4, 4) `world_from_camera`.
    """
    ways = points_xyz[None] - poses[:, None, :3, 3]
    points_camera = np.einsum("nmj,nji->nmi", ways, poses[:, :3, :3])
    pixels, z = project(points_camera, intrinsics)
    rim = intrinsics.width / PACKED_WIDTH_PX
    with np.errstate(invalid="ignore"):
        inside = (pixels >= -rim).all(axis=-1) & (pixels[..., 0] < intrinsics.width + rim)
        return np.asarray((z > MIN_AHEAD_M) & inside & (pixels[..., 1] < intrinsics.height + rim))


def _ray_through(
    min_xyz: NDArray[np.float64],
    max_xyz: NDArray[np.float64],
    points: NDArray[np.float64],
    eye_xyz: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where rays from `eye_xyz` to points (n, m, 3) inside boxes (n, 3) enter and leave them: eye 0, point 1."""
    way = points - eye_xyz
    way = np.where(np.abs(way) < 1e-12, 1e-12, way)
    to_low, to_high = (min_xyz[:, None] - eye_xyz) / way, (max_xyz[:, None] - eye_xyz) / way
    enter = np.minimum(to_low, to_high).max(axis=-1)
    leave = np.maximum(to_low, to_high).min(axis=-1)
    return np.maximum(enter, 0.0), leave
