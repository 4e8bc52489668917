"""A step with every reference resolved: what is left is numbers to compare."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal

from recall4d.errors import UsageError
from recall4d.geometry.viewpoint import Facing
from recall4d.query.plan import AgentAt, Find, SemanticKey, SpatialKey
from recall4d.query.resolve import Lens, Place, Scope, UnresolvedError, Window
from recall4d.query.spatial import SIDES

Order = Literal["score", "distance", "first_seen", "last_seen", "latest_first"]


@dataclass(frozen=True, slots=True)
class BoundKey:
    """A spatial key with its anchors.

    Attributes:
        key: as planned.
        choices: every choice of one place for each anchor; the key holds where it holds for one of them. `in_view`
            has one choice, of no places.
        lens: how sides and views are seen; None where the relation needs none.
    """

    key: SpatialKey
    choices: tuple[tuple[Place, ...], ...]
    lens: Lens | None


@dataclass(frozen=True, slots=True)
class Bound:
    """A step with its references resolved.

    Attributes:
        name: of the step.
        window: the instants it is about.
        observed: only what was in view in the window.
        timed: whether it has a temporal key.
        agent: only what this agent saw.
        semantic: what it is.
        spatial: where it is.
        within: only these entries.
        presence, kinds, limit: as planned.
        order: how rows are ranked; by distance where `nearest` is asked for.
        measured_from: the places that distances are measured to; none where no anchor and no agent is known.
        facing: where bearings are seen from.
    """

    name: str
    window: Window
    observed: bool
    timed: bool
    agent: str | None
    semantic: SemanticKey | None
    spatial: tuple[BoundKey, ...]
    within: frozenset[int] | None
    presence: Literal["present", "gone", "any"]
    kinds: Literal["things", "surfaces", "both"]
    order: Order
    limit: int | None
    measured_from: tuple[Place, ...]
    facing: Facing | None

    @property
    def directly(self) -> tuple[BoundKey, ...]:
        """The keys that want only the next one in their direction."""
        return tuple(each for each in self.spatial if each.key.directly and not each.key.negated)

    @property
    def viewpoint(self) -> str | None:
        """Whose left, right, front, behind or view was used, for a person."""
        return next((each.lens.text for each in self.spatial if each.lens is not None), None)


def bind(find: Find, scope: Scope) -> Bound:
    """Resolve a step.

    Raises:
        UsageError: it names an agent, a frame number or an entry that this memory does not hold, or wants what
            something without a camera has in view.
        UnresolvedError: a reference leads nowhere in this memory.
    """
    keys = tuple(_bind_key(key, scope) for key in find.spatial)
    nearest = any(key.relation == "nearest" and not key.negated for key in find.spatial)
    return Bound(
        name=find.name,
        window=scope.window(find.temporal),
        observed=find.temporal is not None and find.temporal.mode == "observed",
        timed=find.temporal is not None,
        agent=None if find.agent is None else scope.agent(find.agent),
        semantic=find.semantic,
        spatial=keys,
        within=None if find.within_step is None else frozenset(scope.found[find.within_step].entries),
        presence=find.presence,
        kinds=find.kinds,
        order="distance" if nearest and find.order == "score" else find.order,
        limit=find.limit,
        measured_from=_measured_from(keys, scope),
        facing=_facing(keys, scope),
    )


def _bind_key(key: SpatialKey, scope: Scope) -> BoundKey:
    lens = scope.lens(key) if key.relation in (*SIDES, "in_view") else None
    if key.relation == "in_view" and (lens is None or lens.world_from_camera is None):
        raise UsageError("'in_view' needs the viewpoint of an agent: only agents have a camera")
    choices = tuple(itertools.product(*(scope.places(anchor) for anchor in key.anchors)))
    return BoundKey(key, choices, lens)


def _measured_from(keys: tuple[BoundKey, ...], scope: Scope) -> tuple[Place, ...]:
    """The first anchor of `nearest`, or else of the first key that has one, or else the asking agent now."""
    anchored = [each for each in keys if each.key.anchors]
    nearest = [each for each in anchored if each.key.relation == "nearest"]
    for each in nearest or anchored:
        return tuple(dict.fromkeys(choice[0] for choice in each.choices))
    try:
        return scope.places(AgentAt())
    except UnresolvedError:
        return ()


def _facing(keys: tuple[BoundKey, ...], scope: Scope) -> Facing | None:
    """The first viewpoint that a step uses, or else the asking agent's now."""
    for each in keys:
        if each.lens is not None and each.lens.facing is not None:
            return each.lens.facing
    try:
        return Facing.of_pose(scope.pose(AgentAt()))
    except UnresolvedError:
        return None
