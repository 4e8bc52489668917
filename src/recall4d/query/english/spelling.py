"""Slips of the keyboard: a word nobody knows that is one slip away from exactly one word that is known.

Two letters swapped in a word of four or more; one letter missing, wrong or too many in a word of seven or more, and
never the first. Words in -ing are left alone: verbs may be made of any noun. Shorter words have too many
neighbours: a fork is no work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from string import ascii_lowercase

from recall4d.query import vocabulary
from recall4d.query.english.lexicon import (
    ADJECTIVES,
    CLOSINGS,
    EMPTY_WORDS,
    FILLERS,
    JUDGING,
    WRAPPERS,
    phrases,
    verb_forms,
)
from recall4d.query.english.tokens import Token
from recall4d.query.morphology import singular

SWAPPED_FROM, EDITED_FROM = 4, 7
"""Least number of letters of a word in which two may be swapped, and one may be missing or wrong."""


def corrected(tokens: list[Token], held: frozenset[str]) -> list[Token]:
    """The tokens with slips mended.

    Args:
        tokens: of one sentence.
        held: words of what memory holds, singular, lower case.
    """
    known = known_words() | held
    return [replace(token, word=_mended(token.word, known)) if token.kind == "word" else token for token in tokens]


def _mended(word: str, known: frozenset[str]) -> str:
    if len(word) < SWAPPED_FROM or not word.isascii() or not word.isalpha():
        return word
    stems = (word, singular(word), word.removesuffix("es"), word.removesuffix("s"))
    if known.intersection(stems) or word.endswith("ing"):
        return word
    near = {each for each in _one_slip_away(word) if each in known or each.removesuffix("s") in known}
    near = {each for each in near if each.endswith("ed") <= word.endswith("ed")}  # a stapler is not stapled
    return near.pop() if len(near) == 1 else word


def _one_slip_away(word: str) -> Iterator[str]:
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if len(word) < EDITED_FROM:
        return
    for at in range(1, len(word) + 1):
        yield word[:at] + word[at + 1 :]
        for letter in ascii_lowercase:
            yield word[:at] + letter + word[at:]
            yield word[:at] + letter + word[at + 1 :]


@cache
def known_words() -> frozenset[str]:
    """Every word that the grammar or the vocabulary knows."""
    spelled = chain.from_iterable(chain(phrases(), verb_forms(), WRAPPERS, CLOSINGS, JUDGING))
    listed = (*vocabulary.SYNONYMS, *vocabulary.KINDS, *vocabulary.KINDS.values(), *vocabulary.COLOURS,
              *vocabulary.COLOURS.values(), *vocabulary.EXCLUSIVE, *vocabulary.EXCLUSIVE.values())  # fmt: skip
    named = (word for text in listed for word in text.replace("|", " ").split())
    sets = (ADJECTIVES, EMPTY_WORDS, FILLERS, vocabulary.WEAK, vocabulary.GENERIC, vocabulary.MEASURES,
            vocabulary.STOPWORDS, vocabulary.BREAKS)  # fmt: skip
    return frozenset(chain(spelled, named, *sets))
