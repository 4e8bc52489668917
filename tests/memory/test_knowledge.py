"""What is known at an instant: nothing observed later is in it."""

import numpy as np
import pytest

from recall4d import Memory
from recall4d.config import AssociationSettings
from recall4d.memory.knowledge import Knowledge
from recall4d.store.sqlite import SqliteStore
from recall4d.synth import tour

from .films import Film, PlainDescriber, WordEmbedder, ingest
from .scenes import CUP, TOP_M, S, Scene, room, visits

SECOND = 1_000_000_000


def knowledge_of(store):
    return Knowledge(store, WordEmbedder(), AssociationSettings())


def test_an_earlier_moment_is_what_a_shorter_recording_would_have_given(tmp_path):
    whole, _ = ingest(Film(take=tour(12)), tmp_path / "whole")
    earlier = knowledge_of(whole).snapshot(2 * SECOND)
    full = tour(12)
    short_take = type(full)(full.agent, full.stamps_ns[:5], full.poses[:5])
    short, _ = ingest(Film(take=short_take), tmp_path / "short")
    expected = knowledge_of(short).snapshot()
    assert [e.description for e in earlier.entries] == [e.description for e in expected.entries]
    for a, b in zip(earlier.entries, expected.entries, strict=True):
        assert a.sightings == b.sightings
        assert a.now.box.centroid_xyz == pytest.approx(b.now.box.centroid_xyz)
    assert earlier.now_ns == 2 * SECOND
    assert earlier.trajectories["alpha"].stamps_ns.max() == 2 * SECOND


def test_later_than_the_last_frame_is_the_last_knowledge_asked_later(tmp_path):
    store, _ = ingest(Film(), tmp_path)
    knowledge = knowledge_of(store)
    later = knowledge.snapshot(100 * SECOND)
    assert later.now_ns == 100 * SECOND
    assert later.entries == knowledge.snapshot().entries


def test_before_the_first_frame_nothing_is_known(tmp_path):
    store, _ = ingest(Film(take=tour(start_ns=10 * SECOND)), tmp_path)
    snapshot = knowledge_of(store).snapshot(SECOND)
    assert snapshot.entries == ()
    assert snapshot.agents == ()


def test_an_empty_memory_has_an_empty_snapshot(tmp_path):
    snapshot = knowledge_of(SqliteStore.open(tmp_path, create=True)).snapshot()
    assert len(snapshot.entries) == len(snapshot.states.entry) == len(snapshot.sightings.entry) == 0
    assert snapshot.vectors.shape == (0, 64)


def test_a_reader_follows_another_process(tmp_path):
    ingest(Film(take=tour(3)), tmp_path)
    knowledge = knowledge_of(SqliteStore.open(tmp_path))
    before = {entry.n_observations for entry in knowledge.snapshot().entries}
    ingest(Film(take=tour(3, start_ns=60 * SECOND)), tmp_path)
    after = knowledge.snapshot()
    assert max(before) == 3
    assert max(entry.n_observations for entry in after.entries) == 6


def test_asking_after_every_frame_is_asking_anew(tmp_path):
    """What is kept from one question to the next is what a reader who starts afresh concludes."""
    cup = CUP.then(30 * S, (2.4, 3.1, TOP_M)).then(62 * S, (2.0, 3.3, TOP_M), carried_since_ns=61 * S)
    memory = Memory.open(tmp_path, embedder=WordEmbedder())

    def ask(header):
        known, anew = memory.snapshot(), knowledge_of(memory.store).snapshot()
        assert (known.entries, known.events) == (anew.entries, anew.events)

    memory.ingest(Scene(room(cup), visits(0, 60, 90)), describer=PlainDescriber(), on_frame=ask)
    assert {event.kind for event in memory.events()} == {"moved"}
    memory.rebuild(AssociationSettings(epsilon_m=0.05, min_containment=0.9))
    ask(None)


def test_columns_say_what_the_entries_say(tmp_path):
    store, _ = ingest(Film(), tmp_path)
    snapshot = knowledge_of(store).snapshot()
    for row, entry in enumerate(snapshot.entries):
        mine = snapshot.states.entry == row
        assert np.allclose(snapshot.states.min_xyz[mine], [entry.now.box.min_xyz])
        assert snapshot.sightings.from_ns[snapshot.sightings.entry == row].tolist() == [
            each.from_ns for each in entry.sightings
        ]
    assert np.allclose(np.linalg.norm(snapshot.vectors, axis=1), 1, atol=1e-3)
