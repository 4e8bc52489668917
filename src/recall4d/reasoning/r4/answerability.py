"""Step 1: can the question be answered from the present view and knowledge, without memory?

Confidence is the reply's own, times the share of samples that agree, times the probability of its tokens where the
server tells it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.skeleton.forms import Form, UnreadableReplyError, fill, object_of
from recall4d.reasoning.skeleton.watched import WatchedModel
from recall4d.records import Message
from recall4d.records.text import one_line

Basis = Literal["view", "knowledge", "memory"]

MAX_TOKENS = 90
SAMPLING_TEMPERATURE = 0.7
"""For samples that may differ; a single one is the likeliest reply."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """Whether memory is needed.

    Attributes:
        basis: what the answer would rest on.
        answer: in the model's words, or an option's letter; empty where memory is needed.
        confidence: in [0, 1].
    """

    basis: Basis
    answer: str
    confidence: float


NEEDS_MEMORY = Assessment("memory", "", 1.0)


def assess(inquiry: Inquiry, system: Message, model: WatchedModel, samples: int) -> Assessment:
    """Ask the model whether it needs memory; replies that cannot be read count as "yes, it does".

    Args:
        inquiry: the question; its view is shown if the model takes pictures.
        system: the prompt that every call begins with.
        model: asked `samples` times.
        samples: 1 asks for the likeliest reply; more ask for different ones, which must agree.

    Raises:
        ModelError: the model failed.
        BudgetSpentError: nothing is left to ask with.
    """
    view = inquiry.view if model.capabilities.max_pictures > 0 else None
    sees = view is not None
    form = Form(_schema(inquiry, sees), lambda document: _parsed(document, inquiry, sees), MAX_TOKENS)
    messages = (system, Message("user", _request(inquiry), () if view is None else (view.picture,)))
    said: list[Assessment] = []
    for seed in range(samples):
        try:
            each, reply = fill(model, messages, form, SAMPLING_TEMPERATURE if samples > 1 else 0.0, seed)
        except UnreadableReplyError:
            each = NEEDS_MEMORY
        else:
            sureness = 1.0 if reply.confidence is None else reply.confidence
            each = replace(each, confidence=each.confidence * sureness)
        said.append(each)
        if 2 * sum(other.basis == "memory" for other in said) >= samples:
            return NEEDS_MEMORY
    return _agreed(said)


def _agreed(said: list[Assessment]) -> Assessment:
    """The most frequent answer, at the mean confidence of those who give it times their share."""
    groups: dict[str, list[Assessment]] = {}
    for each in said:
        groups.setdefault(_plain(each.answer), []).append(each)
    largest = max(groups.values(), key=len)
    mean = sum(each.confidence for each in largest) / len(largest)
    return replace(largest[0], confidence=mean * len(largest) / len(said))


def _plain(answer: str) -> str:
    """An answer without case, articles and punctuation."""
    words = re.findall(r"[\w.]+", answer.lower())
    return " ".join(word.strip(".") for word in words if word not in ("the", "a", "an", "it", "is"))


def _request(inquiry: Inquiry) -> str:
    lines = ["Task gate."]
    if inquiry.view is not None:
        age_s = inquiry.view.age_s
        when = "" if age_s is None or age_s < 0.05 else f", as it was {age_s:.1f} s before the question"
        lines.append(f"The picture is your present view{when}.")
    else:
        lines.append("You see nothing.")
    return "\n".join([*lines, inquiry.asked()])


def _schema(inquiry: Inquiry, has_view: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {"type": "string", "maxLength": 120}
    if inquiry.choices:
        answer = {"enum": ["", *(letter for letter, _ in inquiry.options())]}
    return object_of(
        {
            "basis": {"enum": ["view", "knowledge", "memory"] if has_view else ["knowledge", "memory"]},
            "answer": answer,
            "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
        }
    )


def _parsed(document: Any, inquiry: Inquiry, has_view: bool) -> Assessment:
    if not isinstance(document, Mapping):
        raise ValueError('expected an object with "basis", "answer" and "confidence"')
    basis, answer, confidence = (document.get(name) for name in ("basis", "answer", "confidence"))
    known: tuple[Basis, ...] = ("view", "knowledge", "memory") if has_view else ("knowledge", "memory")
    if basis not in known:
        raise ValueError(f'"basis" must be one of {", ".join(known)}, got {basis!r}')
    text = one_line(str(answer)) if isinstance(answer, str | int | float) else ""
    if basis == "memory" or not text:
        return NEEDS_MEMORY
    letters = [letter for letter, _ in inquiry.options()]
    if letters and text not in letters:
        raise ValueError(f'"answer" must be one of {", ".join(letters)}, got {text!r}')
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise ValueError(f'"confidence" must be a number from 0 to 100, got {confidence!r}')
    return Assessment(cast(Basis, basis), text, min(1.0, max(0.0, confidence / 100.0)))
