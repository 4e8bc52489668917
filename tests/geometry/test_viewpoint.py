"""Left and right, front and behind, bearings and views."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from recall4d.geometry.pose import look_at, pose
from recall4d.geometry.relations import Boxes
from recall4d.geometry.viewpoint import Facing, bearing_name, in_view, seen_side_of


def cube(x: float, y: float, z: float = 0.8, size: float = 0.1) -> Boxes:
    centre = np.array([x, y, z])
    return Boxes(centre - size / 2, centre + size / 2)


FROM_SOUTH = Facing.towards((0.0, -3.0, 1.5), (0.0, 1.0))
FROM_NORTH = Facing.towards((0.0, 3.0, 1.5), (0.0, -1.0))
ANCHOR = cube(0.0, 0.0)


def test_left_from_one_side_is_right_from_the_opposite_side() -> None:
    mug = cube(-0.5, 0.1)
    assert seen_side_of(mug, ANCHOR, FROM_SOUTH, "left") > 0
    assert seen_side_of(mug, ANCHOR, FROM_SOUTH, "right") == 0
    assert seen_side_of(mug, ANCHOR, FROM_NORTH, "right") > 0
    assert seen_side_of(mug, ANCHOR, FROM_NORTH, "left") == 0


def test_it_does_not_matter_where_the_viewer_happens_to_look() -> None:
    looking_away = Facing.towards(FROM_SOUTH.eye_xyz, (1.0, -1.0))
    assert seen_side_of(cube(-0.5, 0.1), ANCHOR, looking_away, "left") > 0


def test_behind_is_farther_along_the_ray_and_covered_by_the_anchor() -> None:
    hidden, aside = cube(0.02, 0.6), cube(1.5, 0.6)
    assert seen_side_of(hidden, ANCHOR, FROM_SOUTH, "behind") > 0
    assert seen_side_of(hidden, ANCHOR, FROM_NORTH, "front") > 0
    assert seen_side_of(hidden, ANCHOR, FROM_SOUTH, "front") == 0
    assert seen_side_of(aside, ANCHOR, FROM_SOUTH, "behind") == 0


def test_nothing_behind_the_viewer_is_in_front_of_the_anchor() -> None:
    assert seen_side_of(cube(0.0, -4.0), ANCHOR, FROM_SOUTH, "front") == 0


def test_ones_own_left_is_where_one_faces_turned_left() -> None:
    me = Facing.towards((0.0, 0.0, 1.5), (1.0, 0.0))
    assert me.side_of(cube(0.0, 1.0), "left") > 0
    assert me.side_of(cube(1.0, 0.0), "front") > 0
    assert me.side_of(cube(-1.0, 0.0), "behind") > 0
    assert me.side_of(cube(0.0, 1.0), "right") == 0


@pytest.mark.parametrize(
    ("target", "degrees", "name"),
    [
        ((0, 1), 0, "ahead"),
        ((1, 1), 45, "ahead-right"),
        ((1, 0), 90, "right"),
        ((1, -1), 135, "behind-right"),
        ((0, -1), 180, "behind"),
        ((-1, -1), -135, "behind-left"),
        ((-1, 0), -90, "left"),
        ((-1, 1), -45, "ahead-left"),
    ],
)
def test_bearings_are_right_positive_and_have_eight_names(
    target: tuple[float, float], degrees: float, name: str
) -> None:
    bearing = np.degrees(Facing.towards((0.0, 0.0, 1.5), (0.0, 1.0)).bearing_rad([*target, 0.0]))
    assert_allclose(bearing, degrees, atol=1e-9)
    assert bearing_name(float(bearing)) == name


def test_a_camera_faces_where_it_looks_and_one_that_looks_down_where_its_image_points_up() -> None:
    level = Facing.of_pose(look_at([0, 0, 1.5], [2, 0, 1.5]))
    assert_allclose(level.ahead_xy, [1, 0], atol=1e-9)
    x_right, y_down, z_forward = [1, 0, 0], [0, -1, 0], [0, 0, -1]
    down = Facing.of_pose(pose(np.column_stack([x_right, y_down, z_forward]), [0, 0, 1.5]))
    assert_allclose(down.ahead_xy, [0, 1], atol=1e-9)


def test_in_view_is_the_frustum() -> None:
    camera = look_at([0, 0, 1.5], [0, 2, 1.5])
    middle, edge, beside, behind, far = (
        cube(0, 2, 1.5),
        cube(1.0, 2, 1.5),
        cube(3, 2, 1.5),
        cube(0, -2, 1.5),
        cube(0, 20, 1.5),
    )
    assert in_view(middle, camera) > in_view(edge, camera) > 0
    assert in_view(beside, camera) == in_view(behind, camera) == in_view(far, camera) == 0
    assert in_view(beside, camera, half_view_tan=(2.0, 1.0)) > 0


coordinates = st.floats(-3, 3, allow_nan=False)


@given(coordinates, coordinates, coordinates, coordinates)
def test_left_and_right_mirror_each_other(x: float, y: float, eye_x: float, eye_y: float) -> None:
    viewer = Facing.towards((eye_x, eye_y, 1.5), (0.0, 1.0))
    mirrored = Facing.towards((-eye_x, eye_y, 1.5), (0.0, 1.0))
    for side, other in (("left", "right"), ("front", "front"), ("behind", "behind")):
        a = seen_side_of(cube(x, y), ANCHOR, viewer, side)  # type: ignore[arg-type]
        b = seen_side_of(cube(-x, y), ANCHOR, mirrored, other)  # type: ignore[arg-type]
        assert_allclose(a, b, atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.floats(0, 6.28), coordinates)
def test_turning_the_world_turns_nothing_around(seed: int, yaw: float, shift: float) -> None:
    random = np.random.default_rng(seed)
    eye, ahead, point = random.uniform(-3, 3, 3), random.uniform(-1, 1, 2), random.uniform(-3, 3, 3)
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    before = Facing.towards(eye, ahead).bearing_rad(point)
    after = Facing.towards(turn @ eye + shift, turn[:2, :2] @ ahead).bearing_rad(turn @ point + shift)
    assert_allclose(np.exp(1j * after), np.exp(1j * before), atol=1e-7)
