"""From a question to clauses: the cheapest chain of phrases the grammar finds in each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from recall4d.query.english.chart import Chart, Edge, parse
from recall4d.query.english.grammar import GRAMMAR
from recall4d.query.english.lexicon import CLOSINGS, EMPTY_WORDS, JUDGING, WRAPPERS
from recall4d.query.english.phrases import Clause, NounPhrase, Period, Relation, Viewpoint, Word
from recall4d.query.english.spelling import corrected
from recall4d.query.english.tokens import MAX_TOKENS, Token, sentences
from recall4d.query.english.words import edges, matters, skip_cost

PIECES = {"q": 0.0, "decl": 2.0, "period": 1.0, "view": 1.0, "rel": 1.0, "word": 1.0, "group": 1.0, "np": 4.0}
"""What may stand alone in a sentence, and what it costs to stand alone."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence.

    Attributes:
        questions: asked clauses, as a rule one.
        statements: told clauses.
        phrases: noun phrases that belong to neither.
        alternatives: what to choose from: "..., the mug or the cup?".
        periods, viewpoints, places, words: times, viewpoints, relations and adverbs that belong to neither.
        unread: words left over.
        chart, tokens: what it was read from.
    """

    questions: tuple[Clause, ...] = ()
    statements: tuple[Clause, ...] = ()
    phrases: tuple[NounPhrase, ...] = ()
    alternatives: tuple[NounPhrase, ...] = ()
    periods: tuple[Period, ...] = ()
    viewpoints: tuple[Viewpoint, ...] = ()
    places: tuple[Relation, ...] = ()
    words: tuple[Word, ...] = ()
    unread: tuple[str, ...] = ()
    chart: Chart = field(default=Chart(0, {}), repr=False, compare=False)
    tokens: tuple[Token, ...] = field(default=(), repr=False, compare=False)

    def written(self, part: object) -> str | None:
        """The words that mean a part of the sentence; None where no words of it do."""
        found = (edge for edges in self.chart.starting.values() for edge in edges if edge.value == part)
        edge = next(found, None)
        return None if edge is None else " ".join(token.text for token in self.tokens[edge.start : edge.end])


def read(question: str, agents: Sequence[str] = (), held: frozenset[str] = frozenset()) -> list[Reading]:
    """The readings of the sentences of a question, in order.

    Args:
        question: in English.
        agents: names of agents.
        held: words of what memory holds, for slips of the keyboard.
    """
    named = held.union(token.word for agent in agents for sentence in sentences(agent) for token in sentence)
    return [read_sentence(corrected(tokens, named), agents) for tokens in sentences(question)]


def read_sentence(tokens: list[Token], agents: Sequence[str] = ()) -> Reading:
    """The cheapest reading of one sentence."""
    tokens = [token for token in tokens if token.word not in EMPTY_WORDS]
    tokens = without_wrapper(without_closing(without_judging(tokens)))
    if len(tokens) > MAX_TOKENS:
        return Reading(unread=tuple(token.text for token in tokens))
    chart = parse(GRAMMAR, len(tokens), edges(tokens, agents))
    pieces = chart.cover(PIECES, [skip_cost(token) for token in tokens])
    covered = {index for piece in pieces for index in range(piece.start, piece.end)}
    return Reading(
        questions=_values(pieces, "q"),
        statements=_values(pieces, "decl"),
        phrases=_values(pieces, "np"),
        alternatives=_values(pieces, "group"),
        periods=_values(pieces, "period"),
        viewpoints=_values(pieces, "view"),
        places=_values(pieces, "rel"),
        words=_values(pieces, "word"),
        unread=tuple(t.text for index, t in enumerate(tokens) if index not in covered and matters(t)),
        chart=chart,
        tokens=tuple(tokens),
    )


def without_wrapper(tokens: list[Token]) -> list[Token]:
    """The sentence without "could you tell me", "do you know" and the like before it."""
    while True:
        words = tuple(token.word for token in tokens)
        skipped = next((n for n in range(len(words)) if matters(tokens[n])), len(words))
        wrapper = max((p for p in WRAPPERS if words[skipped : skipped + len(p)] == p), key=len, default=())
        if not wrapper or skipped + len(wrapper) >= len(words):
            return tokens
        tokens = tokens[skipped + len(wrapper) :]
        while len(tokens) > 1 and (tokens[0].kind == "comma" or tokens[0].word in ("if", "whether", "that")):
            tokens = tokens[1:]


def without_closing(tokens: list[Token]) -> list[Token]:
    """The sentence without "would you", "for me" and the like after it."""
    while True:
        words = tuple(token.word for token in tokens if token.kind != "comma")
        closing = max((each for each in CLOSINGS if words[-len(each) :] == each), key=len, default=())
        if not closing or len(closing) >= len(words):
            return tokens
        left = len(closing)
        while left > 0 or tokens[-1].kind == "comma":
            left -= tokens[-1].kind != "comma"
            tokens = tokens[:-1]


def without_judging(tokens: list[Token]) -> list[Token]:
    """The sentence without "judging by what you have seen": up to a comma at its front, from a comma at its end."""
    words = [token.word for token in tokens]
    starts = [at for at in range(len(words) - 1) if (words[at], words[at + 1]) in JUDGING]
    if not starts:
        return tokens
    commas = [at for at, token in enumerate(tokens) if token.kind == "comma"]
    at = starts[0]
    if at == 0 and commas:
        return tokens[commas[0] + 1 :]
    return tokens[:at] if at - 1 in commas and not any(comma > at for comma in commas) else tokens


def _values(pieces: list[Edge], symbol: str) -> tuple:  # type: ignore[type-arg]
    return tuple(piece.value for piece in pieces if piece.symbol == symbol)
