"""Space in cells: seen through is free, where rays stop is occupied, and behind a wall nobody has looked."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall4d.geometry import voxels
from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import look_at
from recall4d.geometry.voxels import FREE, OCCUPIED, UNSEEN, VoxelGrid, reach_of

CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)
EYE = (0.0, 0.0, 1.5)
HALL = Box((-4.0, -4.0, -1.0), (6.0, 4.0, 4.0))


def wall_at(x_m: float, eye=EYE) -> tuple[np.ndarray, Intrinsics, np.ndarray]:
    """A look along x at a wall across the whole image, `x_m` along the axis."""
    depth_m = np.full((CAMERA.height, CAMERA.width), x_m - eye[0], dtype=np.float32)
    return depth_m, CAMERA, look_at(eye, (eye[0] + 1.0, eye[1], eye[2]))


def looked(*looks, reach=HALL) -> VoxelGrid:
    grid = VoxelGrid.covering(reach)
    for look in looks:
        grid.integrate(*look)
    return grid


def test_before_a_wall_is_free_the_wall_is_occupied_and_behind_it_is_unseen():
    grid = looked(wall_at(3.0))
    on_the_way = [EYE, (1.0, 0, 1.5), (2.9, 0, 1.5), (3.0, 0, 1.5), (3.1, 0, 1.5), (5.0, 0, 1.5)]
    assert grid.state_at(on_the_way).tolist() == [FREE, FREE, FREE, OCCUPIED, UNSEEN, UNSEEN]


def test_outside_of_the_view_and_of_the_grid_is_unseen():
    grid = looked(wall_at(3.0))
    assert grid.state_at([(-1.0, 0, 1.5), (1.0, 2.0, 1.5), (50.0, 0, 0), (-1e6, 0, 0)]).tolist() == [UNSEEN] * 4


def test_where_nothing_was_measured_nothing_is_known():
    depth_m, camera, pose = wall_at(3.0)
    depth_m[:, :80] = np.nan
    grid = looked((depth_m, camera, pose))
    assert grid.state_at([(3.0, 0.5, 1.5), (3.0, -0.5, 1.5)]).tolist() == [UNSEEN, OCCUPIED]
    assert grid.state_at([(2.0, 0.4, 1.5), (2.0, -0.4, 1.5)]).tolist() == [UNSEEN, FREE]


def test_a_wall_out_of_range_is_free_space_up_to_there():
    grid = looked(wall_at(20.0), reach=Box((-1, -4, -1), (30, 4, 4)))
    assert grid.state_at([(14.0, 0, 1.5), (16.0, 0, 1.5), (20.0, 0, 1.5)]).tolist() == [FREE, UNSEEN, UNSEEN]


@given(degrees=st.floats(4.0, 60.0), eye_m=st.floats(0.8, 2.0), floor_m=st.floats(-0.5, 0.5))
def test_a_floor_seen_at_any_slant_is_never_seen_through(degrees, eye_m, floor_m):
    """Where pixels are sparser than cells, no ray may slip through between two of them."""
    eye = np.array([0.0, 0.0, floor_m + eye_m])
    pose = look_at(eye, eye + [np.cos(np.radians(degrees)), 0.0, -np.sin(np.radians(degrees))])
    rays = np.dstack(
        [*np.meshgrid((np.arange(160) - 79.5) / 130, (np.arange(120) - 59.5) / 130), np.ones((120, 160))]
    )
    down = -(rays @ pose[:3, :3].T)[..., 2]
    depth_m = np.where(down > 1e-3, eye_m / np.maximum(down, 1e-3), np.nan).astype(np.float32)
    grid = looked((depth_m, CAMERA, pose), reach=reach_of(depth_m, CAMERA, pose))
    passed = grid.centres_xyz(np.argwhere(grid.states() == FREE))
    assert len(passed)
    assert passed[:, 2].min() > floor_m - 1e-3


@given(
    looks=st.lists(
        st.tuples(st.floats(0.5, 5.5), st.floats(-1.0, 0.4), st.floats(-2.0, 2.0)), min_size=2, max_size=4
    ),
    order=st.randoms(use_true_random=False),
)
def test_the_order_of_frames_does_not_matter(looks, order):
    frames = [wall_at(wall, (x, y, 1.5)) for wall, x, y in looks]
    shuffled = order.sample(frames, len(frames))
    one, other = looked(*frames), looked(*shuffled)
    np.testing.assert_array_equal(one.hits, other.hits)
    np.testing.assert_array_equal(one.passes, other.passes)
    assert max(one.hits.max(), one.passes.max()) <= len(frames)


@given(near_m=st.floats(0.5, 4.0), step_m=st.floats(0.2, 1.5), column=st.integers(60, 100))
def test_a_frame_counts_a_cell_once_and_only_within_reach(near_m, step_m, column):
    """Where a wall ends within a cell, rays that miss the wall do not outvote those that it stops."""
    depth_m, camera, pose = wall_at(near_m)
    depth_m[:, column:] += np.float32(step_m)
    grid, tight = (
        looked((depth_m, camera, pose), reach=reach) for reach in (HALL, reach_of(depth_m, camera, pose))
    )
    assert not (grid.hits & grid.passes).any()
    assert (tight.hits.sum(), tight.passes.sum()) == (grid.hits.sum(), grid.passes.sum())


def test_what_most_looks_found_holds_for_a_place_that_changed():
    """A wall seen three times and taken away is gone after it was seen through more than twice as often."""
    gone, there = wall_at(5.0), wall_at(3.0)
    assert looked(*[there] * 3, *[gone] * 6).state_at((3.0, 0, 1.5))[0] == OCCUPIED
    assert looked(*[there] * 3, *[gone] * 7).state_at((3.0, 0, 1.5))[0] == FREE


def test_counts_stay_at_the_largest_number():
    grid = looked(wall_at(3.0))
    grid.hits[grid.hits > 0] = np.iinfo(np.uint16).max
    grid.integrate(*wall_at(3.0))
    assert grid.state_at((3.0, 0, 1.5))[0] == OCCUPIED
    assert grid.hits.max() == np.iinfo(np.uint16).max


def test_growing_keeps_every_count_in_its_place():
    small = looked(wall_at(3.0), reach=reach_of(*wall_at(3.0)))
    grown, roomy = small.grown(HALL), looked(wall_at(3.0))
    assert grown.corner == roomy.corner
    np.testing.assert_array_equal(grown.hits, roomy.hits)
    np.testing.assert_array_equal(grown.passes, roomy.passes)


@pytest.mark.parametrize("size_m", [1.0, 40.0, 400.0, 4e6])
def test_the_number_of_cells_is_bounded(size_m, monkeypatch):
    monkeypatch.setattr(voxels, "MAX_CELLS", 50_000)
    reach = Box((-size_m, -size_m, -1.0), (size_m, size_m, 3.0))
    grid = VoxelGrid.covering(reach)
    assert grid.hits.size <= 50_000
    doubled = np.log2(grid.edge_m / voxels.FINEST_EDGE_M)
    assert doubled == round(doubled) >= 0
    finer = VoxelGrid.covering(reach, grid.edge_m / 2) if doubled else None
    assert finer is None or finer.hits.size > 50_000
    assert grid.extent is not None
    assert np.less_equal(grid.extent.min_xyz, reach.min_xyz).all()
    assert np.greater_equal(grid.extent.max_xyz, reach.max_xyz).all()


def test_without_cells_all_is_unseen():
    grid = VoxelGrid.covering(None)
    grid.integrate(*wall_at(3.0))
    assert grid.extent is None
    assert grid.floor_height_m() is None
    assert grid.state_at([EYE]).tolist() == [UNSEEN]
    assert grid.seen_share(HALL) == 0.0
    assert grid.line_of_sight(EYE, (3.0, 0.0, 1.5)).unseen_m == pytest.approx(3.0)


def test_the_seen_share_of_a_box_is_by_volume():
    grid = looked(wall_at(3.0))
    lattice = [(x, 0.0, 1.5) for x in (2.0, 4.0)]
    seen, unseen = (Box(tuple(np.subtract(c, 0.2)), tuple(np.add(c, 0.2))) for c in lattice)
    across = Box((2.5, -0.2, 1.3), (4.0, 0.2, 1.7))  # the wall's cells end at 3.05
    assert (grid.seen_share(seen), grid.seen_share(unseen)) == (pytest.approx(1.0), 0.0)
    assert grid.seen_share(across) == pytest.approx(0.55 / 1.5)
    assert grid.seen_share(Box((1.0, 0.0, 1.5), (1.0, 0.0, 1.5))) == pytest.approx(1.0)


@given(*[st.floats(-2.0, 7.0)] * 6)
def test_a_line_of_sight_looks_at_the_cells_that_points_on_it_lie_in(x, y, z, to_x, to_y, to_z):
    grid = looked(wall_at(3.0), wall_at(5.0, (0.0, 1.0, 1.5)))
    start, end = np.array([x, y, z]), np.array([to_x, to_y, to_z])
    sight = grid.line_of_sight(start, end)
    assert 0.0 <= sight.unseen_m <= np.linalg.norm(end - start) + 1e-9
    points = start + np.linspace(0.0, 1.0, 5001)[:, None] * (end - start)
    cells = np.rint(points / grid.edge_m)
    between = (cells != cells[0]).any(axis=1) & (cells != cells[-1]).any(axis=1)
    blocked = np.flatnonzero(between & (grid.state_at(points) == OCCUPIED))
    if sight.clear:  # a sampled point may lie on a face, in either cell
        assert len(blocked) <= 2
    elif len(blocked):
        way = np.linalg.norm(end - start)
        assert np.linalg.norm(np.subtract(sight.blocked_at_xyz, start)) <= blocked[0] / 5000 * way + 0.1 + 1e-6


def test_a_wall_blocks_the_sight_from_either_side():
    grid = looked(wall_at(3.0))
    for start, end in itertools.permutations([(1.0, 0.02, 1.52), (5.0, 0.02, 1.52)]):
        assert grid.line_of_sight(start, end).blocked_at_xyz == pytest.approx((3.0, 0.0, 1.5))
    assert grid.line_of_sight((1.0, 0.0, 1.5), (5.0, 0.0, 1.5)).unseen_m == 0.0
    assert grid.line_of_sight((5.0, 0.0, 1.5), (1.0, 0.0, 1.5)).unseen_m == pytest.approx(5.0 - 3.05)


def test_the_wall_itself_can_be_seen():
    """The cells of both ends are left out: one asks whether something is between."""
    grid = looked(wall_at(3.0))
    assert grid.line_of_sight(EYE, (3.0, 0.0, 1.5)).clear
    assert grid.line_of_sight(EYE, EYE).clear
    far = grid.line_of_sight(EYE, (1e7, 0.0, 1.5))
    assert far.blocked_at_xyz == pytest.approx((3.0, 0.0, 1.5))
