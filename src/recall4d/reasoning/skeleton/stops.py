"""Why a loop ended."""

from __future__ import annotations

from typing import Literal

StopReason = Literal[
    "answered",
    "answered without memory",
    "answered by looking again",
    "memory does not hold the answer",
    "nothing new retrieved",
    "no valid plan",
    "budget of rounds spent",
    "budget of calls spent",
    "budget of tokens spent",
    "budget of seconds spent",
    "model failed",
]
"""The first three answer. "memory does not hold the answer" abstains. After the others the best answer that the
rounds before computed is given, at a lower confidence, where there is one."""


class BudgetSpentError(Exception):
    """Nothing is left for another call to the model. Never leaves `reasoning`."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason: StopReason = reason
