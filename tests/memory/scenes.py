"""A furnished room in which things change, filmed on visits, for tests that tell what memory makes of it.

The room is 4 x 4 x 2.5 m. Visits walk along its near side and look at the table by the far wall; `S` is a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from recall4d import Memory
from recall4d.geometry.box import Box, Vec3
from recall4d.records import Entry, Event, Frame, FrameHeader
from recall4d.synth import Take, Thing, World, frames, look_along

from .films import CAMERA, Film, PlainDescriber, WordEmbedder

S = 1_000_000_000
ROOM = Box((0.0, 0.0, 0.0), (4.0, 4.0, 2.5))
TOP_M = 0.75
"""Height of the table's top."""

TABLE = Thing.resting("table", "long oak table", (150, 100, 50), (1.8, 0.7, TOP_M), (2.0, 3.2, 0.0))
SHELF = Thing.resting("shelf", "low white shelf", (240, 240, 235), (0.4, 1.2, 0.5), (0.25, 2.4, 0.0))
CUP_XYZ: Vec3 = (1.6, 3.1, TOP_M)
CUP = Thing.resting("cup", "red cup", (200, 30, 30), (0.14, 0.14, 0.16), CUP_XYZ)


def room(*things: Thing, mirrors: Sequence[Box] = ()) -> World:
    """The room with a table, a low shelf and these things."""
    return World(ROOM, (TABLE, SHELF, *things), tuple(mirrors))


def visits(*starts_s: float, n_frames: int = 6, agent: str = "alpha", at: Vec3 = (1.8, 3.0, 0.6)) -> Take:
    """One walk along the near side a start, two frames a second, looking at a point."""
    share = np.linspace(0.0, 1.0, n_frames)
    eyes = np.column_stack([1.4 + 1.2 * share, 0.5 + 0.2 * np.sin(np.pi * share), np.full(n_frames, 1.5)])
    stamps = [round((start + 0.5 * i) * S) for start in starts_s for i in range(n_frames)]
    return Take(agent, np.array(stamps, dtype=np.int64), np.tile(look_along(eyes, at), (len(starts_s), 1, 1)))


@dataclass
class Scene(Film):
    """A film that renders only the frame asked for."""

    def load(self, header: FrameHeader, agent: str) -> Frame:
        one = slice(header.number, header.number + 1)
        reported = None if self.take.reported is None else self.take.reported[one]
        take = Take(agent, self.take.stamps_ns[one], self.take.poses[one], reported)
        return self.spoil(replace(next(iter(frames(self.world, CAMERA, take))), number=header.number))


def remember(directory: Path, *scenes: Film, shares_world: bool = True) -> Memory:
    """A memory of scenes, with their own masks."""
    memory = Memory.open(directory, embedder=WordEmbedder())
    for scene in scenes:
        memory.ingest(scene, describer=PlainDescriber(), shares_world=shares_world)
    return memory


def watch(directory: Path, *things: Thing, starts_s: Sequence[float] = (0.0, 60.0)) -> Memory:
    """A memory of visits to the room with these things."""
    return remember(directory, Scene(room(*things), visits(*starts_s)))


def only(entries: Sequence[Entry], description: str) -> Entry:
    """The one entry of this description."""
    (entry,) = (each for each in entries if each.description == description)
    return entry


def kinds(events: Sequence[Event]) -> list[tuple[str, str]]:
    """What happened to what, in order."""
    return [(event.kind, event.description) for event in events]


def off_m(entry: Entry, thing: Thing, at_s: float) -> float:
    """How far an entry's box centre is from where the thing is."""
    box = thing.box_at(round(at_s * S))
    assert box is not None, "asked for a thing that is not there"
    return float(np.linalg.norm(np.subtract(entry.now.box.centroid_xyz, box.centroid_xyz)))


def each_frame(spoil: Callable[[Frame, np.random.Generator], Frame]) -> Callable[[Frame], Frame]:
    """A spoiler with chance that is the same for the same frame."""
    return lambda frame: spoil(frame, np.random.default_rng(frame.stamp_ns % 2**32))


def stamps_of(take: Take) -> Iterator[float]:
    """Its instants in seconds."""
    return (stamp / S for stamp in take.stamps_ns.tolist())
