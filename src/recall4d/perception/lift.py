"""Masks and measured points to things with a place: detections become geometry in the world.

As in the R4 paper, points are projected into the image with intrinsics and extrinsics, and a mask takes the points
that fall into it: centroid(P[m]) and extent(P[m]). Registered depth, depth of another camera or resolution, and
point clouds all go the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import FrameError
from recall4d.geometry.box import hull, trimmed
from recall4d.geometry.camera import inside_image, project, unproject_image
from recall4d.geometry.depth import main_depths
from recall4d.geometry.pose import transform
from recall4d.records import Detection, Frame, Mask

MIN_POINTS = 12
"""Fewer measured points do not make a thing."""

MAX_POINTS = 3000
"""A larger mask is thinned to about so many points; its box moves by less than the sensor's noise."""

TRIM_SHARE = 0.01
"""Share of the points cut from each end of each axis, against flying pixels that the depth gap test left."""

MIN_ERODED_PX = 150
"""Masks larger than this lose their outermost ring of pixels, where depth mixes with the background."""

MIN_COVERAGE = 0.5
"""A mask with less than this share of its pixels measured counts as truncated."""

RING_PX = 3
OCCLUDED_SHARE = 0.12
"""A thing counts as occluded when this share of the ring around its mask is clearly nearer than it."""


@dataclass(frozen=True, eq=False, slots=True)
class PointImage:
    """Measured points laid over the colour image.

    Attributes:
        points_camera: (n, 3) float32, colour camera frame, metres.
        index: (h, w) int32, the point seen at each pixel of the colour image, -1 for none; the nearest wins.
        density: measured pixels per colour pixel where measurement is dense, in (0, 1].
    """

    points_camera: NDArray[np.float32]
    index: NDArray[np.int32]
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


def point_image(frame: Frame, max_skew_ns: int) -> PointImage:
    """The frame's depth or point cloud, laid over its colour image.

    Raises:
        FrameError: neither depth nor cloud, nothing measured, or measured too far from the image in time.
    """
    measured = frame.depth if frame.depth is not None else frame.cloud
    if measured is None:
        raise FrameError("no depth")
    if abs(measured.stamp_skew_ns) > max_skew_ns:
        raise FrameError("depth too far from the image in time", f"{measured.stamp_skew_ns / 1e6:.1f} ms")
    height, width = frame.intrinsics.height, frame.intrinsics.width
    if frame.depth is not None and _is_registered(frame):
        points: NDArray[np.float32] = unproject_image(frame.depth.z_m, frame.depth.intrinsics).reshape(-1, 3)
        index = np.arange(height * width, dtype=np.int32)
        index[np.isnan(points[:, 2])] = -1
        image = PointImage(points, index.reshape(height, width), 1.0)
    else:
        image = _scattered(*_points_of_colour_camera(frame), frame)
    if not (image.index >= 0).any():
        raise FrameError("depth is blank")
    return image


def lift(frame: Frame, detections: Sequence[Detection], measured: PointImage) -> tuple[list[Lifted], int]:
    """Give detections a place in the world.

    Args:
        frame: with a pose.
        detections: masks of the colour image's size.
        measured: from `point_image`.

    Returns:
        The lifted detections in the order given, and how many were left out for want of measured points.
    """
    assert frame.world_from_camera is not None, "a frame without a pose has no place in the world"
    depth = np.where(measured.index >= 0, measured.points_camera[measured.index, 2], np.nan)
    lifted = []
    for detection in detections:
        mask = detection.mask
        points = _mask_points(mask, measured)
        if len(points) < MIN_POINTS:
            continue
        n_points = len(points)
        points = points[:: max(1, n_points // MAX_POINTS)]
        points = points[main_depths(points[:, 2])]
        world = transform(frame.world_from_camera, points.astype(np.float64))
        world = world[trimmed(world, TRIM_SHARE)]
        if len(world) < MIN_POINTS // 2:
            continue
        centroid = world.mean(axis=0)
        near_z = np.quantile(points[:, 2], 0.1)
        lifted.append(
            Lifted(
                detection=detection,
                surface_centroid_xyz=centroid,
                hull_xyz=hull(world),
                n_points=n_points,
                distance_m=float(np.linalg.norm(centroid - frame.world_from_camera[:3, 3])),
                occluded=_is_occluded(mask, depth, float(near_z)),
                truncated=_touches_border(mask, depth.shape)
                or n_points < MIN_COVERAGE * measured.density * mask.area_px,
            )
        )
    return lifted, len(detections) - len(lifted)


def _is_registered(frame: Frame) -> bool:
    depth = frame.depth
    return (
        depth is not None
        and depth.intrinsics == frame.intrinsics
        and np.array_equal(depth.colour_from_depth, np.eye(4))
    )


def _points_of_colour_camera(frame: Frame) -> tuple[NDArray[np.float64], float]:
    """Measured points (n, 3) in the colour camera frame, and how many there are per colour pixel at most."""
    colour = frame.intrinsics
    if frame.depth is not None:
        measured = unproject_image(frame.depth.z_m, frame.depth.intrinsics).reshape(-1, 3)
        # A depth pixel covers (f_colour / f_depth)^2 colour pixels, wherever the two cameras stand.
        density = min(1.0, (frame.depth.intrinsics.fx * frame.depth.intrinsics.fy) / (colour.fx * colour.fy))
        return transform(frame.depth.colour_from_depth, measured[np.isfinite(measured[:, 2])]), density
    assert frame.cloud is not None
    cloud = np.asarray(frame.cloud.points_xyz, dtype=np.float64)
    points = transform(frame.cloud.camera_from_sensor, cloud[np.isfinite(cloud).all(axis=1)])
    seen = inside_image(project(points, colour)[0], colour).sum()
    return points, min(1.0, float(seen) / (colour.width * colour.height))


def _scattered(points_camera: NDArray[np.float64], density: float, frame: Frame) -> PointImage:
    pixels, z = project(points_camera, frame.intrinsics)
    seen = inside_image(pixels, frame.intrinsics)
    points, pixels, z = points_camera[seen], pixels[seen], z[seen]
    far_first = np.argsort(-z, kind="stable")
    columns, rows = np.rint(pixels[far_first]).astype(np.intp).T
    index = np.full((frame.intrinsics.height, frame.intrinsics.width), -1, dtype=np.int32)
    index[rows, columns] = far_first
    return PointImage(points.astype(np.float32), index, density)


def _mask_points(mask: Mask, measured: PointImage) -> NDArray[np.float32]:
    """The measured points (n, 3) under a mask, its outermost ring of pixels left out where it can spare it."""
    top, left, bottom, right = mask.rectangle
    index = measured.index[top:bottom, left:right]
    if mask.area_px > MIN_ERODED_PX:
        inner = index[_eroded(mask.patch)]
        inner = inner[inner >= 0]
        if len(inner) >= MIN_POINTS:
            return measured.points_camera[inner]
    chosen = index[mask.patch]
    return measured.points_camera[chosen[chosen >= 0]]


def _eroded(patch: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The patch without pixels that touch a pixel outside it."""
    framed = np.pad(patch, 1)
    return framed[1:-1, 1:-1] & framed[:-2, 1:-1] & framed[2:, 1:-1] & framed[1:-1, :-2] & framed[1:-1, 2:]


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
