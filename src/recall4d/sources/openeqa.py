"""OpenEQA's episode histories: `000000-rgb.png, 000000-depth.png, 000000.txt, intrinsic_{color,depth}.txt`.

Source: github.com/facebookresearch/open-eqa, data/{hm3d,scannet}/extract-frames.py; Majumdar et al., CVPR 2024. One
layout, two flavours, told apart by the name of the folder or the one above ("hm3d-v0/000-hm3d-BFRyYbPCCPE"),
else by the cameras:

- **HM3D**: rendered by Habitat. Poses camera-to-world with OpenGL axes in a Y-up world; depth registered, 6553.5
  units a metre. The exporter computes the vertical field of view as hfov * h / w, so its fy is 19 % too large:
  pixels are square and fy = fx is used. It also puts the principal point at w / 2 with pixel corners at integers,
  which is (w - 1) / 2 with centres at integers. Depth beyond 10 m wraps round in the 16 bits and cannot be told.
- **ScanNet**: see `scannet`; colour and depth of different size, poses with OpenCV axes in a Z-up world.

Many copies hold colour images only: HM3D's camera is known without a file (90 degrees wide), ScanNet's is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from recall4d.geometry.camera import Intrinsics
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources import scannet
from recall4d.sources.common import PoseConvention, intrinsics_of, rate_of, synthetic_stamp_ns
from recall4d.sources.files import agent_name, matrix_from_text, numbered_files, pose_from_text
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames, size_of_images

Flavour = Literal["hm3d", "scannet"]

HM3D_SIZE = (1920, 1080)
HM3D_UNITS_PER_METRE = 6553.5
RATE_HZ = 30.0


@dataclass(frozen=True, slots=True)
class OpenEqaFormat:
    """See the module."""

    name: str = "openeqa"

    def recognises(self, path: Path) -> bool:
        """A folder with NNNNNN-rgb.png files."""
        return bool(_colours(path))

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        rate_hz, rate_note = rate_of(options, RATE_HZ)
        depths = numbered_files(path, "", r"(\d+)-depth\.png")
        shots = expect_frames(
            (
                Shot(number, synthetic_stamp_ns(number, rate_hz), colour, depths.get(number))
                for number, colour in _colours(path).items()
            ),
            path,
            "NNNNNN-rgb.png",
        )
        flavour, why = _flavour(path, shots)
        if flavour == "hm3d":
            intrinsics, notes = _hm3d_camera(path, shots)
            depth = StoredDepth(options.depth_unit_m or 1 / HM3D_UNITS_PER_METRE, (0, 65535))
            convention = PoseConvention(camera_axes="opengl", up_axis="y")
        else:
            cameras = scannet.read_cameras(path, path, shots)
            intrinsics, notes = cameras.colour, cameras.notes
            depth = cameras.stored_depth(options.depth_unit_m or scannet.DEPTH_UNIT_M)
            convention = PoseConvention(tracked_from_colour=cameras.tracked_from_colour)
        return ImageFolder(
            format=self.name,
            agent=agent_name(path),
            notes=(f"{flavour} flavour, by {why}", rate_note, *notes),
            root=path,
            shots=shots,
            intrinsics=intrinsics,
            depth=depth,
            convention=convention.overridden_by(options),
            pose_of=lambda shot: pose_from_text(path / f"{shot.colour.split('-')[0]}.txt"),
            stride=options.stride,
        )


def _colours(path: Path) -> dict[int, str]:
    return numbered_files(path, "", r"(\d+)-rgb\.(png|jpe?g)")


def _flavour(path: Path, shots: tuple[Shot, ...]) -> tuple[Flavour, str]:
    """The flavour, and what it was told by."""
    names = " ".join(path.resolve().parts[-2:]).lower()
    for flavour in ("hm3d", "scannet"):
        if flavour in names:
            return flavour, "the folder's name"
    depths = [shot.depth for shot in shots if shot.depth]
    if depths and size_of_images(path, depths, "depth") != _colour_size(path, shots):
        return "scannet", "colour and depth of different size"
    return "hm3d", "colour and depth of one size"


def _colour_size(path: Path, shots: tuple[Shot, ...]) -> tuple[int, int]:
    return size_of_images(path, (shot.colour for shot in shots), "colour")


def _hm3d_camera(path: Path, shots: tuple[Shot, ...]) -> tuple[Intrinsics, tuple[str, ...]]:
    width, height = size = _colour_size(path, shots)
    file = path / "intrinsic_color.txt"
    if not file.is_file():
        matrix = np.array([[width / 2, 0.0, (width - 1) / 2], [0.0, width / 2, (height - 1) / 2], [0.0, 0.0, 1.0]])
        return Intrinsics.from_matrix(matrix, *size), (f"no {file.name}: 90 degrees wide assumed",)
    matrix = matrix_from_text(file)
    fx, fy = matrix[0, 0], matrix[1, 1]
    matrix[1, 1] = fx
    matrix[:2, 2] -= 0.5
    intrinsics, notes = intrinsics_of(matrix, size, HM3D_SIZE, file.name)
    if abs(fy / fx - 1) > 1e-3:
        notes += (f"{file.name}: fy {fy:.1f} is the exporter's error, fx {fx:.1f} used for both",)
    return intrinsics, notes


FORMAT = OpenEqaFormat()
