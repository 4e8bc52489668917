"""What a model says it sees in a picture that memory kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Report:
    """A claim of a model about a thing, with its source. It changes nothing that was observed.

    Attributes:
        entry_id: the thing, as it was known when the picture was looked at.
        agent, stamp_ns: the frame that the picture is of.
        question: what the model was asked.
        said: what it answered.
        model: its name.
        confidence: its own, in [0, 1].
    """

    entry_id: str
    agent: str
    stamp_ns: int
    question: str
    said: str
    model: str
    confidence: float
