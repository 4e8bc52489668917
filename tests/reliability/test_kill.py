"""kill -9 in the middle of an ingest, again and again: what was committed is there, and nothing is there by halves.

`RECALL4D_KILLS=50` kills fifty times.
"""

import os
import random
import time

from recall4d.store.sqlite import SqliteStore
from recall4d.synth import tour

from .invariants import assert_alike, broken
from .processes import start_writer, undisturbed

KILLS = int(os.environ.get("RECALL4D_KILLS", "10"))


def test_an_ingest_killed_at_random_moments_ends_as_if_it_had_not_been(tmp_path):
    take = tour(10)
    store, counts = undisturbed(tmp_path / "in peace", take)
    expected = store.changes().entries
    whole_s = min(_seconds_of_an_ingest(tmp_path / f"timed-{n}", take) for n in range(2))
    moments = random.Random(2026)
    kills = survivors = 0
    while kills < KILLS:
        directory = tmp_path / f"torn-{survivors}"
        held: set[int] = set()
        while True:
            writer = start_writer(directory, take)
            if kills < KILLS:
                writer.process.join(moments.uniform(0.0, whole_s))
                writer.process.kill()
            held |= set(writer.stamps())
            writer.process.join()
            ended = writer.process.exitcode == 0
            assert ended or writer.process.exitcode == -9
            kills += not ended
            if (directory / "memory.sqlite").exists():
                torn = SqliteStore.open(directory, create=True)
                assert broken(torn, counts) == []
                assert held <= torn.stamps("alpha"), "a committed frame is lost"
                held = torn.stamps("alpha")
                torn.close()
            if ended:
                break
        assert SqliteStore.open(directory).changes().entries == expected
        survivors += 1


def test_a_writer_goes_on_when_the_other_one_is_killed(tmp_path):
    takes = tour(8), tour(8, start_ns=130_000_000, agent="bravo")
    store, counts = undisturbed(tmp_path / "in peace", *takes)
    directory = tmp_path / "together"
    alpha, bravo = (start_writer(directory, take) for take in takes)
    alpha.committed.recv()
    alpha.process.kill()
    assert len(bravo.stamps()) == 8
    assert broken(SqliteStore.open(directory), counts) == []
    assert len(start_writer(directory, takes[0]).stamps()) < 8
    assert_alike(SqliteStore.open(directory).changes().entries, store.changes().entries)


def _seconds_of_an_ingest(directory, take):
    started = time.perf_counter()
    start_writer(directory, take).process.join()
    return time.perf_counter() - started
