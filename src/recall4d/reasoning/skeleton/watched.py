"""A chat model under watch: every call is counted, bounded by the budget, and written into the trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from recall4d.errors import ModelError
from recall4d.ports import ChatModel
from recall4d.reasoning.skeleton.budget import Meter
from recall4d.reasoning.skeleton.stops import BudgetSpentError
from recall4d.reasoning.skeleton.trace import Trace, reply_json, request_json
from recall4d.records import Capabilities, ChatRequest, Reply


def silent(text: str) -> None:
    """Progress that nobody watches."""


@dataclass(slots=True)
class WatchedModel:
    """A `ports.ChatModel` that gives another one's replies.

    Attributes:
        model: the one that is asked.
        meter: what was spent; a call beyond the budget is refused.
        trace: where calls are written down.
        progress: told, in words, what is being asked.
        doing: what the next calls are for, as the trace and the progress say it.
        round: number of the round they belong to; 0 before the first.
    """

    model: ChatModel
    meter: Meter
    trace: Trace
    progress: Callable[[str], None] = silent
    doing: str = "asking"
    round: int = 0
    name: str = field(init=False)
    capabilities: Capabilities = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.model.name
        self.capabilities = self.model.capabilities

    def to(self, doing: str, round_number: int = 0) -> WatchedModel:
        """The same model, for another purpose: what comes next is counted and written down as that."""
        self.doing, self.round = doing, round_number
        self.progress(doing if round_number == 0 else f"round {round_number}: {doing}")
        return self

    def complete(self, request: ChatRequest) -> Reply:
        """See `ports.ChatModel`.

        Raises:
            BudgetSpentError: nothing is left for this call.
        """
        self._check()
        try:
            reply = self.model.complete(request)
        except ModelError as error:
            self._note(request, error)
            raise
        self._note(request, reply)
        return reply

    def complete_all(self, requests: Sequence[ChatRequest]) -> Sequence[Reply | ModelError]:
        """See `ports.ChatModel`; the budget is looked at before the first."""
        self._check()
        outcomes = self.model.complete_all(requests)
        for request, outcome in zip(requests, outcomes, strict=True):
            self._note(request, outcome)
        return outcomes

    def _check(self) -> None:
        spent = self.meter.spent()
        if spent is not None:
            raise BudgetSpentError(spent)

    def _note(self, request: ChatRequest, outcome: Reply | ModelError) -> None:
        said = {"doing": self.doing, "round": self.round, "request": request_json(request)}
        if isinstance(outcome, Reply):
            self.meter.add(outcome)
            self.trace.write("call", **said, reply=reply_json(outcome))
        else:
            self.meter.add_failure()
            self.trace.write("call", **said, error=str(outcome))
