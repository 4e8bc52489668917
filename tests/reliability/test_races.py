"""What another process commits between two steps of this one: each interleaving that went wrong, played back."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace

import numpy as np
import pytest

from recall4d.api import Memory
from recall4d.config import AssociationSettings
from recall4d.errors import EmbedderMismatchError
from recall4d.geometry.pose import pose
from recall4d.memory.agents import move_agent
from recall4d.memory.knowledge import Knowledge
from recall4d.memory.ledger import Ledger
from recall4d.memory.pictures import write_picture
from recall4d.memory.place import place
from recall4d.store.conformance import observation
from recall4d.store.sqlite import FILE_NAME, SqliteStore, SqliteWriter
from recall4d.synth import tour
from tests.memory.films import WordEmbedder, blank, without_things
from tests.memory.scenes import Scene

from .invariants import assert_alike, broken
from .processes import open_memory, take_in, undisturbed

TURNED = pose(np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), [1.0, 2.0, 0.0])


def after_frame(number, act):
    """What `on_frame` calls: `act`, once, when that frame is committed."""
    return lambda header: act() if header.number == number else None


def test_a_frame_that_another_process_took_in_meanwhile_is_not_taken_in_again(tmp_path):
    expected, counts = undisturbed(tmp_path / "in peace", tour(6))
    memory, other = (open_memory(tmp_path / "shared") for _ in range(2))
    report = take_in(memory, Scene(take=tour(6)), after_frame(1, lambda: take_in(other, Scene(take=tour(6)))))
    assert (report.frames_read, report.frames_used, report.frames_known) == (6, 2, 4)
    assert broken(memory.store, counts) == []
    assert_alike(memory.store.changes().entries, expected.changes().entries)


def test_after_a_frame_without_things_the_commits_of_others_are_still_seen(tmp_path):
    memory, other = (open_memory(tmp_path) for _ in range(2))
    film = Scene(take=tour(4), spoil=lambda frame: without_things(frame) if frame.number < 2 else frame)
    report = take_in(memory, film, after_frame(1, lambda: take_in(other, Scene(take=tour(1, agent="bravo")))))
    assert report.frames_used == 4
    texts = [entry.description for entry in memory.store.changes().entries]
    assert sorted(texts) == sorted(set(texts)), "twins"
    assert broken(memory.store) == []


def test_an_agent_aligned_during_its_ingest_goes_on_in_the_world(tmp_path):
    bravo = tour(6, agent="bravo", start_ns=60_000_000_000)
    apart = Scene(take=replace(bravo, reported=np.linalg.inv(TURNED) @ bravo.poses))
    memory, other = (open_memory(tmp_path) for _ in range(2))
    take_in(memory, Scene(take=tour(6)))

    def align():
        move_agent(other.store, "bravo", TURNED, other.association)

    memory.ingest(
        apart, segmenter="stored", describer="appearance", shares_world=False, on_frame=after_frame(2, align)
    )
    poses = [each.world_from_camera for each in memory.store.frames() if each.agent == "bravo"]
    np.testing.assert_allclose(poses, bravo.poses, atol=1e-9)
    assert {entry.map_frame for entry in memory.store.changes().entries} == {None}
    assert broken(memory.store) == []


def test_what_another_process_concludes_anew_is_read_anew(tmp_path):
    """Bravo's frames are hung on corrected poses, 10 cm off, while alpha's are taken in."""
    memory, other = (open_memory(tmp_path) for _ in range(2))
    bravo = tour(6, agent="bravo", start_ns=60_000_000_000)
    take_in(memory, Scene(take=bravo))
    shifted = pose(np.eye(3), [0.1, 0.0, 0.0]) @ bravo.poses

    def correct():
        other.reanchor("bravo", dict(zip(bravo.stamps_ns.tolist(), shifted, strict=True)))

    take_in(memory, Scene(take=tour(6)), after_frame(2, correct))
    entries = memory.store.changes().entries
    assert broken(memory.store) == []
    memory.rebuild()
    assert_alike(entries, memory.store.changes().entries)


def test_an_agent_aligned_by_two_at_once_is_moved_once(tmp_path):
    memory = open_memory(tmp_path)
    take_in(memory, Scene(take=tour(2)))
    bravo = tour(2, agent="bravo")
    memory.ingest(Scene(take=bravo), segmenter="stored")
    for _ in range(2):
        move_agent(memory.store, "bravo", TURNED, memory.association)
    poses = [each.world_from_camera for each in memory.store.frames() if each.agent == "bravo"]
    np.testing.assert_allclose(poses, TURNED @ bravo.poses, atol=1e-9)


def test_a_snapshot_shows_no_frame_without_what_was_in_it(tmp_path):
    memory, other = (open_memory(tmp_path) for _ in range(2))
    take_in(memory, Scene(take=tour(2)))

    class Interrupted(SqliteStore):
        def frames(self, since=0):
            take_in(other, Scene(take=tour(2, start_ns=60_000_000_000)))
            return super().frames(since)

    store = Interrupted.open(tmp_path)
    snapshot = Knowledge(store, WordEmbedder(), AssociationSettings()).snapshot()
    assert snapshot.trajectories["alpha"].stamps_ns.tolist() == tour(2).stamps_ns.tolist()
    assert {entry.n_observations for entry in snapshot.entries} <= {1, 2}
    assert len(SqliteStore.open(tmp_path).frames()) == 4


def test_a_frame_and_why_it_cannot_be_used_are_one_commit(tmp_path, monkeypatch):
    def torn(self, agent, skips):
        raise KeyboardInterrupt

    monkeypatch.setattr(SqliteWriter, "add_skips", torn)
    memory = open_memory(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        take_in(memory, Scene(take=tour(1), spoil=blank))
    assert memory.store.frames() == []
    monkeypatch.undo()
    assert take_in(memory, Scene(take=tour(1), spoil=blank)).skipped == {"depth is blank": 1}
    assert memory.store.skips() == {"alpha": {"depth is blank": 1}}


def test_two_embedders_never_claim_one_memory(tmp_path, monkeypatch):
    class Other(WordEmbedder):
        name = "other"

    unclaimed = SqliteStore.fact

    def fact(self, name):
        """Nothing is claimed yet when this process looks; then another process claims."""
        monkeypatch.setattr(SqliteStore, "fact", unclaimed)
        first = unclaimed(self, name)
        open_memory(tmp_path).close()
        return first

    SqliteStore.open(tmp_path, create=True).close()
    monkeypatch.setattr(SqliteStore, "fact", fact)
    with pytest.raises(EmbedderMismatchError, match=r"words \(64\), not other \(64\)"):
        Memory.open(tmp_path, embedder=Other())


def test_a_memory_that_another_process_is_making_is_waited_for(tmp_path):
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    finished = threading.Timer(0.1, other.execute, ["ROLLBACK"])
    finished.start()
    assert SqliteStore.open(tmp_path, create=True).frames() == []
    finished.join()
    other.close()


def test_two_writers_of_one_picture(tmp_path):
    path, errors = tmp_path / "crops" / "a.jpg", []

    def write():
        try:
            for _ in range(150):
                write_picture(path, b"picture")
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [each.name for each in path.parent.iterdir()] == ["a.jpg"]
    assert path.read_bytes() == b"picture"


def test_things_seen_apart_are_still_known_to_be_two_after_reopening():
    settings = AssociationSettings()
    left, right = crate(1, 0, x=0.0), crate(1, 1, x=0.25)
    again = crate(2, 0, x=0.0)
    ledger = Ledger(settings)
    ledger.vectors["crate"] = np.array([1.0], dtype=np.float32)
    names = ledger.admit(placed(left, right)).entry_ids
    reopened = Ledger(settings)
    reopened.vectors |= ledger.vectors
    reopened.load(zip(names, placed(left, right), strict=True))
    for each in (ledger, reopened):
        each.admit(placed(again))
        assert len(each) == 2


def crate(stamp_ns, index, x):
    """A crate of 40 cm whose middle lies at x."""
    corners = np.array([[a, b, c] for a in (-0.2, 0.2) for b in (-0.2, 0.2) for c in (-0.2, 0.2)])
    hull = np.resize(corners + np.array([x, 0.0, 0.0]), (26, 3)).astype(np.float32)
    described = replace(observation(stamp_ns).description, text="crate")
    return replace(observation(stamp_ns), index=index, description=described, hull_camera=hull, occluded=False)


def placed(*observations):
    return place(observations, np.repeat(np.eye(4)[None], len(observations), axis=0))
