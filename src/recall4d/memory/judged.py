"""Verdicts on pairs of descriptions that may be of one thing: each pair is asked about once, and then known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recall4d.ports import Judge

Pair = tuple[str, str]


@dataclass(slots=True)
class Judged:
    """What is known, and who is asked about the rest.

    Attributes:
        known: verdicts on pairs in alphabetical order.
        judge: None knows nothing more: what is not known to be the same is not.
        new: verdicts that are not kept in the store yet.
    """

    known: Mapping[Pair, bool]
    judge: Judge | None = None
    new: dict[Pair, bool] = field(default_factory=dict)

    def same(self, pairs: Sequence[Pair]) -> list[bool]:
        """Whether each two descriptions are of one thing.

        Raises:
            ModelError: the judge says nothing.
        """
        ordered = [(min(pair), max(pair)) for pair in pairs]
        asked = [pair for pair in dict.fromkeys(ordered) if pair not in self.known and pair not in self.new]
        if asked and self.judge is not None:
            self.new |= dict(zip(asked, self.judge.same(asked), strict=True))
        return [self.known.get(pair, self.new.get(pair, False)) for pair in ordered]
