"""Check of the depth's unit: what the depths are, and whether they agree with how far the camera moved."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.sources.doctor.look import DepthLook
from recall4d.sources.doctor.report import Verdict, rounded
from recall4d.sources.doctor.reprojection import Fit

PRESETS: dict[float, str] = {
    1.0: "metres",
    0.01: "centimetres",
    0.001: "millimetres",
    0.0001: "tenths of millimetres (RealSense D405)",
    0.00025: "quarters of millimetres (RealSense L515)",
    0.0002: "1/5000 m (TUM)",
    1 / 6553.5: "1/6553.5 m (Replica, Habitat)",
    1 / 256: "1/256 m (KITTI)",
}
"""Units in use, metres per stored unit."""

FITS_WITHIN = 1.1
"""A factor this near to one, or to a preset, is that."""

PLAUSIBLE_MEDIAN_M = (0.15, 30.0)
UINT16_MAX = 65535


def check_depth_scale(depths: Collection[DepthLook], fitted: Fit, read_as_m: float | None = None) -> Verdict:
    """Verdict `depth_scale`: percentiles, the share of known pixels, and the unit that the views speak for.

    `read_as_m` are the metres per stored unit that the depths were read with; None guesses from their spacing.
    """
    values = np.concatenate([each.z_m[np.isfinite(each.z_m)] for each in depths]) if depths else np.empty(0)
    if len(values) == 0:
        return Verdict("depth_scale", "warn", "No frame that was looked at has depth.", {"share_valid": 0.0})
    low, median, high = (float(each) for each in np.percentile(values, [1, 50, 99]))
    unit_m = read_as_m or stored_unit_m(values)
    measured: dict[str, Any] = {
        "p1_m": rounded(low),
        "p50_m": rounded(median),
        "p99_m": rounded(high),
        "share_valid": rounded(float(np.mean([each.share_valid for each in depths]))),
        "unit_m": unit_m,
        "factor": None,
    }
    numbers = f"Depths of {low:.2f}, {median:.2f} and {high:.2f} m (1, 50 and 99 %)"
    if marker := _sixteen_bits_full(depths, unit_m):
        return Verdict("depth_scale", "fail", f"{numbers}: {marker}", measured)
    if fitted.unsteady is not None:
        measured["unsteady"] = rounded(fitted.unsteady)
        message = (
            f"{numbers}: views agree only when each pair is given a scale of its own, {fitted.unsteady:.0%} apart "
            "in the middle. This is estimated or relative depth, not metric depth."
        )
        return Verdict("depth_scale", "fail", message, measured)
    if not fitted.scale_decided:
        return _by_plausibility(numbers, median, measured)
    factor = fitted.agreements[fitted.best].factor
    measured |= {"factor": rounded(factor, 4), "n_pairs": fitted.n_pairs}
    if 1 / FITS_WITHIN <= factor <= FITS_WITHIN:
        message = f"{numbers}: the scale agrees with the motion of the camera (best at {factor:.2f} times)."
        return Verdict("depth_scale", "ok", message, measured)
    return _off_by(factor, unit_m, numbers, measured)


def stored_unit_m(depths_m: NDArray[np.floating]) -> float | None:
    """The unit in which depths (n,) were stored, read off their spacing; None where they are not multiples of one.

    The smallest difference between two depths is the unit when every depth is a whole number of it.
    """
    distinct = np.unique(depths_m[depths_m < UINT16_MAX])
    if len(distinct) < 20:
        return None
    steps = np.diff(distinct.astype(np.float64))
    # Averaged over many steps, and then over whole depths, the rounding of float32 is gone.
    unit = float(steps[steps < 1.3 * steps.min()].mean())
    for _ in range(2):
        multiples = np.rint(distinct / unit)
        if multiples.max() > 2 * UINT16_MAX:
            return None
        unit = float((distinct * multiples).sum() / (multiples**2).sum())
    off = np.abs(distinct / unit - np.rint(distinct / unit))
    if float(np.quantile(off, 0.99)) > 0.1:
        return None
    known = min(PRESETS, key=lambda preset: abs(np.log(preset / unit)))
    return known if abs(known / unit - 1) < 0.01 else float(f"{unit:.4g}")


def _off_by(factor: float, unit_m: float | None, numbers: str, measured: dict[str, Any]) -> Verdict:
    message = f"{numbers} do not agree with the motion of the camera: they would at {factor:.3g} times."
    if unit_m is not None:
        meant = min(PRESETS, key=lambda preset: abs(np.log(preset / (unit_m * factor))))
        if 1 / FITS_WITHIN <= unit_m * factor / meant <= FITS_WITHIN:
            message += f" The stored unit is {PRESETS[meant]}, not {PRESETS.get(unit_m, f'{unit_m:g} m')}."
            return Verdict("depth_scale", "fail", message, measured, f"--depth-unit {meant:.6g}")
    message += " No unit in use explains that: depth or poses are not in metres."
    return Verdict("depth_scale", "fail", message, measured)


def _by_plausibility(numbers: str, median_m: float, measured: dict[str, Any]) -> Verdict:
    low, high = PLAUSIBLE_MEDIAN_M
    if low <= median_m <= high:
        message = f"{numbers} are plausible, but no views from different places settle the scale."
    else:
        message = f"{numbers} are implausible for metres, and no views from different places settle the scale."
    return Verdict("depth_scale", "warn" if low <= median_m <= high else "fail", message, measured)


def _sixteen_bits_full(depths: Collection[DepthLook], unit_m: float | None) -> str | None:
    """What is wrong when the largest 16-bit number is read as a depth out of all proportion."""
    largest = max(each.max_m for each in depths if np.isfinite(each.max_m))
    if unit_m is None or largest < 20.0 or abs(largest / unit_m - UINT16_MAX) > 0.5:
        return None
    n_full = sum(abs(each.max_m - largest) < 1e-3 for each in depths)
    return (
        f"the largest stored value, {UINT16_MAX}, is read as {largest:.1f} m in {n_full} of {len(depths)} frames. "
        "It marks unknown depth, or relative depth was stretched to 16 bits."
    )
