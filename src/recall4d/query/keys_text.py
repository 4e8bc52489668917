"""The semantic key on columns."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recall4d.memory.snapshot import Snapshot
from recall4d.query import semantic
from recall4d.query.columns import Columns
from recall4d.query.plan import SemanticKey
from recall4d.query.semantic import Phrase
from recall4d.query.table import Flags, Floats, Rows, Table
from recall4d.query.text_index import Codes

_MANY = 50_000
"""So many wordings are looked up faster in a table of all."""


class SemanticFilter:
    """Entries that match by their words; where none does, by the cosine of the embeddings.

    Attributes:
        by_words: whether words decide.
    """

    def __init__(self, key: SemanticKey, snapshot: Snapshot, columns: Columns) -> None:
        self._key = key
        self._snapshot = snapshot
        self._columns = columns
        self._texts = columns.texts
        self._latest: tuple[Rows, NDArray[np.float32], float] | None = None
        self._phrases = [Phrase.of(text) for text in key.texts]
        self._min_cosine = semantic.MIN_COSINE if key.min_similarity is None else key.min_similarity
        self._matching: tuple[Codes, Floats] | None = None if key.min_similarity is not None else self._by_words()
        self.by_words = self._matching is not None
        self.name = "semantic words" if self.by_words else "semantic cosine"
        self.stage = 0 if self.by_words else 1
        self.cost = 1.0 if self.by_words else float(snapshot.vectors.shape[1])
        n_matching = 0 if self._matching is None else columns.n_entries_of(self._matching[0])
        self.share = n_matching / max(len(columns.wording), 1) if self.by_words else 0.1

    def _by_words(self) -> tuple[Codes, Floats] | None:
        """The wordings that match, and their scores; None where none in memory says enough."""
        codes = _union([self._texts.matching(phrase) for phrase in self._phrases])
        words, _ = self._word_scores(codes)
        best = float(words.max(initial=0.0))
        if best < semantic.MIN_WORDS:
            return None
        keep = (words >= semantic.least_words(best)) & self._texts.allowed(self._key, codes)
        return codes[keep], words[keep]

    def offer(self) -> tuple[int, Codes] | None:
        """How many entries match by their words, and the wordings of them; None where words do not decide."""
        if self._matching is None:
            return None
        return self._columns.n_entries_of(self._matching[0]), self._matching[0]

    def apply(self, table: Table) -> Table:
        """Narrow to the entries that match."""
        wordings = self._columns.wording[table.entry]
        if self._matching is not None:
            return table.kept(_found(self._matching[0], wordings, self._texts.size))
        # No cosine is less than -1: who asks for that wants an order, not a choice.
        table = table if self._min_cosine <= -1.0 else table.kept(self._alike(table.entry))
        decided_by_words = self._key.attributes or self._key.without or self._key.min_similarity is None
        return table.kept(self._may(self._columns.wording[table.entry])) if decided_by_words else table

    def scores(self, table: Table) -> Floats:
        """(k,) `semantic.joined` of each row."""
        return self._joined(self._words_of(table.entry), self._cosines(table.entry))

    def leading(self, table: Table, others: Floats, limit: int) -> Table:
        """The rows that may be among the first `limit` by score, found from rough cosines.

        Args:
            table: what all keys have left.
            others: (k,) product of the other keys' scores.
            limit: how many rows are wanted.
        """
        rough, error = self._rough(table.entry)
        share = 1.0 - semantic.WORD_SHARE
        scores = (semantic.WORD_SHARE * self._words_of(table.entry) + share * np.maximum(rough, 0.0)) * others
        off = share * error * others + 2e-6
        least = np.partition(scores - off, len(scores) - limit)[len(scores) - limit]
        return table.kept(scores + off >= least)

    def best_first(self, n: int) -> tuple[Rows, float] | None:
        """Entries with the best texts, at least `n` texts, and a bound for the score of all others.

        Where no other can match, the bound is -inf. None where nearly all would have to be looked at.
        """
        touched, _ = self._touched
        n_touched = self._columns.n_entries_of(touched)
        if 4 * (n + n_touched) > len(self._snapshot.vectors):
            return None
        neighbours = self._columns.neighbours
        if neighbours is not None:
            best = np.unique(np.concatenate([neighbours.nearest(query, n) for query in self._queries]))
            bound = float(self._columns.scan.exact(self._queries, best).min())
        else:
            rough, error = self._rough_all
            best = np.argpartition(rough, len(rough) - n)[len(rough) - n :]
            bound = float(rough[best].min()) + error
        entries = self._columns.entries_of_vectors(best)
        if n_touched:
            entries = np.union1d(entries, self._columns.entries_of(touched))
        if bound < self._min_cosine - 1e-6:
            return np.sort(entries), -np.inf
        return np.sort(entries), float(self._joined(np.zeros(1), np.array([bound]))[0])

    # --- words -------------------------------------------------------------------------------------------------

    @cached_property
    def _touched(self) -> tuple[Codes, Floats]:
        """All wordings that any phrase can score more than 0 for, and their scores."""
        codes = _union([self._texts.touched(phrase) for phrase in self._phrases])
        return codes, self._word_scores(codes)[0]

    def _words_of(self, entries: Rows) -> Floats:
        """(k,) word scores of entries."""
        codes, words = self._touched if self._matching is None else self._matching
        if len(codes) == 0:
            return np.zeros(len(entries))
        wordings = self._columns.wording[entries]
        at = np.minimum(np.searchsorted(codes, wordings), len(codes) - 1)
        return np.where(codes[at] == wordings, words[at], 0.0)

    def _word_scores(self, codes: Codes) -> tuple[Floats, Flags]:
        """The best score of any phrase for wordings (k,), and whether each contradicts all phrases."""
        scored = [self._texts.word_scores(phrase, codes) for phrase in self._phrases]
        if len(scored) == 1:
            return scored[0]
        return np.max([s for s, _ in scored], axis=0), np.all([c for _, c in scored], axis=0)

    def _may(self, wordings: Codes) -> Flags:
        """(k,) wordings that nothing said or not said rules out, where the cosine decides."""
        codes, back = np.unique(wordings, return_inverse=True)
        allowed = self._texts.allowed(self._key, codes)
        if self._key.min_similarity is None:
            allowed &= ~self._word_scores(codes)[1]
        return np.asarray(allowed[back])

    # --- cosines -----------------------------------------------------------------------------------------------

    @cached_property
    def _queries(self) -> Floats:
        return semantic.query_vectors(self._key, self._snapshot)

    @cached_property
    def _rough_all(self) -> tuple[NDArray[np.float32], float]:
        return self._columns.scan.rough(self._queries)

    def _rough(self, entries: Rows) -> tuple[NDArray[np.float32], float]:
        """Rough cosines (k,) of entries, and how far off they can be."""
        if self._latest is not None and np.array_equal(self._latest[0], entries):
            return self._latest[1:]
        vectors = self._columns.vectors_of(entries)
        if "_rough_all" not in self.__dict__ and 2 * len(entries) < len(self._snapshot.vectors):
            return self._columns.scan.rough(self._queries, vectors)
        rough, error = self._rough_all
        return rough[vectors], error

    def _alike(self, entries: Rows) -> Flags:
        """(k,) entries whose cosine is at least what it must be."""
        rough, error = self._rough(entries)
        alike = rough >= self._min_cosine + error
        unsure = np.flatnonzero(~alike & (rough >= self._min_cosine - error))
        if len(unsure):
            alike[unsure] = self._cosines(entries[unsure]) >= self._min_cosine
        self._latest = entries[alike], rough[alike], error
        return alike

    def _cosines(self, entries: Rows) -> Floats:
        return self._columns.scan.exact(self._queries, self._columns.vectors_of(entries))

    def _joined(self, words: Floats, cosines: Floats) -> Floats:
        share = semantic.WORD_SHARE
        joined = (share * words + (1.0 - share) * np.maximum(cosines, 0.0)).round(6)
        return np.asarray(np.maximum(joined, 1e-6))


def _union(codes: list[Codes]) -> Codes:
    return codes[0] if len(codes) == 1 else np.unique(np.concatenate(codes))


def _found(codes: Codes, wordings: Codes, size: int) -> Flags:
    """(k,) which wordings are among ascending codes."""
    if len(codes) == 0:
        return np.zeros(len(wordings), dtype=bool)
    if len(wordings) > _MANY:
        flags = np.zeros(size, dtype=bool)
        flags[codes] = True
        return flags[wordings]
    at = np.minimum(np.searchsorted(codes, wordings), len(codes) - 1)
    return np.asarray(codes[at] == wordings)
