from __future__ import annotations

import colorsys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from small_worlds import entry, snapshot, state, walk

from recall4d.viewer import write_plan


def draw(tmp_path: Path, *entries, width_px: int = 800, **world):
    out = write_plan(snapshot(*entries, **world), tmp_path / "plan.png", width_px=width_px)
    with Image.open(out) as image:
        return np.asarray(image.convert("RGB"), dtype=np.int16)


def coloured(picture):
    """(h, w) which pixels have a colour rather than a grey."""
    return picture.max(axis=2) - picture.min(axis=2) > 40


def middle(mask):
    """Mean row and column of a mask, as shares of the picture."""
    rows, columns = np.nonzero(mask)
    return rows.mean() / mask.shape[0], columns.mean() / mask.shape[1]


def corners(*others):
    """Two things that hold the map's corners, and others."""
    low = entry("low", state(0, None, (-5.0, -3.0, 0.5), edge_m=0.1), category=None, description="")
    high = entry("high", state(0, None, (5.0, 3.0, 0.5), edge_m=0.1), category=None, description="")
    return low, high, *others


@pytest.mark.parametrize("width_px", [400, 801, 1600])
def test_the_picture_is_as_wide_as_asked(tmp_path, width_px):
    height, width, _ = draw(tmp_path, *corners(), width_px=width_px).shape

    assert width == width_px
    assert 0.3 * width < height < 1.5 * width


def test_a_thing_is_drawn_where_it_is_seen_from_above_with_y_up(tmp_path):
    left_and_up = entry("e1", state(0, None, (-3.0, 2.0, 0.5), edge_m=1.0))
    right_and_down = entry("e1", state(0, None, (3.0, -2.0, 0.5), edge_m=1.0))

    row, column = middle(coloured(draw(tmp_path, *corners(left_and_up))))
    assert row < 0.4
    assert column < 0.3
    row, column = middle(coloured(draw(tmp_path, *corners(right_and_down))))
    assert row > 0.6
    assert column > 0.7


def test_a_small_thing_in_a_large_world_can_still_be_seen(tmp_path):
    pin = entry("e1", state(0, None, (0.0, 0.0, 0.5), edge_m=0.005), category="pin")

    assert coloured(draw(tmp_path, *corners(pin))).sum() >= 9


def test_categories_are_told_apart_by_colour(tmp_path):
    cup = entry("e1", state(0, None, (-3.0, 0.0, 0.5), edge_m=1.0), category="cup")
    plate = entry("e2", state(0, None, (3.0, 0.0, 0.5), edge_m=1.0), category="plate")
    picture = draw(tmp_path, *corners(cup, plate))
    half = picture.shape[1] // 2

    hues = [
        colorsys.rgb_to_hsv(*np.median(side[coloured(side)], axis=0) / 255)[0]
        for side in (picture[:, :half], picture[:, half:])
    ]

    assert 0.1 < abs(hues[0] - hues[1]) < 0.9


def test_an_absent_thing_is_an_empty_box(tmp_path):
    here = draw(tmp_path, *corners(entry("e1", state(0, None, (0.0, 0.0, 0.5), edge_m=2.0))))
    gone = draw(tmp_path, *corners(entry("e1", state(0, None, (0.0, 0.0, 0.5), "absent", edge_m=2.0))))

    rows, columns = np.nonzero(coloured(here))
    inside = slice(rows.min() + 5, rows.max() - 5), slice(columns.min() + 5, columns.max() - 5)
    filled, empty = (np.median(picture[inside], axis=(0, 1)) for picture in (here, gone))
    assert np.linalg.norm(filled - 255) > 2 * np.linalg.norm(empty - 255)


def test_paths_and_moves_leave_a_trace(tmp_path):
    still = draw(tmp_path, *corners())
    walked = draw(tmp_path, *corners(), path=walk(0, 1, 2))
    cup = entry("e1", state(0, 5, (-3.0, -1.0, 0.5)), state(5, None, (3.0, -1.0, 0.5)))
    moved = draw(tmp_path, *corners(cup))

    assert not coloured(still).any()
    assert coloured(walked).sum() > 100
    # The trail crosses the middle, where there is neither the old place nor the new one.
    columns = moved.shape[1]
    assert coloured(moved[:, int(0.45 * columns) : int(0.55 * columns)]).sum() > 20


def test_an_empty_memory_has_a_plan(tmp_path):
    picture = draw(tmp_path)

    assert picture.shape[1] == 800
    assert not coloured(picture).any()


def test_the_same_memory_gives_the_same_picture(tmp_path):
    world = corners(*(entry(f"e{k}", state(0, None, (k / 4 - 5, 0.0, 0.5))) for k in range(40)))

    assert np.array_equal(draw(tmp_path, *world), draw(tmp_path, *world))
