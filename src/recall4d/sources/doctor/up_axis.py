"""Check of the world's up: from floors, tables and other level surfaces, and from how the camera was held."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

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


MIN_STEADINESS = 0.3
"""Length of the mean of unit vectors below which they have no common direction."""

UPRIGHT_TURNS = 2.0
"""A camera counts as a phone held upright when it turns this many times as much about the up that this means."""


@dataclass(frozen=True, slots=True)
class MeasuredUp:
    """Where up is in the world as read.

    Attributes:
        up_xyz: unit vector.
        support: share of all surface that is level under it; 0 when it comes from the camera alone.
    """

    up_xyz: tuple[float, float, float]
    support: float


def measure_up(depths: Collection[tuple[DepthLook, Floats]], poses: Floats) -> MeasuredUp | None:
    """The direction that level surfaces face, about which the camera mostly turns, near the camera's own up.

    The camera's up is -y of its frame; or, for a phone held upright whose images are stored as the sensor reads
    them, its x or -x. Floors, tables and ceilings say where exactly.

    Args:
        depths: each with `world_from_depth` (4, 4).
        poses: (n, 4, 4) `world_from_camera` along the recording.

    Returns:
        None when the cameras themselves point everywhere.
    """
    normals = np.concatenate([_normals(depth) @ pose[:3, :3].T for depth, pose in depths])
    normals = normals[:: max(1, -(-len(normals) // MAX_NORMALS))]
    turning = _turning(poses)
    level = _held(normals, -poses[:, :3, 1], sign_known=True)
    upright = _held(normals, poses[:, :3, 0], sign_known=False)
    if level is None or upright is None:
        return level or upright
    about_level, about_upright = (_share(turning, each.up_xyz) for each in (level, upright))
    # Walls may face along the camera's x as floors do along its y: only how it turns tells the two apart.
    is_upright = about_upright > UPRIGHT_TURNS * about_level and upright.support >= MIN_SUPPORT
    return upright if is_upright else level


def _held(normals: Floats, ups: Floats, sign_known: bool) -> MeasuredUp | None:
    """Up near the mean of the cameras' `ups` (n, 3); None when these point everywhere."""
    mean = ups.mean(axis=0)
    steadiness = float(np.linalg.norm(mean))
    return None if steadiness < MIN_STEADINESS else _refined(normals, mean / steadiness, sign_known)


def _share(turning: Floats, up_xyz: tuple[float, float, float]) -> float:
    up = np.array(up_xyz)
    return float(up @ turning @ up)


def _refined(normals: Floats, camera_up: Floats, sign_known: bool) -> MeasuredUp:
    """The direction near `camera_up` (3,) that most of the normals (n, 3) lie along.

    Args:
        normals: unit, facing the camera, world.
        camera_up: unit, world.
        sign_known: otherwise up is where more of the level surface faces: floors are seen more than ceilings.
    """
    level = normals[np.abs(normals @ camera_up) >= np.cos(np.radians(CAMERA_UP_WITHIN_DEG))]
    if len(level) < MIN_SUPPORT * len(normals) or len(level) == 0:
        return MeasuredUp(_vec3(camera_up), 0.0)
    one_way = level * np.sign(level @ camera_up)[:, None]
    same = np.cos(np.radians(SAME_SURFACE_DEG))
    seeds = one_way[:: max(1, len(one_way) // N_SEEDS)]
    up = seeds[int((one_way @ seeds.T >= same).sum(axis=0).argmax())]
    for _ in range(5):
        up = one_way[one_way @ up >= same].mean(axis=0)
        up = up / np.linalg.norm(up)
    along = level @ up
    support = float(np.count_nonzero(np.abs(along) >= same)) / len(normals)
    if support < MIN_SUPPORT:
        return MeasuredUp(_vec3(camera_up), 0.0)
    faces_down = np.count_nonzero(along <= -same) > np.count_nonzero(along >= same)
    return MeasuredUp(_vec3(-up if faces_down and not sign_known else up), support)


def _turning(poses: Floats) -> Floats:
    """(3, 3) how much the camera turns about each direction of the world; its trace is one.

    A camera looks around far more than it nods, so this is nearly all about up. Large turns are left out: they
    join two parts of a recording rather than show a motion.
    """
    steps = poses[1:, :3, :3] @ poses[:-1, :3, :3].transpose(0, 2, 1)
    vectors = Rotation.from_matrix(steps).as_rotvec() if len(steps) else np.zeros((0, 3))
    vectors = vectors[np.linalg.norm(vectors, axis=1) < np.radians(60)]
    moment = vectors.T @ vectors
    total = float(np.trace(moment))
    return np.asarray(moment / total if total > 1e-6 else np.eye(3) / 3)


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
        message = (
            f"{found}, and no axis of the stored world is nearer: no flag mends that. Above and below will be off."
        )
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
    """(n, 3) unit normals of smooth surface, facing the camera, depth camera frame."""
    points = unproject_image(depth.z_m, depth.coarse_intrinsics).astype(np.float64)
    across = points[1:-1, 2:] - points[1:-1, :-2]
    down = points[2:, 1:-1] - points[:-2, 1:-1]
    reach = 0.1 * points[1:-1, 1:-1, 2]
    with np.errstate(invalid="ignore"):
        smooth = (np.abs(across[..., 2]) < reach) & (np.abs(down[..., 2]) < reach)
    normals = np.cross(across[smooth], down[smooth])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals[lengths[:, 0] > 0] / lengths[lengths[:, 0] > 0]
    seen_from = points[1:-1, 1:-1][smooth][lengths[:, 0] > 0]
    return np.asarray(normals * -np.sign(np.einsum("ni,ni->n", normals, seen_from))[:, None])


def _angle_deg(a: Floats, b: Floats) -> float:
    return float(np.degrees(np.arccos(np.clip(a @ b, -1.0, 1.0))))


def _vec3(values: Floats) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
