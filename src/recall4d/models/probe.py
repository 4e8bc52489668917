"""What a model behind an OpenAI-compatible server can take, found out by asking it.

Lists of features are not to be trusted: servers accept fields that they ignore, and models are loaded with less
than they could do. So small requests are sent and what comes back is looked at: a schema that only one unlikely
document fits, a picture that must cost tokens. Five short calls; what was found is kept for a day
(`models.probe_cache`).
"""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from recall4d.errors import ModelError, ModelUnavailableError
from recall4d.models.http_json import JsonServer, RefusedRequestError, ServerUnreachableError
from recall4d.models.wire import DIALECTS, Dialect, chat_body, read_reply
from recall4d.records import Capabilities, ChatRequest, Message, Picture, Reply

MANY_PICTURES = 8
"""Taken to be the limit of a model that takes two; a server that takes fewer says so and is believed then."""

_CODE = {"code": "k7"}
_SCHEMA = {
    "type": "object",
    "properties": {"code": {"type": "string", "enum": ["k7"]}},
    "required": ["code"],
    "additionalProperties": False,
}
_GREETING = ChatRequest((Message("user", "Say hello."),), json_schema=_SCHEMA, max_tokens=32)
_THINKING_TOKENS = 2048
_FIELDS = ("seed", "logprobs", "temperature", "max_tokens")
_NOT_TAKEN = re.compile(
    r"support|unrecogni|unknown|unexpected|not permitted|not allowed|extra|invalid param", re.IGNORECASE
)
_LIMIT = re.compile(r"at most (\d+) image", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Probed:
    """What was found out.

    Attributes:
        capabilities: for whoever asks the model.
        dialect: how it is told a schema.
        without: fields that its server does not take, see `wire.chat_body`.
        server: what the server calls itself ("vllm", "llamacpp"); empty where it does not say.
        notes: what a person should know.
    """

    capabilities: Capabilities
    dialect: Dialect = "json_schema"
    without: frozenset[str] = frozenset()
    server: str = ""
    notes: tuple[str, ...] = ()


def probe(server: JsonServer, name: str) -> Probed:
    """Find out what a model can take.

    Raises:
        ModelUnavailableError: the server cannot be reached.
        ModelRequestError: it does not know the model, or wants another key.
    """
    entry = model_entry(server, name)
    conversation = _Conversation(server, name)
    dialect, probabilities = _dialect(conversation)
    n_pictures, told = _pictures(conversation)
    notes = [told] if told else []
    if dialect == "none":
        notes.append("it cannot be held to a JSON schema: the schema is said in words and replies are checked")
    if conversation.without:
        notes.append(f"it does not take {', '.join(sorted(conversation.without))}")
    kind = str(entry.get("owned_by") or "")
    context = _context_tokens(server, name, entry, kind)
    if kind == "library":
        notes.append("Ollama cuts what is longer than its context without a word: set OLLAMA_CONTEXT_LENGTH")
    capabilities = Capabilities(n_pictures, dialect != "none", context, probabilities)
    return Probed(capabilities, dialect, conversation.without, kind, tuple(notes))


def model_entry(server: JsonServer, name: str) -> Mapping[str, Any]:
    """What the server's list says of a model; of its only one, whatever the name: such servers do not look at it.

    Raises:
        ModelUnavailableError: the server cannot be reached.
    """
    entries = {str(entry.get("id")): entry for entry in _served(server)}
    for known in (name, f"{name}:latest"):
        if known in entries:
            return entries[known]
    return next(iter(entries.values())) if len(entries) == 1 else {}


def served_names(server: JsonServer) -> list[str]:
    """Names of the models that a server has; none where it does not say."""
    try:
        return [str(entry.get("id")) for entry in _served(server)]
    except ModelError:
        return []


def field_not_taken(detail: str, body: Mapping[str, Any], without: frozenset[str]) -> str | None:
    """The optional field of a request that a server's refusal is about; "system" for messages of that role."""
    if not _NOT_TAKEN.search(detail):
        return None
    for field in _FIELDS:
        if field in body and field not in without and re.search(rf"\b{field}\b", detail):
            return field
    roles = {message["role"] for message in body["messages"]}
    if "system" in roles and re.search(r"system.{0,20}role|role.{0,20}system", detail, re.IGNORECASE):
        return "system"
    return None


def picture_limit(detail: str) -> int | None:
    """How many pictures a server takes, where its refusal says so."""
    match = _LIMIT.search(detail)
    return int(match.group(1)) if match else None


class _Conversation:
    """Short questions to one model; remembers which fields it does not take."""

    def __init__(self, server: JsonServer, name: str) -> None:
        self.server = server
        self.name = name
        self.without: frozenset[str] = frozenset()

    def ask(
        self,
        request: ChatRequest,
        dialect: Dialect = "none",
        probabilities: bool = False,
        retries: int | None = None,
    ) -> Reply:
        while True:
            body = chat_body(request, self.name, dialect=dialect, probabilities=probabilities, without=self.without)
            begun = time.monotonic()
            try:
                document = self.server.post("/chat/completions", body, retries=retries)
            except RefusedRequestError as error:
                field = field_not_taken(error.detail, body, self.without)
                if error.status not in (400, 422) or field is None:
                    raise
                self.without |= {field}
            else:
                return read_reply(document, time.monotonic() - begun)


def _dialect(conversation: _Conversation) -> tuple[Dialect, bool]:
    """How a schema is told, and whether replies carry probabilities."""
    probabilities = False
    for dialect in DIALECTS:
        try:
            reply = conversation.ask(_GREETING, dialect, probabilities=True)
            if reply.outcome == "length":  # it thinks before it writes
                reply = conversation.ask(
                    replace(_GREETING, max_tokens=_THINKING_TOKENS), dialect, probabilities=True
                )
        except RefusedRequestError as error:
            if error.status not in (400, 422):
                raise
            continue
        probabilities = probabilities or reply.confidence is not None
        try:
            if json.loads(reply.text) == _CODE:
                return dialect, probabilities
        except (ValueError, RecursionError):
            continue
    if not probabilities:  # all four may have been refused for their schema
        probabilities = (
            conversation.ask(replace(_GREETING, json_schema=None), probabilities=True).confidence is not None
        )
    return "none", probabilities


def _pictures(conversation: _Conversation) -> tuple[int, str]:
    """How many pictures one request may show, and a note."""
    n_tokens = [conversation.ask(_showing(0)).tokens_in]
    for count in (1, 2):
        try:
            n_tokens.append(conversation.ask(_showing(count), retries=0).tokens_in)
        except ServerUnreachableError:
            raise
        except (RefusedRequestError, ModelUnavailableError) as error:  # llama.cpp's server says 500 to a picture
            limit = picture_limit(error.detail) if isinstance(error, RefusedRequestError) else None
            if count == 1:
                return 0, f"no pictures: {error}"
            return limit or 1, "one picture a request: several are sent as one contact sheet"
        if 0 < n_tokens[-1] <= n_tokens[-2]:
            if count == 1:
                return 0, "no pictures: the server takes one and does not show it to the model"
            return 1, "one picture a request: of two, only one reaches the model"
    return MANY_PICTURES, ""


def _showing(n_pictures: int) -> ChatRequest:
    pictures = tuple(_plain_picture(colour) for colour in ("red", "blue")[:n_pictures])
    return ChatRequest((Message("user", "Which colour?", pictures),), max_tokens=1)


def _plain_picture(colour: str) -> Picture:
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (64, 64), colour).save(file, "PNG")
    return Picture(file.getvalue(), "image/png")


