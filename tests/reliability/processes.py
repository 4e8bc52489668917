"""Writers and a reader as processes of their own, at work on one memory.

They are forked from a server that has imported everything, so that one starts in milliseconds and inherits no open
database.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path

from recall4d.api import Memory
from recall4d.memory.ingest import IngestReport
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.records import FrameHeader
from recall4d.store.sqlite import SqliteStore
from recall4d.synth import Take
from tests.memory.films import Film, PlainDescriber, WordEmbedder
from tests.memory.scenes import Scene
from tests.reliability.invariants import FrameName, broken

context = multiprocessing.get_context("forkserver")
context.set_forkserver_preload([__name__])


def open_memory(directory: Path) -> Memory:
    return Memory.open(directory, embedder=WordEmbedder())


def take_in(
    memory: Memory, film: Film, on_frame: Callable[[FrameHeader], None] = lambda header: None
) -> IngestReport:
    """Ingest a film with its own masks; its poses are in the world."""
    return memory.ingest(
        film, shares_world=True, segmenter=StoredSegmenter(), describer=PlainDescriber(), on_frame=on_frame
    )


@dataclass(frozen=True)
class Writer:
    """A process that takes a film in.

    Attributes:
        process: to be killed, or waited for.
        committed: delivers the stamp of every frame once it is committed.
    """

    process: ForkServerProcess
    committed: Connection

    def stamps(self) -> list[int]:
        """Every stamp delivered; waits for the process to end."""
        stamps = []
        try:
            while True:
                stamps.append(self.committed.recv())
        except EOFError:
            return stamps


def start_writer(directory: Path, take: Take, barrier: Barrier | None = None) -> Writer:
    """Start a process that takes a film in; with a barrier it waits there first."""
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_write, args=(directory, take, barrier, sending), daemon=True)
    process.start()
    sending.close()
    return Writer(process, receiving)


@dataclass(frozen=True)
class Reader:
    """A process that looks at a memory over and over, and keeps what it finds wrong."""

    process: ForkServerProcess
    enough: Event
    found: Connection

    def stop(self) -> tuple[int, list[str]]:
        """How often it looked, and what was wrong."""
        self.enough.set()
        looks, wrong = self.found.recv()
        self.process.join()
        return looks, wrong


def start_reader(directory: Path, expected: dict[FrameName, int], barrier: Barrier) -> Reader:
    """Start a reader that waits at the barrier first."""
    receiving, sending = context.Pipe(duplex=False)
    enough = context.Event()
    process = context.Process(target=_read, args=(directory, expected, barrier, enough, sending), daemon=True)
    process.start()
    sending.close()
    return Reader(process, enough, receiving)


def _write(directory: Path, take: Take, barrier: Barrier | None, committed: Connection) -> None:
    if barrier is not None:
        barrier.wait()
    with open_memory(directory) as memory:
        take_in(memory, Scene(take=take), on_frame=lambda header: committed.send(header.stamp_ns))


def _read(
    directory: Path, expected: dict[FrameName, int], barrier: Barrier, enough: Event, found: Connection
) -> None:
    looks, wrong, known = 0, list[str](), 0
    barrier.wait()
    with open_memory(directory) as memory:
        while not wrong and not (enough.is_set() and looks):
            wrong = broken(memory.store, expected) + _torn(memory, expected)
            n_frames = len(memory.store.frames())
            if n_frames < known:
                wrong.append(f"{known - n_frames} frames are gone")
            known, looks = n_frames, looks + 1
    found.send((looks, wrong))


def _torn(memory: Memory, expected: dict[FrameName, int]) -> list[str]:
    """What a snapshot shows of frames without showing what was in them, or the other way round."""
    snapshot = memory.snapshot()
    n_shown = sum(entry.n_observations for entry in snapshot.entries)
    n_filmed = sum(
        expected[agent, stamp_ns]
        for agent, track in snapshot.trajectories.items()
        for stamp_ns in track.stamps_ns.tolist()
    )
    return [] if n_shown == n_filmed else [f"a snapshot of {n_filmed} observations shows {n_shown}"]


def undisturbed(directory: Path, *takes: Take) -> tuple[SqliteStore, dict[FrameName, int]]:
    """A memory that one writer after another wrote in peace, and how many observations each frame brought."""
    with open_memory(directory) as memory:
        for take in takes:
            take_in(memory, Scene(take=take))
    store = SqliteStore.open(directory)
    counts = {(frame.agent, frame.stamp_ns): 0 for frame in store.frames()}
    for row in store.observations():
        counts[row.observation.agent, row.observation.stamp_ns] += 1
    return store, counts
