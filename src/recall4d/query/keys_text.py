"""The semantic key on columns."""

from __future__ import annotations

import numpy as np

from recall4d.memory.snapshot import Snapshot
from recall4d.query import semantic
from recall4d.query.columns import Columns
from recall4d.query.plan import SemanticKey
from recall4d.query.semantic import Phrase
from recall4d.query.table import Floats, Table

_CHUNK = 65_536
_SCREEN = 1e-4
"""A cosine in float32 is never farther off than this; what passes the screen is computed again in float64."""


class SemanticFilter:
    """Entries that match by their words; where none does, by the cosine of the embeddings."""

    def __init__(self, key: SemanticKey, snapshot: Snapshot, columns: Columns) -> None:
        texts = columns.texts
        scored = [texts.word_scores(Phrase.of(text)) for text in key.texts]
        self._words = np.max([scores for scores, _ in scored], axis=0)
        self._code = texts.code
        self._vectors = snapshot.vectors
        self._queries = semantic.query_vectors(key, snapshot)
        self._allowed = texts.allowed(key)
        best = float(self._words.max(initial=0.0))
        self._min_cosine: float | None = None
        if key.min_similarity is not None:
            self._min_cosine = key.min_similarity
        elif best >= semantic.MIN_WORDS:
            self._allowed &= self._words >= semantic.least_words(best)
        else:
            self._min_cosine = semantic.MIN_COSINE
            self._allowed &= ~np.all([contradicted for _, contradicted in scored], axis=0)
        by_words = self._min_cosine is None
        self.name = "semantic words" if by_words else "semantic cosine"
        self.stage = 0 if by_words else 1
        self.cost = 1.0 if by_words else float(snapshot.vectors.shape[1])
        self.share = texts.share_of(self._allowed) * (1.0 if by_words else 0.1)

    def apply(self, table: Table) -> Table:
        """Narrow to the entries that match."""
        table = table.kept(self._allowed[self._code[table.entry]])
        if self._min_cosine is None:
            return table
        queries = self._queries.astype(np.float32).T
        nearly = np.concatenate(
            [
                (self._vectors[table.entry[at : at + _CHUNK]] @ queries).max(axis=1) >= self._min_cosine - _SCREEN
                for at in range(0, len(table), _CHUNK)
            ]
            or [np.zeros(0, dtype=bool)]
        )
        table = table.kept(nearly)
        return table.kept(self._cosines(table) >= self._min_cosine)

    def scores(self, table: Table) -> Floats:
        """(k,) `semantic.joined` of each row."""
        words, cosines = self._words[self._code[table.entry]], np.maximum(self._cosines(table), 0.0)
        share = semantic.WORD_SHARE
        return np.asarray(np.maximum(np.round(share * words + (1.0 - share) * cosines, 6), 1e-6))

    def _cosines(self, table: Table) -> Floats:
        """(k,) the best cosine of any phrase, in float64, rounded as in `semantic`."""
        best = np.empty(len(table))
        for at in range(0, len(table), _CHUNK):
            vectors = self._vectors[table.entry[at : at + _CHUNK]].astype(np.float64)
            best[at : at + _CHUNK] = np.round(vectors @ self._queries.T, 6).max(axis=1)
        return best
