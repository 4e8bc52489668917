"""Replica as rendered for iMAP and NICE-SLAM: `results/frame000000.jpg, results/depth000000.png, traj.txt`.

Source: github.com/cvg/nice-slam, src/utils/datasets.py and configs/Replica; Zhu et al., CVPR 2022. Row n of
`traj.txt` holds the 16 numbers of frame n's camera-to-world matrix, OpenCV axes, Z-up world. Depth is registered to
colour, 6553.5 units a metre. `cam_params.json` lies in the scene's folder or beside it. No stamps.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import BaseModel

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources.common import NO_POSE, PoseConvention, rate_of, synthetic_stamp_ns
from recall4d.sources.files import (
    POSE_UNREADABLE,
    Finite,
    Positive,
    PositiveInt,
    agent_name,
    lines_of,
    numbered_files,
    read_json,
)
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames

RATE_HZ = 30.0


class _Camera(BaseModel):
    w: PositiveInt = 1200
    h: PositiveInt = 680
    fx: Positive = 600.0
    fy: Positive = 600.0
    cx: Finite = 599.5
    cy: Finite = 339.5
    scale: Positive = 6553.5


class _CameraFile(BaseModel):
    camera: _Camera


@dataclass(frozen=True, slots=True)
class ReplicaFormat:
    """See the module."""

    name: str = "replica"

    def recognises(self, path: Path) -> bool:
        """A folder with results/frame*.jpg."""
        return bool(_colours(path))

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        rate_hz, rate_note = rate_of(options, RATE_HZ)
        camera, camera_notes = _camera(path)
        poses, pose_notes = _poses(path / "traj.txt")
        depths = numbered_files(path, "results", r"depth(\d+)\.png")
        shots = expect_frames(
            (
                Shot(
                    number,
                    synthetic_stamp_ns(number, rate_hz),
                    colour,
                    depths.get(number),
                    pose=poses[number] if number < len(poses) else NO_POSE,
                )
                for number, colour in _colours(path).items()
            ),
            path,
            "results/frameNNNNNN.jpg",
        )
        return ImageFolder(
            format=self.name,
            agent=agent_name(path),
            notes=(rate_note, *camera_notes, *pose_notes),
            root=path,
            shots=shots,
            intrinsics=Intrinsics(camera.w, camera.h, camera.fx, camera.fy, camera.cx, camera.cy),
            depth=StoredDepth(options.depth_unit_m or 1 / camera.scale),
            convention=PoseConvention().overridden_by(options),
            stride=options.stride,
        )


def _colours(path: Path) -> dict[int, str]:
    return numbered_files(path, "results", r"frame(\d+)\.(jpe?g|png)")


def _camera(path: Path) -> tuple[_Camera, tuple[str, ...]]:
    for place in (path / "cam_params.json", path.resolve().parent / "cam_params.json"):
        if place.is_file():
            return read_json(place, _CameraFile).camera, ()
    return _Camera(), ("no cam_params.json: 1200x680 with f = 600 px and 6553.5 depth units a metre assumed",)


def _poses(path: Path) -> tuple[list[Floats | str], tuple[str, ...]]:
    if not path.is_file():
        return [], (f"no {path.name}: frames have no pose",)
    return [_pose(line) for line in lines_of(path)], ()


def _pose(line: str) -> Floats | str:
    try:
        return np.array(line.split(), dtype=np.float64).reshape(4, 4)
    except ValueError:
        return POSE_UNREADABLE


FORMAT = ReplicaFormat()
