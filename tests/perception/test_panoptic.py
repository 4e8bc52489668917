"""Universal segmentation, on tiny models with random weights."""

from __future__ import annotations

import numpy as np
import pytest

from recall4d import plugins
from recall4d.errors import UsageError
from recall4d.perception.segmenters.panoptic import plain_name
from tests.perception.tiny_models import prepare, write_detr_panoptic, write_eomt, write_mask2former


@pytest.mark.parametrize("write", [write_mask2former, write_detr_panoptic, write_eomt])
def test_every_pixel_belongs_to_one_instance_at_most(write, make_frame, tmp_path):
    prepare()
    segmenter = plugins.segmenter(f"panoptic:{write(tmp_path)}?score=0.01&rest=0.01")
    frame = make_frame(rgb=np.random.default_rng(0).integers(0, 255, (96, 128, 3), dtype=np.uint8))

    found = segmenter.segment(frame)

    assert found
    assert sum(each.mask.to_image(96, 128).astype(int) for each in found).max() == 1
    assert {each.category for each in found} <= {"cup", "wall", "floor"}
    assert all(each.kind == ("thing" if each.category == "cup" else "surface") for each in found)


def test_a_model_that_wants_its_task_in_words_is_refused(tmp_path):
    prepare()
    (tmp_path / "config.json").write_text('{"model_type": "oneformer"}')

    with pytest.raises(UsageError, match="task in words: use one of Mask2Former"):
        plugins.segmenter(f"panoptic:{tmp_path}")


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("wall-other-merged", "wall"),
        ("floor-wood", "floor wood"),
        ("floor, flooring", "floor"),
        ("dining table", "dining table"),
        ("table-merged", "table"),
    ],
)
def test_class_names_are_said_plainly(label, name):
    assert plain_name(label) == name
