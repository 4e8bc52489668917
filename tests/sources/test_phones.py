"""Polycam, ARKitScenes and Record3D: what phones with a range sensor leave out, correct, or get wrong."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from writers import WRITERS, Footage
from writers.phones import DEPTH_CAMERA

from recall4d.errors import MissingExtraError, RecordingError
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources import arkitscenes, polycam, record3d

OPTIONS = SourceOptions()


def written(name: str, folder: Path) -> Path:
    return WRITERS[name].write(folder, WRITERS[name].footage())


@pytest.mark.parametrize("name", ["polycam", "arkitscenes", "record3d"])
def test_depth_of_no_confidence_is_unknown(name: str, tmp_path: Path) -> None:
    source = WRITERS[name].format.open(written(name, tmp_path), OPTIONS)
    depth = source.load(next(source.headers()), "alpha").depth
    assert depth is not None
    assert depth.z_m.shape == (DEPTH_CAMERA.height, DEPTH_CAMERA.width)
    assert np.isnan(depth.z_m[10:20, 30:50]).all()
    assert np.isfinite(depth.z_m[40:50, 30:50]).all()


@pytest.mark.parametrize("name", ["polycam", "arkitscenes"])
def test_depth_without_confidence_is_taken_as_it_is(name: str, tmp_path: Path) -> None:
    path = written(name, tmp_path)
    shutil.rmtree(next(path.rglob("confidence")))
    source = WRITERS[name].format.open(path, OPTIONS)
    depth = source.load(next(source.headers()), "alpha").depth
    assert depth is not None
    assert depth.z_m[15, 40] == pytest.approx(4.321)


def test_polycam_without_optimised_poses_has_the_tracked_ones(tmp_path: Path) -> None:
    path = written("polycam", tmp_path)
    shutil.rmtree(path / "keyframes/corrected_cameras")
    shutil.rmtree(path / "keyframes/images")
    (path / "keyframes/corrected_images").rename(path / "keyframes/images")
    source = polycam.FORMAT.open(path, OPTIONS)
    assert source.notes == ("poses as tracked: Polycam has not optimised them",)
    tracked = next(source.headers()).world_from_camera
    assert tracked is not None
    # The writer's tracked poses are 0.3 m too high.
    assert tracked[:3, 3] - Footage().true_pose(0)[:3, 3] == pytest.approx([0, 0, 0.3], abs=1e-6)


def test_polycam_counts_a_camera_that_cannot_be_read(tmp_path: Path) -> None:
    path = written("polycam", tmp_path)
    broken = sorted((path / "keyframes/corrected_cameras").iterdir())[1]
    broken.write_text('{"fx": 130')
    reasons = [header.why_no_pose for header in polycam.FORMAT.open(path, OPTIONS).headers()]
    assert reasons == [None, "pose unreadable", None, None, None]


def test_arkitscenes_opens_from_either_folder(tmp_path: Path) -> None:
    path = written("arkitscenes", tmp_path)
    (inner,) = path.iterdir()
    assert arkitscenes.FORMAT.recognises(inner)
    assert {arkitscenes.FORMAT.open(each, OPTIONS).agent for each in (path, inner)} == {"41069021"}


def test_arkitscenes_makes_no_pose_up_across_a_gap(tmp_path: Path) -> None:
    source = arkitscenes.FORMAT.open(written("arkitscenes", tmp_path), SourceOptions(max_pose_gap_s=0.05))
    assert {header.why_no_pose for header in source.headers()} == {"no pose"}


def test_arkitscenes_poses_taken_the_other_way_round(tmp_path: Path) -> None:
    options = SourceOptions(pose_direction="world_from_camera")
    first = next(arkitscenes.FORMAT.open(written("arkitscenes", tmp_path), options).headers()).world_from_camera
    assert first is not None
    assert first @ Footage().true_pose(0) == pytest.approx(np.eye(4), abs=1e-5)


def test_arkitscenes_without_a_camera_takes_its_neighbours(tmp_path: Path) -> None:
    path = written("arkitscenes", tmp_path)
    cameras = sorted(path.rglob("*.pincam"))
    cameras[2].unlink()
    source = arkitscenes.FORMAT.open(path, OPTIONS)
    assert source.notes == ("1 images have no .pincam: that of a neighbour is taken",)
    for camera in cameras:
        camera.unlink(missing_ok=True)
    with pytest.raises(RecordingError, match="has no camera"):
        arkitscenes.FORMAT.open(path, OPTIONS)


@pytest.fixture
def r3d(tmp_path: Path) -> Callable[[Callable[[dict[str, Any]], object]], Source]:
    """Opens a .r3d file after a change to its metadata."""

    def edited(edit: Callable[[dict[str, Any]], object]) -> Source:
        original = written("record3d", tmp_path)
        path = tmp_path / "edited.r3d"
        with zipfile.ZipFile(original) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if name == "metadata":
                    metadata = json.loads(content)
                    edit(metadata)
                    content = json.dumps(metadata).encode()
                new.writestr(name, content)
        return record3d.FORMAT.open(path, OPTIONS)

    return edited


def test_record3d_has_a_camera_a_frame_where_it_says_so(r3d: Callable[..., Source]) -> None:
    coefficients = [[130.0 + k, 131.0 + k, 78.5, 61.0] for k in range(5)]
    source = r3d(lambda metadata: metadata.update(perFrameIntrinsicCoeffs=coefficients))
    assert [source.load(header, "alpha").intrinsics.fx for header in source.headers()] == [130, 131, 132, 133, 134]


def test_record3d_without_stamps_goes_by_its_frame_rate(r3d: Callable[..., Source]) -> None:
    source = r3d(lambda metadata: metadata.pop("frameTimestamps"))
    assert [header.stamp_ns for header in source.headers()] == [k * 500_000_000 for k in range(5)]
    assert any("2 Hz assumed" in note for note in source.notes)


def test_record3d_quaternions_of_another_length_are_no_rotations(r3d: Callable[..., Source]) -> None:
    source = r3d(lambda metadata: metadata["poses"].__setitem__(1, [0.5, 0.5, 0.5, 0.9, 0, 0, 0]))
    assert [header.why_no_pose for header in source.headers()][1] == "pose not a rotation"


def test_record3d_metadata_that_lacks_something_says_what(r3d: Callable[..., Source]) -> None:
    with pytest.raises(RecordingError, match="metadata: dw: Field required"):
        r3d(lambda metadata: metadata.pop("dw"))


def test_record3d_cut_short_or_foreign_is_refused(tmp_path: Path) -> None:
    whole = written("record3d", tmp_path)
    cut = tmp_path / "cut.r3d"
    cut.write_bytes(whole.read_bytes()[:2000])
    with pytest.raises(RecordingError, match="which is a zip"):
        record3d.FORMAT.open(cut, OPTIONS)
    with zipfile.ZipFile(tmp_path / "foreign.r3d", "w") as archive:
        archive.writestr("notes.txt", "milk, eggs")
    with pytest.raises(RecordingError, match="no member 'metadata'"):
        record3d.FORMAT.open(tmp_path / "foreign.r3d", OPTIONS)


def test_record3d_without_lzfse_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written("record3d", tmp_path)
    monkeypatch.setitem(sys.modules, "liblzfse", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'recall4d\[record3d\]'"):
        record3d.FORMAT.open(path, OPTIONS)
