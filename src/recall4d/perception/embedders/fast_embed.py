"""`fastembed:MODEL`: models of the fastembed library, by ONNX Runtime and without torch.

`fastembed:BAAI/bge-small-en-v1.5` fetches its model from a hub at the first use; `?folder=DIR` takes the model's
files (`model.onnx`, `tokenizer.json`, its configuration) from a folder instead.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from recall4d.errors import MissingExtraError, ModelError
from recall4d.perception.arguments import Options, read_argument


class FastEmbedOptions(Options):
    """Options of the embedder.

    Attributes:
        folder: where the model's files lie; by default they come from a hub.
        threads: of ONNX Runtime; 0 leaves it to it.
        batch: texts read at once.
    """

    folder: str = ""
    threads: int = Field(default=0, ge=0)
    batch: int = Field(default=32, ge=1)


class FastEmbedEmbedder:
    """Unit vectors of a fastembed model; safe to share between threads."""

    def __init__(self, model: str, options: FastEmbedOptions) -> None:
        """Load the model.

        Raises:
            MissingExtraError: fastembed is not installed.
            ModelError: the model cannot be loaded.
        """
        try:
            from fastembed import TextEmbedding
        except ImportError as error:
            raise MissingExtraError("fastembed", "fastembed", "the embedder 'fastembed'") from error
        self.name = f"fastembed:{model}"
        self._batch = options.batch
        self._lock = threading.Lock()
        try:
            self._model: Any = TextEmbedding(
                model,
                threads=options.threads or None,
                specific_model_path=options.folder or None,
            )
        except Exception as error:  # it raises ValueError, and whatever the hub and the runtime raise
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise ModelError(f"{model} cannot be loaded by fastembed: {reason}") from error

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.embed(["a"]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32 unit vectors; an empty text gets the zero vector, which is like nothing."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._lock:
            vectors = np.array(list(self._model.embed(list(texts), batch_size=self._batch)), dtype=np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))
        vectors[[not text.strip() for text in texts]] = 0
        return vectors


def create(argument: str | None) -> FastEmbedEmbedder:
    """The entry point `fastembed`.

    Raises:
        UsageError: no model is named, or an option does not fit.
        MissingExtraError: fastembed is not installed.
        ModelError: fastembed does not know the model, or it cannot be had.
    """
    return FastEmbedEmbedder(*read_argument("embedder 'fastembed'", argument, FastEmbedOptions))
