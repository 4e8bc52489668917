"""Polycam raw data: `keyframes/{images, cameras, depth, confidence}/<microseconds>.*`.

Source: github.com/PolyCam/polyform, README.md and polyform/core/capture_folder.py. Needs a LiDAR phone and
Polycam's developer mode. A camera file holds intrinsics and `t_00 .. t_23`, the rows of camera-to-world with
OpenGL axes in ARKit's Y-up world. Where Polycam has optimised the poses, `corrected_cameras` and `corrected_images`
(without lens distortion) lie beside them and are taken instead. Depth is in millimetres at a lower resolution than
colour; confidence is 0, 127 or 255, and depth of confidence 0 is unknown. Keyframes come irregularly.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import BaseModel

from recall4d.errors import GeometryError, RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources.common import NO_POSE, PoseConvention
from recall4d.sources.files import (
    POSE_UNREADABLE,
    Finite,
    Positive,
    PositiveInt,
    agent_name,
    numbered_files,
    read_json,
)
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames, size_of_images

NS_PER_US = 1000
DEPTH_UNIT_M = 0.001
MIN_CONFIDENCE = 1
IMAGE, CAMERA, DEPTH = r"(\d+)\.(jpe?g|png)", r"(\d+)\.json", r"(\d+)\.png"


class _Camera(BaseModel):
    width: PositiveInt
    height: PositiveInt
    fx: Positive
    fy: Positive
    cx: Finite
    cy: Finite
    t_00: float
    t_01: float
    t_02: float
    t_03: float
    t_10: float
    t_11: float
    t_12: float
    t_13: float
    t_20: float
    t_21: float
    t_22: float
    t_23: float

    def pose(self) -> Floats:
        """(3, 4), as stored."""
        return np.array([[getattr(self, f"t_{row}{column}") for column in range(4)] for row in range(3)])


@dataclass(frozen=True, slots=True)
class PolycamFormat:
    """See the module."""

    name: str = "polycam"

    def recognises(self, path: Path) -> bool:
        """A folder with keyframes/cameras or keyframes/corrected_cameras."""
        return any((path / "keyframes" / folder).is_dir() for folder in ("cameras", "corrected_cameras"))

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        prefix = "corrected_" if numbered_files(path, "keyframes/corrected_cameras", CAMERA) else ""
        images = numbered_files(path, f"keyframes/{prefix}images", IMAGE)
        cameras = numbered_files(path, f"keyframes/{prefix}cameras", CAMERA)
        depths = numbered_files(path, "keyframes/depth", DEPTH)
        confidences = numbered_files(path, "keyframes/confidence", DEPTH)
        size = size_of_images(path, images.values(), "colour")
        read = {stamp: _read_camera(path / name) for stamp, name in cameras.items()}
        known = [camera for camera in read.values() if camera is not None]
        if not known:
            raise RecordingError(f"{path} has no readable camera: expected keyframes/{prefix}cameras/*.json")
        shots = (
            Shot(
                number=number,
                stamp_ns=stamp_us * NS_PER_US,
                # A camera whose image is gone is still listed, so that it is counted as skipped.
                colour=images.get(stamp_us, f"keyframes/{prefix}images/{stamp_us}.jpg"),
                depth=depths.get(stamp_us),
                confidence=confidences.get(stamp_us),
                intrinsics=_intrinsics(read.get(stamp_us) or known[0], size, path),
                pose=_pose(stamp_us, read),
            )
            for number, stamp_us in enumerate(sorted(images.keys() | cameras.keys()))
        )
        corrected = (
            "poses as optimised by Polycam" if prefix else "poses as tracked: Polycam has not optimised them"
        )
        return ImageFolder(
            format=self.name,
            agent=agent_name(path),
            notes=(corrected,),
            root=path,
            shots=expect_frames(shots, path, "keyframes/images/<microseconds>.jpg"),
            intrinsics=_intrinsics(known[0], size, path),
            depth=StoredDepth(options.depth_unit_m or DEPTH_UNIT_M, min_confidence=MIN_CONFIDENCE),
            convention=PoseConvention(camera_axes="opengl", up_axis="y").overridden_by(options),
            stride=options.stride,
        )


def _read_camera(path: Path) -> _Camera | None:
    try:
        return read_json(path, _Camera)
    except RecordingError:
        return None


def _pose(stamp_us: int, cameras: dict[int, _Camera | None]) -> Floats | str:
    if stamp_us not in cameras:
        return NO_POSE
    camera = cameras[stamp_us]
    return POSE_UNREADABLE if camera is None else camera.pose()


def _intrinsics(camera: _Camera, size: tuple[int, int], path: Path) -> Intrinsics:
    try:
        whole = Intrinsics(camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy)
    except GeometryError as error:
        raise RecordingError(f"{path}: {error}") from error
    return whole.scaled_to(*size)


FORMAT = PolycamFormat()
