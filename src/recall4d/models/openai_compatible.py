"""Any server that speaks OpenAI's chat completions: vLLM, SGLang, llama.cpp, Ollama, LM Studio, hosted ones."""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from typing import Any

from pydantic import Field

from recall4d.errors import ModelError, ModelRequestError, UsageError
from recall4d.models import probe_cache
from recall4d.models.http_json import JsonServer, RefusedRequestError, ServerUnreachableError
from recall4d.models.pictures import MAX_SIDE_PX, fit_pictures
from recall4d.models.probe import Probed, field_not_taken, model_entry, picture_limit, probe, served_names
from recall4d.models.spec import Options, read_argument, validated
from recall4d.models.wire import chat_body, read_reply
from recall4d.ports import ChatModel
from recall4d.records import Capabilities, ChatRequest, Reply

logger = logging.getLogger(__name__)

_MAX_CHARACTERS_A_TOKEN = 16
"""No text has more characters a token than this; a server that counts fewer tokens has not read all of it."""


class ServerOptions(Options):
    """Options of `openai:NAME?...`.

    Attributes:
        base_url: of the server; else RECALL4D_BASE_URL, else OPENAI_BASE_URL.
        timeout_s: how long one reply may take.
        retries: how often a request that may succeed later is sent again.
        concurrency: how many requests are under way at once.
        max_pictures, json_schema, context_tokens: overrule what the probe finds.
        max_side_px: longest side of a picture sent.
    """

    base_url: str | None = None
    timeout_s: float = Field(default=120.0, gt=0)
    retries: int = Field(default=3, ge=0, le=10)
    concurrency: int = Field(default=4, ge=1, le=256)
    max_pictures: int | None = Field(default=None, ge=0)
    json_schema: bool | None = None
    context_tokens: int | None = Field(default=None, gt=0)
    max_side_px: int = Field(default=MAX_SIDE_PX, ge=32)


