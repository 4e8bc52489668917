from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from recall4d.records import Mask

IMAGES = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.booleans())


def test_runs_go_down_the_columns_and_begin_outside():
    image = np.array([[False, True], [True, True]])

    assert Mask.from_image(image).to_runs(2, 2) == [1, 3]


def test_a_mask_that_begins_at_the_first_pixel_begins_with_a_run_of_none():
    assert Mask.from_image(np.array([[True, False]])).to_runs(1, 2) == [0, 1, 1]


@given(IMAGES)
def test_runs_give_the_mask_back(image):
    mask = Mask.from_image(image)
    if mask is None:
        return
    again = Mask.from_runs(mask.to_runs(*image.shape), *image.shape)

    assert (again.to_image(*image.shape) == image).all()


@pytest.mark.parametrize("runs", [[3], [2, 1, 2], [-1, 5]])
def test_runs_of_another_image_are_refused(runs):
    with pytest.raises(ValueError, match="add up to 2x2"):
        Mask.from_runs(runs, 2, 2)


def test_runs_of_an_empty_mask_are_no_mask():
    assert Mask.from_runs([4], 2, 2) is None
