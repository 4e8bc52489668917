"""The plan language: a question as data.

A plan is a chain of `Find` steps, each of which narrows the memory to rows (an entry in one of its states) by a
semantic, a spatial and a temporal key, and one `Ask` that says what to report about the rows. Steps refer to
earlier steps by name. Plans are frozen, serialise to JSON, and have a JSON schema that constrained decoding can
enforce; whatever a person or a model writes is validated here, once.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

MAX_STEPS = 16
MAX_LIMIT = 1000
MAX_DISTANCE_M = 10_000.0


class Part(BaseModel):
    """Base of everything in a plan: frozen, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


# --- when ------------------------------------------------------------------------------------------------------


class Now(Part):
    """`offset_s` seconds after the snapshot's now: -12 is "12 seconds ago"."""

    kind: Literal["now"] = "now"
    offset_s: float = 0.0


class Stamp(Part):
    """An instant in nanoseconds on the memory's clock."""

    kind: Literal["stamp"] = "stamp"
    at_ns: int


class Elapsed(Part):
    """Seconds after the memory's first instant."""

    kind: Literal["elapsed"] = "elapsed"
    seconds: float


class AtFrame(Part):
    """The instant of the source's own frame number; of `agent`, or of the asking agent."""

    kind: Literal["frame"] = "frame"
    number: int
    agent: str | None = None


class OfStep(Part):
    """An instant in the history of an earlier step's best row."""

    kind: Literal["of_step"] = "of_step"
    step: str
    edge: Literal["first_seen", "last_seen", "moved", "gone", "appeared"] = "first_seen"


Instant = Annotated[Now | Stamp | Elapsed | AtFrame | OfStep, Field(discriminator="kind")]


class TemporalKey(Part):
    """Rows of an interval, both ends inside; an open end reaches to the memory's first instant or to now.

    `existed` keeps the state an entry was in during the interval, seen or not; `observed` keeps entries that were
    in view during it. The two are different questions.
    """

    mode: Literal["existed", "observed"] = "existed"
    after: Instant | None = None
    before: Instant | None = None


# --- what ------------------------------------------------------------------------------------------------------


class SemanticKey(Part):
    """What it is, in words.

    Attributes:
        texts: phrasings, any of which may match ("mug", "cup").
        attributes: words that must fit as well ("red", "wooden").
        without: words that must not fit.
        min_similarity: cosine similarity below which nothing counts, whatever the words; None takes the calibrated
            rule, words first (see `semantic`).
    """

    texts: tuple[str, ...] = Field(min_length=1)
    attributes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    min_similarity: float | None = Field(default=None, ge=-1.0, le=1.0)


# --- where -----------------------------------------------------------------------------------------------------


class Point(Part):
    """A place in the world frame, metres."""

    kind: Literal["point"] = "point"
    xyz: tuple[float, float, float]


class EntryRef(Part):
    """An entry by its id."""

    kind: Literal["entry"] = "entry"
    entry_id: str


class StepRef(Part):
    """The rows of an earlier step: its best row, or any of them."""

    kind: Literal["step"] = "step"
    step: str
    which: Literal["best", "any"] = "best"


class AgentAt(Part):
    """Where an agent stood and looked: `agent` None is the asking agent."""

    kind: Literal["agent"] = "agent"
    agent: str | None = None
    at: Instant = Now()


Anchor = Annotated[Point | EntryRef | StepRef | AgentAt, Field(discriminator="kind")]


class WorldAxes(Part):
    """Left and right by the world's axes: front is +Y, right is +X."""

    kind: Literal["world"] = "world"


class Towards(Part):
    """As one sees it who stands at `from_anchor` (or nowhere in particular) and faces the relation's anchor."""

    kind: Literal["towards"] = "towards"
    from_anchor: Anchor


Viewpoint = Annotated[AgentAt | WorldAxes | Towards, Field(discriminator="kind")]

Relation = Literal[
    "within", "beyond", "nearest", "on", "under", "above", "below", "inside", "left", "right", "front", "behind",
    "beside", "between", "in_view",
]  # fmt: skip


