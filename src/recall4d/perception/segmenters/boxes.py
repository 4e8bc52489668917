"""From boxes to masks: what a detector draws around a thing takes in what is behind it, a mask must not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import FrameError
from recall4d.perception.lift import measured_depth
from recall4d.perception.segmenters.masks import mask_at
from recall4d.records import Frame, Mask

DEPTH_SHARE = 0.6
LEAST_DEPTH_M, MOST_DEPTH_M = 0.05, 1.0
"""A thing reaches this share of the shorter side of its box to the front and to the back, within limits."""

MAX_SKEW_NS = 50_000_000
"""Depth taken longer before or after the image does not cut it."""


class BoxCutter(Protocol):
    """Makes masks of boxes, such as `Sam2Images`."""

    def in_boxes(self, rgb: NDArray[np.uint8], boxes_xyxy: NDArray[np.floating]) -> Iterator[Mask | None]:
        """The mask of the thing in each box (n, 4), left top right bottom in pixels; None where there is none."""
        ...


def masks_of_boxes(frame: Frame, boxes_xyxy: NDArray[np.floating], cutter: BoxCutter | None) -> list[Mask | None]:
    """The mask of the thing in each box (n, 4), left top right bottom in pixels.

    Cut by `cutter`; without one by depth, see `cut_by_depth`; without depth the whole box.
    """
    if len(boxes_xyxy) == 0:
        return []
    if cutter is not None:
        return list(cutter.in_boxes(frame.rgb, boxes_xyxy))
    try:
        z_m = measured_depth(frame, MAX_SKEW_NS).z_m
    except FrameError:
        z_m = np.full(frame.rgb.shape[:2], np.nan, dtype=np.float32)
    return [cut_by_depth(box, z_m, frame.intrinsics.fx) for box in boxes_xyxy]


def cut_by_depth(box_xyxy: NDArray[np.floating], z_m: NDArray[np.float32], fx: float) -> Mask | None:
    """The pixels of a box (4,) about as far away as its middle; all of them where the middle was not measured.

    Args:
        box_xyxy: left, top, right, bottom, pixels.
        z_m: (h, w) depth of the colour image, NaN unknown.
        fx: focal length, pixels.
    """
    height, width = z_m.shape
    left, top, right, bottom = np.rint(np.clip(box_xyxy, 0, [width, height, width, height])).astype(int).tolist()
    if left >= right or top >= bottom:
        return None
    inside = z_m[top:bottom, left:right]
    h, w = inside.shape
    middle = inside[h // 4 : h - h // 4, w // 4 : w - w // 4]
    middle = middle[np.isfinite(middle)]
    if len(middle) == 0:
        return mask_at(top, left, np.ones((h, w), dtype=bool))
    centre_m = float(np.median(middle))
    reach_m = float(np.clip(DEPTH_SHARE * min(h, w) * centre_m / fx, LEAST_DEPTH_M, MOST_DEPTH_M))
    with np.errstate(invalid="ignore"):
        return mask_at(top, left, np.abs(inside - centre_m) < reach_m)
