"""The words of a sentence as edges of the chart: every meaning each word or phrase may have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recall4d.query.english.chart import Edge
from recall4d.query.english.lexicon import (
    ADJECTIVES,
    FILLERS,
    FUNCTION_WORDS,
    UNITS_OF_LENGTH,
    UNITS_OF_TIME,
    longest_phrase,
    phrases,
    verb_forms,
)
from recall4d.query.english.tokens import Token, sentences

_ONES = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
    )
}
_TENS = {
    word: 10 * (i + 2) for i, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
}
_SCALES = {"hundred": 100, "thousand": 1000}
_FIXED: dict[tuple[str, ...], float] = {
    ("half", "a"): 0.5, ("half", "an"): 0.5, ("a", "half"): 0.5, ("a", "couple", "of"): 2, ("a", "couple"): 2,
    ("a", "pair", "of"): 2, ("a", "dozen"): 12, ("half", "a", "dozen"): 6, ("both",): 2, ("both", "the"): 2,
    ("both", "of", "the"): 2, ("a", "quarter", "of", "a"): 0.25, ("one", "and", "a", "half"): 1.5,
    ("a", "single"): 1, ("a", "hundred"): 100, ("three", "quarters", "of", "a"): 0.75, ("the", "only"): 1,
}  # fmt: skip

_NEVER_NAMES = frozenset(
    ["the", "a", "an", "of", "to", "and", "or", "is", "are", "was", "were", "am", "be", "been", "being", "do", "does", "did", "has", "have", "had", "can", "could", "should", "would", "will", "might", "may", "must", "shall", "not", "i", "me", "my", "we", "us", "our", "you", "your", "it", "its", "they", "them", "their", "this", "that", "these", "those", "there", "here", "where", "when", "who", "whom", "what", "which", "how", "whose", "'s", "in", "on", "at", "by", "with", "for", "from", "into", "onto", "than", "as", "if", "but", "so", "any", "some", "no", "every", "each", "all", "both", "between", "under", "behind", "above", "below", "near", "within", "without", "during", "since", "until", "before", "after", "while", "because", "ago", "now", "then", "next", "moment", "moments", "instant", "instants", "time", "times"]
)
"""Words that are not part of a thing's name."""

_NEVER_NAME_SYMBOLS = frozenset(
    ["COMPARATIVE", "SUPERLATIVE", "SEENORDER", "PRONOUN", "NOBODY", "NOW", "SOFAR", "EARLIER", "RECENTLY", "AFTERWARDS", "AGO", "ADVERB", "MODAL"]
)
"""Neither are words that have one of these symbols."""

_COST_OF_KNOWN_WORD = 0.8
"""For reading a word as a name although the lexicon knows it as something else ("left", "stand", "label")."""


def edges(tokens: Sequence[Token], agents: Sequence[str]) -> list[Edge]:
    """Edges over the tokens of one sentence; `agents` are names of agents."""
    words = tuple(token.word for token in tokens)
    found = [Edge(f"'{word}'", index, index + 1, word) for index, word in enumerate(words)]
    found += _phrases(words)
    found += _numbers(tokens)
    found += _names_of_agents(words, agents)
    for index, token in enumerate(tokens):
        found += _single(token, index)
    return found


def skip_cost(token: Token) -> float:
    """What it costs to leave a token out: nothing for a filler, much for a word that may matter."""
    if token.kind == "comma" or token.word in FILLERS:
        return 0.0
    return 3.0 if token.word in _NEVER_NAMES else 6.0


def matters(token: Token) -> bool:
    """Whether an answer may depend on the token."""
    return token.kind != "comma" and token.word not in FILLERS


def _phrases(words: tuple[str, ...]) -> Iterator[Edge]:
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + longest_phrase()) + 1):
            span = words[start:end]
            for symbol, value in phrases().get(span, ()):
                yield Edge(symbol, start, end, value)
                if symbol == "PREP":
                    yield Edge("P", start, end, " ".join(span))
            for verb in verb_forms().get(span, ()):
                yield Edge("VERB", start, end, verb, 0.05 if end - start == 1 else 0.0)


def _numbers(tokens: Sequence[Token]) -> Iterator[Edge]:
    words = tuple(token.word for token in tokens)
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + 4) + 1):
            value = number(words[start:end])
            if value is not None:
                yield Edge("NUM", start, end, value)


def number(words: tuple[str, ...]) -> float | None:
    """The number that words say: ("twenty", "five") is 25; None if they are not one number."""
    if words in _FIXED:
        return _FIXED[words]
    if len(words) == 1 and words[0].replace(".", "", 1).isdigit():
        return float(words[0])
    total, last = 0.0, 1000.0
    for word in (part for each in words for part in each.split("-")):
        if word in _SCALES and total > 0 and last < 100:
            total, last = total * _SCALES[word], float(_SCALES[word])
        elif word in _TENS and last >= 100:
            total, last = total + _TENS[word], 10.0
        elif word in _ONES and (last >= 100 or (last == 10 and _ONES[word] < 10)):
            total, last = total + _ONES[word], 1.0
        else:
            return None
    return total


def _names_of_agents(words: tuple[str, ...], agents: Sequence[str]) -> Iterator[Edge]:
    for agent in agents:
        name = tuple(token.word for sentence in sentences(agent) for token in sentence)
        for start in range(len(words) - len(name) + 1):
            if name and words[start : start + len(name)] == name:
                yield Edge("AGENTNAME", start, start + len(name), agent)


def _single(token: Token, index: int) -> Iterator[Edge]:
    word, end = token.word, index + 1
    if token.kind in ("quoted", "clock"):
        yield Edge(token.kind.upper(), index, end, word)
    if token.kind != "word":
        return
    is_unit = word in UNITS_OF_LENGTH or word in UNITS_OF_TIME or (word == "in" and token.attached)
    if is_unit:
        if word == "in" or word in UNITS_OF_LENGTH:
            yield Edge("UNIT_L", index, end, UNITS_OF_LENGTH.get(word, 0.0254))
        if word in UNITS_OF_TIME:
            yield Edge("UNIT_T", index, end, UNITS_OF_TIME[word])
    if word in ADJECTIVES:
        yield Edge("ADJ", index, end, word)
    if word not in FUNCTION_WORDS:
        yield Edge("ANYWORD", index, end, word)
    symbols = {symbol for symbol, _ in phrases().get((word,), ())}
    if word not in _NEVER_NAMES and not symbols & _NEVER_NAME_SYMBOLS:
        known = bool(symbols) or (word,) in verb_forms() or is_unit or word in FILLERS
        yield Edge("WORD", index, end, word, _COST_OF_KNOWN_WORD if known else 0.1)
