"""Two maps of one place, each gravity-aligned: the transform between them from things that both hold.

A pair of things in one map and the like pair in the other fix yaw and translation; a guess is as good as the number
of things it brings together (RANSAC over constellations, all pairs tried), and the best one is refined by least
squares on the things it brought together.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.pose import pose, transform

Floats = NDArray[np.float64]

INLIER_M = 0.25
"""Things that a guess brings nearer than this are taken to be the same."""

PAIR_TOLERANCE_M = 0.12
"""Two things are as far apart in one map as in the other, to within this."""

MIN_PAIR_M = 1.0
"""Things closer together than this fix the yaw too loosely to guess from."""

MAX_GUESSES = 40_000


@dataclass(frozen=True, eq=False, slots=True)
class Alignment:
    """A transform between two maps, and how well it holds.

    Attributes:
        a_from_b: (4, 4), a rotation about Z and a translation.
        matches: (i, j) of things in a and b taken to be the same.
        residual_m: root mean square distance of matched things.
        runner_up: how many things the best clearly different guess brings together.
    """

    a_from_b: Floats
    matches: tuple[tuple[int, int], ...]
    residual_m: float
    runner_up: int


def align(places_a: Floats, places_b: Floats, may_match: NDArray[np.bool_], seed: int = 0) -> Alignment | None:
    """Find the transform that brings most things together.

    Args:
        places_a, places_b: (n, 3), (m, 3) centres in two maps with Z up, metres.
        may_match: (n, m) which things are alike.
        seed: for the choice of guesses, where there are too many to try all.

    Returns:
        The best alignment, refined; None when no two pairs of things agree.
    """
    guesses = _guesses(places_a, places_b, may_match, seed)
    if not guesses:
        return None
    counts = np.array([_count(guess, places_a, places_b, may_match) for guess in guesses])
    best = guesses[int(counts.argmax())]
    different = np.array([_differ(best, guess) for guess in guesses])
    runner_up = int(counts[different].max(initial=0))
    matches: tuple[tuple[int, int], ...] = ()
    for _ in range(10):
        again = match(best, places_a, places_b, may_match)
        if again == matches or len(again) < 2:
            break
        matches = again
        best = fit([places_a[i] for i, _ in matches], [places_b[j] for _, j in matches])
    return Alignment(best, matches, _residual(best, places_a, places_b, matches), runner_up)


def match(
    a_from_b: Floats, places_a: Floats, places_b: Floats, may_match: NDArray[np.bool_]
) -> tuple[tuple[int, int], ...]:
    """Pairs that are alike and each other's nearest under a transform, within `INLIER_M`."""
    distance = _distances(a_from_b, places_a, places_b, may_match)
    nearest_a, nearest_b = distance.argmin(axis=0), distance.argmin(axis=1)
    return tuple((int(i), j) for j, i in enumerate(nearest_a) if nearest_b[i] == j and distance[i, j] < INLIER_M)


def fit(points_a: Sequence[Floats], points_b: Sequence[Floats]) -> Floats:
    """The rotation about Z and translation that take points_b to points_a with the least squared error."""
    a, b = np.asarray(points_a), np.asarray(points_b)
    centre_a, centre_b = a.mean(axis=0), b.mean(axis=0)
    da, db = a - centre_a, b - centre_b
    sine = float((db[:, 0] * da[:, 1] - db[:, 1] * da[:, 0]).sum())
    cosine = float((db[:, :2] * da[:, :2]).sum())
    rotation = _about_z(np.arctan2(sine, cosine))
    return pose(rotation, centre_a - rotation @ centre_b)


def _guesses(places_a: Floats, places_b: Floats, may_match: NDArray[np.bool_], seed: int) -> list[Floats]:
    pairs = [(int(i), int(j)) for i, j in zip(*np.nonzero(may_match), strict=True)]
    # The rarer its kind, the more a pair says: kinds of which there are many are tried last.
    rarity = may_match.sum(axis=1)[:, None] * may_match.sum(axis=0)[None]
    pairs.sort(key=lambda pair: (rarity[pair], pair))
    guesses: list[Floats] = []
    tried = itertools.islice(itertools.combinations(pairs[:400], 2), 20 * MAX_GUESSES)
    for (i, j), (k, m) in tried:
        if i == k or j == m:
            continue
        way_a, way_b = places_a[k] - places_a[i], places_b[m] - places_b[j]
        flat_a, flat_b = np.hypot(way_a[0], way_a[1]), np.hypot(way_b[0], way_b[1])
        if min(flat_a, flat_b) < MIN_PAIR_M or abs(flat_a - flat_b) > PAIR_TOLERANCE_M:
            continue
        if abs(way_a[2] - way_b[2]) > PAIR_TOLERANCE_M:
            continue
        guesses.append(fit([places_a[i], places_a[k]], [places_b[j], places_b[m]]))
        if len(guesses) == MAX_GUESSES:
            break
    return guesses


def _count(guess: Floats, places_a: Floats, places_b: Floats, may_match: NDArray[np.bool_]) -> int:
    near = _distances(guess, places_a, places_b, may_match) < INLIER_M
    return int(min(near.any(axis=0).sum(), near.any(axis=1).sum()))


def _distances(guess: Floats, places_a: Floats, places_b: Floats, may_match: NDArray[np.bool_]) -> Floats:
    distance = np.linalg.norm(places_a[:, None] - transform(guess, places_b)[None], axis=2)
    return np.where(may_match, distance, np.inf)


def _differ(a: Floats, b: Floats) -> bool:
    """Whether two transforms are not merely two estimates of one: half a metre or ten degrees apart."""
    turn = abs(np.angle(np.exp(1j * (np.arctan2(a[1, 0], a[0, 0]) - np.arctan2(b[1, 0], b[0, 0])))))
    return bool(np.linalg.norm(a[:3, 3] - b[:3, 3]) > 0.5 and turn > np.radians(10)) or bool(turn > np.radians(20))


def _residual(guess: Floats, places_a: Floats, places_b: Floats, matches: Sequence[tuple[int, int]]) -> float:
    if not matches:
        return float("inf")
    apart = [places_a[i] - transform(guess, places_b[j]) for i, j in matches]
    return float(np.sqrt(np.mean(np.square(np.linalg.norm(apart, axis=1)))))


def _about_z(angle_rad: float) -> Floats:
    c, s = np.cos(angle_rad), np.sin(angle_rad)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
