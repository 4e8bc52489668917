"""When an agent was there: recordings without a break, and stays at a place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recall4d.clock import Interval, merge_intervals, seconds_to_ns
from recall4d.geometry.pose import Trajectory
from recall4d.geometry.region import Region
from recall4d.geometry.relations import Boxes

MIN_BREAK_S = 10.0
"""Two visits are apart by at least this, and by far more than their frames are."""

RETURN_S = 3.0
"""Who is back sooner has not left."""


def visits_of(trajectory: Trajectory) -> tuple[Interval, ...]:
    """A trajectory in stretches without a break.

    A break is `MIN_BREAK_S` or more, and ten times the usual time between frames.
    """
    stamps = trajectory.stamps_ns
    if len(stamps) == 0:
        return ()
    breaks = np.flatnonzero(np.diff(stamps) >= max(MIN_BREAK_S * 1e9, 10 * _usual_gap_ns(trajectory)))
    starts, ends = np.r_[0, breaks + 1], np.r_[breaks, len(stamps) - 1]
    return tuple(Interval(int(stamps[i]), int(stamps[j])) for i, j in zip(starts, ends, strict=True))


def stays_at(trajectory: Trajectory, at: Sequence[Boxes | Region], distance_m: float) -> tuple[Interval, ...]:
    """When an agent was at a place, in plan: inside a region, or near a box.

    Args:
        trajectory: where it was.
        at: where the place was at each of its stamps.
        distance_m: from a box's footprint; a region must hold the agent.

    Returns:
        Stays in order; who is away for less than `RETURN_S`, or for two frames, has not left.
    """
    there = [
        int(stamp)
        for stamp, pose, place in zip(trajectory.stamps_ns, trajectory.poses, at, strict=True)
        if _is_at(pose[:2, 3], place, distance_m)
    ]
    gap_ns = max(seconds_to_ns(RETURN_S), round(2 * _usual_gap_ns(trajectory)))
    return merge_intervals((Interval(stamp, stamp) for stamp in there), gap_ns)


def _is_at(xy: np.ndarray, place: Boxes | Region, distance_m: float) -> bool:
    if isinstance(place, Region):
        return bool(place.aside_m(xy) <= 1e-9)
    off = np.maximum(np.maximum(place.low[:2] - xy, xy - place.high[:2]), 0.0)
    return bool(np.hypot(*off) <= distance_m)


def _usual_gap_ns(trajectory: Trajectory) -> float:
    gaps = np.diff(trajectory.stamps_ns)
    return float(np.median(gaps)) if len(gaps) else 0.0