def _served(server: JsonServer) -> list[Mapping[str, Any]]:
    try:
        document = server.get("/models")
    except RefusedRequestError as error:
        if error.status in (401, 403):
            raise
        return []
    entries = document.get("data") if isinstance(document, dict) else None
    return [entry for entry in entries or [] if isinstance(entry, dict)]


def _context_tokens(server: JsonServer, name: str, entry: Mapping[str, Any], kind: str) -> int | None:
    """Tokens of context, from wherever a server says it; after the first call, since Ollama loads with it."""
    for key in ("max_model_len", "context_length", "context_window"):  # vLLM and SGLang; OpenRouter; Groq
        if isinstance(entry.get(key), int):
            return int(entry[key])
    try:
        if kind == "llamacpp":
            return int(server.get("//props", retries=0)["default_generation_settings"]["n_ctx"])
        if kind == "library":
            loaded = server.get("//api/ps", retries=0)["models"]
            return next(int(each["context_length"]) for each in loaded if each["name"].startswith(name))
        if kind == "organization_owner":  # LM Studio
            about = server.get(f"//api/v0/models/{name}", retries=0)
            return int(about.get("loaded_context_length") or about["max_context_length"])
    except (ModelError, KeyError, TypeError, ValueError, StopIteration, AttributeError):
        pass
    meta = entry.get("meta")
    return int(meta["n_ctx"]) if isinstance(meta, dict) and isinstance(meta.get("n_ctx"), int) else None
