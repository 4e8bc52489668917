"""A tape: what was asked and what was replied, one JSON document a line.

The first line says which model it was; every other line is one call. A call is found again by the hash of its
request, in which a picture counts by its content and its label does not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from recall4d import errors
from recall4d.errors import ModelError, TapeError
from recall4d.models.secrets import secrets_of, without_secrets
from recall4d.records import Capabilities, ChatRequest, Reply

FORMAT = "recall4d.tape/1"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One call: what was asked, as a document, and what came of it."""

    request: Json
    result: Reply | ModelError

    @property
    def key(self) -> str:
        """Hash of the request."""
        return document_key(self.request)


@dataclass(frozen=True, slots=True)
class Tape:
    """What a tape holds.

    Attributes:
        model: name of the model that was recorded.
        capabilities: what that model can take.
        calls: in the order in which they ended.
        size: bytes of the file that hold whole lines; what follows was being written when the writer was stopped.
    """

    model: str
    capabilities: Capabilities
    calls: tuple[Call, ...]
    size: int


def request_document(request: ChatRequest) -> Json:
    """A request as JSON, without secrets; a picture is told by its SHA-256, its kind and its number of bytes."""
    document = {
        "messages": [
            {
                "role": message.role,
                "text": message.text,
                "pictures": [
                    {
                        "sha256": hashlib.sha256(picture.encoded).hexdigest(),
                        "media_type": picture.media_type,
                        "n_bytes": len(picture.encoded),
                    }
                    for picture in message.pictures
                ],
            }
            for message in request.messages
        ],
        "json_schema": request.json_schema,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed,
    }
    hidden: Json = without_secrets(document, secrets_of())
    return hidden


def request_key(request: ChatRequest) -> str:
    """Hash of a request: equal for requests that a model cannot tell apart."""
    return document_key(request_document(request))


def document_key(document: Mapping[str, Any]) -> str:
    """Hash of a request's document. Order in a schema counts: models write fields in that order."""
    return hashlib.sha256(json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[
        :32
    ]


def header_line(model: str, capabilities: Capabilities) -> str:
    """First line of a tape."""
    return _line({"tape": FORMAT, "model": model, "capabilities": asdict(capabilities)})


def call_line(request: ChatRequest, result: Reply | ModelError) -> str:
    """One call as a line of a tape."""
    document: Json = {"request": request_document(request)}
    if isinstance(result, Reply):
        document["reply"] = without_secrets(asdict(result), secrets_of())
    else:
        kind = next(each for each in type(result).__mro__ if each.__module__ == errors.__name__)
        document["error"] = {"kind": kind.__name__, "message": without_secrets(str(result), secrets_of())}
    return _line(document)


def read_tape(path: Path) -> Tape:
    """Read a tape. A last line that was not finished is left out.

    Raises:
        TapeError: missing, or not a tape.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TapeError(f"cannot read the tape {path}: {error.strerror or error}") from error
    size = content.rfind(b"\n") + 1
    lines = content[:size].split(b"\n")[:-1]
    try:
        header = json.loads(lines[0]) if lines else {}
        if header.get("tape") != FORMAT:
            raise TapeError(f"{path} is not a tape: its first line must say {FORMAT!r}")
        calls = tuple(_call(json.loads(line)) for line in lines[1:])
        return Tape(header["model"], Capabilities(**header["capabilities"]), calls, size)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TapeError(f"{path} is not a tape that can be read: {error}") from error


def _call(document: Json) -> Call:
    if "reply" in document:
        return Call(document["request"], Reply(**document["reply"]))
    kind = getattr(errors, document["error"]["kind"], ModelError)
    known = isinstance(kind, type) and issubclass(kind, ModelError)
    return Call(document["request"], (kind if known else ModelError)(document["error"]["message"]))


def _line(document: Json) -> str:
    return json.dumps(document) + "\n"
