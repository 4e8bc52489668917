"""Replica: a trajectory that does not fit the frames, and a camera that no file tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from writers import WRITERS

from recall4d.errors import RecordingError
from recall4d.records import SourceOptions
from recall4d.sources.replica import FORMAT


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return WRITERS["replica"].write(tmp_path, WRITERS["replica"].footage())


def test_frames_beyond_the_trajectory_have_no_pose(recording: Path) -> None:
    rows = (recording / "traj.txt").read_text().splitlines()
    (recording / "traj.txt").write_text("\n".join([rows[0], "lost", rows[2]]))
    reasons = [header.why_no_pose for header in FORMAT.open(recording, SourceOptions()).headers()]
    assert reasons == [None, "pose unreadable", None, "no pose", "no pose"]


def test_without_a_trajectory_it_says_so(recording: Path) -> None:
    (recording / "traj.txt").unlink()
    source = FORMAT.open(recording, SourceOptions())
    assert {header.why_no_pose for header in source.headers()} == {"no pose"}
    assert "no traj.txt: frames have no pose" in source.notes


def test_the_camera_may_lie_in_the_folder_or_be_the_usual_one(recording: Path) -> None:
    beside = recording.parent / "cam_params.json"
    beside.rename(recording / "cam_params.json")
    assert not any("assumed" in note for note in FORMAT.open(recording, SourceOptions()).notes[1:])
    (recording / "cam_params.json").unlink()
    assert any("no cam_params.json: 1200x680" in note for note in FORMAT.open(recording, SourceOptions()).notes)


def test_a_camera_that_cannot_be_is_refused(recording: Path) -> None:
    (recording / "cam_params.json").write_text('{"camera": {"fx": -600}}')
    with pytest.raises(RecordingError, match=r"cam_params\.json: camera\.fx: .*got -600"):
        FORMAT.open(recording, SourceOptions())
