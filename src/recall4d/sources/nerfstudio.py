"""nerfstudio: `transforms.json` beside the images that it names.

Source: docs.nerf.studio, "Data conventions", and nerfstudio/data/dataparsers/nerfstudio_dataparser.py; Tancik et
al., SIGGRAPH 2023. `transform_matrix` is camera-to-world with OpenGL axes in a Z-up world. Intrinsics stand at the
top or in a frame; pixel centres lie at half integers there. Depth, where a frame names it, has any resolution and
is multiplied by `depth_unit_scale_factor` (1e-3). No stamps: frames come in order of the numbers in their names.

Lens distortion is not removed. Images whose distortion moves no pixel by more than `NEGLIGIBLE_PX` are read as they
are; others, and fisheye images, are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import BaseModel

from recall4d.errors import GeometryError, RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources.common import PoseConvention, rate_of, synthetic_stamp_ns
from recall4d.sources.files import Finite, Positive, PositiveInt, agent_name, read_json
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, size_of_images

RATE_HZ = 30.0
DEPTH_UNIT_M = 0.001
NEGLIGIBLE_PX = 2.0
UNDISTORT = (
    "Undistort the images first, for example with colmap image_undistorter, and write the intrinsics of the result."
)
PINHOLES = frozenset({"PINHOLE", "SIMPLE_PINHOLE", "OPENCV", "SIMPLE_RADIAL", "RADIAL", "PERSPECTIVE"})


class _Camera(BaseModel):
    camera_model: str | None = None
    w: PositiveInt | None = None
    h: PositiveInt | None = None
    fl_x: Positive | None = None
    fl_y: Positive | None = None
    cx: Finite | None = None
    cy: Finite | None = None
    camera_angle_x: Positive | None = None
    k1: Finite = 0.0
    k2: Finite = 0.0
    k3: Finite = 0.0
    k4: Finite = 0.0
    p1: Finite = 0.0
    p2: Finite = 0.0


class _Frame(_Camera):
    file_path: str
    transform_matrix: list[list[float]] | None = None
    depth_file_path: str | None = None


class _Transforms(_Camera):
    frames: list[_Frame]
    depth_unit_scale_factor: Positive = DEPTH_UNIT_M
    applied_scale: Positive = 1.0


@dataclass(frozen=True, slots=True)
class NerfstudioFormat:
    """See the module."""

    name: str = "nerfstudio"

    def recognises(self, path: Path) -> bool:
        """A folder with transforms.json, or that file."""
        return _file(path).is_file()

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        file = _file(path)
        root = file.parent
        transforms = read_json(file, _Transforms)
        rate_hz, rate_note = rate_of(options, RATE_HZ)
        frames = _numbered(transforms.frames)
        if not frames:
            raise RecordingError(f"{file} has no frames: expected entries in 'frames'")
        size = size_of_images(root, (_image(frame.file_path) for frame in frames.values()), "colour")
        camera, notes = _camera(transforms, transforms.frames[0], size, file)
        shots = tuple(
            Shot(
                number=number,
                stamp_ns=synthetic_stamp_ns(number, rate_hz),
                colour=_image(frame.file_path),
                depth=frame.depth_file_path,
                intrinsics=_camera(transforms, frame, size, file)[0],
                pose=_pose(frame),
            )
            for number, frame in sorted(frames.items())
        )
        if transforms.applied_scale != 1.0:
            notes += (
                f"poses were scaled by {transforms.applied_scale:g} (applied_scale): they may not be in metres",
            )
        return ImageFolder(
            format=self.name,
            agent=agent_name(root),
            notes=(rate_note, *notes),
            root=root,
            shots=shots,
            intrinsics=camera,
            depth=StoredDepth(options.depth_unit_m or transforms.depth_unit_scale_factor),
            convention=PoseConvention(camera_axes="opengl").overridden_by(options),
            stride=options.stride,
        )


def _file(path: Path) -> Path:
    return path if path.name == "transforms.json" else path / "transforms.json"


def _numbered(frames: list[_Frame]) -> dict[int, _Frame]:
    """Frames by the last number in their image's name; where names do not tell them apart, by their place."""
    numbers = [re.search(r"(\d+)\D*$", Path(frame.file_path).stem) for frame in frames]
    by_number = {int(number.group(1)): frame for number, frame in zip(numbers, frames, strict=True) if number}
    return by_number if len(by_number) == len(frames) else dict(enumerate(frames))