class OpenAICompatibleModel:
    """A model behind an OpenAI-compatible server. What it can take is found out when first asked for.

    Attributes:
        name: "openai:NAME".
    """

    def __init__(
        self, name: str, options: ServerOptions | None = None, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Prepare; nothing is sent yet.

        Raises:
            UsageError: no base URL is given anywhere, or it is none.
            MissingExtraError: httpx is not installed.
        """
        self.name = f"openai:{name}"
        self.options = options or ServerOptions()
        self._served_name = name
        self._server = JsonServer(
            _base_url(self.options.base_url),
            timeout_s=self.options.timeout_s,
            retries=self.options.retries,
            sleep=sleep,
        )
        self._slots = threading.Semaphore(self.options.concurrency)
        self._probing = threading.Lock()
        self._found: Probed | None = None
        weakref.finalize(self, self._server.close)

    def __repr__(self) -> str:
        return f"OpenAICompatibleModel({self._served_name!r}, {self.url!r})"

    @property
    def url(self) -> str:
        """Base URL of the server, without credentials."""
        return self._server.url

    @cached_property
    def capabilities(self) -> Capabilities:
        """What the model can take.

        Raises:
            ModelError: the server cannot be asked.
        """
        found, given = self.probed().capabilities, self.options
        return Capabilities(
            found.max_pictures if given.max_pictures is None else given.max_pictures,
            found.json_schema if given.json_schema is None else given.json_schema,
            given.context_tokens or found.context_tokens,
            found.token_probabilities,
        )

    def probed(self, *, fresh: bool = False) -> Probed:
        """What was found out about the model, now or not long ago; `fresh` asks again.

        Raises:
            ModelError: the server cannot be asked.
        """
        with self._probing:
            if fresh or self._found is None:
                self._found = self._probe(fresh)
            return self._found

    def complete(self, request: ChatRequest) -> Reply:
        """One reply.

        Raises:
            ModelUnavailableError: the server was not reached, too slow or too busy, after every retry.
            ModelRequestError: it will not take this request; the message says why.
        """
        probed, capabilities = self.probed(), self.capabilities
        while True:
            fitted = fit_pictures(
                request, capabilities.max_pictures, model=self.name, max_side_px=self.options.max_side_px
            )
            body = chat_body(
                fitted,
                self._served_name,
                dialect=probed.dialect if capabilities.json_schema else "none",
                probabilities=capabilities.token_probabilities,
                without=probed.without,
            )
            try:
                return self._post(body, fitted)
            except RefusedRequestError as error:
                probed = self._learn(error, body, fitted)
                capabilities = self.capabilities

    def complete_all(self, requests: Sequence[ChatRequest]) -> list[Reply | ModelError]:
        """A reply to each, `concurrency` at once. Once the server is gone, the rest is not tried one by one."""
        gone = threading.Event()

        def one(request: ChatRequest) -> Reply | ModelError:
            if gone.is_set():
                return ServerUnreachableError(f"not asked: the server at {self.url} is gone")
            try:
                return self.complete(request)
            except ModelError as error:
                if isinstance(error, ServerUnreachableError):
                    gone.set()
                return error

        if len(requests) <= 1:
            # On this thread, where a person who has waited enough can interrupt it.
            return [one(request) for request in requests]
        pool = ThreadPoolExecutor(min(self.options.concurrency, len(requests)))
        try:
            return list(pool.map(one, requests))
        except KeyboardInterrupt:
            self._server.close()  # or the replies under way are waited for
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Close its connections."""
        self._server.close()

    def _probe(self, fresh: bool) -> Probed:
        try:
            key = probe_cache.probe_key(self.url, self._served_name, model_entry(self._server, self._served_name))
            found = None if fresh else probe_cache.load(key)
            if found is None:
                found = probe(self._server, self._served_name)
                probe_cache.save(key, found)
            return found
        except RefusedRequestError as error:
            raise self._explained(error) from None

    def _post(self, body: dict[str, Any], request: ChatRequest) -> Reply:
        with self._slots:
            begun = time.monotonic()
            document = self._server.post("/chat/completions", body)
            reply = read_reply(document, time.monotonic() - begun)
        n_characters = sum(len(message.text) for message in request.messages)
        if 0 < reply.tokens_in * _MAX_CHARACTERS_A_TOKEN < n_characters:
            logger.warning(
                "%s read %d tokens of a prompt of %d characters: it was cut; give the server a larger context",
                self.name, reply.tokens_in, n_characters,
            )  # fmt: skip
        return reply

    def _learn(self, error: RefusedRequestError, body: dict[str, Any], request: ChatRequest) -> Probed:
        """What a refusal tells about the server; raises where it tells nothing that helps."""
        probed = self.probed()
        if error.status not in (400, 422):
            raise self._explained(error) from None
        limit, shown = picture_limit(error.detail), sum(len(message.pictures) for message in request.messages)
        if limit is not None and limit < shown:
            learnt = replace(probed, capabilities=replace(probed.capabilities, max_pictures=limit))
            self.options = self.options.model_copy(update={"max_pictures": limit})
        elif field := field_not_taken(error.detail, body, probed.without):
            learnt = replace(probed, without=probed.without | {field})
        else:
            raise self._explained(error) from None
        with self._probing:
            self._found = learnt
        self.__dict__.pop("capabilities", None)
        return learnt

    def _explained(self, error: RefusedRequestError) -> ModelError:
        """The error a person can act on."""
        if error.status == 404:
            served = served_names(self._server)
            if served and self._served_name not in served:
                listed = ", ".join(served[:10]) + (", ..." if len(served) > 10 else "")
                return ModelRequestError(f"no model {self._served_name!r} at {self.url}: it serves {listed}")
            return ModelRequestError(f"{error}: is the base URL right? It mostly ends in /v1")
        if any(word in error.detail.lower() for word in ("context length", "context size", "context window")):
            return ModelRequestError(f"too long for the model: {error}")
        return error


def create(argument: str | None) -> ChatModel:
    """`openai:NAME[?option=value&...]`, see `ServerOptions`."""
    name, options = read_argument("openai", argument, "openai:gemma3:4b")
    return OpenAICompatibleModel(name, validated("openai", ServerOptions, options))


def _base_url(given: str | None) -> str:
    url = given or os.environ.get("RECALL4D_BASE_URL") or os.environ.get("OPENAI_BASE_URL")
    if not url:
        raise UsageError(
            "no model server named: pass --base-url or set RECALL4D_BASE_URL, for example http://localhost:8000/v1 "
            "(vLLM), :30000/v1 (SGLang), :8080/v1 (llama.cpp), :11434/v1 (Ollama), :1234/v1 (LM Studio)"
        )
    return url
