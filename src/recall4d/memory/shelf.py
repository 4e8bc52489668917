"""A place on disk for what can be derived again, at the price of time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from recall4d.store.arrays import read_arrays, read_meta, write_arrays

FOLDER = "columns"


class Shelf:
    """Where things derived from one kept snapshot lie beside it.

    Attributes:
        folder: the place.
    """

    def __init__(self, folder: Path, mark: str) -> None:
        self.folder = folder
        self._mark = mark

    def take(self, name: str, code: str) -> Mapping[str, NDArray[Any]] | None:
        """Arrays put here under a name by the same `code`, for the same snapshot; None where there are none."""
        path = self._path(name)
        return read_arrays(path) if read_meta(path) == {"mark": self._mark, "code": code} else None

    def put(self, name: str, code: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Put arrays here; a disk that refuses costs the next reader its time, nothing else."""
        try:
            self.folder.mkdir(exist_ok=True)
            write_arrays(self._path(name), arrays, {"mark": self._mark, "code": code})
        except OSError:
            pass

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.arrays"


@cache
def code_of(*modules: str) -> str:
    """A digest of the source of modules and packages ("memory", "query/words.py") of recall4d."""
    root, digest = Path(__file__).parents[1], blake2b(digest_size=12)
    for module in modules:
        path = root / module
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()
