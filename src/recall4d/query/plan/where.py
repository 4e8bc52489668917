"""The spatial key: relations to points, entries, other steps' rows, agents, regions and paths."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from recall4d.query.plan.base import MAX_CORNERS, Coordinate, Metres, Name, Part, StepName, Xyz
from recall4d.query.plan.when import Instant, Now

# --- places ----------------------------------------------------------------------------------------------------


class Point(Part):
    """A place in the world frame, metres."""

    kind: Literal["point"] = "point"
    xyz: Xyz


class EntryRef(Part):
    """An entry by its id."""

    kind: Literal["entry"] = "entry"
    entry_id: Name


class StepRef(Part):
    """The rows of an earlier step: its best row, or any of them."""

    kind: Literal["step"] = "step"
    step: StepName
    which: Literal["best", "any"] = "best"


class AgentAt(Part):
    """Where an agent stood and looked: `agent` None is the asking agent."""

    kind: Literal["agent"] = "agent"
    agent: Name | None = None
    at: Instant = Now()


class NamedRegion(Part):
    """A region by the name that it has in the memory."""

    kind: Literal["region"] = "region"
    name: Name


class Polygon(Part):
    """A region drawn on the floor plan: corners in order, world frame, metres; `z` bounds its height."""

    kind: Literal["polygon"] = "polygon"
    corners_xy: tuple[tuple[Coordinate, Coordinate], ...] = Field(min_length=3, max_length=MAX_CORNERS)
    z: tuple[Coordinate, Coordinate] | None = None

    @field_validator("z")
    @classmethod
    def _check(cls, z: tuple[float, float] | None) -> tuple[float, float] | None:
        if z is not None and z[0] > z[1]:
            raise ValueError(f"expected the lower end first, got {z[0]} to {z[1]}")
        return z


class BoxRegion(Part):
    """A box in the world frame, metres."""

    kind: Literal["box"] = "box"
    min_xyz: Xyz
    max_xyz: Xyz

    @model_validator(mode="after")
    def _check(self) -> BoxRegion:
        if any(low > high for low, high in zip(self.min_xyz, self.max_xyz, strict=True)):
            raise ValueError(f"expected min_xyz below max_xyz, got {self.min_xyz} and {self.max_xyz}")
        return self


class PathOf(Part):
    """Where an agent went between two instants, by default all the time; for `along`."""

    kind: Literal["path"] = "path"
    agent: Name | None = None
    after: Instant | None = None
    before: Instant | None = None


Place = Annotated[
    Point | EntryRef | StepRef | NamedRegion | Polygon | BoxRegion | AgentAt | PathOf, Field(discriminator="kind")
]
Anchor = Place

# --- viewpoints ------------------------------------------------------------------------------------------------


class WorldAxes(Part):
    """Left and right by the world's axes: front is +Y, right is +X."""

    kind: Literal["world"] = "world"


class OwnFront(Part):
    """By the anchor's own front, where it is known: said by its attribute `front`, or away from the wall behind."""

    kind: Literal["own"] = "own"


class Towards(Part):
    """As one sees it who stands at `from_anchor` (or nowhere in particular) and faces the relation's anchor."""

    kind: Literal["towards"] = "towards"
    from_anchor: Place


Viewpoint = Annotated[AgentAt | WorldAxes | OwnFront | Towards, Field(discriminator="kind")]

Relation = Literal[
    "within", "beyond", "nearest", "on", "under", "above", "below", "inside", "left", "right", "front", "behind",
    "beside", "between", "in_view", "facing", "along",
]  # fmt: skip

N_ANCHORS = {"between": 2, "in_view": 0, "facing": 0}
"""Anchors a relation takes; 1 where not listed."""


class SpatialKey(Part):
    """Where it is, relative to anchors.

    Attributes:
        relation: `within` and `beyond` need `distance_m`; `between` needs two anchors; `in_view` and `facing` look
            from a viewpoint and need no anchor; `along` needs a path; the others need one anchor. `left`, `right`,
            `front`, `behind` are seen from `viewpoint`. `nearest` orders rows by distance. `inside` a region is
            having one's centre there.
        anchors: relative to what.
        distance_m: between boxes, metres; a limit for every relation but `beyond`, which it starts from. `along`
            takes 1.5 m where none is given.
        viewpoint: whose left; None is the asking agent at the time of the question.
        bearing_deg: for `facing`: the direction meant, 0 ahead, right positive.
        spread_deg: for `facing`: how far to either side still counts.
        directly: only the next one in that direction.
        negated: rows that are not so.
    """

    relation: Relation
    anchors: tuple[Place, ...] = Field(default=(), max_length=2)
    distance_m: Metres | None = None
    viewpoint: Viewpoint | None = None
    bearing_deg: float = Field(default=0.0, ge=-180.0, le=180.0)
    spread_deg: float = Field(default=20.0, ge=1.0, le=180.0)
    directly: bool = False
    negated: bool = False

    @model_validator(mode="after")
    def _check(self) -> SpatialKey:
        wanted = N_ANCHORS.get(self.relation, 1)
        if len(self.anchors) != wanted:
            raise ValueError(f"{self.relation!r} takes {wanted} anchor(s), got {len(self.anchors)}")
        if self.relation in ("within", "beyond") and self.distance_m is None:
            raise ValueError(f"{self.relation!r} needs distance_m")
        for anchor in self.anchors:
            if (self.relation == "along") != (anchor.kind == "path"):
                raise ValueError(f"'along' goes with a path and nothing else does, got {anchor.kind!r}")
        if self.relation in ("in_view", "facing") and self.viewpoint is not None and self.viewpoint.kind != "agent":
            raise ValueError(f"{self.relation!r} needs the viewpoint of an agent, got {self.viewpoint.kind!r}")
        return self
