"""`chat:MODEL`: a vision-language model says what each thing is.

As in the R4 paper, a frozen model prompts itself for a "concise single-instance semantic description" of the masked
crop. `chat:openai:gemma3:4b` names a chat model as everywhere else. What is around the thing is dimmed, not cut
away: a model that sees what a thing stands on confuses it less, and one that sees it bright describes that instead.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recall4d import plugins
from recall4d.errors import ModelError, UsageError
from recall4d.perception.describers.appearance import AppearanceDescriber
from recall4d.ports import ChatModel
from recall4d.records import ChatRequest, Description, Detection, Frame, Message, Picture

PROMPT = (
    "The picture shows one thing at full brightness; everything around it is dimmed. Describe the bright thing "
    "alone in one noun phrase of three to twelve words: what it is, its colour, its material or markings if they "
    "tell it from others of its kind. Not its place, not its surroundings, no sentence. "
    "Example: white ceramic mug with a blue rim."
)

DIMMED = 0.3
"""Brightness that is left of what is not the thing."""

MARGIN = 0.2
"""Share of its longer side by which the crop reaches beyond the thing, so that the model sees its context."""

LONGEST_PX, SHORTEST_PX = 448, 112
"""Crops are shrunk to the first, and enlarged where their longer side is below the second: models see patches."""

MAX_TOKENS, MAX_CHARACTERS = 60, 160

MAX_FAILURES = 8
"""So many failed calls in a row, with none between them that worked, and the model is gone: the ingest stops."""


class ChatDescriber:
    """Asks a chat model about each detection. A `recall4d.ports.AskingDescriber`."""

    def __init__(self, name: str, model: ChatModel) -> None:
        self.name = name
        self._model = model
        self._measured = AppearanceDescriber()
        self._failures = 0

    def content(self, frame: Frame, detection: Detection) -> str:
        """See `recall4d.ports.AskingDescriber`: model, prompt and the very picture."""
        asked = hashlib.sha256(f"{self._model.name}\n{PROMPT}\n{_hint(detection)}\n".encode())
        asked.update(masked_crop(frame, detection))
        return asked.hexdigest()

    def describe(
        self, frame: Frame, detections: Sequence[Detection], extents_xyz: NDArray[np.float64]
    ) -> Sequence[Description | None]:
        """What the model says of each, all asked at once; size, shape and colour are measured as ever.

        A reply that is refused, empty or cut off, and a call that failed, are None.

        Raises:
            ModelError: the last `MAX_FAILURES` calls all failed.
        """
        replies = self._model.complete_all([_request(frame, each) for each in detections])
        measured = self._measured.describe(frame, detections, extents_xyz)
        return [
            None if text is None else replace(each, text=text)
            for each, text in zip(measured, map(self._said, replies), strict=True)
        ]

    def _said(self, reply: object) -> str | None:
        if isinstance(reply, ModelError):
            self._failures += 1
            if self._failures >= MAX_FAILURES:
                raise ModelError(f"the last {self._failures} descriptions failed; the last one: {reply}") from reply
            return None
        self._failures = 0
        done = getattr(reply, "outcome", "") == "done"
        return cleaned(getattr(reply, "text", "")) if done else None


def create(argument: str | None) -> ChatDescriber:
    """The entry point `chat`.

    Raises:
        UsageError: no model is named, or it reads no pictures.
    """
    if argument is None:
        raise UsageError(
            f"the describer 'chat' needs a model: chat:MODEL, MODEL one of {', '.join(plugins.names('models'))}"
        )
    model = plugins.chat_model(argument)
    if model.capabilities.max_pictures == 0:
        raise UsageError(f"{model.name} reads no pictures: describe with a vision-language model")
    return ChatDescriber(f"chat:{argument}", model)


def masked_crop(frame: Frame, detection: Detection) -> bytes:
    """The PNG file of the thing with some of its surroundings, those dimmed."""
    top, left, bottom, right = detection.mask.rectangle
    margin = int(MARGIN * max(bottom - top, right - left)) + 4
    height, width = frame.rgb.shape[:2]
    rows = slice(max(0, top - margin), min(height, bottom + margin))
    columns = slice(max(0, left - margin), min(width, right + margin))
    part = frame.rgb[rows, columns]
    bright = np.zeros(part.shape[:2], dtype=bool)
    y, x = top - rows.start, left - columns.start
    bright[y : y + bottom - top, x : x + right - left] = detection.mask.patch
    image = Image.fromarray(np.where(bright[..., None], part, (part * DIMMED).astype(np.uint8)))
    longest = max(image.size)
    scale = min(1.0, LONGEST_PX / longest) if longest > SHORTEST_PX else SHORTEST_PX / longest
    if scale != 1.0:
        w, h = (max(1, round(side * scale)) for side in image.size)
        image = image.resize((w, h), Image.Resampling.BICUBIC)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def cleaned(reply: str) -> str | None:
    """The description in a reply: its first line without quotes, lists and introductions; None if none is left."""
    lines = [line.strip() for line in reply.strip().splitlines() if line.strip()]
    lines = [line for line in lines if not line.endswith(":") and not line.startswith("```")]
    if not lines:
        return None
    text = _unquoted(" ".join(lines[0].lstrip("-*#> ").strip(" `*_.").split()))
    if len(text) > MAX_CHARACTERS:
        text = text[:MAX_CHARACTERS].rsplit(" ", 1)[0].rstrip(",;")
    return text or None


def _unquoted(text: str) -> str:
    """A text without quotes around it; those around a title in it stay."""
    for quote in "\"'":
        begins, ends, alone = text.startswith(quote), text.endswith(quote), text.count(quote) == 1
        if (begins and ends) or (alone and (begins or ends)):
            text = text.strip(f"{quote} .")
    return text


def _request(frame: Frame, detection: Detection) -> ChatRequest:
    label = f"frame {frame.number} of {frame.agent}, {detection.mask.rectangle}"
    picture = Picture(masked_crop(frame, detection), "image/png", label)
    message = Message("user", PROMPT + _hint(detection), (picture,))
    return ChatRequest((message,), max_tokens=MAX_TOKENS)


def _hint(detection: Detection) -> str:
    """What a detector took it for, told as a guess."""
    return f" A detector took it for: {detection.category}; it may be wrong." if detection.category else ""
