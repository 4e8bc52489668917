"""Which observations are of which entries.

The R4 paper matches where ||c' - c|| < epsilon and sim(SEM', SEM) > delta. That gate alone gives one mug two
entries and two mugs one: here it only says who may match whom, it also looks at boxes, and a one-to-one
assignment decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recall4d.config import AssociationSettings
from recall4d.geometry.box import gaps_m, overlaps_m3

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Boxes:
    """Things to compare, one row each.

    Attributes:
        min_xyz, max_xyz: (n, 3) world frame, metres.
        vectors: (n, d) float32 unit embeddings of their descriptions.
        category: (n,) code of the class name, -1 for none.
        partial: (n,) bool: only a part was ever seen.
        surface: (n,) bool: walls, floor, ceiling; surfaces and things never match.
    """

    min_xyz: Floats
    max_xyz: Floats
    vectors: NDArray[np.float32]
    category: NDArray[np.intp]
    partial: NDArray[np.bool_]
    surface: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.partial)

    def rows(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> Boxes:
        """The chosen rows."""
        return Boxes(
            self.min_xyz[chosen],
            self.max_xyz[chosen],
            self.vectors[chosen],
            self.category[chosen],
            self.partial[chosen],
            self.surface[chosen],
        )


@dataclass(frozen=True, eq=False, slots=True)
class Affinity:
    """How well every a fits every b, (n, m) each.

    Attributes:
        may_match: inside the gate.
        score: higher fits better; meaningful inside the gate only.
        containment: share of the smaller box that lies in the larger, boxes grown by the margin.
        distance_m: between box centres.
        similarity: cosine of the descriptions.
        doubtful: would be inside the gate, were the descriptions a little more similar.
    """

    may_match: NDArray[np.bool_]
    score: Floats
    containment: Floats
    distance_m: Floats
    similarity: Floats
    doubtful: NDArray[np.bool_]


def affinity(a: Boxes, b: Boxes, settings: AssociationSettings) -> Affinity:
    """Compare every row of `a` with every row of `b`."""
    # Imported here, as below: it is half of what starting a program costs, and only writers match.
    from scipy.spatial.distance import cdist

    margin = settings.margin_m
    low_a, high_a, low_b, high_b = a.min_xyz - margin, a.max_xyz + margin, b.min_xyz - margin, b.max_xyz + margin
    shared = overlaps_m3(low_a[:, None], high_a[:, None], low_b[None], high_b[None])
    volume_a, volume_b = np.prod(high_a - low_a, axis=1)[:, None], np.prod(high_b - low_b, axis=1)[None]
    containment = shared / np.minimum(volume_a, volume_b)
    union = shared / (volume_a + volume_b - shared)
    distance = cdist((low_a + high_a) / 2, (low_b + high_b) / 2)
    gap = gaps_m(a.min_xyz[:, None], a.max_xyz[:, None], b.min_xyz[None], b.max_xyz[None])
    size_a, size_b = np.linalg.norm(high_a - low_a, axis=1), np.linalg.norm(high_b - low_b, axis=1)
    size = np.maximum(size_a[:, None], size_b[None])
    similarity = (a.vectors @ b.vectors.T).astype(np.float64)
    # The colour in a description changes with the light; the class and the place do not.
    same_class = (a.category[:, None] == b.category[None]) & (a.category[:, None] >= 0)
    alike = (similarity >= settings.delta) | (same_class & (containment >= settings.same_class_containment))

    continues = (a.partial[:, None] | b.partial[None]) & (gap < settings.partial_gap_m) & (distance < size)
    near = (distance < settings.epsilon_m) | (containment >= settings.min_containment) | continues
    near &= a.surface[:, None] == b.surface[None]
    may_match = near & alike
    doubtful = near & ~alike & (similarity >= settings.delta - settings.doubtful_below)
    # All four terms lie in about 0..1; the constant makes any match better than none.
    closeness = 1.0 / (1.0 + distance / (settings.epsilon_m + 0.25 * size))
    score = 1.0 + similarity + union + 0.5 * containment + closeness
    score = np.where(may_match | doubtful, score, 0.0)
    return Affinity(may_match, score, containment, distance, similarity, doubtful)


def allowed(fit: Affinity, same: NDArray[np.bool_]) -> Affinity:
    """The affinity with those of the doubtful pairs inside the gate that are the same thing; (n, m)."""
    may_match = fit.may_match | (fit.doubtful & same)
    return replace(fit, may_match=may_match, score=np.where(may_match, fit.score, 0.0))


def assign(fit: Affinity) -> NDArray[np.intp]:
    """For every row of a, the row of b it is taken to be, or -1; no b is taken twice, and the total fits best."""
    from scipy.optimize import linear_sum_assignment

    assigned = np.full(fit.score.shape[0], -1, dtype=np.intp)
    rows, columns = linear_sum_assignment(fit.score, maximize=True)
    matched = fit.may_match[rows, columns]
    assigned[rows[matched]] = columns[matched]
    return assigned


def nearest(fit: Affinity, settings: AssociationSettings) -> NDArray[np.intp]:
    """The published rule: for every row of a, the nearest b with ||c' - c|| < epsilon and sim > delta, or -1."""
    inside = (fit.distance_m < settings.epsilon_m) & (fit.similarity > settings.delta)
    distance = np.where(inside, fit.distance_m, np.inf)
    return np.where(inside.any(axis=1), distance.argmin(axis=1), -1)


def twins(fit: Affinity, min_containment: float) -> list[tuple[int, int]]:
    """Pairs (i, j), i < j, of rows of one set that share so much of their boxes that they are one thing."""
    same = fit.may_match & (fit.containment >= min_containment)
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(same, k=1)), strict=True)]
