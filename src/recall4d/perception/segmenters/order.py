"""One order for the detections of a frame, whatever order they were found in."""

from __future__ import annotations

from collections.abc import Iterable

from recall4d.records import Detection, Mask

MIN_AREA_PX = 20
"""Masks below this are dropped: a thing needs a dozen measured points to have a place, and about a third of a small
mask's pixels come without depth. In red_kitchen the smallest thing counted as seen has 100."""


def in_reading_order(detections: Iterable[Detection]) -> list[Detection]:
    """Detections sorted by their first pixel as one reads a page, then by area.

    No two masks of one id image share a pixel, so for them the order depends on the image alone, never on ids.
    """
    return sorted(detections, key=lambda detection: _reading_key(detection.mask))


def _reading_key(mask: Mask) -> tuple[int, int, int]:
    return mask.top, mask.left + int(mask.patch[0].argmax()), mask.area_px
