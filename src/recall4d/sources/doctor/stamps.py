"""Check of the time stamps: unit, order, repeats, gaps and rate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import NS_PER_S, stamp_unit
from recall4d.sources.doctor.report import Verdict, rounded
from recall4d.sources.doctor.survey import Survey

PLAUSIBLE_STEP_S = (1 / 500, 60.0)
GAP_STEPS = 4.0
"""A step this many times the median (and twice the 90th percentile: keyframes come irregularly) is a gap."""

PAUSE_S, PAUSE_STEPS = 10.0, 20.0
"""A gap this long, both in seconds and in steps, is a pause between two parts of a recording, not lost frames."""

_POWERS_OF_TEN = {"s": 9, "ms": 6, "us": 3}


def check_stamps(surveyed: Survey) -> Verdict:
    """Verdict `stamps`."""
    steps_s = surveyed.steps_s
    if len(steps_s) == 0:
        return Verdict("stamps", "warn", "There is one frame only.", {"n_frames": 1})
    median_s = float(np.median(steps_s))
    backwards, repeats = int((steps_s < 0).sum()), int((steps_s == 0).sum())
    lost, pauses = _gaps(steps_s, median_s)
    span_s = (max(surveyed.stamps_ns) - min(surveyed.stamps_ns)) / NS_PER_S
    measured: dict[str, Any] = {
        "n_frames": len(surveyed.stamps_ns),
        "span_s": rounded(span_s),
        "rate_hz": rounded(1 / median_s, 2) if median_s > 0 else None,
        "out_of_order": backwards,
        "repeated": repeats,
        "gaps": len(lost),
        "longest_gap_s": rounded(float(max(lost, default=0.0))),
        "pauses": len(pauses),
        "longest_pause_s": rounded(float(max(pauses, default=0.0))),
    }
    if repeats == len(steps_s):
        message = "Every frame has the same stamp: the recording has no usable stamps."
        return Verdict("stamps", "fail", message, measured, "--rate 30")
    if misread := _misread(surveyed.stamps_ns[0], median_s):
        return Verdict("stamps", "fail", misread, measured)
    if backwards:
        message = f"{backwards} of {len(steps_s)} frames are stamped earlier than the one before them."
        return Verdict("stamps", "fail", message, measured)
    rate = f"{len(surveyed.stamps_ns)} frames over {span_s:.1f} s, {1 / median_s:.3g} Hz" if median_s > 0 else ""
    if median_s <= 0 or repeats > 0.02 * len(steps_s):
        message = f"{repeats} of {len(steps_s)} frames repeat the stamp of the one before them. {rate}".strip()
        return Verdict("stamps", "warn", message, measured)
    if len(lost):
        message = f"{rate}, with {len(lost)} gaps, the longest of {max(lost):.2f} s: frames are missing."
        return Verdict("stamps", "warn", message, measured)
    pause = f", in {len(pauses) + 1} parts (longest pause {max(pauses):.0f} s)" if len(pauses) else ""
    return Verdict("stamps", "ok", f"{rate}{pause}; in order, without gaps.", measured)


def _gaps(steps_s: NDArray[np.float64], median_s: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Steps (n,) that are gaps with lost frames, and steps that are pauses."""
    usual_s = max(GAP_STEPS * median_s, 2 * float(np.quantile(steps_s, 0.9)))
    long_s = steps_s[steps_s > max(usual_s, 0.0)]
    pause = long_s >= max(PAUSE_S, PAUSE_STEPS * median_s)
    return long_s[~pause], long_s[pause]


def _misread(first_ns: int, median_s: float) -> str | None:
    """What the magnitude of the stamps says against their unit, if anything."""
    for power in (9, 6, 3):
        if stamp_unit(first_ns / 10**power) == "ns":
            return (
                f"Stamps such as {first_ns:.4g} ns lie far past the year 2100: they were multiplied by 10^{power}."
            )
    low_s, high_s = PLAUSIBLE_STEP_S
    if low_s <= median_s <= high_s:
        return None
    apart = f"Frames are {median_s:.3g} s apart, which no camera is"
    unit = stamp_unit(float(first_ns))
    if unit in _POWERS_OF_TEN:
        but = f"were read as ns, 10^{_POWERS_OF_TEN[unit]} too short"
        return f"{apart}: stamps such as {first_ns} count {unit} since 1970 but {but}."
    return None if median_s <= 0 else f"{apart}: the unit of the stamps was misread."
