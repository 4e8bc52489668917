"""Masks and measured points to things with a place: detections become geometry in the world.

As in the R4 paper, points are projected into the image with intrinsics and extrinsics, and a mask takes the points
that fall into it: centroid(P[m]) and extent(P[m]). Registered depth, depth of another camera or resolution, and
point clouds all go the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import FrameError
from recall4d.geometry.box import hull, trimmed
from recall4d.geometry.camera import Intrinsics, unproject
from recall4d.geometry.depth import main_depths, register_depth, scatter_depth
from recall4d.geometry.pose import transform
from recall4d.records import DepthImage, Detection, Frame, Mask, PointCloud

MIN_IMAGE_SHARE = 1 / 3072
"""A mask with less of the image (100 pixels of 640x480) says that something is there, but not what or where."""

MIN_POINTS = 12
"""Fewer measured points do not make a thing."""

MAX_POINTS = 1500
"""A larger mask is thinned to about so many points; its box moves by less than the sensor's noise."""

TRIM_SHARE = 0.015
"""Share of the points cut from each end of each axis, against flying pixels that the depth gap test left."""

MIN_ERODED_PX = 150
"""Masks larger than this lose their outermost ring of pixels, where depth mixes with the background."""

MIN_COVERAGE = 0.5
"""A mask with less than this share of its pixels measured counts as truncated."""

RING_PX = 3
OCCLUDED_SHARE = 0.12
"""A thing counts as occluded when this share of the ring around its mask is clearly nearer than it."""


@dataclass(frozen=True, eq=False, slots=True)
class MeasuredDepth:
    """Whatever measured the frame, as depth of the colour camera.

    Attributes:
        z_m: (h, w) float32 of the colour image's size, NaN where nothing was measured.
        density: measured pixels per colour pixel where measurement is dense, in (0, 1].
    """

    z_m: NDArray[np.float32]
    density: float


@dataclass(frozen=True, eq=False, slots=True)
class Lifted:
    """Where a detection is.

    Attributes:
        detection: what was lifted.
        surface_centroid_xyz: (3,) mean of the seen points, world frame.
        hull_xyz: (26, 3) world frame, see `geometry.box.hull`.
        n_points: measured points behind it.
        distance_m: from the camera to the surface centroid.
        occluded: something in front hides a part of it.
        truncated: it reaches the edge of the image or of the measured depth.
    """

    detection: Detection
    surface_centroid_xyz: NDArray[np.float64]
    hull_xyz: NDArray[np.float64]
    n_points: int
    distance_m: float
    occluded: bool
    truncated: bool


def measured_depth(frame: Frame, max_skew_ns: int) -> MeasuredDepth:
    """The frame's depth or point cloud, projected into its colour image; the nearest point of a pixel wins.

    Raises:
        FrameError: neither depth nor cloud, nothing measured, or measured too far from the image in time.
    """
    source = frame.depth if frame.depth is not None else frame.cloud
    if source is None:
        raise FrameError("no depth")
    if abs(source.stamp_skew_ns) > max_skew_ns:
        raise FrameError("depth too far from the image in time", f"{source.stamp_skew_ns / 1e6:.1f} ms")
    measured = (
        _from_cloud(source, frame.intrinsics) if isinstance(source, PointCloud) else _from_depth(source, frame)
    )
    if not np.isfinite(measured.z_m).any():
        raise FrameError("depth is blank")
    return measured


def lift(
    frame: Frame, detections: Sequence[Detection], measured: MeasuredDepth
) -> tuple[list[Lifted], Counter[str]]:
    """Give detections a place in the world.

    Args:
        frame: with a pose.
        detections: masks of the colour image's size.
        measured: from `measured_depth`.

    Returns:
        The lifted detections in the order given, and how many were left out, by reason.
    """
    assert frame.world_from_camera is not None, "a frame without a pose has no place in the world"
    lifted = []
    dropped: Counter[str] = Counter()
    for detection in detections:
        if detection.mask.area_px < MIN_IMAGE_SHARE * measured.z_m.size:
            dropped["too small in the image"] += 1
            continue
        pixels_uv, z_m, n_points = _mask_pixels(detection.mask, measured.z_m)
        if n_points < MIN_POINTS:
            dropped["too few measured points"] += 1
            continue
        main = main_depths(z_m)
        points = unproject(pixels_uv[main], z_m[main], frame.intrinsics)
        world = transform(frame.world_from_camera, points)
        world = world[trimmed(world, TRIM_SHARE)]
        if len(world) < MIN_POINTS // 2:
            dropped["too few measured points"] += 1
            continue
        centroid = world.mean(axis=0)
        near = len(points) // 10
        near_z_m = float(np.partition(points[:, 2], near)[near])
        lifted.append(
            Lifted(
                detection=detection,
                surface_centroid_xyz=centroid,
                hull_xyz=hull(world),
                n_points=n_points,
                distance_m=float(np.linalg.norm(centroid - frame.world_from_camera[:3, 3])),
                occluded=_is_occluded(detection.mask, measured.z_m, near_z_m),
                truncated=_touches_border(detection.mask, measured.z_m.shape)
                or n_points < MIN_COVERAGE * measured.density * detection.mask.area_px,
            )
        )
    return lifted, dropped


