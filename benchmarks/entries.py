"""Entries against ground truth: is everything found, once, and in its place?"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.recordings import DEMO_HOUSE, HOUSE_4D, RED_KITCHEN, Borrowed, FirstSeconds, temporary_memory
from benchmarks.report import Figure, Section, at_least, at_most
from recall4d.bench.entries import EntryScore, score_entries
from recall4d.bench.truth import things_of
from recall4d.ports import Source


@dataclass(frozen=True, slots=True)
class Walk:
    """A stretch of a recording, with what is asked of the memory of it.

    Attributes:
        name: for people.
        recording: folder of one agent.
        until_s: end of the stretch, seconds after its first frame; None for all of it.
        small_cm, large_cm: most that the median error of box centres may be; None where nothing is asked.
    """

    name: str
    recording: Path
    until_s: float | None = None
    small_cm: float | None = None
    large_cm: float | None = None

    def open(self) -> Source:
        """The stretch as a source."""
        return Borrowed(self.recording) if self.until_s is None else FirstSeconds(self.recording, self.until_s)


WALKS = (
    Walk("red_kitchen", RED_KITCHEN, small_cm=2.0),
    Walk("house_4d, alpha's first tour", HOUSE_4D / "alpha", until_s=75.0, small_cm=1.5, large_cm=10.0),
    Walk("demo_house, first tour", DEMO_HOUSE, until_s=40.0, small_cm=1.5, large_cm=10.0),
)


def run() -> list[Section]:
    return [_measure(walk) for walk in WALKS]


def _measure(walk: Walk) -> Section:
    source = walk.open()
    start = time.perf_counter()
    with temporary_memory() as memory:
        report = memory.ingest(source)
        score = score_entries(memory.entries(), things_of(walk.recording, walk.until_s))
    title = (
        f"{walk.name}: {report.frames_used} frames, {report.observations} observations, "
        f"{report.entries_new} entries, {time.perf_counter() - start:.0f} s"
    )
    return Section(title, _figures(score, walk))


def _figures(score: EntryScore, walk: Walk) -> Sequence[Figure]:
    """The figures; those of large things are left out where no large thing is wholly visible."""
    small = None if walk.small_cm is None else at_most(walk.small_cm)
    large = None if walk.large_cm is None else at_most(walk.large_cm)
    figures = (
        Figure("recall of whole things", score.recall, target=at_least(0.95), detail=_listed(score.missed)),
        Figure("duplicates", 100 * score.duplicates, "%", at_most(5), _listed(score.doubled)),
        Figure("entries of nothing", len(score.spurious), detail=_listed(score.spurious)),
        Figure("centre error, small, median", 100 * score.small_median_m, "cm", small),
        Figure("centre error, small, p90", 100 * score.small_p90_m, "cm"),
        Figure("centre error, over 1 m, median", 100 * score.large_median_m, "cm", large),
        Figure("centre error, over 1 m, p90", 100 * score.large_p90_m, "cm"),
        Figure("edge error, small, median", 100 * score.extent_median_m, "cm"),
        Figure("things asked for", score.n_things),
    )
    return [figure for figure in figures if not (math.isnan(figure.value) and figure.target is None)]


def _listed(texts: Iterable[str]) -> str:
    """Texts in order of first use, repeated ones counted."""
    return "; ".join(text if n == 1 else f"{text} (x{n})" for text, n in Counter(texts).items())
