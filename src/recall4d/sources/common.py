"""What recordings differ in, and how it is evened out: pose conventions, stamps, streams that do not keep step."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.clock import NS_PER_S, seconds_to_ns, stamp_unit
from recall4d.errors import GeometryError, RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import (
    CV_FROM_GL,
    Z_UP_FROM_Y_UP,
    Floats,
    Trajectory,
    checked_pose,
    inverse,
    pose_from_quaternion,
)
from recall4d.records import CameraAxes, PoseDirection, SourceOptions, UpAxis

NO_POSE = "no pose"
POSE_NOT_FINITE = "pose not finite"
POSE_NOT_A_ROTATION = "pose not a rotation"

_Z_UP_FROM: dict[UpAxis, Floats] = {
    "z": np.eye(4),
    "y": Z_UP_FROM_Y_UP,
    "-y": Z_UP_FROM_Y_UP @ np.diag([1.0, -1.0, -1.0, 1.0]),
}


class Stamped(Protocol):
    """Anything with an instant."""

    @property
    def stamp_ns(self) -> int:
        """The instant."""
        ...


StampedT = TypeVar("StampedT", bound=Stamped)


@dataclass(frozen=True, slots=True, eq=False)
class PoseConvention:
    """How a format writes its poses.

    Attributes:
        direction: what a stored matrix takes to what.
        camera_axes: axes of the camera frame it speaks of.
        up_axis: up in the stored world.
        tracked_from_colour: (4, 4), for recordings whose poses are of another camera than the colour camera,
            both with OpenCV axes.
    """

    direction: PoseDirection = "world_from_camera"
    camera_axes: CameraAxes = "opencv"
    up_axis: UpAxis = "z"
    tracked_from_colour: Floats | None = None

    def overridden_by(self, options: SourceOptions) -> PoseConvention:
        """This convention with what the user knows better."""
        return replace(
            self,
            direction=options.pose_direction or self.direction,
            camera_axes=options.camera_axes or self.camera_axes,
            up_axis=options.up_axis or self.up_axis,
        )

    def world_from_colour(self, stored: Floats) -> Floats:
        """The pose of the colour camera, OpenCV axes, in a Z-up world, of a stored rigid (4, 4) matrix."""
        world_from_tracked = inverse(stored) if self.direction == "camera_from_world" else stored
        if self.camera_axes == "opengl":
            world_from_tracked = world_from_tracked @ CV_FROM_GL
        if self.tracked_from_colour is not None:
            world_from_tracked = world_from_tracked @ self.tracked_from_colour
        return np.asarray(_Z_UP_FROM[self.up_axis] @ world_from_tracked)

    def read(self, stored: ArrayLike | str | None) -> tuple[Floats | None, str | None]:
        """(`world_from_camera`, None), or (None, why there is none).

        Args:
            stored: (4, 4) or (3, 4) matrix; None where the recording has no pose; or, as text, the reason why.
        """
        if stored is None or isinstance(stored, str):
            return None, stored or NO_POSE
        matrix = np.asarray(stored, dtype=np.float64)
        if not np.isfinite(matrix).all():
            return None, POSE_NOT_FINITE
        try:
            return self.world_from_colour(checked_pose(matrix)), None
        except GeometryError:
            return None, POSE_NOT_A_ROTATION


def intrinsics_of(
    matrix: Floats, size: tuple[int, int], native_size: tuple[int, int], what: str
) -> tuple[Intrinsics, tuple[str, ...]]:
    """The camera of a calibration matrix that does not say for which image size it holds.

    It is taken to hold for the images there are, unless its principal point lies far from their centre and near
    that of images of the sensor's own size: then the images were resized and the matrix was not.

    Args:
        matrix: (3, 3) or (4, 4).
        size: (width, height) of the images there are.
        native_size: of the images that the sensor delivers.
        what: what the matrix is called, for the note.

    Raises:
        RecordingError: the matrix is not that of a camera.
    """
    if min(matrix.shape) < 3:
        raise RecordingError(f"{what}: expected a 3x3 or 4x4 matrix, got {matrix.shape[0]}x{matrix.shape[1]}")
    centre = matrix[:2, 2]
    off_centre, off_native = (np.abs(centre / each - 0.5).max() for each in (size, native_size))
    try:
        if off_centre > 0.15 and off_native < off_centre:
            note = f"{what} is for {native_size[0]}x{native_size[1]}: scaled to images of {size[0]}x{size[1]}"
            return Intrinsics.from_matrix(matrix, *native_size).scaled_to(*size), (note,)
        return Intrinsics.from_matrix(matrix, *size), ()
    except GeometryError as error:
        raise RecordingError(f"{what}: {error}") from error


def trajectory_from_quaternions(
    stamps_ns: Sequence[int],
    translations_xyz: Floats,
    quaternions_xyzw: Floats,
    convention: PoseConvention,
    max_gap_s: float,
) -> Trajectory:
    """A trajectory of stored poses; unusable and repeated samples are left out.

    Args:
        stamps_ns: n, in any order.
        translations_xyz: (n, 3) metres.
        quaternions_xyzw: (n, 4).
        convention: how they are stored.
        max_gap_s: see `Trajectory`.
    """
    by_stamp: dict[int, Floats] = {}
    for stamp_ns, translation, quaternion in zip(stamps_ns, translations_xyz, quaternions_xyzw, strict=True):
        if np.isfinite(translation).all() and abs(float(np.linalg.norm(quaternion)) - 1.0) < 1e-2:
            stored = pose_from_quaternion(quaternion, translation)
            by_stamp.setdefault(stamp_ns, convention.world_from_colour(stored))
    return trajectory_of(by_stamp, max_gap_s)


def trajectory_of(world_from_camera_by_stamp: dict[int, Floats], max_gap_s: float) -> Trajectory:
    """The trajectory through the poses of a dictionary stamp_ns -> (4, 4)."""
    stamps_ns = sorted(world_from_camera_by_stamp)
    poses = np.array([world_from_camera_by_stamp[stamp] for stamp in stamps_ns]).reshape(-1, 4, 4)
    return Trajectory(np.array(stamps_ns, dtype=np.int64), poses, seconds_to_ns(max_gap_s))


def pose_near(trajectory: Trajectory, stamp_ns: int, max_skew_s: float) -> Floats | None:
    """The pose at an instant: between its neighbours, or, beyond the ends and in gaps, a sample within the skew."""
    between = trajectory.at(stamp_ns)
    if between is not None:
        return between
    (index,) = nearest([stamp_ns], trajectory.stamps_ns, max_skew_s)
    return None if index is None else np.asarray(trajectory.poses[index])


def nearest(
    stamps_ns: Sequence[int] | NDArray[np.int64], stream_ns: Sequence[int] | NDArray[np.int64], max_skew_s: float
) -> list[int | None]:
    """For each stamp the index of the nearest of a sorted stream; None where none is within `max_skew_s`."""
    stream = np.asarray(stream_ns, dtype=np.int64)
    if len(stream) == 0:
        return [None] * len(stamps_ns)
    stamps = np.asarray(stamps_ns, dtype=np.int64)
    after = np.searchsorted(stream, stamps).clip(1, max(len(stream) - 1, 1))
    before = after - 1
    after = after.clip(max=len(stream) - 1)
    best = np.where(np.abs(stream[after] - stamps) < np.abs(stream[before] - stamps), after, before)
    close = np.abs(stream[best] - stamps) <= seconds_to_ns(max_skew_s)
    return [int(index) if ok else None for index, ok in zip(best, close, strict=True)]


def synthetic_stamp_ns(number: int, rate_hz: float) -> int:
    """The stamp of frame `number` of a recording without stamps: frame 0 is instant 0."""
    return round(number * NS_PER_S / rate_hz)


def rate_of(options: SourceOptions, default_hz: float) -> tuple[float, str]:
    """Frames a second of a recording without stamps, and the note that says so."""
    rate_hz = options.rate_hz or default_hz
    return rate_hz, f"no time stamps: {rate_hz:g} Hz assumed, counted from frame 0"


def stamps_from_text(texts: Sequence[str], what: str) -> tuple[list[int], tuple[str, ...]]:
    """Stamps (ns) of a column that should hold seconds, and a note where its magnitude says otherwise.

    Args:
        texts: the stamps as written, so that no digit is lost.
        what: where they stand, for notes and errors.

    Raises:
        RecordingError: one of them is not a number.
    """
    try:
        as_seconds_ns = [seconds_to_ns(text) for text in texts]
    except ValueError as error:
        raise RecordingError(f"{what}: {error}") from error
    unit = stamp_unit(as_seconds_ns[0] / NS_PER_S) if as_seconds_ns else "s"
    if unit in ("s", "relative"):
        return as_seconds_ns, ()
    per_second = {"ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    note = f"{what}: stamps read as {unit} since 1970, by their magnitude"
    return [stamp // per_second for stamp in as_seconds_ns], (note,)


def in_order(frames: Iterable[StampedT]) -> tuple[tuple[StampedT, ...], tuple[str, ...]]:
    """Frames by stamp, one a stamp, and notes on what had to be mended.

    An agent sees one frame an instant: of several with the same stamp the first is kept.
    """
    given = list(frames)
    kept: list[StampedT] = []
    for frame in sorted(given, key=lambda each: each.stamp_ns):
        if not kept or frame.stamp_ns > kept[-1].stamp_ns:
            kept.append(frame)
    notes = []
    if any(later.stamp_ns < earlier.stamp_ns for earlier, later in itertools.pairwise(given)):
        notes.append("frames were not in order of time: sorted by stamp")
    if repeated := len(given) - len(kept):
        notes.append(f"{repeated} frames repeat the stamp of another: left out")
    return tuple(kept), tuple(notes)
