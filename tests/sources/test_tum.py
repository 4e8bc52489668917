"""TUM RGB-D: streams out of step, and a camera that only the sequence's name tells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from writers import WRITERS

from recall4d.records import SourceOptions
from recall4d.sources.tum import FORMAT

WRITER = WRITERS["tum"]


def recording(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return WRITER.write(folder, WRITER.footage())


def test_depth_keeps_how_late_it_is(tmp_path: Path) -> None:
    source = FORMAT.open(recording(tmp_path), SourceOptions())
    depth = source.load(next(source.headers()), "alpha").depth
    assert depth is not None
    assert depth.stamp_skew_ns == 7_000_000


def test_depth_too_late_is_not_the_frames(tmp_path: Path) -> None:
    source = FORMAT.open(recording(tmp_path), SourceOptions(max_skew_s=0.005))
    assert source.load(next(source.headers()), "alpha").depth is None
    assert "5 colour images have no depth image within 0.005 s" in source.notes


def test_no_pose_is_made_up_across_a_gap(tmp_path: Path) -> None:
    source = FORMAT.open(recording(tmp_path), SourceOptions(max_pose_gap_s=0.06))
    assert {header.why_no_pose for header in source.headers()} == {"no pose"}


def test_without_groundtruth_frames_have_no_pose_and_it_says_so(tmp_path: Path) -> None:
    path = recording(tmp_path)
    (path / "groundtruth.txt").unlink()
    source = FORMAT.open(path, SourceOptions())
    assert {header.why_no_pose for header in source.headers()} == {"no pose"}
    assert "no groundtruth.txt: frames have no pose" in source.notes


def test_without_depth_frames_keep_their_images(tmp_path: Path) -> None:
    path = recording(tmp_path)
    (path / "depth.txt").unlink()
    source = FORMAT.open(path, SourceOptions())
    assert source.load(next(source.headers()), "alpha").depth is None
    assert "no depth.txt" in source.notes


def test_stamps_written_in_nanoseconds_are_noticed(tmp_path: Path) -> None:
    path = recording(tmp_path)
    lines = (path / "rgb.txt").read_text().splitlines()[1:]
    stamps, names = zip(*(line.split() for line in lines), strict=True)
    (path / "rgb.txt").write_text(
        "\n".join(f"{s.replace('.', '')} {n}" for s, n in zip(stamps, names, strict=True))
    )
    source = FORMAT.open(path, SourceOptions())
    assert [header.stamp_ns for header in source.headers()] == WRITER.footage().take.stamps_ns.tolist()
    assert all(header.world_from_camera is not None for header in source.headers())
    assert "rgb.txt: stamps read as ns since 1970, by their magnitude" in source.notes


@pytest.mark.parametrize(
    ("name", "fx_px", "note"),
    [
        (
            "rgbd_dataset_freiburg1_desk",
            517.3,
            "the camera of freiburg1 assumed; its lens distortion is not removed",
        ),
        ("rgbd_dataset_freiburg3_office", 535.4, "the camera of freiburg3 assumed"),
        ("my_kitchen", 525.0, "a Kinect with f = 525 px at 640x480 assumed"),
    ],
)
def test_the_camera_follows_from_the_sequences_name(tmp_path: Path, name: str, fx_px: float, note: str) -> None:
    path = recording(tmp_path / name)
    (path / "calibration.txt").unlink()
    source = FORMAT.open(path, SourceOptions())
    frame = source.load(next(source.headers()), "alpha")
    assert frame.intrinsics.fx == pytest.approx(fx_px * 160 / 640)
    assert f"no intrinsics: {note}" in source.notes


def test_a_pose_between_samples_lies_on_the_way(tmp_path: Path) -> None:
    path = recording(tmp_path)
    stamp_s = 1_760_000_000.123
    rows = [f"{stamp_s - 0.1:.9f} 1 2 3 0 0 0 1", f"{stamp_s + 0.1:.9f} 2 2 3 0 0 0 1", "garbled", "1 2 3"]
    (path / "groundtruth.txt").write_text("\n".join(rows))
    source = FORMAT.open(path, SourceOptions())
    pose = next(source.headers()).world_from_camera
    assert pose is not None
    assert pose[:3, 3] == pytest.approx(np.array([1.5, 2.0, 3.0]), abs=1e-6)
    assert "groundtruth.txt: 2 samples are repeated or no poses: left out" in source.notes
