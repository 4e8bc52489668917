"""Two writers and a reader at work on one memory, as processes."""

from recall4d.store.sqlite import SqliteStore
from recall4d.synth import tour

from .invariants import assert_alike, broken
from .processes import context, open_memory, start_reader, start_writer, undisturbed


def side_by_side(tmp_path, *takes):
    """What takes give that processes take in at the same time, and what they give one after the other."""
    store, counts = undisturbed(tmp_path / "in peace", *takes)
    together = tmp_path / "together"
    open_memory(together).close()
    barrier = context.Barrier(len(takes) + 1)
    reader = start_reader(together, counts, barrier)
    writers = [start_writer(together, take, barrier) for take in takes]
    for writer in writers:
        writer.stamps()
        writer.process.join()
        assert writer.process.exitcode == 0
    looks, wrong = reader.stop()
    assert wrong == []
    assert looks > 0
    shared = SqliteStore.open(together)
    assert broken(shared, counts) == []
    assert {(frame.agent, frame.stamp_ns) for frame in shared.frames()} == counts.keys()
    return shared.changes().entries, store.changes().entries


def test_two_agents_of_one_world_make_no_twins(tmp_path):
    found, expected = side_by_side(tmp_path, tour(10), tour(10, start_ns=130_000_000, agent="bravo"))
    assert_alike(found, expected)
    assert {entry.agents for entry in found} == {("alpha", "bravo")}


def test_two_writers_of_one_recording_take_every_frame_in_once(tmp_path):
    found, expected = side_by_side(tmp_path, tour(10), tour(10))
    assert_alike(found, expected)


def test_processes_that_make_the_same_memory_at_once_make_one(tmp_path):
    n_processes = 6
    barrier = context.Barrier(n_processes)
    writers = [start_writer(tmp_path / "memory", tour(1, agent=f"agent-{n}"), barrier) for n in range(n_processes)]
    for writer in writers:
        writer.process.join()
    assert [writer.process.exitcode for writer in writers] == [0] * n_processes
    assert len(SqliteStore.open(tmp_path / "memory").frames()) == n_processes
