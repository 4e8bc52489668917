"""A small, flat form of the plan for language models: three keys a step, almost everything a short text.

A model with a billion parameters does not write the nested unions of `plan`; it fills in a form. The form has a
JSON schema of its own that constrained decoding can enforce, and whatever fits the schema compiles or is refused
with a sentence that names the field. Where something is said relative to a thing that no step finds ("of": "the
sofa"), a step that finds it is put before.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, ValidationError, model_validator

from recall4d.errors import InputError
from recall4d.query.morphology import singular
from recall4d.query.plan import (
    AgentAt,
    Edge,
    Elapsed,
    EntryRef,
    Find,
    Instant,
    Measure,
    NamedRegion,
    Now,
    OfRows,
    OfStep,
    Order,
    OwnFront,
    PathOf,
    Place,
    Plan,
    SemanticKey,
    Span,
    SpatialKey,
    StepRef,
    TemporalKey,
    Viewpoint,
    Visit,
    WhileSeen,
    WorldAxes,
)
from recall4d.query.plan import DistanceOf as Distance
from recall4d.query.plan.base import MAX_LIMIT, Metres, Part
from recall4d.query.plan.faults import fault_sentence, model_of_json
from recall4d.query.plan.where import N_ANCHORS
from recall4d.query.plan_text import instant_of_text, place_of_text
from recall4d.query.rooms import ROOM_NAMES, ROOM_REACH_M, ROOMS, STRUCTURE
from recall4d.query.unnamed import keys_of_the_unnamed
from recall4d.query.words import standard_words

MAX_KEY_STEPS = 6
NEAR_M = 1.0

Word = Annotated[str, Field(max_length=120)]


class Keys(Part):
    """Base of the form: a description with every field, and both names of `not`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)


class Where(Keys):
    """Spatial key."""

    relation: Literal[
        "near", "within", "beyond", "nearest", "on", "under", "above", "below", "inside", "beside", "left", "right",
        "front", "behind", "between", "along", "facing", "in_view",
    ] = Field(description="how it lies to `of`; along its path; in_view, facing: what `of` looks at")  # fmt: skip
    of: Word = Field(default="me", description="a step's name, a thing in words, me, an agent, a region, or x,y,z")
    and_of: Word | None = Field(default=None, description="the second thing of between")
    distance_m: Metres | None = Field(default=None, description="metres")
    seen_by: Word | None = Field(default=None, description="whose left and right: me, an agent, world, own")
    negated: bool = Field(default=False, alias="not", description="true keeps what is not so")


class When(Keys):
    """Temporal key."""

    seen: bool = Field(default=False, description="true: in view then; false: there then, seen or not")
    at: Word | None = Field(default=None, description="an instant")
    after: Word | None = Field(default=None, description="since this instant")
    before: Word | None = Field(default=None, description="until this instant")
    during: Word | None = Field(default=None, description="first visit, last visit, last visit to X, or X in view")


