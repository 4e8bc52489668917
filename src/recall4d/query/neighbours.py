"""Approximate nearest embeddings, for memories so large that scanning all of them takes too long; opt-in.

HNSW (Malkov and Yashunin 2018, "Efficient and robust approximate nearest neighbor search using hierarchical
navigable small world graphs") as usearch has it: kept up, small, incremental, with one byte a number. It only
proposes candidates: their scores are exact, and whoever filters them asks for more until enough are left or
everything has been looked at.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import MissingExtraError
from recall4d.store.arrays import read_meta, write_arrays

MIN_VECTORS = 4096
"""Fewer are scanned as fast."""

CONNECTIVITY, EXPANSION_ADD = 16, 64
"""Neighbours of a node, and how widely they are searched for when it is added."""

MIN_EXPANSION = 512
"""How widely neighbours are searched for, at least; twice the number asked for where that is more.

Of a million vectors 128 found 94 % of the ten nearest in 1.3 ms, 512 found 97 % in 1.4 ms, more found no more.
"""

FILE_NAME, META_NAME = "neighbours.usearch", "neighbours.arrays"


def require() -> Any:
    """The package.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return import_module("usearch.index")
    except ImportError as error:
        raise MissingExtraError("usearch", "fast", "approximate search") from error


class Neighbours:
    """The graph over vectors (t, d), which are only ever appended to."""

    def __init__(self, index: Any, n: int) -> None:
        self._index = index
        self.n = n

    @classmethod
    def of(cls, vectors: NDArray[np.floating], folder: Path | None) -> Neighbours:
        """The graph kept in `folder`, with what came since added, or a new one.

        Args:
            vectors: all of them.
            folder: where it is kept; None keeps it in memory.

        Raises:
            MissingExtraError: usearch is not installed.
        """
        usearch = require()
        found = None if folder is None else _kept(usearch, folder, vectors)
        if found is None:
            new = usearch.Index(
                ndim=vectors.shape[1],
                metric="cos",
                dtype="i8",
                connectivity=CONNECTIVITY,
                expansion_add=EXPANSION_ADD,
            )
            found = cls(new, 0)
        if found.n < len(vectors):
            found._index.add(np.arange(found.n, len(vectors)), vectors[found.n :].astype(np.float32))
            found.n = len(vectors)
            if folder is not None:
                found._keep(folder, vectors)
        return found

    def nearest(self, query: NDArray[np.float64], n: int) -> NDArray[np.intp]:
        """Rows of about the `n` nearest vectors, the nearest first."""
        self._index.expansion_search = max(MIN_EXPANSION, 2 * n)
        found = self._index.search(query.astype(np.float32), n)
        return np.asarray(found.keys).astype(np.intp)

    def _keep(self, folder: Path, vectors: NDArray[np.floating]) -> None:
        with suppress(OSError):  # a disk that refuses costs the next reader its time, nothing else
            folder.mkdir(exist_ok=True)
            temporary = folder / f".{FILE_NAME}"
            self._index.save(str(temporary))
            meta = {**_marks(vectors, self.n), "n": self.n, "crc": zlib.crc32(temporary.read_bytes())}
            (folder / META_NAME).unlink(missing_ok=True)
            temporary.replace(folder / FILE_NAME)
            write_arrays(folder / META_NAME, {}, meta)


def _kept(usearch: Any, folder: Path, vectors: NDArray[np.floating]) -> Neighbours | None:
    """The graph in a folder; None where it is missing, damaged, or over other vectors."""
    meta, path = read_meta(folder / META_NAME), folder / FILE_NAME
    if meta is None or not path.exists() or not 0 < meta["n"] <= len(vectors):
        return None
    content = path.read_bytes()
    if zlib.crc32(content) != meta["crc"] or meta != {**meta, **_marks(vectors, meta["n"])}:
        return None
    return Neighbours(usearch.Index.restore(content), meta["n"])


def _marks(vectors: NDArray[np.floating], n: int) -> dict[str, Any]:
    """What tells vectors from others: their length, and a sample of them."""
    sample = np.asarray(vectors[np.linspace(0, n - 1, 64).astype(np.intp)])
    return {"d": int(vectors.shape[1]), "sample": zlib.crc32(sample.tobytes())}
