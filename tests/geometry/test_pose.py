"""Poses form a group, survive text files, and are never guessed across a gap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recall4d.errors import GeometryError
from recall4d.geometry.pose import (
    Trajectory,
    checked_pose,
    interpolate,
    inverse,
    look_at,
    pose,
    pose_from_axis_angle,
    pose_from_quaternion,
    rotation_angle_rad,
    transform,
)

coordinates = st.floats(-50, 50)
vectors = arrays(np.float64, 3, elements=coordinates)
turns = arrays(np.float64, 3, elements=st.floats(-3, 3))
poses = st.builds(pose_from_axis_angle, turns, vectors)


@given(poses, poses, poses)
def test_poses_form_a_group(a, b, c):
    assert np.allclose((a @ b) @ c, a @ (b @ c))
    assert np.allclose(a @ inverse(a), np.eye(4))
    assert np.allclose(inverse(a @ b), inverse(b) @ inverse(a))


@given(poses, poses, vectors)
def test_chains_apply_from_right_to_left(b_from_a, c_from_b, point):
    assert np.allclose(transform(c_from_b @ b_from_a, point), transform(c_from_b, transform(b_from_a, point)))


@given(poses, vectors, vectors)
def test_distances_do_not_change(b_from_a, p, q):
    moved = np.linalg.norm(transform(b_from_a, p) - transform(b_from_a, q))
    assert moved == pytest.approx(np.linalg.norm(p - q), abs=1e-9)


@given(poses)
def test_a_pose_written_with_four_digits_is_read_back_as_a_rotation(b_from_a):
    read = checked_pose(np.round(b_from_a, 4))
    assert np.allclose(read[:3, :3] @ read[:3, :3].T, np.eye(3), atol=1e-12)
    assert np.allclose(read, b_from_a, atol=2e-4)


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (np.eye(3), "shape"),
        (np.full((4, 4), np.nan), "not finite"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "mirrors"),
        (np.diag([2.0, 2.0, 2.0, 1.0]), "not orthonormal"),
        (np.diag([1.0, 1.0, 1.0, 2.0]), "last pose row"),
    ],
)
def test_what_is_no_pose_is_refused(matrix, said):
    with pytest.raises(GeometryError, match=said):
        checked_pose(matrix)


def test_a_quaternion_must_be_of_length_one():
    quarter_turn = pose_from_quaternion([0, 0, np.sqrt(0.5), np.sqrt(0.5)], [1, 2, 3])
    assert np.allclose(transform(quarter_turn, [1, 0, 0]), [1, 3, 3])
    with pytest.raises(GeometryError, match="unit quaternion"):
        pose_from_quaternion([0, 0, 1, 1], [0, 0, 0])


def test_a_level_camera_looks_along_its_z_axis_and_keeps_up_up():
    world_from_camera = look_at([0, 0, 1.5], [3, 0, 1.5])
    assert np.allclose(transform(world_from_camera, [0, 0, 2]), [2, 0, 1.5])
    assert np.allclose(world_from_camera[:3, 1], [0, 0, -1])


@given(poses, poses, st.floats(0, 1))
def test_interpolation_stays_on_the_way(a, b, fraction):
    between = interpolate(a, b, fraction)
    assert np.allclose(between[:3, 3], (1 - fraction) * a[:3, 3] + fraction * b[:3, 3])
    whole, part = rotation_angle_rad(inverse(a) @ b), rotation_angle_rad(inverse(a) @ between)
    assert part == pytest.approx(fraction * whole, abs=1e-6)


def test_nothing_is_interpolated_across_a_gap_or_beyond_the_ends():
    stamps = np.array([0, 100, 1000])
    track = Trajectory(stamps, np.stack([pose(np.eye(3), [t, 0, 0]) for t in stamps]), max_gap_ns=200)
    assert np.allclose(track.at(50)[:3, 3], [50, 0, 0])
    assert np.allclose(track.at(1000)[:3, 3], [1000, 0, 0])
    assert track.at(500) is None
    assert track.at(-1) is None
    assert track.at(1001) is None
    assert track.latest(999)[0] == 100


def test_a_trajectory_is_in_order():
    with pytest.raises(GeometryError, match="increasing"):
        Trajectory(np.array([1, 1]), np.stack([np.eye(4)] * 2), max_gap_ns=1)
