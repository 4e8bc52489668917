"""How fast a recording with given masks is taken in, and where the time goes.

The baseline is reading: the same colour, depth and mask images decoded with Pillow on one thread, in the same run.
CPU seconds count the work done, however many others share the machine; wall seconds count what a person waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from PIL import Image

from benchmarks.recordings import RED_KITCHEN, Borrowed, present, temporary_memory
from benchmarks.report import Figure, Section, at_least
from recall4d.memory.ingest import IngestReport

Result = TypeVar("Result")

ROUNDS = 3
"""Each is timed so often, taking turns, and the fastest counts: others can only slow a run down."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Time spent, seconds: on the wall, and on all cores together."""

    wall_s: float
    cpu_s: float


def run() -> list[Section]:
    present(RED_KITCHEN)
    decoding, ingesting = [], []
    for _ in range(ROUNDS):
        decoding.append(_timed(_decode)[1])
        with temporary_memory() as memory:
            ingesting.append(_timed(lambda: memory.ingest(Borrowed(RED_KITCHEN))))
    report, spent = min(ingesting, key=lambda each: each[1].wall_s)
    baseline = min(decoding, key=lambda each: each.wall_s)
    cpu_s = min(each.cpu_s for _, each in ingesting)
    baseline_cpu_s = min(each.cpu_s for each in decoding)
    n = report.frames_used
    speed = Section(
        f"red_kitchen, given masks: {n} frames, {report.observations / n:.1f} observations a frame",
        (
            Figure("ingest", n / spent.wall_s, "fps", at_least(20), "decoding to durable commit, fastest run"),
            Figure("ingest, CPU", 1000 * cpu_s / n, "ms/frame", detail="all threads, least of the runs"),
            Figure("baseline: decoding only", n / baseline.wall_s, "fps", detail="Pillow, one thread"),
            Figure("baseline, CPU", 1000 * baseline_cpu_s / n, "ms/frame"),
            Figure("ingest over baseline, wall", spent.wall_s / baseline.wall_s, detail="how many times as long"),
            Figure("ingest over baseline, CPU", cpu_s / baseline_cpu_s),
        ),
    )
    return [speed, _stages(report)]


def _stages(report: IngestReport) -> Section:
    others_s = report.seconds - sum(spent for name, spent in report.stages.items() if name != "decode")
    spent_s = {**report.stages, "waiting and others": others_s}
    return Section(
        "where the time goes; decoding runs on a thread of its own beside the rest",
        [
            Figure(
                name,
                1000 * seconds / report.frames_used,
                "ms/frame",
                detail=f"{100 * seconds / report.seconds:.0f} % of the wall time",
            )
            for name, seconds in spent_s.items()
        ],
    )


def _decode() -> None:
    for path in sorted((RED_KITCHEN / "color").iterdir()):
        number = path.stem
        for image in (path, RED_KITCHEN / f"depth/{number}.png", RED_KITCHEN / f"instance/{number}.png"):
            _pixels(image)


def _pixels(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image)


def _timed(work: Callable[[], Result]) -> tuple[Result, Spent]:
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    result = work()
    return result, Spent(time.perf_counter() - wall_s, time.process_time() - cpu_s)
