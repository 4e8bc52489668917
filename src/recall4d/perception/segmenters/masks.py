"""What segmenters share: masks from patches, their overlap, and one order for the detections of a frame."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from recall4d.records import Detection, Mask

MIN_AREA_PX = 20
"""Masks below this are dropped: a thing needs a dozen measured points to have a place, and about a third of a small
mask's pixels come without depth. In red_kitchen the smallest thing counted as seen has 100."""


def mask_at(top: int, left: int, patch: NDArray[np.bool_]) -> Mask | None:
    """The mask of a (h, w) patch whose first pixel lies at (top, left), cropped; None below `MIN_AREA_PX`."""
    mask = Mask.from_image(patch)
    if mask is None or mask.area_px < MIN_AREA_PX:
        return None
    return Mask(top + mask.top, left + mask.left, mask.patch)


def shared_px(a: Mask, b: Mask) -> int:
    """How many pixels two masks share."""
    (top_a, left_a, bottom_a, right_a), (top_b, left_b, bottom_b, right_b) = a.rectangle, b.rectangle
    top, left, bottom, right = (
        max(top_a, top_b),
        max(left_a, left_b),
        min(bottom_a, bottom_b),
        min(right_a, right_b),
    )
    if top >= bottom or left >= right:
        return 0
    part_a = a.patch[top - a.top : bottom - a.top, left - a.left : right - a.left]
    part_b = b.patch[top - b.top : bottom - b.top, left - b.left : right - b.left]
    return int(np.count_nonzero(part_a & part_b))


def in_reading_order(detections: Iterable[Detection]) -> list[Detection]:
    """Detections sorted by their first pixel as one reads a page, then by area.

    No two masks of one id image share a pixel, so for them the order depends on the image alone, never on ids.
    """
    return sorted(detections, key=lambda detection: _reading_key(detection.mask))


def _reading_key(mask: Mask) -> tuple[int, int, int]:
    return mask.top, mask.left + int(mask.patch[0].argmax()), mask.area_px
