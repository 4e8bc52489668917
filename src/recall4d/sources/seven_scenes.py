"""7-Scenes: `seq-01/frame-000000.{color.png, depth.png, pose.txt}`, also with JPEG colour.

Source: the readme of "RGB-D Dataset 7-Scenes", Microsoft Research; Glocker et al., ISMAR 2013. It gives depth in
millimetres with 65535 invalid (copies have 0 as well) and poses camera-to-world, and says what many readers miss:
**colour and depth are not registered.** Poses are of the depth camera (f = 585), which sits 2.5 cm beside the
colour camera. Read as registered, things shift by 10 to 30 pixels.

The colour camera and `COLOUR_FROM_DEPTH` are not part of the dataset. They were measured on the sequence
RedKitchen by aligning depth edges with image edges in 50 frames (share of depth edges within two pixels of an
image edge: 0.54 with nominal Kinect values, 0.68 after). `camera-intrinsics.txt`, in copies that have it, is the
depth camera.

The world is the first depth camera's frame of the map that KinectFusion made, not gravity: up is taken as -y, and
whatever that camera was pitched by remains as a tilt of the world (27 degrees in RedKitchen).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import checked_pose, inverse
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources.common import PoseConvention, intrinsics_of, rate_of, synthetic_stamp_ns
from recall4d.sources.files import agent_name, matrix_from_text, numbered_files, pose_from_text
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames, size_of_images

DEPTH_CAMERA = Intrinsics(640, 480, 585.0, 585.0, 320.0, 240.0)
COLOUR_CAMERA = Intrinsics(640, 480, 525.679, 527.523, 318.469, 237.077)
COLOUR_FROM_DEPTH = checked_pose(
    np.array(
        [
            [0.99996294, -0.00807311, 0.00299162, -0.02507720],
            [0.00807482, 0.99996724, -0.00056251, 0.00328014],
            [-0.00298698, 0.00058664, 0.99999537, 0.00023663],
        ]
    )
)
RATE_HZ = 30.0
TILTED = "7-Scenes worlds are not aligned with gravity: up is -y of the map, give or take its tilt"


@dataclass(frozen=True, slots=True)
class SevenScenesFormat:
    """See the module."""

    name: str = "seven-scenes"

    def recognises(self, path: Path) -> bool:
        """A folder with frame-NNNNNN.color.* files."""
        return bool(_colours(path))

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        rate_hz, rate_note = rate_of(options, RATE_HZ)
        depths = numbered_files(path, "", r"frame-(\d+)\.depth\.png")
        shots = expect_frames(
            (
                Shot(number, synthetic_stamp_ns(number, rate_hz), colour, depths.get(number))
                for number, colour in _colours(path).items()
            ),
            path,
            "frame-NNNNNN.color.png or .jpg",
        )
        colour_size = size_of_images(path, (shot.colour for shot in shots), "colour")
        depth_camera, notes = _depth_camera(path, shots)
        return ImageFolder(
            format=self.name,
            agent=agent_name(path),
            notes=(rate_note, *(() if options.up_axis else (TILTED,)), *notes),
            root=path,
            shots=shots,
            intrinsics=COLOUR_CAMERA.scaled_to(*colour_size),
            depth=StoredDepth(options.depth_unit_m or 0.001, (0, 65535), depth_camera, COLOUR_FROM_DEPTH),
            convention=PoseConvention(up_axis="-y", tracked_from_colour=inverse(COLOUR_FROM_DEPTH)).overridden_by(
                options
            ),
            pose_of=lambda shot: pose_from_text(path / f"{shot.colour.split('.')[0]}.pose.txt"),
            stride=options.stride,
        )


def _colours(path: Path) -> dict[int, str]:
    return numbered_files(path, "", r"frame-(\d+)\.color\.(png|jpe?g)")


def _depth_camera(path: Path, shots: tuple[Shot, ...]) -> tuple[Intrinsics | None, tuple[str, ...]]:
    names = [shot.depth for shot in shots if shot.depth]
    if not names:
        return None, ("no depth images",)
    size = size_of_images(path, names, "depth")
    own = path / "camera-intrinsics.txt"
    if own.is_file():
        return intrinsics_of(matrix_from_text(own), size, (DEPTH_CAMERA.width, DEPTH_CAMERA.height), own.name)
    return DEPTH_CAMERA.scaled_to(*size), ()


FORMAT = SevenScenesFormat()
