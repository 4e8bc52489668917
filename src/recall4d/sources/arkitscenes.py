"""ARKitScenes: `<id>_frames/{lowres_wide, lowres_depth, confidence, lowres_wide_intrinsics}/<id>_<seconds>.*`.

Source: github.com/apple/ARKitScenes, DATA.md and threedod/benchmark_scripts/utils/tenFpsDataLoader.py; Baruch et
al., NeurIPS Datasets and Benchmarks 2021. `lowres_wide.traj` holds, ten times a second, a stamp, an axis-angle
rotation and a translation: **world-to-camera**, OpenCV axes, gravity-aligned Z-up world. Images come at 10 Hz
(3DOD) or 60 Hz (raw), so poses are interpolated. A `.pincam` is `width height fx fy cx cy` of its image; its stamp
may be a millisecond off. Depth is in millimetres, registered to colour; confidence is 0, 1 or 2, and depth of
confidence 0 is unknown.

Images are stored as the sensor reads them, so those of a phone held upright lie on their side.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from recall4d.clock import seconds_to_ns
from recall4d.errors import GeometryError, RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats, Trajectory, inverse, pose_from_axis_angle
from recall4d.ports import Source
from recall4d.records import PoseDirection, SourceOptions
from recall4d.sources.common import PoseConvention, nearest, pose_near, trajectory_of
from recall4d.sources.files import agent_name, lines_of
from recall4d.sources.image_folder import ImageFolder, Shot, StoredDepth, expect_frames, size_of_images

DEPTH_UNIT_M = 0.001
MIN_CONFIDENCE = 1
SAME_FRAME_S = 0.005
"""Files of one frame bear the same stamp, give or take this; see tenFpsDataLoader.py."""

TRAJECTORY = "lowres_wide.traj"


@dataclass(frozen=True, slots=True)
class ArkitScenesFormat:
    """See the module."""

    name: str = "arkitscenes"

    def recognises(self, path: Path) -> bool:
        """A folder with lowres_wide/ beside lowres_wide.traj or lowres_wide_intrinsics/, or its parent."""
        return _root(path) is not None

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        root = _root(path)
        if root is None:
            raise RecordingError(
                f"{path} has no frames: expected lowres_wide/ and {TRAJECTORY}, or <id>_frames/ with them"
            )
        colours = _stamped_files(root, "lowres_wide", "png|jpe?g")
        stamps_ns = [stamp_ns for stamp_ns, _ in colours]
        depths = _beside(stamps_ns, _stamped_files(root, "lowres_depth", "png"), options.max_skew_s)
        confidences = _beside(stamps_ns, _stamped_files(root, "confidence", "png"), options.max_skew_s)
        cameras, camera_notes = _cameras(root, colours)
        convention = PoseConvention(direction="camera_from_world").overridden_by(options)
        way, way_notes = _read_trajectory(root / TRAJECTORY, convention.direction, options.max_pose_gap_s)

        def stored_pose(shot: Shot) -> Floats | None:
            world_from_camera = pose_near(way, shot.stamp_ns, SAME_FRAME_S)
            if world_from_camera is None or convention.direction == "world_from_camera":
                return world_from_camera
            return inverse(world_from_camera)

        shots = (
            Shot(
                number=number,
                stamp_ns=stamp_ns,
                colour=colour,
                depth=None if depth is None else depth[1],
                confidence=None if confidence is None else confidence[1],
                depth_skew_ns=0 if depth is None else depth[0] - stamp_ns,
                intrinsics=camera,
            )
            for number, ((stamp_ns, colour), depth, confidence, camera) in enumerate(
                zip(colours, depths, confidences, cameras, strict=True)
            )
        )
        return ImageFolder(
            format=self.name,
            agent=(agent_name(path) or "").removesuffix("_frames") or None,
            notes=camera_notes + way_notes,
            root=root,
            shots=expect_frames(shots, root, "lowres_wide/<id>_<seconds>.png"),
            intrinsics=cameras[0],
            depth=StoredDepth(options.depth_unit_m or DEPTH_UNIT_M, min_confidence=MIN_CONFIDENCE),
            convention=convention,
            pose_of=stored_pose,
            stride=options.stride,
        )


def _root(path: Path) -> Path | None:
    """The folder that holds lowres_wide/: `path`, or the one folder <id>_frames in it."""
    try:
        frames = sorted(each for each in path.iterdir() if each.name.endswith("_frames"))
    except OSError:
        return None
    for place in (path, *frames):
        beside = (place / TRAJECTORY).is_file() or (place / "lowres_wide_intrinsics").is_dir()
        if beside and (place / "lowres_wide").is_dir():
            return place
    return None


def _stamped_files(root: Path, folder: str, suffixes: str) -> list[tuple[int, str]]:
    """(stamp_ns, path below `root`) of the files <id>_<seconds>.<suffix> of a folder, by stamp."""
    matcher = re.compile(rf"[^_]+_(\d+(?:\.\d+)?)\.(?:{suffixes})", re.IGNORECASE)
    try:
        names = os.listdir(root / folder)
    except OSError:
        return []
    matches = [(matcher.fullmatch(name), name) for name in names]
    return sorted((seconds_to_ns(match.group(1)), f"{folder}/{name}") for match, name in matches if match)


def _beside(stamps_ns: list[int], files: list[tuple[int, str]], max_skew_s: float) -> list[tuple[int, str] | None]:
    """For each stamp the nearest of some files, None where none is within `max_skew_s`."""
    indices = nearest(stamps_ns, [stamp_ns for stamp_ns, _ in files], max_skew_s)
    return [None if index is None else files[index] for index in indices]


def _cameras(root: Path, colours: list[tuple[int, str]]) -> tuple[list[Intrinsics], tuple[str, ...]]:
    """The camera of each colour image, and notes. An image without one has that of the image before it.

    Raises:
        RecordingError: no image has a camera.
    """
    size = size_of_images(root, (name for _, name in colours), "colour")
    files = _stamped_files(root, "lowres_wide_intrinsics", "pincam")
    beside = _beside([stamp_ns for stamp_ns, _ in colours], files, SAME_FRAME_S)
    own = [None if file is None else _read_pincam(root / file[1], size) for file in beside]
    latest = next((camera for camera in own if camera is not None), None)
    if latest is None:
        raise RecordingError(f"{root} has no camera: expected lowres_wide_intrinsics/<id>_<seconds>.pincam")
    cameras = []
    for camera in own:
        latest = camera or latest
        cameras.append(latest)
    missing = own.count(None)
    return cameras, (f"{missing} images have no .pincam: that of a neighbour is taken",) if missing else ()


def _read_pincam(path: Path, size: tuple[int, int]) -> Intrinsics | None:
    try:
        width, height, fx, fy, cx, cy = map(float, path.read_text(encoding="utf-8").split())
        return Intrinsics(int(width), int(height), fx, fy, cx, cy).scaled_to(*size)
    except (OSError, ValueError, OverflowError, GeometryError):
        return None


def _read_trajectory(path: Path, direction: PoseDirection, max_gap_s: float) -> tuple[Trajectory, tuple[str, ...]]:
    """The way of the camera, in the stored world and with the stored axes, and notes.

    Interpolated as the camera moves: a path through the world, whatever the direction of the stored matrices.
    """
    if not path.is_file():
        return trajectory_of({}, max_gap_s), (f"no {path.name}: frames have no pose",)
    convention = PoseConvention(direction=direction)
    lines = lines_of(path)
    by_stamp: dict[int, Floats] = {}
    for line in lines:
        try:
            stamp, *numbers = line.split()
            values = np.array(numbers, dtype=np.float64).reshape(6)
            stamp_ns = seconds_to_ns(stamp)
        except ValueError:
            continue
        if np.isfinite(values).all():
            by_stamp.setdefault(
                stamp_ns, convention.world_from_colour(pose_from_axis_angle(values[:3], values[3:]))
            )
    unusable = len(lines) - len(by_stamp)
    notes = (f"{path.name}: {unusable} samples are repeated or no poses: left out",) if unusable else ()
    return trajectory_of(by_stamp, max_gap_s), notes


FORMAT = ArkitScenesFormat()
