"""Spatial keys on columns, and the distances and bearings of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.relations import HELD_INSIDE, Boxes, centre_distance_m, held_by_another
from recall4d.geometry.viewpoint import Facing
from recall4d.query import spatial
from recall4d.query.bind import BoundKey
from recall4d.query.columns import Columns
from recall4d.query.resolve import Place
from recall4d.query.spatial import Shape, bounds
from recall4d.query.table import Floats, Rows, Table

_SHARE = {
    "on": 0.05, "inside": 0.05, "under": 0.05, "between": 0.05, "beside": 0.1, "above": 0.1, "below": 0.1,
    "within": 0.1, "in_view": 0.2, "facing": 0.1, "along": 0.3, "left": 0.4, "right": 0.4,
    "front": 0.2, "behind": 0.2,
}  # fmt: skip
"""Share of a room's things that usually fulfil a relation; the others leave nearly all."""

_COST = {"within": 5.0, "beyond": 5.0, "nearest": 5.0, "in_view": 60.0, "along": 500.0}
_USUAL_COST = 20.0


_REACH_M = {
    "on": 0.35, "under": 0.35, "above": 0.35, "below": 0.35, "inside": 0.0, "beside": 1.0,
    "along": spatial.ALONG_M,
}  # fmt: skip
"""No farther than this from the anchor, in plan, is what fulfils a relation; see `geometry.relations`."""

_MOST_PLACES = 64
"""Keys with more boxes of anchors are better looked at row by row."""


class SpatialFilter:
    """Rows whose box stands in a relation to any choice of anchors."""

    stage = 1

    def __init__(self, index: int, bound: BoundKey, columns: Columns) -> None:
        key = bound.key
        self.name = f"spatial {'not ' if key.negated else ''}{key.relation}"
        share = _SHARE.get(key.relation, 0.9)
        self.share = 1.0 - share if key.negated else share
        self.cost = _COST.get(key.relation, _USUAL_COST) * max(len(bound.choices), 1)
        self._index = index
        self._bound = bound
        self._columns = columns

    def offer(self) -> Rows | None:
        """The states that can fulfil the key, and some others; None where that cannot be told beforehand."""
        key = self._bound.key
        reach_m = _REACH_M.get(key.relation) if key.distance_m is None else key.distance_m
        if reach_m is None or key.negated or key.relation == "beyond":
            return None
        boxes = [bounds(shape) for choice in self._bound.choices for place in choice for shape in place.boxes]
        if not 0 < len(boxes) <= _MOST_PLACES:
            return None
        found = []
        for low, high in boxes:
            states = self._columns.grid.meeting(low - reach_m, high + reach_m)
            if states is None:
                return None
            found.append(states)
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def apply(self, table: Table) -> Table:
        """Narrow to the rows that are so, or not so if negated."""
        anchors = still(self._bound.choices)
        if anchors is not None and self._bound.key.relation != "on":
            boxes = self._columns.boxes(table.state)
            best = spatial.score(self._bound.key, boxes, anchors, self._bound.lens)
            return table.scored(self._index, np.where(best > 0.0, 0.0, 1.0) if self._bound.key.negated else best)
        best = np.zeros(len(table))
        compared = np.zeros(len(table), dtype=bool)
        for rows, _, scores in compare(self._bound, table, self._columns):
            best[rows] = np.maximum(best[rows], scores)
            compared[rows] = True
        if self._bound.key.negated:
            best = np.where(compared & (best == 0.0), 1.0, 0.0)
        return table.scored(self._index, best)


def compare(
    bound: BoundKey, table: Table, columns: Columns
) -> Iterator[tuple[NDArray[np.intp], tuple[Shape, ...], Floats]]:
    """For each choice of anchor boxes: the rows it is for, never an anchor's own, the boxes, and the scores."""
    for choice in bound.choices:
        for rows, anchors in _anchored(choice, table):
            scores = spatial.score(bound.key, columns.boxes(table.state[rows]), anchors, bound.lens)
            if bound.key.relation == "on":
                unsure = np.flatnonzero((scores > 0.0) & (scores <= HELD_INSIDE))
                held = _held_elsewhere(table.kept(rows[unsure]), choice[0], bounds(anchors[0]), columns)
                scores[unsure[held]] = 0.0
            yield rows, anchors, scores


