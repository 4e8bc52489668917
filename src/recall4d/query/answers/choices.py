"""Multiple choice: the option that an open answer agrees with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recall4d.query.answers.base import Reply
from recall4d.query.english.numbers import number
from recall4d.query.words import standard_words
from recall4d.units import parse_length_m

NEAR_SHARE, NEAR = 0.25, 0.3
"""An option agrees with a measured number, or does not: it is off by less than this share of it, or than this."""

_LABEL = re.compile(r"^\s*\(?([A-Za-z])[).:]\s*(.*)$", re.DOTALL)


def choose(reply: Reply, choices: Sequence[str]) -> Reply:
    """The reply with the letter of the option it agrees with; an abstention where none or several do."""
    options = options_of(choices)
    if reply.abstained:
        return replace(reply, type="choice", confidence=None)
    scored = sorted(
        ((_agreement(reply, text), letter, text) for letter, text in options), key=lambda each: -each[0]
    )
    agreement, letter, option = scored[0]
    if agreement <= 0.0 or (len(scored) > 1 and scored[1][0] >= agreement):
        text = f"No option agrees clearly. {reply.text}"
        return replace(reply, value=None, type="choice", text=text, confidence=None)
    return replace(reply, value=letter, type="choice", unit=None, text=f"{letter}: {option}. {reply.text}")


def options_of(choices: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Letter and text of every option: the letters they carry, else A, B, C, ..."""
    return tuple(_option(index, text) for index, text in enumerate(choices))


def _option(index: int, text: str) -> tuple[str, str]:
    labelled = _LABEL.match(text)
    return (labelled.group(1).upper(), labelled.group(2)) if labelled else (chr(ord("A") + index), text)


def _agreement(reply: Reply, option: str) -> float:
    """How well an option agrees: numbers by nearness, yes and no by themselves, else by shared words."""
    value = reply.value
    if isinstance(value, bool):
        said = {"yes": True, "true": True, "no": False, "false": False}
        found = {said[word] for word in re.findall(r"[a-z]+", option.lower()) if word in said}
        return 1.0 if found == {value} else 0.0
    if isinstance(value, int | float) and (offered := _number(option)) is not None:
        off = abs(offered - value)
        near = 0.0 if isinstance(value, int) else max(NEAR_SHARE * abs(value), NEAR)
        return 1.0 / (1.0 + off) if off <= near else 0.0
    # A number in a sentence is mostly not what was asked: "last seen at 2 min".
    words = {word for word in standard_words(option) if not word.replace(".", "").isdigit()}
    told = standard_words(f"{value} {reply.text}" if isinstance(value, str) else reply.text)
    return len(words & told) / len(words) if words else 0.0


def _number(option: str) -> float | None:
    """The number that an option begins with or holds, lengths in metres; "no mugs" is 0."""
    match = re.search(r"-?\d+(?:\.\d+)?\s*[a-z]*", option.lower())
    if match is not None:
        length = parse_length_m(match.group().strip())
        return length if length is not None else float(re.match(r"-?\d+(?:\.\d+)?", match.group()).group())  # type: ignore[union-attr]
    words = re.findall(r"[a-z-]+", option.lower())
    if words[:1] in (["no"], ["none"]):
        return 0.0
    return next((value for word in words if (value := number((word,))) is not None), None)
