"""Boxes are never degenerate, hulls give the same box in any frame, trims hold against outliers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recall4d.errors import GeometryError
from recall4d.geometry.box import (
    HULL_DIRECTIONS,
    MIN_THICKNESS_M,
    Box,
    gaps_m,
    hull,
    intersection_over_union,
    overlaps_m3,
    trimmed,
)

clouds = st.integers(1, 60).flatmap(lambda n: arrays(np.float64, (n, 3), elements=st.floats(-20, 20)))
shifts = arrays(np.float64, 3, elements=st.floats(-5, 5))


@given(clouds)
def test_a_box_holds_its_points_and_is_never_flat(points):
    box = Box.spanning(points)
    assert (points >= np.array(box.min_xyz) - 1e-9).all()
    assert (points <= np.array(box.max_xyz) + 1e-9).all()
    assert min(box.extent_xyz) >= MIN_THICKNESS_M - 1e-9
    assert box.volume_m3 > 0


@given(clouds, shifts)
def test_a_moved_cloud_has_a_moved_box(points, shift):
    box, moved = Box.spanning(points), Box.spanning(points + shift)
    assert np.allclose(np.array(box.centroid_xyz) + shift, moved.centroid_xyz)
    assert np.allclose(box.extent_xyz, moved.extent_xyz)


@given(clouds)
def test_the_box_of_a_hull_is_the_box_of_its_points(points):
    assert Box.spanning(hull(points)) == Box.spanning(points)


@given(clouds, st.floats(0, 2 * np.pi))
def test_a_hull_turned_is_nearly_the_box_of_the_points_turned(points, yaw):
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    whole, kept = Box.spanning(points @ turn.T), Box.spanning(hull(points) @ turn.T)
    assert (np.array(kept.extent_xyz) <= np.array(whole.extent_xyz) + 1e-9).all()
    assert (np.array(whole.extent_xyz) - kept.extent_xyz).max() <= 0.3 * Box.spanning(points).diagonal_m


def test_hull_directions_are_the_faces_edges_and_corners_of_a_cube():
    assert HULL_DIRECTIONS.shape == (13, 3)
    assert np.allclose(HULL_DIRECTIONS[:3], np.eye(3))
    assert np.abs(HULL_DIRECTIONS @ HULL_DIRECTIONS.T - np.eye(13)).max() < 0.99


def test_outliers_do_not_move_a_trimmed_box():
    cloud = np.random.default_rng(0).uniform(0, 0.1, (2000, 3))
    stray = np.full((10, 3), 3.0)
    points = np.concatenate([cloud, stray])
    box = Box.spanning(points[trimmed(points, 0.01)])
    assert max(box.max_xyz) < 0.1


@pytest.mark.parametrize("points", [np.zeros((0, 3)), np.full((3, 3), np.nan)])
def test_a_box_of_nothing_is_refused(points):
    with pytest.raises(GeometryError):
        Box.spanning(points)
    with pytest.raises(GeometryError):
        hull(points)


def test_one_point_and_a_line_have_boxes():
    assert Box.spanning([[1, 2, 3]]).centroid_xyz == pytest.approx((1, 2, 3))
    assert Box.spanning([[0, 0, 0], [1, 0, 0]]).extent_xyz == pytest.approx((1, MIN_THICKNESS_M, MIN_THICKNESS_M))


def test_gap_overlap_and_union():
    a, b, c = Box((0, 0, 0), (1, 1, 1)), Box((0.5, 0, 0), (1.5, 1, 1)), Box((4, 5, 0), (5, 6, 1))
    corners = [[np.array(box.min_xyz), np.array(box.max_xyz)] for box in (a, b, c)]
    assert overlaps_m3(*corners[0], *corners[1]) == pytest.approx(0.5)
    assert gaps_m(*corners[0], *corners[1]) == 0
    assert gaps_m(*corners[0], *corners[2]) == pytest.approx(5.0)
    assert intersection_over_union(a, b) == pytest.approx(1 / 3)
    assert intersection_over_union(a, c) == 0
