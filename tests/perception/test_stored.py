from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from recall4d.errors import FrameError, UsageError
from recall4d.perception.segmenters.stored import create
from recall4d.records import Detection, Label, StoredMasks


def image_with(**rectangles: tuple[slice, slice]) -> np.ndarray:
    """A 60x80 id image; keys are `id_5`."""
    ids = np.zeros((60, 80), np.uint16)
    for key, rectangle in rectangles.items():
        ids[rectangle] = int(key.removeprefix("id_"))
    return ids


def told(detections: list[Detection]) -> list[tuple[object, ...]]:
    """Everything a detection says, comparable."""
    return [
        (d.mask.rectangle, d.mask.patch.tobytes(), d.category, d.description, d.score, d.kind) for d in detections
    ]


def test_a_mask_comes_back_with_what_its_label_says(make_frame):
    ids = image_with(id_40=(slice(10, 20), slice(30, 36)))
    frame = make_frame(ids=ids, labels={40: Label("cup", "white mug with a blue rim")})

    (cup,) = create(None).segment(frame)

    assert (cup.category, cup.description, cup.kind) == ("cup", "white mug with a blue rim", "thing")
    assert cup.mask.rectangle == (10, 30, 20, 36)
    assert np.array_equal(cup.mask.to_image(60, 80), ids == 40)


def test_a_thing_cut_in_two_by_something_in_front_stays_one(make_frame):
    ids = image_with(id_2=(slice(20, 30), slice(0, 80)), id_9=(slice(10, 50), slice(30, 40)))

    front, cut = create(None).segment(make_frame(ids=ids))

    assert cut.mask.rectangle == (20, 0, 30, 80)
    assert cut.mask.area_px == 10 * 70
    assert front.mask.area_px == 40 * 10


def test_an_id_without_a_label_is_a_thing_without_a_name(make_frame):
    (unnamed,) = create(None).segment(make_frame(ids=image_with(id_3=(slice(0, 9), slice(0, 9)))))

    assert (unnamed.category, unnamed.description, unnamed.kind) == (None, None, "thing")


def test_walls_and_floors_are_surfaces(make_frame):
    ids = image_with(id_1=(slice(0, 30), slice(0, 80)), id_2=(slice(30, 60), slice(0, 80)))
    frame = make_frame(ids=ids, labels={1: Label(None, "plain white wall"), 2: Label("floor", None)})

    assert [detection.kind for detection in create(None).segment(frame)] == ["surface", "surface"]


def test_an_image_without_ids_has_no_detections(make_frame):
    assert list(create(None).segment(make_frame(ids=np.zeros((60, 80), np.uint16)))) == []


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_ids_of_any_width_may_be_as_large_as_they_like(make_frame, dtype):
    ids = np.full((60, 80), np.iinfo(dtype).max, dtype)

    (everything,) = create(None).segment(make_frame(ids=ids))

    assert everything.mask.area_px == 60 * 80


def test_stray_pixels_are_kept_for_whoever_counts_what_is_too_small(make_frame):
    ids = image_with(id_1=(slice(0, 2), slice(0, 5)), id_2=(slice(10, 14), slice(0, 5)))

    assert [detection.mask.area_px for detection in create(None).segment(make_frame(ids=ids))] == [10, 20]


def test_renumbering_the_ids_changes_nothing(shared, read_frame):
    frame = read_frame(shared("data/red_kitchen"), 400)
    rng = np.random.default_rng(0)
    new_number = np.concatenate([[0], 1 + rng.permutation(999)]).astype(np.uint16)
    labels = {int(new_number[number]): label for number, label in frame.masks.labels.items()}
    renumbered = dataclasses.replace(frame, masks=StoredMasks(new_number[frame.masks.ids], labels))

    before, after = create(None).segment(frame), create(None).segment(renumbered)

    assert len(before) > 20
    assert told(after) == told(before)


def test_equal_boxes_and_areas_still_have_one_order(make_frame):
    interleaved = np.zeros((60, 80), np.uint16)
    rows, columns = np.mgrid[:10, :10]
    interleaved[:10, :10] = 1 + (rows + columns) % 2

    one = create(None).segment(make_frame(ids=interleaved))
    other = create(None).segment(make_frame(ids=np.where(interleaved > 0, 3 - interleaved, 0).astype(np.uint16)))

    assert told(one) == told(other)


def test_the_real_kitchens_surfaces_are_its_tiled_walls(shared, read_frame):
    kitchen: Path = shared("data/red_kitchen")
    seen = [d for number in range(0, 1000, 100) for d in create(None).segment(read_frame(kitchen, number))]

    surfaces = {detection.description for detection in seen if detection.kind == "surface"}

    assert surfaces == {"grey-green square tiles"}


def test_without_masks_the_message_names_the_other_segmenters(make_frame):
    with pytest.raises(UsageError, match=r"yolo-seg:MODEL.*geometric"):
        create(None).segment(make_frame(rgb=np.zeros((60, 80, 3), np.uint8)))


def test_masks_of_another_size_are_refused_with_both_sizes(make_frame):
    frame = make_frame(rgb=np.zeros((48, 64, 3), np.uint8), ids=np.ones((60, 80), np.uint16))

    with pytest.raises(FrameError, match="expected 64x48 as the colour image, got 80x60") as refusal:
        create(None).segment(frame)
    assert refusal.value.reason == "masks of another size"


def test_an_argument_is_refused():
    with pytest.raises(UsageError, match="takes no argument"):
        create("masks/")
