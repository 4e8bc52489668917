"""A `recall4d.ports.Judge` that asks a chat model whether two descriptions are of one thing."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from recall4d.errors import ModelError
from recall4d.models.structured import ask_all
from recall4d.ports import ChatModel
from recall4d.records import ChatRequest, Message

_TASK = (
    "Two views of a room were described by a program that sees a crop of each view. What they show stands at the "
    "same place and is of about the same size. Light, angle and what stands in front change how a thing is "
    "described; another thing may have been put there between the views. Decide whether both descriptions are of "
    "one and the same thing."
)


class Verdict(BaseModel):
    """What the model is asked for."""

    same: bool


class ModelJudge:
    """Asks a chat model about every pair.

    Attributes:
        name: of the model.
    """

    def __init__(self, model: ChatModel) -> None:
        self.name = model.name
        self._model = model

    def same(self, pairs: Sequence[tuple[str, str]]) -> Sequence[bool]:
        """See `recall4d.ports.Judge`."""
        requests = [
            ChatRequest(
                messages=(Message("system", _TASK), Message("user", f"First view: {one}\nSecond view: {other}")),
                max_tokens=64,
            )
            for one, other in pairs
        ]
        verdicts = []
        for each in ask_all(self._model, requests, Verdict):
            if isinstance(each, ModelError):
                raise each
            verdicts.append(each.value.same)
        return verdicts
