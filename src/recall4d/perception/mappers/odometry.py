"""`odometry`: poses for recordings with depth, from frame to frame.

OpenCV's RGB-D odometry finds the motion between two frames by colour and depth together (its `Odometry` class,
after Steinbrücker et al., "Real-time visual odometry from dense RGB-D images", ICCV Workshops 2011). Where frames
lie too far apart for it, SIFT features and a pose from three points do (`solvePnPRansac`). No motion is believed
before depth agrees with it. Errors add up: there is no loop closure here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import FrameError, MissingExtraError, UsageError
from recall4d.geometry.camera import Intrinsics, inside_image, project, unproject, unproject_image
from recall4d.geometry.pose import Floats, inverse, pose, transform
from recall4d.perception.lift import measured_depth
from recall4d.perception.mappers.level import START
from recall4d.records import Frame

MAX_SKEW_NS = 50_000_000
MAX_DEPTH_M = 8.0
"""Sensors of consumer cameras say little beyond."""

MAX_STEP_M, MAX_TURN_DEG = 1.0, 60.0
"""Between two frames that can be joined at all."""

AGREE_M, AGREE_SHARE_OF_Z = 0.03, 0.02
"""Depths agree within this, as a sensor's noise grows with distance."""

MIN_AGREEMENT = 0.9
"""A motion is believed when this share of the depth seen in both frames agrees. In red_kitchen, at steps of a sixth
of a second to a whole one, motions right to 3 cm have 0.9 and more but for the rarest, and motions wrong by over
10 cm at most 0.85."""

MIN_SEEN_SHARE = 0.15
"""And when at least this share of the depth is seen in both."""

N_FEATURES, MIN_MATCHES = 1500, 15


@dataclass(frozen=True, eq=False, slots=True)
class _Placed:
    """A frame that others are joined to.

    Attributes:
        rgb, z_m: colours and the colour camera's depth, NaN unknown.
        intrinsics: of both.
        world_from_camera: where it is.
    """

    rgb: NDArray[np.uint8]
    z_m: NDArray[np.float32]
    intrinsics: Intrinsics
    world_from_camera: Floats


