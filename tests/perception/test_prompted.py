"""Text-prompted detectors, on tiny models with random weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recall4d import plugins
from recall4d.errors import UsageError
from recall4d.perception.segmenters.prompted import prompted_name
from tests.perception.tiny_models import prepare, write_grounding_dino, write_owlv2, write_sam2_video

EVERYTHING = "prompt=coffee mug,chair&score=0.01"
WRITERS = {"grounding-dino": write_grounding_dino, "owlv2": write_owlv2}


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory) -> dict[str, Path]:
    return {kind: write(tmp_path_factory.mktemp(kind)) for kind, write in WRITERS.items()}


@pytest.fixture
def frame(make_frame):
    return make_frame(rgb=np.random.default_rng(0).integers(0, 255, (96, 128, 3), dtype=np.uint8))


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    prepare()


@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_found_bears_the_words_of_the_prompt_and_lies_in_the_image(checkpoints, frame, kind):
    segmenter = plugins.segmenter(f"{kind}:{checkpoints[kind]}?{EVERYTHING}")

    found = segmenter.segment(frame)

    assert found
    assert {each.category for each in found} <= {"coffee mug", "chair", None}
    assert any(each.category for each in found)
    height, width = frame.rgb.shape[:2]
    assert all(each.mask.rectangle[2] <= height and each.mask.rectangle[3] <= width for each in found)
    assert all(0 < each.score <= 1 for each in found)


@pytest.mark.parametrize("kind", WRITERS)
def test_nothing_is_found_above_a_score_that_nothing_reaches(checkpoints, frame, kind):
    untrained = plugins.segmenter(f"{kind}:{checkpoints[kind]}?prompt=cup&score=0.9999999")

    assert untrained.segment(frame) == []


def test_boxes_are_cut_by_sam2_where_it_is_named(checkpoints, frame, tmp_path):
    sam2 = write_sam2_video(tmp_path / "sam2")
    whole = plugins.segmenter(f"owlv2:{checkpoints['owlv2']}?{EVERYTHING}").segment(frame)

    cut = plugins.segmenter(f"owlv2:{checkpoints['owlv2']}?{EVERYTHING}&masks={sam2}").segment(frame)

    assert cut
    assert all(each.mask.patch.all() for each in whole), "without depth, a box is its own mask"
    assert not all(each.mask.patch.all() for each in cut)


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("model", "option 'prompt'"),
        ("model?prompt=", "option 'prompt'"),
        ("model?prompt=cup&score=0", "option 'score'"),
    ],
)
def test_a_prompt_is_asked_for(argument, says):
    with pytest.raises(UsageError, match=says):
        plugins.segmenter(f"owlv2:{argument}")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("coffee mug", "coffee mug"),
        ("mug", "coffee mug"),
        ("chair mug chair", "chair"),
        ("Coffee", "coffee mug"),
        ("", None),
    ],
)
def test_the_words_that_scored_lead_back_to_a_prompt(said, name):
    assert prompted_name(said, ("coffee mug", "chair")) == name
