"""Noun phrases become steps: each landmark a step of its own, found before the thing it locates."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from recall4d.query.english.context import Context
from recall4d.query.english.grammar.places import SIDE_PAIRS
from recall4d.query.english.instants import Times, UnclearError
from recall4d.query.english.names import (
    ROOMS,
    head_name,
    is_everywhere,
    is_structure,
    is_vague,
    room_of,
    semantic_key,
)
from recall4d.query.english.phrases import (
    Clause,
    Condition,
    Feature,
    Formerly,
    Happened,
    Modifier,
    Moment,
    NounPhrase,
    Period,
    Ranked,
    Relation,
    Sighted,
    Viewpoint,
    Visit,
    Word,
)
from recall4d.query.plan import (
    AgentAt,
    Anchor,
    Find,
    Instant,
    Now,
    OfStep,
    SemanticKey,
    SpatialKey,
    Stamp,
    StepRef,
    TemporalKey,
    Towards,
)
from recall4d.query.plan import Viewpoint as PlanViewpoint

NEAR_M = 1.0
AROUND_M = 0.8
AGAINST_M = 0.15
ROOM_REACH_M = 2.5
"""Things within this of what a room is known by are in the room."""

_DISTANCES = {"near": NEAR_M, "at": AROUND_M, "against": AGAINST_M, "from": NEAR_M, "to": NEAR_M, "through": NEAR_M}
_DIRECT = frozenset(
    {"on", "inside", "under", "below", "above", "beside", "left", "right", "front", "behind", "between"}
)
_SIDED = frozenset({"left", "right", "front", "behind"})
_EVENT_EDGES = {"move": "moved", "touch": "moved", "change": "moved", "vanish": "gone", "appear": "appeared"}


@dataclass
class Finder:
    """Collects the steps of one plan.

    Attributes:
        context: who asks.
        periods: when the question is about, for every step that says nothing else.
        viewpoint: whose left and right the question names.
        set_aside: places that say too little to find them, where the thing is named as well: "the box in the corner".
        steps: so far.
    """

    context: Context
    periods: list[Period] = field(default_factory=list)
    viewpoint: Viewpoint | None = None
    set_aside: list[str] = field(default_factory=list)
    steps: list[Find] = field(default_factory=list)

    @property
    def times(self) -> Times:
        """Reads the times of this question."""
        return Times(self.context, self.instant_of_event, self.during_event)

    def temporal(self, periods: list[Period] | None = None, observed: bool = False) -> TemporalKey | None:
        """The question's temporal key, or that of other periods."""
        return self.times.key(self.periods if periods is None else periods, observed)

    def agent(self, said: str | None) -> str | None:
        """An agent's name as the plan has it: None for anyone."""
        if said in (None, "anyone"):
            return None
        return self.context.asker if said == "asker" else said

    # --- steps -------------------------------------------------------------------------------------------------

    def find(
        self,
        phrase: NounPhrase,
        relations: tuple[Modifier, ...] = (),
        periods: list[Period] | None = None,
        observed: bool = False,
        seer: str | None = None,
        **more: object,
    ) -> str:
        """Add the step that finds what a noun phrase names, and the steps it needs; its name.

        Args:
            phrase: what.
            relations: what else is said of it in the clause.
            periods: when, instead of the question's.
            observed: it must have been in view then.
            seer: who saw it.
            more: other fields of the step.
        """
        modifiers = tuple(each for each in phrase.modifiers if not is_vague(each))
        self.set_aside += [each.landmarks[0].words[-1] for each in phrase.modifiers if is_vague(each)]
        if any(map(is_vague, relations)) and not phrase.words:
            raise UnclearError("I cannot tell which place is meant.")
        self.set_aside += [each.landmarks[0].words[-1] for each in relations if is_vague(each)]
        modifiers = (*modifiers, *(each for each in relations if not is_vague(each)))
        was = tuple(map(_former_place, filter(_is_former, phrase.modifiers)))
        if was and "within_step" not in more:
            modifiers = tuple(each for each in modifiers if not _is_former(each))
            bare = replace(phrase, modifiers=tuple(each for each in phrase.modifiers if not _is_former(each)))
            more = {**more, "within_step": self.find(bare, was, periods=[Period("always")])}
        own_periods = [each for each in modifiers if isinstance(each, Period)]
        for sighted in (each for each in modifiers if isinstance(each, Sighted)):
            seer = seer or sighted.agent
            own_periods += sighted.periods
        when = own_periods or periods
        spatial = tuple(
            key for each in modifiers if isinstance(each, Relation | Ranked) for key in self._keys(each, when)
        )
        temporal = self.temporal(when, observed)
        step = Find(
            name=self._name(phrase),
            semantic=semantic_key(phrase),
            spatial=spatial,
            temporal=temporal,
            agent=self.agent(seer),
            kinds="both" if is_structure(phrase) else "things",
            **more,  # type: ignore[arg-type]
        )
        step = self._add(step)
        sides = [
            each.kind for each in modifiers if isinstance(each, Ranked) and each.kind in ("leftmost", "rightmost")
        ]
        return self._outermost(step, sides[0]) if sides else step.name

    def _add(self, step: Find) -> Find:
        """Add a step, or return the one that finds the same."""
        for known in self.steps:
            if known == step.model_copy(update={"name": known.name}):
                return known
        self.steps.append(step)
        return step

    def landmark(self, phrase: NounPhrase, periods: list[Period] | None = None) -> Anchor:
        """What a relation is to: an agent, or the best row of a step, or any row where many will do."""
        if phrase.agent is not None:
            return AgentAt(
                agent=None if phrase.agent == "anyone" else self.agent(phrase.agent), at=self._viewed_at()
            )
        if phrase.generic and not phrase.modifiers and not phrase.words:
            raise UnclearError("I cannot tell what the place is relative to.")
        step = self.find(phrase, periods=periods)
        several = phrase.plural or phrase.determiner in ("a", "any", "all", "no")
        return StepRef(step=step, which="any" if several else "best")

    def room(self, name: str) -> str:
        """Add the step that finds the things a room is known by; its name."""
        return self._add(Find(name=self._unused(name), semantic=SemanticKey(texts=ROOMS[name]))).name

    # --- keys --------------------------------------------------------------------------------------------------

    def _keys(self, modifier: Relation | Ranked, periods: list[Period] | None) -> list[SpatialKey]:
        if isinstance(modifier, Ranked):
            return self._nearest(modifier, periods)
        if modifier.kind in SIDE_PAIRS:
            return []
        if not modifier.landmarks:
            return [self._sided(modifier, (AgentAt(at=self._viewed_at()),))]
        if all(is_everywhere(landmark) for landmark in modifier.landmarks):
            return []
        if all(is_structure(landmark) for landmark in modifier.landmarks) and not self.context.has_surfaces:
            return []
        room = room_of(modifier.landmarks[0])
        if room is not None and modifier.kind in ("in", "inside", "at", "on", "near", "from", "to", "through"):
            anchor = StepRef(step=self.room(room), which="any")
            return [
                SpatialKey(relation="within", anchors=(anchor,), distance_m=ROOM_REACH_M, negated=modifier.negated)
            ]
        anchors = self._anchors(modifier, periods)
        return [self._sided(modifier, anchors)]

    def _anchors(self, relation: Relation, periods: list[Period] | None) -> tuple[Anchor, ...]:
        if len(relation.landmarks) == 2 and relation.landmarks[0] == relation.landmarks[1]:
            step = self.find(relation.landmarks[0], periods=periods)
            return (StepRef(step=step, which="any"), StepRef(step=step, which="any"))
        return tuple(self.landmark(each, periods) for each in relation.landmarks)

    def _sided(self, relation: Relation, anchors: tuple[Anchor, ...]) -> SpatialKey:
        kind = {"in": "inside"}.get(relation.kind, relation.kind)
        if kind in _DIRECT:
            return SpatialKey(
                relation=kind,  # type: ignore[arg-type]
                anchors=anchors,
                viewpoint=self.plan_viewpoint(anchors[0]) if kind in _SIDED else None,
                directly=relation.directly,
                negated=relation.negated,
            )
        distance_m = relation.distance_m if relation.distance_m is not None else _DISTANCES.get(kind, NEAR_M)
        return SpatialKey(
            relation="beyond" if kind == "beyond" else "within",
            anchors=anchors,
            distance_m=distance_m,
            negated=relation.negated,
        )

    def _nearest(self, ranked: Ranked, periods: list[Period] | None) -> list[SpatialKey]:
        """Rows by distance; the farthest is then the last."""
        if ranked.kind not in ("nearest", "farthest"):
            return []
        anchor = (
            AgentAt(at=self._viewed_at()) if ranked.landmark is None else self.landmark(ranked.landmark, periods)
        )
        return [SpatialKey(relation="nearest", anchors=(anchor,))]

    def _outermost(self, of: Find, side: str) -> str:
        """The leftmost of several: it is to the right of no other, for whoever saw them."""
        other = "right" if side == "leftmost" else "left"
        rows = StepRef(step=of.name, which="any")
        stood = AgentAt(at=OfStep(step=of.name, edge="last_seen"))
        step = of.model_copy(
            update={
                "name": self._unused(side),
                "within_step": of.name,
                "spatial": (
                    *of.spatial,
                    SpatialKey(
                        relation=other,  # type: ignore[arg-type]
                        anchors=(rows,),
                        viewpoint=self.plan_viewpoint(rows) if self.viewpoint else Towards(from_anchor=stood),
                        negated=True,
                    ),
                ),
            }
        )
        self.steps.append(step)
        return step.name

    def sides(self, step: str, landmark: str, pair: str | None) -> tuple[str, ...]:
        """Add steps that find the rows of a step on each side of a landmark; their names."""
        relations = tuple(pair.split("_")) if pair else ("left", "right", "front", "behind")
        anchor = StepRef(step=landmark)
        names = []
        for relation in relations:
            key = SpatialKey(
                relation=relation,  # type: ignore[arg-type]
                anchors=(anchor,),
                viewpoint=self.plan_viewpoint(anchor) if relation in _SIDED else None,
            )
            temporal = self.temporal()
            find = Find(name=self._unused(relation), spatial=(key,), within_step=step, temporal=temporal)
            names.append(self._add(find).name)
        return tuple(names)

    # --- viewpoints --------------------------------------------------------------------------------------------

    def plan_viewpoint(self, anchor: Anchor) -> PlanViewpoint | None:
        """Whose left and right: as the question says, else the asking agent's at the time it is about."""
        said = self.viewpoint
        if isinstance(anchor, AgentAt) and said is None:
            return None
        if said is None:
            at = self._viewed_at()
            return None if at == Now() else AgentAt(at=at)
        if said.kind == "stand":
            return AgentAt(
                agent=self.agent(said.agent), at=self.times.instant(said.at) if said.at else self._viewed_at()
            )
        assert said.place is not None
        if said.kind == "from":
            return Towards(from_anchor=self.landmark(said.place))
        faced = self.find(said.place)
        return Towards(from_anchor=AgentAt(at=OfStep(step=faced, edge="last_seen")))

    def _viewed_at(self) -> Instant:
        """When the asking agent looked: the end of the period asked about, or the time the viewpoint names."""
        if self.viewpoint is not None and self.viewpoint.at is not None:
            return self.times.instant(self.viewpoint.at)
        before: Moment | None = next((p.before for p in self.periods if p.before is not None), None)
        return Now() if before is None or before.kind == "event" else self.times.instant(before)

    # --- events ------------------------------------------------------------------------------------------------

    def instant_of_event(self, event: Clause) -> Instant:
        """When something told as a clause happened.

        Raises:
            UnclearError: it is nothing that leaves a mark in memory.
        """
        subject, kind = event.subject, None if event.verb is None else event.verb.kind
        if subject is not None and subject.agent is not None and kind in ("pass", "move", "see", "stand", None):
            return self._passing(event, subject.agent)
        if subject is None or not (subject.named or subject.modifiers):
            raise UnclearError("I cannot tell which event is meant.")
        edge = _EVENT_EDGES.get(kind or "", "first_seen")
        if kind == "see":
            edge = (
                "last_seen"
                if any(getattr(each, "kind", "") == "last" for each in event.complements)
                else "first_seen"
            )
        step = self.find(subject, periods=[])
        if edge == "appeared" and any(isinstance(each, Relation) for each in event.complements):
            edge = "moved"
        return OfStep(step=step, edge=edge)  # type: ignore[arg-type]

    def during_event(self, event: Clause) -> tuple[Instant, Instant]:
        """When something told as a clause went on. An agent that passed by was on one of its visits."""
        subject, kind = event.subject, None if event.verb is None else event.verb.kind
        if subject is not None and subject.agent is not None and kind in ("pass", "move", "stand", None):
            agent = self.agent(subject.agent) or self.context.asker
            words = {each.kind for each in event.complements if isinstance(each, Word)}
            if self.context.visits.get(agent or ""):
                first, last = self.times.visit(Visit(1 if "first" in words else -1, agent))
                return Stamp(at_ns=first), Stamp(at_ns=last)
        at = self.instant_of_event(event)
        return at, at

    def _passing(self, event: Clause, agent: str) -> Instant:
        """When an agent last had in view what it passed, saw or stood at."""
        relations = [each for each in event.complements if isinstance(each, Relation) and each.landmarks]
        place = event.target or (relations[0].landmarks[0] if relations else None)
        if place is None or place.agent is not None:
            raise UnclearError("I cannot tell which time is meant.")
        first = any(getattr(each, "kind", "") == "first" for each in event.complements)
        edge = "first_seen" if first else "last_seen"
        room = room_of(place)
        if room is not None:
            seen = Find(name=self._unused(room), semantic=SemanticKey(texts=ROOMS[room]), agent=self.agent(agent))
            return OfStep(step=self._add(seen).name, edge=edge)  # type: ignore[arg-type]
        return OfStep(step=self.find(place, periods=[], seer=agent), edge=edge)  # type: ignore[arg-type]

    # --- names of steps ----------------------------------------------------------------------------------------

    def _name(self, phrase: NounPhrase) -> str:
        words = head_name(replace(phrase, words=phrase.words[-1:])) if phrase.words else ("thing",)
        return self._unused(words[0] if words else "thing")

    def _unused(self, wanted: str) -> str:
        """`wanted` as the name of a step, with a number where it is taken."""
        letters = "".join(c if c.isascii() and c.isalnum() else "_" for c in wanted.lower()).strip("_")
        base = letters if letters[:1].isalpha() else f"thing_{letters}".strip("_")
        taken = {step.name for step in self.steps}
        return next(name for name in (base, *(f"{base}_{n}" for n in range(2, 100))) if name not in taken)