class SpatialKey(Part):
    """Where it is, relative to anchors.

    Attributes:
        relation: `within` and `beyond` need `distance_m`; `between` needs two anchors; `in_view` needs a viewpoint
            and no anchor; the others need one anchor. `left`, `right`, `front`, `behind` are seen from `viewpoint`.
            `nearest` orders rows by distance and keeps `distance_m` as a limit if given.
        anchors: relative to what.
        distance_m: between boxes, metres.
        viewpoint: whose left; None is the asking agent at the time of the question.
        directly: only the next one in that direction.
        negated: rows that are not so.
    """

    relation: Relation
    anchors: tuple[Anchor, ...] = ()
    distance_m: float | None = Field(default=None, ge=0.0, le=MAX_DISTANCE_M)
    viewpoint: Viewpoint | None = None
    directly: bool = False
    negated: bool = False

    @model_validator(mode="after")
    def _check(self) -> SpatialKey:
        wanted = {"between": 2, "in_view": 0}.get(self.relation, 1)
        if len(self.anchors) != wanted:
            raise ValueError(f"{self.relation!r} takes {wanted} anchor(s), got {len(self.anchors)}")
        if self.relation in ("within", "beyond") and self.distance_m is None:
            raise ValueError(f"{self.relation!r} needs distance_m")
        return self


# --- steps -----------------------------------------------------------------------------------------------------


class Find(Part):
    """Narrow the memory to rows.

    Attributes:
        name: how later steps and the ask refer to it.
        semantic, spatial, temporal: the three keys; all given must hold.
        within_step: only entries that an earlier step found.
        agent: only what this agent saw.
        presence: `present` leaves out what is known to be gone, `gone` keeps only that.
        kinds: things, surfaces or both.
        order: how rows are ranked: best score; nearest; first seen first; last seen most recently first; or the
            latest state first. `nearest` among the keys ranks by distance unless another order is asked for.
        limit: at most so many rows; None keeps all.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    semantic: SemanticKey | None = None
    spatial: tuple[SpatialKey, ...] = ()
    temporal: TemporalKey | None = None
    within_step: str | None = None
    agent: str | None = None
    presence: Literal["present", "gone", "any"] = "any"
    kinds: Literal["things", "surfaces", "both"] = "things"
    order: Literal["score", "distance", "first_seen", "last_seen", "latest_first"] = "score"
    limit: int | None = Field(default=None, ge=1, le=MAX_LIMIT)


History = Literal["moved", "gone", "new", "moving", "hidden", "visible"]
"""`moved` had another place before, `new` was not where it is before it was first seen, `moving` moved in view."""

Rank = Literal[
    "nearest", "farthest", "highest", "lowest", "largest", "smallest", "tallest", "shortest", "widest", "narrowest",
    "longest",
]  # fmt: skip


class Ask(Part):
    """What to report about the rows of one step, or of two.

    Attributes:
        kind: what is asked; the answerer has one function for each.
        step: the rows asked about.
        other: the second step of a comparison or a distance, or the same things at the place that is asked about.
        among: further steps of a comparison.
        detail: a word that narrows the kind: an attribute's name, "first" or "last", "farthest" or "nearest".
        only: of the rows, only entries with such a history.
        rank: of the rows, the one that is most so.
    """

    kind: Literal[
        "rows", "which", "where", "list", "count", "exists", "still_there", "when_seen", "when_moved", "since_seen",
        "distance", "moved_distance", "height", "size", "direction", "side", "attribute", "compare_distance",
        "compare_seen", "compare_size", "who_saw", "on_what", "what_changed", "has_changed", "in_view", "seen_for",
        "away_for", "times_seen", "agent_place", "unknown",
    ]  # fmt: skip
    step: str | None = None
    other: str | None = None
    among: tuple[str, ...] = ()
    detail: str | None = None
    only: tuple[History, ...] = ()
    rank: Rank | None = None


class Plan(Part):
    """Steps in order, and what to report.

    Raises:
        ValueError: a name is used twice, or refers to a step that does not come earlier.
    """

    steps: tuple[Find, ...] = Field(max_length=MAX_STEPS)
    ask: Ask = Ask(kind="rows")

    @model_validator(mode="after")
    def _check(self) -> Plan:
        known: set[str] = set()
        for step in self.steps:
            for used in _steps_used(step):
                if used not in known:
                    raise ValueError(f"step {step.name!r} refers to {used!r}, which is not an earlier step")
            if step.name in known:
                raise ValueError(f"two steps are named {step.name!r}")
            known.add(step.name)
        for asked in (self.ask.step, self.ask.other, *self.ask.among):
            if asked is not None and asked not in known:
                raise ValueError(f"the ask refers to {asked!r}, which is not a step")
        return self


def _steps_used(part: Part) -> list[str]:
    """Names of steps that `part` refers to, at any depth."""
    if isinstance(part, OfStep | StepRef):
        return [part.step]
    used: list[str] = [part.within_step] if isinstance(part, Find) and part.within_step else []
    for _, value in part:
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Part):
                used += _steps_used(each)
    return used
