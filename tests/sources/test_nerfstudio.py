"""nerfstudio: where the intrinsics stand, what a frame is called, and lenses that are no pinhole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from writers import WRITERS

from recall4d.errors import RecordingError
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources.nerfstudio import FORMAT

WRITER = WRITERS["nerfstudio"]
Edit = Callable[[dict[str, Any]], object]


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[Edit], Source]:
    """Opens the recording after a change to its transforms.json."""

    def edited(edit: Edit) -> Source:
        path = WRITER.write(tmp_path, WRITER.footage())
        transforms = json.loads((path / "transforms.json").read_text())
        edit(transforms)
        (path / "transforms.json").write_text(json.dumps(transforms))
        return FORMAT.open(path, SourceOptions())

    return edited


def test_the_file_itself_may_be_named(tmp_path: Path) -> None:
    path = WRITER.write(tmp_path, WRITER.footage()) / "transforms.json"
    assert FORMAT.recognises(path)
    assert len(list(FORMAT.open(path, SourceOptions()).headers())) == 5


def test_a_frame_may_have_a_camera_of_its_own(opened: Callable[[Edit], Source]) -> None:
    source = opened(lambda transforms: transforms["frames"][-1].update(fl_x=150.0))
    first, second, *_ = (source.load(header, "alpha").intrinsics.fx for header in source.headers())
    assert (first, second) == (150.0, WRITER.camera.fx)


def test_a_field_of_view_does_for_a_focal_length(opened: Callable[[Edit], Source]) -> None:
    def edit(transforms: dict[str, Any]) -> None:
        del transforms["fl_x"], transforms["fl_y"]
        transforms["camera_angle_x"] = np.pi / 2

    source = opened(edit)
    intrinsics = source.load(next(source.headers()), "alpha").intrinsics
    assert (intrinsics.fx, intrinsics.fy) == pytest.approx((80.0, 80.0))


def test_intrinsics_follow_images_that_were_resized(opened: Callable[[Edit], Source]) -> None:
    def doubled(transforms: dict[str, Any]) -> None:
        for name in ("w", "h", "fl_x", "fl_y", "cx", "cy"):
            transforms[name] *= 2

    source = opened(doubled)
    camera = source.load(next(source.headers()), "alpha").intrinsics
    assert (camera.fx, camera.cx) == pytest.approx((WRITER.camera.fx, WRITER.camera.cx))


@pytest.mark.parametrize("model", ["OPENCV_FISHEYE", "EQUIRECTANGULAR"])
def test_a_lens_that_is_no_pinhole_is_refused(opened: Callable[[Edit], Source], model: str) -> None:
    with pytest.raises(RecordingError, match=f"{model} cannot be read: expected a pinhole"):
        opened(lambda transforms: transforms.update(camera_model=model))


def test_distortion_that_moves_things_is_refused_with_how_far(opened: Callable[[Edit], Source]) -> None:
    with pytest.raises(RecordingError, match=r"moves pixels by up to \d+\.\d px"):
        opened(lambda transforms: transforms.update(k1=-0.2))


def test_distortion_too_small_to_matter_is_said(opened: Callable[[Edit], Source]) -> None:
    notes = opened(lambda transforms: transforms.update(k1=0.01)).notes
    assert any("px is not removed" in note for note in notes)


def test_without_a_focal_length_it_says_what_is_expected(opened: Callable[[Edit], Source]) -> None:
    with pytest.raises(RecordingError, match="expected fl_x or camera_angle_x"):
        opened(lambda transforms: transforms.pop("fl_x"))


def test_scaled_poses_are_said(opened: Callable[[Edit], Source]) -> None:
    notes = opened(lambda transforms: transforms.update(applied_scale=0.3)).notes
    assert any("may not be in metres" in note for note in notes)


def test_names_without_numbers_keep_the_order_of_the_file(opened: Callable[[Edit], Source]) -> None:
    def renamed(transforms: dict[str, Any]) -> None:
        for frame in transforms["frames"]:
            frame["file_path"] = "images/frame_00000.jpg"

    assert [header.number for header in opened(renamed).headers()] == [0, 1, 2, 3, 4]


def test_a_pose_of_another_shape_costs_its_frame_only(opened: Callable[[Edit], Source]) -> None:
    source = opened(lambda transforms: transforms["frames"][0].update(transform_matrix=[[1.0, 0.0], [0.0]]))
    assert [header.why_no_pose for header in source.headers()] == [None] * 4 + ["pose unreadable"]


def test_no_frames(opened: Callable[[Edit], Source]) -> None:
    with pytest.raises(RecordingError, match="has no frames"):
        opened(lambda transforms: transforms.update(frames=[]))
