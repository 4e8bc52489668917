"""When a thing was at its place and when it was not, from sightings and from looks at the empty place.

Absence needs repeated free-space evidence: a single ray past a thing is noise, pose drift or a hole in the depth.
The two states, there and gone, explain the evidence of a place in order of time; a change of state costs more than
one contrary look, so the most likely history (Viterbi, 1967) ignores strays and follows what repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from recall4d.geometry.box import Vec3

SEEN_GAIN = 4.0
"""Log odds for "there" of one sighting."""

FREE_GAIN = 4.0
"""Log odds for "gone" of one look, times how much farther rays went through than while the thing was seen."""

CHANGE_COST = 11.0
"""Log odds against a change: two decisive free looks make a thing gone, four make it gone and back again."""

MAX_HIDDEN = 0.3
"""A look with more of its rays ending in front says nothing about what is behind."""

HIDDEN = 0.6
"""A look with this share of its rays ending in front of the place finds it hidden."""

USUAL_FREE = 0.35
"""How far rays get through the box of a thing that is there, until it was looked at twice: boxes are not full."""

MAX_OFTEN_FREE = 0.8
"""A thing that lets rays farther, in one look of four, cannot be seen to be gone: wires, legs, glass."""

SAME_VIEW_M = 0.8
"""From two places closer together than this one sees much the same."""

Finding = Literal["seen", "free", "hidden", "filled"]


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame found at a place.

    Attributes:
        stamp_ns, agent: which frame.
        seen: the thing was observed there.
        free: how far rays went through its box, in [0, 1]; NaN where the look was not clear.
        hidden: share of rays that ended in front of it; NaN where not clear.
        eye_xyz: where the camera stood, world frame.
    """

    stamp_ns: int
    agent: str
    seen: bool
    free: float
    hidden: float
    eye_xyz: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Spell:
    """A stretch of evidence for one state of a place.

    Attributes:
        there: whether the thing was there.
        first_ns, last_ns: instants of the first and last evidence for it (a sighting, or a free look).
    """

    there: bool
    first_ns: int
    last_ns: int


def findings(looks: Sequence[Look]) -> list[Finding | None]:
    """What each look found; None where it says nothing.

    Rays pass beside a thing that is there, too: a look is free only when they go much farther than
    while it was seen.
    """
    base, often = usual_free(looks), often_free(looks)
    free_from = base + 0.5 * (1.0 - base)
    found: list[Finding | None] = []
    for look in looks:
        if look.seen:
            found.append("seen")
        elif np.isnan(look.free):
            found.append(None)
        elif look.hidden >= HIDDEN:
            found.append("hidden")
        elif look.hidden > MAX_HIDDEN or often > MAX_OFTEN_FREE:
            found.append(None)
        else:
            found.append("free" if look.free >= free_from else "filled")
    return found


def hidden_looks(looks: Sequence[Look], found: Sequence[Finding | None] | None = None) -> list[Look]:
    """The looks, since the thing was last seen, that found it hidden from about where it used to be seen.

    A thing is always hidden from somewhere; from where it was in view before, something new must be in front.
    `found` are the looks' `findings`, where they are at hand.
    """
    found = findings(looks) if found is None else found
    last_seen = max(index for index, look in enumerate(looks) if look.seen)
    eyes = np.array([look.eye_xyz for look in looks if look.seen])
    return [
        look
        for look, what in zip(looks[last_seen + 1 :], found[last_seen + 1 :], strict=True)
        if what == "hidden" and np.linalg.norm(eyes - look.eye_xyz, axis=1).min() < SAME_VIEW_M
    ]


def usual_free(looks: Sequence[Look]) -> float:
    """How far rays go through the box while the thing is there."""
    seen = _free_while_seen(looks)
    return float(np.mean(seen)) if len(seen) >= 2 else USUAL_FREE


def often_free(looks: Sequence[Look]) -> float:
    """How far rays go while the thing is there, in the quarter of the looks that go farthest."""
    seen = _free_while_seen(looks)
    return float(np.quantile(seen, 0.75)) if len(seen) >= 2 else USUAL_FREE


def _free_while_seen(looks: Sequence[Look]) -> list[float]:
    return [look.free for look in looks if look.seen and not np.isnan(look.free)]


def spells(looks: Sequence[Look], found: Sequence[Finding | None] | None = None) -> list[Spell]:
    """The most likely history of a place, in order; never empty for a thing that was seen.

    Args:
        looks: in order of time, with at least one sighting.
        found: their `findings`, where they are at hand.
    """
    base = usual_free(looks)
    evidence = [
        (look.stamp_ns, SEEN_GAIN if what == "seen" else FREE_GAIN * (base - look.free))
        for look, what in zip(looks, findings(looks) if found is None else found, strict=True)
        if what in ("seen", "free")
    ]
    there = _most_likely([gain for _, gain in evidence])
    history: list[Spell] = []
    for (stamp, gain), is_there in zip(evidence, there, strict=True):
        if (gain > 0) != is_there:
            continue  # a stray: evidence that its own state overrules
        if history and history[-1].there == is_there:
            history[-1] = Spell(is_there, history[-1].first_ns, stamp)
        else:
            history.append(Spell(is_there, stamp, stamp))
    return history


def _most_likely(gains: Sequence[float]) -> list[bool]:
    """The sequence of states with the highest total gain, a change costing `CHANGE_COST`."""
    best = {True: 0.0, False: 0.0}
    came_from: list[dict[bool, bool]] = []
    for gain in gains:
        step: dict[bool, bool] = {}
        total: dict[bool, float] = {}
        for state in (True, False):
            stay, change = best[state], best[not state] - CHANGE_COST
            step[state] = state if stay >= change else not state
            total[state] = max(stay, change) + (gain if state else -gain)
        came_from.append(step)
        best = total
    state = best[True] >= best[False]
    states: list[bool] = []
    for step in reversed(came_from):
        states.append(state)
        state = step[state]
    return states[::-1]
