"""Entries by what their texts say: `semantic.word_score` for those that can match, without looking at the others.

Many entries share their words, so words are compared once for each different `Wording`; every word knows the
wordings that say it. A phrase is then compared with the wordings that say one of its words: all others score 0.
`semantic` is the definition, this is the same arithmetic on columns.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.memory.entry_columns import EntryColumns, Strings
from recall4d.query import semantic, vocabulary
from recall4d.query.plan import SemanticKey
from recall4d.query.semantic import Phrase
from recall4d.query.words import Wording, is_colour, kinds_of, standard_words, wording_of

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int32]
"""Numbers of wordings, ascending."""

FIELDS = tuple(each.name for each in fields(Wording))
ANYWHERE = "anywhere"

_NOWHERE = np.zeros(0, dtype=np.int32)


class TextIndex:
    """Which wordings say which words.

    Attributes:
        of_said: (t,) for each row of `EntryColumns.said` its wording among the different ones.
        size: how many different wordings there are.
    """

    def __init__(self, of_said: NDArray[np.int32], size: int, postings: Mapping[str, Postings]) -> None:
        self.of_said = of_said
        self.size = size
        self._postings = postings

    @classmethod
    def of(cls, columns: EntryColumns) -> TextIndex:
        """Read the texts of entries."""
        strings = columns.strings.all()
        by_wording: dict[Wording, int] = {}
        codes = []
        for category, description, attributes in columns.said.tolist():
            said = wording_of(
                None if category < 0 else strings[category], strings[description], json.loads(strings[attributes])
            )
            codes.append(by_wording.setdefault(said, len(by_wording)))
        postings = {name: Postings.of(getattr(said, name) for said in by_wording) for name in FIELDS}
        postings[ANYWHERE] = Postings.of(said.words for said in by_wording)
        return cls(np.array(codes, dtype=np.int32), len(by_wording), postings)

    def matching(self, phrase: Phrase) -> Codes:
        """All wordings that can score `semantic.MIN_WORDS` or more, and some others."""
        heads = _merged(self._naming(phrase))
        total = self._total(phrase)
        most_without = semantic.HEADLESS * (total - semantic.HEAD_WEIGHT) / max(total, 1.0)
        if phrase.heads and most_without < semantic.MIN_WORDS:
            return heads
        return _merged([heads, *self._saying_more(phrase)])

    def touched(self, phrase: Phrase) -> Codes:
        """All wordings that can score more than 0, and some others."""
        return _merged([*self._naming(phrase), *self._saying_more(phrase)])

    def word_scores(self, phrase: Phrase, codes: Codes) -> tuple[Floats, Flags]:
        """`semantic.word_score` of wordings (k,): scores (k,), and (k,) whether each contradicts."""
        if len(codes) == 0:
            return np.zeros(0), np.zeros(0, dtype=bool)
        total = self._total(phrase)
        gained = np.zeros(len(codes))
        factor = np.ones(len(codes))
        contradicted = np.zeros(len(codes), dtype=bool)
        if phrase.heads:
            head = self._head_scores(phrase, codes)
            gained = semantic.HEAD_WEIGHT * head
            factor[head == 0.0] = semantic.HEADLESS
        for term, weight in phrase.terms:
            gained[self._mentioning(term, codes)] += weight
        for colour in phrase.colours:
            share = self._colour_shares(colour, codes)
            gained += semantic.WORD_WEIGHT * share
            contradicted |= share == 0.0
        for noun, wanted, row in phrase.types:
            others = self._saying("modifiers", row, codes) | self._saying("spelled", row, codes)
            same = self._saying("modifiers", wanted, codes) | self._saying("spelled", wanted, codes)
            contradicted |= self._saying("heads", [noun], codes) & others & ~same
        for wanted, opposite in phrase.sizes:
            contradicted |= self._saying("modifiers", opposite, codes) & ~self._saying("modifiers", wanted, codes)
        scores = gained / total if total else np.ones(len(codes))
        return np.round(scores * factor * np.where(contradicted, semantic.CONTRADICTED, 1.0), 6), contradicted

    def allowed(self, key: SemanticKey, codes: Codes) -> Flags:
        """(k,) which wordings say all attributes and none of what must not be said."""
        allowed = np.ones(len(codes), dtype=bool)
        for text in key.attributes:
            allowed &= self._fitting(text, codes)
        for text in key.without:
            allowed &= ~self._fitting(text, codes)
        return allowed

    # --- which wordings ----------------------------------------------------------------------------------------

    def _total(self, phrase: Phrase) -> float:
        """What a wording that says all of a phrase gains."""
        total = semantic.HEAD_WEIGHT if phrase.heads else 0.0
        for _, weight in phrase.terms:
            total += weight
        for _ in phrase.colours:
            total += semantic.WORD_WEIGHT
        return total

    def _naming(self, phrase: Phrase) -> list[Codes]:
        """Wordings whose head may count for the phrase's."""
        found: list[Codes] = []
        if not phrase.heads:
            return found
        for head in phrase.heads:
            names = (head, *kinds_of(head))
            for field in ("heads", "measures"):
                found += self._postings[field].of_words(names)
            for field in ("parts", "likenesses", "modifiers", "spelled"):
                found += self._postings[field].of_words((head,))
        for field in ("likenesses", "heads"):
            found += self._postings[field].of_words(phrase.likenesses)
        return found

    def _saying_more(self, phrase: Phrase) -> list[Codes]:
        """Wordings that say something of a phrase beside its head; all where it asks for nothing."""
        if not self._total(phrase):
            return [np.arange(self.size, dtype=np.int32)]
        found: list[Codes] = []
        for term, _ in phrase.terms:
            found += self._postings[ANYWHERE].of_words((term, *kinds_of(term)))
        for colour in phrase.colours:
            found += self._postings["colours"].of_words((colour, *semantic.close_colours(colour)))
            found += self._postings["parts"].of_words((colour,))
        return found

    # --- what wordings say -------------------------------------------------------------------------------------

    @cached_property
    def _coloured(self) -> Flags:
        return self._postings["colours"].any(self.size)

    @cached_property
    def _holds(self) -> Flags:
        flags = np.zeros(self.size, dtype=bool)
        for field in ("heads", "measures"):
            for codes in self._postings[field].of_words(vocabulary.MEASURES):
                flags[codes] = True
        return flags

    def _fitting(self, text: str, codes: Codes) -> Flags:
        """`semantic.fits` of wordings."""
        fitting = np.ones(len(codes), dtype=bool)
        for word in standard_words(text):
            if is_colour(word):
                close = self._saying("colours", semantic.close_colours(word), codes)
                parts = ~self._coloured[codes] & self._saying("parts", [word], codes)
                fitting &= self._saying("colours", [word], codes) | close | parts
            else:
                fitting &= self._mentioning(word, codes)
        return fitting

    def _head_scores(self, phrase: Phrase, codes: Codes) -> Floats:
        """How well wordings are named by any of the phrase's heads."""
        score = np.zeros(len(codes))
        for head in phrase.heads:
            modifying = self._saying("modifiers", [head], codes)
            named = self._saying("heads", [head], codes) | self._saying("measures", [head], codes)
            kinds = kinds_of(head)
            named_by_kind = self._saying("heads", kinds, codes) | self._saying("measures", kinds, codes)
            part = self._saying("parts", [head], codes) | self._saying("likenesses", [head], codes)
            part |= self._holds[codes] & modifying
            one = np.where(modifying | self._saying("spelled", [head], codes), semantic.AS_MODIFIER, 0.0)
            one[part] = semantic.AS_PART
            one[named_by_kind] = semantic.AS_KIND
            one[named] = 1.0
            score = np.maximum(score, one)
        alike = self._saying("likenesses", phrase.likenesses, codes) | self._saying(
            "heads", phrase.likenesses, codes
        )
        return np.where(alike, 1.0, score)

    def _colour_shares(self, colour: str, codes: Codes) -> Floats:
        """How well wordings are of a colour; 0 contradicts."""
        part = ~self._coloured[codes] & self._saying("parts", [colour], codes)
        share = np.where(part, semantic.AS_PART, 0.0)
        share[self._saying("colours", semantic.close_colours(colour), codes)] = semantic.CLOSE_COLOUR
        share[self._saying("colours", [colour], codes)] = 1.0
        return share

    def _mentioning(self, word: str, codes: Codes) -> Flags:
        """Wordings that say a word or a kind of it anywhere."""
        return self._postings[ANYWHERE].among(codes, (word, *kinds_of(word)))

    def _saying(self, field: str, words: Iterable[str], codes: Codes) -> Flags:
        """Wordings that say any of the words in one of their fields."""
        return self._postings[field].among(codes, words)

    # --- on disk -----------------------------------------------------------------------------------------------

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything by name, as `store.arrays` writes it."""
        found: dict[str, NDArray[Any]] = {"of_said": self.of_said, "size": np.array([self.size])}
        for name, postings in self._postings.items():
            words = Strings.of(postings.row_of)
            found |= {
                f"{name}.words": words.data,
                f"{name}.word_offsets": words.offsets,
                f"{name}.codes": postings.codes,
                f"{name}.offsets": postings.offsets,
            }
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> TextIndex:
        """What `to_arrays` gave."""
        postings = {
            name: Postings(
                Strings(arrays[f"{name}.words"], arrays[f"{name}.word_offsets"]).all(),
                arrays[f"{name}.codes"],
                arrays[f"{name}.offsets"],
            )
            for name in (*FIELDS, ANYWHERE)
        }
        return cls(arrays["of_said"], int(arrays["size"][0]), postings)


def _merged(codes: Sequence[Codes]) -> Codes:
    """All of several ascending runs, ascending, each once."""
    some = [each for each in codes if len(each)]
    if len(some) > 1:
        return np.unique(np.concatenate(some))
    return some[0] if some else _NOWHERE


class Postings:
    """For each word the wordings that say it: `codes` from `offsets` on, ascending."""

    def __init__(self, words: Sequence[str], codes: Codes, offsets: NDArray[np.int64]) -> None:
        self.row_of = {word: row for row, word in enumerate(words)}
        self.codes = codes
        self.offsets = offsets

    @classmethod
    def of(cls, sets: Iterable[frozenset[str]]) -> Postings:
        """By the positions of the sets that hold each word."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, words in enumerate(sets):
            for word in words:
                found[word].append(at)
        offsets = np.zeros(len(found) + 1, dtype=np.int64)
        np.cumsum([len(each) for each in found.values()], out=offsets[1:])
        codes = np.array([code for each in found.values() for code in each], dtype=np.int32)
        return cls(list(found), codes, offsets)

    def of_words(self, words: Iterable[str]) -> list[Codes]:
        """For each of the words that anything says the wordings that say it, ascending."""
        return [self.codes[self.offsets[row] : self.offsets[row + 1]] for row in self._rows(words)]

    def among(self, codes: Codes, words: Iterable[str]) -> Flags:
        """(k,) which of the wordings say any of the words."""
        flags = np.zeros(len(codes), dtype=bool)
        for row in self._rows(words):
            said = self.codes[self.offsets[row] : self.offsets[row + 1]]
            # the shorter list is looked up in the longer one
            if len(said) < len(codes):
                at = np.searchsorted(codes, said)
                at[at == len(codes)] = 0
                flags[at[codes[at] == said]] = True
            elif len(codes):
                at = np.searchsorted(said, codes)
                at[at == len(said)] = 0
                flags |= said[at] == codes
        return flags

    def any(self, size: int) -> Flags:
        """(size,) which wordings say any word at all."""
        flags = np.zeros(size, dtype=bool)
        flags[self.codes] = True
        return flags

    def _rows(self, words: Iterable[str]) -> list[int]:
        return [self.row_of[word] for word in words if word in self.row_of]
