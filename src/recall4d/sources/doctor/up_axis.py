"""Check of the world's up: from floors, tables and other level surfaces, and from how the camera was held."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.camera import unproject_image
from recall4d.geometry.pose import Floats
from recall4d.records import UpAxis
from recall4d.sources.common import PoseConvention
from recall4d.sources.doctor.look import DepthLook
from recall4d.sources.doctor.report import Verdict, rounded

LEVEL_WITHIN_DEG = 3.0
TILTED_FROM_DEG = 20.0
"""Between the two a world is askew but its up axis is right; beyond, another axis may be meant."""

CAMERA_UP_WITHIN_DEG = 45.0
"""How far the mean up of hand-held or robot-borne cameras may be from true up."""

SAME_SURFACE_DEG = 8.0
MIN_SUPPORT = 0.05
MAX_NORMALS = 4000
N_SEEDS = 300


@dataclass(frozen=True, slots=True)
class MeasuredUp:
    """Where up is in the world as read.

    Attributes:
        up_xyz: unit vector.
        support: share of all surface that is level under it; 0 when it comes from the camera alone.
    """

    up_xyz: tuple[float, float, float]
    support: float


def measure_up(depths: Collection[tuple[DepthLook, Floats]]) -> MeasuredUp | None:
    """The direction to which level surfaces are perpendicular, near the mean up of the cameras.

    Args:
        depths: each with `world_from_depth` (4, 4).

    Returns:
        None when the cameras themselves point everywhere.
    """
    camera_up = -np.mean([world_from_depth[:3, 1] for _, world_from_depth in depths], axis=0)
    length = float(np.linalg.norm(camera_up))
    if length < 0.3:
        return None
    camera_up = camera_up / length
    normals = np.concatenate([_normals(depth) @ pose[:3, :3].T for depth, pose in depths])
    normals = normals[:: max(1, -(-len(normals) // MAX_NORMALS))]
    heights = normals @ camera_up
    level = normals[np.abs(heights) >= np.cos(np.radians(CAMERA_UP_WITHIN_DEG))]
    level = level * np.sign(level @ camera_up)[:, None]  # floors and ceilings alike
    if len(level) == 0:
        return MeasuredUp(_vec3(camera_up), 0.0)
    same = np.cos(np.radians(SAME_SURFACE_DEG))
    seeds = level[:: max(1, len(level) // N_SEEDS)]
    up = seeds[int((level @ seeds.T >= same).sum(axis=0).argmax())]
    for _ in range(5):
        up = level[level @ up >= same].mean(axis=0)
        up = up / np.linalg.norm(up)
    support = float(np.count_nonzero(level @ up >= same)) / len(normals)
    return MeasuredUp(
        _vec3(up if support >= MIN_SUPPORT else camera_up), support if support >= MIN_SUPPORT else 0.0
    )


def check_up_axis(measured_up: MeasuredUp | None, convention: PoseConvention) -> Verdict:
    """Verdict `up_axis`: how far the world's Z is from the measured up, and which axis of the stored world it is.

    Args:
        measured_up: in the world as read.
        convention: as which the poses were read.
    """
    if measured_up is None:
        message = "Undecided: no frame has both pose and depth, or the camera was held every way up."
        return Verdict("up_axis", "warn", message, {"read_as": convention.up_axis})
    up = np.array(measured_up.up_xyz)
    tilt_deg = _angle_deg(up, np.array([0.0, 0.0, 1.0]))
    measured = {
        "read_as": convention.up_axis,
        "up_xyz": [rounded(each) for each in up],
        "tilt_deg": rounded(tilt_deg, 1),
        "level_share": rounded(measured_up.support),
    }
    seen_by = "level surfaces" if measured_up.support else "the way the camera was held"
    allowed_deg = LEVEL_WITHIN_DEG if measured_up.support else CAMERA_UP_WITHIN_DEG
    if tilt_deg <= allowed_deg:
        message = f"Z is up, within {tilt_deg:.1f}° by {seen_by}."
        return Verdict("up_axis", "ok", message, measured)
    if tilt_deg <= max(TILTED_FROM_DEG, allowed_deg):
        message = f"The world is tilted by {tilt_deg:.1f}° by {seen_by}: above and below will be a little off."
        return Verdict("up_axis", "warn", message, measured)
    axis, left_deg = _nearest_axis(up, convention)
    found = f"Z is not up: by {seen_by} up is {tilt_deg:.0f}° from it"
    if axis == convention.up_axis or left_deg > CAMERA_UP_WITHIN_DEG:
        message = f"{found}, and no axis of the stored world is nearer. Above, below and floor will be wrong."
        return Verdict("up_axis", "warn", message, measured)
    if left_deg <= max(TILTED_FROM_DEG, allowed_deg - 10):
        message = f"{found}. It is {axis} of the stored world, within {left_deg:.1f}°."
        return Verdict("up_axis", "fail", message, measured, f"--up-axis {axis}")
    message = f"{found}. The stored world is askew: {axis} is nearest to up, {left_deg:.0f}° off."
    return Verdict("up_axis", "warn", message, measured, f"--up-axis {axis}")


def _nearest_axis(up_xyz: Floats, convention: PoseConvention) -> tuple[UpAxis, float]:
    world_from_stored = PoseConvention(up_axis=convention.up_axis).world_from_colour(np.eye(4))[:3, :3]
    up_stored = world_from_stored.T @ up_xyz
    axes: dict[UpAxis, list[float]] = {"z": [0.0, 0.0, 1.0], "y": [0.0, 1.0, 0.0], "-y": [0.0, -1.0, 0.0]}
    off = {axis: _angle_deg(up_stored, np.array(direction)) for axis, direction in axes.items()}
    nearest = min(off, key=lambda axis: off[axis])
    return nearest, off[nearest]


def _normals(depth: DepthLook) -> NDArray[np.float64]:
    """(n, 3) unit normals of smooth surface, depth camera frame."""
    points = unproject_image(depth.z_m, depth.coarse_intrinsics).astype(np.float64)
    across = points[1:-1, 2:] - points[1:-1, :-2]
    down = points[2:, 1:-1] - points[:-2, 1:-1]
    reach = 0.1 * points[1:-1, 1:-1, 2]
    with np.errstate(invalid="ignore"):
        smooth = (np.abs(across[..., 2]) < reach) & (np.abs(down[..., 2]) < reach)
    normals = np.cross(across[smooth], down[smooth])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(normals[lengths[:, 0] > 0] / lengths[lengths[:, 0] > 0])


def _angle_deg(a: Floats, b: Floats) -> float:
    return float(np.degrees(np.arccos(np.clip(a @ b, -1.0, 1.0))))


def _vec3(values: Floats) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
