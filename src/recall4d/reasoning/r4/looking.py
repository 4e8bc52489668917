"""Step 3, beyond the paper: the pictures behind the evidence are looked at again, with the question.

Memory knows of a thing what its describer wrote down. What nobody wrote down (the title of the book, whether the
lamp is on) may still be in the picture of its best view. What the model reports is an answer in words, never a
typed number, and is kept as a report with its source: the frame, the model, the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recall4d.clock import ns_to_seconds
from recall4d.query.serialise import evidence_text, quoted_data
from recall4d.reasoning.inquiry import Album, Inquiry
from recall4d.reasoning.numbers import unsupported_numbers
from recall4d.reasoning.prompts import prompt
from recall4d.reasoning.r4.answering import UNSUPPORTED
from recall4d.reasoning.r4.rounds import Round
from recall4d.reasoning.skeleton.forms import Form, fill, object_of
from recall4d.reasoning.skeleton.watched import WatchedModel
from recall4d.records import Answer, Evidence, Message, Picture, Report
from recall4d.records.text import one_line
from recall4d.units import format_duration

MAX_TOKENS = 90


@dataclass(frozen=True, slots=True)
class Sight:
    """What the model reports.

    Attributes:
        picture: index of the picture that shows it; None where none does.
        said: in its own words.
        option: letter of the option it picks, where the question has options.
        confidence: in [0, 1].
    """

    picture: int | None
    said: str = ""
    option: str | None = None
    confidence: float = 0.0


def worth_looking_at(rounds: Sequence[Round], album: Album, n: int) -> list[tuple[Evidence, Picture]]:
    """Evidence of which there are pictures, that of the latest round first, each thing once, at most n."""
    found: dict[str, tuple[Evidence, Picture]] = {}
    for row in _rows(rounds):
        if len(found) == n:
            break
        if row.entry_id not in found and row.view is not None:
            picture = album.picture(row.view)
            if picture is not None:
                found[row.entry_id] = row, picture
    return list(found.values())


def look(inquiry: Inquiry, shown: Sequence[tuple[Evidence, Picture]], model: WatchedModel) -> Sight:
    """Show the model pictures, and ask the question of them.

    Raises:
        UnreadableReplyError: two replies could not be read.
        ModelError: the model failed.
        BudgetSpentError: nothing is left to ask with.
    """
    form = Form(_schema(inquiry, len(shown)), lambda document: _parsed(document, len(shown), inquiry), MAX_TOKENS)
    pictures = tuple(picture for _, picture in shown)
    messages = (Message("system", prompt("look")), Message("user", _request(inquiry, shown), pictures))
    sight, _ = fill(model, messages, form)
    return sight


def answer_of(sight: Sight, row: Evidence, otherwise: Answer, inquiry: Inquiry) -> Answer:
    """The answer in the model's words, resting on the picture of one thing."""
    # What a model reported earlier supports nothing that a model says now.
    shown = evidence_text((replace(row, reports=()),), inquiry.snapshot.now_ns, 100_000)
    stray = unsupported_numbers(sight.said, (inquiry.question, shown))
    letter = sight.option
    text = sight.said if letter is None else f"{letter}: {dict(inquiry.options())[letter]}."
    return replace(
        otherwise,
        type="text" if letter is None else "choice",
        value=sight.said if letter is None else letter,
        unit=None,
        text=text,
        abstained=False,
        confidence=round(sight.confidence * (UNSUPPORTED if stray else 1.0), 3),
        entry_ids=(row.entry_id,),
        evidence=(row,),
        unsupported=stray,
        look_next=None,
        stop_reason="answered by looking again",
    )


def report_of(sight: Sight, row: Evidence, inquiry: Inquiry, model: str) -> Report:
    """The same, as memory keeps it."""
    assert row.view is not None
    said = sight.said or dict(inquiry.options()).get(sight.option or "", "")
    return Report(row.entry_id, row.view.agent, row.view.stamp_ns, inquiry.question, said, model, sight.confidence)


def _rows(rounds: Sequence[Round]) -> Iterator[Evidence]:
    for each in reversed(rounds):
        yield from each.evidence


def _request(inquiry: Inquiry, shown: Sequence[tuple[Evidence, Picture]]) -> str:
    lines = ["Task look."]
    for number, (row, _) in enumerate(shown, start=1):
        assert row.view is not None
        age_s = max(0.0, ns_to_seconds(inquiry.snapshot.now_ns - row.view.stamp_ns))
        lines.append(f"Picture {number}: {quoted_data(row.description)}, {format_duration(age_s)} ago.")
    return "\n".join([*lines, inquiry.circumstances(), inquiry.asked()])


def _schema(inquiry: Inquiry, n: int) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "seen": {"type": "boolean"},
        "picture": {"type": "integer", "minimum": 1, "maximum": n},
        "answer": {"type": "string", "maxLength": 160},
        "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
    }
    if inquiry.choices:
        properties["option"] = {"enum": ["", *(letter for letter, _ in inquiry.options())]}
    return object_of(properties)


def _parsed(document: Any, n: int, inquiry: Inquiry) -> Sight:
    if not isinstance(document, Mapping) or not isinstance(document.get("seen"), bool):
        raise ValueError('expected an object whose "seen" is true or false')
    if not document["seen"]:
        return Sight(None)
    number, said, confidence = (document.get(name) for name in ("picture", "answer", "confidence"))
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= n:
        raise ValueError(f'"picture" must be a number from 1 to {n}, got {number!r}')
    option = str(document.get("option") or "").strip().upper() or None
    letters = [letter for letter, _ in inquiry.options()]
    if option is not None and option not in letters:
        raise ValueError(f'"option" must be one of {", ".join(letters)}, got {option!r}')
    text = one_line(str(said or ""))
    if not text and option is None:
        raise ValueError('"answer" is empty, though "seen" is true: write what you see')
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise ValueError(f'"confidence" must be a number from 0 to 100, got {confidence!r}')
    return Sight(number - 1, text, option, min(1.0, max(0.0, confidence / 100.0)))
