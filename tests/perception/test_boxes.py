from __future__ import annotations

import numpy as np
import pytest

from recall4d.perception.segmenters.boxes import cut_by_depth, masks_of_boxes
from recall4d.records import DepthImage, Mask

BOX = np.array([10.0, 10.0, 50.0, 40.0])


def room_with_a_thing() -> np.ndarray:
    """A wall at three metres, and a thing at one metre in rows 15..35, columns 15..45."""
    z_m = np.full((60, 80), 3.0, np.float32)
    z_m[15:35, 15:45] = 1.0
    return z_m


def test_depth_cuts_the_background_out_of_a_box():
    mask = cut_by_depth(BOX, room_with_a_thing(), fx=60.0)

    assert mask.rectangle == (15, 15, 35, 45)
    assert mask.patch.all()


def test_pixels_without_depth_are_left_out_of_a_box_that_has_some():
    z_m = room_with_a_thing()
    z_m[20:25, 20:25] = np.nan

    assert cut_by_depth(BOX, z_m, fx=60.0).area_px == 20 * 30 - 25


def test_a_box_whose_middle_was_not_measured_is_its_own_mask():
    z_m = room_with_a_thing()
    z_m[15:35, 15:45] = np.nan

    assert cut_by_depth(BOX, z_m, fx=60.0).area_px == 30 * 40


@pytest.mark.parametrize("box", [[90, 10, 120, 40], [10, 10, 10, 40], [-30, -30, -5, -5]])
def test_a_box_outside_the_image_has_no_mask(box):
    assert cut_by_depth(np.array(box, float), room_with_a_thing(), fx=60.0) is None


def test_a_frame_uses_whatever_measured_it(make_frame):
    frame = make_frame(z_m=room_with_a_thing())
    assert isinstance(frame.depth, DepthImage)

    (mask,) = masks_of_boxes(frame, BOX[None], cutter=None)

    assert mask.rectangle == (15, 15, 35, 45)


def test_a_cutter_goes_before_depth(make_frame):
    class Corner:
        def in_boxes(self, rgb, boxes_xyxy):
            yield from (Mask(0, 0, np.ones((3, 3), bool)) for _ in boxes_xyxy)

    (mask,) = masks_of_boxes(make_frame(z_m=room_with_a_thing()), BOX[None], Corner())

    assert mask.rectangle == (0, 0, 3, 3)
