"""Projection and back-projection undo each other, at any resolution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall4d.errors import GeometryError
from recall4d.geometry.camera import Intrinsics, inside_image, project, unproject, unproject_image

cameras = st.builds(
    Intrinsics,
    width=st.integers(16, 2000),
    height=st.integers(16, 2000),
    fx=st.floats(50, 2000),
    fy=st.floats(50, 2000),
    cx=st.floats(0, 2000),
    cy=st.floats(0, 2000),
)


@given(cameras, st.floats(-3000, 3000), st.floats(-3000, 3000), st.floats(0.05, 100))
def test_project_after_unproject_is_the_identity(camera, u, v, z):
    pixel, depth = project(unproject([u, v], z, camera), camera)
    assert np.allclose(pixel, [u, v], atol=1e-6)
    assert depth == pytest.approx(z)


@given(cameras, st.integers(1, 5))
def test_a_resized_image_sees_the_same_rays(camera, factor):
    """The corner of the image stays the corner: pixel centres are at integers."""
    larger = camera.scaled_to(camera.width * factor, camera.height * factor)
    corner, larger_corner = unproject([-0.5, -0.5], 1.0, camera), unproject([-0.5, -0.5], 1.0, larger)
    assert np.allclose(corner, larger_corner)
    back = larger.scaled_to(camera.width, camera.height)
    assert np.allclose(back.matrix, camera.matrix)


def test_points_behind_the_camera_have_no_pixel():
    camera = Intrinsics(64, 48, 50, 50, 31.5, 23.5)
    pixels, _ = project([[0, 0, -1], [0, 0, 1]], camera)
    assert inside_image(pixels, camera).tolist() == [False, True]


def test_unknown_depth_stays_unknown():
    camera = Intrinsics(4, 3, 5, 5, 1.5, 1.0)
    depth = np.full((3, 4), 2.0, dtype=np.float32)
    depth[1, 2] = np.nan
    points = unproject_image(depth, camera)
    assert np.isnan(points[1, 2]).all()
    assert np.isfinite(points).sum() == 3 * 11


def test_a_depth_image_of_another_size_is_refused():
    with pytest.raises(GeometryError, match="expected a depth image of 3x4"):
        unproject_image(np.ones((4, 3), dtype=np.float32), Intrinsics(4, 3, 5, 5, 1.5, 1.0))


@pytest.mark.parametrize("numbers", [(0, 5, 1, 1), (5, -5, 1, 1), (np.nan, 5, 1, 1)])
def test_a_camera_has_positive_focal_lengths(numbers):
    with pytest.raises(GeometryError):
        Intrinsics(4, 3, *numbers)
