"""Traces: one JSON Lines file a question, written as it is answered, so that a killed run leaves what it had.

Every line is an object with `event`. A long text that stood in an earlier line (the system prompt, a schema) is
given as `{"text_of": "<sha-256>"}`; `read_trace` puts it back. Pictures stand as their hash and label.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from recall4d.errors import InputError, UsageError
from recall4d.models.secrets import secrets_of, without_secrets
from recall4d.records import ChatRequest, Reply

logger = logging.getLogger(__name__)

SCHEMA = "recall4d.trace/1"
FOLDER = "traces"
"""Inside the memory's directory."""

_LONG = 400
"""Characters from which a repeated text is written once."""

Json = dict[str, Any]


class Trace:
    """Lines about one question, on disk if there is a path, and in memory.

    Attributes:
        path: of the file; None where nothing is written, or the disk refused.
        lines: as written.
    """

    def __init__(self, path: Path | None = None, secrets: Sequence[str] | None = None) -> None:
        self.path = path
        self.lines: list[Json] = []
        self._secrets = secrets_of() if secrets is None else tuple(secrets)
        self._texts: set[str] = set()

    @classmethod
    def in_memory_of(cls, directory: Path) -> Trace:
        """A new file in the folder of traces of a memory."""
        stamp = dt.datetime.now(dt.UTC).strftime("%Y%m%dT%H%M%S.%f")
        return cls(directory / FOLDER / f"{stamp}-{os.getpid()}.jsonl")

    def write(self, event: str, **fields: Any) -> None:
        """Append one line. What the disk refuses is not traced: an answer does not hang on its trace."""
        line = without_secrets({"event": event, **fields}, self._secrets)
        self.lines.append(line)
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(_once(line, self._texts), ensure_ascii=False) + "\n")
        except OSError as error:
            logger.warning("no trace is kept: %s: %s", self.path, error.strerror or error)
            self.path = None

    def clean(self, part: Any) -> Any:
        """Plain JSON as it would stand in the trace."""
        return without_secrets(part, self._secrets)


def request_json(request: ChatRequest) -> Json:
    """A request as it stands in a trace."""
    return {
        "messages": [
            {
                "role": message.role,
                "text": message.text,
                **(
                    {
                        "pictures": [
                            {
                                "sha256": hashlib.sha256(picture.encoded).hexdigest(),
                                "media_type": picture.media_type,
                                "label": picture.label,
                            }
                            for picture in message.pictures
                        ]
                    }
                    if message.pictures
                    else {}
                ),
            }
            for message in request.messages
        ],
        "json_schema": None if request.json_schema is None else {"text": json.dumps(request.json_schema)},
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
    }


def reply_json(reply: Reply) -> Json:
    """A reply as it stands in a trace."""
    return {
        "text": reply.text,
        "outcome": reply.outcome,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "seconds": round(reply.seconds, 4),
        "confidence": reply.confidence,
    }


def reply_of(document: Json) -> Reply:
    """The reply in a trace."""
    return Reply(
        text=str(document["text"]),
        outcome=document["outcome"],
        tokens_in=int(document["tokens_in"]),
        tokens_out=int(document["tokens_out"]),
        seconds=float(document["seconds"]),
        confidence=document["confidence"],
    )


def read_trace(path: Path) -> list[Json]:
    """The lines of a trace, with repeated texts put back. A last line cut off by a kill is left out.

    Raises:
        UsageError: no such file.
        InputError: it is not a trace.
    """
    try:
        rows = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"no trace at {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a trace: it is not text") from error
    texts: dict[str, str] = {}
    lines = [_whole(line, texts) for line in _parsed(rows, path)]
    if not lines or lines[0].get("event") != "question" or lines[0].get("schema") != SCHEMA:
        raise InputError(f"{path} is not a trace: expected a first line with the schema {SCHEMA}")
    return lines


def _parsed(rows: Sequence[str], path: Path) -> Iterator[Json]:
    for number, row in enumerate(rows, start=1):
        try:
            line = json.loads(row)
        except json.JSONDecodeError as error:
            if number == len(rows):
                return
            raise InputError(f"line {number} of {path} is not JSON: {error}") from error
        if not isinstance(line, dict):
            raise InputError(f"line {number} of {path} is no object")
        if (fault := _fault(line)) is not None:
            raise InputError(f"line {number} of {path} cannot be read: {fault}")
        yield line


_FIELDS: dict[str, dict[str, type]] = {
    "question": {"question": str, "planner": str, "model": str},
    "call": {"doing": str, "request": dict},
    "rows": {"rows": list, "computed": dict},
    "answer": {"text": str, "stop_reason": str, "usage": dict},
}
"""What a line of a kind must have to be shown and run again."""


def _fault(line: Json) -> str | None:
    """What is wrong with a line, in a few words."""
    wanted: list[tuple[Json, str, type]] = [(line, "event", str)]
    wanted += [(line, name, kind) for name, kind in _FIELDS.get(str(line.get("event")), {}).items()]
    if line.get("event") == "call":
        wanted += [(line, "error", str)] if "error" in line else [(line, "reply", dict)]
        request, reply = line.get("request"), line.get("reply")
        wanted += [(request, "messages", list)] if isinstance(request, dict) else []
        numbers = [(name, int | float) for name in ("tokens_in", "tokens_out", "seconds")]
        kinds: list[tuple[str, Any]] = [("text", str), ("outcome", str), *numbers]
        wanted += [(reply, name, kind) for name, kind in kinds] if isinstance(reply, dict) else []
    for where, name, kind in wanted:
        if not isinstance(where.get(name), kind):
            return f"expected {name!r} to be {getattr(kind, '__name__', kind)}, got {where.get(name)!r:.60}"
    return None


def _once(part: Any, seen: set[str]) -> Any:
    """Long texts under "text" that were written before, as their hash."""
    if isinstance(part, dict):
        shortened = {name: _once(each, seen) for name, each in part.items()}
        text = shortened.get("text")
        if isinstance(text, str) and len(text) >= _LONG:
            key = _hash(text)
            if key in seen:
                del shortened["text"]
                return {**shortened, "text_of": key}
            seen.add(key)
        return shortened
    return [_once(each, seen) for each in part] if isinstance(part, list) else part


def _whole(part: Any, texts: dict[str, str]) -> Any:
    """The inverse of `_once`."""
    if isinstance(part, dict):
        text = part.get("text")
        if isinstance(text, str) and len(text) >= _LONG:
            texts[_hash(text)] = text
        key = part.get("text_of")
        if isinstance(key, str) and key in texts:
            part = {**{name: each for name, each in part.items() if name != "text_of"}, "text": texts[key]}
        return {name: _whole(each, texts) for name, each in part.items()}
    return [_whole(each, texts) for each in part] if isinstance(part, list) else part


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
