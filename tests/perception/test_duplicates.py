from __future__ import annotations

import numpy as np

from recall4d.perception.segmenters.duplicates import without_duplicates
from recall4d.perception.segmenters.masks import shared_px
from recall4d.records import Detection, Mask


def seen(top, left, bottom, right, category="chair", score=0.5) -> Detection:
    return Detection(Mask(top, left, np.ones((bottom - top, right - left), bool)), category, score=score)


def test_a_part_of_a_kept_one_goes():
    chair, back_rest = seen(0, 0, 60, 40, score=0.8), seen(0, 0, 30, 40, score=0.6)

    assert without_duplicates([back_rest, chair]) == [chair]


def test_the_whole_takes_the_place_of_its_part_with_the_better_score():
    back_rest, chair = seen(0, 0, 30, 40, score=0.8), seen(0, 0, 60, 40, score=0.6)

    (kept,) = without_duplicates([back_rest, chair])

    assert kept.mask is chair.mask
    assert kept.score == 0.8


def test_a_group_around_two_kept_ones_goes():
    left, right, both = seen(0, 0, 60, 40, score=0.9), seen(0, 50, 60, 90, score=0.8), seen(0, 0, 60, 90, score=0.7)

    assert without_duplicates([both, left, right]) == [left, right]


def test_one_thing_under_two_names_keeps_the_likelier():
    screen, same = seen(0, 0, 40, 60, "tv", 0.7), seen(0, 0, 40, 58, "laptop", 0.5)

    assert without_duplicates([same, screen]) == [screen]


def test_a_cup_on_a_table_stays():
    table, cup = seen(0, 0, 100, 200, "dining table", 0.9), seen(20, 20, 40, 35, "cup", 0.6)

    assert without_duplicates([cup, table]) == [table, cup]


def test_neighbours_that_overlap_a_little_stay():
    assert len(without_duplicates([seen(0, 0, 40, 40), seen(0, 30, 40, 70)])) == 2


def test_shared_pixels_are_counted_in_the_image():
    assert shared_px(seen(0, 0, 10, 10).mask, seen(5, 8, 15, 18).mask) == 5 * 2
    assert shared_px(seen(0, 0, 10, 10).mask, seen(10, 0, 20, 10).mask) == 0
