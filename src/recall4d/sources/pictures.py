"""A folder of images and nothing else, such as a video taken apart: a mapper must find the rest.

`ffmpeg -i walk.mp4 -vf fps=5 walk/%06d.jpg` writes one. Images are taken in order of name. No stamps (`--rate`), no
poses, no depth, and no camera: one with a horizontal field of view of 60 degrees is assumed until a mapper knows
better. Everyday phones have 60 to 75 degrees.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from recall4d.errors import RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources.common import PoseConvention, rate_of, synthetic_stamp_ns
from recall4d.sources.files import agent_name
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames, size_of_images

RATE_HZ = 30.0
FIELD_OF_VIEW_DEG = 60.0

_IMAGE = re.compile(r".*\.(jpe?g|png)", re.IGNORECASE)
_OTHER_FORMATS = re.compile(r"frame-\d+\.|.*(depth|confidence|rgb\.|pose)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PicturesFormat:
    """See the module."""

    name: str = "images"

    def recognises(self, path: Path) -> bool:
        """A folder of at least two images and nothing else."""
        try:
            names = [name for name in os.listdir(path) if not name.startswith(".")]
        except OSError:
            return False
        return len(names) > 1 and all(_IMAGE.fullmatch(name) and not _OTHER_FORMATS.match(name) for name in names)

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        if not options.without_poses:
            raise RecordingError(
                f"{path} holds images only: name a mapper that finds the rest (--mapper map-anything)"
            )
        rate_hz, rate_note = rate_of(options, RATE_HZ)
        names = sorted(name for name in os.listdir(path) if _IMAGE.fullmatch(name))
        shots = expect_frames(
            (Shot(number, synthetic_stamp_ns(number, rate_hz), name) for number, name in enumerate(names)),
            path,
            "images, .jpg or .png",
        )
        width, height = size_of_images(path, names, "colour")
        focal_px = width / 2 / np.tan(np.radians(FIELD_OF_VIEW_DEG) / 2)
        return ImageFolder(
            format=self.name,
            agent=agent_name(path),
            notes=(
                "images only: a mapper must find poses and depth",
                f"no camera given: a field of view of {FIELD_OF_VIEW_DEG:g} degrees assumed",
                rate_note,
            ),
            root=path,
            shots=shots,
            intrinsics=Intrinsics(width, height, focal_px, focal_px, (width - 1) / 2, (height - 1) / 2),
            depth=StoredDepth(1.0),
            convention=PoseConvention().overridden_by(options),
            stride=options.stride,
            intrinsics_assumed=True,
        )


FORMAT = PicturesFormat()
