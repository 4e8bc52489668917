"""A chat model that says what it was told to say: for tests, and for showing a loop without a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from recall4d.errors import InputError, ModelError, UsageError
from recall4d.ports import ChatModel
from recall4d.records import Capabilities, ChatRequest, Reply

Line = str | Mapping[str, Any] | Sequence[Any] | Reply | ModelError
"""One reply: its text, a document that is written as JSON, a whole `Reply`, or the failure of the call."""

_ALL = Capabilities(max_pictures=16, json_schema=True, context_tokens=None, token_probabilities=False)


class ScriptedModel:
    """Replies from a list, in order, or from a function of the request.

    Attributes:
        name: "scripted".
        capabilities: as given; by default pictures and schemas are taken.
        requests: what it was asked, in order.
    """

    def __init__(
        self,
        script: Iterable[Line] | Callable[[ChatRequest], Line],
        *,
        name: str = "scripted",
        capabilities: Capabilities = _ALL,
    ) -> None:
        self.name = name
        self.capabilities = capabilities
        self.requests: list[ChatRequest] = []
        self._lines = None if callable(script) else list(script)
        self._write = script if callable(script) else self._next
        self._lock = Lock()

    def complete(self, request: ChatRequest) -> Reply:
        """The next reply.

        Raises:
            ModelError: the script has a failure here.
            UsageError: the script is at its end.
        """
        with self._lock:
            self.requests.append(request)
            line = self._write(request)
        if isinstance(line, ModelError):
            raise line
        if isinstance(line, Reply):
            return line
        text = line if isinstance(line, str) else json.dumps(line)
        return Reply(text, "done" if text else "empty")

    def complete_all(self, requests: Sequence[ChatRequest]) -> list[Reply | ModelError]:
        """The next replies, one after the other."""
        results: list[Reply | ModelError] = []
        for request in requests:
            try:
                results.append(self.complete(request))
            except ModelError as error:
                results.append(error)
        return results

    def _next(self, request: ChatRequest) -> Line:
        assert self._lines is not None
        count = len(self.requests)
        if count > len(self._lines):
            said = request.messages[-1].text[:200]
            raise UsageError(f"the script has {len(self._lines)} replies and was asked for one more: {said!r}")
        return self._lines[count - 1]


def create(argument: str | None) -> ChatModel:
    """`scripted:FILE`: a JSON list of replies, each a text or a document.

    Raises:
        UsageError: no file named.
        InputError: the file is no such list.
    """
    if not argument:
        raise UsageError("scripted needs a file: scripted:replies.json, a JSON list of replies")
    try:
        lines = json.loads(Path(argument).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the replies in {argument}: {error}") from error
    if not isinstance(lines, list):
        raise InputError(f"{argument} must hold a JSON list of replies, found {type(lines).__name__}")
    return ScriptedModel(lines, name=f"scripted:{argument}")
