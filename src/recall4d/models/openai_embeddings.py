"""`openai:MODEL`: embeddings from any server that speaks OpenAI's `/v1/embeddings`.

vLLM, llama.cpp, Ollama, LM Studio, text-embeddings-inference and hosted ones do. `openai:nomic-embed-text?url=
http://localhost:11434/v1` names one; without `url` it is OPENAI_BASE_URL, else OpenAI. The key comes from
RECALL4D_API_KEY, or from OPENAI_API_KEY where the server is OpenAI or OPENAI_BASE_URL.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from recall4d.errors import ModelRequestError
from recall4d.models.http_json import JsonServer
from recall4d.models.probe_cache import cache_folder
from recall4d.models.spec import Options, read_argument, validated

OPENAI_URL = "https://api.openai.com/v1"


class OpenAiEmbeddingOptions(Options):
    """Options of the embedder.

    Attributes:
        url: base URL of the server.
        batch: texts in one request.
        dimensions: shorter vectors, for models that can be cut; 0 leaves them as they are.
        timeout_s: for one reply.
        retries: of requests that failed in a way that passes.
    """

    url: str = ""
    batch: int = Field(default=64, ge=1)
    dimensions: int = Field(default=0, ge=0)
    timeout_s: float = Field(default=60.0, gt=0)
    retries: int = Field(default=3, ge=0)


class OpenAiEmbedder:
    """Unit vectors from a server; safe to share between threads."""

    def __init__(self, model: str, options: OpenAiEmbeddingOptions, server: JsonServer) -> None:
        # The server is no part of the name: the same model elsewhere gives the same vectors.
        self.name = f"openai:{model}" + (f"?dimensions={options.dimensions}" if options.dimensions else "")
        self._model = model
        self._options = options
        self._server = server

    @cached_property
    def dimension(self) -> int:
        """Length of a vector: one request finds it out, once; who only reads a memory needs no server."""
        if self._options.dimensions:
            return self._options.dimensions
        kept = _kept_dimensions()
        key = f"{self._server.url} {self._model}"
        if key not in kept:
            kept[key] = int(self._ask(["a"]).shape[1])
            _keep_dimensions(kept)
        return kept[key]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32 unit vectors; an empty text gets the zero vector, which is like nothing.

        Raises:
            ModelError: the server failed or refused, see `http_json`, or sent something else than vectors.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        said = [index for index, text in enumerate(texts) if text.strip()]
        for start in range(0, len(said), self._options.batch):
            rows = said[start : start + self._options.batch]
            found = self._ask([texts[row] for row in rows])
            if found.shape[1] != self.dimension:
                raise ModelRequestError(
                    f"{self._server.url} sends vectors of {found.shape[1]} numbers for {self._model}, and sent "
                    f"{self.dimension} before: is it another model? If so, remove {_path()} and reindex"
                )
            vectors[rows] = found
        return vectors

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        body: dict[str, Any] = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        if self._options.dimensions:
            body["dimensions"] = self._options.dimensions
        vectors = _vectors(self._server.post("/embeddings", body), len(texts), self._server.url)
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9)))


def create(argument: str | None) -> OpenAiEmbedder:
    """The entry point `openai` of the embedders.

    Raises:
        UsageError: no model is named, or an option does not fit.
        MissingExtraError: httpx is not installed.
    """
    kind = "the embedder 'openai'"
    model, values = read_argument(kind, argument, "text-embedding-3-small")
    options = validated(kind, OpenAiEmbeddingOptions, values)
    url = options.url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
    return OpenAiEmbedder(model, options, JsonServer(url, timeout_s=options.timeout_s, retries=options.retries))


def _path() -> Path:
    return cache_folder() / "embeddings.json"


def _kept_dimensions() -> dict[str, int]:
    """Lengths of vectors found out before, by server and model."""
    try:
        document = json.loads(_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    known = document if isinstance(document, dict) else {}
    return {key: length for key, length in known.items() if isinstance(length, int) and length > 0}


def _keep_dimensions(lengths: dict[str, int]) -> None:
    """Keep them; not being able to costs one more request."""
    with suppress(OSError):
        _path().parent.mkdir(parents=True, exist_ok=True)
        part = _path().with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(lengths), encoding="utf-8")
        part.replace(_path())


def _vectors(document: Any, n: int, url: str) -> NDArray[np.float32]:
    """The vectors (n, d) of a reply, in the order asked: servers may send them in another.

    Raises:
        ModelRequestError: there are not n vectors of one length.
    """
    try:
        rows = sorted(document["data"], key=lambda row: int(row["index"]))
        vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
        in_order = [int(row["index"]) for row in rows] == list(range(n))
    except (KeyError, TypeError, ValueError):
        in_order, vectors = False, np.zeros(0, dtype=np.float32)
    if not in_order or vectors.ndim != 2 or vectors.shape[1] == 0 or not np.isfinite(vectors).all():
        raise ModelRequestError(f"{url} did not send {n} vectors of one length: is it a model for embeddings?")
    return vectors
