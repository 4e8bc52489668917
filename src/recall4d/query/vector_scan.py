"""Cosines of many embeddings: rough first, from a compact copy where there is one, exact for those that matter.

A scan is as fast as memory delivers: a copy of one byte a number is read four times faster than float32. What
rounding to bytes can change at most is known, so whoever may be among the best is found for sure, and only those
are computed exactly. The copy is made when scans turn out to be asked for more than once; it needs numkong (the
extra `fast`), without it the copy is float32, which is faster to multiply than the float16 of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_Real = TypeVar("_Real", np.float32, np.float64)
Rows = NDArray[np.integer]

FLOAT32_ERROR = 1e-4
"""A cosine in float32 is never farther off than this."""

SCANS_BEFORE_COPY = 2
"""Vectors read so many times over are worth a compact copy."""

MIN_COPIED = 4096
"""Fewer vectors are scanned as they are."""

_CHUNK = 16_384
_PIECE = 512


class VectorScan:
    """The embeddings of a snapshot's texts, scanned.

    Attributes:
        vectors: (t, d) float16 or float32, of unit length or zero.
    """

    def __init__(self, vectors: NDArray[np.float16] | NDArray[np.float32]) -> None:
        self.vectors = vectors
        self._n_read = 0
        self._compact: CompactCopy | None = None

    def rough(self, queries: Floats, rows: Rows | None = None) -> tuple[NDArray[np.float32], float]:
        """Rough cosines (k,) of the best of queries (q, d), and how far off they can be.

        Args:
            queries: unit vectors.
            rows: which vectors; None for all.
        """
        compact = self._copy_of(len(self.vectors) if rows is None else len(rows))
        if compact is not None:
            return compact.rough(queries, rows)
        n = len(self.vectors) if rows is None else len(rows)
        spans = [slice(at, at + _CHUNK) for at in range(0, max(n, 1), _CHUNK)]
        parts = [
            self.vectors[each if rows is None else rows[each]].astype(np.float32, copy=False) for each in spans
        ]
        wanted = queries.astype(np.float32)
        return _best([np.concatenate([part @ query for part in parts]) for query in wanted]), FLOAT32_ERROR

    def exact(self, queries: Floats, rows: Rows) -> Floats:
        """The best cosine (k,) of any query, in float64, rounded as in `semantic`."""
        best = np.empty(len(rows))
        for at in range(0, len(rows), _CHUNK):
            vectors = self.vectors[rows[at : at + _CHUNK]].astype(np.float64)
            best[at : at + _CHUNK] = _best([vectors @ query for query in queries])
        return best.round(6)

    def _copy_of(self, n_asked: int) -> CompactCopy | None:
        if len(self.vectors) < MIN_COPIED or n_asked < MIN_COPIED // 4:
            return None
        self._n_read += n_asked
        if self._compact is None and self._n_read > SCANS_BEFORE_COPY * len(self.vectors):
            if _numkong() is None:
                self.vectors = self.vectors.astype(np.float32, copy=False)
            else:
                self._compact = CompactCopy.of(self.vectors)
        return self._compact


@dataclass(frozen=True, eq=False)
class CompactCopy:
    """Vectors in one byte a number.

    Attributes:
        codes: (t, d) int8.
        scales: (t,) float32: a vector is its codes times its scale, but for rounding.
        error: the length of what rounding took from any vector, at most.
    """

    codes: NDArray[np.int8]
    scales: NDArray[np.float32]
    error: float

    @classmethod
    def of(cls, vectors: NDArray[np.float16] | NDArray[np.float32]) -> CompactCopy:
        """Round vectors (t, d)."""
        codes = np.empty(vectors.shape, dtype=np.int8)
        scales = np.empty(len(vectors), dtype=np.float32)
        error = 0.0
        for at in range(0, len(vectors), _CHUNK):
            chunk = slice(at, at + _CHUNK)
            part = vectors[chunk].astype(np.float32)
            scale = np.maximum(np.abs(part).max(axis=1, initial=0.0), 1e-9) / 127.0
            np.rint(part / scale[:, None], out=codes[chunk], casting="unsafe")
            scales[chunk] = scale
            lost = part - codes[chunk] * scale[:, None]
            error = max(error, float(np.sqrt(np.einsum("ij,ij->i", lost, lost).max(initial=0.0))))
        return cls(codes, scales, error)

    def rough(self, queries: Floats, rows: Rows | None) -> tuple[NDArray[np.float32], float]:
        """See `VectorScan.rough`."""
        query = CompactCopy.of(queries.astype(np.float32))
        scales = self.scales if rows is None else self.scales[rows]
        if rows is None:
            dots = self._dots(query.codes, self.codes)
        else:
            # codes are brought together piece by piece, so that they are still in the cache when they are read
            pieces = range(0, max(len(rows), 1), _PIECE)
            dots = np.hstack([self._dots(query.codes, self.codes[rows[at : at + _PIECE]]) for at in pieces])
        # |q.v - q'.v'| <= |q| |v - v'| + |q - q'| |v'|, with |v'| <= |v| + |v - v'|
        length = float(np.sqrt((queries * queries).sum(axis=1)).max(initial=0.0))
        error = length * self.error + query.error * (1.001 + self.error)
        return _best([row * scale for row, scale in zip(dots, query.scales, strict=True)]) * scales, error + 1e-4

    @staticmethod
    def _dots(queries: NDArray[np.int8], codes: NDArray[np.int8]) -> NDArray[np.float32]:
        """(q, k) products of codes (q, d) and (k, d)."""
        return np.asarray(_numkong().cdist(queries, codes, metric="dot", out_dtype="float32"))

    @cached_property
    def n_bytes(self) -> int:
        """How much memory it takes."""
        return self.codes.nbytes + self.scales.nbytes


def _best(scores: list[NDArray[_Real]]) -> NDArray[_Real]:
    return scores[0] if len(scores) == 1 else np.max(scores, axis=0)


def _numkong() -> Any:
    """The module; None where it is not installed."""
    try:
        return import_module("numkong")
    except ImportError:
        return None