def _is_former(modifier: Modifier) -> bool:
    """Whether it says where something was, not where it is."""
    return isinstance(modifier, Formerly) or (isinstance(modifier, Relation) and modifier.kind == "from")


def _former_place(modifier: Modifier) -> Relation:
    relation = modifier.relation if isinstance(modifier, Formerly) else modifier
    assert isinstance(relation, Relation)
    return replace(relation, kind="near") if relation.kind in ("from", "beside", "at") else relation


def conditions(phrase: NounPhrase) -> set[str]:
    """States that a noun phrase asks for: "the missing mug", "the chair that was moved"."""
    found = {each.kind for each in phrase.modifiers if isinstance(each, Condition)}
    for each in phrase.modifiers:
        if isinstance(each, Happened) and each.clause.verb is not None:
            kinds = {"move": "moved", "touch": "moved", "change": "moved", "vanish": "moved", "appear": "new"}
            moving = each.clause.verb.kind == "move" and each.clause.verb.form == "ing"
            found.add("moving" if moving else kinds.get(each.clause.verb.kind, "moved"))
    return found


def ranking(phrase: NounPhrase, complements: tuple[object, ...] = ()) -> str | None:
    """The superlative in a noun phrase or said of it: "tallest"."""
    ranked = [each for each in (*phrase.modifiers, *complements) if isinstance(each, Ranked)]
    return ranked[0].kind if ranked else None


__all__ = ["Feature", "Finder", "conditions", "ranking"]
