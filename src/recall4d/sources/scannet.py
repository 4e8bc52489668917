"""ScanNet as its SensReader exports it: `color/0.jpg, depth/0.png, pose/0.txt, intrinsic/*.txt`.

Source: github.com/ScanNet/ScanNet, SensReader/python; Dai et al., CVPR 2017. Poses are camera-to-world with OpenCV
axes in a Z-up world, -inf where tracking was lost. Depth is in millimetres at 640x480 while colour is 1296x968:
two cameras, each with its intrinsics. No stamps: the sensor ran at 30 Hz and files are named by frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from recall4d.errors import GeometryError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats, checked_pose, inverse
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources.common import PoseConvention, intrinsics_of, rate_of, synthetic_stamp_ns
from recall4d.sources.files import agent_name, matrix_from_text, numbered_files, pose_from_text
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames, size_of_images

COLOUR_SIZE, DEPTH_SIZE = (1296, 968), (640, 480)
RATE_HZ = 30.0
DEPTH_UNIT_M = 0.001


@dataclass(frozen=True, slots=True)
class ScanNetFormat:
    """See the module."""

    name: str = "scannet"

    def recognises(self, path: Path) -> bool:
        """A folder with color/ and intrinsic/ or pose/."""
        return (path / "color").is_dir() and ((path / "intrinsic").is_dir() or (path / "pose").is_dir())

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        rate_hz, rate_note = rate_of(options, RATE_HZ)
        depths = numbered_files(path, "depth", r"(\d+)\.png")
        shots = expect_frames(
            (
                Shot(number, synthetic_stamp_ns(number, rate_hz), colour, depths.get(number))
                for number, colour in numbered_files(path, "color", r"(\d+)\.(jpe?g|png)").items()
            ),
            path,
            "color/N.jpg",
        )
        cameras = read_cameras(path, path / "intrinsic", shots)
        return ImageFolder(
            format=self.name,
            agent=agent_name(path),
            notes=(rate_note, *cameras.notes),
            root=path,
            shots=shots,
            intrinsics=cameras.colour,
            depth=cameras.stored_depth(options.depth_unit_m or DEPTH_UNIT_M),
            convention=PoseConvention(tracked_from_colour=cameras.tracked_from_colour).overridden_by(options),
            pose_of=lambda shot: pose_from_text(path / "pose" / f"{Path(shot.colour).stem}.txt"),
            stride=options.stride,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Cameras:
    """ScanNet's two cameras.

    Attributes:
        colour: intrinsics.
        depth: intrinsics; None without depth images.
        tracked_from_colour, colour_from_depth: (4, 4), the identity unless extrinsics say otherwise.
        notes: what had to be assumed.
    """

    colour: Intrinsics
    depth: Intrinsics | None
    tracked_from_colour: Floats = field(default_factory=lambda: np.eye(4))
    colour_from_depth: Floats = field(default_factory=lambda: np.eye(4))
    notes: tuple[str, ...] = ()

    def stored_depth(self, unit_m: float) -> StoredDepth:
        """How depth is stored."""
        return StoredDepth(unit_m, intrinsics=self.depth, colour_from_depth=self.colour_from_depth)


def read_cameras(root: Path, calibration: Path, shots: tuple[Shot, ...]) -> Cameras:
    """The cameras of an export: `intrinsic_*.txt` and, where there are any, `extrinsic_*.txt` in `calibration`.

    Raises:
        RecordingError: no intrinsics, or no image whose size could be read.
    """
    colour, notes = intrinsics_of(
        matrix_from_text(calibration / "intrinsic_color.txt"),
        size_of_images(root, (shot.colour for shot in shots), "colour"),
        COLOUR_SIZE,
        "intrinsic_color.txt",
    )
    depth = None
    depth_names = [shot.depth for shot in shots if shot.depth]
    if depth_names:
        depth, depth_notes = intrinsics_of(
            matrix_from_text(calibration / "intrinsic_depth.txt"),
            size_of_images(root, depth_names, "depth"),
            DEPTH_SIZE,
            "intrinsic_depth.txt",
        )
        notes += depth_notes
    files = (calibration / "extrinsic_color.txt", calibration / "extrinsic_depth.txt")
    if not all(file.is_file() for file in files):
        return Cameras(colour, depth, notes=notes)
    tracked_from_colour, colour_from_depth, rig_notes = rig_of(*map(matrix_from_text, files))
    return Cameras(colour, depth, tracked_from_colour, colour_from_depth, notes + rig_notes)


def rig_of(base_from_colour: Floats, base_from_depth: Floats) -> tuple[Floats, Floats, tuple[str, ...]]:
    """(tracked_from_colour, colour_from_depth, notes) of two extrinsics "to the base frame", which poses are of."""
    try:
        tracked_from_colour = checked_pose(base_from_colour)
        colour_from_depth = inverse(tracked_from_colour) @ checked_pose(base_from_depth)
    except GeometryError as error:
        return np.eye(4), np.eye(4), (f"extrinsics left out: {error}",)
    return tracked_from_colour, colour_from_depth, ()


FORMAT = ScanNetFormat()
