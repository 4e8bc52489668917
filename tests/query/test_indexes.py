"""Indexes leave out nothing that they are asked for."""

import numpy as np
import pytest

from recall4d.query.grid import MAX_STRIPS, Grid
from recall4d.query.time_index import BLOCK, TimeIndex
from recall4d.query.vector_scan import MIN_COPIED, SCANS_BEFORE_COPY, VectorScan

N = 3000


@pytest.mark.parametrize("seed", range(5))
def test_a_grid_finds_every_box_that_meets_a_place_and_few_others(seed):
    random = np.random.default_rng(seed)
    low = random.uniform(-30, 30, size=(N, 3))
    high = low + random.choice([0.0, 0.2, 2.0, 5.0, 40.0, 300.0], p=[0.1, 0.6, 0.2, 0.08, 0.01, 0.01], size=(N, 1))
    grid = Grid(low, high)
    for _ in range(30):
        corner = random.uniform(-40, 40, size=3)
        end = corner + random.uniform(0, 4, size=3)
        meets = ((low <= end) & (high >= corner))[:, :2].all(axis=1)
        found = grid.meeting(corner, end)
        assert len(set(found.tolist())) == len(found)
        assert set(np.flatnonzero(meets).tolist()) <= set(found.tolist())
        assert len(found) < N / 4


def test_boxes_that_only_touch_a_place_meet_it():
    low = np.array([[2.0, 0.0, 0.0], [-2.0, -2.0, 0.0], [4.0, 4.0, 0.0]])
    grid = Grid(low, low + 2.0)
    assert set(grid.meeting(np.zeros(3), np.full(3, 2.0)).tolist()) >= {0, 1}


def test_a_grid_does_not_look_through_more_cells_than_there_are_boxes():
    grid = Grid(np.array([[0.0, 0, 0], [1e9, 0, 0]]), np.array([[1.0, 1, 1], [1e9 + 1, 1, 1]]))
    assert grid.meeting(np.zeros(3), np.array([2.0 * MAX_STRIPS + 10, 1.0, 1.0])) is None
    assert grid.meeting(np.full(3, -1e6), np.full(3, -1e6)).tolist() == []
    assert Grid(np.zeros((0, 3)), np.zeros((0, 3))).meeting(np.zeros(3), np.ones(3)).tolist() == []


@pytest.mark.parametrize("seed", range(5))
def test_a_time_index_finds_exactly_the_stretches_that_meet_an_interval(seed):
    random = np.random.default_rng(seed)
    from_ns = random.integers(0, 10_000, size=N)
    to_ns = from_ns + random.choice([0, 10, 100, 9000], p=[0.3, 0.4, 0.29, 0.01], size=N)
    index = TimeIndex(from_ns, to_ns)
    for _ in range(50):
        after, before = np.sort(random.integers(-10, 20_000, size=2)).tolist()
        expected = np.flatnonzero((from_ns <= before) & (to_ns >= after))
        assert np.array_equal(np.sort(index.meeting(after, before)), expected)
        assert index.offer(after, before)[0] >= len(expected)
    assert index.offer(100, 110)[0] < N / 4 + BLOCK


@pytest.fixture(scope="module")
def vectors():
    random = np.random.default_rng(1)
    centres = random.normal(size=(20, 48))
    near = centres[random.integers(20, size=2 * MIN_COPIED)] + 0.4 * random.normal(size=(2 * MIN_COPIED, 48))
    near[7] = 0.0
    return (near / np.maximum(np.linalg.norm(near, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def test_rough_cosines_are_never_farther_off_than_they_say(vectors):
    scan = VectorScan(vectors)
    queries = vectors[[5, 100]].astype(np.float64)
    exact = scan.exact(queries, np.arange(len(vectors)))
    errors = []
    for _ in range(SCANS_BEFORE_COPY + 2):
        rough, error = scan.rough(queries)
        assert np.abs(rough - exact).max() <= error
        errors.append(error)
    assert errors[-1] > errors[0], "the compact copy was never used"
    rows = np.arange(3, len(vectors), 5)
    rough, error = scan.rough(queries, rows)
    assert np.abs(rough - exact[rows]).max() <= error < 0.05
