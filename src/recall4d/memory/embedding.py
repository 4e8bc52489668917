"""Which embedder a memory is written with: vectors of two embedders cannot be compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import EmbedderMismatchError
from recall4d.ports import Embedder, Store

EMBEDDER, EMBEDDER_SPEC = "embedder", "embedder_spec"
"""Facts: what the vectors were made by, and its name on the command line, empty where it has none."""


def embedder_mark(embedder: Embedder) -> str:
    """What is kept of an embedder: its name and the length of its vectors."""
    return f"{embedder.name} ({embedder.dimension})"


def embedded(embedder: Embedder, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """The embeddings of texts as a store gives them back: what is concluded now must be what would be later."""
    vectors = embedder.embed(texts).astype(np.float16).astype(np.float32)
    return dict(zip(texts, vectors, strict=True))


def expect_embedder(store: Store, embedder: Embedder) -> None:
    """Refuse to go on where another process has reindexed the memory meanwhile.

    Raises:
        EmbedderMismatchError: it is written with another embedder now.
    """
    kept, own = store.fact(EMBEDDER), embedder_mark(embedder)
    if kept is not None and kept != own:
        raise EmbedderMismatchError(
            f"the memory in {store.directory} is written with the embedder {kept} now, not {own}: open it again"
        )
