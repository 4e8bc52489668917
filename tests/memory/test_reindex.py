"""A memory brought to another embedder is what an ingest with that embedder would have given."""

from __future__ import annotations

import numpy as np
import pytest

from recall4d import Memory
from recall4d.errors import EmbedderMismatchError

from .films import PlainDescriber, WordEmbedder
from .scenes import CUP, TOP_M, S, Scene, room, visits
from .test_worlds import BOOK, ON_BOOK, TWIN


class Letters:
    """Counts letters: to it "red cup" and "red cur" are nearly the same, and everything is a little alike."""

    name = "letters"
    dimension = 26

    def embed(self, texts):
        counts = np.array([[text.count(chr(97 + i)) for i in range(26)] for text in texts], dtype=np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


SCENE = Scene(room(CUP.then(30 * S, (2.0, 3.4, TOP_M)), TWIN, BOOK, ON_BOOK), visits(0, 60))


def taken_in(directory, embedder):
    memory = Memory.open(directory, embedder=embedder)
    memory.ingest(SCENE, describer=PlainDescriber())
    return memory


def test_it_is_as_if_it_had_been_written_so(tmp_path):
    memory, expected = taken_in(tmp_path / "words", WordEmbedder()), taken_in(tmp_path / "letters", Letters())
    assert [e.entry_id for e in memory.entries()] != [] != [e.entry_id for e in expected.entries()]
    report = memory.reindex(Letters())
    assert report.entries_after == len(expected.store.changes().entries)
    assert memory.entries() == expected.entries()
    assert memory.events() == expected.events()
    assert memory.snapshot().vectors.shape[1] == 26
    answers = [each.ask("where is the red cup?") for each in (memory, expected)]
    assert answers[0].value == answers[1].value


def test_there_and_back_again(tmp_path):
    memory = taken_in(tmp_path, WordEmbedder())
    before = memory.entries()
    memory.reindex(Letters())
    memory.reindex(WordEmbedder())
    assert memory.entries() == before


def test_opened_again_it_knows_its_embedder(tmp_path):
    taken_in(tmp_path, WordEmbedder()).reindex(Letters())
    with pytest.raises(EmbedderMismatchError, match=r"written with the embedder letters \(26\), not words \(64\)"):
        Memory.open(tmp_path, embedder=WordEmbedder())
    assert Memory.open(tmp_path, embedder=Letters()).entries()


def test_whoever_had_it_open_is_told_to_open_it_again(tmp_path):
    memory = taken_in(tmp_path, WordEmbedder())
    reader, writer = (Memory.open(tmp_path, embedder=WordEmbedder()) for _ in range(2))
    known = reader.entries()
    memory.reindex(Letters())
    later = Scene(SCENE.world, visits(90))
    with pytest.raises(EmbedderMismatchError, match="open it again"):
        reader.entries()
    with pytest.raises(EmbedderMismatchError, match="open it again"):
        writer.ingest(later, describer=PlainDescriber())
    assert len(known) == len(memory.entries())