class KeysStep(Keys):
    """One retrieval: all keys that are given must hold."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="short, for later steps")
    what: Word | None = Field(default=None, description="semantic key: the thing in a few words; leave out for all")
    without: Word | None = Field(default=None, alias="not", description="words that must not fit")
    where: Where | None = None
    and_where: Where | None = Field(default=None, description="a second spatial key")
    when: When | None = None
    among: Word | None = Field(default=None, description="only what this earlier step found")
    agent: Word | None = Field(default=None, description="only what this agent saw")
    presence: Literal["any", "present", "gone"] = Field(default="any", description="gone: taken away since")
    order: Order = "score"
    limit: int | None = Field(default=None, ge=1, le=MAX_LIMIT, description="at most so many rows")


class KeysForm(Keys):
    """A plan as a form.

    `ask` is about the last step's rows; distance is between those of the last two.
    """

    steps: tuple[KeysStep, ...] = Field(min_length=1, max_length=MAX_KEY_STEPS)
    ask: Literal["rows", "count", "duration", "earliest", "latest", "distance"] = "rows"

    @model_validator(mode="after")
    def _check(self) -> KeysForm:
        if self.ask == "distance" and len(self.steps) < 2:
            raise ValueError("a distance needs two steps")
        return self


@dataclass(frozen=True, slots=True)
class Known:
    """Names that a memory knows, by which words of a form are told apart.

    Attributes:
        agents, regions, entry_ids: names.
        asker: the agent that "me" means; None where that is not known, and "me" then narrows nothing.
        surfaces: words for the walls, floors and ceilings that it holds; None where that is not known.
    """

    agents: Collection[str] = ()
    regions: Collection[str] = ()
    entry_ids: Collection[str] = ()
    surfaces: Collection[str] | None = None
    asker: str | None = None


def keys_of_json(document: str | bytes) -> KeysForm:
    """The form in a JSON document.

    Raises:
        InputError: it is none; the message says which field, and what was expected.
    """
    return model_of_json(KeysForm, document)


def plan_of_form(form: KeysForm, known: Known | None = None) -> Plan:
    """The plan that a form means.

    Args:
        form: filled in.
        known: names in the memory it is for.

    Raises:
        InputError: a time or a name cannot be read; the message says in which step and field.
    """
    return _Compiler(known or Known()).plan(form)


_EVENT = re.compile(r"(.+?)[ .](first[ _]seen|last[ _]seen|moved|gone|appeared|returned)")
_VISIT = re.compile(
    r"(?:(first|last|any) )?(?:visit|tour|round|walk|trip)s?(?: (-?\d+))?(?: of (.+?))?(?: to (.+))?"
)
_IN_VIEW = re.compile(r"(.+?) (?:in view|seen)")
_OF_ONE = ("left", "right", "front", "behind", "between", "nearest", "beyond")
"""Relations to the one thing that fits best; of the others any that fits will do."""
_IN_ROOMS = ("on", "inside", "near", "beside", "within")
ME = ("me", "i", "my position", "here", "self", "camera", "agent")


@dataclass
class _Compiler:
    """Turns a form into a plan; steps for things that are only named are put before the step that names them."""

    known: Known
    steps: list[Find] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)
    current: KeysStep | None = None

    def plan(self, form: KeysForm) -> Plan:
        taken = {step.name for step in form.steps}
        try:
            for step in form.steps:
                self.steps.append(self._find(step, taken))
            return Plan(steps=tuple(self.steps), measures=_measures(form))
        except ValidationError as error:
            raise InputError(f"this is no plan: {fault_sentence(error)}") from error

    def _find(self, step: KeysStep, taken: set[str]) -> Find:
        self.current = step
        try:
            when = None if step.when is None else self._when(step.when, taken)
            at = when.after if when is not None and when.after == when.before else None
            asked = [each for each in (step.where, step.and_where) if each is not None]
            where = [self._where(each, when, at, taken) for each in asked if not self._is_unbuilt(each)]
        except InputError as error:
            raise InputError(f"step {step.name!r}: {str(error).removeprefix('this is no plan: ')}") from error
        without = () if not step.without else (step.without,)
        room = None if step.what is None else self._room(step.what)
        texts = (step.what or "",) if room is None else ROOMS[room]
        named = SemanticKey(texts=texts, without=without) if step.what or without else None
        if named is None:
            where += keys_of_the_unnamed(where)
        if step.among is not None and step.among not in {each.name for each in self.steps}:
            raise InputError(f"step {step.name!r}: among: expected an earlier step, got {step.among!r}")
        return Find(
            name=step.name,
            semantic=named,
            spatial=tuple(where),
            temporal=when,
            within_step=step.among,
            agent=(self._agent(step.agent) or self.known.asker) if step.agent else None,
            presence=step.presence,
            order=step.order,
            limit=step.limit,
        )

    # --- where -------------------------------------------------------------------------------------------------

    def _where(self, where: Where, when: TemporalKey | None, at: Instant | None, taken: set[str]) -> SpatialKey:
        viewpoint = self._viewpoint(where.seen_by, at) if where.seen_by else None
        relation, distance_m = where.relation, where.distance_m
        if self._room(where.of) is not None and relation in _IN_ROOMS and distance_m is None:
            relation, distance_m = "within", ROOM_REACH_M
        if relation in ("near", "within", "beyond"):
            distance_m = NEAR_M if distance_m is None else distance_m
        if relation in ("left", "right", "front", "behind") and viewpoint is None and at is not None:
            viewpoint = None if self._is_agent(where.of) else AgentAt(at=at)
        anchors: tuple[Place, ...] = ()
        if relation in ("in_view", "facing"):
            viewpoint = AgentAt(agent=self._agent(where.of), at=at or Now())
        elif relation == "along":
            ends = (None, None) if when is None else (when.after, when.before)
            anchors = (PathOf(agent=self._agent(where.of), after=ends[0], before=ends[1]),)
        else:
            said = [where.of, *([where.and_of] if where.and_of else [])]
            if len(said) != N_ANCHORS.get(relation, 1):
                raise InputError(f"where: {relation!r} takes {'of and and_of' if len(said) == 1 else 'of alone'}")
            several = relation not in _OF_ONE and not where.negated
            anchors = tuple(self._place(each, at, taken, several) for each in said)
        return SpatialKey(
            relation="within" if relation == "near" else relation,
            anchors=anchors,
            distance_m=distance_m,
            viewpoint=viewpoint,
            negated=where.negated,
        )

    def _place(self, said: str, at: Instant | None, taken: set[str], several: bool) -> Place:
        """A place as a form names it: what is known by that name, or else a thing that memory may hold.

        Args:
            said: the name, or the thing in words.
            at: when, for where an agent was.
            taken: names of all steps.
            several: any of the things found will do, not the one that fits best alone.
        """
        text = said.strip()
        if self._is_agent(text):
            return AgentAt(agent=self._agent(text), at=at or Now())
        if re.fullmatch(r"\(?\s*-?\d[^a-z]*\)?", text):
            return place_of_text(f"({text.strip('() ')})")
        region = self._region(text)
        if region is not None:
            return NamedRegion(name=region)
        if text in self.known.entry_ids:
            return EntryRef(entry_id=text)
        return StepRef(step=self._step(text, taken), which="any" if several else "best")

    def _region(self, said: str) -> str | None:
        bare = re.sub(r"^(the )?region ", "", said.strip().casefold())
        return next((name for name in self.known.regions if name.casefold() == bare), None)

    def _room(self, said: str) -> str | None:
        """The room that words name, unless the memory has a region or the form a step of that name."""
        if self._region(said) is not None or any(step.name == said for step in self.steps):
            return None
        return ROOM_NAMES.get(re.sub(r"^(the|this|my|our) ", "", said.strip().lower().replace("_", " ")))

    def _is_unbuilt(self, where: Where) -> bool:
        """Whether it is about a wall or a floor, of which memory holds none: it narrows nothing."""
        if self.known.surfaces is None or self._region(where.of) is not None:
            return False
        last = where.of.lower().split()[-1:] or [""]
        return singular(last[0]) in STRUCTURE and not standard_words(last[0]) & frozenset(self.known.surfaces)

    def _step(self, said: str, taken: set[str]) -> str:
        """The earlier step of that name; else a new one that finds the thing said.

        A step that names itself ("vase" when "vase first seen") means what it looks for.
        """
        if any(step.name == said for step in self.steps):
            return said
        if self.current is not None and said == self.current.name and self.current.what:
            said = self.current.what
        elif said in taken:
            raise InputError(f"expected an earlier step, got {said!r}, which comes later")
        if said not in self.named:
            stem = re.sub(r"[^a-z0-9]+", "_", said.lower()).strip("_")[:30] or "thing"
            stem = stem if stem[0].isalpha() else f"a_{stem}"
            names = taken | {step.name for step in self.steps}
            name = next(each for n in range(1, 99) if (each := stem if n == 1 else f"{stem}_{n}") not in names)
            room = self._room(said)
            semantic = SemanticKey(texts=(said,) if room is None else ROOMS[room])
            self.steps.append(Find(name=name, semantic=semantic, kinds="both" if room is None else "things"))
            self.named[said] = name
        return self.named[said]

    def _is_agent(self, said: str) -> bool:
        return said.lower() in ME or self._named_agent(said) is not None

    def _named_agent(self, said: str) -> str | None:
        bare = re.sub(r"^(the )?agent[ :]+", "", said.strip().casefold())
        return next((name for name in self.known.agents if name.casefold() == bare), None)

    def _agent(self, said: str) -> str | None:
        """An agent's name; None for the one who asks.

        Raises:
            InputError: nobody is called so.
        """
        if said.strip().lower() in ME:
            return None
        found = self._named_agent(said)
        if found is None and (self.known.agents or not said.strip()):
            raise InputError(f"expected me or an agent ({', '.join(self.known.agents)}), got {said!r}")
        return found or said.strip()

    def _viewpoint(self, said: str, at: Instant | None) -> Viewpoint:
        if said.lower() == "world":
            return WorldAxes()
        return OwnFront() if said.lower() == "own" else AgentAt(agent=self._agent(said), at=at or Now())

    # --- when --------------------------------------------------------------------------------------------------

    def _when(self, when: When, taken: set[str]) -> TemporalKey:
        def instant(name: str, said: str | None) -> Instant | None:
            try:
                return None if said is None else self._instant(said.strip(), taken)
            except InputError as error:
                reason = str(error).removeprefix("this is no plan: ").partition("expected ")[2] or str(error)
                raise InputError(f"when.{name}: expected {reason}") from error

        at = instant("at", when.at)
        after, before = at or instant("after", when.after), at or instant("before", when.before)
        during = None if when.during is None else self._during(when.during.strip(), taken)
        return TemporalKey(mode="observed" if when.seen else "existed", after=after, before=before, during=during)

    def _instant(self, said: str, taken: set[str]) -> Instant:
        if said.lower() in ("start", "the start", "beginning"):
            return Elapsed(seconds=0.0)
        event = _EVENT.fullmatch(said)
        if event is not None:
            edge: Edge = event.group(2).replace(" ", "_")  # type: ignore[assignment]
            return OfStep(step=self._step(re.sub(r" was$| were$", "", event.group(1)), taken), edge=edge)
        if re.match(r"\d{4}-\d\d-\d\d", said):
            return instant_of_text(f'"{said}"')
        return instant_of_text(said, tuple(step.name for step in self.steps))

    def _during(self, said: str, taken: set[str]) -> Span:
        visit = _VISIT.fullmatch(said.lower())
        if visit is None:
            seen = _IN_VIEW.fullmatch(said)
            return WhileSeen(step=self._step(seen.group(1) if seen else said, taken))
        which, number, agent, _ = visit.groups()
        to = said[visit.start(4) :] if visit.group(4) else None
        ordinal = int(number) if number else {"first": 1, "last": -1}.get(which or "")
        who = self._agent(agent) if agent else None
        place = None if to is None else self._place(to, None, taken, several=False)
        return Visit(agent=who, ordinal=ordinal, to=place)


def _measures(form: KeysForm) -> tuple[Measure, ...]:
    last = form.steps[-1].name
    if form.ask == "rows":
        return ()
    if form.ask == "distance":
        return (Distance(step=form.steps[-2].name, other=last),)
    return (OfRows(kind=form.ask, step=last),)
