"""What is known, kept on disk: opened as it was concluded, and never trusted when it is not of this memory."""

import numpy as np
import pytest

from recall4d.api import Memory
from recall4d.memory import knowledge, shelf
from recall4d.memory.shelf import FOLDER
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.query.columns import columns_of
from recall4d.synth import tour
from tests.memory.films import PlainDescriber, WordEmbedder
from tests.memory.scenes import Scene


@pytest.fixture(autouse=True)
def always_kept(monkeypatch):
    monkeypatch.setattr(knowledge, "KEEP_AFTER_S", -1.0)


def open_memory(directory):
    return Memory.open(directory, embedder=WordEmbedder())


def filled(directory, take=None):
    memory = open_memory(directory)
    memory.ingest(
        Scene(take=take or tour(10)), shares_world=True, segmenter=StoredSegmenter(), describer=PlainDescriber()
    )
    return memory


def known_file(directory):
    return directory / FOLDER / "known.arrays"


def assert_same(snapshot, expected):
    assert list(snapshot.entries) == list(expected.entries)
    assert snapshot.events == expected.events
    assert (snapshot.now_ns, snapshot.origin_ns, snapshot.clock) == (
        expected.now_ns,
        expected.origin_ns,
        expected.clock,
    )
    assert snapshot.agents == expected.agents
    rows = np.arange(len(expected.entries))
    assert np.array_equal(snapshot.vectors_of(rows), expected.vectors_of(rows))
    for agent, track in expected.trajectories.items():
        assert np.array_equal(snapshot.trajectories[agent].poses, track.poses)
        assert np.array_equal(snapshot.frame_numbers[agent], expected.frame_numbers[agent])


@pytest.fixture
def concluded(tmp_path, monkeypatch):
    """A memory's directory, and what is known, concluded without anything kept; then it was kept."""
    directory = tmp_path / "memory"
    filled(directory).close()
    with monkeypatch.context() as patch, open_memory(directory) as memory:
        patch.setattr(knowledge, "KEEP_AFTER_S", 1e9)
        expected = memory.snapshot()
        assert not known_file(directory).exists()
    with open_memory(directory) as memory:
        memory.snapshot()
    assert known_file(directory).exists()
    return directory, expected


def test_the_next_reader_finds_it_concluded(concluded, monkeypatch):
    directory, expected = concluded
    monkeypatch.setattr(knowledge.Knowledge, "_mirror", lambda self: pytest.fail("concluded again"))
    with open_memory(directory) as memory:
        assert_same(memory.snapshot(), expected)
        assert memory.snapshot(expected.now_ns - 1).now_ns == expected.now_ns - 1


def test_what_follows_from_texts_is_kept_beside_it(concluded):
    directory, _ = concluded
    with open_memory(directory) as memory:
        assert columns_of(memory.snapshot()).texts.size > 0
    assert (directory / FOLDER / "texts.arrays").is_file()
    with open_memory(directory) as memory:
        rows = memory.query(semantic="cup").rows
    (directory / FOLDER / "texts.arrays").unlink()
    with open_memory(directory) as memory:
        assert memory.query(semantic="cup").rows == rows


@pytest.mark.parametrize("harm", ["damaged", "torn", "missing", "of another memory"])
def test_what_is_damaged_or_not_of_this_memory_is_concluded_anew(concluded, tmp_path, harm):
    directory, expected = concluded
    path = known_file(directory)
    content = bytearray(path.read_bytes())
    if harm == "damaged":
        content[-200] ^= 1
        path.write_bytes(content)
    elif harm == "torn":
        path.write_bytes(content[: len(content) // 2])
    elif harm == "missing":
        path.unlink()
    else:
        filled(tmp_path / "other", tour(10, start_ns=7)).snapshot()
        path.write_bytes(known_file(tmp_path / "other").read_bytes())
    with open_memory(directory) as memory:
        assert_same(memory.snapshot(), expected)


def test_what_was_kept_before_the_last_commit_is_stale(concluded):
    directory, _ = concluded
    with filled(directory, tour(12)) as memory:
        now = memory.snapshot()
        assert len(now.trajectories["alpha"].stamps_ns) == 12
    with open_memory(directory) as memory:
        assert_same(memory.snapshot(), now)
        memory.rebuild()
        assert len(memory.snapshot().entries) == len(now.entries)


def test_a_reader_that_was_given_what_was_kept_follows_a_writer(concluded):
    directory, expected = concluded
    with open_memory(directory) as reader:
        assert_same(reader.snapshot(), expected)
        filled(directory, tour(12)).close()
        assert len(reader.snapshot().trajectories["alpha"].stamps_ns) == 12


def test_a_disk_that_refuses_costs_time_and_nothing_else(concluded, monkeypatch):
    directory, expected = concluded
    known_file(directory).unlink()

    def refuse(*arguments):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(shelf, "write_arrays", refuse)
    with open_memory(directory) as memory:
        assert_same(memory.snapshot(), expected)
    assert not known_file(directory).exists()


def test_small_memories_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.undo()
    filled(tmp_path / "memory").snapshot()
    assert not (tmp_path / "memory" / FOLDER).exists()
