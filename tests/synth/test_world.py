"""Exact worlds: where a thing is at an instant, and what a camera sees of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics, project, unproject_image
from recall4d.geometry.pose import inverse, look_at, transform
from recall4d.synth import Thing, World, frames, kitchen, render, tour

CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)
S = 1_000_000_000
CUP = Thing.resting("cup", "red cup", (200, 30, 30), (0.1, 0.1, 0.1), (1.0, 2.0, 0.0))


def room_with(*things: Thing) -> World:
    return World(Box((0.0, 0.0, 0.0), (3.0, 3.0, 2.5)), things)


def test_a_carried_thing_is_between_its_places() -> None:
    cup = CUP.then(20 * S, (2.0, 2.0, 0.5), carried_since_ns=10 * S)
    assert cup.base_at(10 * S) == (1.0, 2.0, 0.0)
    assert cup.base_at(15 * S) == (1.5, 2.0, 0.25)
    assert cup.base_at(20 * S) == cup.base_at(99 * S) == (2.0, 2.0, 0.5)


def test_a_thing_put_elsewhere_is_at_one_place_at_a_time() -> None:
    cup = CUP.then(10 * S, (2.0, 2.0, 0.5))
    assert cup.base_at(10 * S - 1) == (1.0, 2.0, 0.0)
    assert cup.base_at(10 * S) == (2.0, 2.0, 0.5)


def test_a_thing_taken_away_and_returned_is_seen_when_it_is_there() -> None:
    world = room_with(CUP.then(10 * S, None).then(20 * S, (1.0, 2.0, 0.0)))
    pose = look_at((1.0, 0.5, 1.0), (1.0, 2.0, 0.0))
    seen = [1 in render(world, CAMERA, pose, instant * S).ids for instant in (5, 15, 25)]
    assert seen == [True, False, True]


def test_a_thing_before_another_hides_it() -> None:
    wall = Thing.resting("board", "board", (90, 90, 90), (1.0, 0.05, 1.0), (1.0, 1.5, 0.0))
    view = render(room_with(CUP, wall), CAMERA, look_at((1.0, 0.5, 0.5), (1.0, 2.0, 0.05)))
    assert set(np.unique(view.ids)) == {0, 2}


def test_every_measured_point_lies_on_a_surface() -> None:
    world = kitchen()
    for frame in frames(world, CAMERA, tour(3)):
        assert frame.depth is not None
        assert frame.world_from_camera is not None
        points = transform(frame.world_from_camera, unproject_image(frame.depth.z_m, CAMERA)).reshape(-1, 3)
        assert world.distance_to_surface_m(points).max() < 1e-5


def test_a_thing_is_seen_where_it_projects() -> None:
    world, take = kitchen(), tour(1)
    view = render(world, CAMERA, take.poses[0])
    for number, box in world.boxes_at(0).items():
        rows, columns = np.nonzero(view.ids == number)
        if len(rows) == 0 or rows.min() == 0 or columns.min() == 0 or rows.max() == 119 or columns.max() == 159:
            continue
        corners = list(itertools.product(*zip(box.min_xyz, box.max_xyz, strict=True)))
        pixels, _ = project(transform(inverse(take.poses[0]), corners), CAMERA)
        assert columns.min() >= pixels[:, 0].min()
        assert columns.max() <= pixels[:, 0].max()
        assert rows.min() >= pixels[:, 1].min()
        assert rows.max() <= pixels[:, 1].max()


def test_a_thing_shows_its_colour() -> None:
    view = render(room_with(CUP), CAMERA, look_at((1.0, 1.0, 0.8), (1.0, 2.0, 0.05)))
    red, green, blue = view.rgb[view.ids == 1].mean(axis=0)
    assert red > 3 * max(green, blue)


def test_rays_out_of_the_world_measure_nothing() -> None:
    view = render(room_with(), CAMERA, look_at((1.0, 5.0, 1.0), (1.0, 9.0, 1.0)))
    assert np.isnan(view.depth_m).all()
    assert not view.rgb.any()


def test_the_distance_to_a_surface_is_to_the_nearest_one_from_either_side() -> None:
    distances = room_with(CUP).distance_to_surface_m([(1.0, 2.0, 0.09), (1.0, 2.0, 0.12), (1.0, 1.2, 0.8)])
    assert distances == pytest.approx([0.01, 0.02, 0.8], abs=1e-9)


def test_a_mirror_shows_things_as_if_they_stood_behind_it() -> None:
    mirror = Box((0.0, 3.0, 0.0), (3.0, 3.0, 2.5))  # all of the wall at y = 3
    pose = look_at((1.0, 1.0, 0.5), (1.0, 3.0, 0.5))
    view = render(World(Box((0.0, 0.0, 0.0), (3.0, 3.0, 2.5)), (CUP,), (mirror,)), CAMERA, pose)
    points = transform(pose, unproject_image(view.depth_m, CAMERA))
    real, ghost = points[view.ids == 1], points[view.ids == 2]
    assert real[:, 1].min() == pytest.approx(1.95, abs=1e-3)  # its front; the camera stands at y = 1
    assert ghost[:, 1].min() == pytest.approx(3.95, abs=1e-3)  # its back, mirrored in y = 3
    assert ghost[:, 0].mean() == pytest.approx(1.0, abs=0.01)


def test_what_stands_before_a_mirror_hides_it() -> None:
    mirror = Box((0.9, 3.0, 0.0), (1.1, 3.0, 0.3))
    board = Thing.resting("board", "board", (90, 90, 90), (1.0, 0.05, 1.0), (1.0, 2.5, 0.0))
    pose = look_at((1.0, 1.5, 0.5), (1.0, 3.0, 0.1))
    with_mirror = World(Box((0.0, 0.0, 0.0), (3.0, 3.0, 2.5)), (CUP, board), (mirror,))
    without = World(with_mirror.room, with_mirror.things)
    assert np.array_equal(render(with_mirror, CAMERA, pose).depth_m, render(without, CAMERA, pose).depth_m)
