"""SAM 2 on a tiny model with random weights: masks mean nothing, but they have the shape of masks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recall4d.errors import ModelError, UsageError
from recall4d.perception.segmenters import sam2, sam2_video
from recall4d.perception.segmenters.masks import shared_px
from recall4d.ports import Resumable
from tests.perception.tiny_models import prepare, write_sam2_video

SMALL = "points=3&score=0&stability=0"


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory) -> Path:
    return write_sam2_video(tmp_path_factory.mktemp("sam2"))


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    prepare()


@pytest.fixture
def film(make_frame):
    """A bright square that moves to the right, a few pixels a frame."""
    rgb = np.zeros((96, 128, 3), np.uint8)
    rgb[30:60, 20:50] = (250, 220, 30)
    return [make_frame(rgb=np.roll(rgb, 3 * step, axis=1)) for step in range(7)]


def test_automatic_masks_lie_in_the_image_and_no_two_are_the_same(checkpoint, film):
    found = sam2.create(f"{checkpoint}?{SMALL}").segment(film[0])

    assert found
    for each in found:
        top, left, bottom, right = each.mask.rectangle
        assert 0 <= top < bottom <= 96
        assert 0 <= left < right <= 128
        assert each.category is None
        assert 0 < each.score <= 1
    for index, one in enumerate(found):
        for other in found[:index]:
            shared = shared_px(one.mask, other.mask)
            assert shared <= 0.7 * (one.mask.area_px + other.mask.area_px - shared)


def test_a_mask_of_poor_quality_is_left_out(checkpoint, film):
    assert sam2.create(f"{checkpoint}?points=3&score=1&stability=0").segment(film[0]) == []


def test_each_box_gets_one_mask_however_many_there_are(checkpoint, film):
    images = sam2.Sam2Images(str(checkpoint), sam2.Sam2Options(), "the test")
    boxes = np.tile([20.0, 30.0, 50.0, 60.0], (sam2.BOXES_AT_ONCE + 3, 1))

    masks = list(images.in_boxes(film[0].rgb, boxes))

    assert len(masks) == len(boxes)
    assert all(mask is None or mask.rectangle[2] <= 96 for mask in masks)


def test_propagation_keeps_the_numbers_inside_a_window(checkpoint, film):
    segmenter = sam2_video.create(f"{checkpoint}?{SMALL}&window=4")

    tracks = [{each.track for each in segmenter.segment(frame)} for frame in film[:4]]

    assert tracks[0]
    assert all(later <= tracks[0] for later in tracks[1:]), "what is followed was found where the window began"


def test_a_window_that_ends_is_followed_by_one_whose_new_things_have_new_numbers(checkpoint, film):
    segmenter = sam2_video.create(f"{checkpoint}?{SMALL}&window=2")

    tracks = [{each.track for each in segmenter.segment(frame)} for frame in film]

    first_seen = [
        min(index for index, there in enumerate(tracks) if track in there) for track in set().union(*tracks)
    ]
    assert all(index % 2 == 0 for index in first_seen), "numbers begin where windows begin"


def test_what_the_session_holds_does_not_grow_from_window_to_window(checkpoint, film):
    segmenter = sam2_video.create(f"{checkpoint}?{SMALL}&window=2")
    held = []
    for frame in film:
        segmenter.segment(frame)
        session = segmenter._session
        tensors = [session.processed_frames, *session.output_dict_per_obj.values()]
        held.append(len(session.processed_frames))
        assert all(frame.numel() == 0 for frame in session.processed_frames.values()), tensors
    assert max(held) <= 2


def test_after_a_kill_the_numbers_go_on_and_none_is_given_twice(checkpoint, film):
    before = sam2_video.create(f"{checkpoint}?{SMALL}&window=8")
    assert isinstance(before, Resumable)
    for frame in film[:3]:
        last = before.segment(frame)
    used = before._next_track

    after = sam2_video.create(f"{checkpoint}?{SMALL}&window=8")
    after.resume(before.state())
    found = after.segment(film[3])

    assert after.state() != before.state()
    assert {each.track for each in found} <= {each.track for each in last} | set(range(used, used + len(found)))
    assert len({each.track for each in found}) == len(found)


def test_the_same_frame_after_a_kill_finds_the_same_things_under_their_numbers(checkpoint, film):
    before = sam2_video.create(f"{checkpoint}?{SMALL}&window=8")
    first = {each.track: each.mask.rectangle for each in before.segment(film[0])}

    after = sam2_video.create(f"{checkpoint}?{SMALL}&window=8")
    after.resume(before.state())

    assert {each.track: each.mask.rectangle for each in after.segment(film[0])} == first


@pytest.mark.parametrize(
    "state", ["", "{}", '{"height": 4, "width": 4, "next_track": 1, "runs": {"0": [3]}}', None]
)
def test_a_state_that_cannot_be_read_starts_anew(checkpoint, film, state):
    segmenter = sam2_video.create(f"{checkpoint}?{SMALL}")
    segmenter.resume(state)

    assert {each.track for each in segmenter.segment(film[0])} >= {0}


def test_another_image_size_starts_a_new_window(checkpoint, film, make_frame):
    segmenter = sam2_video.create(f"{checkpoint}?{SMALL}&window=8")
    segmenter.segment(film[0])

    found = segmenter.segment(make_frame(rgb=film[0].rgb[:64, :64]))

    assert all(each.mask.rectangle[2] <= 64 and each.mask.rectangle[3] <= 64 for each in found)


@pytest.mark.parametrize("create", [sam2.create, sam2_video.create])
def test_a_model_that_is_not_there_is_named(create, tmp_path):
    with pytest.raises(ModelError, match="cannot be loaded for the segmenter 'sam2"):
        create(str(tmp_path))


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        (None, "needs a model"),
        ("model?points=none", "option 'points'"),
        ("model?ponits=3", "options: .*points"),
    ],
)
def test_an_argument_that_is_off_is_refused_before_anything_is_loaded(argument, says):
    with pytest.raises(UsageError, match=says):
        sam2.create(argument)
