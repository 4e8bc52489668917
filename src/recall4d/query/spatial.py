"""One spatial key on boxes: from the plan's words to the geometry's relations."""

from __future__ import annotations

import numpy as np

from recall4d.geometry import relations, viewpoint
from recall4d.geometry.relations import Boxes, Floats
from recall4d.geometry.viewpoint import Facing
from recall4d.query.plan import SpatialKey
from recall4d.query.resolve import Lens

SIDES = ("left", "right", "front", "behind")

_BY_BOX = {
    "on": relations.on,
    "under": relations.under,
    "above": relations.above,
    "below": relations.below,
    "inside": relations.inside,
    "beside": relations.beside,
}


def score(key: SpatialKey, boxes: Boxes, anchors: tuple[Boxes, ...], lens: Lens | None) -> Floats:
    """How well boxes (..., 3) fulfil a key, before negation; 0 where they do not.

    Args:
        key: the relation.
        boxes: the candidates.
        anchors: one box (3,) for each anchor of the key.
        lens: how sides and views are seen; not None where the relation needs one.
    """
    return rounded(_score(key, boxes, anchors, lens))


def next_cost(boxes: Boxes, anchors: tuple[Boxes, ...], scores: Floats) -> Floats:
    """What makes boxes the next ones in the direction that `scores` rates: the smallest."""
    return rounded(relations.next_cost_m(boxes, anchors[0], scores) if anchors else np.asarray(1.0 - scores))


def rounded(values: Floats) -> Floats:
    """To the sixth decimal: finer than anything measured, coarser than what the order of additions changes."""
    return np.asarray(np.round(values, 6))


def _score(key: SpatialKey, boxes: Boxes, anchors: tuple[Boxes, ...], lens: Lens | None) -> Floats:
    relation = key.relation
    if relation == "in_view":
        assert lens is not None
        assert lens.world_from_camera is not None
        return viewpoint.in_view(boxes, lens.world_from_camera)
    if relation == "between":
        return relations.between(boxes, *anchors)
    (anchor,) = anchors
    if relation in _BY_BOX:
        return _BY_BOX[relation](boxes, anchor)
    if relation == "left" or relation == "right" or relation == "front" or relation == "behind":
        assert lens is not None
        return _side(relation, boxes, anchor, lens)
    gap = relations.gap_m(boxes, anchor)
    limit = np.inf if key.distance_m is None else key.distance_m
    if relation == "beyond":
        return np.where(gap > limit, 1.0, 0.0)
    return np.where(gap <= limit, relations.closeness(gap), 0.0)


def _side(side: viewpoint.Side, boxes: Boxes, anchor: Boxes, lens: Lens) -> Floats:
    """One of the four sides, by the anchor's own axes or as seen from the viewpoint."""
    if not lens.own:
        assert lens.facing is not None
        return viewpoint.seen_side_of(boxes, anchor, lens.facing, side)
    facing = lens.facing or Facing.towards(anchor.centre, (0.0, 1.0))
    return facing.side_of(boxes, side)
