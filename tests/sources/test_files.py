"""Text, JSON and names."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from recall4d.errors import RecordingError
from recall4d.sources.files import agent_name, lines_of, matrix_from_text, numbered_files, pose_from_text, read_json


class Size(BaseModel):
    width: int


def test_files_are_found_by_number_not_by_name(tmp_path: Path) -> None:
    (tmp_path / "color").mkdir()
    for name in ("10.jpg", "9.jpg", "2.JPG", "thumbs.db", "9.png"):
        (tmp_path / "color" / name).touch()
    found = numbered_files(tmp_path, "color", r"(\d+)\.(jpg|png)")
    assert list(found.items()) == [(2, "color/2.JPG"), (9, "color/9.jpg"), (10, "color/10.jpg")]
    assert numbered_files(tmp_path, "absent", r"(\d+)\.jpg") == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "the file"), ("[1, 2", "the file"), ('{"width": "broad"}', "width.*'broad'"), ("{}", "width.*required")],
)
def test_json_of_another_shape_says_where_and_what(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "camera.json"
    path.write_text(text)
    with pytest.raises(RecordingError, match=rf"camera\.json: {says}"):
        read_json(path, Size)


def test_json_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"camera\.json: No such file"):
        read_json(tmp_path / "camera.json", Size)


@pytest.mark.parametrize(
    ("text", "read"),
    [("1 2 3", "pose unreadable"), ("a b c d", "pose unreadable"), ("", "pose unreadable"), (None, "no pose")],
)
def test_a_pose_file_that_holds_no_pose_says_why(tmp_path: Path, text: str | None, read: str) -> None:
    if text is not None:
        (tmp_path / "pose.txt").write_text(text)
    assert pose_from_text(tmp_path / "pose.txt") == read


def test_a_matrix_with_words_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "k.txt").write_text("1 0 0\n0 one 0\n0 0 1\n")
    with pytest.raises(RecordingError, match=r"k\.txt.*'one'"):
        matrix_from_text(tmp_path / "k.txt")


def test_comments_and_blanks_are_no_lines(tmp_path: Path) -> None:
    (tmp_path / "rgb.txt").write_bytes("\ufeff# stamps\r\n\r\n1.0 rgb/1.png\r\n".encode())
    assert lines_of(tmp_path / "rgb.txt") == ["1.0 rgb/1.png"]


def test_a_recording_is_named_after_its_folder_unless_that_says_nothing(tmp_path: Path) -> None:
    for name, agent in (("red_kitchen", "red_kitchen"), ("Frames", None), ("küche 1.2", "küche 1.2")):
        (tmp_path / name).mkdir()
        assert agent_name(tmp_path / name) == agent
    assert agent_name(tmp_path / "scene0000_00.sens") == "scene0000_00"
