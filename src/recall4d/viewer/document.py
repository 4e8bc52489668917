"""The document inside a page: a snapshot as compact JSON, thinned to what a browser carries with ease.

Instants are whole milliseconds after the memory's first instant: a JavaScript number cannot hold nanoseconds since
1970. Lengths are metres in the world frame, rounded to millimetres.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import Interval, merge_intervals
from recall4d.geometry.pose import Trajectory
from recall4d.memory.snapshot import Snapshot
from recall4d.records import Entry
from recall4d.viewer.colours import Colour, agent_colour, category_colours
from recall4d.viewer.crops import CropBudget, embed_crops
from recall4d.viewer.places import bounds_of, changes_of, count, label_of, places_of, runs_of

SCHEMA = "recall4d.page/1"
MAX_ENTRIES = 5_000
MAX_POSES = 2_000
"""Poses drawn of one agent."""
MAX_STRETCHES = 200
"""Sightings and places of one entry; more could not be told apart on the time line."""

Json = dict[str, Any]
Milliseconds = Callable[[int], int]


def document_of(snapshot: Snapshot, directory: Path, budget: CropBudget) -> Json:
    """Everything a page shows.

    Args:
        snapshot: what is drawn.
        directory: the memory's, where crops are.
        budget: limits of the crops.
    """
    entries, n_without_room = _most_observed(snapshot.entries)
    crops = embed_crops(entries, directory, budget)
    agents = list(dict.fromkeys([*snapshot.agents, *(name for entry in entries for name in entry.agents)]))
    agent_codes = {name: code for code, name in enumerate(agents)}

    def milliseconds(instant_ns: int) -> int:
        return (instant_ns - snapshot.origin_ns) // 1_000_000

    low, high = bounds_of(snapshot)
    thinned: list[str] = []
    left_out = [
        _left_out(n_without_room, "entry is", "entries are", f"left out: only the {MAX_ENTRIES} most observed fit"),
        _left_out(crops.over_budget, "entry has", "entries have", "no picture here, to keep the page small"),
        _left_out(crops.unreadable, "picture", "pictures", "could not be read from the memory's directory"),
    ]
    document: Json = {
        "schema": SCHEMA,
        "counts": count(snapshot).text,
        "clock": {"name": snapshot.clock.name, "is_wall": snapshot.clock.is_wall},
        "origin_ms": snapshot.origin_ns // 1_000_000,
        # Rounded up, so that the end of the slider holds the last instant.
        "span_ms": -((snapshot.origin_ns - snapshot.now_ns) // 1_000_000),
        "bounds": [_metres(low), _metres(high)],
        "agents": [
            _agent(name, agent_colour(code), snapshot.trajectories.get(name), milliseconds, thinned)
            for name, code in agent_codes.items()
        ],
        "colours": [[name, *_both(colour)] for name, colour in _colours(entries).items()],
        "entries": [_entry(entry, agent_codes, milliseconds, crops.uris, thinned) for entry in entries],
    }
    document["left_out"] = [*filter(None, left_out), *dict.fromkeys(thinned)]
    return document


def _entry(
    entry: Entry,
    agent_codes: Mapping[str, int],
    milliseconds: Milliseconds,
    uris: Mapping[str, str],
    thinned: list[str],
) -> Json:
    places = places_of(entry)
    changes = changes_of(places)
    if len(places) > MAX_STRETCHES:
        thinned.append(f"Of entries with more than {MAX_STRETCHES} places only the latest are shown.")
    return {
        "id": entry.entry_id,
        "label": label_of(entry),
        "category": entry.category,
        "description": entry.description,
        "attributes": [[str(key), str(value)] for key, value in entry.attributes.items()],
        "kind": entry.kind,
        "motion": entry.motion,
        "visibility": entry.now.visibility,
        "n_observations": entry.n_observations,
        "agents": [agent_codes[name] for name in entry.agents],
        "first_seen": milliseconds(entry.first_seen_ns),
        "last_seen": milliseconds(entry.last_seen_ns),
        "possibly_same_as": list(entry.possibly_same_as),
        "crop": uris.get(entry.entry_id),
        # From, absent, corners, visibility at its end, agent.
        "places": [
            [
                milliseconds(place.from_ns),
                int(place.absent),
                *_metres(place.box.min_xyz),
                *_metres(place.box.max_xyz),
                place.state.visibility,
                agent_codes.get(place.state.agent),
            ]
            for place in places[-MAX_STRETCHES:]
        ],
        "changes": [
            [change.kind, milliseconds(change.at_ns), _metres(change.from_xyz), _metres(change.to_xyz)]
            for change in changes[-MAX_STRETCHES:]
        ],
        "sightings": [
            [code, milliseconds(begin), milliseconds(end)]
            for agent, code in agent_codes.items()
            for begin, end in _stretches(entry, agent, thinned)
        ],
    }


def _stretches(entry: Entry, agent: str, thinned: list[str]) -> list[tuple[int, int]]:
    """When one agent saw the entry; short gaps closed until few enough stretches are left."""
    seen = [(each.from_ns, each.to_ns) for each in entry.sightings if each.agent == agent]
    if len(seen) <= MAX_STRETCHES:
        return seen
    thinned.append(f"Of entries with more than {MAX_STRETCHES} sightings the short gaps between them are closed.")
    gaps = sorted((after[0] - before[1] for before, after in pairwise(seen)), reverse=True)
    intervals = (Interval(begin, end) for begin, end in seen)
    merged = merge_intervals(intervals, max_gap_ns=gaps[MAX_STRETCHES - 1])
    return [(each.from_ns, each.from_ns if each.to_ns is None else each.to_ns) for each in merged]


def _agent(
    name: str,
    colour: Colour,
    trajectory: Trajectory | None,
    milliseconds: Milliseconds,
    thinned: list[str],
) -> Json:
    """Runs of poses without a gap, each with position and viewing direction (unit vector, world frame)."""
    runs: list[Json] = []
    hold_ms = 0
    if trajectory is not None and len(trajectory.stamps_ns):
        steps = np.diff(trajectory.stamps_ns)
        within = steps[steps <= trajectory.max_gap_ns]
        # One frame shows what was in view until the next one.
        hold_ms = int(np.median(within) // 1_000_000) if len(within) else 0
        every = -(-len(trajectory.stamps_ns) // MAX_POSES)
        if every > 1:
            thinned.append(f"Of each agent at most {MAX_POSES} poses are drawn.")
        for run in runs_of(trajectory):
            kept = np.unique(np.append(run[::every], run[-1]))
            poses = trajectory.poses[kept]
            runs.append(
                {
                    "at": [milliseconds(int(stamp)) for stamp in trajectory.stamps_ns[kept]],
                    "xyz": [_metres(row) for row in poses[:, :3, 3]],
                    "forward": [_metres(row) for row in poses[:, :3, 2]],
                }
            )
    return {"name": name, "colour": _both(colour), "hold_ms": hold_ms, "runs": runs}


def _most_observed(entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], int]:
    """As many entries as a page carries, in their own order, and how many are left out."""
    if len(entries) <= MAX_ENTRIES:
        return tuple(entries), 0
    rows = sorted(range(len(entries)), key=lambda row: -entries[row].n_observations)[:MAX_ENTRIES]
    return tuple(entries[row] for row in sorted(rows)), len(entries) - MAX_ENTRIES


def _colours(entries: Sequence[Entry]) -> dict[str | None, Colour]:
    return category_colours(entry.category for entry in entries if entry.kind == "thing")


def _both(colour: Colour) -> list[str]:
    return [colour.on_light, colour.on_dark]


def _metres(values: Sequence[float] | NDArray[np.float64]) -> list[float]:
    return [round(float(value), 3) for value in values]


def _left_out(n: int, one: str, many: str, rest: str) -> str:
    return f"{n} {one if n == 1 else many} {rest}." if n else ""
