"""Which way a thing faces by itself, and how one knows."""

from __future__ import annotations

import math

import numpy as np

from recall4d.geometry.relations import Boxes
from recall4d.memory.snapshot import Snapshot
from recall4d.records import Entry

AGAINST_M = 0.3
"""A thing this near a wall, with its long side along it, has its back to it."""

WALL_HEIGHT_M, WALL_THICKNESS_M = 1.0, 0.4
LONGER = 1.15
"""By how much one side must be the longer for a thing to have a broad side."""


def own_front(snapshot: Snapshot, row: int, at_ns: int) -> tuple[tuple[float, float], str] | None:
    """(x, y) direction in which an entry faces at an instant, and how it is known; None where it is not.

    Said by the attribute `front`, degrees in the world frame from +X towards +Y; or else away from the one wall it
    stands against with its broad side.
    """
    entry = snapshot.entries[row]
    said = _degrees(entry.attributes.get("front"))
    if said is not None:
        return (math.cos(said), math.sin(said)), "as its attribute 'front' says"
    state = entry.state_at(at_ns) or entry.states[0]
    fronts = {
        front: wall
        for wall in snapshot.entries
        if wall.kind == "surface" and (front := _away_from(wall, Boxes.of(state.box), at_ns)) is not None
    }
    if len(fronts) != 1:
        return None
    front, wall = next(iter(fronts.items()))
    return front, f"away from {wall.entry_id}, the wall it stands against"


def _degrees(text: str | None) -> float | None:
    try:
        degrees = math.nan if text is None else float(text)
    except ValueError:
        return None
    return math.radians(degrees) if math.isfinite(degrees) else None


def _away_from(wall: Entry, box: Boxes, at_ns: int) -> tuple[float, float] | None:
    """The direction away from an upright surface that a box stands against; None where it does not."""
    state = wall.state_at(at_ns)
    if state is None:
        return None
    face = Boxes.of(state.box)
    extent, thin = box.extent, int(np.argmin(face.extent[:2]))
    along = 1 - thin
    upright = face.extent[2] >= WALL_HEIGHT_M and face.extent[thin] <= WALL_THICKNESS_M
    broad = extent[along] >= LONGER * extent[thin]
    overlap = min(box.high[along], face.high[along]) - max(box.low[along], face.low[along])
    if not (upright and broad and overlap >= 0.5 * extent[along]):
        return None
    if abs(box.low[thin] - face.high[thin]) <= AGAINST_M and box.centre[thin] > face.centre[thin]:
        sign = 1.0
    elif abs(face.low[thin] - box.high[thin]) <= AGAINST_M and box.centre[thin] < face.centre[thin]:
        sign = -1.0
    else:
        return None
    return (sign, 0.0) if thin == 0 else (0.0, sign)
