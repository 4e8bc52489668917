"""Checks of how the poses were read: their direction, and the axes of the camera they speak of."""

from __future__ import annotations

from recall4d.records import CameraAxes, PoseDirection
from recall4d.sources.doctor.report import Verdict, rounded
from recall4d.sources.doctor.reprojection import MIN_PAIRS, Fit

_MEANINGS: dict[PoseDirection | CameraAxes, str] = {
    "world_from_camera": "camera-to-world",
    "camera_from_world": "world-to-camera",
    "opencv": "OpenCV camera axes (y down, z forward)",
    "opengl": "OpenGL camera axes (y up, z backward)",
}


def check_pose_direction(fitted: Fit) -> Verdict:
    """Verdict `pose_direction`: camera-to-world or world-to-camera, by reprojection both ways."""
    return _check("pose_direction", "--pose-direction", fitted, part=0, read_as=fitted.convention.direction)


def check_camera_axes(fitted: Fit) -> Verdict:
    """Verdict `camera_axes`: OpenCV or OpenGL, by reprojection."""
    return _check("camera_axes", "--camera-axes", fitted, part=1, read_as=fitted.convention.camera_axes)


def _check(check: str, flag: str, fitted: Fit, part: int, read_as: PoseDirection | CameraAxes) -> Verdict:
    best = fitted.agreements[fitted.best]
    measured = {
        "n_pairs": fitted.n_pairs,
        "read_as": read_as,
        "agreeing": {
            " ".join(reading): rounded(agreement.share) for reading, agreement in fitted.agreements.items()
        },
        "agreeing_where_seen": rounded(best.share_seen),
        "margin": rounded(fitted.margin(part), 2),
    }
    if fitted.n_pairs < MIN_PAIRS:
        message = (
            "Undecided: there are too few frames with pose and depth between which the camera has moved "
            f"({fitted.n_pairs} pairs, expected {MIN_PAIRS} or more)."
        )
        return Verdict(check, "warn", message, measured)
    if not fitted.fits:
        message = (
            f"Undecided: whatever the convention, at most {best.share_seen:.0%} of the points seen from two places "
            "agree. Poses and depth do not belong together, or are very noisy."
        )
        return Verdict(check, "warn", message, measured)
    meant = fitted.best[part]
    numbers = f"{best.share_seen:.0%} of the points seen from two places agree"
    if not fitted.decided(part):
        message = f"Undecided: {numbers}, and nearly as many under the other reading: the camera hardly moved."
        return Verdict(check, "warn", message, measured)
    if meant != read_as:
        message = (
            f"Poses were read as {_MEANINGS[read_as]} but mean {_MEANINGS[meant]}: read so, {numbers}, "
            f"{fitted.margin(part):.1f} times as many."
        )
        return Verdict(check, "fail", message, measured, f"{flag} {meant}")
    message = f"{_MEANINGS[meant].capitalize() if part == 0 else _MEANINGS[meant]}: {numbers}."
    return Verdict(check, "ok", message, measured)
