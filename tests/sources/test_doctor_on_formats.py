"""The doctor on every format: rightly read all is well, and its flags are about what that format's files hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from writers import WRITERS

from recall4d.records import SourceOptions
from recall4d.sources.doctor import examine
from recall4d.synth import tour


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_read_as_it_is_meant(name: str, tmp_path: Path) -> None:
    writer = WRITERS[name]
    path = writer.write(tmp_path, replace(writer.footage(), take=tour(16, start_ns=1_760_000_000_123_000_000)))
    report = examine(writer.format.open(path, SourceOptions()), n_frames=16)
    assert [verdict for verdict in report.verdicts if verdict.level != "ok"] == []


@pytest.mark.parametrize(
    ("name", "wrong", "check", "flag"),
    [
        ("arkitscenes", {"pose_direction": "world_from_camera"}, "pose_direction", "camera_from_world"),
        ("nerfstudio", {"camera_axes": "opencv"}, "camera_axes", "opengl"),
        ("polycam", {"up_axis": "z"}, "up_axis", "y"),
        ("record3d", {"pose_direction": "camera_from_world"}, "pose_direction", "world_from_camera"),
        ("seven-scenes", {"up_axis": "z"}, "up_axis", "-y"),
        ("replica", {"depth_unit_m": 0.001}, "depth_scale", "0.00015259"),
    ],
)
def test_a_wrong_flag_is_answered_by_the_right_one(
    name: str, wrong: dict[str, str], check: str, flag: str, tmp_path: Path
) -> None:
    writer = WRITERS[name]
    path = writer.write(tmp_path, replace(writer.footage(), take=tour(16, start_ns=1_760_000_000_123_000_000)))
    report = examine(writer.format.open(path, SourceOptions(**wrong)), n_frames=16)
    failed = {
        verdict.check: (verdict.suggest or "").split()[-1] for verdict in report.verdicts if verdict.level == "fail"
    }
    assert failed == {check: flag}