def _from_depth(depth: DepthImage, frame: Frame) -> MeasuredDepth:
    colour = frame.intrinsics
    if depth.intrinsics == colour and np.array_equal(depth.colour_from_depth, np.eye(4)):
        return MeasuredDepth(depth.z_m, 1.0)
    # A depth pixel covers (f_colour / f_depth)^2 colour pixels, wherever the two cameras stand.
    density = min(1.0, (depth.intrinsics.fx * depth.intrinsics.fy) / (colour.fx * colour.fy))
    return MeasuredDepth(register_depth(depth.z_m, depth.intrinsics, colour, depth.colour_from_depth), density)


def _from_cloud(cloud: PointCloud, colour: Intrinsics) -> MeasuredDepth:
    points = np.asarray(cloud.points_xyz, dtype=np.float64)
    points = transform(cloud.camera_from_sensor, points[np.isfinite(points).all(axis=1)])
    z_m = scatter_depth(points, colour)
    n_known = int(np.count_nonzero(np.isfinite(z_m)))
    return MeasuredDepth(z_m, max(n_known, 1) / z_m.size)


def _mask_pixels(mask: Mask, z_m: NDArray[np.float32]) -> tuple[NDArray[np.intp], NDArray[np.float32], int]:
    """Measured pixels (n, 2) u, v under a mask, their depth (n,), and how many there were before thinning.

    The outermost ring of pixels is left out where the mask can spare it.
    """
    top, left, bottom, right = mask.rectangle
    z = z_m[top:bottom, left:right]
    known = np.isfinite(z)
    chosen = np.flatnonzero(known & (_eroded(mask.patch) if mask.area_px > MIN_ERODED_PX else mask.patch))
    if len(chosen) < MIN_POINTS:
        chosen = np.flatnonzero(known & mask.patch)
    n_points = len(chosen)
    rows, columns = np.unravel_index(chosen[:: n_points // MAX_POINTS + 1], z.shape)
    return np.stack([columns + left, rows + top], axis=1), z[rows, columns], n_points


def _eroded(patch: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The patch without pixels that touch a pixel outside it."""
    eroded = np.zeros_like(patch)
    eroded[1:-1, 1:-1] = patch[1:-1, 1:-1] & patch[:-2, 1:-1] & patch[2:, 1:-1] & patch[1:-1, :-2] & patch[1:-1, 2:]
    return eroded


def _is_occluded(mask: Mask, depth: NDArray[np.float32], near_z_m: float) -> bool:
    """Whether much of what borders on the mask is clearly nearer than the thing itself."""
    height, width = depth.shape
    ring = _ring(mask.patch)
    y, x = mask.top - RING_PX, mask.left - RING_PX
    inside = ring[max(0, -y) : height - y, max(0, -x) : width - x]
    around = depth[max(0, y) : y + ring.shape[0], max(0, x) : x + ring.shape[1]][inside]
    with np.errstate(invalid="ignore"):
        n_nearer = np.count_nonzero(around < near_z_m - (0.05 + 0.03 * near_z_m))
    return bool(n_nearer > OCCLUDED_SHARE * len(around))


def _ring(patch: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The pixels within `RING_PX` of the patch, straight up, down and sideways; (h + 2 ring, w + 2 ring)."""
    r, (h, w) = RING_PX, patch.shape
    ring = np.zeros((h + 2 * r, w + 2 * r), dtype=bool)
    for top, left in ((0, r), (2 * r, r), (r, 0), (r, 2 * r)):
        ring[top : top + h, left : left + w] |= patch
    ring[r : r + h, r : r + w] &= ~patch
    return ring


def _touches_border(mask: Mask, shape: tuple[int, ...]) -> bool:
    top, left, bottom, right = mask.rectangle
    return top <= 1 or left <= 1 or bottom >= shape[0] - 1 or right >= shape[1] - 1
