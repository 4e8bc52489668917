"""Where one box is relative to another: on, under, above, inside, beside, between.

Every relation is a function of boxes a and b, broadcast against each other, that returns a score in [0, 1]: 0 where
the relation does not hold, more the better it holds. What depends on where one stands (left, behind, ...) is in
`viewpoint`.

Boxes are axis-aligned, in a world with Z up, in metres. They are estimates: a few centimetres off for a mug, ten
for a sofa. `slack_m` is that error; no relation hangs on a smaller difference. A box says nothing of what is
hollow: a table's includes its legs, a sofa's its backrest, so things are *on* what holds them at any height.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.geometry.box import MIN_THICKNESS_M, Box, gaps_m

Floats = NDArray[np.float64]

LATERAL_REACH_M = 0.3
"""How far beside a thing something may hang and still be said to be above it: the picture above the sofa."""

HELD_INSIDE = 0.6
"""Score of being on something by a seat, shelf or face inside its box; being on its top scores more."""


class Boxes(NamedTuple):
    """Boxes by their corners: `low` and `high`, (..., 3) each."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, box: Box) -> Boxes:
        """One box, as (3,) arrays."""
        return cls(np.asarray(box.min_xyz), np.asarray(box.max_xyz))

    @classmethod
    def point(cls, xyz: ArrayLike) -> Boxes:
        """Boxes without extent at points (..., 3)."""
        where = np.asarray(xyz, dtype=np.float64)
        return cls(where, where)

    @property
    def centre(self) -> Floats:
        """(..., 3) centres."""
        return np.asarray((self.low + self.high) / 2)

    @property
    def extent(self) -> Floats:
        """(..., 3) edge lengths, none below `MIN_THICKNESS_M`, so that shares of a flat box are defined."""
        return np.maximum(self.high - self.low, MIN_THICKNESS_M)


def gap_m(a: Boxes, b: Boxes) -> Floats:
    """Distance between the boxes; 0 where they touch or overlap."""
    return gaps_m(a.low, a.high, b.low, b.high)


def centre_distance_m(a: Boxes, b: Boxes) -> Floats:
    """Distance between the centres."""
    return _length(a.centre - b.centre)


def closeness(distance_m: Floats) -> Floats:
    """A score for nearness: 1 at no distance, one half at a metre."""
    return np.asarray(1.0 / (1.0 + distance_m))


def slack_m(boxes: Boxes) -> Floats:
    """How far a face may be off: 5 % of the diagonal, between 3 cm (a mug) and 10 cm (a table)."""
    return np.asarray(np.clip(0.05 * _length(boxes.extent), 0.03, 0.10))


def on(a: Boxes, b: Boxes) -> Floats:
    """How well b holds a.

    Three ways of being held:

    - by the top of b: the bottom of a is within slack of it and half of the smaller footprint is shared;
    - by a seat, a shelf or a worktop inside b's box (a book on a sofa, a jar in a rack): the bottom of a is inside
      b's height, clear of b's own bottom, and three quarters of a's footprint lie over b. A chair pushed under a
      table stands on the same floor and is not on it;
    - by the face of an upright slab (a socket on a wall): a is flat against it and inside its face.

    A lamp that hangs over a table is not on it. Never true of a, b and b, a at once.
    """
    slack = np.maximum(slack_m(a), slack_m(b))
    clear_of_bottom = a.low[..., 2] >= b.low[..., 2] + 1.5 * slack
    above_top = a.low[..., 2] - b.high[..., 2]
    at_top = (np.abs(above_top) <= slack) & (a.centre[..., 2] > b.centre[..., 2])
    within = (above_top < -slack) & clear_of_bottom
    shared = _shared_footprint_m2(a, b)
    share_of_smaller = shared / np.minimum(_footprint_m2(a), _footprint_m2(b))
    share_of_a = shared / _footprint_m2(a)
    by_top = np.where(at_top & (share_of_smaller >= 0.5), 1.0 - 0.3 * np.abs(above_top) / slack, 0.0)
    by_shelf = np.where(within & (share_of_a >= 0.75), HELD_INSIDE, 0.0)
    by_face = np.where(clear_of_bottom & _against_face(a, b, slack), HELD_INSIDE, 0.0)
    return np.maximum(np.maximum(by_top, by_shelf), by_face)


def held_by_another(a: Boxes, b: Boxes, other: Boxes) -> NDArray[np.bool_]:
    """Whether a stands on top of a third thing that b does not hold.

    The box of an L-shaped sofa reaches around the coffee table; what stands on that table is not on the sofa.
    """
    return np.asarray((on(a, other) > HELD_INSIDE) & (on(other, b) == 0.0))


def under(a: Boxes, b: Boxes) -> Floats:
    """How well a is under b: it carries b, or lies below it, or stands between its legs.

    Half of the smaller footprint is shared. Never true of a, b and b, a at once, nor where a is on b.
    """
    slack = np.maximum(slack_m(a), slack_m(b))
    clearance = b.low[..., 2] - a.high[..., 2]
    below = clearance >= -slack
    between_legs = (a.low[..., 2] <= b.low[..., 2] + slack) & (a.high[..., 2] <= b.high[..., 2] - 0.03)
    covered = _shared_footprint_m2(a, b) / np.minimum(_footprint_m2(a), _footprint_m2(b)) >= 0.5
    holds = covered & (below | between_legs) & (a.centre[..., 2] < b.centre[..., 2])
    return np.maximum(np.where(holds, closeness(np.maximum(clearance, 0.0)), 0.0), on(b, a))


