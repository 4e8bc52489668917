"""Whether resident memory stays flat while a recording goes on and on.

red_kitchen is walked five times, every walk later than the one before, in a fresh process: 1,000 frames. The first
walk meets new things up to its end; after it, whatever grows is growth with time.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.recordings import RED_KITCHEN, MissingError, Repeated, present, temporary_memory
from benchmarks.report import Figure, Section, at_most
from recall4d.records import FrameHeader

WALKS = 5
EVERY = 100
FLAT_SHARE = 0.1
"""Flat: at frame 1,000 at most this much more than at frame 100."""


def run() -> list[Section]:
    present(RED_KITCHEN)
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
        resident_mb = pool.submit(_resident_mb).result()
    frames = EVERY * np.arange(1, len(resident_mb) + 1)
    growth_mb = resident_mb[-1] - resident_mb[0]
    kb_a_frame = 1000 * np.polyfit(frames, resident_mb, 1)[0]
    return [
        Section(
            f"red_kitchen {WALKS} times over, given masks: resident memory",
            [
                *(Figure(f"at frame {n}", mb, "MB") for n, mb in zip(frames, resident_mb, strict=True)),
                Figure("growth from first to last", growth_mb, "MB"),
                Figure("growth as a share", growth_mb / resident_mb[0], target=at_most(FLAT_SHARE)),
                Figure("slope of a line through all", kb_a_frame, "kB/frame"),
            ],
        )
    ]


def _resident_mb() -> list[float]:
    """Resident memory after every `EVERY` frames; runs in a process of its own."""
    seen, resident_mb = 0, list[float]()

    def look(header: FrameHeader) -> None:
        nonlocal seen
        seen += 1
        if seen % EVERY == 0:
            resident_mb.append(_resident_bytes() / 1e6)

    with temporary_memory() as memory:
        memory.ingest(Repeated(RED_KITCHEN, WALKS), on_frame=look)
    return resident_mb


def _resident_bytes() -> int:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        raise MissingError(f"{statm} is not on this system: resident memory is read on Linux only")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