def next_costs(bound: BoundKey, table: Table, columns: Columns) -> Floats:
    """(k,) what makes each row the next one in the key's direction: the smallest."""
    costs = np.full(len(table), np.inf)
    for rows, anchors, scores in compare(bound, table, columns):
        cost = spatial.next_cost(columns.boxes(table.state[rows]), anchors, scores)
        costs[rows] = np.minimum(costs[rows], cost)
    return costs


def gaps_m(places: Sequence[Place], table: Table, columns: Columns) -> Floats:
    """(k,) the first of `distances_m` alone."""
    anchors = still([(place,) for place in places])
    if anchors is not None:
        return spatial.rounded(spatial.gap(columns.boxes(table.state), anchors[0]))
    return distances_m(places, table, columns)[0]


def distances_m(places: Sequence[Place], table: Table, columns: Columns) -> tuple[Floats, Floats]:
    """(k,), (k,) distances to the nearest place, between boxes and between centres; inf where there is none."""
    gaps, centres = np.full(len(table), np.inf), np.full(len(table), np.inf)
    for place in places:
        for rows, (anchor,) in _anchored((place,), table):
            boxes = columns.boxes(table.state[rows])
            gap = spatial.rounded(spatial.gap(boxes, anchor))
            centre = spatial.rounded(centre_distance_m(boxes, bounds(anchor)))
            if len(places) == 1:
                gaps[rows], centres[rows] = gap, centre
                continue
            nearer = (gap < gaps[rows]) | ((gap == gaps[rows]) & (centre < centres[rows]))
            gaps[rows[nearer]], centres[rows[nearer]] = gap[nearer], centre[nearer]
    return gaps, centres


def bearings_deg(facing: Facing, table: Table, columns: Columns) -> Floats:
    """(k,) bearings of the rows' centres."""
    return spatial.rounded(np.degrees(facing.bearing_rad(columns.boxes(table.state).centre)))


def _held_elsewhere(table: Table, place: Place, anchor: Boxes, columns: Columns) -> NDArray[np.bool_]:
    """(k,) rows that stand on something else at their instant, something that the anchor does not hold."""
    if len(table) == 0:
        return np.zeros(0, dtype=bool)
    states = columns.states
    # what holds a row meets the row's footprint, and that lies over the anchor's
    low, high = columns.boxes(table.state).low.min(axis=0), columns.boxes(table.state).high.max(axis=0)
    other = columns.grid.meeting(low, high)
    other = np.arange(len(states.entry)) if other is None else other
    meets = ((states.min_xyz[other] <= high) & (states.max_xyz[other] >= low))[:, :2].all(axis=1)
    meets &= ~columns.absent[other] & (states.entry[other] != (-1 if place.entry is None else place.entry))
    other = other[meets]
    at_ns = table.at_ns[:, None]
    there = (states.from_ns[other] <= at_ns) & (at_ns <= columns.ends_ns[other])
    there &= states.entry[other] != table.entry[:, None]
    boxes = columns.boxes(table.state)
    rows = Boxes(boxes.low[:, None, :], boxes.high[:, None, :])
    return np.asarray((there & held_by_another(rows, anchor, columns.boxes(other))).any(axis=1))


def still(choices: Sequence[tuple[Place, ...]]) -> tuple[Shape, ...] | None:
    """The one choice of anchors that all rows have, whenever they are about; None where rows differ in theirs."""
    if len(choices) != 1 or any(place.entry is not None or len(place.boxes) > 1 for place in choices[0]):
        return None
    return tuple(place.boxes[0] for place in choices[0])


def _anchored(choice: tuple[Place, ...], table: Table) -> Iterator[tuple[NDArray[np.intp], tuple[Shape, ...]]]:
    """The rows that are not of an anchor's entry, in groups for which the anchors are at the same boxes."""
    rows = np.arange(len(table))
    for place in choice:
        if place.entry is not None:
            rows = rows[table.entry[rows] != place.entry]
    if all(len(place.boxes) == 1 for place in choice):
        yield rows, tuple(place.boxes[0] for place in choice)
        return
    held = np.stack([place.index_at(table.at_ns[rows]) for place in choice], axis=1)
    for combination in np.unique(held, axis=0):
        here = (held == combination).all(axis=1)
        boxes = tuple(place.boxes[index] for place, index in zip(choice, combination, strict=True))
        yield rows[here], boxes
