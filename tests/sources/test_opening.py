"""From a path to a recording, or to one clear sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from writers import WRITERS

from recall4d import plugins
from recall4d.errors import RecordingError, UsageError
from recall4d.records import SourceOptions
from recall4d.sources import open_recording


@pytest.fixture(autouse=True)
def known_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    formats = {writer.format.name: writer.format for writer in WRITERS.values()}
    monkeypatch.setattr(plugins, "source_formats", lambda: iter(formats.values()))


@pytest.mark.parametrize("name", WRITERS)
def test_the_format_is_told_by_its_files(name: str, tmp_path: Path) -> None:
    writer = WRITERS[name]
    source = open_recording(str(writer.write(tmp_path, writer.footage())))
    assert source.format == writer.format.name


def test_a_path_to_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"no recording at .*absent: there is no such file or folder"):
        open_recording(tmp_path / "absent")


def test_an_empty_folder_names_the_known_formats(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"is an empty folder: .*folder, .*tum"):
        open_recording(tmp_path)


def test_a_foreign_folder_says_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "holiday.mp4").touch()
    with pytest.raises(RecordingError, match=r"no recording of a known format \(.*tum.*\): found holiday\.mp4$"):
        open_recording(tmp_path)


def test_a_folder_of_recordings_names_them(tmp_path: Path) -> None:
    for name in ("alpha", "bravo"):
        WRITERS["folder"].write(tmp_path / name, WRITERS["folder"].footage())
    with pytest.raises(RecordingError, match="give one of the recordings in it: alpha, bravo"):
        open_recording(tmp_path)


def test_a_foreign_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("milk")
    with pytest.raises(RecordingError, match="a single file of 4 bytes"):
        open_recording(tmp_path / "notes.txt")


def test_a_format_may_be_named_and_must_be_known(tmp_path: Path) -> None:
    path = WRITERS["tum"].write(tmp_path, WRITERS["tum"].footage())
    assert open_recording(path, "tum").format == "tum"
    with pytest.raises(RecordingError, match="has no frames"):
        open_recording(path, "replica")
    with pytest.raises(UsageError, match=r"unknown recording format 'avi': expected one of .*tum"):
        open_recording(path, "avi")


def test_a_recording_of_two_formats_has_to_be_named(tmp_path: Path) -> None:
    for name in ("tum", "seven-scenes"):
        WRITERS[name].write(tmp_path, WRITERS[name].footage())
    with pytest.raises(RecordingError, match="could be any of seven-scenes, tum"):
        open_recording(tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        SourceOptions(stride=0),
        SourceOptions(rate_hz=0.0),
        SourceOptions(depth_unit_m=float("nan")),
        SourceOptions(max_skew_s=-1.0),
    ],
)
def test_options_that_cannot_be_are_refused(options: SourceOptions, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a"):
        open_recording(tmp_path, options=options)
