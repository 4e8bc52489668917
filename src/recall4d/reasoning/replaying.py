"""A trace, run again without the model: does the same memory, asked the same, come to the same answer?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from recall4d.config import LoopSettings
from recall4d.errors import InputError, ModelError, TapeError
from recall4d.query.plan.faults import fault_sentence
from recall4d.reasoning.skeleton.trace import Json, Trace, reply_of, request_json
from recall4d.records import Answer, Capabilities, ChatRequest, Reply

COMPARED = ("type", "value", "text", "abstained", "stop_reason", "rounds", "entry_ids")
"""Fields of an answer in which a replay must agree."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a replay ended.

    Attributes:
        same: whether it came to the same answer.
        differences: what differs, each in a sentence; where the replay could not go on, why.
        answer: what it came to; None where it could not go on.
    """

    same: bool
    differences: tuple[str, ...]
    answer: Answer | None


@dataclass
class TracedModel:
    """A `ports.ChatModel` that replies what the model of a trace replied to the same request.

    Attributes:
        lines: of the trace.
        name, capabilities: of the model that was traced.
    """

    lines: Sequence[Json]
    name: str = field(init=False)
    capabilities: Capabilities = field(init=False)

    def __post_init__(self) -> None:
        heading = self.lines[0]
        self.name = str(heading["model"])
        self.capabilities = Capabilities(**heading["capabilities"])
        self._trace = Trace()
        self._waiting: defaultdict[str, list[Json]] = defaultdict(list)
        for line in self.lines:
            if line["event"] == "call":
                self._waiting[_key(line["request"])].append(line)

    def complete(self, request: ChatRequest) -> Reply:
        """See `ports.ChatModel`.

        Raises:
            TapeError: the model was not asked this.
        """
        waiting = self._waiting[_key(self._trace.clean(request_json(request)))]
        if not waiting:
            told = request.messages[-1].text[:200]
            raise TapeError(f"the model was never asked this when the trace was written: {told!r}")
        line = waiting.pop(0)
        if "error" in line:
            raise ModelError(line["error"])
        return reply_of(line["reply"])

    def complete_all(self, requests: Sequence[ChatRequest]) -> list[Reply | ModelError]:
        """See `ports.ChatModel`."""
        outcomes: list[Reply | ModelError] = []
        for request in requests:
            try:
                outcomes.append(self.complete(request))
            except ModelError as error:
                outcomes.append(error)
        return outcomes


def settings_of(lines: Sequence[Json]) -> LoopSettings:
    """The settings that a trace was written with.

    Raises:
        InputError: they cannot be read.
    """
    try:
        return LoopSettings.model_validate(lines[0]["settings"])
    except KeyError as error:
        raise InputError("the trace does not say with what settings it was written") from error
    except ValidationError as error:
        raise InputError(f"the settings in the trace cannot be read: {fault_sentence(error)}") from error


def answer_of(lines: Sequence[Json]) -> Json:
    """The answer that a trace ends with.

    Raises:
        InputError: it ends without one.
    """
    last: Json = lines[-1]
    if last["event"] != "answer":
        raise InputError("the trace ends without an answer: the run was stopped, or the model failed")
    return last


def compared(recorded: Json, answered: Answer, trace: Trace) -> Replayed:
    """Whether an answer is the recorded one."""
    differences = []
    for name in COMPARED:
        now: Any = getattr(answered, name)
        new = trace.clean(list(now) if isinstance(now, tuple) else now)
        if new != recorded.get(name):
            differences.append(f"{name} was {recorded.get(name)!r}, is {new!r}")
    return Replayed(not differences, tuple(differences), answered)


def _key(request: Json) -> str:
    return repr(request)
