"""Crops as small pictures inside a page, bounded in number and in bytes."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from recall4d.records import Entry


@dataclass(frozen=True, slots=True)
class CropBudget:
    """How much a page may spend on pictures.

    Attributes:
        count: at most so many pictures.
        side_px: longest side of each.
        total_bytes: of all JPEG files together; base64 makes the page grow by a third more.
        quality: of the JPEG files.
    """

    count: int = 400
    side_px: int = 192
    total_bytes: int = 4_000_000
    quality: int = 82


@dataclass(frozen=True, slots=True)
class Crops:
    """Embedded pictures and what is missing.

    Attributes:
        uris: ``data:image/jpeg`` URI by entry id.
        over_budget: entries that have a crop for which there was no room.
        unreadable: entries whose crop is missing, damaged or outside the memory's directory.
    """

    uris: dict[str, str]
    over_budget: int
    unreadable: int


def embed_crops(entries: Sequence[Entry], directory: Path, budget: CropBudget) -> Crops:
    """Pictures of the most observed things first, then of surfaces, until the budget is spent.

    Args:
        entries: whose best views name crops.
        directory: the memory's; crop paths are relative to it.
        budget: limits.
    """
    uris: dict[str, str] = {}
    over_budget = unreadable = spent = 0
    for entry in sorted(entries, key=lambda each: (each.kind == "surface", -each.n_observations)):
        if entry.best_view is None or entry.best_view.crop is None:
            continue
        if len(uris) >= budget.count or spent >= budget.total_bytes:
            over_budget += 1
            continue
        jpeg = _small_jpeg(directory, entry.best_view.crop, budget)
        if jpeg is None:
            unreadable += 1
            continue
        spent += len(jpeg)
        uris[entry.entry_id] = "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")
    return Crops(uris, over_budget, unreadable)


def _small_jpeg(directory: Path, crop: str, budget: CropBudget) -> bytes | None:
    """The crop, scaled down; None when it cannot be read. A page never embeds a file from outside the memory."""
    try:
        path = (directory / crop).resolve()
        if not path.is_relative_to(directory.resolve()):
            return None
        with Image.open(path) as image:
            image.draft("RGB", (budget.side_px, budget.side_px))
            small = image.convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
    small.thumbnail((budget.side_px, budget.side_px), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, format="JPEG", quality=budget.quality, optimize=True)
    return buffer.getvalue()
