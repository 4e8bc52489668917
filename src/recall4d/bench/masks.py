"""How well a segmenter's masks agree with annotated ones, image by image, and its entries with things, by place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from recall4d.bench.truth import MIN_PIXELS
from recall4d.geometry.box import Box, intersection_over_union
from recall4d.perception.segmenters.masks import shared_px
from recall4d.records import Detection, Mask

LEAST_IOU = 0.5
"""A mask is found when one that overlaps it so much, over both together, was given for it."""

LEAST_BOX_IOU = 0.2
"""Boxes of things seen from some sides only agree less; two things side by side not at all."""


@dataclass(slots=True)
class MaskTally:
    """Masks found in images so far.

    Attributes:
        n_true: annotated masks with at least `MIN_PIXELS` pixels.
        n_given: masks of that size that the segmenter gave.
        overlaps: intersection over union of each annotated mask that was found.
    """

    n_true: int = 0
    n_given: int = 0
    overlaps: list[float] = field(default_factory=list)

    def add(self, given: Iterable[Detection], true: Iterable[Detection]) -> None:
        """Count one image; surfaces and specks are left out on both sides, and a mask is matched once at most."""
        ours, theirs = (
            [each.mask for each in masks if each.kind == "thing" and each.mask.area_px >= MIN_PIXELS]
            for masks in (given, true)
        )
        self.n_given += len(ours)
        self.n_true += len(theirs)
        overlap = np.array([[_iou(a, b) for b in theirs] for a in ours]).reshape(len(ours), len(theirs))
        self.overlaps += matched(overlap, LEAST_IOU)

    @property
    def recall(self) -> float:
        """Share of the annotated masks that were found."""
        return len(self.overlaps) / max(self.n_true, 1)

    @property
    def precision(self) -> float:
        """Share of the masks given that are of something annotated."""
        return len(self.overlaps) / max(self.n_given, 1)

    @property
    def mean_iou(self) -> float:
        """How well the found ones agree; NaN where none was found."""
        return float(np.mean(self.overlaps)) if self.overlaps else float("nan")


def things_found(things: Sequence[Box], entries: Sequence[Box]) -> int:
    """How many boxes of things have a box of an entry for themselves, whatever either is called."""
    overlap = np.array([[intersection_over_union(a, b) for b in things] for a in entries]).reshape(
        len(entries), len(things)
    )
    return len(matched(overlap, LEAST_BOX_IOU))


def matched(overlap: NDArray[np.float64], least: float) -> list[float]:
    """The overlaps (n, m) of the pairs that match: one to one, as much in sum as can be, `least` or more."""
    overlap = np.where(overlap >= least, overlap, 0.0)
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    return [float(each) for each in overlap[rows, columns] if each > 0]


def _iou(a: Mask, b: Mask) -> float:
    shared = shared_px(a, b)
    return shared / (a.area_px + b.area_px - shared)
