"""OpenEQA: two flavours in one layout."""

from __future__ import annotations

from pathlib import Path

import pytest
from writers import WRITERS

from recall4d.records import SourceOptions
from recall4d.sources.openeqa import FORMAT


def recording(folder: Path, flavour: str, name: str = "history") -> Path:
    """A history under a name that does not say its flavour."""
    writer = WRITERS[f"openeqa-{flavour}"]
    path = writer.write(folder, writer.footage())
    return path.rename(folder / name)


@pytest.mark.parametrize(
    ("flavour", "why"),
    [("hm3d", "colour and depth of one size"), ("scannet", "colour and depth of different size")],
)
def test_the_flavour_follows_from_the_cameras_where_no_name_tells(tmp_path: Path, flavour: str, why: str) -> None:
    source = FORMAT.open(recording(tmp_path, flavour), SourceOptions())
    assert source.notes[0] == f"{flavour} flavour, by {why}"


def test_the_exporters_fy_is_mended_and_noted(tmp_path: Path) -> None:
    source = FORMAT.open(recording(tmp_path, "hm3d"), SourceOptions())
    frame = source.load(next(source.headers()), "alpha")
    assert frame.intrinsics.fx == frame.intrinsics.fy == 130.0
    assert "intrinsic_color.txt: fy 154.7 is the exporter's error, fx 130.0 used for both" in source.notes


def test_colour_alone_is_a_recording_without_depth_and_poses(tmp_path: Path) -> None:
    path = recording(tmp_path, "hm3d", "000-hm3d-BFRyYbPCCPE")
    for file in (*path.glob("*-depth.png"), *path.glob("*.txt")):
        file.unlink()
    source = FORMAT.open(path, SourceOptions())
    header = next(source.headers())
    frame = source.load(header, "alpha")
    assert header.why_no_pose == "no pose"
    assert frame.depth is None
    assert frame.intrinsics.fx == 80.0
    assert "no intrinsic_color.txt: 90 degrees wide assumed" in source.notes


def test_a_convention_may_be_given(tmp_path: Path) -> None:
    path = recording(tmp_path, "hm3d")
    as_stored = next(FORMAT.open(path, SourceOptions(camera_axes="opencv", up_axis="z")).headers())
    assert as_stored.world_from_camera is not None
    first_row = [float(number) for number in (path / "000000.txt").read_text().split()[:4]]
    assert as_stored.world_from_camera[0] == pytest.approx(first_row, abs=1e-6)
