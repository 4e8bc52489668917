"""`geometric`: things told apart by their shape alone, without a model.

Large planes are found first: floors, walls and table tops, from which everything else stands out. The rest falls
apart where depth jumps and where surfaces meet in a concave crease, as a cup does with what it stands on (the
criterion of Stein et al., Object Partitioning using Local Convexity, CVPR 2014). What lies flat on a plane, such as
a sheet of paper, is not seen, and a thing gets no name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from recall4d.errors import UsageError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.depth import register_depth
from recall4d.perception.segmenters.masks import in_reading_order, mask_at
from recall4d.perception.segmenters.pieces import Labels, keep_solid, split
from recall4d.perception.segmenters.planes import Floats, Plane, Relief, find_planes, nearest_plane
from recall4d.records import Detection, Frame, Kind, Mask

WORK_WIDTH_PX = 320
"""Depth is thinned to about this width: its noise hides what more pixels would show, and time grows with them."""

STAND_OFF_M = 0.005
STAND_OFF_NOISES = 2.5
"""What is nearer to a plane than the first, plus so many standard deviations of the depth, belongs to it."""

BEYOND_M = 0.1
MAX_BEYOND_SHARE = 0.02
"""A plane with more than this share of all points farther out than `BEYOND_M` does not bound the room."""

MIN_FLOOR_BELOW_CAMERA_M = 0.9
"""A table seen from close by bounds what is seen as a floor does, but is not so far below the camera."""

MIN_WALL_M2 = 0.8
MIN_CEILING_M2 = 0.4
HORIZONTAL, VERTICAL = 0.95, 0.15
"""Cosine between a plane's normal and up: a level one has more (within 18°), an upright one less (within 9°)."""

SCORE = 0.4
"""In red_kitchen about this share of the masks covers an annotated thing (IoU of at least one half)."""

LEVEL_CAMERA_UP = np.array([0.0, -1.0, 0.0])


@dataclass(frozen=True, slots=True)
class GeometricSegmenter:
    """Segments depth images; it needs no colour. Things have no category."""

    name: str = "geometric"

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """Things and surfaces of one frame; none where there is no depth.

        Raises:
            UsageError: the frame has a point cloud instead of depth.
        """
        if frame.depth is None and frame.cloud is not None:
            raise UsageError(
                "the segmenter 'geometric' needs depth images, and the recording has point clouds: "
                "use --segmenter yolo-seg:MODEL or --segmenter stored"
            )
        if frame.depth is None or not np.isfinite(frame.depth.z_m).any():
            return []
        z_m, camera = _working_depth(frame)
        relief = Relief.of(z_m, camera)
        tolerance_m = np.float32(STAND_OFF_M) + np.float32(STAND_OFF_NOISES) * relief.noise_m
        planes = find_planes(relief, tolerance_m)
        plane_of_pixel = nearest_plane(relief, planes, tolerance_m)
        labels, plane_of_label = keep_solid(relief, *split(relief, plane_of_pixel))
        up = LEVEL_CAMERA_UP if frame.world_from_camera is None else frame.world_from_camera[2, :3]
        kinds = [_kind(plane, relief, plane_of_pixel == number, up) for number, plane in enumerate(planes)]
        return in_reading_order(
            Detection(
                mask, score=SCORE, kind=kinds[plane_of_label[label]] if plane_of_label[label] >= 0 else "thing"
            )
            for label, mask in _masks(labels, *_grid_over_colour(camera, frame.intrinsics))
        )


def create(argument: str | None) -> GeometricSegmenter:
    """The entry point `geometric`.

    Raises:
        UsageError: an argument was given.
    """
    if argument is not None:
        raise UsageError(f"the segmenter 'geometric' takes no argument, got {argument!r}")
    return GeometricSegmenter()


def _working_depth(frame: Frame) -> tuple[Floats, Intrinsics]:
    """Thinned depth (h, w) as the colour camera sees it, and the intrinsics of that image."""
    depth = frame.depth
    assert depth is not None
    if not np.allclose(depth.colour_from_depth, np.eye(4), atol=1e-6):
        # each depth pixel lands somewhere: at two thirds of their number nearly every pixel is hit
        width = min(WORK_WIDTH_PX, 2 * depth.intrinsics.width // 3)
        camera = frame.intrinsics.scaled_to(width, round(width * frame.intrinsics.height / frame.intrinsics.width))
        return register_depth(depth.z_m, depth.intrinsics, camera, depth.colour_from_depth), camera
    step = max(1, round(depth.intrinsics.width / WORK_WIDTH_PX))
    z_m = depth.z_m[step // 2 :: step, step // 2 :: step]
    fine = depth.intrinsics
    cx, cy = (fine.cx - step // 2) / step, (fine.cy - step // 2) / step
    return z_m, Intrinsics(z_m.shape[1], z_m.shape[0], fine.fx / step, fine.fy / step, cx, cy)


def _kind(plane: Plane, relief: Relief, part: NDArray[np.bool_], up_camera: NDArray[np.float64]) -> Kind:
    """Whether a plane bounds the room: level or upright, large, and with nothing beyond it."""
    known = relief.points[np.isfinite(relief.points[..., 2])]
    beyond_share = float((plane.distances_m(known) < -BEYOND_M).mean())
    upwards, area_m2 = float(plane.normal @ up_camera), float(relief.areas_m2[part].sum())
    floor = upwards > HORIZONTAL and -plane.offset_m >= MIN_FLOOR_BELOW_CAMERA_M
    ceiling = upwards < -HORIZONTAL and area_m2 >= MIN_CEILING_M2
    wall = abs(upwards) < VERTICAL and area_m2 >= MIN_WALL_M2
    return "surface" if (floor or ceiling or wall) and beyond_share <= MAX_BEYOND_SHARE else "thing"


def _grid_over_colour(camera: Intrinsics, colour: Intrinsics) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each row and column of the colour image, the row and column of the working image that sees the same."""
    rows = np.rint((np.arange(colour.height) - colour.cy) / colour.fy * camera.fy + camera.cy)
    columns = np.rint((np.arange(colour.width) - colour.cx) / colour.fx * camera.fx + camera.cx)
    return rows.astype(np.intp), columns.astype(np.intp)


def _masks(labels: Labels, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Iterator[tuple[int, Mask]]:
    """Each label with its mask in the colour image.

    Holes are filled: depth is missing there, or a thing in front has its own mask.
    """
    for label, rectangle in enumerate(ndimage.find_objects(labels), start=1):
        if rectangle is None:
            continue
        top, bottom = np.searchsorted(rows, (rectangle[0].start, rectangle[0].stop))
        left, right = np.searchsorted(columns, (rectangle[1].start, rectangle[1].stop))
        filled = ndimage.binary_fill_holes(labels[rectangle] == label)
        place = np.ix_(rows[top:bottom] - rectangle[0].start, columns[left:right] - rectangle[1].start)
        mask = mask_at(int(top), int(left), filled[place])
        if mask is not None:
            yield label, mask
