"""Words for the size and shape of a box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TINY_BELOW_M, SMALL_BELOW_M, LARGE_FROM_M = 0.06, 0.30, 0.90
"""Longest edge. In the recordings, what people call small has 0.1 to 0.3 m, and what they call large from 0.7 m."""


def size_word(extent_xyz: NDArray[np.floating]) -> str | None:
    """One of tiny, small, medium and large, by the longest of the extents (3,) in metres; None where unknown."""
    longest = float(np.max(extent_xyz))
    if np.isnan(longest):
        return None
    if longest < TINY_BELOW_M:
        return "tiny"
    if longest < SMALL_BELOW_M:
        return "small"
    return "medium" if longest < LARGE_FROM_M else "large"


def shape_word(extent_xyz: NDArray[np.floating]) -> str | None:
    """One of flat, long, tall and low where a box (3,), metres, z up, is clearly so; else None."""
    height = float(extent_xyz[2])
    thin, middle, longest = np.sort(extent_xyz).tolist()
    side = float(np.max(extent_xyz[:2]))
    if np.isnan(longest):
        return None
    if thin < 0.04 and thin < middle / 4:
        return "flat"
    if longest > 0.5 and longest == side and longest > 2.2 * middle:
        return "long"
    if height > 1.1 and height > 1.25 * side:
        return "tall"
    return "low" if 0.1 < height < 0.5 and side > max(0.5, 1.8 * height) and middle > 1.2 * height else None
