"""Regions and paths, against plain geometry."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall4d.errors import GeometryError
from recall4d.geometry.region import PATH_STEP_M, Path, Region
from recall4d.geometry.relations import Boxes

L_SHAPE = Region.of([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], (0.0, 1.0))
metres = st.floats(-4, 4).map(lambda value: round(value, 2))


@given(metres, metres)
def test_a_point_is_in_an_l_if_it_is_in_one_of_its_two_arms(x: float, y: float) -> None:
    arms = (0 <= x <= 2 and 0 <= y <= 1) or (0 <= x <= 1 and 0 <= y <= 2)
    assert bool(L_SHAPE.contains(np.array([x, y, 0.5]))) == arms


@given(metres, metres, metres)
def test_the_distance_from_a_box_is_that_of_the_box(x: float, y: float, z: float) -> None:
    low, high = np.array([-1.0, -1.0, 0.0]), np.array([1.0, 2.0, 1.0])
    off = np.maximum(np.maximum(low - [x, y, z], [x, y, z] - high), 0.0)
    assert float(Region.of_box(low, high).distance_m(np.array([x, y, z]))) == pytest.approx(np.linalg.norm(off))


def test_a_path_is_thinned_out_and_measured_in_plan() -> None:
    walked = np.array([[x, 0.0, 1.5] for x in np.arange(0, 3, 0.01)])
    path = Path.of(walked)
    assert 28 <= len(path.points_xy) <= 30
    boxes = Boxes(np.array([[1.0, 1.0, 0.0], [1.0, -0.1, 0.0]]), np.array([[1.2, 1.2, 0.5], [1.2, 0.1, 0.5]]))
    assert path.distance_m(boxes).tolist() == pytest.approx([1.0, 0.0], abs=PATH_STEP_M / 2)


@pytest.mark.parametrize("corners", [[(0, 0), (1, 0)], [(0, 0), (1, 0), (2, 0)], [(0, 0), (1, 0), (np.inf, 1)]])
def test_what_encloses_nothing_is_no_region(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(GeometryError):
        Region.of(corners)
