"""Asking a model to fill in a form: JSON that fits a schema, parsed into what the caller wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar, cast

from pydantic import PlainValidator, TypeAdapter, WithJsonSchema

from recall4d.errors import ReplyError
from recall4d.models.structured import ask
from recall4d.ports import ChatModel
from recall4d.records import ChatRequest, Message, Reply

T = TypeVar("T")


class UnreadableReplyError(Exception):
    """The model replied, and not with the form that was asked for, also when asked again. Stays in `reasoning`."""


@dataclass(frozen=True)
class Form(Generic[T]):
    """What a reply must look like.

    Attributes:
        schema: JSON schema of the document.
        parse: from the document to what the caller wants; raises `ValueError` with a sentence for the writer.
        max_tokens: of the reply.
    """

    schema: Mapping[str, Any]
    parse: Callable[[Any], T]
    max_tokens: int


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of an object with these properties, all of them and no other."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def fill(
    model: ChatModel, messages: Sequence[Message], form: Form[T], temperature: float = 0.0, seed: int = 0
) -> tuple[T, Reply]:
    """Ask for a form, once more with the fault if it was not filled in well.

    Raises:
        UnreadableReplyError: neither reply could be used, or the model refused, was cut off or said nothing.
        ModelError: the model or its server failed.
    """
    # The schema goes with the request; the adapter only parses.
    shape = TypeAdapter(Annotated[Any, PlainValidator(form.parse), WithJsonSchema({})])
    request = ChatRequest(tuple(messages), form.schema, form.max_tokens, temperature, seed)
    try:
        parsed = ask(model, request, shape)
    except ReplyError as error:
        raise UnreadableReplyError(str(error)) from error
    return cast(T, parsed.value), parsed.replies[-1]
