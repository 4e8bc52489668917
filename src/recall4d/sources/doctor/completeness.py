"""Checks of what is missing, and of what the reader had to assume."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from recall4d.clock import ns_to_seconds
from recall4d.ports import Source
from recall4d.sources.doctor.look import Look
from recall4d.sources.doctor.report import Level, Verdict, counted, rounded

BLANK_BELOW = 0.01
"""A depth image with a smaller share of known pixels is blank."""


def check_dropped(looks: Collection[Look], unusable: Mapping[str, int]) -> Verdict:
    """Verdict `dropped`: of the frames looked at, how many cannot be decoded, or have no depth.

    Args:
        looks: frames that could be decoded.
        unusable: how many could not, by reason.
    """
    n_unusable = sum(unusable.values())
    n = len(looks) + n_unusable
    reasons = dict(unusable)
    if without := sum(each.depth is None for each in looks):
        reasons["without depth"] = without
    if blank := sum(each.depth is not None and each.depth.share_valid < BLANK_BELOW for each in looks):
        reasons["blank depth"] = blank
    skew_s = max((abs(ns_to_seconds(each.depth.skew_ns)) for each in looks if each.depth), default=0.0)
    measured = {"frames_looked_at": n, "dropped": n_unusable, "reasons": reasons, "max_skew_s": rounded(skew_s, 4)}
    if not reasons:
        return Verdict("dropped", "ok", f"All {n} frames that were looked at can be used.", measured)
    message = f"Of {n} frames that were looked at: {counted(reasons)}."
    level: Level = "fail" if sum(reasons.values()) > 0.5 * n else "warn"
    if without and skew_s > 0:
        # Streams that do not keep step: what is missing lies most likely just beyond the limit.
        message += f" Depth and colour are up to {skew_s * 1000:.0f} ms apart where both are there."
        return Verdict("dropped", level, message, measured, f"--max-skew {2.5 * skew_s:.2g}")
    return Verdict("dropped", level, message, measured)


def check_assumptions(source: Source) -> Verdict:
    """Verdict `assumptions`: the reader's notes, so that a person sees what was taken for granted."""
    measured = {"notes": list(source.notes)}
    message = "; ".join(source.notes) if source.notes else "The reader had nothing to assume or to mend"
    return Verdict("assumptions", "ok", f"{message[0].upper()}{message[1:]}.", measured)
