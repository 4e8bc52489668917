"""Synthetic films as recordings, and the plain adapters that tests ingest them with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from recall4d.config import AssociationSettings, IngestSettings
from recall4d.errors import FrameError
from recall4d.geometry.camera import Intrinsics
from recall4d.memory.ingest import Ingester, IngestReport
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.ports import Describer, Mapper, Segmenter
from recall4d.records import Description, Detection, Frame, FrameHeader, StoredMasks
from recall4d.store.sqlite import SqliteStore
from recall4d.synth import Take, World, frames, kitchen, tour

CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)


@dataclass
class Film:
    """A `ports.Source` over a synthetic world; `spoil` may change or refuse a frame."""

    world: World = field(default_factory=kitchen)
    take: Take = field(default_factory=tour)
    spoil: Callable[[Frame], Frame] = lambda frame: frame
    format: str = "film"
    notes: tuple[str, ...] = ()

    @property
    def agent(self) -> str:
        return self.take.agent

    def headers(self) -> Iterator[FrameHeader]:
        poses = self.take.poses if self.take.reported is None else self.take.reported
        for number, stamp in enumerate(self.take.stamps_ns.tolist()):
            yield FrameHeader(number, stamp, poses[number], locator=number)

    def load(self, header: FrameHeader, agent: str) -> Frame:
        film = (each for each in frames(self.world, CAMERA, self.take) if each.number == header.number)
        return replace(self.spoil(next(film)), agent=agent)


class PlainDescriber:
    """Repeats what the label says."""

    name = "plain"

    def describe(self, frame: Frame, detections: Sequence[Detection], extents_xyz: np.ndarray) -> list[Description]:
        return [Description(each.description or each.category or "thing") for each in detections]


class WordEmbedder:
    """A bag of words, hashed: equal words, equal directions."""

    name = "words"
    dimension = 64

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, sum(map(ord, word)) % self.dimension] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def ingest(
    source: Film,
    directory: Path,
    settings: IngestSettings | None = None,
    shares_world: bool = False,
    segmenter: Segmenter | None = None,
    describer: Describer | None = None,
    mapper: Mapper | None = None,
) -> tuple[SqliteStore, IngestReport]:
    """Take a film into the memory in `directory`, by default with its own masks and labels."""
    store = SqliteStore.open(directory, create=True)
    ingester = Ingester(
        store,
        segmenter or StoredSegmenter(),
        describer or PlainDescriber(),
        WordEmbedder(),
        AssociationSettings(),
        settings or IngestSettings(),
        mapper,
    )
    return store, ingester.ingest(source, source.agent, shares_world)


def without_depth(frame: Frame) -> Frame:
    return replace(frame, depth=None)


def blank(frame: Frame) -> Frame:
    assert frame.depth is not None
    return replace(frame, depth=replace(frame.depth, z_m=np.full_like(frame.depth.z_m, np.nan)))


def without_things(frame: Frame) -> Frame:
    assert frame.masks is not None
    return replace(frame, masks=StoredMasks(np.zeros_like(frame.masks.ids), {}))


def unreadable(frame: Frame) -> Frame:
    raise FrameError("colour image unreadable", f"frame {frame.number}")


def renumbered(frame: Frame) -> Frame:
    """The same masks under other ids, drawn anew for every frame."""
    assert frame.masks is not None
    shuffled = np.random.default_rng(frame.number).permutation(500) + 1
    numbers = {old: int(shuffled[old]) for old in frame.masks.labels}
    ids = np.zeros_like(frame.masks.ids)
    for old, new in numbers.items():
        ids[frame.masks.ids == old] = new
    return replace(frame, masks=StoredMasks(ids, {new: frame.masks.labels[old] for old, new in numbers.items()}))
