"""What goes to a chat model and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]

Outcome = Literal["done", "length", "refused", "empty"]
"""How a reply ended: whole; cut off by the limit of tokens; the model refused; nothing was written."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded image.

    Attributes:
        encoded: the bytes of a JPEG or PNG file.
        media_type: "image/jpeg" or "image/png".
        label: what it shows, for a person who reads the trace ("frame 240 of alpha").
    """

    encoded: bytes
    media_type: str = "image/jpeg"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. Pictures come before the text."""

    role: Role
    text: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a model is asked.

    Attributes:
        messages: in order; the last one is the user's.
        json_schema: the reply must be a JSON document that fits; None asks for free text.
        max_tokens: of the reply.
        temperature: 0 takes the likeliest words.
        seed: where the model can be seeded.
    """

    messages: tuple[Message, ...]
    json_schema: Mapping[str, Any] | None = None
    max_tokens: int = 512
    temperature: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote.

    Attributes:
        text: as written; empty when `outcome` is "empty".
        outcome: how it ended.
        tokens_in, tokens_out: as the model counts them; 0 where it does not say.
        seconds: from the call to the last word.
        confidence: geometric mean of the probabilities of its tokens, in [0, 1]; None where the model keeps them
            to itself.
    """

    text: str
    outcome: Outcome = "done"
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model can take.

    Attributes:
        max_pictures: in one request; 0 for a model that reads text only.
        json_schema: whether it can be held to a schema while it writes.
        context_tokens: of request and reply together; None where unknown.
        token_probabilities: whether replies carry a confidence.
    """

    max_pictures: int = 0
    json_schema: bool = False
    context_tokens: int | None = None
    token_probabilities: bool = False
