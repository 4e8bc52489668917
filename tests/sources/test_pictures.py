"""A folder of images and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from writers import WRITERS

from recall4d.errors import RecordingError
from recall4d.records import SourceOptions
from recall4d.sources.pictures import FORMAT


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    path = tmp_path / "walk"
    path.mkdir()
    for number in (3, 1, 2):
        Image.fromarray(np.full((60, 80, 3), number, np.uint8)).save(path / f"{number:04d}.png")
    return path


def test_images_come_in_order_of_name_with_what_had_to_be_assumed(walk: Path) -> None:
    assert FORMAT.recognises(walk)
    source = FORMAT.open(walk, SourceOptions(rate_hz=5.0, without_poses=True))
    headers = list(source.headers())
    frames = [source.load(header, "walk") for header in headers]
    assert [int(frame.rgb[0, 0, 0]) for frame in frames] == [1, 2, 3]
    assert [frame.stamp_ns for frame in frames] == [0, 200_000_000, 400_000_000]
    assert all(frame.world_from_camera is None and frame.depth is None for frame in frames)
    assert all(frame.intrinsics_assumed for frame in frames)
    assert frames[0].intrinsics.fx == pytest.approx(40 / np.tan(np.radians(30)))
    assert any("field of view" in note for note in source.notes)


def test_without_a_mapper_they_are_no_recording(walk: Path) -> None:
    with pytest.raises(RecordingError, match="images only: name a mapper"):
        FORMAT.open(walk, SourceOptions())


@pytest.mark.parametrize("name", WRITERS)
def test_no_recording_of_another_format_is_taken_for_images(name: str, tmp_path: Path) -> None:
    path = WRITERS[name].write(tmp_path, WRITERS[name].footage())
    assert not FORMAT.recognises(path)


def test_other_files_beside_the_images_make_it_something_else(walk: Path) -> None:
    (walk / "notes.txt").touch()
    assert not FORMAT.recognises(walk)
