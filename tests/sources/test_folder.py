"""recall4d's own format: what the suite for all formats cannot ask."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from writers import WRITERS

from recall4d.errors import FrameError, RecordingError
from recall4d.geometry.pose import pose
from recall4d.perception.lift import measured_depth
from recall4d.records import SourceOptions
from recall4d.sources.folder import FORMAT

OPTIONS = SourceOptions()


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "house" / "alpha"
    path.mkdir(parents=True)
    return WRITERS["folder"].write(path, WRITERS["folder"].footage())


def test_labels_may_lie_one_level_up_where_agents_share_them(recording: Path) -> None:
    (recording / "objects.json").rename(recording.parent / "objects.json")
    source = FORMAT.open(recording, OPTIONS)
    masks = source.load(next(source.headers()), "alpha").masks
    assert source.agent == "alpha"
    assert masks is not None
    assert masks.labels[2].description == "red cup"


def test_only_what_can_be_said_of_a_crop_is_read_of_a_thing(recording: Path) -> None:
    truth = {"7": {"category": None, "description": "a lid", "name": "the lid", "centroid_xyz": [1, 2, 3]}}
    (recording / "objects.json").write_text(json.dumps(truth))
    source = FORMAT.open(recording, OPTIONS)
    masks = source.load(next(source.headers()), "alpha").masks
    assert masks is not None
    assert (masks.labels[7].category, masks.labels[7].description) == (None, "a lid")


def test_without_masks_there_are_none(recording: Path) -> None:
    shutil.rmtree(recording / "instance")
    source = FORMAT.open(recording, OPTIONS)
    assert source.load(next(source.headers()), "alpha").masks is None


def test_frames_out_of_order_and_repeated_are_mended_and_noted(recording: Path) -> None:
    heading, first, *rest = (recording / "poses.csv").read_text().splitlines()
    (recording / "poses.csv").write_text("\n".join([heading, *reversed(rest), first, first]))
    source = FORMAT.open(recording, OPTIONS)
    assert [header.number for header in source.headers()] == [0, 1, 2, 3, 4]
    assert source.notes == (
        "frames were not in order of time: sorted by stamp",
        "1 frames repeat the stamp of another: left out",
    )


def test_a_line_cut_short_costs_its_frame_only(recording: Path) -> None:
    poses = (recording / "poses.csv").read_text()
    (recording / "poses.csv").write_text(poses[:-40])
    source = FORMAT.open(recording, OPTIONS)
    assert len(list(source.headers())) == 4
    assert source.notes == (
        "1 lines of poses.csv cannot be read: left out",
        "1 colour images have no line in poses.csv: left out",
    )


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("poses.csv", "frame,stamp_ns\n", "has no frames"),
        ("poses.csv", "\x80", r"poses\.csv: expected text"),
        ("poses.csv", None, r"poses\.csv: No such file"),
        ("intrinsics.json", None, r"intrinsics\.json: No such file"),
        ("intrinsics.json", '{"width": 160, "height": 0}', r"intrinsics\.json: height.*got 0"),
        ("objects.json", '["cup"]', r"objects\.json: the file: .*object, got \['cup'\]"),
        ("objects.json", '{"cup": {}}', r"objects\.json: cup.*integer"),
    ],
)
def test_a_broken_file_is_named(recording: Path, file: str, content: str | None, says: str) -> None:
    (recording / file).unlink()
    if content is not None:
        (recording / file).write_text(content, encoding="latin-1")
    with pytest.raises(RecordingError, match=says):
        FORMAT.open(recording, OPTIONS)


def test_images_of_another_size_than_the_intrinsics_are_refused(recording: Path) -> None:
    camera = json.loads((recording / "intrinsics.json").read_text())
    (recording / "intrinsics.json").write_text(json.dumps({**camera, "width": 640, "height": 480}))
    source = FORMAT.open(recording, OPTIONS)
    with pytest.raises(FrameError, match="expected 640x480, got 160x120") as caught:
        source.load(next(source.headers()), "alpha")
    assert caught.value.reason == "colour image size differs from its intrinsics"


def test_another_depth_unit_may_be_given(recording: Path) -> None:
    depths = []
    for unit_m in (None, 0.0002):
        source = FORMAT.open(recording, SourceOptions(depth_unit_m=unit_m))
        depth = source.load(next(source.headers()), "alpha").depth
        assert depth is not None
        depths.append(float(np.nanmedian(depth.z_m)))
    assert depths[0] == pytest.approx(5 * depths[1])


def test_registered_depth_of_half_the_size_has_half_the_camera(recording: Path) -> None:
    for file in (recording / "depth").iterdir():
        Image.fromarray(np.array(Image.open(file))[::2, ::2]).save(file)
    source = FORMAT.open(recording, OPTIONS)
    frame = source.load(next(source.headers()), "alpha")
    assert frame.depth is not None
    assert frame.depth.z_m.shape == (60, 80)
    assert frame.depth.intrinsics == frame.intrinsics.scaled_to(80, 60)


def test_without_poses_frames_are_listed_for_a_mapper_to_place(recording: Path) -> None:
    (recording / "poses.csv").unlink()
    source = FORMAT.open(recording, SourceOptions(rate_hz=10.0, without_poses=True))
    headers = list(source.headers())
    assert [header.number for header in headers] == [0, 1, 2, 3, 4]
    assert [header.stamp_ns for header in headers] == [0, 100_000_000, 200_000_000, 300_000_000, 400_000_000]
    assert {header.why_no_pose for header in headers} == {"no pose"}
    assert "no poses.csv: a mapper must find the poses" in source.notes
    assert source.load(headers[0], "alpha").depth is not None


def test_a_point_cloud_takes_the_place_of_depth(recording: Path) -> None:
    sensor = {"camera_from_cloud": pose(np.eye(3), [0.0, 0.0, 0.5]).ravel().tolist()}
    camera = json.loads((recording / "intrinsics.json").read_text())
    (recording / "intrinsics.json").write_text(json.dumps(camera | sensor))
    shutil.rmtree(recording / "depth")
    (recording / "cloud").mkdir()
    np.save(recording / "cloud" / "000000.npy", np.array([[0.0, 0.0, 1.0], [0.1, 0.0, 1.5]]))
    source = FORMAT.open(recording, OPTIONS)
    frames = [source.load(header, "alpha") for header in source.headers()]
    assert frames[0].depth is None
    assert frames[0].cloud is not None
    z_m = measured_depth(frames[0], 0).z_m
    assert sorted(z_m[np.isfinite(z_m)].tolist()) == [1.5, 2.0], "points come through the extrinsics into the image"
    assert frames[1].cloud is None


@pytest.mark.parametrize("points", [np.zeros((3, 2)), np.zeros((3, 3), int), np.array(["a"])])
def test_a_point_cloud_of_another_shape_costs_its_frame(recording: Path, points: np.ndarray) -> None:
    (recording / "cloud").mkdir()
    np.save(recording / "cloud" / "000000.npy", points)
    source = FORMAT.open(recording, OPTIONS)
    with pytest.raises(FrameError, match=r"point cloud unreadable.*expected floats"):
        source.load(next(source.headers()), "alpha")
