"""The words of the grammar, as data, and how to look them up.

Nouns are open: any word that is none of these may name a thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from recall4d.query import vocabulary
from recall4d.query.english.lexicon.function_words import FUNCTION_WORDS
from recall4d.query.english.lexicon.sets import words
from recall4d.query.english.lexicon.verbs import VERBS, VerbClass
from recall4d.query.english.lexicon.wrappers import CLOSINGS, EMPTY_WORDS, FILLERS, JUDGING, WRAPPERS
from recall4d.query.morphology import inflections
from recall4d.units import METRES_PER_UNIT, SECONDS_PER_UNIT

__all__ = [
    "ADJECTIVES",
    "CLOSINGS",
    "EMPTY_WORDS",
    "FILLERS",
    "FUNCTION_WORDS",
    "JUDGING",
    "UNITS_OF_LENGTH",
    "UNITS_OF_TIME",
    "WORDS_OF_PLACE_OR_ORDER",
    "WRAPPERS",
    "Verb",
    "longest_phrase",
    "phrases",
    "verb_forms",
]

Form = Literal["base", "third", "past", "participle", "ing"]
FORMS: tuple[Form, ...] = ("base", "third", "past", "participle", "ing")

_COLOURS = frozenset(word for colour, names in vocabulary.COLOURS.items() for word in (colour, *names.split("|")))
WORDS_OF_PLACE_OR_ORDER = words(
    "left right upper lower middle front back rear top bottom first second third last other another same single "
    "double whole certain main standing hanging lying open closed"
)
ADJECTIVES = (vocabulary.ADJECTIVES | _COLOURS) - WORDS_OF_PLACE_OR_ORDER
"""Words that may be said of a thing on their own: "is it red?"."""

UNITS_OF_LENGTH = {unit: metres for unit, metres in METRES_PER_UNIT.items() if unit != "in"} | {
    "step": 0.75, "steps": 0.75, "pace": 0.75, "paces": 0.75,
}  # fmt: skip
"""Metres in each; "in" is a preposition unless a number stands right before it."""

UNITS_OF_TIME = dict(SECONDS_PER_UNIT)
"""Seconds in each."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb in one of its forms."""

    kind: VerbClass
    form: Form
    lemma: str


@cache
def verb_forms() -> dict[tuple[str, ...], tuple[Verb, ...]]:
    """Every inflected form of every verb, as words."""
    forms: dict[tuple[str, ...], list[Verb]] = {}
    for kind, verbs in VERBS.items():
        for written in verbs.split("|"):
            given = written.split("/")
            head, _, particle = given[0].partition(" ")
            every = given if len(given) == len(FORMS) else [f"{form} {particle}" for form in inflections(head)]
            for name, form in zip(FORMS, every, strict=True):
                verb = Verb(kind, name, given[0])
                known = forms.setdefault(tuple(form.split()), [])
                if verb not in known:
                    known.append(verb)
    return {spelled: tuple(found) for spelled, found in forms.items()}


@cache
def phrases() -> dict[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Every word and phrase of `FUNCTION_WORDS` with its (symbol, value) pairs."""
    found: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for symbol, values in FUNCTION_WORDS.items():
        for value, written in values.items():
            for phrase in written.split("|"):
                found.setdefault(tuple(phrase.split()), []).append((symbol, value))
    return {spelled: tuple(pairs) for spelled, pairs in found.items()}


@cache
def longest_phrase() -> int:
    """Most words in any phrase or verb."""
    return max(map(len, (*phrases(), *verb_forms())))
