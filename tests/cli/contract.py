"""What programs may rely on: the documents of docs/contracts.md as types, to which fields may be added."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Document(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False)


Xyz = Annotated[list[float], Field(min_length=3, max_length=3)]
Visibility = Literal["visible", "occluded", "absent", "unknown"]


class State(Document):
    from_ns: int
    to_ns: int | None
    centroid_xyz: Xyz
    surface_centroid_xyz: Xyz
    box_min_xyz: Xyz
    box_max_xyz: Xyz
    visibility: Visibility
    agent: str


class Entry(Document):
    id: str
    category: str | None
    description: str
    attributes: dict[str, str]
    centroid_xyz: Xyz
    surface_centroid_xyz: Xyz
    box_min_xyz: Xyz
    box_max_xyz: Xyz
    kind: Literal["thing", "surface"]
    motion: Literal["static", "movable", "moving"]
    visibility: Visibility
    present: bool
    first_seen_ns: int
    last_seen_ns: int
    n_observations: int
    agents: Annotated[list[str], Field(min_length=1)]
    states: Annotated[list[State], Field(min_length=1)]
    possibly_same_as: list[str]


class Entries(Document):
    schema_: Literal["recall4d.entries/1"] = Field(alias="schema")
    world: str
    now_ns: int
    entries: list[Entry]


class Frame(Document):
    agent: str
    stamp_ns: int
    crop: str | None


class Evidence(Document):
    entry_id: str
    why: str
    score: float
    parts: dict[str, float]
    at_ns: int
    centroid_xyz: Xyz
    distance_m: float | None
    bearing: str | None
    visibility: Visibility
    agent: str
    frame: Frame | None


class AnswerBody(Document):
    type: Literal[
        "entity",
        "position",
        "count",
        "time",
        "duration",
        "distance",
        "direction",
        "yesno",
        "choice",
        "list",
        "text",
    ]
    text: str
    value: Any
    unit: Literal["m", "s", "deg"] | None
    abstained: bool
    confidence: Annotated[float, Field(ge=0, le=1)] | None
    entry_ids: list[str]
    viewpoint: str | None


class Usage(Document):
    calls: int
    tokens_in: int
    tokens_out: int
    seconds: float


class Answer(Document):
    schema_: Literal["recall4d.answer/1"] = Field(alias="schema")
    question: str
    now_ns: int
    answer: AnswerBody
    unread: list[str]
    look_next: str | None
    plan: dict[str, Any] | None
    evidence: list[Evidence]
    stop_reason: str
    rounds: int
    usage: Usage
    trace: str | None


class Ingest(Document):
    schema_: Literal["recall4d.ingest/1"] = Field(alias="schema")
    agent: str
    frames_read: int
    frames_used: int
    skipped: dict[str, int]
    observations: int
    entries_new: int
    entries_updated: int
    seconds: float
    stages: dict[Literal["decode", "map", "segment", "describe", "embed", "lift", "associate", "commit"], float]


class Verdict(Document):
    check: str
    level: Literal["ok", "warn", "fail"]
    message: str
    measured: dict[str, Any]
    suggest: str | None


class Doctor(Document):
    schema_: Literal["recall4d.doctor/1"] = Field(alias="schema")
    format: str
    verdicts: Annotated[list[Verdict], Field(min_length=1)]


class Explained(Document):
    step: str
    key: str
    rows_in: int
    rows_out: int
    seconds: float


class Measured(Document):
    kind: str
    value: int | float | None
    unit: Literal["entries", "s", "m", "ns"]


class Rows(Document):
    schema_: Literal["recall4d.rows/1"] = Field(alias="schema")
    plan: dict[str, Any]
    plan_text: str
    rows: list[Evidence]
    explain: list[Explained]
    measured: list[Measured]
    viewpoint: str | None
    note: str | None


class Event(Document):
    kind: Literal["appeared", "moved", "gone", "returned", "occluded"]
    entry_id: str
    description: str
    after_ns: int
    before_ns: int
    from_xyz: Xyz | None
    to_xyz: Xyz | None
    agent: str
    confidence: float


class Revision(Document):
    kind: Literal["merged", "split"]
    entry_id: str
    other_id: str
    description: str
    at_ns: int
    agent: str | None


class Diff(Document):
    schema_: Literal["recall4d.diff/1"] = Field(alias="schema")
    events: list[Event]
    revisions: list[Revision]


class AgentAlignment(Document):
    world_from_agent_map: Annotated[list[float], Field(min_length=16, max_length=16)] | None
    residual_m: float | None
    n_inliers: int
    accepted: bool
    why: str


class Alignment(Document):
    schema_: Literal["recall4d.alignment/1"] = Field(alias="schema")
    agents: dict[str, AgentAlignment]


class Refolded(Document):
    schema_: Literal["recall4d.rebuild/1", "recall4d.reanchor/1", "recall4d.reindex/1"] = Field(alias="schema")
    observations: int
    entries_before: int
    entries_after: int
    observations_reassigned: int


class Merge(Document):
    schema_: Literal["recall4d.merge/1"] = Field(alias="schema")
    frames_added: int
    frames_known: int
    observations_added: int
    skips_added: int
    pictures_added: int
    agents_added: list[str]
    agents_apart: list[str]
    entries_before: int
    entries_after: int


class Place(Document):
    xyz: Xyz
    state: Literal["free", "occupied", "unseen"]


class Map(Document):
    schema_: Literal["recall4d.map/1"] = Field(alias="schema")
    world: str
    frames: int
    edge_m: float
    box_min_xyz: Xyz | None
    box_max_xyz: Xyz | None
    cells: dict[Literal["free", "occupied", "unseen"], int]
    floor_height_m: float | None
    at: Place | None
    ply: str | None


class Stats(Document):
    schema_: Literal["recall4d.stats/1"] = Field(alias="schema")
    agents: list[str]
    frames: int
    observations: int
    entries: int
    bytes: int
    skipped: dict[str, dict[str, int]]


class Show(Document):
    schema_: Literal["recall4d.show/1"] = Field(alias="schema")
    page: str
    plan: str


class Model(Document):
    schema_: Literal["recall4d.model/1"] = Field(alias="schema")
    model: str
    url: str | None
    server: str | None
    max_pictures: int
    json_schema: bool
    context_tokens: int | None
    token_probabilities: bool
    schema_dialect: str | None
    without: list[str]
    notes: list[str]