def _image(file_path: str) -> str:
    """The image of a frame; Blender's exporter leaves the suffix out."""
    return file_path if Path(file_path).suffix else f"{file_path}.png"


def _pose(frame: _Frame) -> list[list[float]] | str | None:
    matrix = frame.transform_matrix
    whole = matrix is None or (len(matrix) in (3, 4) and all(len(row) == 4 for row in matrix))
    return matrix if whole else "pose unreadable"


def _camera(
    transforms: _Transforms, frame: _Frame, size: tuple[int, int], file: Path
) -> tuple[Intrinsics, tuple[str, ...]]:
    """The camera of a frame, and notes.

    Args:
        transforms: holds what a frame does not say itself.
        frame: one of its frames.
        size: (width, height) of the images there are.
        file: for errors.

    Raises:
        RecordingError: no focal length, no pinhole camera, or a lens whose distortion matters.
    """
    given = transforms.model_dump(exclude_unset=True, exclude={"frames"})
    said = _Camera.model_validate({**given, **frame.model_dump(exclude_unset=True)})
    model = (said.camera_model or "PINHOLE").upper()
    if model not in PINHOLES:
        raise RecordingError(
            f"{file}: images of camera model {model} cannot be read: expected a pinhole camera. {UNDISTORT}"
        )
    width, height = said.w or size[0], said.h or size[1]
    fl_x = said.fl_x
    if fl_x is None and said.camera_angle_x is not None:
        fl_x = width / (2 * float(np.tan(said.camera_angle_x / 2)))
    if fl_x is None:
        raise RecordingError(f"{file}: expected fl_x or camera_angle_x, at the top or in {frame.file_path}")
    cx, cy = (
        width / 2 if said.cx is None else said.cx,
        height / 2 if said.cy is None else said.cy,
    )
    try:
        # Centres of pixels lie at half integers in nerfstudio, at integers here.
        camera = Intrinsics(width, height, fl_x, said.fl_y or fl_x, cx - 0.5, cy - 0.5)
    except GeometryError as error:
        raise RecordingError(f"{file}: {frame.file_path}: {error}") from error
    moved_px = _distortion_px(camera, said)
    if moved_px > NEGLIGIBLE_PX:
        raise RecordingError(
            f"{file}: lens distortion (k1 {said.k1:g}, k2 {said.k2:g}, p1 {said.p1:g}, p2 {said.p2:g}) moves "
            f"pixels by up to {moved_px:.1f} px; expected at most {NEGLIGIBLE_PX:g}. {UNDISTORT}"
        )
    notes = (f"lens distortion of up to {moved_px:.1f} px is not removed",) if moved_px > 0 else ()
    return camera.scaled_to(*size), notes


def _distortion_px(camera: Intrinsics, said: _Camera) -> float:
    """How far the lens moves a pixel at most, in OpenCV's model; taken along the image's border."""
    columns, rows = np.arange(camera.width), np.arange(camera.height)
    u = np.concatenate([columns, columns, np.zeros(camera.height), np.full(camera.height, camera.width - 1)])
    v = np.concatenate([np.zeros(camera.width), np.full(camera.width, camera.height - 1), rows, rows])
    x, y = (u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy
    r2 = x * x + y * y
    radial = r2 * (said.k1 + r2 * (said.k2 + r2 * said.k3))
    dx = x * radial + 2 * said.p1 * x * y + said.p2 * (r2 + 2 * x * x)
    dy = y * radial + 2 * said.p2 * x * y + said.p1 * (r2 + 2 * y * y)
    return float(np.hypot(dx * camera.fx, dy * camera.fy).max())


FORMAT = NerfstudioFormat()
