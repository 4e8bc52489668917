"""Record what a chat model says once, replay it exactly, without the model, as often as you like."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from recall4d import plugins
from recall4d.errors import ModelError, TapeError, UsageError
from recall4d.models.tape import Call, Tape, call_line, document_key, header_line, read_tape, request_document
from recall4d.ports import ChatModel
from recall4d.records import ChatRequest, Reply


class ReplayModel:
    """Replies from a tape. What is asked twice was recorded twice and is replayed in that order.

    Attributes:
        name: of the model that was recorded.
        capabilities: of that model.
    """

    def __init__(self, tape: Path | str) -> None:
        self.path = Path(tape)
        self._tape = read_tape(self.path)
        self.name = self._tape.model
        self.capabilities = self._tape.capabilities
        self._unplayed = _by_key(self._tape)
        self._lock = Lock()

    def rewind(self) -> None:
        """Begin again."""
        self._unplayed = _by_key(self._tape)

    def complete(self, request: ChatRequest) -> Reply:
        """What was replied when this was asked.

        Raises:
            ModelError: what the model raised then.
            TapeError: this was never asked, or not so often; the message says what differs.
        """
        result = self._result(request)
        if isinstance(result, ModelError):
            raise result
        return result

    def complete_all(self, requests: Sequence[ChatRequest]) -> list[Reply | ModelError]:
        """What was replied to each."""
        return [self._result(request) for request in requests]

    def _result(self, request: ChatRequest) -> Reply | ModelError:
        document = request_document(request)
        with self._lock:
            waiting = self._unplayed[document_key(document)]
            if waiting:
                return waiting.pop(0)
        raise TapeError(f"not on the tape {self.path}: {missed(document, self._tape.calls)}")


class RecordingModel:
    """Asks a model and writes down what it says; what is on the tape already is not asked again.

    A line is on disk before its reply is handed on, so that a run that was stopped goes on where it was.

    Attributes:
        name: of the model.
        capabilities: of the model.
    """

    def __init__(self, model: ChatModel, tape: Path | str) -> None:
        self.path = Path(tape)
        self.name = model.name
        self.capabilities = model.capabilities
        self._model = model
        self._lock = Lock()
        self._known: defaultdict[str, list[Reply | ModelError]] = defaultdict(list)
        if self.path.exists():
            known = read_tape(self.path)
            if known.model != model.name:
                raise UsageError(
                    f"the tape {self.path} is of {known.model}, not of {model.name}: record to another file"
                )
            os.truncate(self.path, known.size)
            self._known = _by_key(known)
        else:
            self._write(header_line(model.name, model.capabilities))

    def complete(self, request: ChatRequest) -> Reply:
        """The model's reply.

        Raises:
            ModelError: the model's, which is on the tape as well.
        """
        known = self._known_result(request)
        if known is None:
            try:
                known = self._model.complete(request)
            except ModelError as error:
                known = error
            self._write(call_line(request, known))
        if isinstance(known, ModelError):
            raise known
        return known

    def complete_all(self, requests: Sequence[ChatRequest]) -> list[Reply | ModelError]:
        """The model's replies."""
        results = [self._known_result(request) for request in requests]
        new = [index for index, result in enumerate(results) if result is None]
        for index, result in zip(new, self._model.complete_all([requests[i] for i in new]), strict=True):
            self._write(call_line(requests[index], result))
            results[index] = result
        return [result for result in results if result is not None]

    def _known_result(self, request: ChatRequest) -> Reply | ModelError | None:
        with self._lock:
            waiting = self._known[document_key(request_document(request))]
            return waiting.pop(0) if waiting else None

    def _write(self, line: str) -> None:
        try:
            with self._lock, self.path.open("a", encoding="utf-8") as file:
                file.write(line)
        except OSError as error:
            raise TapeError(f"cannot write the tape {self.path}: {error.strerror or error}") from error


def create(argument: str | None) -> ChatModel:
    """`replay:TAPE`.

    Raises:
        UsageError: no tape named.
        TapeError: it cannot be read.
    """
    if not argument:
        raise UsageError("replay needs a tape: replay:FILE, as written by record:FILE:MODEL")
    return ReplayModel(argument)


def create_recording(argument: str | None) -> ChatModel:
    """`record:TAPE:MODEL`, where MODEL is any other model's spec.

    Raises:
        UsageError: no tape or no model named, or the tape is of another model.
        TapeError: it cannot be read.
    """
    tape, _, spec = (argument or "").partition(":")
    if not tape or not spec:
        raise UsageError("record needs a tape and a model: record:tape.jsonl:openai:gemma3:4b")
    return RecordingModel(plugins.chat_model(spec), tape)


def missed(asked: Mapping[str, Any], calls: Sequence[Call]) -> str:
    """Why a request is not among the calls of a tape, for a person: what differs from the nearest one."""
    if not calls:
        return "nothing is on it"
    nearest, differences = 0, list(_differences(calls[0].request, asked))
    for number, call in enumerate(calls[1:], 1):
        others = list(_differences(call.request, asked))
        if (len(others), -_common(others)) < (len(differences), -_common(differences)):
            nearest, differences = number, others
    line = nearest + 2
    if not differences:
        times = sum(call.request == calls[nearest].request for call in calls)
        return f"the request of line {line} was recorded {times} times and is asked once more"
    told = "; ".join(
        f"{place} was {_window(was, at)}, is {_window(now, at)}" for place, was, now, at in differences[:4]
    )
    more = f"; and {len(differences) - 4} more" if len(differences) > 4 else ""
    return f"the nearest request is of line {line}; {told}{more}"


def _differences(was: Any, now: Any, place: str = "") -> Iterator[tuple[str, Any, Any, int]]:
    """(place, old, new, first differing character) of everything that differs between two documents."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys([*was, *now]):
            yield from _differences(was.get(name), now.get(name), f"{place}.{name}" if place else name)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for index, (a, b) in enumerate(zip(was, now, strict=True)):
            yield from _differences(a, b, f"{place}[{index}]")
    elif was != now:
        if isinstance(was, list) and isinstance(now, list):
            yield f"number of {place}", len(was), len(now), 0
        else:
            both = (was, now) if isinstance(was, str) and isinstance(now, str) else ("", "")
            yield place, was, now, _n_common(*both)


def _n_common(a: str, b: str) -> int:
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _common(differences: Sequence[tuple[str, Any, Any, int]]) -> int:
    return sum(at for *_, at in differences)


def _window(value: Any, at: int) -> str:
    if not isinstance(value, str):
        written = repr(value)
        return written if len(written) <= 80 else f"{written[:77]}..."
    begin, end = max(at - 20, 0), at + 40
    return f"{'...' if begin else ''}{value[begin:end]!r}{'...' if end < len(value) else ''}"


def _by_key(tape: Tape) -> defaultdict[str, list[Reply | ModelError]]:
    calls: defaultdict[str, list[Reply | ModelError]] = defaultdict(list)
    for call in tape.calls:
        calls[call.key].append(call.result)
    return calls
