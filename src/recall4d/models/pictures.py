"""Pictures within what a model takes: not too many, not too large.

Where fewer pictures are taken than are shown, several become one contact sheet, whose tiles carry their numbers,
and the message says so. Nothing is left out silently.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from recall4d.errors import ModelRequestError
from recall4d.records import ChatRequest, Message, Picture

if TYPE_CHECKING:
    from PIL import Image

MAX_SIDE_PX = 1024
"""Longest side of a picture sent; most models look at fewer pixels than that."""

MAX_SHEET_SIDE_PX = 1536
"""Longest side of a contact sheet, so that four tiles keep 768 pixels each."""

JPEG_QUALITY = 90


def fit_pictures(
    request: ChatRequest, max_pictures: int, *, model: str = "the model", max_side_px: int = MAX_SIDE_PX
) -> ChatRequest:
    """The request with pictures that the model takes.

    Raises:
        ModelRequestError: the model reads no pictures, or more messages show pictures than it takes pictures, or
            one cannot be decoded.
    """
    counts = [len(message.pictures) for message in request.messages]
    if not any(counts):
        return request
    showing = sum(count > 0 for count in counts)
    if max_pictures < showing:
        takes = "reads text only" if max_pictures == 0 else f"takes {max_pictures} pictures"
        raise ModelRequestError(f"{model} {takes}, and {showing} messages show pictures ({sum(counts)} in all)")
    sheets = _shares(counts, max_pictures)
    return replace(
        request,
        messages=tuple(
            _fitted(message, n, max_side_px) for message, n in zip(request.messages, sheets, strict=True)
        ),
    )


def contact_sheet(pictures: Sequence[Picture], first_number: int, max_side_px: int = MAX_SHEET_SIDE_PX) -> Picture:
    """Several pictures as one: a grid, row by row, each with its number in the upper left corner."""
    from PIL import Image, ImageDraw, ImageFont

    columns = math.ceil(math.sqrt(len(pictures)))
    rows = math.ceil(len(pictures) / columns)
    side = max_side_px // max(columns, rows)
    tiles = [_scaled(_decoded(picture), side) for picture in pictures]
    width, height = max(tile.width for tile in tiles), max(tile.height for tile in tiles)
    sheet = Image.new("RGB", (columns * width, rows * height))
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(max(side // 12, 12))
    for index, tile in enumerate(tiles):
        x, y = index % columns * width, index // columns * height
        sheet.paste(tile, (x, y))
        number = str(first_number + index)
        left, top, right, bottom = draw.textbbox((x + 6, y + 4), number, font=font)
        draw.rectangle((left - 4, top - 3, right + 4, bottom + 3), fill="black")
        draw.text((x + 6, y + 4), number, fill="white", font=font)
    label = "; ".join(f"{first_number + index}: {each.label}" for index, each in enumerate(pictures) if each.label)
    return Picture(_encoded(sheet), "image/jpeg", label)


def _shares(counts: Sequence[int], max_pictures: int) -> list[int]:
    """How many pictures each message may show: all of its own, or fewer where many tiles share one sheet least."""
    shares = [min(count, 1) for count in counts]
    while sum(shares) < min(max_pictures, sum(counts)):
        fullest = max(range(len(counts)), key=lambda i: counts[i] / shares[i] if shares[i] else 0.0)
        shares[fullest] += 1
    return shares


def _fitted(message: Message, n_sheets: int, max_side_px: int) -> Message:
    pictures = message.pictures
    if len(pictures) <= n_sheets:
        return replace(message, pictures=tuple(_shrunk(picture, max_side_px) for picture in pictures))
    sheets, told, begin = [], [], 0
    for number in range(n_sheets):
        size = (len(pictures) - begin) // (n_sheets - number)
        group = pictures[begin : begin + size]
        if size == 1:
            sheets.append(_shrunk(group[0], max_side_px))
            told.append(f"image {number + 1} is picture {begin + 1}")
        else:
            sheets.append(contact_sheet(group, begin + 1))
            told.append(f"image {number + 1} is a sheet of pictures {begin + 1} to {begin + size}")
        begin += size
    note = f"({len(pictures)} pictures: {'; '.join(told)}. Tiles have their numbers in the upper left corner.)"
    return replace(message, text=f"{note}\n{message.text}", pictures=tuple(sheets))


def _shrunk(picture: Picture, max_side_px: int) -> Picture:
    image = _opened(picture)
    if max(image.size) <= max_side_px:
        return picture
    return replace(picture, encoded=_encoded(_scaled(_decoded(picture), max_side_px)), media_type="image/jpeg")


def _scaled(image: Image.Image, max_side_px: int) -> Image.Image:
    factor = max_side_px / max(image.size)
    if factor >= 1:
        return image
    return image.resize((max(round(image.width * factor), 1), max(round(image.height * factor), 1)))


def _opened(picture: Picture) -> Image.Image:
    from PIL import Image

    try:
        return Image.open(io.BytesIO(picture.encoded))
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise ModelRequestError(f"a picture {picture.label!r} cannot be decoded: {error}") from error


def _decoded(picture: Picture) -> Image.Image:
    try:
        return _opened(picture).convert("RGB")
    except (OSError, ValueError) as error:
        raise ModelRequestError(f"a picture {picture.label!r} cannot be decoded: {error}") from error


def _encoded(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "JPEG", quality=JPEG_QUALITY)
    return file.getvalue()
