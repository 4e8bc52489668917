"""What depends on where one stands: bearings, left and right, in front and behind, in view.

Only the horizontal plane counts, except for `in_view`. Bearings are measured from straight ahead, right positive,
in (-pi, pi]. Relations return scores in [0, 1] as in `relations`, 0 where they do not hold.

Left of what? There are two frames, and language uses both:

- *own* axes: the anchor has a front of its own ("to my left", "north of"). `Facing.side_of` rates the direction
  from the anchor itself.
- *seen* from an eye: the anchor has none ("left of the sofa"). One looks from the eye at the anchor; left and right
  compare bearings, behind is farther along the ray and hidden by or hiding the anchor, front is nearer. Left seen
  from one side is right from the opposite side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.geometry.box import Vec3, vec3
from recall4d.geometry.pose import inverse, transform
from recall4d.geometry.relations import Boxes, closeness, gap_m

Floats = NDArray[np.float64]
Side = Literal["left", "right", "front", "behind"]

MARGIN_M = 0.02
"""Offsets below this are noise: neither left nor right, neither nearer nor farther."""

BEARING_NAMES = ("ahead", "ahead-right", "right", "behind-right", "behind", "behind-left", "left", "ahead-left")

HALF_VIEW_TAN = (0.58, 0.44)
"""Half the field of view as tangents, (horizontal, vertical): 60 by 47 degrees, usual for RGB-D cameras."""

MAX_VIEW_M = 8.0
"""Things farther away are not said to be in view."""


@dataclass(frozen=True, slots=True)
class Facing:
    """A place and the horizontal direction it faces.

    Attributes:
        eye_xyz: where, world frame, metres.
        ahead_xy: (x, y) unit vector.
    """

    eye_xyz: Vec3
    ahead_xy: tuple[float, float]

    @classmethod
    def of_pose(cls, world_from_camera: Floats) -> Facing:
        """Where a camera stands and looks; one that looks straight down faces where the top of its image points."""
        forward, up = world_from_camera[:2, 2], -world_from_camera[:2, 1]
        ahead = forward if np.hypot(*forward) > 0.1 else forward + up * np.sign(-world_from_camera[2, 2])
        return cls.towards(world_from_camera[:3, 3], ahead)

    @classmethod
    def towards(cls, eye_xyz: ArrayLike, direction_xy: ArrayLike) -> Facing:
        """At a place, facing a direction of any length; +Y where it has none."""
        x, y = np.asarray(direction_xy, dtype=np.float64).tolist()
        length = float(np.hypot(x, y))
        ahead = (x / length, y / length) if length > 1e-9 else (0.0, 1.0)
        return cls(vec3(eye_xyz), ahead)

    def local(self, points_xyz: ArrayLike) -> tuple[Floats, Floats]:
        """(right, ahead) metres of points (..., 3) or (..., 2) from here."""
        offset = np.asarray(points_xyz, dtype=np.float64)[..., :2] - np.asarray(self.eye_xyz[:2])
        x, y = self.ahead_xy
        return offset[..., 0] * y - offset[..., 1] * x, offset[..., 0] * x + offset[..., 1] * y

    def bearing_rad(self, points_xyz: ArrayLike) -> Floats:
        """Bearings of points (..., 3); 0 at the eye itself."""
        right, ahead = self.local(points_xyz)
        bearing = np.arctan2(right + 0.0, ahead + 0.0)
        return np.asarray(np.where(bearing <= -np.pi, np.pi, bearing))

    def side_of(self, boxes: Boxes, side: Side) -> Floats:
        """How well boxes lie to one side of here: within 60 degrees of it, by the cosine and by nearness."""
        right, ahead = self.local(boxes.centre)
        along = {"left": -right, "right": right, "front": ahead, "behind": -ahead}[side]
        distance = np.sqrt(right * right + ahead * ahead)
        cosine = along / np.maximum(distance, 1e-9)
        score = cosine * closeness(gap_m(boxes, Boxes.point(self.eye_xyz)))
        return np.where((along > MARGIN_M) & (cosine >= 0.5), score, 0.0)


def seen_side_of(boxes: Boxes, anchor: Boxes, viewer: Facing, side: Side) -> Floats:
    """How well boxes (..., 3) lie to one side of one anchor (3,), for someone at `viewer` who looks at the anchor.

    A viewer who stands over the anchor's centre looks where they face.
    """
    ray = anchor.centre[:2] - np.asarray(viewer.eye_xyz[:2])
    look = Facing.towards(viewer.eye_xyz, ray if np.hypot(*ray) > MARGIN_M else np.asarray(viewer.ahead_xy))
    right, ahead = look.local(boxes.centre)
    _, anchor_ahead = look.local(anchor.centre)
    deeper = ahead - anchor_ahead
    near = closeness(gap_m(boxes, anchor))
    if side in ("left", "right"):
        across = right if side == "right" else -right
        pure = across / np.maximum(np.sqrt(across * across + deeper * deeper), 1e-9)
        return np.where((across > MARGIN_M) & (ahead > 0.0), pure * near, 0.0)
    away = deeper if side == "behind" else -deeper
    overlap = _bearing_overlap(boxes, anchor, look)
    return np.where((away > MARGIN_M) & (ahead > 0.0) & (overlap >= 0.2), overlap * near, 0.0)


def in_view(
    boxes: Boxes,
    world_from_camera: Floats,
    half_view_tan: tuple[float, float] = HALF_VIEW_TAN,
    max_range_m: float = MAX_VIEW_M,
) -> Floats:
    """How well boxes (..., 3) are in a camera's view: 1 in the middle, 0 outside. What hides them is not known.

    A box is in view when its centre or one of its corners is.
    """
    corner = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)] + [[0.5] * 3])
    points = boxes.low[..., None, :] + corner * (boxes.high - boxes.low)[..., None, :]
    x, y, z = np.moveaxis(transform(inverse(world_from_camera), points), -1, 0)
    depth = np.maximum(z, 1e-9)
    off_axis = np.maximum(np.abs(x) / depth / half_view_tan[0], np.abs(y) / depth / half_view_tan[1])
    seen = (z > 0.05) & (z <= max_range_m) & (off_axis <= 1.0)
    score = 1.0 - 0.9 * np.minimum(np.where(z[..., -1] > 0.05, off_axis[..., -1], 1.0), 1.0)
    return np.where(seen.any(axis=-1), score, 0.0)


def bearing_name(bearing_deg: float) -> str:
    """The name of a bearing in degrees: one of eight, 45 degrees each."""
    return BEARING_NAMES[round(bearing_deg / 45.0) % 8]


def _bearing_overlap(boxes: Boxes, anchor: Boxes, look: Facing) -> Floats:
    """Share of the narrower bearing range that boxes and the anchor have in common, as seen along `look`."""
    low_a, high_a = _slopes(boxes, look)
    low_b, high_b = _slopes(anchor, look)
    shared = np.minimum(high_a, high_b) - np.maximum(low_a, low_b)
    narrower = np.minimum(high_a - low_a, high_b - low_b)
    return np.clip(shared / np.maximum(narrower, 1e-9), 0.0, 1.0)


def _slopes(boxes: Boxes, look: Facing) -> tuple[Floats, Floats]:
    """Least and greatest right/ahead of the footprints' corners, widened by `MARGIN_M`.

    Corners abreast of the eye or behind it count as far out (slope 10, 84 degrees).
    """
    x = np.stack([boxes.low[..., 0], boxes.low[..., 0], boxes.high[..., 0], boxes.high[..., 0]], axis=-1)
    y = np.stack([boxes.low[..., 1], boxes.high[..., 1], boxes.low[..., 1], boxes.high[..., 1]], axis=-1)
    right, ahead = look.local(np.stack([x, y], axis=-1))
    depth = np.maximum(ahead, 1e-3)
    low = np.clip((right - MARGIN_M) / depth, -10.0, 10.0).min(axis=-1)
    high = np.clip((right + MARGIN_M) / depth, -10.0, 10.0).max(axis=-1)
    return low, high