def above(a: Boxes, b: Boxes) -> Floats:
    """How well a is above b, touching or not.

    The bottom of a is over the top of b, and in plan the two overlap or are at most `LATERAL_REACH_M` apart.
    """
    slack = np.maximum(slack_m(a), slack_m(b))
    clearance = a.low[..., 2] - b.high[..., 2]
    aside = _length(np.maximum(np.maximum(a.low - b.high, b.low - a.high)[..., :2], 0.0))
    holds = (clearance >= -slack) & (a.centre[..., 2] > b.centre[..., 2]) & (aside <= LATERAL_REACH_M)
    score = closeness(np.maximum(clearance, 0.0)) * (1.0 - 0.7 * aside / LATERAL_REACH_M)
    return np.where(holds, score, 0.0)


def below(a: Boxes, b: Boxes) -> Floats:
    """How well a is below b: b is above a."""
    return above(b, a)


def inside(a: Boxes, b: Boxes) -> Floats:
    """Share of a's volume inside b, where that is at least half and b is the larger."""
    shared = np.minimum(a.high, b.high) - np.maximum(a.low, b.low)
    flat = np.minimum(a.extent, b.extent)
    touching = (shared >= 0.0).all(axis=-1)
    volume = np.prod(np.clip(shared, MIN_THICKNESS_M, flat), axis=-1)
    share = volume / np.prod(a.extent, axis=-1)
    smaller = np.prod(a.extent, axis=-1) < np.prod(b.extent, axis=-1)
    return np.where(touching & smaller & (share >= 0.5), share, 0.0)


def beside(a: Boxes, b: Boxes) -> Floats:
    """How well a is beside b: near it, at its height, neither over nor under it.

    Near is half of b's larger side, but between 30 cm and 1 m. A chair pushed halfway under a table is beside it.
    """
    reach = np.clip(0.5 * b.extent[..., :2].max(axis=-1), 0.3, 1.0)
    gap = gap_m(a, b)
    height = np.minimum(a.high[..., 2], b.high[..., 2]) - np.maximum(a.low[..., 2], b.low[..., 2])
    level = height >= 0.3 * np.minimum(a.extent[..., 2], b.extent[..., 2])
    smaller = np.minimum(_footprint_m2(a), _footprint_m2(b))
    apart = _shared_footprint_m2(a, b) < 0.8 * smaller
    return np.where(level & apart & (gap <= reach), 1.0 - 0.5 * gap / reach, 0.0)


def between(a: Boxes, b: Boxes, c: Boxes) -> Floats:
    """How well a is between b and c.

    Its centre falls between theirs on the line that joins them, and is off that line by at most a third of the
    line's length, or by a's own half size for things close together.
    """
    line = c.centre - b.centre
    squared = np.maximum((line * line).sum(axis=-1), 1e-12)
    offset = a.centre - b.centre
    along = (offset * line).sum(axis=-1) / squared
    aside = _length(offset - along[..., None] * line)
    limit = np.maximum(np.sqrt(squared) / 3, a.extent.max(axis=-1) / 2)
    holds = (along > 0.0) & (along < 1.0) & (aside <= limit)
    return np.where(holds, 1.0 - 0.5 * aside / limit, 0.0)


def next_cost_m(a: Boxes, b: Boxes, score: Floats) -> Floats:
    """What makes a the next one to b in the direction that `score` rates: the smallest; inf where it is 0."""
    cost = (gap_m(a, b) + 0.25 * centre_distance_m(a, b)) / np.where(score > 0.0, score, 1.0)
    return np.where(score > 0.0, cost, np.inf)


def _against_face(a: Boxes, b: Boxes, slack: Floats) -> NDArray[np.bool_]:
    """Whether a sits flat against an upright slab b (a wall, a door), inside its face."""
    thick = b.extent
    upright = (thick[..., 2] >= 0.4) & (thick[..., :2].max(axis=-1) >= 1.0) & (thick[..., :2].min(axis=-1) <= 0.15)
    apart = np.maximum(a.low - b.high, b.low - a.high)
    shared = np.minimum(a.high, b.high) - np.maximum(a.low, b.low)
    share = shared / a.extent
    along_x = thick[..., 0] >= thick[..., 1]
    distance = np.where(along_x, apart[..., 1], apart[..., 0])
    share_wide = np.where(along_x, share[..., 0], share[..., 1])
    inside_face = (share_wide >= 0.75) & (share[..., 2] >= 0.75)
    return np.asarray(upright & (distance <= slack) & inside_face)


def _footprint_m2(boxes: Boxes) -> Floats:
    extent = boxes.extent
    return np.asarray(extent[..., 0] * extent[..., 1])


def _shared_footprint_m2(a: Boxes, b: Boxes) -> Floats:
    """Area that the two cover together in plan; a flat or pointlike box still covers its `MIN_THICKNESS_M`."""
    low, high = np.maximum(a.low[..., :2], b.low[..., :2]), np.minimum(a.high[..., :2], b.high[..., :2])
    flat = np.minimum(a.extent[..., :2], b.extent[..., :2])
    side = np.where(high >= low, np.clip(high - low, MIN_THICKNESS_M, flat), 0.0)
    return np.asarray(side[..., 0] * side[..., 1])


def _length(vectors: Floats) -> Floats:
    """Lengths of vectors (..., n)."""
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=-1)))
