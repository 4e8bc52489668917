"""Ground truth that comes with a recording: things with boxes, read for scoring only."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from recall4d.clock import NS_PER_S
from recall4d.geometry.box import Box

MIN_PIXELS = 100
"""A thing counts as seen in a frame in which at least so many of its pixels show."""


@dataclass(frozen=True, slots=True)
class TrueThing:
    """What was really there.

    Attributes:
        thing_id: the recording's own id.
        category, description: what a segmenter could say of it.
        box: world frame.
        whole: its box is wholly known: neither cut off by the walk nor hidden in part.
        frames_seen: in how many frames of the recording it shows.
    """

    thing_id: int
    category: str | None
    description: str
    box: Box
    whole: bool
    frames_seen: int


def things_of(recording: Path, until_s: float | None = None) -> list[TrueThing]:
    """The things of a recording that has annotated boxes (objects.json) or exact states (truth.json).

    Args:
        recording: folder of one agent.
        until_s: only frames up to this many seconds after the first are counted, and with exact states the boxes
            are those at that moment; things that are not there then, or move, are left out.
    """
    folder = recording if (recording / "objects.json").exists() else recording.parent
    labels: dict[str, Any] = json.loads((folder / "objects.json").read_text(encoding="utf-8"))
    seen = _frames_seen(recording, until_s)
    boxes = _states(folder, until_s) if (folder / "truth.json").exists() else _annotated(labels)
    return [
        TrueThing(
            thing_id=thing_id,
            category=labels[str(thing_id)]["category"],
            description=labels[str(thing_id)]["description"],
            box=box,
            whole=whole,
            frames_seen=seen[thing_id],
        )
        for thing_id, (box, whole) in boxes.items()
    ]


def _annotated(labels: dict[str, Any]) -> dict[int, tuple[Box, bool]]:
    return {
        int(key): (
            Box.from_arrays(label["box_min_xyz"], label["box_max_xyz"]),
            not (label["truncated"] or label["part_hidden"]),
        )
        for key, label in labels.items()
    }


def _states(folder: Path, at_s: float | None) -> dict[int, tuple[Box, bool]]:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    at = float("inf") if at_s is None else at_s
    boxes: dict[int, tuple[Box, bool]] = {}
    for key, thing in truth["objects"].items():
        last = [state for state in thing["states"] if state["t_start_s"] <= at][-1]
        if last["present"] and not last.get("moving"):
            boxes[int(key)] = (Box.from_arrays(last["box_min_xyz"], last["box_max_xyz"]), True)
    return boxes


def _frames_seen(recording: Path, until_s: float | None) -> Counter[int]:
    """In how many frames each id has at least `MIN_PIXELS` pixels."""
    with (recording / "poses.csv").open(newline="") as file:
        rows = [(int(row["frame"]), int(row["stamp_ns"])) for row in csv.DictReader(file)]
    start_ns = min(stamp for _, stamp in rows)
    seen: Counter[int] = Counter()
    for number, stamp in rows:
        if until_s is None or stamp - start_ns <= until_s * NS_PER_S:
            with Image.open(recording / "instance" / f"{number:06d}.png") as image:
                ids, counts = np.unique(np.asarray(image), return_counts=True)
            seen.update(int(each) for each in ids[(counts >= MIN_PIXELS) & (ids > 0)])
    return seen
