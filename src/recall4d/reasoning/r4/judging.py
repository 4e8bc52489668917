"""Step 2, second half: does what memory computed answer the question?

The reply begins with a plain yes or no. Measured with a model of 1.5 billion parameters: asked so, it takes no
answer to another question; asked to choose among four verdicts it takes hardly any answer at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from recall4d.query.phrasing import find_in_words
from recall4d.query.serialise import evidence_text, quoted_data
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.r4.rounds import Round
from recall4d.reasoning.skeleton.forms import Form, fill, object_of
from recall4d.reasoning.skeleton.watched import WatchedModel
from recall4d.records import Message
from recall4d.records.text import one_line

Ruling = Literal["accept", "search", "answer", "unknown"]

MAX_TOKENS = 120
MAX_DROPPED = 20

_NEXT: Mapping[str, Ruling] = {"none": "search", "search": "search", "answer": "answer", "stop": "unknown"}
"""What is to be done if the answer does not fit, as the reply says it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the model makes of a round.

    Attributes:
        ruling: take what was computed; search again; answer in its own words; memory does not hold it.
        note: for `search` what to change, for `answer` its own words.
        option: letter of the option it picks, where the question has options.
        drop: ids of entries that are not the things meant.
        confidence: in [0, 1].
    """

    ruling: Ruling
    note: str = ""
    option: str | None = None
    drop: tuple[str, ...] = ()
    confidence: float = 1.0


def judge(inquiry: Inquiry, found: Round, system: Message, model: WatchedModel, evidence_tokens: int) -> Verdict:
    """Show the model what its query found, and what was computed from it.

    Raises:
        UnreadableReplyError: two replies could not be read.
        ModelError: the model failed.
        BudgetSpentError: nothing is left to ask with.
    """
    ids = [each.entry_id for each in found.evidence]
    form = Form(_schema(inquiry, len(ids)), lambda document: _parsed(document, ids, inquiry), MAX_TOKENS)
    request = Message("user", judge_request(inquiry, found, evidence_tokens))
    verdict, _ = fill(model, (system, request), form)
    return verdict


def judge_request(inquiry: Inquiry, found: Round, evidence_tokens: int) -> str:
    """What the model is shown of a round."""
    steps = "; then ".join(find_in_words(step, {}) for step in found.plan.steps) or "nothing"
    return "\n".join(
        [
            "Task judge.",
            inquiry.circumstances(),
            inquiry.asked(),
            f"Query: {found.plan.ask.kind} of {steps}",
            evidence_text(found.evidence, inquiry.snapshot.now_ns, evidence_tokens),
            f"Answer: {quoted_data(found.computed.text)}",
            "Does the answer answer the question?",
        ]
    )


def _schema(inquiry: Inquiry, rows: int) -> dict[str, Any]:
    """Short on purpose: the small models that need a schema most are slow at writing."""
    properties: dict[str, Any] = {
        "fits": {"type": "boolean"},
        "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
        "next": {"enum": list(_NEXT)},
        "note": {"type": "string", "maxLength": 160},
    }
    if inquiry.choices:
        properties["option"] = {"enum": ["", *(letter for letter, _ in inquiry.options())]}
    if rows > 1:
        properties["drop"] = {"type": "array", "items": {"type": "integer"}, "maxItems": MAX_DROPPED}
    return object_of(properties)


def _parsed(document: Any, ids: list[str], inquiry: Inquiry) -> Verdict:
    if not isinstance(document, Mapping) or not isinstance(document.get("fits"), bool):
        raise ValueError('expected an object whose "fits" is true or false')
    following = document.get("next") or "search"
    if not isinstance(following, str) or following not in _NEXT:
        raise ValueError(f'"next" must be one of {", ".join(_NEXT)}, got {following!r}')
    ruling: Ruling = "accept" if document["fits"] else _NEXT[following]
    note = one_line(str(document.get("note") or ""))
    option = str(document.get("option") or "").strip().upper() or None
    letters = [letter for letter, _ in inquiry.options()]
    if option is not None and option not in letters:
        raise ValueError(f'"option" must be one of {", ".join(letters)}, got {option!r}')
    if ruling == "answer" and not note and option is None:
        raise ValueError('"note" is empty, though "next" is "answer": write the answer there')
    numbers = document.get("drop")
    dropped = [n for n in numbers if isinstance(n, int)] if isinstance(numbers, list) else []
    confidence = document.get("confidence")
    sureness = float(confidence) / 100.0 if isinstance(confidence, int | float) else 1.0
    return Verdict(
        ruling,
        note=note,
        option=option,
        drop=tuple(ids[n - 1] for n in dropped if 1 <= n <= len(ids)),
        confidence=min(1.0, max(0.0, sureness)),
    )
