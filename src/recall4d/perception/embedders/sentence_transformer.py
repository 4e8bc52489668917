"""`sentence-transformers:MODEL`: any model of the sentence-transformers library, from a folder or the hub.

`sentence-transformers:BAAI/bge-m3` for many languages, `sentence-transformers:all-MiniLM-L6-v2` for a small one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from recall4d.errors import MissingExtraError
from recall4d.perception.arguments import read_argument
from recall4d.perception.torch_models import TorchOptions, load

PURPOSE = "the embedder 'sentence-transformers'"


class SentenceTransformerOptions(TorchOptions):
    """Options of the embedder.

    Attributes:
        batch: texts read at once.
        prompt: put in front of every text, for models that were trained with one.
    """

    batch: int = Field(default=32, ge=1)
    prompt: str = ""


class SentenceTransformerEmbedder:
    """Unit vectors of a sentence transformer; safe to share between threads."""

    def __init__(self, name: str, model: str, options: SentenceTransformerOptions) -> None:
        """Load the model.

        Raises:
            MissingExtraError: sentence-transformers is not installed.
            ModelError: the model cannot be loaded.
        """
        try:
            import sentence_transformers
        except ImportError as error:
            raise MissingExtraError("sentence-transformers", "sentence-transformers", PURPOSE) from error
        self.name = name
        self._options = options
        self._lock = threading.Lock()
        self._model: Any = load(
            model,
            PURPOSE,
            lambda: sentence_transformers.SentenceTransformer(
                model, device=options.device or None, model_kwargs={"dtype": options.dtype}
            ),
        )

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.embed(["a"]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32 unit vectors; an empty text gets the zero vector, which is like nothing."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._lock:
            vectors = self._model.encode(
                [self._options.prompt + text for text in texts],
                batch_size=self._options.batch,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        vectors = np.array(vectors, dtype=np.float32)
        vectors[[not text.strip() for text in texts]] = 0
        return vectors


def create(argument: str | None) -> SentenceTransformerEmbedder:
    """The entry point `sentence-transformers`.

    Raises:
        UsageError: no model is named, or an option does not fit.
        MissingExtraError: sentence-transformers is not installed.
        ModelError: the model cannot be loaded.
    """
    model, options = read_argument("embedder 'sentence-transformers'", argument, SentenceTransformerOptions)
    prompt = f"?prompt={options.prompt}" if options.prompt else ""
    return SentenceTransformerEmbedder(f"sentence-transformers:{model}{prompt}", model, options)
