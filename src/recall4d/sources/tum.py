"""TUM RGB-D: `rgb.txt`, `depth.txt` and `groundtruth.txt` beside the folders rgb/ and depth/.

Source: "RGB-D SLAM Dataset and Benchmark: File Formats", TUM Computer Vision Group; Sturm et al., IROS 2012.
Colour, depth and motion capture keep their own stamps: a frame is a colour image; the nearest depth image within
`max_skew_s` belongs to it, and its pose is interpolated. Depth is registered to colour, 5000 units a metre, 0
unknown. Poses are `t tx ty tz qx qy qz qw` of the colour camera in a Z-up world.

The format has no place for intrinsics. `calibration.txt` with `fx fy cx cy` (ETH3D's variant of the format) is read
where it exists; otherwise the camera follows from the sequence's name, as that page gives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from recall4d.errors import RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Trajectory
from recall4d.ports import Source
from recall4d.records import SourceOptions
from recall4d.sources.common import (
    PoseConvention,
    in_order,
    intrinsics_of,
    nearest,
    pose_near,
    stamps_from_text,
    trajectory_from_quaternions,
    trajectory_of,
)
from recall4d.sources.files import agent_name, lines_of, matrix_from_text
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames, size_of_images

UNITS_PER_METRE = 5000
SENSOR_SIZE = (640, 480)
CAMERAS = {
    "freiburg1": Intrinsics(640, 480, 517.3, 516.5, 318.6, 255.3),
    "freiburg2": Intrinsics(640, 480, 520.9, 521.0, 325.1, 249.7),
    "freiburg3": Intrinsics(640, 480, 535.4, 539.2, 320.1, 247.6),
}
UNKNOWN_CAMERA = Intrinsics(640, 480, 525.0, 525.0, 319.5, 239.5)


@dataclass(frozen=True, slots=True)
class TumFormat:
    """See the module."""

    name: str = "tum"

    def recognises(self, path: Path) -> bool:
        """A folder with rgb.txt."""
        return (path / "rgb.txt").is_file()

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        colours, notes = _read_list(path / "rgb.txt")
        depths, depth_notes = _read_list(path / "depth.txt", optional=True)
        depths.sort()
        skew_s = options.max_skew_s
        belonging = nearest([stamp for stamp, _ in colours], [stamp for stamp, _ in depths], skew_s)
        shots, order_notes = in_order(
            Shot(number, stamp_ns, colour)
            if index is None
            else Shot(number, stamp_ns, colour, depths[index][1], depth_skew_ns=depths[index][0] - stamp_ns)
            for number, ((stamp_ns, colour), index) in enumerate(zip(colours, belonging, strict=True))
        )
        if alone := belonging.count(None):
            depth_notes += (f"{alone} colour images have no depth image within {skew_s:g} s",)
        shots = expect_frames(shots, path, "lines 'timestamp filename' in rgb.txt")
        intrinsics, camera_notes = _camera(path, size_of_images(path, (shot.colour for shot in shots), "colour"))
        way, way_notes = _read_trajectory(path / "groundtruth.txt", options)
        return ImageFolder(
            format=self.name,
            agent=agent_name(path),
            notes=(*notes, *depth_notes, *order_notes, *way_notes, *camera_notes),
            root=path,
            shots=shots,
            intrinsics=intrinsics,
            depth=StoredDepth(options.depth_unit_m or 1 / UNITS_PER_METRE),
            convention=PoseConvention(),  # the trajectory is converted as it is read, then interpolated
            pose_of=lambda shot: pose_near(way, shot.stamp_ns, skew_s),
            stride=options.stride,
        )


def _read_list(path: Path, optional: bool = False) -> tuple[list[tuple[int, str]], tuple[str, ...]]:
    """(stamp_ns, file name) of every line of a list of images, and notes."""
    if optional and not path.exists():
        return [], (f"no {path.name}",)
    rows = [line.split(maxsplit=1) for line in lines_of(path)]
    whole = [row for row in rows if len(row) == 2]
    stamps_ns, notes = stamps_from_text([stamp for stamp, _ in whole], path.name)
    if cut := len(rows) - len(whole):
        notes += (f"{path.name}: {cut} lines name no file: left out",)
    return list(zip(stamps_ns, [name for _, name in whole], strict=True)), notes


def _read_trajectory(path: Path, options: SourceOptions) -> tuple[Trajectory, tuple[str, ...]]:
    """The way of the colour camera through a Z-up world, and notes; without the file a way of no samples."""
    convention = PoseConvention().overridden_by(options)
    if not path.is_file():
        return trajectory_of({}, options.max_pose_gap_s), (f"no {path.name}: frames have no pose",)
    rows = [line.split() for line in lines_of(path)]
    whole = [row for row in rows if len(row) == 8]
    stamps_ns, notes = stamps_from_text([row[0] for row in whole], path.name)
    try:
        values = np.array([row[1:] for row in whole], dtype=np.float64).reshape(-1, 7)
    except ValueError as error:
        raise RecordingError(f"{path}: expected lines 't tx ty tz qx qy qz qw': {error}") from error
    way = trajectory_from_quaternions(stamps_ns, values[:, :3], values[:, 3:], convention, options.max_pose_gap_s)
    if unusable := len(rows) - len(way.stamps_ns):
        notes += (f"{path.name}: {unusable} samples are repeated or no poses: left out",)
    return way, notes


def _camera(path: Path, size: tuple[int, int]) -> tuple[Intrinsics, tuple[str, ...]]:
    own = path / "calibration.txt"
    if own.is_file():
        numbers = matrix_from_text(own).ravel()
        if len(numbers) < 4:
            raise RecordingError(f"{own}: expected fx fy cx cy, got {len(numbers)} numbers")
        fx, fy, cx, cy = numbers[:4].tolist()
        matrix = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
        return intrinsics_of(matrix, size, SENSOR_SIZE, own.name)
    name = path.resolve().name
    for sequence, camera in CAMERAS.items():
        if sequence in name:
            distortion = "" if sequence == "freiburg3" else "; its lens distortion is not removed"
            return camera.scaled_to(*size), (f"no intrinsics: the camera of {sequence} assumed{distortion}",)
    return UNKNOWN_CAMERA.scaled_to(*size), ("no intrinsics: a Kinect with f = 525 px at 640x480 assumed",)


FORMAT = TumFormat()
