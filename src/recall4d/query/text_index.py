"""Entries by what their texts say: `semantic.word_score`, for all entries at once.

Many entries share their words, so words are compared once for each different `Wording`; every word knows the
wordings that say it. `semantic` is the definition, this is the same arithmetic on columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from recall4d.query import semantic, vocabulary
from recall4d.query.plan import SemanticKey
from recall4d.query.semantic import Phrase
from recall4d.query.words import Wording, is_colour, kinds_of, standard_words, wording_of
from recall4d.records import Entry

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_NOWHERE = np.zeros(0, dtype=np.intp)


class TextIndex:
    """Which wordings say which words.

    Attributes:
        code: (n,) for each entry its wording among the different ones.
        size: how many different wordings there are.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        by_text: dict[object, int] = {}
        by_wording: dict[Wording, int] = {}
        codes = []
        for entry in entries:
            text = (entry.category, entry.description, tuple(entry.attributes.items()))
            if text not in by_text:
                said = wording_of(entry.category, entry.description, entry.attributes)
                by_text[text] = by_wording.setdefault(said, len(by_wording))
            codes.append(by_text[text])
        self.code = np.array(codes, dtype=np.intp)
        self.size = len(by_wording)
        self._count = np.bincount(self.code, minlength=self.size)
        self._postings = {
            each.name: _postings(getattr(said, each.name) for said in by_wording) for each in fields(Wording)
        }
        self._any = _postings(said.words for said in by_wording)
        self._coloured = np.array([bool(said.colours) for said in by_wording], dtype=bool)
        self._holds = self._saying("heads", vocabulary.MEASURES) | self._saying("measures", vocabulary.MEASURES)

    def share_of(self, wordings: Flags) -> float:
        """Share of the entries that have one of the wordings (size,)."""
        return float(self._count @ wordings) / max(len(self.code), 1)

    def word_scores(self, phrase: Phrase) -> tuple[Floats, Flags]:
        """`semantic.word_score` of every wording: (size,) scores, and (size,) whether it contradicts."""
        total = 0.0
        gained = np.zeros(self.size)
        factor = np.ones(self.size)
        contradicted = np.zeros(self.size, dtype=bool)
        if phrase.heads:
            head = self._head_scores(phrase)
            total, gained = semantic.HEAD_WEIGHT, semantic.HEAD_WEIGHT * head
            factor[head == 0.0] = semantic.HEADLESS
        for term, weight in phrase.terms:
            total += weight
            gained[self._mentioning(term)] += weight
        for colour in phrase.colours:
            total += semantic.WORD_WEIGHT
            share = self._colour_shares(colour)
            gained += semantic.WORD_WEIGHT * share
            contradicted |= share == 0.0
        for noun, wanted, row in phrase.types:
            others = self._saying("modifiers", row) | self._saying("spelled", row)
            same = self._saying("modifiers", wanted) | self._saying("spelled", wanted)
            contradicted |= self._saying("heads", [noun]) & others & ~same
        scores = gained / total if total else np.ones(self.size)
        return np.round(scores * factor * np.where(contradicted, semantic.CONTRADICTED, 1.0), 6), contradicted

    def allowed(self, key: SemanticKey) -> Flags:
        """(size,) which wordings say all attributes and none of what must not be said."""
        allowed = np.ones(self.size, dtype=bool)
        for text in key.attributes:
            allowed &= self._fitting(text)
        for text in key.without:
            allowed &= ~self._fitting(text)
        return allowed

    def _fitting(self, text: str) -> Flags:
        """`semantic.fits` of every wording."""
        fitting = np.ones(self.size, dtype=bool)
        for word in standard_words(text):
            if is_colour(word):
                close = self._saying("colours", semantic.close_colours(word))
                fitting &= (
                    self._saying("colours", [word]) | close | (~self._coloured & self._saying("parts", [word]))
                )
            else:
                fitting &= self._mentioning(word)
        return fitting

    def _head_scores(self, phrase: Phrase) -> Floats:
        """How well wordings are named by any of the phrase's heads."""
        score = np.zeros(self.size)
        for head in phrase.heads:
            modifying = self._saying("modifiers", [head])
            named = self._saying("heads", [head]) | self._saying("measures", [head])
            kinds = kinds_of(head)
            named_by_kind = self._saying("heads", kinds) | self._saying("measures", kinds)
            part = self._saying("parts", [head]) | self._saying("likenesses", [head]) | (self._holds & modifying)
            one = np.where(modifying | self._saying("spelled", [head]), semantic.AS_MODIFIER, 0.0)
            one[part] = semantic.AS_PART
            one[named_by_kind] = semantic.AS_KIND
            one[named] = 1.0
            score = np.maximum(score, one)
        alike = self._saying("likenesses", phrase.likenesses) | self._saying("heads", phrase.likenesses)
        return np.where(alike, 1.0, score)

    def _colour_shares(self, colour: str) -> Floats:
        """How well wordings are of a colour; 0 contradicts."""
        share = np.where(~self._coloured & self._saying("parts", [colour]), semantic.AS_PART, 0.0)
        share[self._saying("colours", semantic.close_colours(colour))] = semantic.CLOSE_COLOUR
        share[self._saying("colours", [colour])] = 1.0
        return share

    def _mentioning(self, word: str) -> Flags:
        """Wordings that say a word or a kind of it anywhere."""
        return _flags(self.size, (self._any.get(each, _NOWHERE) for each in (word, *kinds_of(word))))

    def _saying(self, field: str, words: Iterable[str]) -> Flags:
        """Wordings that say any of the words in one of their fields."""
        postings = self._postings[field]
        return _flags(self.size, (postings.get(word, _NOWHERE) for word in words))


def _flags(size: int, postings: Iterable[NDArray[np.intp]]) -> Flags:
    flags = np.zeros(size, dtype=bool)
    for where in postings:
        flags[where] = True
    return flags


def _postings(sets: Iterable[frozenset[str]]) -> dict[str, NDArray[np.intp]]:
    """For each word the positions of the sets that hold it."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for at, words in enumerate(sets):
        for word in words:
            found[word].append(at)
    return {word: np.array(where, dtype=np.intp) for word, where in found.items()}
