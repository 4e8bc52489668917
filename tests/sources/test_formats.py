"""One suite for every recording format: the synthetic kitchen, written in its own conventions, comes back."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageFile
from writers import WRITERS, Fault, Footage, Writer

from recall4d.errors import FrameError, RecordingError
from recall4d.geometry.camera import unproject_image
from recall4d.geometry.pose import transform
from recall4d.ports import Source
from recall4d.records import Frame, FrameHeader, SourceOptions
from recall4d.synth import kitchen

FAULTY, N_FRAMES = 2, len(Footage())
SKIPPED_WITH: dict[Fault, str] = {
    "colour missing": "colour image missing",
    "colour truncated": "colour image unreadable",
    "depth truncated": "depth image unreadable",
    "masks of another size": "mask size differs from colour image",
}
UNPOSED_WITH: dict[Fault, set[str]] = {
    # A format that interpolates a trajectory just has no sample near a frame whose pose is broken.
    "pose missing": {"no pose"},
    "pose nan": {"pose not finite", "no pose"},
    "pose inf": {"pose not finite", "no pose"},
    "pose mirrored": {"pose not a rotation"},
}

Record = Callable[..., Path]


@pytest.fixture(params=WRITERS)
def writer(request: pytest.FixtureRequest) -> Writer:
    return WRITERS[request.param]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Writes footage below a folder whose name no ASCII codec can hold."""

    def write(writer: Writer, footage: Footage) -> Path:
        folder = tmp_path / "küche 厨房"
        folder.mkdir()
        return writer.write(folder, footage)

    return write


def opened(writer: Writer, path: Path, **options: float) -> Source:
    return writer.format.open(path, SourceOptions(**options))


def loaded(source: Source) -> tuple[list[FrameHeader], list[Frame], Counter[str]]:
    """Headers, the frames that could be loaded, and why the others could not."""
    headers, frames, skipped = list(source.headers()), [], Counter[str]()
    for header in headers:
        try:
            frames.append(source.load(header, "alpha"))
        except FrameError as error:
            skipped[error.reason] += 1
    return headers, frames, skipped


def points_world(frame: Frame) -> np.ndarray:
    """(n, 3) measured points in the world frame."""
    assert frame.depth is not None
    assert frame.world_from_camera is not None
    points = unproject_image(frame.depth.z_m, frame.depth.intrinsics).reshape(-1, 3)
    points = points[np.isfinite(points[:, 2])]
    return transform(frame.world_from_camera @ frame.depth.colour_from_depth, points)


def test_only_its_own_format_recognises_it(writer: Writer, record: Record) -> None:
    path = record(writer, writer.footage())
    assert {each.format.name for each in WRITERS.values() if each.format.recognises(path)} == {writer.format.name}


def test_nothing_recognises_what_is_not_there(writer: Writer, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("milk, eggs")
    for name in ("empty", "notes.txt", "absent"):
        assert not writer.format.recognises(tmp_path / name)


def test_opening_what_is_not_there_says_so(writer: Writer, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "absent"):
        with pytest.raises(RecordingError, match=name):
            writer.format.open(tmp_path / name, SourceOptions())


def test_the_same_world_comes_back(writer: Writer, record: Record) -> None:
    footage = writer.footage()
    headers, frames, skipped = loaded(opened(writer, record(writer, footage)))

    assert [header.number for header in headers] == list(range(len(footage)))
    assert not skipped
    for k, frame in enumerate(frames):
        assert frame.world_from_camera == pytest.approx(footage.true_pose(k), abs=2e-5)
        points = points_world(frame)
        assert len(points) > 1000
        assert kitchen().distance_to_surface_m(points).max() < 2e-3


def test_images_come_back_with_their_cameras(writer: Writer, record: Record) -> None:
    footage = writer.footage()
    _, frames, _ = loaded(opened(writer, record(writer, footage)))
    for k, frame in enumerate(frames):
        assert frame.rgb.dtype == np.uint8
        assert np.abs(frame.rgb.astype(int) - footage.view(k).rgb).mean() < 8
        camera, read = footage.intrinsics, frame.intrinsics
        assert (read.width, read.height) == (camera.width, camera.height)
        assert (read.fx, read.fy, read.cx, read.cy) == pytest.approx(
            (camera.fx, camera.fy, camera.cx, camera.cy), abs=0.01
        )
        assert frame.depth is not None
        assert frame.depth.z_m.dtype == np.float32
        if frame.masks is not None:
            assert np.array_equal(frame.masks.ids, footage.view(k).ids)
            assert frame.masks.labels == kitchen().labels


def test_headers_come_in_order_of_time_and_again(writer: Writer, record: Record) -> None:
    footage = writer.footage()
    source = opened(writer, record(writer, footage))
    stamps = [header.stamp_ns for header in source.headers()]
    assert all(later > earlier for earlier, later in itertools.pairwise(stamps))
    assert [header.stamp_ns for header in source.headers()] == stamps
    if writer.has_stamps:
        assert stamps == pytest.approx(footage.take.stamps_ns, abs=1_000_000)
    else:
        assert any("Hz assumed" in note for note in source.notes)


def test_headers_decode_no_image(writer: Writer, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    source = opened(writer, record(writer, writer.footage()))
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda self: pytest.fail("an image was decoded"))
    assert len(list(source.headers())) == N_FRAMES


def test_a_stride_leaves_frames_out(writer: Writer, record: Record) -> None:
    source = opened(writer, record(writer, writer.footage()), stride=2)
    assert [header.number for header in source.headers()] == [0, 2, 4]


def test_nothing_of_a_frame_is_kept(writer: Writer, record: Record) -> None:
    source = opened(writer, record(writer, writer.footage()))
    frame = source.load(next(source.headers()), "alpha")
    assert frame.depth is not None
    arrays = [weakref.ref(frame.rgb), weakref.ref(frame.depth.z_m)]
    del frame
    gc.collect()
    assert [array() for array in arrays] == [None, None]


@pytest.mark.parametrize(("name", "fault"), [(name, fault) for name in WRITERS for fault in WRITERS[name].faults])
def test_a_fault_costs_no_other_frame(name: str, fault: Fault, record: Record) -> None:
    writer = WRITERS[name]
    headers, frames, skipped = loaded(opened(writer, record(writer, writer.footage({FAULTY: fault}))))
    others = [frame for frame in frames if frame.number != FAULTY]
    faulty = next((frame for frame in frames if frame.number == FAULTY), None)

    assert len(others) == N_FRAMES - 1
    assert all(frame.depth is not None and frame.world_from_camera is not None for frame in others)
    if fault in SKIPPED_WITH:
        assert faulty is None
        assert skipped == {SKIPPED_WITH[fault]: 1}
    elif fault in UNPOSED_WITH:
        assert faulty is not None
        assert faulty.world_from_camera is None
        assert headers[FAULTY].why_no_pose in UNPOSED_WITH[fault]
    else:
        assert fault in ("depth missing", "depth blank")
        assert faulty is not None
        assert faulty.depth is None
        assert faulty.rgb.any()
