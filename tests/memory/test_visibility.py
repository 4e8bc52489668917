"""What a depth image says of a place: seen through, stopped, hidden, or nothing at all."""

from __future__ import annotations

import numpy as np
import pytest

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import look_at
from recall4d.memory.visibility import look
from recall4d.synth import Thing, World, render

from .scenes import CUP, ROOM, TABLE

CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)
EYE = (1.6, 0.6, 1.5)
POSE = look_at(EYE, (1.6, 3.1, 0.8))
CUP_BOX = CUP.box_at(0)


def seen_at(box, *things, spoil=lambda depth_m: depth_m, pose=POSE, camera=CAMERA):
    """One look at a box in the room with a table and these things: (clear, free, hidden)."""
    depth_m = spoil(render(World(ROOM, (TABLE, *things)), camera, pose).depth_m.copy())
    found = look(np.array([box.min_xyz]), np.array([box.max_xyz]), depth_m, camera, pose)
    return bool(found.clear[0]), float(found.free[0]), float(found.hidden[0])


def board(distance_m):
    """A board between the camera and the cup, so far from the camera."""
    return Thing.resting("board", "grey board", (90, 90, 90), (0.6, 0.02, 0.8), (EYE[0], EYE[1] + distance_m, 0.7))


def test_a_thing_in_its_place_stops_the_rays_early():
    clear, free, hidden = seen_at(CUP_BOX, CUP)
    assert clear
    assert free < 0.2
    assert hidden == 0.0


def test_an_empty_place_is_seen_through():
    clear, free, hidden = seen_at(CUP_BOX)
    assert clear
    assert free > 0.9
    assert hidden == 0.0


@pytest.mark.parametrize("distance_m", [0.5, 1.5, 2.3])
def test_a_place_behind_something_is_hidden_whether_it_is_empty_or_not(distance_m):
    for things in ((CUP, board(distance_m)), (board(distance_m),)):
        clear, free, hidden = seen_at(CUP_BOX, *things)
        assert clear
        assert free == 0.0
        assert hidden > 0.9


def test_a_place_half_hidden_says_so():
    half = Thing.resting("board", "grey board", (90, 90, 90), (0.6, 0.02, 0.8), (EYE[0] + 0.3, 2.0, 0.7))
    _, _, hidden = seen_at(CUP_BOX, half)
    assert 0.3 < hidden < 0.7


@pytest.mark.parametrize(
    "view",
    [
        {"pose": look_at(EYE, (1.6, 0.0, 1.5))},  # the other way
        {"pose": look_at((1.6, 3.8, 1.5), (1.6, 4.0, 1.5))},  # behind the camera
        {"camera": Intrinsics(16, 12, 13.0, 13.0, 7.5, 5.5)},  # a pixel wide
    ],
)
def test_out_of_view_or_too_small_nothing_is_said(view):
    clear, free, hidden = seen_at(CUP_BOX, CUP, **view)
    assert not clear
    assert np.isnan(free)
    assert np.isnan(hidden)


def test_cut_off_by_the_image_nothing_is_said():
    assert not seen_at(TABLE.box_at(0), pose=look_at(EYE, (3.4, 3.1, 0.8)))[0]


def test_unknown_depth_says_nothing_and_a_third_of_it_changes_nothing():
    def nowhere(depth_m):
        return np.full_like(depth_m, np.nan)

    def holes(depth_m):
        depth_m[np.random.default_rng(0).random(depth_m.shape) < 0.33] = np.nan
        return depth_m

    assert not seen_at(CUP_BOX, CUP, spoil=nowhere)[0]
    clear, free, hidden = seen_at(CUP_BOX, spoil=holes)
    assert clear
    assert free > 0.9
    assert hidden == 0.0


def test_noise_of_a_centimetre_does_not_turn_a_cup_into_air_or_air_into_a_cup():
    def noisy(depth_m):
        return depth_m + 0.01 * np.random.default_rng(0).standard_normal(depth_m.shape, dtype=np.float32)

    there, gone = seen_at(CUP_BOX, CUP, spoil=noisy), seen_at(CUP_BOX, spoil=noisy)
    assert there[1] < 0.3
    assert gone[1] > 0.8
    assert there[2] < 0.1
    assert gone[2] == 0.0


def test_many_places_are_looked_at_as_one_is():
    boxes = [CUP_BOX, TABLE.box_at(0), board(1.0).box_at(0)]
    depth_m = render(World(ROOM, (TABLE, CUP)), CAMERA, POSE).depth_m
    low, high = np.array([b.min_xyz for b in boxes]), np.array([b.max_xyz for b in boxes])
    together = look(low, high, depth_m, CAMERA, POSE)
    for i in range(len(boxes)):
        alone = look(low[i : i + 1], high[i : i + 1], depth_m, CAMERA, POSE)
        assert alone.clear[0] == together.clear[i]
        assert alone.free[0] == pytest.approx(together.free[i], nan_ok=True)
        assert alone.hidden[0] == pytest.approx(together.hidden[i], nan_ok=True)


def test_from_inside_a_place_nothing_is_said():
    """Most of it lies beside or behind the camera."""
    assert not seen_at(ROOM)[0]
