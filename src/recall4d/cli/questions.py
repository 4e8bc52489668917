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
        now_ns, now_s: when it is asked; seconds count from the memory's first instant.
        agent: who asks.
        choices: options of a multiple-choice question.
    """

    question: str
    id: Any = None
    now_ns: int | None = None
    now_s: float | None = None
    agent: str | None = None
    choices: tuple[str, ...] = ()

    def instant(self, origin_ns: int, default: str | None) -> int | str | None:
        """When it is asked; `default` where the question does not say."""
        if self.now_ns is not None:
            return self.now_ns
        return default if self.now_s is None else origin_ns + seconds_to_ns(self.now_s)


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
    try:
        return Question(
            question=row["question"],
            id=row.get("id", n),
            now_ns=None if row.get("now_ns") is None else int(row["now_ns"]),
            now_s=None if row.get("now_s") is None else float(row["now_s"]),
            agent=row.get("agent"),
            choices=tuple(map(str, row.get("choices") or ())),
        )
    except (TypeError, ValueError) as error:
        raise InputError(f"item {n} of {path} cannot be read: {error}") from error
