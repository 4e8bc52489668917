"""`wordllama`: static word vectors that come inside a package. Works offline, right after the install.

The vectors are the input embeddings of a large language model, trained further and reduced to 256 numbers
(github.com/dleemiller/WordLlama, MIT). A text is the mean of its tokens: 0.1 ms, no context, no word order.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import UsageError

WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"


class WordLlamaEmbedder:
    """Unit vectors of 256 numbers; loaded at the first text."""

    name = "wordllama-l2-supercat"
    dimension = 256

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 256) float32 unit vectors; a text without a token gets the zero vector."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        with self._lock:
            for row, text in enumerate(texts):
                tokens = self._tokenizer.encode(text.lower(), add_special_tokens=False).ids
                if tokens:
                    vectors[row] = self._table[tokens].mean(axis=0)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))

    # The package's own loader looks for the tokenizer in the wrong folder and then asks a hub for it.
    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        return Tokenizer.from_str((files("wordllama") / TOKENIZER).read_text(encoding="utf-8"))

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        from safetensors.numpy import load

        return load((files("wordllama") / WEIGHTS).read_bytes())["embedding.weight"].astype(np.float32)


def create(argument: str | None) -> WordLlamaEmbedder:
    """The entry point `wordllama`.

    Raises:
        UsageError: an argument was given.
    """
    if argument is not None:
        raise UsageError(f"the embedder 'wordllama' takes no argument, got {argument!r}")
    return WordLlamaEmbedder()
