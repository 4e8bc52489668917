"""How a recording is to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PoseDirection = Literal["world_from_camera", "camera_from_world"]
CameraAxes = Literal["opencv", "opengl"]
UpAxis = Literal["z", "y", "-y"]


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Overrides of what a format's reader would assume; None keeps the format's own convention.

    Attributes:
        depth_unit_m: metres per stored depth unit (0.001 for millimetres).
        pose_direction: what the stored matrices take to what.
        camera_axes: axes of the camera frame that the stored poses speak of.
        up_axis: the stored world's up.
        rate_hz: frames a second, where the recording has no stamps.
        max_pose_gap_s: poses are interpolated across gaps up to this long.
        max_skew_s: depth or poses farther than this from the colour image's stamp do not belong to it.
        stride: every how many frames one is read.
        without_poses: a mapper will find the poses, so a recording that has none is read.
    """

    depth_unit_m: float | None = None
    pose_direction: PoseDirection | None = None
    camera_axes: CameraAxes | None = None
    up_axis: UpAxis | None = None
    rate_hz: float | None = None
    max_pose_gap_s: float = 0.25
    max_skew_s: float = 0.02
    stride: int = 1
    without_poses: bool = False
