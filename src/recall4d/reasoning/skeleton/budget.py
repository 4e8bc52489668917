"""What a question may cost, and what it has cost."""

from __future__ import annotations

from dataclasses import dataclass

from recall4d.config import BudgetSettings
from recall4d.reasoning.skeleton.stops import StopReason
from recall4d.records import Reply, Usage


@dataclass(slots=True)
class Meter:
    """Counts what goes to a model while a question is answered.

    Seconds are those the model took: retrieval takes milliseconds beside them, and a replay of what a model wrote
    spends the same budget as the model did.

    Attributes:
        budget: what may be spent.
        calls, tokens_in, tokens_out, seconds: what was.
    """

    budget: BudgetSettings
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0

    def add(self, reply: Reply) -> None:
        """Count a reply."""
        self.calls += 1
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        self.seconds += reply.seconds

    def add_failure(self) -> None:
        """Count a call that gave no reply."""
        self.calls += 1

    def spent(self) -> StopReason | None:
        """What of the budget is used up; None while another call may be made."""
        if self.calls >= self.budget.calls:
            return "budget of calls spent"
        if self.tokens_in + self.tokens_out >= self.budget.tokens:
            return "budget of tokens spent"
        if self.seconds >= self.budget.seconds:
            return "budget of seconds spent"
        return None

    def usage(self) -> Usage:
        """For the answer; seconds are the model's."""
        return Usage(self.calls, self.tokens_in, self.tokens_out, self.seconds)
