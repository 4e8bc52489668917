"""recall4d's own folder format, documented in docs/recording-format.md.

```
kitchen/
  color/000000.jpg       the file's name is the frame's number; .jpg, .jpeg or .png
  depth/000000.png       16-bit, registered to colour; 0 unknown
  instance/000000.png    optional: 8- or 16-bit ids, 0 none
  poses.csv              frame, stamp_ns, m00..m33: world_from_camera, OpenCV axes, Z up, metres; and, if the
                         tracker knows it, how sure it is of the pose, 0..1
  intrinsics.json        width, height, fx, fy, cx, cy, depth_scale_m
  objects.json           optional, here or one level up: id -> {category, description}
```
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats
from recall4d.ports import Source
from recall4d.records import Label, SourceOptions
from recall4d.sources.common import PoseConvention, in_order
from recall4d.sources.files import Finite, Positive, PositiveInt, agent_name, lines_of, numbered_files, read_json
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames


class _Intrinsics(BaseModel):
    width: PositiveInt
    height: PositiveInt
    fx: Positive
    fy: Positive
    cx: Finite
    cy: Finite
    depth_scale_m: Positive = 0.001


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
        rows, unreadable = read_poses(path / "poses.csv")
        shots, notes = in_order(
            Shot(
                number=line.number,
                stamp_ns=line.stamp_ns,
                # A frame in poses.csv whose image is gone is still listed, so that it is counted as skipped.
                colour=colours.get(line.number, f"color/{line.number:06d}.jpg"),
                depth=depths.get(line.number),
                ids=ids.get(line.number),
                pose=line.matrix,
                pose_confidence=line.confidence,
            )
            for line in rows
        )
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
        )


def _expected(path: Path, unreadable: int) -> str:
    """What a file of poses should hold, and the first line of it that does not."""
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
