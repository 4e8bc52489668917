"""Depth images: z along the optical axis in metres, float32, NaN where unknown."""

from __future__ import annotations

import zlib
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.camera import Intrinsics, inside_image, project, unproject_image
from recall4d.geometry.pose import Floats, transform


def depth_from_raw(
    raw: NDArray[np.integer | np.floating], metres_per_unit: float, invalid: Collection[int] = (0,)
) -> NDArray[np.float32]:
    """Metric depth of a stored (h, w) image.

    Args:
        raw: stored values, integers or floats.
        metres_per_unit: 0.001 for millimetres, 1/5000 for TUM, 1/6553.5 for Replica.
        invalid: stored values that mean "unknown". Not finite and non-positive values are unknown always.
    """
    depth = raw.astype(np.float32) * np.float32(metres_per_unit)
    unknown = ~np.isfinite(depth) | (depth <= 0)
    for value in invalid:
        unknown |= raw == value
    depth[unknown] = np.nan
    return depth


def scatter_depth(points_camera: NDArray[np.floating], intrinsics: Intrinsics) -> NDArray[np.float32]:
    """The (h, w) depth image of points (n, 3) in the camera frame: each pixel keeps its nearest point."""
    pixels, z = project(points_camera, intrinsics)
    seen = inside_image(pixels, intrinsics)
    columns, rows = np.rint(pixels[seen]).astype(np.intp).T
    depth = np.full((intrinsics.height, intrinsics.width), np.inf, dtype=np.float32)
    np.minimum.at(depth, (rows, columns), z[seen].astype(np.float32))
    depth[np.isinf(depth)] = np.nan
    return depth


def register_depth(
    depth_m: NDArray[np.float32],
    depth_intrinsics: Intrinsics,
    colour_intrinsics: Intrinsics,
    colour_from_depth: Floats,
) -> NDArray[np.float32]:
    """Depth of another camera as the colour camera would see it, (h, w) of the colour image.

    Every depth pixel is lifted, moved and projected; where several land on one pixel the nearest wins. No hole
    is filled, so a colour image larger than the depth image gets a sparse result.
    """
    points = unproject_image(depth_m, depth_intrinsics).reshape(-1, 3)
    points = points[np.isfinite(points[:, 2])]
    return scatter_depth(transform(colour_from_depth, points), colour_intrinsics)


def main_depths(depth_m: NDArray[np.floating], bin_m: float = 0.05, min_share: float = 0.25) -> NDArray[np.bool_]:
    """Which of the depths (n,) belong to the thing, and which bled in from before or behind it.

    A mask drawn a few pixels too wide catches the background; a hole in it catches the foreground. Both are
    separated from the thing by a gap along the ray. Depths are binned, runs of occupied bins are connected
    regions, and regions with less than `min_share` of the depths are bleed.

    Args:
        depth_m: finite depths, metres.
        bin_m: two depths closer than this are never separated. Grows with distance as sensor noise does.
        min_share: smallest share of the depths that counts as part of the thing.
    """
    if len(depth_m) < 8:
        return np.ones(len(depth_m), dtype=bool)
    low, high = float(depth_m.min()), float(depth_m.max())
    width = max(bin_m, 0.015 * low)
    if high - low <= width:
        return np.ones(len(depth_m), dtype=bool)
    bins = ((depth_m - low) / width).astype(np.intp)
    counts = np.bincount(bins)
    occupied = counts > 0.002 * len(depth_m)
    region = np.cumsum(np.diff(occupied.astype(np.int8), prepend=0) == 1) * occupied
    share = np.bincount(region, weights=counts) / len(depth_m)
    share[0] = 0.0
    kept = share >= min(min_share, float(share.max()))
    return np.asarray(kept[region[bins]])


PACKED_WIDTH_PX = 160
"""Packed depth is thinned to about this width: enough to see through the place of a mug at four metres."""


def pack_depth(depth_m: NDArray[np.float32]) -> bytes:
    """A small lossy copy of a (h, w) depth image: every nth pixel, in millimetres up to 65 m, deflated."""
    step = max(1, round(depth_m.shape[1] / PACKED_WIDTH_PX))
    thin = depth_m[step // 2 :: step, step // 2 :: step]
    with np.errstate(invalid="ignore"):
        millimetres = np.where(np.isfinite(thin), np.clip(np.rint(thin * 1000), 1, 65535), 0).astype("<u2")
    return np.array(millimetres.shape, dtype="<u2").tobytes() + zlib.compress(millimetres.tobytes(), level=1)


def unpack_depth(packed: bytes) -> NDArray[np.float32]:
    """The (h', w') depth written by `pack_depth`, metres, NaN unknown.

    Its camera is the original's `Intrinsics.scaled_to(w', h')`, to within half a pixel of the copy.
    """
    height, width = np.frombuffer(packed, dtype="<u2", count=2)
    millimetres = np.frombuffer(zlib.decompress(packed[4:]), dtype="<u2").reshape(int(height), int(width))
    return np.where(millimetres > 0, millimetres * np.float32(0.001), np.float32(np.nan))
