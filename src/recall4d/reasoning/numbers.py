"""Which numbers of a text the evidence supports.

A model is good at words and bad at arithmetic. A number that it writes must stand in what memory computed or
showed, as it is or in another unit, rounded as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORDS = {
    word: float(value)
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split(),
        start=2,
    )
}
""""One" is left out: it is a pronoun more often than a number."""

_NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:\.\d+)?(?![\w]*[A-Za-z]\d)|\b[a-z]+\b", re.IGNORECASE)

_SCALES = (1.0, 100.0, 1000.0, 0.01, 0.001, 60.0, 1.0 / 60.0)
"""Metres and centimetres and millimetres, minutes and seconds."""


def unsupported_numbers(text: str, supports: Iterable[str]) -> tuple[str, ...]:
    """The numbers in `text`, as written, that no text among `supports` contains.

    Args:
        text: what a model wrote.
        supports: the question, the evidence, what memory computed.
    """
    known = {value for each in supports for _, value, _ in numbers_in(each)}
    scaled = {value * scale for value in known for scale in _SCALES}
    return tuple(
        written
        for written, value, step in numbers_in(text)
        if not any(abs(abs(value) - abs(other)) <= 0.5 * step + 1e-9 for other in scaled)
    )


def numbers_in(text: str) -> list[tuple[str, float, float]]:
    """Numbers as written, their values, and the unit of their last digit; small ones also as words."""
    found: list[tuple[str, float, float]] = []
    for match in _NUMBER.finditer(text):
        written = match.group()
        word = written.lower()
        if word in _WORDS:
            found.append((written, _WORDS[word], 0.0))
        elif not word[-1].isalpha():
            decimals = len(written.partition(".")[2])
            found.append((written, float(written.replace("−", "-")), 10.0**-decimals))
    return found
