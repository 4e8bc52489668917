"""Entries folded from observations.

Everything kept here is bounded and does not depend on the order in which observations come: sums, votes, first and
last instants, and a uniform sample of views. So folding on the way in, folding again later, and folding two
memories together give the same entry.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import Interval, seconds_to_ns
from recall4d.config import AssociationSettings
from recall4d.geometry.box import Box, thickened, vec3
from recall4d.memory.pictures import crop_path
from recall4d.memory.place import Placed
from recall4d.records import Claim, Entry, Kind, Sighting, State, View

OCCLUDED_WEIGHT = 0.25
"""What a view that something hides a part of counts for, in saying what a thing is."""


@dataclass(slots=True)
class StateFold:
    """The views of an entry while it stayed in one place.

    Attributes:
        max_views: at most so many are kept: those with the smallest `Placed.key`, which is a uniform sample.
        keys: (n,) of the kept views.
        views: (n, 7) their boxes, (min_xyz, max_xyz), and weights.
        fused: their fused box, once it was asked for.
    """

    max_views: int
    keys: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    views: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 7)))
    centroid_sum: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    weight_sum: float = 0.0
    weight_by_agent: dict[str, float] = field(default_factory=dict)
    first_ns: int | None = None
    last: Placed | None = None
    fused: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None

    def add(self, placed: Placed) -> None:
        """Take in one more view."""
        weight, observation = placed.weight, placed.observation
        view = np.concatenate([placed.min_xyz, placed.max_xyz, [weight]])
        self._keep(np.array([placed.key]), view[None])
        self.centroid_sum += weight * placed.surface_centroid_xyz
        self.weight_sum += weight
        _vote(self.weight_by_agent, observation.agent, weight)
        self.first_ns = observation.stamp_ns if self.first_ns is None else min(self.first_ns, observation.stamp_ns)
        if self.last is None or _recency(placed) > _recency(self.last):
            self.last = placed

    def merge(self, other: StateFold) -> None:
        """Take in all views of another fold."""
        self._keep(other.keys, other.views)
        self.centroid_sum += other.centroid_sum
        self.weight_sum += other.weight_sum
        _vote_all(self.weight_by_agent, other.weight_by_agent)
        if other.first_ns is not None:
            self.first_ns = other.first_ns if self.first_ns is None else min(self.first_ns, other.first_ns)
        if other.last is not None and (self.last is None or _recency(other.last) > _recency(self.last)):
            self.last = other.last

    def _keep(self, keys: NDArray[np.int64], views: NDArray[np.float64]) -> None:
        self.keys, self.views = np.concatenate([self.keys, keys]), np.concatenate([self.views, views])
        if len(self.keys) > self.max_views:
            kept = np.argpartition(self.keys, self.max_views)[: self.max_views]
            self.keys, self.views = self.keys[kept], self.views[kept]
        self.fused = None

    def box(self, face_quantile: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The fused corners (3,), (3,): each face a weighted quantile of the faces seen.

        A view shows a part, so faces are taken from near the outermost; not the outermost itself, which is the one
        with the largest error.
        """
        if self.fused is None:
            self.fused = self._fuse(face_quantile)
        return self.fused

    def _fuse(self, face_quantile: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        inwards = self.views[:, :6] * (1, 1, 1, -1, -1, -1)
        faces = weighted_quantile(inwards, self.views[:, 6], face_quantile)
        low, high = faces[:3], -faces[3:]
        return thickened(np.minimum(low, high), np.maximum(low, high))

    def state(self, face_quantile: float, to_ns: int | None) -> State:
        """What the views add up to."""
        assert self.last is not None, "a state has at least one view"
        assert self.first_ns is not None
        return State(
            interval=Interval(self.first_ns, to_ns),
            box=Box.from_arrays(*self.box(face_quantile)),
            surface_centroid_xyz=vec3(self.centroid_sum / self.weight_sum),
            visibility="occluded" if self.last.observation.occluded else "visible",
            agent=_winner(self.weight_by_agent),
        )


@dataclass(frozen=True, slots=True)
class ClaimFold:
    """How credible it is that one agent saw a thing of one description; adds up in any order.

    Unoccluded outweighs occluded, as in the R4 paper; then nearer counts more, and of equal claims the newer.
    """

    weight: float = 0.0
    n_views: int = 0
    n_unoccluded: int = 0
    nearest_m: float = math.inf
    last_ns: int = 0

    @classmethod
    def of(cls, placed: Placed) -> ClaimFold:
        """The claim of one observation."""
        seen = placed.observation
        weight = placed.weight * (OCCLUDED_WEIGHT if seen.occluded else 1.0)
        return cls(weight, 1, int(not seen.occluded), seen.distance_m, seen.stamp_ns)

    def __add__(self, other: ClaimFold) -> ClaimFold:
        return ClaimFold(
            self.weight + other.weight,
            self.n_views + other.n_views,
            self.n_unoccluded + other.n_unoccluded,
            min(self.nearest_m, other.nearest_m),
            max(self.last_ns, other.last_ns),
        )


@dataclass(slots=True)
class EntryFold:
    """One entry, being folded.

    Attributes:
        entry_id: its name.
        settings: thresholds.
        map_frame: the agent in whose own map it is placed; None is the world.
    """

    entry_id: str
    settings: AssociationSettings
    map_frame: str | None = None
    place: StateFold = field(init=False)
    kind: Kind = "thing"
    n_observations: int = 0
    claims: dict[tuple[str, str], ClaimFold] = field(default_factory=dict)
    categories: dict[str, float] = field(default_factory=dict)
    attributes: dict[str, dict[str, float]] = field(default_factory=dict)
    sightings: dict[str, list[Sighting]] = field(default_factory=dict)
    best: Placed | None = None
    has_whole_view: bool = False

    def __post_init__(self) -> None:
        self.place = StateFold(self.settings.max_views)

    def add(self, placed: Placed) -> None:
        """Take in one more observation."""
        observation, weight = placed.observation, placed.weight
        self.place.add(placed)
        self.kind = observation.kind
        self.n_observations += 1
        self.has_whole_view |= not placed.partial
        claimed = observation.agent, observation.description.text
        self.claims[claimed] = self.claims.get(claimed, ClaimFold()) + ClaimFold.of(placed)
        if observation.category is not None:
            _vote(self.categories, observation.category, weight)
        for name, value in observation.description.attributes.items():
            _vote(self.attributes.setdefault(name, {}), value, weight)
        self._see([Sighting(observation.agent, observation.stamp_ns, observation.stamp_ns)])
        if self.best is None or _clarity(placed) > _clarity(self.best):
            self.best = placed

    def merge(self, other: EntryFold) -> None:
        """Take in all observations of another entry that turned out to be the same thing."""
        self.place.merge(other.place)
        self.n_observations += other.n_observations
        self.has_whole_view |= other.has_whole_view
        for claimed, claim in other.claims.items():
            self.claims[claimed] = self.claims.get(claimed, ClaimFold()) + claim
        _vote_all(self.categories, other.categories)
        for name, votes in other.attributes.items():
            _vote_all(self.attributes.setdefault(name, {}), votes)
        for sightings in other.sightings.values():
            self._see(sightings)
        if other.best is not None and (self.best is None or _clarity(other.best) > _clarity(self.best)):
            self.best = other.best

    def _see(self, sightings: list[Sighting]) -> None:
        agent = sightings[0].agent
        known = self.sightings.get(agent, [])
        self.sightings[agent] = join_sightings([*known, *sightings], seconds_to_ns(self.settings.sighting_gap_s))

    @property
    def text(self) -> str:
        """The description that its views agree on most credibly, whoever saw it."""
        texts: dict[str, float] = {}
        for (_, text), claim in self.claims.items():
            _vote(texts, text, claim.weight)
        return _winner(texts)

    def _claims(self) -> tuple[Claim, ...]:
        text = self.text
        ranked = sorted(
            self.claims.items(), key=lambda each: (each[0][1] != text, -each[1].weight, -each[1].last_ns, each[0])
        )
        return tuple(
            Claim(agent, said, claim.n_views, claim.n_unoccluded, claim.nearest_m, claim.last_ns)
            for (agent, said), claim in ranked
        )

    @property
    def category(self) -> str | None:
        """The class name that most of its views agree on."""
        return _winner(self.categories) if self.categories else None

    def box(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Its latest fused corners (3,), (3,)."""
        return self.place.box(self.settings.face_quantile)

    def entry(self) -> Entry:
        """What the observations add up to."""
        assert self.best is not None, "an entry rests on at least one observation"
        best = self.best.observation
        sightings = sorted(
            (each for of_agent in self.sightings.values() for each in of_agent),
            key=lambda sighting: (sighting.from_ns, sighting.agent),
        )
        return Entry(
            entry_id=self.entry_id,
            category=self.category,
            description=self.text,
            kind=self.kind,
            states=(self.place.state(self.settings.face_quantile, to_ns=None),),
            sightings=tuple(sightings),
            n_observations=self.n_observations,
            agents=tuple(dict.fromkeys(sighting.agent for sighting in sightings)),
            attributes={name: _winner(votes) for name, votes in sorted(self.attributes.items())},
            best_view=View(best.agent, best.stamp_ns, best.rectangle, crop_path(best)),
            map_frame=self.map_frame,
            claims=self._claims(),
        )


def weighted_quantile(
    values: NDArray[np.float64], weights: NDArray[np.float64], quantile: float
) -> NDArray[np.float64]:
    """The quantile (d,) of each column of values (n, d), rows weighted; linear between the middles of two rows."""
    # Equal values go by weight, so that the result does not depend on the order of the rows.
    order = np.lexsort((np.broadcast_to(weights[:, None], values.shape), values), axis=0)
    columns = np.arange(values.shape[1])
    ordered, mass = values[order, columns], weights[order]
    middle = (np.cumsum(mass, axis=0) - 0.5 * mass) / weights.sum()
    above = np.clip((middle < quantile).sum(axis=0), 1, max(len(values) - 1, 1)) % len(values)
    below = np.maximum(above - 1, 0)
    span = middle[above, columns] - middle[below, columns]
    step = np.divide(quantile - middle[below, columns], span, out=np.zeros_like(span), where=span > 0)
    low, high = ordered[below, columns], ordered[above, columns]
    return np.asarray(low + np.clip(step, 0.0, 1.0) * (high - low))


def _recency(placed: Placed) -> tuple[int, float, int]:
    return placed.observation.stamp_ns, placed.weight, placed.key


def _clarity(placed: Placed) -> tuple[bool, int, int, int]:
    """How good a look it is: whole, large, early. Sizes within 30 % count as equal, so that the best look seldom
    changes and few crops are written.
    """
    top, left, bottom, right = placed.observation.rectangle
    size = int(math.log((bottom - top) * (right - left) + 1, 1.3))
    return not placed.partial, size, -placed.observation.stamp_ns, placed.key


def _vote(votes: dict[str, float], value: str, weight: float) -> None:
    votes[value] = votes.get(value, 0.0) + weight


def _vote_all(votes: dict[str, float], others: dict[str, float]) -> None:
    for value, weight in others.items():
        _vote(votes, value, weight)


def _winner(votes: dict[str, float]) -> str:
    return max(votes, key=lambda value: (votes[value], value))


def join_sightings(sightings: Iterable[Sighting], max_gap_ns: int) -> list[Sighting]:
    """Sightings of one agent, sorted and disjoint, those closer together than `max_gap_ns` joined."""
    joined: list[Sighting] = []
    for each in sorted(sightings, key=lambda sighting: sighting.from_ns):
        last = joined[-1] if joined else None
        if last is not None and each.from_ns <= last.to_ns + max_gap_ns:
            joined[-1] = Sighting(last.agent, last.from_ns, max(last.to_ns, each.to_ns))
        else:
            joined.append(each)
    return joined
