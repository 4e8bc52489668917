"""One spatial key on boxes: from the plan's words to the geometry's relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recall4d.geometry import relations, viewpoint
from recall4d.geometry.region import Path, Region
from recall4d.geometry.relations import Boxes, Floats
from recall4d.geometry.viewpoint import Facing
from recall4d.query.plan import SpatialKey

if TYPE_CHECKING:
    from recall4d.query.resolve import Lens

Shape = Boxes | Region | Path
"""What a thing may be measured against."""

SIDES = ("left", "right", "front", "behind")
VIEWS = ("in_view", "facing")
"""Relations to a viewpoint alone."""

_BY_GAP = ("within", "beyond", "nearest", "along")

ALONG_M = 1.5
"""How far from a path things are along it, where no limit is given."""

_BY_BOX = {
    "on": relations.on,
    "under": relations.under,
    "above": relations.above,
    "below": relations.below,
    "inside": relations.inside,
    "beside": relations.beside,
}


def score(key: SpatialKey, boxes: Boxes, anchors: tuple[Shape, ...], lens: Lens | None) -> Floats:
    """How well boxes (..., 3) fulfil a key, before negation; 0 where they do not.

    Args:
        key: the relation.
        boxes: the candidates.
        anchors: one box (3,), region or path for each anchor of the key.
        lens: how sides and views are seen; not None where the relation needs one.
    """
    if key.relation in _BY_GAP:
        return rounded(_by_gap(key, gap(boxes, anchors[0])))
    scores = _score(key, boxes, anchors, lens)
    if key.distance_m is not None:
        eye = Boxes.point(lens.facing.eye_xyz) if lens is not None and lens.facing is not None else None
        measured = gap(boxes, anchors[0]) if anchors else None if eye is None else gap(boxes, eye)
        scores = scores if measured is None else np.where(measured <= key.distance_m, scores, 0.0)
    return rounded(scores)


def gap(boxes: Boxes, anchor: Shape) -> Floats:
    """Metres from boxes to an anchor: between boxes; from their centres to a region; in plan to a path."""
    if isinstance(anchor, Region):
        return anchor.distance_m(boxes.centre)
    return anchor.distance_m(boxes) if isinstance(anchor, Path) else relations.gap_m(boxes, anchor)


def bounds(anchor: Shape) -> Boxes:
    """The box around an anchor, for relations that are between boxes."""
    return anchor if isinstance(anchor, Boxes) else anchor.bounds


def next_cost(boxes: Boxes, anchors: tuple[Shape, ...], scores: Floats) -> Floats:
    """What makes boxes the next ones in the direction that `scores` rates: the smallest."""
    if not anchors:
        return rounded(np.asarray(1.0 - scores))
    return rounded(relations.next_cost_m(boxes, bounds(anchors[0]), scores))


def rounded(values: Floats) -> Floats:
    """To the sixth decimal: finer than anything measured, coarser than what the order of additions changes."""
    return np.asarray(values).round(6)


def _by_gap(key: SpatialKey, metres: Floats) -> Floats:
    """The relations that are a distance."""
    if key.relation == "beyond":
        return np.where(metres > (key.distance_m or 0.0), 1.0, 0.0)
    near = relations.closeness(metres)
    limit_m = ALONG_M if key.relation == "along" and key.distance_m is None else key.distance_m
    return near if limit_m is None else np.where(metres <= limit_m, near, 0.0)


def _score(key: SpatialKey, boxes: Boxes, anchors: tuple[Shape, ...], lens: Lens | None) -> Floats:
    relation = key.relation
    if relation == "in_view":
        assert lens is not None
        assert lens.world_from_camera is not None
        return viewpoint.in_view(boxes, lens.world_from_camera)
    if relation == "facing":
        assert lens is not None
        assert lens.facing is not None
        return _towards(boxes, lens.facing, key.bearing_deg, key.spread_deg)
    if relation == "between":
        return relations.between(boxes, *map(bounds, anchors))
    (anchor,) = anchors
    if relation == "inside" and isinstance(anchor, Region):
        return np.where(anchor.contains(boxes.centre), 1.0, 0.0)
    if relation in _BY_BOX:
        return _BY_BOX[relation](boxes, bounds(anchor))
    assert relation == "left" or relation == "right" or relation == "front" or relation == "behind"
    assert lens is not None
    return _side(relation, boxes, bounds(anchor), lens)


def _towards(boxes: Boxes, facing: Facing, bearing_deg: float, spread_deg: float) -> Floats:
    """How well boxes lie in a direction: 1 straight there, one half at the edge of the spread."""
    off = np.abs((np.degrees(facing.bearing_rad(boxes.centre)) - bearing_deg + 180.0) % 360.0 - 180.0)
    return np.where(off <= spread_deg, 1.0 - 0.5 * off / spread_deg, 0.0)


def _side(side: viewpoint.Side, boxes: Boxes, anchor: Boxes, lens: Lens) -> Floats:
    """One of the four sides, by the anchor's own axes or as seen from the viewpoint."""
    if not lens.own:
        assert lens.facing is not None
        return viewpoint.seen_side_of(boxes, anchor, lens.facing, side)
    facing = lens.facing or Facing.towards(anchor.centre, (0.0, 1.0))
    return facing.side_of(boxes, side)
