"""Embeddings in a file beside the database: appended, never overwritten, mapped into memory by readers.

A row of the database names the slot and the CRC-32 of what lies there. Vectors are first committed inside the
database, in the transaction that needs them; later, many at a time, they are appended here, forced to disk, and
only then does a transaction exchange them for their slots. A kill in between leaves slots that nobody names, and
nothing else: no slot is written twice, so no row can come to name another row's vector.

Numbers are kept in half precision: of unit vectors, that moves a cosine by 5e-4 at most, and halves the file.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float16]

KEPT_AS = np.dtype("<f2")


def vector_file_name(number: int | str = 0) -> str:
    """Name of a memory's file; the number grows whenever all embeddings are replaced."""
    return f"vectors-{number}.f16"


class VectorFile:
    """The file of one memory.

    Attributes:
        path: where it lies; it need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mapped: Vectors | None = None

    def append(self, vectors: Vectors) -> tuple[int, list[int]]:
        """Put vectors (k, d) at the end, on disk when this returns: the slot of the first, and all their CRCs.

        Nobody else may append meanwhile.

        Raises:
            OSError: the disk refuses; what was written of them is named by nobody.
        """
        record = vectors.shape[1] * KEPT_AS.itemsize
        with self.path.open("ab") as file:
            # What a killed writer left behind may end in the middle of a slot.
            torn = -file.tell() % record
            file.write(bytes(torn))
            first = file.tell() // record
            file.write(np.ascontiguousarray(vectors, dtype=KEPT_AS).tobytes())
            file.flush()
            os.fsync(file.fileno())
        return first, [zlib.crc32(vector.tobytes()) for vector in vectors]

    def all(self, dimension: int) -> Vectors:
        """(slots, dimension), mapped; slots that no row names hold anything."""
        n_slots = self.path.stat().st_size // (dimension * KEPT_AS.itemsize) if self.path.exists() else 0
        mapped = self._mapped
        if mapped is None or len(mapped) < n_slots or mapped.shape[1] != dimension:
            if n_slots == 0:
                return np.zeros((0, dimension), dtype=KEPT_AS)
            mapped = self._mapped = np.memmap(self.path, dtype=KEPT_AS, mode="r", shape=(n_slots, dimension))
        return mapped[:n_slots]

    def at(self, slots: Sequence[int], crcs: Sequence[int], dimension: int) -> list[Vectors | None]:
        """The vectors at slots; None where the file does not hold what was written there."""
        mapped = self.all(dimension)
        found: list[Vectors | None] = []
        for slot, crc in zip(slots, crcs, strict=True):
            vector = np.array(mapped[slot]) if slot < len(mapped) else None
            found.append(vector if vector is not None and zlib.crc32(vector.tobytes()) == crc else None)
        return found
