"""7-Scenes: two cameras that only measurement tells, in a world that is not level."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from writers import WRITERS

from recall4d.records import SourceOptions
from recall4d.sources.seven_scenes import FORMAT


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return WRITERS["seven-scenes"].write(tmp_path, WRITERS["seven-scenes"].footage())


def test_depth_comes_with_its_own_camera(recording: Path) -> None:
    source = FORMAT.open(recording, SourceOptions())
    depth = source.load(next(source.headers()), "alpha").depth
    assert depth is not None
    assert depth.intrinsics.fx == 585.0 / 4
    assert depth.colour_from_depth[0, 3] == pytest.approx(-0.025, abs=1e-3)


def test_a_depth_camera_beside_the_frames_is_read(recording: Path) -> None:
    (recording / "camera-intrinsics.txt").write_text("150 0 80\n0 151 60\n0 0 1\n")
    source = FORMAT.open(recording, SourceOptions())
    depth = source.load(next(source.headers()), "alpha").depth
    assert depth is not None
    assert (depth.intrinsics.fx, depth.intrinsics.fy) == (150.0, 151.0)


def test_both_values_for_unknown_depth_are_unknown(recording: Path) -> None:
    file = recording / "frame-000000.depth.png"
    raw = np.array(Image.open(file))
    raw[0, :2] = (0, 65535)
    Image.fromarray(raw).save(file)
    source = FORMAT.open(recording, SourceOptions())
    depth = source.load(next(source.headers()), "alpha").depth
    assert depth is not None
    assert np.isnan(depth.z_m[0, :2]).all()
    assert np.nanmax(depth.z_m) < 10


def test_the_tilt_of_the_world_is_noted_unless_up_is_given(recording: Path) -> None:
    assert any("not aligned with gravity" in note for note in FORMAT.open(recording, SourceOptions()).notes)
    level = FORMAT.open(recording, SourceOptions(up_axis="z"))
    assert not any("gravity" in note for note in level.notes)
