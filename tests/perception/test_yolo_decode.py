"""One instance, written in each layout that exporters use, must be read as the same instance."""

from __future__ import annotations

import numpy as np
import pytest

from recall4d.errors import InputError
from recall4d.perception.segmenters.yolo_decode import Candidates, decode

SIDE = 64
N_ANCHORS = 84  # of strides 8, 16 and 32
N_CLASSES = 5
K = 2
BOX = (8.0, 16.0, 40.0, 32.0)


def prototypes() -> np.ndarray:
    """(1, 2, 16, 16): the first positive in the left half, the second everywhere."""
    first = np.full((16, 16), -1.0, np.float32)
    first[:, :8] = 1.0
    return np.stack([first, np.ones((16, 16), np.float32)])[None]


def anchor(box_xyxy, class_scores, coefficients=(1.0, 0.0)) -> np.ndarray:
    left, top, right, bottom = box_xyxy
    return np.array(
        [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top, *class_scores, *coefficients]
    )


def predictions(*anchors: np.ndarray) -> np.ndarray:
    """(1, columns, n): the anchors given, the rest large, spread boxes of score 0."""
    columns = np.zeros((len(anchors[0]), N_ANCHORS), np.float32)
    columns[:4] = SIDE / 2
    columns[:, : len(anchors)] = np.stack(anchors, axis=1)
    return columns[None]


def read(predicted, prototyped, *, n_classes=N_CLASSES, end_to_end=False, channels_first=True) -> Candidates:
    return decode([predicted, prototyped], (SIDE, SIDE), channels_first, n_classes, end_to_end, min_score=0.3)


ONE = predictions(anchor(BOX, (0, 0, 0, 0.8, 0.1)))


@pytest.mark.parametrize(
    ("predicted", "prototyped", "how"),
    [
        pytest.param(ONE, prototypes(), {}, id="columns first"),
        pytest.param(ONE.transpose(0, 2, 1), prototypes(), {}, id="anchors first"),
        pytest.param(ONE, prototypes(), {"n_classes": None}, id="number of classes unknown"),
        pytest.param(ONE, prototypes().transpose(0, 2, 3, 1), {"channels_first": False}, id="prototypes last"),
        pytest.param(
            np.concatenate([ONE[:, :4] / SIDE, ONE[:, 4:]], axis=1),
            prototypes(),
            {},
            id="boxes as shares of the image",
        ),
        pytest.param(
            predictions(anchor(BOX, (0.8, 0, 0, 0, 1.0, 0.1))), prototypes(), {}, id="objectness before the classes"
        ),
        pytest.param(
            np.array([[[*BOX, 0.8, 3, 1, 0], [*BOX, 0.1, 2, 1, 0]] + [[0] * 8] * 10], np.float32),
            prototypes(),
            {"end_to_end": True},
            id="end to end",
        ),
    ],
)
def test_one_instance_in_every_layout(predicted, prototyped, how):
    found = read(predicted, prototyped, **how)

    assert found.boxes_xyxy == pytest.approx(np.array([BOX]))
    assert found.scores == pytest.approx(0.8)
    assert found.classes.tolist() == [3]
    assert np.array_equal(found.mask_logits[0] > 0, np.arange(16)[None, :].repeat(16, axis=0) < 8)


def test_outputs_may_come_in_either_order():
    found = decode([prototypes(), ONE], (SIDE, SIDE), True, N_CLASSES, False, 0.3)

    assert found.classes.tolist() == [3]


def test_overlapping_boxes_of_one_class_are_one_and_the_best_is_kept():
    moved = tuple(np.array(BOX) + 1)
    found = read(
        predictions(
            anchor(BOX, (0.6, 0, 0, 0, 0)), anchor(moved, (0.9, 0, 0, 0, 0)), anchor(BOX, (0, 0.5, 0, 0, 0))
        ),
        prototypes(),
    )

    assert found.scores == pytest.approx([0.9, 0.5])
    assert found.classes.tolist() == [0, 1]


def test_nothing_above_the_least_score_is_nothing():
    found = read(predictions(anchor(BOX, (0.2, 0, 0, 0, 0))), prototypes())

    assert len(found.scores) == len(found.boxes_xyxy) == len(found.mask_logits) == 0


@pytest.mark.parametrize(
    "outputs",
    [
        pytest.param([np.zeros((1, 85, 22, 22), np.float32)], id="a detector with a grid"),
        pytest.param([np.zeros((1, 84, 8400), np.float32)], id="a YOLO without masks"),
        pytest.param(
            [np.zeros((1, 11, 84), np.float32), np.zeros((1, 2, 40, 40), np.float32)], id="another stride"
        ),
    ],
)
def test_other_networks_are_refused_with_what_was_expected_and_found(outputs):
    shape = str(outputs[-1].shape).replace("(", r"\(").replace(")", r"\)")

    with pytest.raises(InputError, match=rf"no YOLO-seg export: expected .*got .*{shape}"):
        decode(outputs, (SIDE, SIDE), True, None, False, 0.3)
