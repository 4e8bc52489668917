"""From a plan or a reply that a model wrote to a typed answer."""

from __future__ import annotations

from collections.abc import Mapping

from recall4d.query.english import Planned
from recall4d.query.plan import Find, Plan
from recall4d.records import AnswerType

_TYPES: Mapping[str, AnswerType] = {
    "rows": "list", "which": "entity", "where": "position", "list": "list", "count": "count", "exists": "yesno",
    "still_there": "yesno", "when_seen": "time", "when_moved": "time", "since_seen": "duration",
    "distance": "distance", "moved_distance": "distance", "height": "distance", "size": "distance",
    "direction": "direction", "side": "direction", "attribute": "text", "compare_distance": "entity",
    "compare_seen": "entity", "compare_size": "entity", "who_saw": "entity", "on_what": "entity",
    "what_changed": "list", "has_changed": "yesno", "in_view": "list", "seen_for": "duration",
    "away_for": "duration", "times_seen": "count", "agent_place": "position", "looked": "text",
    "who_says": "entity", "says": "text", "agree": "yesno", "disagree": "yesno", "unknown": "text",
    "compare_times": "yesno", "visits": "time", "seen_by": "yesno",
}  # fmt: skip
"""What kind of answer each kind of ask gives."""

_TYPES_OF_VISITS: Mapping[str, AnswerType] = {"count": "count", "duration": "duration", "ever": "yesno"}
"""What asks about visits give, where it is not a time."""


def planned_of(question: str, plan: Plan) -> Planned:
    """A plan that was not read from the question by the grammar, as the answerer takes it."""
    kind, detail = plan.ask.kind, plan.ask.detail
    told = _TYPES_OF_VISITS.get(detail or "") if kind == "visits" else None
    return Planned(question, plan, answer_type=told or _TYPES[kind], name=_name(plan))


def _name(plan: Plan) -> str:
    """What the plan is about, in its own words: "red mug"."""
    find: Find | None = next((step for step in plan.steps if step.name == plan.ask.step), None)
    if find is None or find.semantic is None:
        return "thing"
    own = find.semantic.texts[0]
    return " ".join([*(word for word in find.semantic.attributes if word not in own), own])
