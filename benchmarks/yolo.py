"""Entries of a real walk, found by a real and imperfect segmenter instead of annotated masks.

A network misses things, calls a screen a laptop, and sees a thing that is not there for one frame. Only classes
that the annotation of red_kitchen covers are judged.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.recordings import RED_KITCHEN, YOLO_SEG, Borrowed, present, temporary_memory
from benchmarks.report import Figure, Section, at_least, at_most
from recall4d.bench.truth import TrueThing, things_of
from recall4d.geometry.box import Box
from recall4d.records import Entry

CUPS = {8: "coffee mug", 9: "flowered cup"}
"""Ids in red_kitchen's objects.json."""

NEAR_M = 0.1
"""A cup is found by an entry whose centre is this near."""

AROUND_M = 0.3
"""Other entries called cup this near to a cup, and to no other cup nearer, are spurious twins of it."""

GROWN_M = 0.1
"""Furniture is found by an entry whose centre lies in its box grown by this: a chair's seat is seldom seen."""


def run() -> list[Section]:
    source = Borrowed(RED_KITCHEN)
    segmenter = f"yolo-seg:{present(YOLO_SEG)}"
    with temporary_memory() as memory:
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        report = memory.ingest(source, segmenter=segmenter)
        wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
        entries = memory.entries()
    things = things_of(RED_KITCHEN)
    n_frames = report.frames_used
    counted = f"{n_frames} frames, {report.observations} observations, {len(entries)} entries"
    found = Section(
        f"red_kitchen, {YOLO_SEG.stem}: {counted}",
        [
            *_cups(entries, things),
            _furniture("dining table", "dining table", entries, things, least=1),
            _furniture("chairs, of 6", "chair", entries, things, least=4),
            _furniture("TVs, of 2", "tv", entries, things, least=1),
            Figure("wall time", wall_s / n_frames, "s/frame"),
            Figure("CPU time", cpu_s / n_frames, "s/frame", detail="all threads"),
            Figure("of it in the network and its masks", report.stages["segment"] / n_frames, "s/frame"),
        ],
    )
    return [found, _categories(entries)]


def _cups(entries: Sequence[Entry], things: Sequence[TrueThing]) -> list[Figure]:
    true_xyz = {each.thing_id: np.array(each.box.centroid_xyz) for each in things if each.thing_id in CUPS}
    around: dict[int, list[tuple[float, Entry]]] = {thing_id: [] for thing_id in CUPS}
    for entry in entries:
        if entry.category == "cup":
            distances = {
                thing_id: float(np.linalg.norm(centre - entry.now.box.centroid_xyz))
                for thing_id, centre in true_xyz.items()
            }
            nearest = min(distances, key=distances.__getitem__)
            around[nearest].append((distances[nearest], entry))
    figures = []
    for thing_id, name in CUPS.items():
        of_it = sorted(around[thing_id], key=lambda each: -each[1].n_observations)
        twins = [each for each in of_it[1:] if each[0] < AROUND_M]
        distance_m, seen = (of_it[0][0], f"{of_it[0][1].n_observations} observations") if of_it else (np.nan, "")
        figures.append(Figure(f"{name}: distance", 100 * distance_m, "cm", at_most(100 * NEAR_M), seen))
        figures.append(Figure(f"{name}: spurious twins", len(twins), target=at_most(1), detail=_described(twins)))
    return figures


def _described(twins: Sequence[tuple[float, Entry]]) -> str:
    return "; ".join(
        f"{entry.description} {100 * off:.0f} cm off, {entry.n_observations} observations" for off, entry in twins
    )


def _furniture(
    name: str, category: str, entries: Sequence[Entry], things: Sequence[TrueThing], least: int
) -> Figure:
    """How many things of a category have an entry of their own."""
    boxes = [thing.box for thing in things if thing.category == category]
    centres = [entry.now.box.centroid_xyz for entry in entries if entry.category == category]
    n_found = 0
    if boxes and centres:
        fits = np.array([[_holds(box, centre) for centre in centres] for box in boxes])
        n_found = int(fits[linear_sum_assignment(fits, maximize=True)].sum())
    return Figure(name, n_found, target=at_least(least), detail=f"{len(centres)} entries called {category}")


def _holds(box: Box, centre_xyz: Sequence[float]) -> bool:
    centre = np.asarray(centre_xyz)
    return bool(((centre > np.array(box.min_xyz) - GROWN_M) & (centre < np.array(box.max_xyz) + GROWN_M)).all())


def _categories(entries: Sequence[Entry]) -> Section:
    seen_once = Counter(entry.category or "?" for entry in entries if entry.n_observations == 1)
    return Section(
        "entries by category",
        [
            Figure(category, n, detail=f"{seen_once[category]} of one observation" if seen_once[category] else "")
            for category, n in Counter(entry.category or "?" for entry in entries).most_common()
        ],
    )
