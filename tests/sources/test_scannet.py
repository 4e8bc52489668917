"""ScanNet: resized exports, and streams that are cut short, unstamped or foreign."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from writers import WRITERS
from writers.scannet import sens_bytes

from recall4d.errors import FrameError, RecordingError
from recall4d.records import SourceOptions
from recall4d.sources import scannet, scannet_sens

FOOTAGE = WRITERS["scannet-sens"].footage()


def sens(folder: Path, content: bytes) -> Path:
    path = folder / "scene0000_00.sens"
    path.write_bytes(content)
    return path


def test_intrinsics_of_the_full_size_follow_resized_images(tmp_path: Path) -> None:
    path = WRITERS["scannet"].write(tmp_path, FOOTAGE)
    (path / "intrinsic/intrinsic_color.txt").write_text("1170 0 647.5 0\n0 1170 483.5 0\n0 0 1 0\n0 0 0 1\n")
    source = scannet.FORMAT.open(path, SourceOptions())
    frame = source.load(next(source.headers()), "alpha")
    assert frame.intrinsics.fx == pytest.approx(1170 * 160 / 1296)
    assert "intrinsic_color.txt is for 1296x968: scaled to images of 160x120" in source.notes


def test_an_export_without_intrinsics_is_refused(tmp_path: Path) -> None:
    path = WRITERS["scannet"].write(tmp_path, FOOTAGE)
    (path / "intrinsic/intrinsic_color.txt").unlink()
    with pytest.raises(RecordingError, match=r"intrinsic_color\.txt: No such file"):
        scannet.FORMAT.open(path, SourceOptions())


@pytest.mark.parametrize("kept", [0.5, 0.9])
def test_of_a_stream_cut_short_whole_frames_are_kept_and_the_rest_counted(tmp_path: Path, kept: float) -> None:
    whole = sens_bytes(FOOTAGE)
    source = scannet_sens.FORMAT.open(sens(tmp_path, whole[: int(len(whole) * kept)]), SourceOptions())
    headers = list(source.headers())
    n_left_out = len(FOOTAGE) - len(headers)
    assert 0 < n_left_out < len(FOOTAGE)
    assert f"the file is cut short: {n_left_out} of 5 frames left out" in source.notes
    assert all(source.load(header, "alpha").depth is not None for header in headers)


def test_a_stream_without_stamps_runs_at_30_hz(tmp_path: Path) -> None:
    source = scannet_sens.FORMAT.open(sens(tmp_path, sens_bytes(FOOTAGE, stamped=False)), SourceOptions())
    assert [header.stamp_ns for header in source.headers()][:3] == [0, 33_333_333, 66_666_667]
    assert "no time stamps: 30 Hz assumed, counted from frame 0" in source.notes


def test_frames_are_read_in_any_order(tmp_path: Path) -> None:
    source = scannet_sens.FORMAT.open(sens(tmp_path, sens_bytes(FOOTAGE)), SourceOptions())
    headers = list(source.headers())
    late, early = source.load(headers[4], "alpha"), source.load(headers[1], "alpha")
    assert np.abs(late.rgb.astype(int) - FOOTAGE.view(4).rgb).mean() < 8
    assert np.abs(early.rgb.astype(int) - FOOTAGE.view(1).rgb).mean() < 8


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "ends inside its header"),
        (sens_bytes(FOOTAGE)[:200], "ends inside its header"),
        (struct.pack("<I", 3) + bytes(400), "expected a .sens file of version 4, got version 3"),
        (sens_bytes(FOOTAGE)[:350], "has no frames"),
        (sens_bytes(FOOTAGE)[:4] + b"\xff" * 500, "ends inside its header"),
    ],
)
def test_what_is_no_stream_is_refused_in_one_sentence(tmp_path: Path, content: bytes, says: str) -> None:
    with pytest.raises(RecordingError, match=says):
        scannet_sens.FORMAT.open(sens(tmp_path, content), SourceOptions())


def test_a_payload_that_is_no_depth_costs_its_frame(tmp_path: Path) -> None:
    content = sens_bytes(FOOTAGE)
    source = scannet_sens.FORMAT.open(sens(tmp_path, content[:-50] + bytes(50)), SourceOptions())
    with pytest.raises(FrameError) as caught:
        source.load(list(source.headers())[-1], "alpha")
    assert caught.value.reason == "depth image unreadable"
