"""What the loop is compared with: the model alone, and the model with evidence given all at once.

Here the model says the value itself. One-shot evidence is what a search for the words of the question finds, as
much as the budget of evidence holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from recall4d.clock import seconds_to_ns
from recall4d.config import LoopSettings
from recall4d.query.plan import Find, Plan, SemanticKey
from recall4d.query.retrieve import retrieve
from recall4d.query.serialise import evidence_text
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.prompts import prompt
from recall4d.reasoning.r4.answering import nothing_known
from recall4d.reasoning.skeleton.forms import Form, UnreadableReplyError, fill, object_of
from recall4d.reasoning.skeleton.stops import BudgetSpentError
from recall4d.reasoning.skeleton.watched import WatchedModel
from recall4d.records import Answer, AnswerType, Evidence, Message
from recall4d.records.text import one_line

MAX_TOKENS = 120
MAX_ROWS = 60
ONE_SHOT_SHARE = 2
"""One shot may show as much evidence as so many rounds of the loop."""

_KINDS = (
    "thing", "list", "who", "text", "place", "count", "metres", "seconds", "time", "degrees", "yes", "no",
    "unknown",
)  # fmt: skip
_TYPES: Mapping[str, AnswerType] = {
    "thing": "entity", "list": "list", "who": "entity", "text": "text", "place": "position", "count": "count",
    "metres": "distance", "seconds": "duration", "time": "time", "degrees": "direction", "yes": "yesno",
    "no": "yesno",
}  # fmt: skip
_UNITS = {"distance": "m", "duration": "s", "direction": "deg", "position": "m"}


def answer_at_once(inquiry: Inquiry, model: WatchedModel, settings: LoopSettings, with_evidence: bool) -> Answer:
    """One question, one reply.

    Raises:
        ModelError: the model failed.
    """
    rows = _evidence(inquiry) if with_evidence else ()
    given = (
        "You get evidence from a memory of what cameras saw there." if with_evidence else "You were never there."
    )
    lines = [inquiry.circumstances()]
    if with_evidence:
        tokens = ONE_SHOT_SHARE * settings.evidence_tokens
        lines.append(evidence_text(rows, inquiry.snapshot.now_ns, tokens))
    lines.append(inquiry.asked())
    messages = (
        Message("system", prompt("closed_book").replace("{given}", given)),
        Message("user", "\n".join(lines)),
    )
    nothing = nothing_known(inquiry, "The model does not know.")
    form = Form(_schema(inquiry), lambda document: _parsed(document, inquiry, nothing), MAX_TOKENS)
    try:
        answered, _ = fill(model.to("answering at once"), messages, form)
    except UnreadableReplyError as error:
        return replace(nothing, text=f"The model's reply could not be read: {error}", stop_reason="no valid answer")
    except BudgetSpentError as spent:
        return replace(nothing, stop_reason=spent.reason)
    return replace(answered, evidence=tuple(rows[:20]))


def _evidence(inquiry: Inquiry) -> tuple[Evidence, ...]:
    """What the words of the question find, best first, wherever and whenever; `min_similarity` lets all in."""
    words = SemanticKey(texts=(inquiry.question,), min_similarity=-1.0)
    plan = Plan(steps=(Find(name="found", semantic=words, kinds="both", limit=MAX_ROWS),))
    return retrieve(plan, inquiry.snapshot, inquiry.agent).rows


def _schema(inquiry: Inquiry) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "kind": {"enum": list(_KINDS)},
        "answer": {"type": "string", "maxLength": 160},
        "number": {"type": ["number", "null"]},
        "xyz": {"type": ["array", "null"], "items": {"type": "number"}, "minItems": 3, "maxItems": 3},
    }
    if inquiry.choices:
        properties["option"] = {"enum": ["", *(letter for letter, _ in inquiry.options())]}
    return object_of(properties)


def _parsed(document: Any, inquiry: Inquiry, nothing: Answer) -> Answer:
    if not isinstance(document, Mapping) or document.get("kind") not in _KINDS:
        raise ValueError(f'expected an object whose "kind" is one of {", ".join(_KINDS)}')
    text = one_line(str(document.get("answer") or ""))
    option = str(document.get("option") or "")
    kind = document["kind"]
    if kind == "unknown":
        return nothing
    said = replace(nothing, text=text or kind, abstained=False, stop_reason="answered", look_next=None)
    if inquiry.choices:
        return replace(said, type="choice", value=option) if option else nothing
    answer_type = _TYPES[kind]
    value = _value(kind, answer_type, text, document, inquiry)
    if value is None:
        return replace(said, type="text", value=text) if text else nothing
    return replace(said, type=answer_type, value=value, unit=_UNITS.get(answer_type))


def _value(kind: str, answer_type: AnswerType, text: str, document: Mapping[str, Any], inquiry: Inquiry) -> Any:
    if answer_type == "yesno":
        return kind == "yes"
    if answer_type == "list":
        return [part.strip() for part in text.split(",") if part.strip()]
    if answer_type == "position":
        xyz = document.get("xyz")
        is_place = isinstance(xyz, list) and len(xyz) == 3 and all(isinstance(each, int | float) for each in xyz)
        return [float(each) for each in xyz] if is_place and isinstance(xyz, list) else None
    if answer_type in ("entity", "text"):
        return text or None
    number = document.get("number")
    if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) < 1e9:
        return None
    if answer_type == "count" and (number < 0 or number != round(number)):
        raise ValueError(f'"number" of a count must be a whole number from 0, got {number!r}')
    if answer_type == "time":
        return inquiry.snapshot.origin_ns + seconds_to_ns(float(number))
    return round(number) if answer_type == "count" else float(number)
