"""Chat completions as OpenAI's API has them: a request as its JSON, its JSON as a reply.

Source: the API reference of `POST /v1/chat/completions`; deviations as documented by vLLM, SGLang, llama.cpp's
server, Ollama and LM Studio.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping
from typing import Any, Literal

from recall4d.errors import ModelError
from recall4d.models.schema import is_strict
from recall4d.records import ChatRequest, Message, Outcome, Reply

Json = dict[str, Any]

Dialect = Literal["json_schema", "structured_outputs", "guided_json", "json_object", "none"]
"""How a server is told the schema of the reply:

- `json_schema`: as OpenAI does, and by now everyone;
- `structured_outputs`: vLLM's own field; `guided_json`: the same in vLLM before 0.12;
- `json_object`: a schema inside `response_format: json_object`, llama.cpp's server before 2025 and TGI-like ones;
- `none`: not at all, the schema is said in words.
"""

DIALECTS: tuple[Dialect, ...] = ("json_schema", "structured_outputs", "guided_json", "json_object")


def chat_body(
    request: ChatRequest,
    name: str,
    *,
    dialect: Dialect = "json_schema",
    probabilities: bool = False,
    without: frozenset[str] = frozenset(),
) -> Json:
    """A request as JSON.

    Args:
        request: its pictures fit what the model takes.
        name: of the model at its server.
        dialect: how the schema is told.
        probabilities: whether the probabilities of the reply's tokens are wanted.
        without: what this server does not take: names of fields; "max_tokens" stands for its older name, "system"
            for messages of that role.
    """
    messages = said_by_user(request.messages) if "system" in without else request.messages
    body: Json = {
        "model": name,
        "messages": [_message(message) for message in messages],
        "max_completion_tokens" if "max_tokens" in without else "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
        "stream": False,
    }
    if probabilities:
        body["logprobs"] = True
    if request.json_schema is not None:
        body |= _schema_fields(dict(request.json_schema), dialect)
    return {field: value for field, value in body.items() if field not in without}


def read_reply(document: Any, seconds: float) -> Reply:
    """A reply from a server's JSON.

    Raises:
        ModelError: it is not a chat completion.
    """
    try:
        choice = document["choices"][0]
        message = choice["message"]
        usage = document.get("usage") or {}
        tokens = int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)
        text, refusal = _text(message.get("content")), message.get("refusal")
        finish = choice.get("finish_reason")
        confidence = _confidence(choice.get("logprobs"))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"the server's reply is no chat completion: {str(document)[:200]}") from error
    if refusal or finish == "content_filter":
        return Reply(str(refusal or text), "refused", *tokens, seconds)
    text = without_thought(text)
    outcome: Outcome = "length" if finish == "length" else "done" if text.strip() else "empty"
    return Reply("" if outcome == "empty" else text, outcome, *tokens, seconds, confidence)


_THOUGHT = re.compile(r"\A.*</(?:think|thinking|thought)>\s*", re.DOTALL)
_UNFINISHED = re.compile(r"<(?:think|thinking|thought)>.*\Z", re.DOTALL)


def without_thought(text: str) -> str:
    """A reply without what a reasoning model thought aloud before it.

    The opening tag may be missing, since templates write it into the prompt; the closing one may be, when the limit
    of
    tokens came first: then there is no reply.
    """
    return _UNFINISHED.sub("", _THOUGHT.sub("", text))


def _message(message: Message) -> Json:
    if not message.pictures:
        return {"role": message.role, "content": message.text}
    parts: list[Json] = []
    for picture in message.pictures:
        encoded = base64.b64encode(picture.encoded).decode("ascii")
        parts.append({"type": "image_url", "image_url": {"url": f"data:{picture.media_type};base64,{encoded}"}})
    return {"role": message.role, "content": [*parts, {"type": "text", "text": message.text}]}


def said_by_user(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The same, said by the user: some models' templates know no system."""
    said = "\n\n".join(message.text for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    if not said or not rest:
        return messages
    first = rest[0]
    return (Message(first.role, f"{said}\n\n{first.text}", first.pictures), *rest[1:])


def _schema_fields(schema: Json, dialect: Dialect) -> Json:
    if dialect == "json_schema":
        named = {"name": "reply", "schema": schema, "strict": is_strict(schema)}
        return {"response_format": {"type": "json_schema", "json_schema": named}}
    if dialect == "structured_outputs":
        return {"structured_outputs": {"json": schema}}
    if dialect == "guided_json":
        return {"guided_json": schema}
    if dialect == "json_object":
        return {"response_format": {"type": "json_object", "schema": schema}}
    return {}


def _text(content: Any) -> str:
    if isinstance(content, list):  # parts, as some servers send them
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if content is None or isinstance(content, str):
        return content or ""
    raise TypeError(f"content is {type(content).__name__}")


def _confidence(logprobs: Mapping[str, Any] | None) -> float | None:
    """Geometric mean of the tokens' probabilities."""
    tokens = (logprobs or {}).get("content") or []
    values = [float(token["logprob"]) for token in tokens if token.get("logprob") is not None]
    if not values or any(math.isnan(value) for value in values):
        return None
    return min(math.exp(sum(values) / len(values)), 1.0)
