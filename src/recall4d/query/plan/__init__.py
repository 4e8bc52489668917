"""The plan language: a question as data.

A plan is a chain of `Find` steps, each of which narrows the memory to rows (an entry in one of its states) by a
semantic, a spatial and a temporal key, one `Ask` that says what to report about the rows, and measures computed
from them. Steps refer to earlier steps by name. Plans are frozen, serialise to JSON, and have a JSON schema that
constrained decoding can enforce; whatever a person or a model writes is validated here, once. `plan_text` is the
same as a text to read and write, docs/plan-language.md its manual.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from recall4d.query.plan.base import (
    MAX_DISTANCE_M,
    MAX_KEYS,
    MAX_LIMIT,
    MAX_MEASURES,
    MAX_STEPS,
    MAX_TEXTS,
    Name,
    Part,
    StepName,
    Text,
)
from recall4d.query.plan.report import Ask, DistanceOf, History, Measure, OfRows, Rank, TimeBetween
from recall4d.query.plan.when import (
    EVENTS,
    AtFrame,
    ClockTime,
    Edge,
    Elapsed,
    Instant,
    Now,
    OfStep,
    Span,
    Stamp,
    TemporalKey,
    TimeOfDay,
    Visit,
    WhileSeen,
    WhileSo,
)
from recall4d.query.plan.where import (
    AgentAt,
    Anchor,
    BoxRegion,
    EntryRef,
    NamedRegion,
    OwnFront,
    PathOf,
    Place,
    Point,
    Polygon,
    Relation,
    SpatialKey,
    StepRef,
    Towards,
    Viewpoint,
    WorldAxes,
)

__all__ = [
    "EVENTS", "MAX_DISTANCE_M", "MAX_LIMIT", "MAX_STEPS", "AgentAt", "Anchor", "Ask", "AtFrame", "BoxRegion",
    "ClockTime", "DistanceOf", "Edge", "Elapsed", "EntryRef", "Find", "History", "Instant", "Measure",
    "NamedRegion", "Now", "OfRows", "OfStep", "Order", "OwnFront", "Part", "PathOf", "Place", "Plan", "Point",
    "Polygon", "Rank", "Relation", "SemanticKey", "Span", "SpatialKey", "Stamp", "StepRef", "TemporalKey",
    "TimeBetween", "TimeOfDay", "Towards", "Viewpoint", "Visit", "WhileSeen", "WhileSo", "WorldAxes", "steps_used",
]  # fmt: skip

# A visit is to a place, and a place may be where an agent was at an instant.
Visit.model_rebuild(_types_namespace={"Place": Place})
TemporalKey.model_rebuild(_types_namespace={"Place": Place})

Order = Literal[
    "score", "distance", "farthest", "first_seen", "last_seen", "latest_first", "largest", "smallest", "highest",
    "lowest",
]  # fmt: skip


class SemanticKey(Part):
    """What it is, in words.

    Attributes:
        texts: phrasings, any of which may match ("mug", "cup").
        attributes: words that must fit as well ("red", "wooden").
        without: words that must not fit.
        min_similarity: cosine similarity below which nothing counts, whatever the words; None takes the calibrated
            rule, words first (see `semantic`).
    """

    texts: tuple[Text, ...] = Field(min_length=1, max_length=MAX_TEXTS)
    attributes: tuple[Text, ...] = Field(default=(), max_length=MAX_TEXTS)
    without: tuple[Text, ...] = Field(default=(), max_length=MAX_TEXTS)
    min_similarity: float | None = Field(default=None, ge=-1.0, le=1.0)


class Find(Part):
    """Narrow the memory to rows.

    Attributes:
        name: how later steps and the ask refer to it.
        semantic, spatial, temporal: the three keys; all given must hold.
        category: only entries of this category, spelled so.
        within_step: only entries that an earlier step found.
        except_step: no entry that an earlier step found.
        agent: only what this agent saw.
        not_agent: only what this agent had not seen by the end of the interval.
        presence: `present` leaves out what is known to be gone, `gone` keeps only that.
        visibility: only rows whose state is one of these; none given keeps all.
        kinds: things, surfaces or both.
        order: how rows are ranked: best score; nearest or farthest; first seen first; last seen most recently
            first; the latest state first; by volume; by the height of their top. `nearest` among the keys ranks by
            distance unless another order is asked for.
        limit: at most so many rows; None keeps all.
        diverse: of look-alikes whose scores are close, one first, then others (see `rank`); matters only for rows
            ordered by score, and limited.
    """

    name: StepName
    semantic: SemanticKey | None = None
    spatial: tuple[SpatialKey, ...] = Field(default=(), max_length=MAX_KEYS)
    temporal: TemporalKey | None = None
    category: Name | None = None
    within_step: StepName | None = None
    except_step: StepName | None = None
    agent: Name | None = None
    not_agent: Name | None = None
    presence: Literal["present", "gone", "any"] = "any"
    visibility: tuple[Literal["visible", "occluded", "absent", "unknown"], ...] = Field(default=(), max_length=4)
    kinds: Literal["things", "surfaces", "both"] = "things"
    order: Order = "score"
    limit: int | None = Field(default=None, ge=1, le=MAX_LIMIT)
    diverse: bool = True


class Plan(Part):
    """Steps in order, and what to report.

    Attributes:
        steps: each may refer to those before it, so there are no cycles.
        ask: what an answer in words says.
        measures: numbers computed from the rows.
        known_at: as of when: nothing observed later is taken into account. None is the time of the question.

    Raises:
        ValueError: a name is used twice, or refers to a step that does not come earlier.
    """

    steps: tuple[Find, ...] = Field(max_length=MAX_STEPS)
    ask: Ask = Ask(kind="rows")
    measures: tuple[Measure, ...] = Field(default=(), max_length=MAX_MEASURES)
    known_at: Instant | None = None

    @model_validator(mode="after")
    def _check(self) -> Plan:
        known: set[str] = set()
        for step in self.steps:
            for used in steps_used(step):
                if used not in known:
                    raise ValueError(f"step {step.name!r} refers to {used!r}, which is not an earlier step")
            if step.name in known:
                raise ValueError(f"two steps are named {step.name!r}")
            known.add(step.name)
        for asked in (self.ask.step, self.ask.other, *self.ask.among):
            if asked is not None and asked not in known:
                raise ValueError(f"the ask refers to {asked!r}, which is not a step")
        for measured in (used for measure in self.measures for used in steps_used(measure)):
            if measured not in known:
                raise ValueError(f"a measure refers to {measured!r}, which is not a step")
        if isinstance(self.known_at, OfStep):
            raise ValueError("what was known at a time cannot hang on what a step finds: name an instant")
        return self


def steps_used(part: Part) -> list[str]:
    """Names of steps that a part of a plan refers to, at any depth, its own name left out."""
    used = []
    for field, value in part:
        if field in ("step", "other", "within_step", "except_step") and isinstance(value, str):
            used.append(value)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Part):
                used += steps_used(each)
    return used
