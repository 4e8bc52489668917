"""Whether anybody ever looked where a question asks: no answer follows from a place that was never seen.

The space is known in cells (`memory.space`). The cells a step means are found as its rows are: a small thing is
imagined in every cell around the anchors, and the step's own relations say whether it would be there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import UsageError
from recall4d.geometry.relations import LATERAL_REACH_M, Boxes, under
from recall4d.geometry.voxels import FREE
from recall4d.memory.space import Space
from recall4d.query import spatial
from recall4d.query.answers.naming import called
from recall4d.query.answers.surroundings import ON_FLOOR_M, Around
from recall4d.query.bind import BoundKey, bind
from recall4d.query.plan import StepRef
from recall4d.query.resolve import Scope, UnresolvedError

if TYPE_CHECKING:
    from recall4d.query.answers.base import Telling

MEANT_M = 0.6
"""Space farther than this from a landmark, or above it, is not meant by "behind the sofa"."""

MOSTLY, PARTLY = 0.6, 0.25
"""Shares of a place that were never seen from which nothing can be said of it, and from which it is mentioned."""

LEAST_CELLS = 4
"""A place of fewer cells is no place: the sofa stands at the wall."""

LARGE_M3, HANGING_M = 0.1, 1.0
"""Things at least this large, and no higher above the floor, have something under or behind them."""

_NAMES = {"front": "in front of", "left": "left of", "right": "right of", "inside": "in", "within": "near"}
_PLACES = frozenset(
    {"under", "behind", "front", "left", "right", "beside", "between", "above", "below", "on", "within", "inside"}
)
_OUTSIDE = frozenset({"behind", "front", "left", "right", "beside", "between", "above", "below", "within"})
"""Relations to what is beside a box, not in it."""
_LEVEL = _OUTSIDE - {"above", "within"}
"""Of these, the ones that say nothing of what is higher than the box."""


@dataclass(frozen=True, slots=True)
class Looked:
    """How much of a place was seen.

    Attributes:
        name: of the place: "behind the sofa".
        unseen_share: of its space, in [0, 1].
        unseen_m3: how much that is.
    """

    name: str
    unseen_share: float
    unseen_m3: float

    @property
    def never(self) -> bool:
        """Whether so little of it was seen that nothing can be said of it."""
        return self.unseen_share >= MOSTLY

    @property
    def look_next(self) -> str | None:
        """Where to look, if much of it was not seen."""
        if self.unseen_share < PARTLY:
            return None
        return f"Look {self.name}: {100 * self.unseen_share:.0f} % of the space there was never seen."


def looked_at(telling: Telling, step: str | None) -> Looked | None:
    """How much of the place that a step asks about was ever seen; None where it names no place that has space."""
    snapshot = telling.snapshot
    if step is None or snapshot.survey is None or not telling.step(step).spatial:
        return None
    try:
        bound = bind(telling.step(step), Scope.of(snapshot, telling.agent, telling.result.steps))
    except (UnresolvedError, UsageError):
        return None
    keys = [
        each for each in bound.spatial if each.key.relation in _PLACES and not each.key.negated and each.choices
    ]
    if not keys:
        return None
    space = snapshot.survey()
    return _measured(_name(telling, keys), _cells_meant(space, keys, snapshot.now_ns), space)


def darkest(telling: Telling, n: int = 3) -> list[Looked]:
    """Where around large things most space was never seen, most first."""
    snapshot = telling.snapshot
    if snapshot.survey is None:
        return []
    space, around, found = snapshot.survey(), Around.at(snapshot, snapshot.now_ns), list[Looked]()
    for row in around.rows.tolist():
        entry = snapshot.entries[row]
        box = Boxes.of(entry.now.box)
        hangs = box.low[2] - around.floor_z > HANGING_M
        if entry.kind != "thing" or entry.now.box.volume_m3 < LARGE_M3 or hangs:
            continue
        cells, probes = _probes(space, box, LATERAL_REACH_M)
        outside = ((probes.centre < box.low) | (probes.centre > box.high)).any(axis=-1)
        level = probes.low[:, 2] <= box.high[2]
        beneath = under(probes, box) > 0
        for word, meant in (("under", beneath), ("behind or beside", outside & level & ~beneath)):
            looked = _measured(f"{word} the {called(entry)}", cells[meant], space)
            if looked is not None and looked.unseen_share >= PARTLY:
                found.append(looked)
    return sorted(found, key=lambda each: -each.unseen_m3)[:n]


def _cells_meant(space: Space, keys: list[BoundKey], at_ns: int) -> NDArray[np.intp]:
    """The cells (k, 3) in which a small thing would be what all keys ask for."""
    first, *others = keys
    anchors = _anchors(first, at_ns)
    region = spatial.bounds(anchors[0])
    reach_m = 0.0 if first.key.relation == "inside" else min(first.key.distance_m or MEANT_M, MEANT_M)
    cells, probes = _probes(space, region, reach_m)
    meant = np.ones(len(cells), dtype=bool)
    for key in (first, *others):
        anchors = _anchors(key, at_ns)
        meant &= spatial.score(key.key, probes, anchors, key.lens) > 0
        for anchor in anchors:
            box = spatial.bounds(anchor)
            if key.key.relation in _OUTSIDE:
                meant &= ((probes.centre < box.low) | (probes.centre > box.high)).any(axis=-1)
            if key.key.relation in _LEVEL:
                meant &= probes.low[:, 2] <= box.high[2]
            if key.key.relation == "on":
                meant &= probes.low[:, 2] >= box.high[2] - ON_FLOOR_M
    return cells[meant]


def _anchors(key: BoundKey, at_ns: int) -> tuple[spatial.Shape, ...]:
    """The first choice of anchors, where they are at an instant."""
    instant = np.array([at_ns], dtype=np.int64)
    return tuple(place.boxes[int(place.index_at(instant)[0])] for place in key.choices[0])


def _probes(space: Space, box: Boxes, reach_m: float) -> tuple[NDArray[np.intp], Boxes]:
    """Cells (k, 3) in and around a box, and a thing of a cell's size in each."""
    grid, shape = space.grid, np.array(space.states.shape)
    low = np.nan_to_num(box.low, neginf=-1e6) - reach_m
    high = np.nan_to_num(box.high, posinf=1e6) + reach_m
    first, last = (np.rint(each / grid.edge_m).astype(np.intp) - grid.corner for each in (low, high))
    first, last = np.clip(first, 0, shape), np.clip(last + 1, 0, shape)
    axes = (np.arange(*ends) for ends in zip(first.tolist(), last.tolist(), strict=True))
    cells = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    centres, half = grid.centres_xyz(cells), grid.edge_m / 2
    return cells, Boxes(centres - half, centres + half)


def _measured(name: str, cells: NDArray[np.intp], space: Space) -> Looked | None:
    at = tuple(cells.T)
    n_unseen, n_free = int(space.reachable_unseen[at].sum()), int((space.states[at] == FREE).sum())
    if n_unseen + n_free < LEAST_CELLS:
        return None
    return Looked(name, n_unseen / (n_unseen + n_free), n_unseen * space.grid.edge_m**3)


def _name(telling: Telling, keys: list[BoundKey]) -> str:
    """The place in words."""
    parts = []
    for each in keys:
        names = []
        for anchor in each.key.anchors:
            row = next(iter(telling.rows(anchor.step)), None) if isinstance(anchor, StepRef) else None
            names.append("that place" if row is None else f"the {called(telling.entry(row))}")
        parts.append(f"{_NAMES.get(each.key.relation, each.key.relation)} {' and '.join(names)}")
    return " and ".join(parts)
