"""Multiple choice: the option that an open answer agrees with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recall4d.query.answers.base import Reply
from recall4d.query.words import standard_words
from recall4d.units import parse_length_m

_LABEL = re.compile(r"^\s*\(?([A-Za-z])[).:]\s*(.*)$", re.DOTALL)


def choose(reply: Reply, choices: Sequence[str]) -> Reply:
    """The reply with the letter of the option it agrees with; an abstention where none or several do."""
    options = options_of(choices)
    if reply.abstained:
        return replace(reply, type="choice")
    scored = sorted(((_agreement(reply, text), letter) for letter, text in options), key=lambda each: -each[0])
    best = scored[0]
    if best[0] <= 0.0 or (len(scored) > 1 and scored[1][0] >= best[0]):
        return replace(reply, value=None, type="choice", text=f"No option agrees clearly. {reply.text}")
    return replace(reply, value=best[1], type="choice", unit=None)


def options_of(choices: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Letter and text of every option: the letters they carry, else A, B, C, ..."""
    return tuple(_option(index, text) for index, text in enumerate(choices))


def _option(index: int, text: str) -> tuple[str, str]:
    labelled = _LABEL.match(text)
    return (labelled.group(1).upper(), labelled.group(2)) if labelled else (chr(ord("A") + index), text)


def _agreement(reply: Reply, option: str) -> float:
    """How well an option agrees: numbers by nearness, yes and no by themselves, else by shared words."""
    value = reply.value
    words = standard_words(option)
    if isinstance(value, bool):
        said = {"yes": True, "true": True, "no": False, "false": False}
        found = {said[word] for word in re.findall(r"[a-z]+", option.lower()) if word in said}
        return 1.0 if found == {value} else 0.0
    if isinstance(value, int | float):
        number = _number(option)
        return 0.0 if number is None else 1.0 / (1.0 + abs(number - value))
    told = standard_words(f"{value} {reply.text}" if isinstance(value, str) else reply.text)
    return len(words & told) / len(words) if words else 0.0


def _number(option: str) -> float | None:
    match = re.search(r"-?\d+(?:\.\d+)?\s*[a-z]*", option.lower())
    if match is None:
        return None
    length = parse_length_m(match.group().strip())
    return length if length is not None else float(re.match(r"-?\d+(?:\.\d+)?", match.group()).group())  # type: ignore[union-attr]
