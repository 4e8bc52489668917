"""A file of questions, as `ask --file` takes it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recall4d.clock import seconds_to_ns
from recall4d.errors import InputError


@dataclass(frozen=True, slots=True)
class Question:
    """One question and its circumstances.

    Attributes:
        question: the words.
        id: echoed in the answer.
        now_ns, after_origin_ns: when it is asked; the second counts from the memory's first instant.
        agent: who asks.
        choices: options of a multiple-choice question.
    """

    question: str
    id: Any = None
    now_ns: int | None = None
    after_origin_ns: int | None = None
    agent: str | None = None
    choices: tuple[str, ...] = ()

    def instant(self, origin_ns: int, default: str | None) -> int | str | None:
        """When it is asked; `default` where the question does not say."""
        if self.now_ns is not None:
            return self.now_ns
        return default if self.after_origin_ns is None else origin_ns + self.after_origin_ns


def read_questions(path: Path) -> list[Question]:
    """The questions of a JSON list, or of a text file with one a line.

    Raises:
        InputError: no such file, not text, or a question without words.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the questions in {path}: {error}") from error
    if path.suffix.lower() != ".json" and not text.lstrip().startswith("["):
        return [Question(line.strip(), id=n) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    try:
        rows = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    if not isinstance(rows, list):
        raise InputError(f"expected a JSON list of questions in {path}, got {type(rows).__name__}")
    return [_question(row, n, path) for n, row in enumerate(rows)]


def _question(row: Any, n: int, path: Path) -> Question:
    if not isinstance(row, dict) or not isinstance(row.get("question"), str):
        raise InputError(f"item {n} of {path} has no question: expected an object with a text under 'question'")
    agent, choices, now_ns, now_s = (row.get(name) for name in ("agent", "choices", "now_ns", "now_s"))
    if not isinstance(agent, str | None) or not isinstance(choices, list | None):
        raise InputError(
            f"item {n} of {path} cannot be read: expected a text under 'agent', a list under 'choices'"
        )
    try:
        return Question(
            question=row["question"],
            id=row.get("id", n),
            now_ns=None if now_ns is None else int(now_ns),
            after_origin_ns=None if now_s is None else seconds_to_ns(now_s),
            agent=agent,
            choices=tuple(map(str, choices or ())),
        )
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"item {n} of {path} cannot be read: {error}") from error
