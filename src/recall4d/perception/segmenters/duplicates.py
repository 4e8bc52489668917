"""Several detections of one thing become one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from recall4d.perception.segmenters.masks import shared_px
from recall4d.records import Detection

SAME_MASK_IOU = 0.7
"""Two masks that share more are one thing, whatever it was called: a "tv" is also a "laptop"."""

PART_SHARE = 0.6
"""A mask with more of itself inside another of its class is a part of it, like the back rest of a chair, or the
same thing in a box that slipped. In red_kitchen yolov8n-seg reports 55 of 155 things twice without this, none with.
"""


def without_duplicates(detections: Iterable[Detection]) -> list[Detection]:
    """Detections with duplicates, parts and groups of the same class removed, best first.

    In order of score: a mask equal to a kept one goes; one inside a kept one of its class is a part, and goes; one
    around a single kept one of its class is the whole, and takes its place with its score; one around several is a
    group of them, and goes.
    """
    kept: list[Detection] = []
    for detection in sorted(detections, key=lambda each: -each.score):
        parts: list[int] = []
        for index, other in enumerate(kept):
            shared = shared_px(detection.mask, other.mask)
            areas = detection.mask.area_px, other.mask.area_px
            alike = detection.category == other.category
            if shared > SAME_MASK_IOU * (sum(areas) - shared) or (alike and shared > PART_SHARE * areas[0]):
                break
            if alike and shared > PART_SHARE * areas[1]:
                parts.append(index)
        else:
            if not parts:
                kept.append(detection)
            elif len(parts) == 1:
                kept[parts[0]] = replace(detection, score=kept[parts[0]].score)
    return kept
