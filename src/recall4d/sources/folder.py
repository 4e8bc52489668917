"""recall4d's own folder format, documented in docs/recording-format.md.

```
kitchen/
  color/000000.jpg       the file's name is the frame's number; .jpg, .jpeg or .png
  depth/000000.png       16-bit, registered to colour; 0 unknown
  cloud/000000.npy       instead of depth: (n, 3) metres in the frame of a range sensor
  instance/000000.png    optional: 8- or 16-bit ids, 0 none
  poses.csv              frame, stamp_ns, m00..m33: world_from_camera, OpenCV axes, Z up, metres; and, if the
                         tracker knows it, how sure it is of the pose, 0..1
                         (optional where a mapper finds the poses)
  intrinsics.json        width, height, fx, fy, cx, cy, depth_scale_m, camera_from_cloud
  objects.json           optional, here or one level up: id -> {category, description}
```
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import BaseModel, Field

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats, checked_pose
from recall4d.ports import Source
from recall4d.records import Label, SourceOptions
from recall4d.sources.common import PoseConvention, in_order, rate_of, synthetic_stamp_ns
from recall4d.sources.files import Finite, Positive, PositiveInt, agent_name, lines_of, numbered_files, read_json
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames

RATE_HZ = 30.0
IDENTITY = tuple(np.eye(4).ravel().tolist())


class _Intrinsics(BaseModel):
    width: PositiveInt
    height: PositiveInt
    fx: Positive
    fy: Positive
    cx: Finite
    cy: Finite
    depth_scale_m: Positive = 0.001
    camera_from_cloud: Annotated[tuple[Finite, ...], Field(min_length=16, max_length=16)] = IDENTITY


class _Label(BaseModel):
    category: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class FolderFormat:
    """See the module."""

    name: str = "folder"

    def recognises(self, path: Path) -> bool:
        """A folder with color/ and poses.csv or intrinsics.json."""
        own = (path / "poses.csv").is_file() or (path / "intrinsics.json").is_file()
        return own and (path / "color").is_dir()

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        camera = read_json(path / "intrinsics.json", _Intrinsics)
        colours = numbered_files(path, "color", r"(\d+)\.(jpe?g|png)")
        depths = numbered_files(path, "depth", r"(\d+)\.png")
        ids = numbered_files(path, "instance", r"(\d+)\.png")
        clouds = numbered_files(path, "cloud", r"(\d+)\.npy")
        posed = (path / "poses.csv").is_file() or not options.without_poses
        rows, unreadable = read_poses(path / "poses.csv") if posed else ([], 0)
        rate_hz, rate_note = rate_of(options, RATE_HZ)
        # A frame in poses.csv whose image is gone is still listed, so that it is counted as skipped.
        listed = (
            [(row.number, row.stamp_ns, row.matrix, row.confidence) for row in rows]
            if posed
            else [(number, synthetic_stamp_ns(number, rate_hz), None, None) for number in colours]
        )
        shots, notes = in_order(
            Shot(
                number=number,
                stamp_ns=stamp_ns,
                colour=colours.get(number, f"color/{number:06d}.jpg"),
                depth=depths.get(number),
                ids=ids.get(number),
                cloud=clouds.get(number),
                pose=matrix,
                pose_confidence=confidence,
            )
            for number, stamp_ns, matrix, confidence in listed
        )
        if not posed:
            notes += ("no poses.csv: a mapper must find the poses", rate_note)
        if unreadable:
            notes += (f"{unreadable} lines of poses.csv cannot be read: left out",)
        if missing := len(colours.keys() - {shot.number for shot in shots}):
            notes += (f"{missing} colour images have no line in poses.csv: left out",)
        labels = _read_labels(path) if ids else {}
        return ImageFolder(
            format=self.name,
            agent=agent_name(path),
            notes=notes,
            root=path,
            shots=expect_frames(shots, path, _expected(path / "poses.csv", unreadable)),
            intrinsics=Intrinsics(camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy),
            depth=StoredDepth(options.depth_unit_m or camera.depth_scale_m),
            convention=PoseConvention().overridden_by(options),
            labels=labels,
            stride=options.stride,
            camera_from_cloud=checked_pose(np.reshape(camera.camera_from_cloud, (4, 4))),
        )


def _expected(path: Path, unreadable: int) -> str:
    """What a file of poses should hold, and the first line of it that does not."""
    if not path.is_file():  # a mapper will find the poses
        return "color/NNNNNN.jpg or .png"
    expected = "lines 'frame, stamp_ns, m00..m33' in poses.csv, the stamp in whole nanoseconds"
    return f"{expected}; got {lines_of(path)[1][:60]!r}" if unreadable else f"{expected}; it has no lines"


class PoseLine(NamedTuple):
    """A line of poses.csv: the (4, 4) as stored, and how sure the tracker was of it, in [0, 1], if it says so."""

    number: int
    stamp_ns: int
    matrix: Floats
    confidence: float | None


def read_poses(path: Path) -> tuple[list[PoseLine], int]:
    """Every line but the heading, and how many lines could not be read."""
    rows: list[PoseLine] = []
    unreadable = 0
    for line in lines_of(path)[1:]:
        try:
            rows.append(_pose_line(line))
        except ValueError:
            unreadable += 1
    return rows, unreadable


def _pose_line(line: str) -> PoseLine:
    number, stamp_ns, *numbers = line.split(",")
    confidence = float(numbers[16]) if len(numbers) == 17 and numbers[16].strip() else None
    if confidence is not None and not 0.0 <= confidence <= 1.0:
        raise ValueError(f"expected a confidence from 0 to 1, got {confidence}")
    matrix = np.array(numbers[:16] if len(numbers) == 17 else numbers, dtype=np.float64).reshape(4, 4)
    return PoseLine(int(number), int(stamp_ns), matrix, confidence)


def _read_labels(path: Path) -> dict[int, Label]:
    """What objects.json, here or one level up, says of each id: category and description and nothing else."""
    for place in (path / "objects.json", path.resolve().parent / "objects.json"):
        if place.is_file():
            said = read_json(place, dict[int, _Label])
            return {number: Label(label.category, label.description) for number, label in said.items()}
    return {}


FORMAT = FolderFormat()
