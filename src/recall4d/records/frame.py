"""What a camera delivers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.camera import Intrinsics


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """What is known of a frame before its images are decoded.

    Attributes:
        number: the source's own frame number.
        stamp_ns: instant of the colour image.
        world_from_camera: (4, 4), or None where the source has no usable pose for it.
        why_no_pose: reason for a missing pose, a short fixed phrase.
        locator: whatever the source needs to load the frame; its own business.
    """

    number: int
    stamp_ns: int
    world_from_camera: NDArray[np.float64] | None = None
    why_no_pose: str | None = None
    locator: object = None


@dataclass(frozen=True, slots=True)
class Label:
    """What is said of one stored mask: `category` ("cup") and `description` ("white mug with a blue rim")."""

    category: str | None = None
    description: str | None = None


@dataclass(frozen=True, eq=False, slots=True)
class DepthImage:
    """Depth with the camera it was taken by.

    Attributes:
        z_m: (h, w) float32, metres along the optical axis, NaN unknown.
        intrinsics: of the depth image.
        colour_from_depth: (4, 4); the identity when depth is registered to colour, whatever its resolution.
        stamp_skew_ns: stamp of the depth image minus stamp of the colour image.
    """

    z_m: NDArray[np.float32]
    intrinsics: Intrinsics
    colour_from_depth: NDArray[np.float64] = field(default_factory=lambda: np.eye(4))
    stamp_skew_ns: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class PointCloud:
    """Points of a range sensor at the instant of the frame.

    Attributes:
        points_xyz: (n, 3) metres in the sensor's own frame.
        camera_from_sensor: (4, 4) extrinsics.
        stamp_skew_ns: stamp of the cloud minus stamp of the colour image.
    """

    points_xyz: NDArray[np.floating]
    camera_from_sensor: NDArray[np.float64]
    stamp_skew_ns: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class StoredMasks:
    """Instance masks that came with the recording.

    Attributes:
        ids: (h, w) unsigned integers, 0 = none. An id means something inside this image only.
        labels: what is said of each id.
    """

    ids: NDArray[np.unsignedinteger]
    labels: Mapping[int, Label]


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """One decoded instant of one agent.

    Attributes:
        agent: who saw it.
        number: the source's own frame number.
        stamp_ns: instant of the colour image.
        rgb: (h, w, 3) uint8.
        intrinsics: of the colour image.
        world_from_camera: (4, 4), OpenCV camera axes, or None.
        depth: measured or estimated depth, or None.
        cloud: a point cloud instead of depth, or None.
        masks: instance masks stored with the recording, or None.
        pose_confidence: in [0, 1] where the source knows it.
        intrinsics_assumed: the recording does not say what the camera is like; `intrinsics` are a guess, which a
            mapper may replace.
        jpeg: the colour image as the source stores it, when that is a JPEG; keyframes are copied, not coded again.
    """

    agent: str
    number: int
    stamp_ns: int
    rgb: NDArray[np.uint8]
    intrinsics: Intrinsics
    world_from_camera: NDArray[np.float64] | None
    depth: DepthImage | None = None
    cloud: PointCloud | None = None
    masks: StoredMasks | None = None
    pose_confidence: float | None = None
    jpeg: bytes | None = None
    intrinsics_assumed: bool = False
