"""Segmenters side by side on a real walk, against its annotated masks and things.

The annotation of red_kitchen names 81 things and leaves others out: a mask that nobody drew is not wrong, and so
precision is a lower bound. Names are not asked for: `geometric` knows none. A network is judged by all things,
and by those whose class it was trained for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.recordings import RED_KITCHEN, YOLO_SEG, Borrowed, present, temporary_memory
from benchmarks.report import Figure, Section
from recall4d import plugins
from recall4d.bench.masks import MaskTally, things_found
from recall4d.bench.truth import TrueThing, things_of
from recall4d.perception.segmenters.coco import COCO_80
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.ports import Segmenter
from recall4d.records import Detection, Entry, Frame

MIN_OBSERVATIONS = 3
"""Entries seen less often are counted apart: a network sees ghosts for a frame or two."""


class Watched:
    """A segmenter whose masks are compared with the recording's own."""

    def __init__(self, segmenter: Segmenter) -> None:
        self.name = segmenter.name
        self.all, self.coco = MaskTally(), MaskTally()
        self.seconds = 0.0
        self._segmenter = segmenter
        self._annotated = StoredSegmenter()

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """See `recall4d.ports.Segmenter`."""
        start = time.perf_counter()
        found = self._segmenter.segment(frame)
        self.seconds += time.perf_counter() - start
        true = self._annotated.segment(frame)
        self.all.add(found, true)
        self.coco.add(found, [each for each in true if each.category in COCO_80])
        return found


def run() -> list[Section]:
    specs = ("stored", f"yolo-seg:{present(YOLO_SEG)}", "geometric")
    things = [thing for thing in things_of(RED_KITCHEN) if thing.whole and thing.frames_seen >= MIN_OBSERVATIONS]
    return [_measure(spec, things) for spec in specs]


def _measure(spec: str, things: Sequence[TrueThing]) -> Section:
    watched = Watched(plugins.segmenter(spec))
    with temporary_memory() as memory:
        report = memory.ingest(Borrowed(RED_KITCHEN), segmenter=watched)
        entries = [entry for entry in memory.entries() if entry.kind == "thing"]
    often = [entry for entry in entries if entry.n_observations >= MIN_OBSERVATIONS]
    known = [thing for thing in things if thing.category in COCO_80]
    n_frames = report.frames_used
    title = f"red_kitchen, {spec.rpartition('/')[2]}: {n_frames} frames, {report.observations} observations"
    return Section(
        title,
        [
            Figure("annotated masks found", 100 * watched.all.recall, "%", detail=f"of {watched.all.n_true}"),
            Figure("of classes of COCO", 100 * watched.coco.recall, "%", detail=f"of {watched.coco.n_true}"),
            Figure("masks that are of something annotated", 100 * watched.all.precision, "%"),
            Figure("overlap of those found", watched.all.mean_iou),
            _found("things with an entry in place", things, entries),
            _found("of classes of COCO", known, entries),
            Figure("entries", len(entries), detail=f"{len(often)} of {MIN_OBSERVATIONS} observations or more"),
            Figure("time in the segmenter", 1000 * watched.seconds / n_frames, "ms/frame"),
        ],
    )


def _found(name: str, things: Sequence[TrueThing], entries: Sequence[Entry]) -> Figure:
    n_found = things_found([thing.box for thing in things], [entry.now.box for entry in entries])
    return Figure(name, n_found, detail=f"of {len(things)}")
