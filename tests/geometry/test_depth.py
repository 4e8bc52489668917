"""Depth: unknown is NaN, registration keeps the nearest, bleed is told from the thing."""

import numpy as np

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.depth import depth_from_raw, main_depths, register_depth
from recall4d.geometry.pose import pose


def test_what_a_sensor_writes_for_unknown_becomes_nan():
    raw = np.array([[0, 1000, 65535, 2500]], dtype=np.uint16)
    depth = depth_from_raw(raw, 0.001, invalid=(0, 65535))
    assert np.isnan(depth[0, [0, 2]]).all()
    assert depth[0, [1, 3]].tolist() == [1.0, 2.5]
    assert np.isnan(depth_from_raw(np.array([[np.inf, -1.0]], dtype=np.float32), 1.0)).all()


def test_registration_moves_pixels_by_the_baseline_and_keeps_the_nearest():
    camera = Intrinsics(32, 8, 20.0, 20.0, 15.5, 3.5)
    depth = np.full((8, 32), 4.0, dtype=np.float32)
    depth[:, 10:14] = 1.0
    beside = register_depth(depth, camera, camera, pose(np.eye(3), [0.1, 0.0, 0.0]))
    # 10 cm to the side: 20 * 0.1 / 1 = 2 pixels for what is near, half a pixel for what is far.
    assert np.nanmin(beside[4, 12:16]) == np.nanmax(beside[4, 12:16]) == 1.0


def test_background_that_bled_into_a_mask_is_left_out():
    thing = np.random.default_rng(0).normal(1.5, 0.01, 900)
    bleed = np.random.default_rng(1).normal(2.6, 0.02, 100)
    kept = main_depths(np.concatenate([thing, bleed]))
    assert kept[:900].all()
    assert not kept[900:].any()


def test_a_long_thing_is_kept_whole():
    assert main_depths(np.linspace(1.0, 4.0, 3000)).mean() > 0.999


def test_two_parts_of_one_thing_are_both_kept():
    kept = main_depths(np.concatenate([np.full(500, 1.0), np.full(400, 1.8)]))
    assert kept.all()
