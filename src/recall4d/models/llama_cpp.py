"""A GGUF file, run in this process by llama.cpp through the package xllamacpp.

xllamacpp and not llama-cpp-python: it comes as built wheels, batches and caches prompts with llama.cpp's own server
engine, may be called from several threads, and takes and gives the JSON that `models.wire` speaks. llama-cpp-python
has to be compiled and serves one call at a time.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pydantic import Field

from recall4d.errors import InputError, MissingExtraError, ModelError, ModelRequestError
from recall4d.models.pictures import MAX_SIDE_PX, fit_pictures
from recall4d.models.real_calls import check_real_call
from recall4d.models.spec import Options, read_argument, validated
from recall4d.models.wire import chat_body, read_reply
from recall4d.ports import ChatModel
from recall4d.records import Capabilities, ChatRequest, Reply

MANY_PICTURES = 8


class LlamaCppOptions(Options):
    """Options of `llama-cpp:FILE.gguf?...`.

    Attributes:
        mmproj: the .gguf file of the part that sees, for models that come with one; without it text only.
        context_tokens: of one request and its reply together. Memory grows with it.
        concurrency: requests computed at once; each has a context of its own.
        threads: processor threads; 0 leaves it to llama.cpp.
        gpu_layers: layers on the GPU; -1 as many as fit.
        max_side_px: longest side of a picture shown.
    """

    mmproj: Path | None = None
    context_tokens: int = Field(default=8192, ge=64)
    concurrency: int = Field(default=1, ge=1, le=64)
    threads: int = Field(default=0, ge=0)
    gpu_layers: int = Field(default=-1, ge=-1)
    max_side_px: int = Field(default=MAX_SIDE_PX, ge=32)


class LlamaCppModel:
    """A model in this process. Its prompt cache keeps the longest common beginning of requests.

    Attributes:
        name: "llama-cpp:FILE".
        capabilities: schemas and probabilities always; pictures with `mmproj`.
    """

    def __init__(self, file: Path | str, options: LlamaCppOptions | None = None) -> None:
        """Load the model.

        Raises:
            MissingExtraError: xllamacpp is not installed.
            InputError: no such file, or llama.cpp cannot load it.
            RealCallError: real calls are switched off.
        """
        self.name = f"llama-cpp:{file}"
        self.options = options or LlamaCppOptions()
        self.capabilities = Capabilities(
            max_pictures=MANY_PICTURES if self.options.mmproj else 0,
            json_schema=True,
            context_tokens=self.options.context_tokens,
            token_probabilities=True,
        )
        check_real_call(self.name)
        self._engine = _load(Path(file), self.options)

    def complete(self, request: ChatRequest) -> Reply:
        """One reply.

        Raises:
            ModelRequestError: too long, or pictures for a model that reads text only.
        """
        check_real_call(self.name)
        fitted = fit_pictures(
            request, self.capabilities.max_pictures, model=self.name, max_side_px=self.options.max_side_px
        )
        body = chat_body(fitted, self.name, probabilities=True)
        begun = time.monotonic()
        try:
            document = self._engine.handle_chat_completions(body)
        except (RuntimeError, ValueError) as error:
            raise ModelRequestError(f"{self.name} cannot take the request: {error}") from error
        if isinstance(document, dict) and "error" in document:
            told = document["error"]
            kind = "too long for the model: " if told.get("type") == "exceed_context_size_error" else ""
            raise ModelRequestError(f"{kind}{self.name}: {told.get('message')}")
        return read_reply(document, time.monotonic() - begun)

    def complete_all(self, requests: Sequence[ChatRequest]) -> list[Reply | ModelError]:
        """A reply to each, `concurrency` at once."""

        def one(request: ChatRequest) -> Reply | ModelError:
            try:
                return self.complete(request)
            except ModelError as error:
                return error

        with ThreadPoolExecutor(self.options.concurrency) as pool:
            return list(pool.map(one, requests))


def create(argument: str | None) -> ChatModel:
    """`llama-cpp:FILE.gguf[?option=value&...]`, see `LlamaCppOptions`."""
    file, options = read_argument("llama-cpp", argument, "llama-cpp:model.gguf")
    return LlamaCppModel(file, validated("llama-cpp", LlamaCppOptions, options))


def _load(file: Path, options: LlamaCppOptions) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtraError("xllamacpp", "llama-cpp", "running a GGUF file") from error
    for path in filter(None, (file, options.mmproj)):
        if not path.is_file():
            raise InputError(f"no model at {path}: expected a .gguf file")
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    if options.mmproj:
        params.mmproj.path = str(options.mmproj)
    params.n_ctx = options.context_tokens * options.concurrency
    params.n_parallel = options.concurrency
    params.n_gpu_layers = options.gpu_layers
    if options.threads:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
    params.warmup = False
    params.verbosity = 0
    # The engine also listens on a loopback port; nobody knows the key.
    params.api_keys = [secrets.token_hex(16)]
    try:
        return xllamacpp.Server(params)
    except (RuntimeError, ValueError) as error:
        raise InputError(
            f"llama.cpp cannot load {file}: is it a whole .gguf file of a known architecture?"
        ) from error
