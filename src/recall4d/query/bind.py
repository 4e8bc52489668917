"""A step with every reference resolved: what is left is numbers to compare."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal

from recall4d.geometry.relations import Boxes, Floats, centre_distance_m
from recall4d.geometry.viewpoint import Facing
from recall4d.query.plan import Anchor, Find, Order, SemanticKey, SpatialKey, StepRef
from recall4d.query.resolve import MAX_ANY, Lens, Place, Scope
from recall4d.query.result import Window
from recall4d.query.spatial import SIDES, VIEWS, bounds, rounded

ALIKE = 0.95
"""Rows with this share of the best row's score fit as well as it."""

MAX_PAIRS = 1000
"""Of pairs of rows any of which will do ("between two chairs"), so many of the first are tried."""


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
        windows: the instants it is about, in order, apart from each other.
        observed: only what was in view in the window.
        timed: whether it has a temporal key.
        agent: only what this agent saw.
        not_agent: only what this agent had not seen.
        semantic: what it is.
        category: its category, case folded.
        spatial: where it is.
        within: only these entries.
        without: none of these entries.
        presence, visibility, kinds, limit: as planned.
        order: how rows are ranked; by distance where `nearest` is asked for.
        diverse: whether look-alikes make way for others.
        measured_from: the places that distances are measured to; none where no anchor and no agent is known.
        facing: where bearings are seen from.
    """

    name: str
    windows: tuple[Window, ...]
    observed: bool
    timed: bool
    agent: str | None
    not_agent: str | None
    semantic: SemanticKey | None
    category: str | None
    spatial: tuple[BoundKey, ...]
    within: frozenset[int] | None
    without: frozenset[int] | None
    presence: Literal["present", "gone", "any"]
    visibility: frozenset[str]
    kinds: Literal["things", "surfaces", "both"]
    order: Order
    limit: int | None
    diverse: bool
    measured_from: tuple[Place, ...]
    facing: Facing | None

    @property
    def window(self) -> Window:
        """From the first to the last of the instants that the step is about."""
        return Window(self.windows[0].after_ns, self.windows[-1].before_ns)

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
        UsageError: it names an agent, a frame number, a region or an entry that this memory does not hold.
        UnresolvedError: a reference leads nowhere in this memory.
    """
    keys = tuple(_bind_key(key, scope) for key in find.spatial)
    nearest = any(key.relation == "nearest" and not key.negated for key in find.spatial)
    order: Order = "distance" if nearest and find.order == "score" else find.order
    return Bound(
        name=find.name,
        windows=scope.windows(find.temporal),
        observed=find.temporal is not None and find.temporal.mode == "observed",
        timed=find.temporal is not None,
        agent=None if find.agent is None else scope.agent(find.agent),
        not_agent=None if find.not_agent is None else scope.agent(find.not_agent),
        semantic=find.semantic,
        category=None if find.category is None else find.category.casefold(),
        spatial=keys,
        within=None if find.within_step is None else frozenset(scope.found[find.within_step].entries),
        without=None if find.except_step is None else frozenset(scope.found[find.except_step].entries),
        presence=find.presence,
        visibility=frozenset(find.visibility),
        kinds=find.kinds,
        order=order,
        limit=find.limit,
        diverse=find.diverse and order == "score" and find.limit is not None,
        measured_from=_measured_from(keys, scope),
        facing=_facing(keys, scope),
    )


def _bind_key(key: SpatialKey, scope: Scope) -> BoundKey:
    lens = scope.lens(key) if key.relation in (*SIDES, *VIEWS) else None
    choices = itertools.product(*(scope.places(anchor) for anchor in key.anchors))
    if key.relation == "between" and not any(isinstance(a, StepRef) and a.which == "any" for a in key.anchors):
        return BoundKey(key, (_nearest_pair(key, scope),), lens)
    return BoundKey(key, tuple(itertools.islice(choices, MAX_PAIRS)), lens)


def _nearest_pair(key: SpatialKey, scope: Scope) -> tuple[Place, ...]:
    """Of the rows that fit as well as the best, the two that lie nearest together.

    Who says "between the sofa and the TV" in a house of two TVs means the one at the sofa.
    """
    pairs = list(itertools.product(*(_alike(anchor, scope) for anchor in key.anchors)))
    apart = [(a, b) for a, b in pairs if a.entry is None or a.entry != b.entry] or pairs[:1]
    return min(apart, key=lambda pair: float(rounded(_centres_apart_m(*pair))))


def _centres_apart_m(a: Place, b: Place) -> Floats:
    return centre_distance_m(bounds(a.boxes[-1]), bounds(b.boxes[-1]))


def _alike(anchor: Anchor, scope: Scope) -> tuple[Place, ...]:
    """Where an anchor is; of a step's best row, where the rows are that fit as well."""
    if not isinstance(anchor, StepRef):
        return scope.places(anchor)
    rows = scope.rows(anchor.step)[:MAX_ANY]
    every = scope.places(StepRef(step=anchor.step, which="any"))
    return tuple(place for place, row in zip(every, rows, strict=True) if row.score >= ALIKE * rows[0].score)


def _measured_from(keys: tuple[BoundKey, ...], scope: Scope) -> tuple[Place, ...]:
    """The first anchor of `nearest`, or else of the first key that has one, or else the asking agent now."""
    anchored = [each for each in keys if each.key.anchors]
    nearest = [each for each in anchored if each.key.relation == "nearest"]
    for each in nearest or anchored:
        return tuple(dict.fromkeys(choice[0] for choice in each.choices))
    standing = scope.snapshot.standing(scope.me)
    return () if standing is None else (Place.fixed(Boxes.point(standing.eye_xyz)),)


def _facing(keys: tuple[BoundKey, ...], scope: Scope) -> Facing | None:
    """The first viewpoint that a step uses, or else the asking agent's now."""
    for each in keys:
        if each.lens is not None and each.lens.facing is not None:
            return each.lens.facing
    return scope.snapshot.standing(scope.me)
