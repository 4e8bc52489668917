"""What the doctor says: verdicts with numbers, and the report that holds them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["ok", "warn", "fail"]

_WORST_LAST: tuple[Level, ...] = ("ok", "warn", "fail")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one check.

    Attributes:
        check: its name ("depth_scale").
        level: ok; warn: read on before trusting it; fail: what is built on this recording will be wrong.
        message: one or two sentences for a person.
        measured: the numbers behind it, plain JSON; metres, seconds and degrees by the names' suffixes.
        suggest: a command-line flag that mends it ("--depth-unit 0.0002"), where one does.
    """

    check: str
    level: Level
    message: str
    measured: dict[str, Any] = field(default_factory=dict)
    suggest: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Every verdict on one recording.

    Attributes:
        format: the recording's format, as its source calls it.
        verdicts: one a check, in the order in which they matter.
    """

    format: str
    verdicts: tuple[Verdict, ...]

    @property
    def level(self) -> Level:
        """The worst level of any check."""
        return worst(verdict.level for verdict in self.verdicts)

    def __getitem__(self, check: str) -> Verdict:
        """The verdict of a check by its name; KeyError when there is none."""
        for verdict in self.verdicts:
            if verdict.check == check:
                return verdict
        raise KeyError(check)

    def to_json(self) -> dict[str, Any]:
        """The document of `recall4d doctor --json`, schema recall4d.doctor/1."""
        return {
            "schema": "recall4d.doctor/1",
            "format": self.format,
            "verdicts": [
                {
                    "check": verdict.check,
                    "level": verdict.level,
                    "message": verdict.message,
                    "measured": verdict.measured,
                    "suggest": verdict.suggest,
                }
                for verdict in self.verdicts
            ],
        }


def worst(levels: Iterable[Level]) -> Level:
    """The gravest of some levels; ok when there is none."""
    return max(levels, key=_WORST_LAST.index, default="ok")


def rounded(value: float, digits: int = 3) -> float | None:
    """A number fit for JSON: plain, rounded, and None where it is not finite."""
    return round(float(value), digits) if math.isfinite(value) else None


def counted(reasons: dict[str, int]) -> str:
    """Reasons with their counts in words: "3 pose not finite, 1 no pose"."""
    return ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items(), key=lambda each: -each[1]))
