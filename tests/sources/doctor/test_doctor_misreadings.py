"""What the doctor is for: a recording read wrongly, and the flag that mends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from filmed import START_NS, Filmed, Misread, depth_moved, depth_times, with_depth
from scipy.spatial.transform import Rotation

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import CV_FROM_GL, Z_UP_FROM_Y_UP, inverse, pose
from recall4d.ports import Source
from recall4d.records import DepthImage, Frame, SourceOptions
from recall4d.sources import folder, seven_scenes
from recall4d.sources.common import PoseConvention
from recall4d.sources.doctor import Report, examine
from recall4d.synth import Take, look_along

Y_UP_FROM_Z_UP = inverse(Z_UP_FROM_Y_UP)
MINUS_Y_UP_FROM_Z_UP = CV_FROM_GL @ Y_UP_FROM_Z_UP
STAMPS_NS = START_NS + np.arange(20) * 500_000_000
OPTIONS = SourceOptions()
Shared = Callable[[str], Path]

MISREADINGS = {
    "poses are world-to-camera": ({"pose": inverse}, {"pose_direction": "--pose-direction camera_from_world"}),
    "axes are OpenGL's": ({"pose": lambda p: p @ CV_FROM_GL}, {"camera_axes": "--camera-axes opengl"}),
    "both": (
        {"pose": lambda p: inverse(p @ CV_FROM_GL)},
        {"pose_direction": "--pose-direction camera_from_world", "camera_axes": "--camera-axes opengl"},
    ),
    "Y is up": ({"pose": lambda p: Y_UP_FROM_Z_UP @ p}, {"up_axis": "--up-axis y"}),
    "-Y is up": ({"pose": lambda p: MINUS_Y_UP_FROM_Z_UP @ p}, {"up_axis": "--up-axis -y"}),
    "millimetres as 1/5000 m": ({"frame": depth_times(0.2)}, {"depth_scale": "--depth-unit 0.001"}),
    "millimetres as metres": ({"frame": depth_times(1000)}, {"depth_scale": "--depth-unit 0.001"}),
    "world-to-camera and depth five times too far": (
        {"pose": inverse, "frame": depth_times(5)},
        {"pose_direction": "--pose-direction camera_from_world", "depth_scale": "--depth-unit 0.001"},
    ),
    "OpenGL's axes and Y up": (
        {"pose": lambda p: Y_UP_FROM_Z_UP @ p @ CV_FROM_GL},
        {"camera_axes": "--camera-axes opengl", "up_axis": "--up-axis y"},
    ),
    "no stamps": ({"stamp": lambda ns: 0}, {"stamps": "--rate 30"}),
}


def failures(report: Report) -> dict[str, str | None]:
    return {verdict.check: verdict.suggest for verdict in report.verdicts if verdict.level == "fail"}


def concerns(report: Report) -> set[str]:
    return {verdict.check for verdict in report.verdicts if verdict.level != "ok"}


def test_a_recording_read_rightly_is_all_ok() -> None:
    report = examine(Filmed())
    assert concerns(report) == set()
    assert report["depth_scale"].measured["factor"] == pytest.approx(1, abs=0.05)
    assert report["up_axis"].measured["tilt_deg"] < 1
    assert report["stamps"].measured["rate_hz"] == 2


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misreading_is_found_and_the_flag_that_mends_it(name: str) -> None:
    changes, flags = MISREADINGS[name]
    assert failures(examine(Misread(Filmed(), **changes))) == flags


def test_tum_depth_read_as_millimetres() -> None:
    stored = Filmed(unit_m=1 / 5000)
    assert failures(examine(stored)) == {}
    assert failures(examine(Misread(stored, frame=depth_times(5)))) == {"depth_scale": "--depth-unit 0.0002"}


def test_flags_name_what_the_file_holds_not_what_the_reader_made_of_it() -> None:
    # A reader that takes world-to-camera, OpenGL and Y up for granted, on a file that holds what recall4d uses.
    convention = PoseConvention("camera_from_world", "opengl", "y")
    report = examine(Misread(Filmed(), pose=convention.world_from_colour), convention=convention)
    assert failures(report) == {
        "pose_direction": "--pose-direction world_from_camera",
        "camera_axes": "--camera-axes opencv",
        "up_axis": "--up-axis z",
    }


def test_depth_beside_its_image_is_found_with_the_shift() -> None:
    verdict = examine(Misread(Filmed(), frame=depth_moved(right=6, down=-4)))["alignment"]
    assert verdict.level == "fail"
    assert verdict.measured["best_shift_px"] == [-6, 4]
    assert verdict.measured["best_share"] > verdict.measured["share_on_edges"]


def test_a_scale_of_no_known_unit_is_no_unit() -> None:
    def apart(pose: np.ndarray) -> np.ndarray:
        return np.vstack([np.column_stack([pose[:3, :3], 0.37 * pose[:3, 3]]), pose[3]])

    verdict = examine(Misread(Filmed(), pose=apart))["depth_scale"]
    assert (verdict.level, verdict.suggest) == ("fail", None)
    assert verdict.measured["factor"] == pytest.approx(0.37, rel=0.05)


def test_estimated_depth_whose_scale_wanders_is_not_metric() -> None:
    def wandering(frame: Frame) -> Frame:
        return depth_times(np.random.default_rng(frame.number).uniform(0.7, 1.3))(frame)

    verdict = examine(Misread(Filmed(), frame=wandering))["depth_scale"]
    assert verdict.level == "fail"
    assert "estimated or relative depth" in verdict.message


def test_depth_stretched_to_sixteen_bits_is_not_metric() -> None:
    def stretched(depth: DepthImage) -> DepthImage:
        near, far = np.nanmin(depth.z_m), np.nanmax(depth.z_m)
        stored = np.rint((depth.z_m - near) / (far - near) * 65535)
        return DepthImage((stored * 0.001).astype(np.float32), depth.intrinsics)

    verdict = examine(Misread(Filmed(), frame=with_depth(stretched)))["depth_scale"]
    assert verdict.level == "fail"
    assert "65535, is read as 65.5 m" in verdict.message


def test_a_tilted_world_is_measured() -> None:
    tilt = pose(Rotation.from_euler("x", 8, degrees=True).as_matrix(), [0, 0, 0])
    verdict = examine(Misread(Filmed(), pose=lambda p: tilt @ p))["up_axis"]
    assert (verdict.level, verdict.suggest) == ("warn", None)
    assert verdict.measured["tilt_deg"] == pytest.approx(8, abs=0.5)


def test_a_phone_held_upright_does_not_tip_the_world_over() -> None:
    quarter = pose(Rotation.from_euler("z", 90, degrees=True).as_matrix(), [0, 0, 0])

    def on_its_side(frame: Frame) -> Frame:
        k, depth = frame.intrinsics, frame.depth
        assert depth is not None
        turned = Intrinsics(k.height, k.width, k.fy, k.fx, k.cy, k.width - 1 - k.cx)
        return Frame(
            agent=frame.agent,
            number=frame.number,
            stamp_ns=frame.stamp_ns,
            rgb=np.ascontiguousarray(np.rot90(frame.rgb)),
            intrinsics=turned,
            world_from_camera=frame.world_from_camera,
            depth=DepthImage(np.ascontiguousarray(np.rot90(depth.z_m)), turned),
        )

    report = examine(Misread(Filmed(), pose=lambda p: p @ quarter, frame=on_its_side))
    assert concerns(report) == set()


def test_a_camera_that_stands_still_leaves_the_questions_open() -> None:
    first = next(Filmed().headers()).world_from_camera
    assert first is not None
    report = examine(Misread(Filmed(), pose=lambda p: first))
    for check in ("pose_direction", "camera_axes"):
        assert report[check].level == "warn"
        assert report[check].message.startswith("Undecided")
    assert report["depth_scale"].level == "warn"
    assert report["depth_scale"].suggest is None


def test_a_robot_that_drives_straight_past_a_wall_is_not_lying_on_its_side() -> None:
    eyes = np.column_stack([np.linspace(0.4, 2.5, 20), np.full(20, 0.9), np.full(20, 1.2)])
    report = examine(Filmed(take=Take("robot", STAMPS_NS, look_along(eyes, eyes + np.array([1, 0, 0])))))
    assert report["up_axis"].level == "ok"


def test_a_camera_on_a_tripod_gives_no_scale_and_no_false_alarm() -> None:
    turns = np.linspace(0, 2 * np.pi, 20)
    eyes = np.tile([2.0, 1.2, 1.4], (20, 1))
    ahead = np.column_stack([np.cos(turns), np.sin(turns), np.zeros(20)])
    report = examine(Filmed(take=Take("tripod", STAMPS_NS, look_along(eyes, eyes + ahead))))
    assert failures(report) == {}
    assert report["depth_scale"].level == "warn"


@pytest.mark.parametrize("name", ["red_kitchen", "house_4d/alpha", "house_4d/bravo"])
def test_recordings_at_hand_are_all_ok(shared: Shared, name: str) -> None:
    assert concerns(examine(folder.FORMAT.open(shared(f"data/{name}"), OPTIONS))) == set()


def test_the_bundled_recording_is_all_ok(demo_house: Path) -> None:
    assert concerns(examine(folder.FORMAT.open(demo_house, OPTIONS))) == set()


def test_original_seven_scenes_frames_are_right_but_tilted(shared: Shared) -> None:
    report = examine(seven_scenes.FORMAT.open(shared("data/red_kitchen_raw"), OPTIONS))
    assert concerns(report) == {"up_axis"}
    assert report["up_axis"].measured["tilt_deg"] == pytest.approx(27, abs=2)


@pytest.mark.parametrize("name", ["both", "Y is up", "millimetres as 1/5000 m"])
def test_misreadings_of_a_real_recording(shared: Shared, name: str) -> None:
    real: Source = folder.FORMAT.open(shared("data/red_kitchen"), OPTIONS)
    changes, flags = MISREADINGS[name]
    assert failures(examine(Misread(real, **changes), n_frames=16)) == flags
