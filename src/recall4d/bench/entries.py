"""How well a memory's entries agree with what was really there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from recall4d.bench.truth import TrueThing
from recall4d.geometry.box import Box
from recall4d.records import Entry

MIN_FRAMES = 3
"""Things seen in fewer frames are not asked for."""

LARGE_M = 1.0
"""A thing longer than this is large."""

REACH_M = 0.15
"""An entry is of a thing if its centre is nearer than this plus a quarter of the thing's diagonal, or inside it."""


@dataclass(frozen=True, slots=True)
class EntryScore:
    """Entries against truth.

    Attributes:
        n_things: things asked for: seen in `MIN_FRAMES` frames or more.
        recall: share of the wholly visible ones that have an entry.
        missed: descriptions of those that have none.
        duplicates: entries beyond the first of a thing, as a share of the things found.
        doubled: descriptions of the things with more than one entry.
        spurious: descriptions of entries of none of the things.
        small_median_m, small_p90_m: distance between box centres, things up to `LARGE_M`.
        large_median_m, large_p90_m: the same for large things; NaN where there are none.
        extent_median_m: mean difference of the edges, small things.
    """

    n_things: int
    recall: float
    missed: tuple[str, ...]
    duplicates: float
    doubled: tuple[str, ...]
    spurious: tuple[str, ...]
    small_median_m: float
    small_p90_m: float
    large_median_m: float
    large_p90_m: float
    extent_median_m: float

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; NaN becomes null."""
        return {name: None if value != value else value for name, value in asdict(self).items()}


def score_entries(entries: Sequence[Entry], things: Sequence[TrueThing]) -> EntryScore:
    """Compare entries with what was really there.

    An entry is of the nearest thing with the same category or description in reach. Of several entries of one
    thing, the one with most observations is measured and the others are duplicates. Recall and errors are over
    things that are wholly visible; duplicates over all.
    """
    owned = _owned(entries, things)
    taken = {entry.entry_id for mine in owned.values() for entry in mine}
    asked = [thing for thing in things if thing.frames_seen >= MIN_FRAMES]
    whole = [thing for thing in asked if thing.whole]
    found = [thing for thing in asked if owned[thing.thing_id]]
    errors = [_errors(thing, owned[thing.thing_id][0]) for thing in whole if owned[thing.thing_id]]
    small = [(centre, extent) for thing_is_large, centre, extent in errors if not thing_is_large]
    large = [centre for thing_is_large, centre, _ in errors if thing_is_large]
    return EntryScore(
        n_things=len(asked),
        recall=sum(bool(owned[thing.thing_id]) for thing in whole) / max(len(whole), 1),
        missed=tuple(thing.description for thing in whole if not owned[thing.thing_id]),
        duplicates=sum(len(owned[thing.thing_id]) - 1 for thing in found) / max(len(found), 1),
        doubled=tuple(thing.description for thing in found if len(owned[thing.thing_id]) > 1),
        spurious=tuple(entry.description for entry in entries if entry.entry_id not in taken),
        small_median_m=_quantile([centre for centre, _ in small], 0.5),
        small_p90_m=_quantile([centre for centre, _ in small], 0.9),
        large_median_m=_quantile(large, 0.5),
        large_p90_m=_quantile(large, 0.9),
        extent_median_m=_quantile([extent for _, extent in small], 0.5),
    )


def _owned(entries: Sequence[Entry], things: Sequence[TrueThing]) -> dict[int, list[Entry]]:
    """Entries of each thing, most observed first."""
    owned: dict[int, list[Entry]] = {thing.thing_id: [] for thing in things}
    for entry in entries:
        fitting = [(_off(entry, thing), thing.thing_id) for thing in things if _same_words(entry, thing)]
        in_reach = [(off, thing_id) for off, thing_id in fitting if off < 1.0]
        if in_reach:
            owned[min(in_reach)[1]].append(entry)
    for mine in owned.values():
        mine.sort(key=lambda entry: -entry.n_observations)
    return owned


def _same_words(entry: Entry, thing: TrueThing) -> bool:
    if entry.description == thing.description:
        return True
    return entry.category is not None and entry.category == thing.category


def _off(entry: Entry, thing: TrueThing) -> float:
    """Distance of the centres over the reach; below 1 the entry may be of the thing."""
    centre, box = np.asarray(entry.now.box.centroid_xyz), thing.box
    different = 0.0 if entry.description == thing.description else 0.5
    distance = float(np.linalg.norm(centre - box.centroid_xyz))
    reach = REACH_M + box.diagonal_m / 4
    inside = bool(((centre >= box.min_xyz) & (centre <= box.max_xyz)).all())
    return min(distance / reach, 0.99 if inside else np.inf) * (1 + different)


def _errors(thing: TrueThing, entry: Entry) -> tuple[bool, float, float]:
    box: Box = entry.now.box
    centre = float(np.linalg.norm(np.subtract(box.centroid_xyz, thing.box.centroid_xyz)))
    extent = float(np.abs(np.subtract(box.extent_xyz, thing.box.extent_xyz)).mean())
    return max(thing.box.extent_xyz) > LARGE_M, centre, extent


def _quantile(values: Sequence[float], quantile: float) -> float:
    return float(np.quantile(values, quantile)) if values else float("nan")
