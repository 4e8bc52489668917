"""Checks of the poses as numbers: are they rotations, are there enough of them, and does the camera jump?"""

from __future__ import annotations

import numpy as np

from recall4d.geometry.pose import ROTATION_TOLERANCE, Floats
from recall4d.sources.common import POSE_NOT_A_ROTATION, POSE_NOT_FINITE
from recall4d.sources.doctor.report import Level, Verdict, counted, rounded
from recall4d.sources.doctor.reprojection import Fit
from recall4d.sources.doctor.survey import Survey

JUMP_SPEED_M_S = 3.0
JUMP_RATIO = 6.0
JUMP_M = 0.3
"""A step this long, this fast, and this many times as fast as nine steps in ten, is no motion."""


def check_orthonormality(surveyed: Survey) -> Verdict:
    """Verdict `orthonormality`: how far the rotations are from rotations, mirrored and refused ones."""
    off = surveyed.deviations[surveyed.finite]
    refused = surveyed.why_no_pose
    counts = {
        "mirrored": int(surveyed.mirrored.sum()),
        "not finite": int((~surveyed.finite).sum()) - sum(refused.values()) + refused.get(POSE_NOT_FINITE, 0),
        "not a rotation": int((off > ROTATION_TOLERANCE).sum()) + refused.get(POSE_NOT_A_ROTATION, 0),
    }
    measured = {"n_poses": len(off), "max_deviation": rounded(float(off.max(initial=0.0)), 6)}
    measured |= {name.replace(" ", "_"): count for name, count in counts.items()}
    bad = {name: count for name, count in counts.items() if count}
    if bad:
        level: Level = "warn" if surveyed.posed.any() else "fail"
        return Verdict("orthonormality", level, f"Poses that are no rigid transforms: {counted(bad)}.", measured)
    if len(off) == 0:
        return Verdict("orthonormality", "warn", "No frame has a pose.", measured)
    message = f"All {len(off)} rotations are orthonormal within {off.max():.1g}."
    return Verdict("orthonormality", "ok", message, measured)


def check_poses(surveyed: Survey, fitted: Fit) -> Verdict:
    """Verdict `poses`: how many frames have one, how far and how fast the camera goes, where it jumps."""
    n, n_posed = len(surveyed.posed), int(surveyed.posed.sum())
    measured: dict[str, object] = {"n_frames": n, "n_posed": n_posed, "without": dict(surveyed.why_no_pose)}
    if n_posed == 0:
        why = f" ({counted(surveyed.why_no_pose)})" if surveyed.why_no_pose else ""
        return Verdict("poses", "fail", f"No frame has a usable pose{why}: nothing can be placed.", measured)
    steps_m, steps_s = _steps(surveyed, fitted)
    moving = steps_s > 0
    speeds = steps_m[moving] / steps_s[moving]
    jumps = np.zeros(0, dtype=bool)
    if len(speeds):
        usual = max(JUMP_SPEED_M_S, JUMP_RATIO * float(np.quantile(speeds, 0.9)))
        jumps = (speeds > usual) & (steps_m[moving] > JUMP_M)
        measured |= {
            "median_speed_m_s": rounded(float(np.median(speeds))),
            "max_speed_m_s": rounded(float(speeds.max())),
        }
    measured |= {"path_m": rounded(float(steps_m.sum()), 2), "jumps": int(jumps.sum())}
    without = f" ({counted(surveyed.why_no_pose)})" if surveyed.why_no_pose else ""
    parts = [f"{n_posed} of {n} frames have a pose{without}"]
    parts.append(f"the camera goes {steps_m.sum():.1f} m")
    if len(speeds):
        parts.append(f"at {np.median(speeds):.2f} m/s (median), {speeds.max():.2f} m/s at most")
    message = ", ".join(parts) + "."
    if jumps.any():
        message += f" It jumps {int(jumps.sum())} times: poses were lost, or the map shifted."
        return Verdict("poses", "warn", message, measured)
    return Verdict("poses", "ok" if n_posed >= 0.9 * n else "warn", message, measured)


def _steps(surveyed: Survey, fitted: Fit) -> tuple[Floats, Floats]:
    """Metres and seconds (m,) between frames with a pose."""
    posed = np.flatnonzero(surveyed.posed)
    centres = np.array([fitted.mended(pose)[:3, 3] for pose in surveyed.poses[posed]])
    since_start_s = np.concatenate([[0.0], np.cumsum(surveyed.steps_s)])
    return np.linalg.norm(np.diff(centres, axis=0), axis=1), np.diff(since_start_s[posed])
