"""The pinhole camera: pixels from points and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.errors import GeometryError


@dataclass(frozen=True, slots=True)
class Intrinsics:
    """A pinhole camera without distortion, for one image size.

    Attributes:
        width, height: image size, pixels.
        fx, fy: focal lengths, pixels.
        cx, cy: principal point, pixels, with pixel centres at integers (OpenCV).
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float

    def __post_init__(self) -> None:
        if not (self.width > 0 and self.height > 0):
            raise GeometryError(f"expected a positive image size, got {self.width}x{self.height}")
        numbers = (self.fx, self.fy, self.cx, self.cy)
        if not (np.isfinite(numbers).all() and self.fx > 0 and self.fy > 0):
            raise GeometryError(f"expected finite intrinsics with fx, fy > 0, got fx fy cx cy = {numbers}")

    @classmethod
    def from_matrix(cls, matrix: ArrayLike, width: int, height: int) -> Intrinsics:
        """From a calibration matrix K, (3, 3) or (4, 4)."""
        k = np.asarray(matrix, dtype=np.float64)
        return cls(width, height, float(k[0, 0]), float(k[1, 1]), float(k[0, 2]), float(k[1, 2]))

    def scaled_to(self, width: int, height: int) -> Intrinsics:
        """The same camera for an image resized to `width` x `height`.

        Centres sit at integers, so the principal point is scaled about the image corner at -0.5.
        """
        sx, sy = width / self.width, height / self.height
        cx, cy = (self.cx + 0.5) * sx - 0.5, (self.cy + 0.5) * sy - 0.5
        return Intrinsics(width, height, self.fx * sx, self.fy * sy, cx, cy)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The (3, 3) calibration matrix K."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])


def project(points_camera: ArrayLike, intrinsics: Intrinsics) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixels of points in the camera frame.

    Args:
        points_camera: (..., 3) metres, camera frame.
        intrinsics: the camera.

    Returns:
        (..., 2) pixel coordinates u, v, and (...) depth z. Points at or behind the camera (z <= 0) get NaN pixels.
    """
    points = np.asarray(points_camera, dtype=np.float64)
    z = points[..., 2]
    safe_z = np.where(z > 0, z, np.nan)
    u = intrinsics.fx * points[..., 0] / safe_z + intrinsics.cx
    v = intrinsics.fy * points[..., 1] / safe_z + intrinsics.cy
    return np.stack([u, v], axis=-1), z


def unproject(pixels_uv: ArrayLike, depth_m: ArrayLike, intrinsics: Intrinsics) -> NDArray[np.float64]:
    """Points (..., 3) in the camera frame of pixels (..., 2) at depth z (...), metres."""
    uv, z = np.asarray(pixels_uv, dtype=np.float64), np.asarray(depth_m, dtype=np.float64)
    x = (uv[..., 0] - intrinsics.cx) / intrinsics.fx * z
    y = (uv[..., 1] - intrinsics.cy) / intrinsics.fy * z
    return np.stack([x, y, z], axis=-1)


def unproject_image(depth_m: NDArray[np.floating], intrinsics: Intrinsics) -> NDArray[np.float32]:
    """The (h, w, 3) float32 points in the camera frame of a (h, w) depth image; NaN where depth is NaN.

    Raises:
        GeometryError: the depth image is not of the intrinsics' size.
    """
    if depth_m.shape != (intrinsics.height, intrinsics.width):
        raise GeometryError(
            f"expected a depth image of {intrinsics.height}x{intrinsics.width}, got {depth_m.shape}"
        )
    z = depth_m.astype(np.float32, copy=False)
    x_per_z = ((np.arange(intrinsics.width) - intrinsics.cx) / intrinsics.fx).astype(np.float32)
    y_per_z = ((np.arange(intrinsics.height) - intrinsics.cy) / intrinsics.fy).astype(np.float32)
    return np.stack([z * x_per_z[None, :], z * y_per_z[:, None], z], axis=-1)


def inside_image(pixels_uv: NDArray[np.floating], intrinsics: Intrinsics) -> NDArray[np.bool_]:
    """Which pixels (..., 2) fall inside the image; NaN does not."""
    u, v = pixels_uv[..., 0], pixels_uv[..., 1]
    with np.errstate(invalid="ignore"):
        inside = (u >= -0.5) & (u < intrinsics.width - 0.5) & (v >= -0.5) & (v < intrinsics.height - 0.5)
    return np.asarray(inside)
