from __future__ import annotations

import numpy as np
import pytest

from recall4d.errors import UsageError
from recall4d.perception.describers.appearance import create
from recall4d.perception.describers.colours import colour_name
from recall4d.perception.describers.sizes import shape_word, size_word
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.records import Description, Detection, Label, Mask

UNKNOWN = np.full(3, np.nan)


def described(frame, detection, extent_xyz=UNKNOWN) -> Description:
    (description,) = create(None).describe(frame, [detection], np.array([extent_xyz]))
    return description


def painted(*stripes: tuple[tuple[int, int, int], int]) -> np.ndarray:
    """A (60, w, 3) image of vertical stripes: colour and width."""
    return np.concatenate([np.full((60, width, 3), colour, np.uint8) for colour, width in stripes], axis=1)


def everything(rgb, **said) -> Detection:
    return Detection(Mask(0, 0, np.ones(rgb.shape[:2], bool)), **said)


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((20, 20, 22), "black"),
        ((125, 125, 125), "grey"),
        ((235, 235, 230), "white"),
        ((190, 30, 35), "red"),
        ((90, 15, 20), "red"),
        ((235, 120, 30), "orange"),
        ((120, 80, 45), "brown"),
        ((225, 205, 170), "beige"),
        ((235, 205, 50), "yellow"),
        ((60, 140, 60), "green"),
        ((30, 150, 150), "teal"),
        ((40, 80, 180), "blue"),
        ((25, 30, 70), "blue"),
        ((110, 60, 150), "purple"),
        ((235, 150, 170), "pink"),
    ],
)
def test_colours_have_the_names_that_people_give_them(rgb, name):
    assert colour_name(np.array([rgb], np.uint8)) == name


def test_a_thing_of_two_colours_has_both_the_larger_first(make_frame):
    rgb = painted(((190, 30, 35), 60), ((240, 240, 240), 40))

    assert described(make_frame(rgb=rgb), everything(rgb)).attributes["colour"] == "red and white"


def test_a_shade_is_not_a_second_colour(make_frame):
    rgb = painted(((240, 240, 240), 60), ((140, 140, 140), 40))

    assert described(make_frame(rgb=rgb), everything(rgb)).attributes["colour"] == "white"


def test_only_the_pixels_of_the_mask_count(make_frame):
    rgb = painted(((190, 30, 35), 20), ((40, 80, 180), 80))

    red = Detection(Mask(10, 5, np.ones((30, 12), bool)), "cup")

    assert described(make_frame(rgb=rgb), red).text == "red cup"


def test_a_mask_that_every_step_misses_still_has_a_colour(make_frame):
    rgb = painted(((40, 80, 180), 80))
    patch = np.ones((60, 80), bool)
    patch[::3, ::3] = False

    assert described(make_frame(rgb=rgb), Detection(Mask(0, 0, patch))).attributes["colour"] == "blue"


@pytest.mark.parametrize(
    ("extent_xyz", "category", "text"),
    [
        ((0.09, 0.09, 0.1), "cup", "small red cup"),
        ((0.09, 0.09, 0.1), None, "small red thing"),
        ((0.04, 0.03, 0.02), "die", "tiny red die"),
        ((0.5, 0.5, 0.6), "chair", "red chair"),
        ((1.8, 0.8, 0.75), "table", "long red table"),
        ((0.9, 0.9, 1.9), "refrigerator", "tall red refrigerator"),
        ((0.3, 0.22, 0.02), "book", "flat red book"),
        (UNKNOWN, "ball", "red ball"),
    ],
)
def test_the_text_is_size_or_shape_then_colour_then_label(make_frame, extent_xyz, category, text):
    rgb = painted(((190, 30, 35), 60))

    assert described(make_frame(rgb=rgb), everything(rgb, category=category), extent_xyz).text == text


def test_a_given_description_is_kept_and_gains_what_it_does_not_say(make_frame):
    rgb = painted(((120, 80, 45), 60))
    table = everything(rgb, category="table", description="long oak table")

    kept = described(make_frame(rgb=rgb), table, (2.1, 0.9, 0.7))

    assert kept == Description("long oak table", {"size": "large", "shape": "long", "colour": "brown"})


def test_the_colour_words_of_a_description_stand(make_frame):
    shaded = painted(((130, 130, 130), 60))
    mug = everything(shaded, category="cup", description="plain white mug")

    assert "colour" not in described(make_frame(rgb=shaded), mug).attributes


def test_a_surface_has_a_colour_and_no_size(make_frame):
    rgb = painted(((240, 240, 240), 60))

    wall = described(make_frame(rgb=rgb), everything(rgb, kind="surface"), (3.0, 0.1, 2.4))

    assert wall == Description("white surface", {"colour": "white"})


def test_no_detections_have_no_descriptions(make_frame):
    assert list(create(None).describe(make_frame(rgb=painted(((0, 0, 0), 9))), [], np.empty((0, 3)))) == []


@pytest.mark.parametrize(
    ("recording", "numbers", "description", "colour"),
    [
        ("red_kitchen", (240, 440), "bright red game controller", "red"),
        ("red_kitchen", (240, 520), "plain white mug", "white"),
        ("red_kitchen", (240, 520), 'purple book titled "BEING Mobile"', "purple"),
        ("red_kitchen", (280, 440, 520), "long oak table", "brown"),
        ("red_kitchen", (240, 600), "glossy red base cupboards", "red"),
        ("house_4d/alpha", (52, 56, 96, 100, 104), "orange plastic designer chair", "orange"),
        ("house_4d/alpha", range(0, 220, 10), "low light-brown wooden coffee table", "brown"),
    ],
)
def test_known_things_in_the_recordings_have_their_colours(
    shared, read_frame, recording, numbers, description, colour
):
    folder, names = shared(f"data/{recording}"), []
    for number in numbers:
        frame = read_frame(folder, number)
        for thing in StoredSegmenter().segment(frame):
            if (thing.description or "").startswith(description) and thing.mask.area_px > 1000:
                unsaid = Detection(thing.mask, thing.category)
                names.append(described(frame, unsaid).attributes["colour"].split(" and ")[0])

    assert names
    assert names.count(colour) > len(names) / 2


@pytest.mark.parametrize(
    ("extent_xyz", "size", "shape"),
    [
        ((1.0, 0.6, 2.1), "large", "tall"),
        ((0.5, 0.45, 0.9), "large", None),
        ((1.3, 0.7, 0.35), "large", "low"),
        ((0.27, 0.27, 0.03), "small", "flat"),
        ((0.62, 0.24, 0.1), "medium", "long"),
        ((0.1, 0.1, 0.15), "small", None),
        (UNKNOWN, None, None),
    ],
)
def test_size_and_shape_in_words(extent_xyz, size, shape):
    extent = np.asarray(extent_xyz)

    assert (size_word(extent), shape_word(extent)) == (size, shape)


def test_an_argument_is_refused():
    with pytest.raises(UsageError, match="takes no argument"):
        create("long")


def test_labels_stay_out_of_what_pixels_say(make_frame):
    rgb = painted(((40, 80, 180), 60))
    frame = make_frame(rgb=rgb, ids=np.ones(rgb.shape[:2], np.uint8), labels={1: Label("cup", None)})

    (cup,) = StoredSegmenter().segment(frame)

    assert described(frame, cup).text == "blue cup"
