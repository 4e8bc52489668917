"""Replies as values: what a model writes is parsed into a type, or rejected with a sentence that goes back to it.

Where a server can hold the model to a schema it is asked to; everywhere the reply is read leniently
(`models.lenient_json`) and validated. What does not fit is shown to the model once, with the error. A reply that
was cut off, a refusal and silence are three different failures and are not asked again: the caller knows what to
change (more tokens, another question, another model).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from recall4d.errors import (
    EmptyReplyError,
    MalformedReplyError,
    ModelError,
    RefusedReplyError,
    ReplyError,
    TruncatedReplyError,
)
from recall4d.models.lenient_json import NotJsonError, documents, whole
from recall4d.models.schema import json_schema
from recall4d.ports import ChatModel
from recall4d.records import ChatRequest, Message, Reply

T = TypeVar("T")

MAX_SHOWN = 4000
"""Characters of an unusable reply that are shown to the model again."""


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """A reply, read.

    Attributes:
        value: what it says.
        replies: what the model wrote, in order; two where the first one could not be used.
        error: why it could not; empty where it could.
    """

    value: T
    replies: tuple[Reply, ...]
    error: str = ""


def ask(model: ChatModel, request: ChatRequest, shape: type[T] | TypeAdapter[T]) -> Parsed[T]:
    """Ask for a value.

    Args:
        model: who is asked.
        request: what is asked. Its `json_schema` is what the server holds the model to; None takes the schema of
            `shape`. A model that cannot be held to it gets it in words, after the last message's text.
        shape: a pydantic model, any type pydantic knows, or an adapter of one.

    Raises:
        TruncatedReplyError, RefusedReplyError, EmptyReplyError: how the reply ended.
        MalformedReplyError: twice not such a value.
        ModelError: the model or its server failed.
    """
    (result,) = ask_all(model, [request], shape)
    if isinstance(result, ModelError):
        raise result
    return result


def ask_all(
    model: ChatModel, requests: Sequence[ChatRequest], shape: type[T] | TypeAdapter[T]
) -> list[Parsed[T] | ModelError]:
    """`ask` for many requests, as many at once as the model likes; what failed is an error in its place."""
    adapter = shape if isinstance(shape, TypeAdapter) else TypeAdapter(shape)
    asked = [_with_schema(model, request, adapter) for request in requests]
    results = [_result(reply, adapter) for reply in model.complete_all(asked)]
    again = [index for index, result in enumerate(results) if isinstance(result, MalformedReplyError)]
    seconds = model.complete_all([_retry(asked[index], results[index]) for index in again]) if again else []
    for index, second in zip(again, seconds, strict=True):
        results[index] = _second_result(results[index], second, adapter)
    return results


def parse(text: str, shape: type[T] | TypeAdapter[T]) -> T:
    """The value that a reply means.

    Raises:
        ValueError: there is none; the message says what was expected and what was found.
    """
    adapter = shape if isinstance(shape, TypeAdapter) else TypeAdapter(shape)
    error = ""
    for document in documents(text):
        try:
            return _validated(document, adapter)
        except ValidationError as invalid:
            error = error or _explained(invalid)
    if error:
        raise ValueError(error)
    try:
        whole(text.strip())
    except NotJsonError as no_json:
        raise ValueError(f"not a JSON document: {no_json}") from None
    raise ValueError("not a JSON document")


def _validated(document: Any, adapter: TypeAdapter[T]) -> T:
    first: ValidationError | None = None
    for reading in _readings(document, adapter):
        try:
            return adapter.validate_json(json.dumps(reading, allow_nan=False))
        except ValidationError as invalid:
            first = first or invalid
    assert first is not None  # the document itself is its first reading
    raise first


def _readings(document: Any, adapter: TypeAdapter[Any]) -> Iterator[Any]:
    """The document, then what models write in its place; only used where the document itself does not fit."""
    yield document
    if isinstance(document, str):  # JSON, written as a string
        try:
            yield whole(document.strip())
        except NotJsonError:
            return
    elif isinstance(document, list):
        if len(document) == 1:  # a list of the one object that was due
            yield document[0]
        fields = adapter.json_schema().get("properties", {})
        lists = [name for name, field in fields.items() if field.get("type") == "array"]
        if len(lists) == 1:  # the list alone, without the object around it
            yield {lists[0]: document}
    elif isinstance(document, dict):
        if len(document) == 1:  # {"answer": {...}}
            (inner,) = document.values()
            if isinstance(inner, dict | list):
                yield inner
        yield [document]  # one, where a list was due


def _explained(invalid: ValidationError) -> str:
    problems = invalid.errors(include_url=False)
    lines = []
    for problem in problems[:5]:
        place = ".".join(map(str, problem["loc"])) or "the document"
        found = repr(problem["input"])
        lines.append(f"{place}: {problem['msg']}, found {found if len(found) <= 80 else found[:77] + '...'}")
    if len(problems) > len(lines):
        lines.append(f"and {len(problems) - len(lines)} more")
    return "; ".join(lines)


def _result(reply: Reply | ModelError, adapter: TypeAdapter[T]) -> Parsed[T] | ModelError:
    if isinstance(reply, ModelError):
        return reply
    if reply.outcome == "refused":
        return RefusedReplyError(f"the model refused: {_shown(reply.text, 200)}", [reply])
    if not reply.text.strip():
        if reply.outcome == "length":
            return TruncatedReplyError(
                f"the model used all its {reply.tokens_out} tokens before it wrote the answer: allow more", [reply]
            )
        return EmptyReplyError("the model wrote nothing", [reply])
    try:
        # A model held to a schema may go on with spaces after the last bracket until it is stopped: that is whole.
        if reply.outcome == "length":
            return Parsed(_validated(json.loads(reply.text), adapter), (reply,))
        return Parsed(parse(reply.text, adapter), (reply,))
    except (ValueError, RecursionError) as error:
        if reply.outcome == "length":
            return TruncatedReplyError(
                f"the reply was cut off after {reply.tokens_out} tokens: allow more, or ask for less",
                [reply],
            )
        return MalformedReplyError(str(error), [reply])


def _second_result(
    first: Parsed[T] | ModelError, second: Reply | ModelError, adapter: TypeAdapter[T]
) -> Parsed[T] | ModelError:
    assert isinstance(first, MalformedReplyError)
    result = _result(second, adapter)
    if isinstance(result, Parsed):
        return Parsed(result.value, first.replies + result.replies, str(first))
    if isinstance(result, MalformedReplyError):
        return MalformedReplyError(
            f"asked twice, not the document that was due: {result}", first.replies + result.replies
        )
    if isinstance(result, ReplyError):
        result.replies = first.replies + result.replies
    return result


def _with_schema(model: ChatModel, request: ChatRequest, adapter: TypeAdapter[Any]) -> ChatRequest:
    schema = json_schema(adapter) if request.json_schema is None else request.json_schema
    if model.capabilities.json_schema:
        return replace(request, json_schema=schema)
    last = request.messages[-1]
    told = f"{last.text}\n\n{_in_words(schema)}"
    return replace(request, messages=(*request.messages[:-1], replace(last, text=told)), json_schema=schema)


def _in_words(schema: Mapping[str, Any]) -> str:
    return f"Reply with one JSON document and nothing else. It must fit this JSON schema:\n{json.dumps(schema)}"


def _retry(request: ChatRequest, first: object) -> ChatRequest:
    assert isinstance(first, MalformedReplyError)
    (reply,) = first.replies
    turns = (
        Message("assistant", _shown(reply.text, MAX_SHOWN)),
        Message(
            "user", f"This cannot be used: {first}. Reply again, with the corrected JSON document and nothing else."
        ),
    )
    return replace(request, messages=(*request.messages, *turns))


def _shown(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]} ..."
