"""The words of a sentence as edges of the chart: every meaning each word or phrase may have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from recall4d.query.english.chart import Edge
from recall4d.query.english.lexicon import (
    ADJECTIVES,
    FILLERS,
    UNITS_OF_LENGTH,
    UNITS_OF_TIME,
    longest_phrase,
    phrases,
    verb_forms,
)
from recall4d.query.english.lexicon.sets import words as set_of
from recall4d.query.english.numbers import number
from recall4d.query.english.tokens import Token, sentences
from recall4d.query.morphology import singular
from recall4d.query.words import standard_of

_NEVER_NAMES = set_of(
    "the a an of to and or is are was were am be been being do does did has have had could should would will might "
    "may must shall not i me my we us our you your it its they them their this that these those there here where "
    "when who whom what which how whose why 's in on at by with for from into onto than as if but so any some no "
    "every each all both between under behind above below near within without during since until before after "
    "while because more most less fewer ago now then next moment moments instant instants time times day days"
)
"""Words that are not part of a thing's name."""

_NEVER_NAME_SYMBOLS = set_of(
    "COMPARATIVE SUPERLATIVE SEENORDER PRONOUN ANYONE NOW SOFAR EARLIER RECENTLY AGO ADVERB DAYTIME"
)
"""Neither are words that have one of these symbols."""

NAME, COMPOUND, KNOWN, VERBLIKE, LETTER = 0.1, 0.05, 0.8, 1.5, 0.3
"""What it costs to read a word as a name: an unknown one, a compound such as "trash can", one that the lexicon
knows as something else ("left", "stand", "label"), an auxiliary ("can"), a capital letter ("rack A")."""


def edges(tokens: Sequence[Token], agents: Sequence[str]) -> list[Edge]:
    """Edges over the tokens of one sentence; `agents` are names of agents."""
    words = tuple(token.word for token in tokens)
    found = [Edge(f"'{word}'", index, index + 1, word) for index, word in enumerate(words)]
    found += _spans(words)
    found += _names_of_agents(words, agents)
    for index, token in enumerate(tokens):
        found += _single(token, index)
    return found


def skip_cost(token: Token) -> float:
    """What it costs to leave a token out: nothing for a filler, much for a word that may matter."""
    if not matters(token):
        return 0.0
    return 3.0 if token.word in _NEVER_NAMES else 6.0


def matters(token: Token) -> bool:
    """Whether an answer may depend on the token."""
    return token.kind != "comma" and token.word not in FILLERS


def _spans(words: tuple[str, ...]) -> Iterator[Edge]:
    """Phrases, verbs, numbers and compound names over one word or more."""
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + longest_phrase()) + 1):
            span = words[start:end]
            for symbol, value in phrases().get(span, ()):
                yield Edge(symbol, start, end, value)
                if symbol == "PREP":
                    yield Edge("P", start, end, " ".join(span))
            for verb in verb_forms().get(span, ()):
                yield Edge("VERB", start, end, verb, 0.05 if end - start == 1 else 0.0)
            if (amount := number(span)) is not None:
                yield Edge("NUM", start, end, amount)
            if len(span) > 1 and tuple(map(singular, span)) in _compounds():
                yield Edge("WORD", start, end, " ".join(span), COMPOUND)


@cache
def _compounds() -> frozenset[tuple[str, ...]]:
    """Names of things in several words."""
    return frozenset(tuple(name.split()) for name in standard_of() if " " in name)


def _names_of_agents(words: tuple[str, ...], agents: Sequence[str]) -> Iterator[Edge]:
    for agent in agents:
        name = tuple(token.word for sentence in sentences(agent) for token in sentence)
        for start in range(len(words) - len(name) + 1):
            if name and words[start : start + len(name)] == name:
                yield Edge("AGENTNAME", start, start + len(name), agent)


def _single(token: Token, index: int) -> Iterator[Edge]:
    """Units, adjectives, quotations and names of one word."""
    word, end = token.word, index + 1
    if token.kind in ("quoted", "clock"):
        yield Edge(token.kind.upper(), index, end, word)
    if token.kind != "word":
        return
    inch = word == "in" and token.attached
    if inch or word in UNITS_OF_LENGTH:
        yield Edge("UNIT_L", index, end, 0.0254 if inch else UNITS_OF_LENGTH[word])
    if word in UNITS_OF_TIME:
        yield Edge("UNIT_T", index, end, UNITS_OF_TIME[word])
    if word in ADJECTIVES:
        yield Edge("ADJ", index, end, word)
    yield Edge("ANYWORD", index, end, word)
    if index > 0 and len(token.text) > 1 and token.text.istitle() and not token.text.isupper():
        yield Edge("WORD", index, end, word, LETTER)  # part of a name, whatever else it means: "Being Mobile"
    if len(token.text) == 1 and token.text.isupper() and word != "i" and index > 0:
        yield Edge("WORD", index, end, word, LETTER)
        return
    symbols = {symbol for symbol, _ in phrases().get((word,), ())}
    if word not in _NEVER_NAMES and not symbols & _NEVER_NAME_SYMBOLS:
        known = symbols or (word,) in verb_forms() or word in FILLERS or word in UNITS_OF_LENGTH | UNITS_OF_TIME
        yield Edge("WORD", index, end, word, VERBLIKE if "MODAL" in symbols else KNOWN if known else NAME)
