"""A recording that is a folder of image files: most formats differ only in where the files lie and what they mean.

A format lists its frames once as `Shot`s, a few hundred bytes each; images are decoded one frame at a time and
nothing of them is kept, so memory does not grow with what has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.errors import FrameError, RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.depth import depth_from_raw
from recall4d.geometry.pose import Floats
from recall4d.records import DepthImage, Frame, FrameHeader, Label, PointCloud, StoredMasks
from recall4d.sources.common import PoseConvention
from recall4d.sources.images import Colour, first_image_size, read_cloud, read_colour, read_depth, read_ids

COLOUR_SIZE_DIFFERS = "colour image size differs from its intrinsics"
DEPTH_SIZE_DIFFERS = "depth image size differs from its intrinsics"
MASK_SIZE_DIFFERS = "mask size differs from colour image"


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """Where the parts of one frame lie, before any of them is read.

    Attributes:
        number: the recording's own frame number.
        stamp_ns: instant of the colour image.
        colour: path of the colour image below the recording's root.
        depth: path of the depth image; None where there is none. A path that leads nowhere means the same.
        ids: path of the instance ids, likewise.
        confidence: path of the depth's confidences, likewise.
        cloud: path of a point cloud, likewise.
        depth_skew_ns: stamp of the depth image minus stamp of the colour image.
        intrinsics: of this colour image, where they change from frame to frame.
        pose: as stored, where the format has it at hand when it lists its frames.
        pose_confidence: see `Frame`.
    """

    number: int
    stamp_ns: int
    colour: str
    depth: str | None = None
    ids: str | None = None
    confidence: str | None = None
    cloud: str | None = None
    depth_skew_ns: int = 0
    intrinsics: Intrinsics | None = None
    pose: ArrayLike | str | None = None
    pose_confidence: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StoredDepth:
    """What the numbers in a depth image mean.

    Attributes:
        unit_m: metres per stored unit.
        invalid: stored values that mean "unknown".
        intrinsics: of the depth camera; None when depth is registered to colour, at whatever resolution.
        colour_from_depth: (4, 4), the identity when depth is registered to colour.
        min_confidence: pixels whose stored confidence is lower are unknown.
    """

    unit_m: float
    invalid: tuple[int, ...] = (0,)
    intrinsics: Intrinsics | None = None
    colour_from_depth: Floats = field(default_factory=lambda: np.eye(4))
    min_confidence: int = 0

    def image(
        self,
        raw: NDArray[np.integer | np.floating],
        colour_intrinsics: Intrinsics,
        skew_ns: int = 0,
        confidence: NDArray[np.integer] | None = None,
    ) -> DepthImage | None:
        """The depth image of stored values (h, w); None where every pixel is unknown.

        Args:
            raw: stored values.
            colour_intrinsics: of the frame's colour image.
            skew_ns: see `DepthImage`.
            confidence: (h, w), or None where it is not known.

        Raises:
            FrameError: `DEPTH_SIZE_DIFFERS`.
        """
        height, width = raw.shape
        intrinsics = self.intrinsics or colour_intrinsics.scaled_to(width, height)
        _expect_size((width, height), intrinsics, DEPTH_SIZE_DIFFERS)
        z_m = depth_from_raw(raw, self.unit_m, self.invalid)
        if confidence is not None:
            if confidence.shape != raw.shape:
                raise FrameError(DEPTH_SIZE_DIFFERS, f"confidence {confidence.shape}, depth {raw.shape}")
            z_m[confidence < self.min_confidence] = np.nan
        if np.isnan(z_m).all():
            return None
        return DepthImage(z_m, intrinsics, self.colour_from_depth, skew_ns)


@dataclass(kw_only=True, eq=False)
class ImageFolder:
    """A `recall4d.ports.Source` over image files.

    Attributes:
        format, agent, notes: see `recall4d.ports.Source`.
        root: folder that the paths in `shots` start from.
        shots: by stamp, strictly increasing.
        intrinsics: of the colour camera, unless a shot has its own.
        depth: how depth is stored.
        convention: how poses are stored.
        pose_of: the stored pose of a shot; by default the one that the shot carries.
        labels: what is said of each stored instance id.
        stride: every how many shots one is given.
        camera_from_cloud: (4, 4) from the sensor of the point clouds to the colour camera.
        intrinsics_assumed: see `recall4d.records.Frame`.
    """

    format: str
    agent: str | None
    notes: tuple[str, ...]
    root: Path
    shots: tuple[Shot, ...]
    intrinsics: Intrinsics
    depth: StoredDepth
    convention: PoseConvention
    pose_of: Callable[[Shot], ArrayLike | str | None] = lambda shot: shot.pose
    labels: Mapping[int, Label] = field(default_factory=dict)
    stride: int = 1
    camera_from_cloud: Floats = field(default_factory=lambda: np.eye(4))
    intrinsics_assumed: bool = False

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        for shot in self.shots[:: self.stride]:
            world_from_camera, why_no_pose = self.convention.read(self.pose_of(shot))
            yield FrameHeader(shot.number, shot.stamp_ns, world_from_camera, why_no_pose, shot)

    def load(self, header: FrameHeader, agent: str) -> Frame:
        """See `recall4d.ports.Source`."""
        shot = header.locator
        assert isinstance(shot, Shot), "a header goes back to the source it came from"
        intrinsics = shot.intrinsics or self.intrinsics
        colour = read_colour(self.root / shot.colour)
        raw = read_depth(self.root / shot.depth) if shot.depth else None
        ids = read_ids(self.root / shot.ids) if shot.ids else None
        confidence = read_ids(self.root / shot.confidence) if shot.confidence else None
        points = read_cloud(self.root / shot.cloud) if shot.cloud else None
        frame = assemble(
            header,
            agent,
            colour,
            intrinsics,
            depth=None if raw is None else self.depth.image(raw, intrinsics, shot.depth_skew_ns, confidence),
            masks=None if ids is None else StoredMasks(ids, self.labels),
            pose_confidence=shot.pose_confidence,
        )
        cloud = None if points is None else PointCloud(points, self.camera_from_cloud)
        return replace(frame, cloud=cloud, intrinsics_assumed=self.intrinsics_assumed)


def assemble(
    header: FrameHeader,
    agent: str,
    colour: Colour,
    intrinsics: Intrinsics,
    depth: DepthImage | None,
    masks: StoredMasks | None = None,
    pose_confidence: float | None = None,
) -> Frame:
    """One frame of its decoded parts.

    Raises:
        FrameError: `COLOUR_SIZE_DIFFERS` or `MASK_SIZE_DIFFERS`.
    """
    height, width = colour.rgb.shape[:2]
    _expect_size((width, height), intrinsics, COLOUR_SIZE_DIFFERS)
    if masks is not None and masks.ids.shape != (height, width):
        mask_height, mask_width = masks.ids.shape
        raise FrameError(MASK_SIZE_DIFFERS, f"masks {mask_width}x{mask_height}, colour {width}x{height}")
    return Frame(
        agent=agent,
        number=header.number,
        stamp_ns=header.stamp_ns,
        rgb=colour.rgb,
        intrinsics=intrinsics,
        world_from_camera=header.world_from_camera,
        depth=depth,
        masks=masks,
        pose_confidence=pose_confidence,
        jpeg=colour.jpeg,
    )


def expect_frames(shots: Iterable[Shot], path: Path, expected: str) -> tuple[Shot, ...]:
    """The shots, of which there must be some.

    Raises:
        RecordingError: there are none; `expected` says where they should have been.
    """
    listed = tuple(shots)
    if not listed:
        raise RecordingError(f"{path} has no frames: expected {expected}")
    return listed


def size_of_images(root: Path, names: Iterable[str | None], what: str) -> tuple[int, int]:
    """(width, height) of the first of the images that can be read.

    Raises:
        RecordingError: none can be.
    """
    size = first_image_size(root / name for name in names if name is not None)
    if size is None:
        raise RecordingError(f"{root} has no readable {what} image")
    return size


def _expect_size(size: tuple[int, int], intrinsics: Intrinsics, reason: str) -> None:
    expected = (intrinsics.width, intrinsics.height)
    if size != expected:
        raise FrameError(reason, f"expected {expected[0]}x{expected[1]}, got {size[0]}x{size[1]}")
