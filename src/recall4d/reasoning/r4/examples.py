"""Questions and the forms that ask them: those most like a question are shown with it.

A model of a few billion parameters writes a plan by likeness. Examples that stand in the manual are the same for
every question; those shown here are chosen for it, by the words and pairs of words that both have, rare ones
counting more. They are about things that few houses hold, so that what two questions share is how they ask.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from recall4d.reasoning.prompts import prompt_lines

MAX_OF_A_SHAPE = 2
"""Examples shown that ask in the same way with the same keys: more say nothing new."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question, and the form that asks it.

    Attributes:
        question: in English.
        form: a document of `question_form.FlatForm`.
    """

    question: str
    form: Mapping[str, Any]

    @property
    def shape(self) -> str:
        """What it asks and the keys it uses, without what it is about."""
        return json.dumps([self.form["ask"], [sorted(step) for step in self.form["steps"]]])


@cache
def all_examples() -> tuple[Example, ...]:
    """Every example, in the order of the file."""
    return tuple(Example(**json.loads(line)) for line in prompt_lines("examples.jsonl"))


@cache
def example_things() -> frozenset[str]:
    """Words for the things and places that examples are about."""
    keys = [key for example in all_examples() for step in example.form["steps"] for key in (step, *_places(step))]
    said = " ".join(str(key.get(name) or "") for key in keys for name in ("what", "of", "and_of"))
    return frozenset(re.findall(r"[a-z]+", said.lower())) - {"me", "of", "with", "that", "its", "on", "an", "bravo"}


def _places(step: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [step[name] for name in ("where", "and_where") if name in step]


def examples_like(question: str, n: int) -> tuple[Example, ...]:
    """The examples most like a question, the likest last: a model follows best what it has just read.

    Args:
        question: in English; of another language none may be alike.
        n: at most so many.
    """
    weights = _weights()
    wanted = _weighed(question, weights)
    scored = []
    for number, example in enumerate(all_examples()):
        own = _weighed(example.question, weights)
        common = sum(wanted[each] * own[each] for each in wanted.keys() & own.keys())
        if common > 0:
            scored.append((common, -number, example))
    chosen: list[Example] = []
    shapes: Counter[str] = Counter()
    for *_, example in sorted(scored, key=lambda each: each[:2], reverse=True):
        if len(chosen) == n:
            break
        shapes[example.shape] += 1
        if shapes[example.shape] <= MAX_OF_A_SHAPE:
            chosen.append(example)
    return tuple(reversed(chosen))


def _features(question: str) -> list[str]:
    """Its words and pairs of neighbouring words; all numbers count as one word."""
    words = ["^", *re.findall(r"[^\W\d_]+", re.sub(r"\d+(\.\d+)?", " number ", question.lower()))]
    return [*words[1:], *(f"{a} {b}" for a, b in pairwise(words))]


@cache
def _weights() -> Mapping[str, float]:
    """How rare a word or pair is among the examples."""
    seen = Counter(each for example in all_examples() for each in set(_features(example.question)))
    return {each: math.log(1 + len(all_examples()) / n) for each, n in seen.items()}


def _weighed(question: str, weights: Mapping[str, float]) -> dict[str, float]:
    """A vector of length 1 over words and pairs; what no example has counts for the length as if one had it."""
    rarest = math.log(1 + len(all_examples()))
    vector = {each: weights.get(each, rarest) for each in _features(question)}
    length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
    return {each: value / length for each, value in vector.items()}
