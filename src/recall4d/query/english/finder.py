"""Noun phrases become steps: each landmark a step of its own, found before the thing it locates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from recall4d.query.english import events
from recall4d.query.english.context import Context
from recall4d.query.english.grammar.places import SIDE_PAIRS
from recall4d.query.english.instants import Times, UnclearError
from recall4d.query.english.names import (
    head_name,
    is_everywhere,
    is_structure,
    is_vague,
    room_of,
    semantic_key,
)
from recall4d.query.english.phrases import (
    Elsewhen,
    Except,
    Feature,
    Formerly,
    Modifier,
    NounPhrase,
    Period,
    Ranked,
    Relation,
    Sighted,
    Viewpoint,
)
from recall4d.query.plan import (
    AgentAt,
    Anchor,
    Find,
    Instant,
    Measure,
    NamedRegion,
    Now,
    OfStep,
    Order,
    PathOf,
    Rank,
    SemanticKey,
    SpatialKey,
    StepRef,
    TemporalKey,
    Towards,
)
from recall4d.query.plan import Relation as PlanRelation
from recall4d.query.plan import Viewpoint as PlanViewpoint
from recall4d.query.rooms import ROOM_REACH_M, ROOMS
from recall4d.query.unnamed import keys_of_the_unnamed

NEAR_M = 1.0
AROUND_M = 0.8
AGAINST_M = 0.15
TOUCHING_M = 0.25
"""Of what came from a table or went to it: it was on it, or right by it."""

_LIMITS_M = {"at": AROUND_M, "against": AGAINST_M, "touching": TOUCHING_M}
"""Of relations without a limit of their own; `NEAR_M` for all others."""

_DIRECT: dict[str, PlanRelation] = {
    "on": "on", "inside": "inside", "in": "inside", "under": "under", "below": "below", "above": "above",
    "beside": "beside", "between": "between", "left": "left", "right": "right", "front": "front",
    "behind": "behind",
}  # fmt: skip
_SIDES: tuple[PlanRelation, ...] = ("left", "right", "front", "behind")
_SIDES_OF_PAIR: dict[str | None, tuple[PlanRelation, ...]] = {
    None: _SIDES, "left_right": ("left", "right"), "front_behind": ("front", "behind"),
    "above_below": ("above", "below"),
}  # fmt: skip
"""Relations that are asked of things beside a landmark, not of what carries it."""

_OUTERMOST: dict[str, PlanRelation] = {
    "leftmost": "right", "rightmost": "left", "highest": "below", "lowest": "above",
}  # fmt: skip
"""What the outermost of several is not, of any other."""

_SEEN_ORDER: dict[str, Order] = {"seen_first": "first_seen", "seen_last": "last_seen"}
"""The first things somebody saw, the last ones."""

_UNRANKED = frozenset(get_args(Rank)) - {"nearest", *_OUTERMOST}
"""Superlatives that tell one of several only in an answer, not inside a plan."""

_IN_ROOMS = frozenset({"in", "inside", "at", "on", "near", "beside", "from", "to", "through", "touching"})

Presence = Literal["present", "gone", "any"]


@dataclass
class Finder:
    """Collects the steps of one plan.

    Attributes:
        context: who asks.
        periods: when the question is about, for every step that says nothing else.
        doer: the agent that the question tells of; events without a subject are its own.
        viewpoint: whose left and right the question names.
        set_aside: places too vague to be found, where the thing is named as well: "the box in the corner".
        steps: so far.
        measures: so far.
    """

    context: Context
    periods: list[Period] = field(default_factory=list)
    doer: str = "asker"
    viewpoint: Viewpoint | None = None
    set_aside: list[str] = field(default_factory=list)
    steps: list[Find] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)

    @property
    def times(self) -> Times:
        """Reads the times of this question."""
        return Times(
            self.context,
            lambda event: events.instant_of(event, self),
            lambda event: events.span_of(event, self),
            lambda event, observed: events.interval_of(event, self, observed),
        )

    def temporal(self, periods: Sequence[Period] | None = None, observed: bool = False) -> TemporalKey | None:
        """The question's temporal key, or that of other periods."""
        return self.times.key(self.periods if periods is None else periods, observed)

    def agent(self, said: str | None) -> str | None:
        """An agent's name as the plan has it: None for anyone.

        Raises:
            UnclearError: it is nobody.
        """
        if said == "nobody":
            raise UnclearError("Memory holds what was seen; ask of a place whether anybody has looked there.")
        if said in (None, "anyone"):
            return None
        return self.context.asker if said == "asker" else said

    # --- steps -------------------------------------------------------------------------------------------------

    def find(
        self,
        phrase: NounPhrase,
        relations: tuple[Modifier, ...] = (),
        *,
        periods: Sequence[Period] | None = None,
        observed: bool = False,
        seer: str | None = None,
        presence: Presence = "any",
        within_step: str | None = None,
    ) -> str:
        """Add the step that finds what a noun phrase names, and the steps it needs; its name.

        Args:
            phrase: what.
            relations: what else is said of it in the clause.
            periods: when, instead of the question's.
            observed: it must have been in view then.
            seer: who saw it.
            presence: whether it may be gone.
            within_step: only what an earlier step found.
        """
        _check(phrase)
        features = tuple(each for each in relations if isinstance(each, Feature))
        phrase = replace(phrase, modifiers=(*phrase.modifiers, *features))
        phrase, within_step = self._formerly(phrase, within_step)
        modifiers = self._without_vague(phrase, relations)
        when = [each for each in modifiers if isinstance(each, Period)] or periods
        sighted = [each for each in modifiers if isinstance(each, Sighted)]
        seers = [each.agent for each in sighted if each.agent is not None and not each.negated]
        unseen_by, except_step = self._unseen(sighted)
        left_out = [each.phrase for each in modifiers if isinstance(each, Except)]
        if len(left_out) + (except_step is not None) > 1:
            raise UnclearError("I can leave out one kind of thing at a time.")
        if left_out:
            except_step = self.find(left_out[0], periods=[])
        elsewhen = next((each for each in modifiers if isinstance(each, Elsewhen)), None)
        if elsewhen is not None and except_step is None:
            kept = tuple(each for each in phrase.modifiers if each != elsewhen and not isinstance(each, Period))
            then = replace(phrase, modifiers=kept)
            except_step = self.find(then, relations, periods=[elsewhen.period], presence="present")
        unbuilt = [each for each in modifiers if self._is_unbuilt(each)]
        placed = [each for each in modifiers if isinstance(each, Relation) and each not in unbuilt]
        if unbuilt and placed and not phrase.words:
            self.set_aside += [each.landmarks[0].words[-1] for each in unbuilt if isinstance(each, Relation)]
        elif unbuilt and not phrase.words and not phrase.members:
            raise UnclearError("Memory holds things; it has not been shown the walls and floors.")
        spatial = [key for each in modifiers for key in self._keys(each, when)]
        if not phrase.words:
            spatial += keys_of_the_unnamed(spatial)
        several, order = _ranked_many(phrase, modifiers)
        temporal = self.temporal(when, observed)
        step = self.add(
            Find(
                name=self._name(phrase),
                semantic=_named(phrase),
                spatial=tuple(spatial),
                temporal=temporal,
                agent=self.agent(seer or next(iter(seers), None)),
                kinds="both" if is_structure(phrase) else "things",
                not_agent=unseen_by,
                presence=presence,
                within_step=within_step,
                except_step=except_step,
                order=order,
                limit=several,
            )
        )
        ranks = [each.kind for each in modifiers if isinstance(each, Ranked) and each.kind in _OUTERMOST]
        return self._outermost(step, ranks[0]) if ranks else step.name

    def add(self, step: Find) -> Find:
        """Add a step, or return the one that finds the same."""
        for known in self.steps:
            if known == step.model_copy(update={"name": known.name}):
                return known
        self.steps.append(step)
        return step

    def landmark(self, phrase: NounPhrase, periods: Sequence[Period] | None = None, one: bool = True) -> Anchor:
        """What a relation is to: an agent, the best row of a step, or any row where many are meant or will do."""
        if phrase.agent is not None:
            return AgentAt(
                agent=None if phrase.agent == "anyone" else self.agent(phrase.agent), at=self._viewed_at()
            )
        if phrase.generic and not phrase.modifiers and not phrase.words:
            raise UnclearError("I cannot tell what the place is relative to.")
        if any(isinstance(each, Ranked) and each.kind in _UNRANKED for each in phrase.modifiers):
            raise UnclearError(f"I cannot tell which {phrase.words[-1] if phrase.words else 'one'} is meant.")
        region = self.region_of(phrase)
        if region is not None:
            return region
        step = self.find(phrase, periods=periods)
        several = not one or phrase.plural or phrase.determiner in ("a", "any", "all", "no")
        return StepRef(step=step, which="any" if several else "best")

    def region_of(self, phrase: NounPhrase) -> NamedRegion | None:
        """The region that people have named so: before any room or thing of that name."""
        said = {" ".join(phrase.words).casefold(), " ".join(head_name(phrase)).casefold()} - {""}
        found = next((name for name in self.context.regions if name.casefold() in said), None)
        return None if found is None or phrase.modifiers else NamedRegion(name=found)

    def around(self, agent: NounPhrase) -> str:
        """Add the step that finds what is nearest to an agent at the time asked about; its name."""
        key = SpatialKey(relation="nearest", anchors=(self.landmark(agent),))
        temporal = self.temporal()
        return self.add(Find(name=self.unused("near_agent"), spatial=(key,), temporal=temporal)).name

    def room(self, name: str, seer: str | None = None) -> str:
        """Add the step that finds the things a room is known by; its name."""
        seen = Find(name=self.unused(name), semantic=SemanticKey(texts=ROOMS[name]), agent=self.agent(seer))
        return self.add(seen).name

    def sides(self, step: str, landmark: str, pair: str | None) -> tuple[str, ...]:
        """Add steps that find the rows of a step on each side of a landmark; their names."""
        anchor = StepRef(step=landmark)
        names = []
        for relation in _SIDES_OF_PAIR[pair]:
            viewpoint = self.plan_viewpoint(anchor) if relation in _SIDES else None
            key = SpatialKey(relation=relation, anchors=(anchor,), viewpoint=viewpoint)
            temporal = self.temporal()
            find = Find(name=self.unused(relation), spatial=(key,), within_step=step, temporal=temporal)
            names.append(self.add(find).name)
        return tuple(names)

    def _formerly(self, phrase: NounPhrase, within_step: str | None) -> tuple[NounPhrase, str | None]:
        """The phrase without its former places and sightings, and the step that finds what fits those."""
        was = tuple(_former_place(each) for each in phrase.modifiers if _is_former(each))
        sighted = [each for each in phrase.modifiers if isinstance(each, Sighted) and not each.negated]
        seen = next((each for each in sighted if each.periods), None)
        if within_step is not None or (not was and seen is None):
            return phrase, within_step
        now = tuple(each for each in phrase.modifiers if not _is_former(each) and each is not seen)
        bare = replace(phrase, modifiers=now)
        then = replace(bare, modifiers=tuple(each for each in now if not isinstance(each, Period)))
        if seen is None:
            return bare, self.find(then, was, periods=[Period("always")])
        return bare, self.find(then, was, periods=seen.periods, observed=True, seer=seen.agent)

    def _unseen(self, sighted: Sequence[Sighted]) -> tuple[str | None, str | None]:
        """Who must not have seen it, and the step that finds what was seen when it should not have been.

        Raises:
            UnclearError: it cannot be said of one agent.
        """
        others = [
            other
            for each in sighted
            if each.only
            for other in self.context.agents
            if other != self.agent(each.agent)
        ]
        unseen = [each for each in sighted if each.negated]
        if len(others) > 1 or len(unseen) > 1 or (unseen and others):
            raise UnclearError("I can leave out what one agent has seen; ask about one at a time.")
        if not unseen:
            return next(iter(others), None), None
        agent = self.agent(unseen[0].agent)
        if unseen[0].periods:
            temporal = self.temporal(unseen[0].periods, observed=True)
            seen = Find(name=self.unused("seen"), temporal=temporal, agent=agent, kinds="both")
            return None, self.add(seen).name
        if agent is None:
            raise UnclearError("Memory holds only what somebody saw.")
        return agent, None

    def _without_vague(self, phrase: NounPhrase, relations: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
        """All that is said of a thing, without places that cannot be found."""
        said = (*phrase.modifiers, *relations)
        vague = [each for each in said if is_vague(each)]
        if vague and not phrase.words:
            raise UnclearError("I cannot tell which place is meant.")
        self.set_aside += [each.landmarks[0].words[-1] for each in vague]
        return tuple(each for each in said if not is_vague(each))

    def _outermost(self, of: Find, rank: str) -> str:
        """The leftmost of several is right of no other, for whoever saw them; the highest is below no other."""
        relation = _OUTERMOST[rank]
        rows = StepRef(step=of.name, which="any")
        viewpoint: PlanViewpoint | None = None
        if relation in _SIDES:
            stood = AgentAt(at=OfStep(step=of.name, edge="last_seen"))
            viewpoint = self.plan_viewpoint(rows) if self.viewpoint else Towards(from_anchor=stood)
        key = SpatialKey(relation=relation, anchors=(rows,), viewpoint=viewpoint, negated=True)
        changed = {"name": self.unused(rank), "within_step": of.name, "spatial": (*of.spatial, key)}
        return self.add(of.model_copy(update=changed)).name

    # --- keys --------------------------------------------------------------------------------------------------

    def _keys(self, modifier: Modifier, periods: Sequence[Period] | None) -> list[SpatialKey]:
        """The spatial keys of one modifier; none where it is not about a place, or narrows nothing."""
        if isinstance(modifier, Ranked):
            return self._nearest(modifier, periods)
        if not isinstance(modifier, Relation) or modifier.kind in SIDE_PAIRS:
            return []
        landmarks = modifier.landmarks
        if modifier.kind == "along":
            ends = self.temporal(periods)
            after, before = (None, None) if ends is None else (ends.after, ends.before)
            path = PathOf(agent=self.agent(landmarks[0].agent), after=after, before=before)
            return [SpatialKey(relation="along", anchors=(path,))]
        if not landmarks:
            return [self._key(modifier, (AgentAt(at=self._viewed_at()),))]
        region = self.region_of(landmarks[0])
        if region is not None and len(landmarks) == 1:
            return [self._in_region(modifier, region)]
        if all(map(is_everywhere, landmarks)) or self._is_unbuilt(modifier):
            return []
        room = room_of(landmarks[0])
        if room is not None and modifier.kind in _IN_ROOMS:
            anchor = StepRef(step=self.room(room), which="any")
            return [self._key(replace(modifier, kind="within", distance_m=ROOM_REACH_M), (anchor,))]
        if len(landmarks) == 2 and landmarks[0] == landmarks[1]:
            any_of = StepRef(step=self.find(landmarks[0], periods=periods), which="any")
            return [self._key(modifier, (any_of, any_of))]
        if len(landmarks) == 2 and modifier.kind != "between":
            return [key for each in landmarks for key in self._keys(replace(modifier, landmarks=(each,)), periods)]
        one = modifier.directly or modifier.negated or modifier.kind in (*_SIDES, "between")
        return [self._key(modifier, tuple(self.landmark(each, periods, one) for each in landmarks))]

    def _in_region(self, modifier: Relation, region: NamedRegion) -> SpatialKey:
        """Inside a region, or by its distance from one's centre."""
        if modifier.kind in _IN_ROOMS and modifier.kind != "near" and modifier.distance_m is None:
            return SpatialKey(relation="inside", anchors=(region,), negated=modifier.negated)
        return self._key(modifier, (region,))

    def _is_unbuilt(self, modifier: Modifier) -> bool:
        """Whether it is about a wall or a floor, and memory holds none."""
        if not isinstance(modifier, Relation) or not modifier.landmarks:
            return False
        held = any(map(self.context.holds_surface, modifier.landmarks))
        return all(map(is_structure, modifier.landmarks)) and not held

    def _key(self, relation: Relation, anchors: tuple[Anchor, ...]) -> SpatialKey:
        kind = _DIRECT.get(relation.kind)
        if kind is not None:
            return SpatialKey(
                relation=kind,
                anchors=anchors,
                viewpoint=self.plan_viewpoint(anchors[0]) if kind in _SIDES else None,
                directly=relation.directly,
                negated=relation.negated,
            )
        limit_m = _LIMITS_M.get(relation.kind, NEAR_M) if relation.distance_m is None else relation.distance_m
        beyond = relation.kind == "beyond"
        return SpatialKey(
            relation="beyond" if beyond else "within", anchors=anchors, distance_m=limit_m, negated=relation.negated
        )

    def _nearest(self, ranked: Ranked, periods: Sequence[Period] | None) -> list[SpatialKey]:
        """Rows by distance; the farthest is then the last."""
        if ranked.kind not in ("nearest", "farthest"):
            return []
        anchor = (
            AgentAt(at=self._viewed_at()) if ranked.landmark is None else self.landmark(ranked.landmark, periods)
        )
        return [SpatialKey(relation="nearest", anchors=(anchor,))]

    # --- viewpoints --------------------------------------------------------------------------------------------

    def plan_viewpoint(self, anchor: Anchor) -> PlanViewpoint | None:
        """Whose left and right: as the question says, else the asking agent's at the time it is about."""
        said = self.viewpoint
        if said is None:
            at = self._viewed_at()
            return None if isinstance(anchor, AgentAt) or at == Now() else AgentAt(at=at)
        if said.kind == "stand":
            return AgentAt(agent=self.agent(said.agent), at=self._viewed_at())
        assert said.place is not None
        if said.kind == "from":
            return Towards(from_anchor=self.landmark(said.place))
        faced = self.find(said.place)
        return Towards(from_anchor=AgentAt(at=OfStep(step=faced, edge="last_seen")))

    def _viewed_at(self) -> Instant:
        """When the asking agent looked: the time the viewpoint names, else the end of the period asked about."""
        if self.viewpoint is not None and self.viewpoint.at is not None:
            return self.times.instant(self.viewpoint.at)
        event = next((each.event for each in self.periods if each.kind == "during"), None)
        if event is not None:
            if events.span_of(event, self) is not None:
                raise UnclearError("I cannot tell at which instant of that time it is to be seen.")
            return events.interval_of(event, self)[1]
        before = next((each.before for each in self.periods if each.before is not None), None)
        return Now() if before is None or before.kind == "event" else self.times.instant(before)

    # --- names of steps ----------------------------------------------------------------------------------------

    def _name(self, phrase: NounPhrase) -> str:
        return self.unused(head_name(replace(phrase, words=phrase.words[-1:]))[0] if phrase.words else "thing")

    def unused(self, wanted: str) -> str:
        """`wanted` as the name of a step, with a number where it is taken."""
        letters = "".join(c if c.isascii() and c.isalnum() else "_" for c in wanted.lower()).strip("_")
        base = letters if letters[:1].isalpha() else f"thing_{letters}".strip("_")
        taken = {step.name for step in self.steps}
        return next(name for name in (base, *(f"{base}_{n}" for n in range(2, 100))) if name not in taken)


def _check(phrase: NounPhrase) -> None:
    """Refuse what no step can find.

    Raises:
        UnclearError: it names several kinds of things, nothing, or what memory does not hold as a thing.
    """
    if phrase.agent is not None:
        raise UnclearError("Memory holds things and where they were, and where somebody was; ask about those.")
    kinds = bool(phrase.members) and phrase.joined == "and" and all(_is_kind(each) for each in phrase.members)
    if (phrase.members and not kinds) or phrase.words[:1] == ("same",):
        raise UnclearError("I can find one kind of thing at a time.")
    if phrase.pronoun is not None and not phrase.words:
        raise UnclearError("I cannot tell what is meant.")
    if (
        phrase.words
        and (is_everywhere(phrase) or phrase.words[-1] in ("agent", "agents"))
        and room_of(phrase) is None
    ):
        raise UnclearError("Memory holds things and where they were; ask about those.")


def _ranked_many(phrase: NounPhrase, modifiers: Sequence[Modifier]) -> tuple[int | None, Order]:
    """How many, and by what order, where so many of the nearest or farthest are asked for."""
    ranks = {each.kind for each in modifiers if isinstance(each, Ranked) and each.superlative}
    seen = next((each for each in sorted(ranks) if each in _SEEN_ORDER), None)
    if seen is not None:
        if not any(isinstance(each, Sighted) and not each.negated for each in modifiers):
            raise UnclearError("I cannot tell in which order they are meant; say who saw them.")
        return phrase.number or 1, _SEEN_ORDER[seen]
    if phrase.number is None or phrase.number < 2 or not ranks & {"nearest", "farthest"}:
        return None, "score"
    return phrase.number, "farthest" if "farthest" in ranks else "distance"


def _is_kind(phrase: NounPhrase) -> bool:
    """Whether a phrase is a kind of things and no more: "books" in "books and papers"."""
    return phrase.plural and bool(phrase.words) and not phrase.modifiers and phrase.agent is None


def _named(phrase: NounPhrase) -> SemanticKey | None:
    """What a phrase says of a thing; a room is found by what it is known by, things of several kinds by any."""
    if phrase.members:
        keys = [semantic_key(each) for each in phrase.members]
        return SemanticKey(texts=tuple(text for key in keys if key is not None for text in key.texts))
    room = room_of(phrase)
    return semantic_key(phrase) if room is None else SemanticKey(texts=ROOMS[room])


def _is_former(modifier: Modifier) -> bool:
    """Whether it says where something was, not where it is."""
    return isinstance(modifier, Formerly) or (isinstance(modifier, Relation) and modifier.kind == "from")


def _former_place(modifier: Modifier) -> Relation:
    relation = modifier.relation if isinstance(modifier, Formerly) else modifier
    assert isinstance(relation, Relation)
    return replace(relation, kind="near") if relation.kind in ("from", "beside", "at") else relation