class OdometryMapper:
    """Joins each frame to the last one that has a place."""

    name = "odometry"
    overlap = 1

    def __init__(self) -> None:
        """Find OpenCV.

        Raises:
            MissingExtraError: it is not installed, or older than 5.
        """
        try:
            import cv2
        except ImportError as error:
            raise MissingExtraError("opencv-python-headless>=5", "odometry", "the mapper 'odometry'") from error
        if not hasattr(cv2, "Odometry"):
            raise MissingExtraError("opencv-python-headless>=5", "odometry", "the mapper 'odometry'")
        self._cv2: Any = cv2
        self._features: Any = self._cv2.SIFT_create(N_FEATURES)

    def place(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """See `recall4d.ports.Mapper`. A frame that cannot be joined has no pose; the next is joined across it."""
        last: _Placed | None = None
        for frame in frames:
            try:
                z_m = measured_depth(frame, MAX_SKEW_NS).z_m
            except FrameError:
                yield frame
                continue
            place = frame.world_from_camera
            if place is None:
                place = START if last is None else self._joined(frame, z_m, last)
            if place is not None:
                last = _Placed(frame.rgb, z_m, frame.intrinsics, place)
            yield replace(frame, world_from_camera=place)

    def _joined(self, frame: Frame, z_m: NDArray[np.float32], last: _Placed) -> Floats | None:
        """The frame's `world_from_camera`, by whichever motion depth agrees with."""
        for find in (self._by_depth_and_colour, self._by_features):
            last_from_camera = find(frame, z_m, last)
            if last_from_camera is not None and agrees(last_from_camera, z_m, frame.intrinsics, last):
                return np.asarray(last.world_from_camera @ last_from_camera)
        return None

    def _by_depth_and_colour(self, frame: Frame, z_m: NDArray[np.float32], last: _Placed) -> Floats | None:
        """`last_from_camera` by dense odometry; None where it fails or the cameras differ."""
        if frame.intrinsics != last.intrinsics:
            return None
        settings = self._cv2.OdometrySettings()
        settings.setCameraMatrix(frame.intrinsics.matrix.astype(np.float32))
        settings.setMaxDepth(MAX_DEPTH_M)
        settings.setMaxTranslation(MAX_STEP_M)
        settings.setMaxRotation(MAX_TURN_DEG)
        odometry = self._cv2.Odometry(self._cv2.OdometryType_RGB_DEPTH, settings, self._cv2.OdometryAlgoType_COMMON)
        ours, theirs = (
            self._cv2.OdometryFrame(_known(z), rgb) for z, rgb in ((z_m, frame.rgb), (last.z_m, last.rgb))
        )
        for prepared in (ours, theirs):
            odometry.prepareFrame(prepared)
        found, last_from_camera = odometry.compute(ours, theirs)
        return _rigid(last_from_camera) if found else None

    def _by_features(self, frame: Frame, z_m: NDArray[np.float32], last: _Placed) -> Floats | None:
        """`last_from_camera` by matched features, those of the last frame lifted by its depth."""
        points_ours, features_ours = self._features.detectAndCompute(frame.rgb, None)
        points_theirs, features_theirs = self._features.detectAndCompute(last.rgb, None)
        if features_ours is None or features_theirs is None:
            return None
        matches = self._cv2.BFMatcher(self._cv2.NORM_L2, crossCheck=True).match(features_theirs, features_ours)
        if len(matches) < MIN_MATCHES:
            return None
        theirs = np.array([points_theirs[each.queryIdx].pt for each in matches])
        ours = np.array([points_ours[each.trainIdx].pt for each in matches])
        columns, rows = np.rint(theirs).astype(np.intp).T
        z = last.z_m[np.clip(rows, 0, last.z_m.shape[0] - 1), np.clip(columns, 0, last.z_m.shape[1] - 1)]
        known = np.isfinite(z) & (z < MAX_DEPTH_M)
        if np.count_nonzero(known) < MIN_MATCHES:
            return None
        found, turn, shift, inliers = self._cv2.solvePnPRansac(
            unproject(theirs[known], z[known], last.intrinsics),
            ours[known],
            frame.intrinsics.matrix,
            None,
            reprojectionError=3.0,
            iterationsCount=300,
        )
        if not found or inliers is None or len(inliers) < MIN_MATCHES:
            return None
        camera_from_last = pose(self._cv2.Rodrigues(turn)[0], shift[:, 0])
        return inverse(camera_from_last)


def create(argument: str | None) -> OdometryMapper:
    """The entry point `odometry`.

    Raises:
        UsageError: an argument was given.
        MissingExtraError: OpenCV 5 is not installed.
    """
    if argument is not None:
        raise UsageError(f"the mapper 'odometry' takes no argument, got {argument!r}")
    return OdometryMapper()


def agreement(
    last_from_camera: Floats, z_m: NDArray[np.float32], intrinsics: Intrinsics, last: _Placed
) -> tuple[float, float]:
    """How well a motion fits: the share of a frame's depth that the last frame saw too, and of that the share that
    agrees.

    What is hidden in one view and seen in the other counts as disagreeing, which is little between near frames.

    Args:
        last_from_camera: the motion.
        z_m: (h, w) depth of the frame.
        intrinsics: of the frame.
        last: the frame before.
    """
    points = unproject_image(z_m, intrinsics)[::4, ::4].reshape(-1, 3)
    points = points[np.isfinite(points[:, 2])]
    if len(points) == 0:
        return 0.0, 0.0
    pixels, z = project(transform(last_from_camera, points), last.intrinsics)
    inside = inside_image(pixels, last.intrinsics)
    columns, rows = np.rint(pixels[inside]).astype(np.intp).T
    seen_m = last.z_m[rows, columns]
    known = np.isfinite(seen_m)
    if not known.any():
        return 0.0, 0.0
    off_m = np.abs(seen_m - z[inside])[known]
    agree = off_m < AGREE_M + AGREE_SHARE_OF_Z * seen_m[known]
    return float(np.count_nonzero(known) / len(points)), float(np.mean(agree))


def agrees(last_from_camera: Floats, z_m: NDArray[np.float32], intrinsics: Intrinsics, last: _Placed) -> bool:
    """Whether depth bears a motion out, see `agreement`."""
    seen, share = agreement(last_from_camera, z_m, intrinsics, last)
    return seen >= MIN_SEEN_SHARE and share >= MIN_AGREEMENT


def _known(z_m: NDArray[np.float32]) -> NDArray[np.float32]:
    """Depth as OpenCV takes it: 0 where it is unknown."""
    return np.nan_to_num(z_m, nan=0.0)


def _rigid(matrix: NDArray[np.floating]) -> Floats:
    return pose(matrix[:3, :3].astype(np.float64), matrix[:3, 3].astype(np.float64))
