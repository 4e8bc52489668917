"""A broken recording gets verdicts, not a traceback."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from filmed import CAMERA, Filmed, Misread, with_depth

from recall4d.errors import FrameError, RecordingError
from recall4d.records import DepthImage, Frame, Label, PointCloud, StoredMasks
from recall4d.sources.doctor import Report, examine


def unreadable(frame: Frame) -> Frame:
    raise FrameError("colour image unreadable", "000001.jpg")


def test_the_report_is_the_contract() -> None:
    document = examine(Misread(Filmed(), pose=lambda pose: pose * np.nan)).to_json()
    assert document["schema"] == "recall4d.doctor/1"
    assert document["format"] == "misread"
    for verdict in document["verdicts"]:
        assert set(verdict) == {"check", "level", "message", "measured", "suggest"}
        assert verdict["level"] in ("ok", "warn", "fail")
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_every_check_is_there_once() -> None:
    checks = [verdict.check for verdict in examine(Filmed()).verdicts]
    assert checks == [
        "resolution",
        "intrinsics",
        "depth_scale",
        "pose_direction",
        "camera_axes",
        "up_axis",
        "orthonormality",
        "poses",
        "stamps",
        "alignment",
        "dropped",
        "masks",
        "assumptions",
    ]


def test_a_recording_without_frames_is_no_recording() -> None:
    with pytest.raises(RecordingError, match="no frames"):
        examine(Misread(Filmed(), keep=lambda place: False))


@pytest.mark.parametrize("n", [1, 2])
def test_a_recording_of_hardly_any_frames(n: int) -> None:
    report = examine(Misread(Filmed(), keep=lambda place: place < n))
    assert report["pose_direction"].level == "warn"
    assert report["dropped"].measured["frames_looked_at"] == n


def test_frames_that_cannot_be_decoded_are_counted_by_reason() -> None:
    def every_third(frame: Frame) -> Frame:
        return unreadable(frame) if frame.number % 3 == 0 else frame

    verdict = examine(Misread(Filmed(), frame=every_third))["dropped"]
    assert verdict.level == "warn"
    assert verdict.measured["reasons"] == {"colour image unreadable": 7}


def test_no_frame_can_be_decoded() -> None:
    report = examine(Misread(Filmed(), frame=unreadable))
    assert report.level == report["dropped"].level == report["resolution"].level == "fail"


def test_poses_that_are_not_finite() -> None:
    report = examine(Misread(Filmed(), pose=lambda pose: np.full((4, 4), -np.inf)))
    assert report["orthonormality"].measured["not_finite"] == 20
    assert report["poses"].level == "fail"


def test_mirrored_and_scaled_poses_are_not_used() -> None:
    def broken(pose: np.ndarray) -> np.ndarray:
        factor = np.diag([1.0, 1.0, -1.0, 1.0]) if pose[0, 3] < 1 else np.diag([2.0, 2.0, 2.0, 1.0])
        return pose @ factor if pose[0, 3] < 2 else pose

    report = examine(Misread(Filmed(), pose=broken))
    measured = report["orthonormality"].measured
    assert report["orthonormality"].level == "warn"
    assert measured["mirrored"] > 0
    assert measured["not_a_rotation"] > 0
    assert report["pose_direction"].level == "ok"


def test_a_jump_is_no_motion() -> None:
    def jumping(pose: np.ndarray) -> np.ndarray:
        jump = np.zeros((4, 4))
        jump[0, 3] = 5.0
        return pose + jump * (pose[0, 3] > 2)

    verdict = examine(Misread(Filmed(), pose=jumping))["poses"]
    assert (verdict.level, verdict.measured["jumps"]) == ("warn", 1)
    assert verdict.measured["max_speed_m_s"] > 9


@pytest.mark.parametrize(("blank", "reason"), [(True, "blank depth"), (False, "without depth")])
def test_depth_that_is_not_there(blank: bool, reason: str) -> None:
    empty = DepthImage(np.full((120, 160), np.nan, dtype=np.float32), CAMERA)
    report = examine(Misread(Filmed(), frame=with_depth(lambda depth: empty if blank else None)))
    assert report["dropped"].measured["reasons"] == {reason: 20}
    assert report["depth_scale"].level == "warn"
    assert report["alignment"].level == "warn"


def test_streams_out_of_step_want_a_wider_skew() -> None:
    def late(frame: Frame) -> Frame:
        assert frame.depth is not None
        return replace(
            frame, depth=None if frame.number % 4 == 0 else replace(frame.depth, stamp_skew_ns=18_000_000)
        )

    verdict = examine(Misread(Filmed(), frame=late))["dropped"]
    assert (verdict.level, verdict.suggest) == ("warn", "--max-skew 0.045")


def test_a_point_cloud_does_for_depth() -> None:
    def scanned(frame: Frame) -> Frame:
        assert frame.depth is not None
        rows, columns = np.mgrid[0:120, 0:160]
        z = frame.depth.z_m
        points = np.stack([(columns - CAMERA.cx) / CAMERA.fx * z, (rows - CAMERA.cy) / CAMERA.fy * z, z], axis=-1)
        return replace(frame, depth=None, cloud=PointCloud(points.reshape(-1, 3), np.eye(4)))

    report = examine(Misread(Filmed(), frame=scanned))
    assert report["pose_direction"].level == report["depth_scale"].level == report["up_axis"].level == "ok"


def test_intrinsics_of_another_image_size() -> None:
    def halved(frame: Frame) -> Frame:
        return replace(frame, intrinsics=replace(CAMERA, cx=39.5, cy=29.5))

    verdict = examine(Misread(Filmed(), frame=halved))["intrinsics"]
    assert verdict.level == "warn"
    assert "intrinsics of another image size?" in verdict.message


def test_focal_lengths_that_differ() -> None:
    report = examine(Misread(Filmed(), frame=lambda frame: replace(frame, intrinsics=replace(CAMERA, fy=155.0))))
    assert "fx 130.0 and fy 155.0 differ by 19%" in report["intrinsics"].message


def test_masks_of_another_size_and_without_labels() -> None:
    def halved(frame: Frame) -> Frame:
        assert frame.masks is not None
        return replace(frame, masks=StoredMasks(frame.masks.ids[::2, ::2], {}))

    report = examine(Misread(Filmed(), frame=halved))
    assert report["resolution"].level == "fail"
    assert report["masks"].level == "warn"
    assert report["masks"].measured["share_unlabelled"] == 1


def test_labelled_masks_are_counted() -> None:
    report = examine(Filmed())
    assert report["masks"].level == "ok"
    assert report["masks"].measured["share_unlabelled"] == 0
    only_one_said = Misread(
        Filmed(), frame=lambda frame: replace(frame, masks=StoredMasks(_ids(frame), {1: Label("table")}))
    )
    assert examine(only_one_said)["masks"].measured["share_unlabelled"] > 0


def test_what_the_reader_assumed_is_said() -> None:
    assert examine(Misread(Filmed()))["assumptions"].message == "30 Hz assumed."


def test_a_report_is_as_bad_as_its_worst_verdict() -> None:
    assert Report("folder", ()).level == "ok"
    with pytest.raises(KeyError):
        Report("folder", ())["stamps"]


def _ids(frame: Frame) -> np.ndarray:
    assert frame.masks is not None
    return frame.masks.ids
