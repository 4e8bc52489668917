"""What comes back from a question: rows, evidence, an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from recall4d.geometry.box import Vec3
from recall4d.records.entry import View, Visibility
from recall4d.records.report import Report

AnswerType = Literal[
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


@dataclass(frozen=True, slots=True)
class Evidence:
    """One row that supports an answer.

    Attributes:
        entry_id: which entry.
        description: its text.
        why: which key or rule brought it in, for a person.
        score: overall, higher is better.
        parts: score per key: "semantic", "spatial", "temporal".
        at_ns: the instant it is about.
        centroid_xyz: centre of its box at that instant, world frame.
        distance_m: from the anchor or the asking agent, where there is one.
        bearing: in words, seen from the viewpoint, where there is one ("ahead", "left", ...).
        visibility: at that instant.
        agent: who saw it.
        view: the frame to look at.
        asker_distance_m: from where the asking agent stands at the time of the question, where that is known.
        asker_bearing: the same way, in words.
        reports: what models said they saw in its pictures.
    """

    entry_id: str
    description: str
    why: str
    score: float
    parts: dict[str, float]
    at_ns: int
    centroid_xyz: Vec3
    visibility: Visibility
    agent: str
    distance_m: float | None = None
    bearing: str | None = None
    view: View | None = None
    asker_distance_m: float | None = None
    asker_bearing: str | None = None
    reports: tuple[Report, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A typed answer with its evidence.

    Attributes:
        question: as asked.
        now_ns: the instant it was asked at.
        type: what kind of thing `value` is.
        text: one or two sentences for a person.
        value: by type; see docs/contracts.md. None when abstained.
        unit: of `value`: "m", "s", "deg" or None.
        abstained: memory does not hold the answer, or the question was not understood.
        confidence: in [0, 1], or None.
        entry_ids: the entries the answer is about, best first.
        viewpoint: whose left and right were used, or None.
        unread: words of the question that were not understood.
        look_next: where to look to learn more, or None.
        plan: the plan that was run, as plain JSON.
        evidence: the rows behind it, best first.
        stop_reason: why the answering ended.
        rounds: how many retrieval rounds it took.
        usage: what it cost.
        trace: path of the trace file, or None.
        unsupported: numbers that a model wrote and that no evidence supports.
    """

    question: str
    now_ns: int
    type: AnswerType
    text: str
    value: Any
    stop_reason: str
    unit: str | None = None
    abstained: bool = False
    confidence: float | None = None
    entry_ids: tuple[str, ...] = ()
    viewpoint: str | None = None
    unread: tuple[str, ...] = ()
    look_next: str | None = None
    plan: dict[str, Any] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    rounds: int = 1
    usage: Usage = field(default_factory=Usage)
    trace: str | None = None
    unsupported: tuple[str, ...] = ()
