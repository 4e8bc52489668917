"""What is shared between formats: conventions, stamps, and streams that do not keep step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from recall4d.errors import RecordingError
from recall4d.geometry.pose import inverse, look_at, pose_from_axis_angle
from recall4d.records import SourceOptions
from recall4d.sources.common import (
    PoseConvention,
    in_order,
    intrinsics_of,
    nearest,
    pose_near,
    stamps_from_text,
    trajectory_from_quaternions,
    trajectory_of,
)

POSE = look_at((1.0, 2.0, 1.5), (2.0, 3.0, 0.5))
MS = 1_000_000


@dataclass
class At:
    stamp_ns: int
    name: str = ""


def test_every_convention_leads_to_the_same_pose() -> None:
    gl_from_cv = np.diag([1.0, -1.0, -1.0, 1.0])
    y_up_from_z_up = pose_from_axis_angle((-np.pi / 2, 0, 0), (0, 0, 0))
    y_down_from_z_up = pose_from_axis_angle((np.pi / 2, 0, 0), (0, 0, 0))
    beside = pose_from_axis_angle((0, 0.1, 0), (0.025, 0, 0))
    for stored, convention in (
        (POSE, PoseConvention()),
        (inverse(POSE), PoseConvention(direction="camera_from_world")),
        (POSE @ gl_from_cv, PoseConvention(camera_axes="opengl")),
        (y_up_from_z_up @ POSE, PoseConvention(up_axis="y")),
        (y_down_from_z_up @ POSE, PoseConvention(up_axis="-y")),
        (POSE @ beside, PoseConvention(tracked_from_colour=inverse(beside))),
        (
            inverse(y_up_from_z_up @ POSE @ gl_from_cv),
            PoseConvention("camera_from_world", camera_axes="opengl", up_axis="y"),
        ),
    ):
        read, why = convention.read(stored)
        assert why is None
        assert read == pytest.approx(POSE, abs=1e-12)


def test_what_the_user_knows_better_replaces_the_convention() -> None:
    known = SourceOptions(pose_direction="camera_from_world", up_axis="y")
    convention = PoseConvention(camera_axes="opengl").overridden_by(known)
    assert (convention.direction, convention.camera_axes, convention.up_axis) == (
        "camera_from_world",
        "opengl",
        "y",
    )


@pytest.mark.parametrize(
    ("stored", "why"),
    [
        (None, "no pose"),
        ("pose unreadable", "pose unreadable"),
        (np.full((4, 4), -np.inf), "pose not finite"),
        (POSE * [1, 1, 1, np.nan], "pose not finite"),
        (POSE @ np.diag([1.0, 1.0, -1.0, 1.0]), "pose not a rotation"),
        (POSE @ np.diag([2.0, 2.0, 2.0, 1.0]), "pose not a rotation"),
        (np.zeros((4, 4)), "pose not a rotation"),
    ],
)
def test_an_unusable_pose_is_none_with_a_reason(stored: object, why: str) -> None:
    assert PoseConvention().read(stored) == (None, why)  # type: ignore[arg-type]


def test_nearest_is_within_the_skew_or_none() -> None:
    assert nearest([0, 100 * MS, 119 * MS, 500 * MS], [10 * MS, 110 * MS, 130 * MS], 0.02) == [0, 1, 1, None]
    assert nearest([5], [], 0.02) == [None]
    assert nearest([0, 30 * MS], [10 * MS], 0.02) == [0, 0]


def test_a_pose_is_interpolated_but_not_across_a_long_gap() -> None:
    quaternions = np.tile([0.0, 0.0, 0.0, 1.0], (4, 1))
    places = np.array([[0.0, 0, 0], [1.0, 0, 0], [9.0, 0, 0], [np.nan, 0, 0]])
    stamps = [0, 100 * MS, 900 * MS, 500 * MS]
    way = trajectory_from_quaternions(stamps, places, quaternions, PoseConvention(), max_gap_s=0.25)

    between = pose_near(way, 50 * MS, max_skew_s=0.02)
    assert between is not None
    assert between[0, 3] == pytest.approx(0.5)
    assert pose_near(way, 500 * MS, max_skew_s=0.02) is None
    at_the_end = pose_near(way, 910 * MS, max_skew_s=0.02)
    assert at_the_end is not None
    assert at_the_end[0, 3] == 9.0
    assert pose_near(trajectory_of({}, 0.25), 0, max_skew_s=0.02) is None


@pytest.mark.parametrize(
    ("text", "stamp_ns"),
    [
        ("1305031102.175304", 1305031102_175304000),
        ("12.25", 12_250_000_000),
        ("1305031102175304123", 1305031102_175304123),
        ("1305031102175304", 1305031102_175304000),
        ("1305031102175", 1305031102_175000000),
    ],
)
def test_stamps_are_read_in_the_unit_that_their_magnitude_shows(text: str, stamp_ns: int) -> None:
    stamps, notes = stamps_from_text([text], "rgb.txt")
    assert stamps == [stamp_ns]
    assert bool(notes) == ("." not in text)


def test_a_stamp_that_is_no_number_says_where() -> None:
    with pytest.raises(RecordingError, match=r"rgb\.txt.*'soon'"):
        stamps_from_text(["1.0", "soon"], "rgb.txt")


def test_frames_are_sorted_and_one_a_stamp() -> None:
    frames, notes = in_order([At(3), At(1), At(3, "again"), At(2)])
    assert [(frame.stamp_ns, frame.name) for frame in frames] == [(1, ""), (2, ""), (3, "")]
    assert notes == (
        "frames were not in order of time: sorted by stamp",
        "1 frames repeat the stamp of another: left out",
    )


def test_intrinsics_of_resized_images_are_scaled_and_noted() -> None:
    matrix = np.array([[1170.0, 0, 647.5], [0, 1170.0, 483.5], [0, 0, 1]])
    camera, notes = intrinsics_of(matrix, (648, 484), (1296, 968), "intrinsic_color.txt")
    assert (camera.fx, camera.cx) == pytest.approx((585.0, 323.5))
    assert notes == ("intrinsic_color.txt is for 1296x968: scaled to images of 648x484",)


def test_intrinsics_that_fit_the_images_stay() -> None:
    matrix = np.array([[585.0, 0, 323.5], [0, 585.0, 241.5], [0, 0, 1]])
    camera, notes = intrinsics_of(matrix, (648, 484), (1296, 968), "intrinsic_color.txt")
    assert (camera.fx, camera.cx, notes) == (585.0, 323.5, ())


def test_a_matrix_of_no_camera_is_refused() -> None:
    with pytest.raises(RecordingError, match=r"intrinsic_color\.txt"):
        intrinsics_of(np.eye(2), (640, 480), (640, 480), "intrinsic_color.txt")
    with pytest.raises(RecordingError, match="fx, fy > 0"):
        intrinsics_of(np.zeros((3, 3)), (640, 480), (640, 480), "intrinsic_color.txt")
