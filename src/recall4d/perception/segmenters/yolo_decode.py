"""The outputs of a YOLO-seg network, read into boxes, classes and mask coefficients.

Two arrays come out: predictions, one column an anchor, and prototypes, k images of a quarter of the input's size.
An instance's mask is where the sum of the prototypes, weighted by its k coefficients, is positive (Bolya et al.,
YOLACT, arXiv 1904.02689). Exports differ in layout and units; everything that differs is settled here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import InputError

Floats = NDArray[np.float32]

PROTOTYPE_STRIDE = 4
"""Pixels of the input image per pixel of a prototype."""

MIN_CLASS_IOU = 0.7
"""Boxes of one class that overlap by more are one instance; the exporter's own default."""

MAX_CANDIDATES = 300
"""At most so many boxes, the best ones, survive suppression; a frame of a room has far fewer things."""


@dataclass(frozen=True, eq=False, slots=True)
class Candidates:
    """Instances of one image, best first, in pixels of the network's input.

    Attributes:
        boxes_xyxy: (n, 4) left, top, right, bottom; pixel edges, so that 0 is the outer edge of the first pixel.
        scores: (n,) in [0, 1].
        classes: (n,) class numbers.
        n_classes: how many classes the network tells apart.
        mask_logits: (n, h, w) on the prototypes' grid, positive inside.
    """

    boxes_xyxy: Floats
    scores: Floats
    classes: NDArray[np.intp]
    n_classes: int | None
    mask_logits: Floats


def decode(
    outputs: Sequence[Floats],
    input_wh: tuple[int, int],
    channels_first: bool,
    n_classes: int | None,
    end_to_end: bool,
    min_score: float,
) -> Candidates:
    """Read the two outputs of a YOLO-seg export.

    Args:
        outputs: predictions, (1, c, n) or (1, n, c), and prototypes, (1, k, h, w) or (1, h, w, k), in any order.
        input_wh: size of the network's input, pixels.
        channels_first: which layout to assume for prototypes whose shape would fit both.
        n_classes: where the model says it.
        end_to_end: predictions are left, top, right, bottom, score, class, coefficients (YOLO26). Otherwise they
            are centre, size, a score for each class, coefficients; in YOLOv5 the objectness precedes the scores.
        min_score: lower ones are left out.

    Raises:
        InputError: the outputs are not those of a YOLO-seg export.
    """
    predictions, prototypes = _checked(outputs, input_wh, channels_first)
    k = len(prototypes)
    n_between = 2 if end_to_end else n_classes
    rows = _anchors_first(predictions, None if n_between is None else 4 + n_between + k)
    boxes, between, coefficients = rows[:, :4], rows[:, 4:-k], rows[:, -k:]
    if end_to_end:
        scores, classes = between[:, 0], between[:, 1].astype(np.intp)
    else:
        if between.shape[1] == (n_classes or 80) + 1:
            between = between[:, :1] * between[:, 1:]
        n_classes = between.shape[1]
        classes = between.argmax(axis=1)
        scores = between[np.arange(len(between)), classes]
        boxes = np.hstack([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2])
    if boxes.max(initial=0.0) <= 2.0:  # shares of the input's size; in pixels, boxes reach across the image
        boxes = boxes * np.array([*input_wh, *input_wh], dtype=np.float32)
    good = np.flatnonzero(scores >= min_score)
    kept = good[_suppressed(boxes[good], scores[good], classes[good])]
    logits = np.tensordot(coefficients[kept], prototypes, axes=1)
    return Candidates(boxes[kept], scores[kept], classes[kept], n_classes, logits)


def _checked(outputs: Sequence[Floats], input_wh: tuple[int, int], channels_first: bool) -> tuple[Floats, Floats]:
    """Predictions (c, n) or (n, c), and prototypes (k, h, w)."""
    shapes = ", ".join(str(output.shape) for output in outputs)
    predictions = [output[0] for output in outputs if output.ndim == 3]
    prototypes = [output[0] for output in outputs if output.ndim == 4]
    grid = (input_wh[1] // PROTOTYPE_STRIDE, input_wh[0] // PROTOTYPE_STRIDE)
    if len(outputs) == 2 and len(predictions) == len(prototypes) == 1:
        fits_first, fits_last = prototypes[0].shape[1:] == grid, prototypes[0].shape[:2] == grid
        if fits_last and not (fits_first and channels_first):
            prototypes = [prototypes[0].transpose(2, 0, 1)]
        if (fits_first or fits_last) and min(predictions[0].shape) > 4 + len(prototypes[0]):
            return predictions[0], prototypes[0]
    raise InputError(
        f"no YOLO-seg export: expected two outputs, predictions (1, 4 + classes + k, n) and prototypes "
        f"(1, k, {grid[0]}, {grid[1]}), got {shapes}"
    )


def _anchors_first(predictions: Floats, n_columns: int | None) -> Floats:
    """Predictions as (n, columns): by the number of columns where it is known, else there are more anchors."""
    first, last = predictions.shape
    columns_first = first < last if n_columns is None or last == first else first in (n_columns, n_columns + 1)
    return predictions.T if columns_first else predictions


def _suppressed(boxes: Floats, scores: Floats, classes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Indices that stay after greedy non-maximum suppression within each class, best first."""
    order = np.argsort(-scores, kind="stable")
    areas = np.prod(np.maximum(boxes[:, 2:] - boxes[:, :2], 0.0), axis=1)
    kept: list[int] = []
    while len(order) and len(kept) < MAX_CANDIDATES:
        best, rest = order[0], order[1:]
        kept.append(int(best))
        overlap = np.minimum(boxes[rest, 2:], boxes[best, 2:]) - np.maximum(boxes[rest, :2], boxes[best, :2])
        shared = np.prod(np.maximum(overlap, 0.0), axis=1)
        iou = shared / np.maximum(areas[rest] + areas[best] - shared, 1e-9)
        order = rest[(iou <= MIN_CLASS_IOU) | (classes[rest] != classes[best])]
    return np.array(kept, dtype=np.intp)
