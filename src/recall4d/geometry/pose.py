"""Rigid transforms as (4, 4) float64 matrices, named `b_from_a`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.errors import GeometryError

Floats = NDArray[np.float64]

CV_FROM_GL = np.diag([1.0, -1.0, -1.0, 1.0])
"""Camera axes: OpenCV (x right, y down, z forward) from OpenGL (x right, y up, z backward). Its own inverse."""

Z_UP_FROM_Y_UP = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""World axes: Z up from Y up (ARKit, Habitat): x stays, y becomes z, z becomes -y."""

ROTATION_TOLERANCE = 1e-2
"""How far R R^T may be from the identity before a pose is refused rather than rounded to a rotation."""


def pose(rotation: ArrayLike, translation_xyz: ArrayLike) -> Floats:
    """The (4, 4) transform of a (3, 3) rotation and a (3,) translation."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = translation_xyz
    return matrix


def pose_from_quaternion(quaternion_xyzw: ArrayLike, translation_xyz: ArrayLike) -> Floats:
    """The (4, 4) transform of a unit quaternion in x, y, z, w order and a (3,) translation.

    Raises:
        GeometryError: the quaternion is not of length one (within 1 %).
    """
    quaternion = np.asarray(quaternion_xyzw, dtype=np.float64)
    length = float(np.linalg.norm(quaternion))
    if not abs(length - 1.0) < 1e-2:
        raise GeometryError(f"expected a unit quaternion, got length {length:.4g}")
    from scipy.spatial.transform import Rotation

    return pose(Rotation.from_quat(quaternion).as_matrix(), translation_xyz)


def pose_from_axis_angle(axis_angle_rad: ArrayLike, translation_xyz: ArrayLike) -> Floats:
    """The (4, 4) transform of a (3,) rotation vector (axis times angle) and a (3,) translation."""
    from scipy.spatial.transform import Rotation

    return pose(Rotation.from_rotvec(np.asarray(axis_angle_rad, dtype=np.float64)).as_matrix(), translation_xyz)


def checked_pose(matrix: ArrayLike) -> Floats:
    """A (4, 4) float64 copy whose rotation is exactly orthonormal.

    Text files round rotations to a few digits; within `ROTATION_TOLERANCE` they are snapped to the nearest
    rotation (by singular values). A (3, 4) matrix gets its last row.

    Raises:
        GeometryError: not finite, not 3x4 or 4x4, last row not 0 0 0 1, scaled, sheared or mirrored.
    """
    values = np.asarray(matrix, dtype=np.float64)
    if values.shape == (3, 4):
        values = np.vstack([values, [0.0, 0.0, 0.0, 1.0]])
    if values.shape != (4, 4):
        raise GeometryError(f"expected a pose of shape (4, 4), got {values.shape}")
    if not np.isfinite(values).all():
        raise GeometryError("the pose is not finite")
    if not np.allclose(values[3], [0.0, 0.0, 0.0, 1.0], atol=1e-6):
        raise GeometryError(f"expected a last pose row of 0 0 0 1, got {values[3].tolist()}")
    rotation = values[:3, :3]
    error = float(np.abs(rotation @ rotation.T - np.eye(3)).max())
    if error > ROTATION_TOLERANCE:
        raise GeometryError(f"the pose's rotation is not orthonormal (off by {error:.3g})")
    if np.linalg.det(rotation) < 0:
        raise GeometryError("the pose mirrors: its rotation has determinant -1")
    left, _, right = np.linalg.svd(rotation)
    return pose(left @ right, values[:3, 3])


def inverse(b_from_a: Floats) -> Floats:
    """`a_from_b`, exact for rigid transforms (transpose, not a general inverse)."""
    rotation = b_from_a[:3, :3].T
    return pose(rotation, -rotation @ b_from_a[:3, 3])


def transform(b_from_a: Floats, points_a: ArrayLike) -> Floats:
    """Points (..., 3) in a, taken to b."""
    points = np.asarray(points_a)
    return np.asarray(points @ b_from_a[:3, :3].T + b_from_a[:3, 3])


def rotation_angle_rad(rotation: Floats) -> float:
    """The angle of a (3, 3) or (4, 4) rotation, in [0, pi]."""
    from scipy.spatial.transform import Rotation

    return float(Rotation.from_matrix(rotation[:3, :3]).magnitude())


def look_at(eye_xyz: ArrayLike, target_xyz: ArrayLike) -> Floats:
    """`world_from_camera` of a level camera at `eye_xyz` that looks at `target_xyz` in a Z-up world.

    Raises:
        GeometryError: the two points coincide or the view is straight up or down.
    """
    eye = np.asarray(eye_xyz, dtype=np.float64)
    forward = np.asarray(target_xyz, dtype=np.float64) - eye
    right = np.cross(forward, [0.0, 0.0, 1.0])
    if np.linalg.norm(right) < 1e-9:
        raise GeometryError("a level camera cannot look straight up, straight down or at itself")
    forward, right = forward / np.linalg.norm(forward), right / np.linalg.norm(right)
    return pose(np.column_stack([right, np.cross(forward, right), forward]), eye)


def interpolate(start: Floats, end: Floats, fraction: float) -> Floats:
    """The pose a `fraction` in [0, 1] of the way from `start` to `end`: linear in place, spherical in rotation."""
    from scipy.spatial.transform import Rotation, Slerp

    turn = Slerp([0.0, 1.0], Rotation.from_matrix(np.stack([start[:3, :3], end[:3, :3]])))
    return pose(turn(fraction).as_matrix(), (1 - fraction) * start[:3, 3] + fraction * end[:3, 3])


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Poses over time, and between them.

    Attributes:
        stamps_ns: (n,) int64, strictly increasing.
        poses: (n, 4, 4) `world_from_camera`.
        max_gap_ns: nothing is interpolated across a longer gap, and nothing extrapolated.
    """

    stamps_ns: NDArray[np.int64]
    poses: Floats
    max_gap_ns: int

    def __post_init__(self) -> None:
        n = len(self.stamps_ns)
        if self.poses.shape != (n, 4, 4):
            raise GeometryError(f"expected poses of shape ({n}, 4, 4), got {self.poses.shape}")
        if n > 1 and not (np.diff(self.stamps_ns) > 0).all():
            raise GeometryError("expected strictly increasing stamps in a trajectory")

    def at(self, stamp_ns: int) -> Floats | None:
        """The pose at `stamp_ns`; None inside a gap longer than `max_gap_ns` or outside the recording."""
        after = int(np.searchsorted(self.stamps_ns, stamp_ns))
        if after < len(self.stamps_ns) and self.stamps_ns[after] == stamp_ns:
            return np.asarray(self.poses[after])
        if after == 0 or after == len(self.stamps_ns):
            return None
        start, end = int(self.stamps_ns[after - 1]), int(self.stamps_ns[after])
        if end - start > self.max_gap_ns:
            return None
        return interpolate(self.poses[after - 1], self.poses[after], (stamp_ns - start) / (end - start))

    def at_or_before(self, stamp_ns: int) -> Floats | None:
        """The pose at `stamp_ns`, or else the last one before it; None before the first."""
        pose = self.at(stamp_ns)
        if pose is None and (latest := self.latest(stamp_ns)) is not None:
            pose = latest[1]
        return pose

    def latest(self, stamp_ns: int) -> tuple[int, Floats] | None:
        """The last pose at or before `stamp_ns` with its own stamp; None before the first."""
        index = int(np.searchsorted(self.stamps_ns, stamp_ns, side="right")) - 1
        return None if index < 0 else (int(self.stamps_ns[index]), np.asarray(self.poses[index]))
