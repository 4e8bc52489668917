"""Two memories become one, as if one memory had seen it all."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recall4d import Memory
from recall4d.errors import EmbedderMismatchError, NotAMemoryError, StoreError, UsageError
from recall4d.geometry.pose import pose
from recall4d.memory import merge as merging
from recall4d.memory.agents import move_agent
from recall4d.memory.merge import merged_maps
from recall4d.synth import tour
from tests.reliability.invariants import assert_alike, broken

from .films import PlainDescriber, WordEmbedder, blank, unreadable
from .scenes import S, Scene, remember

MINUTE = 60 * S
TURNED = pose(np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), [1.0, 2.0, 0.0])
ALPHA = tour(5)
BRAVO = tour(5, start_ns=MINUTE, agent="bravo")
CHARLIE = tour(5, start_ns=2 * MINUTE, agent="charlie")


def part(take, frames):
    return replace(take, stamps_ns=take.stamps_ns[frames], poses=take.poses[frames])


def own_map(take, world_from_map=TURNED):
    """The take as a recording whose poses are in a map of the agent's own."""
    return replace(take, reported=np.linalg.inv(world_from_map) @ take.poses)


def memory_of(directory, *takes, shares_world=True):
    return remember(directory, *(Scene(take=take) for take in takes), shares_world=shares_world)


def entries(memory):
    return list(memory.store.changes().entries)


def files(directory: Path):
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in directory.rglob("*") if path.is_file()}


def test_two_memories_of_one_world_become_what_one_memory_would_be(tmp_path):
    a, b = memory_of(tmp_path / "a", ALPHA), memory_of(tmp_path / "b", BRAVO)
    one = memory_of(tmp_path / "one", ALPHA, BRAVO)
    report = a.merge(tmp_path / "b", same_world=True)
    assert_alike(entries(a), entries(one))
    assert [each.entry_id for each in a.entries()] == [each.entry_id for each in one.entries()]
    assert broken(a.store) == []
    assert (report.frames_added, report.frames_known, report.agents_added) == (5, 0, ("bravo",))
    assert (report.entries_before, report.entries_after) == (7, 7)
    assert report.observations_added == len(b.store.observations())


def test_the_order_of_merging_does_not_matter(tmp_path):
    for name, take in (("a", ALPHA), ("b", BRAVO)):
        for copy in "12":
            memory_of(tmp_path / f"{name}{copy}", take).close()
    with_b, with_a = (Memory.open(tmp_path / name, embedder=WordEmbedder()) for name in ("a1", "b2"))
    with_b.merge(tmp_path / "b1", same_world=True)
    with_a.merge(tmp_path / "a2", same_world=True)
    assert_alike(entries(with_b), entries(with_a))


def test_the_halves_of_a_recording_become_the_recording(tmp_path):
    a = memory_of(tmp_path / "a", part(ALPHA, slice(0, 3)))
    memory_of(tmp_path / "b", part(ALPHA, slice(2, 5))).close()
    report = a.merge(tmp_path / "b")
    assert (report.frames_added, report.frames_known) == (2, 1)
    assert_alike(entries(a), entries(memory_of(tmp_path / "one", ALPHA)))


def test_merging_again_changes_nothing(tmp_path):
    a = memory_of(tmp_path / "a", ALPHA)
    memory_of(tmp_path / "b", BRAVO).close()
    a.merge(tmp_path / "b", same_world=True)
    before, version = entries(a), a.store.version()
    report = a.merge(tmp_path / "b", same_world=True)
    assert (report.frames_added, report.frames_known, report.pictures_added, report.skips_added) == (0, 5, 0, 0)
    assert (report.entries_before, report.entries_after) == (7, 7)
    assert (entries(a), a.store.version()) == (before, version)


def test_the_other_memory_stays_as_it_is(tmp_path):
    a = memory_of(tmp_path / "a", ALPHA)
    memory_of(tmp_path / "b", BRAVO).close()
    before = files(tmp_path / "b")
    a.merge(tmp_path / "b")
    assert files(tmp_path / "b") == before


def test_an_empty_memory_takes_the_world_of_the_first_it_takes_in(tmp_path):
    b = memory_of(tmp_path / "b", ALPHA, BRAVO)
    copy = Memory.open(tmp_path / "copy", embedder=WordEmbedder())
    report = copy.merge(tmp_path / "b")
    assert report.agents_apart == ()
    assert_alike(entries(copy), entries(b))
    assert copy.snapshot().left_out == ()


def test_pictures_and_reasons_come_along(tmp_path):
    a = memory_of(tmp_path / "a", ALPHA)

    def spoil(frame):
        return {1: blank, 2: unreadable}.get(frame.number, lambda each: each)(frame)

    b = remember(tmp_path / "b", Scene(take=BRAVO, spoil=spoil))
    report = a.merge(tmp_path / "b", same_world=True)
    assert a.store.skips() == b.store.skips() == {"bravo": {"colour image unreadable": 1, "depth is blank": 1}}
    assert report.skips_added == 2
    assert broken(a.store) == []
    names = {path.relative_to(tmp_path / "b") for path in (tmp_path / "b").rglob("*.jpg")}
    assert names
    assert report.pictures_added == len(names)
    assert all((tmp_path / "a" / name).is_file() for name in names)


def test_a_frame_used_here_is_not_skipped_because_the_other_memory_could_not_use_it(tmp_path):
    a = memory_of(tmp_path / "a", ALPHA)
    remember(tmp_path / "b", Scene(take=ALPHA, spoil=unreadable)).close()
    assert a.merge(tmp_path / "b").skips_added == 0
    assert a.store.skips() == {}


def test_a_picture_that_is_gone_is_not_named(tmp_path):
    a = memory_of(tmp_path / "a", ALPHA)
    memory_of(tmp_path / "b", BRAVO).close()
    for path in (tmp_path / "b" / "keyframes").iterdir():
        path.unlink()
    a.merge(tmp_path / "b", same_world=True)
    assert {frame.image for frame in a.store.frames() if frame.agent == "bravo"} == {None}


def test_the_map_of_a_new_agent_is_its_own_until_it_is_aligned(tmp_path):
    a = memory_of(tmp_path / "a", ALPHA)
    memory_of(tmp_path / "b", own_map(BRAVO)).close()
    report = a.merge(tmp_path / "b")
    assert report.agents_apart == ("bravo",)
    assert {(each.map_frame, each.agents) for each in entries(a)} == {(None, ("alpha",)), ("bravo", ("bravo",))}
    assert a.snapshot().left_out == ("bravo",)
    move_agent(a.store, "bravo", TURNED, a.association)
    assert_alike(entries(a), entries(memory_of(tmp_path / "one", ALPHA, BRAVO)))


def test_an_agent_that_both_know_brings_the_worlds_together(tmp_path):
    """Alpha is in both; in the other memory charlie came first, so that its map is the world there."""
    a = memory_of(tmp_path / "a", part(ALPHA, slice(0, 3)))
    b = memory_of(
        tmp_path / "b", own_map(CHARLIE), own_map(part(ALPHA, slice(3, 5)), np.eye(4)), shares_world=False
    )
    move_agent(b.store, "alpha", np.linalg.inv(TURNED), b.association)
    assert a.merge(tmp_path / "b").agents_apart == ()
    assert_alike(entries(a), entries(memory_of(tmp_path / "one", ALPHA, CHARLIE)))


def test_what_the_other_memory_knows_of_a_map_is_learnt(tmp_path):
    a = memory_of(tmp_path / "a", ALPHA, own_map(part(BRAVO, slice(0, 3))), shares_world=False)
    b = memory_of(tmp_path / "b", ALPHA, own_map(part(BRAVO, slice(2, 5))), shares_world=False)
    move_agent(b.store, "bravo", TURNED, b.association)
    assert a.snapshot().left_out == ("bravo",)
    report = a.merge(tmp_path / "b")
    assert (report.agents_apart, report.agents_added) == ((), ())
    assert_alike(entries(a), entries(memory_of(tmp_path / "one", ALPHA, BRAVO)))


def test_worlds_that_an_agent_shows_to_be_apart_are_not_said_to_be_one(tmp_path):
    a = memory_of(tmp_path / "a", ALPHA)
    b = memory_of(tmp_path / "b", own_map(CHARLIE), ALPHA, shares_world=False)
    move_agent(b.store, "alpha", np.linalg.inv(TURNED), b.association)
    with pytest.raises(UsageError, match=r"origins lie 2\.24 m apart"):
        a.merge(tmp_path / "b", same_world=True)
    assert len(a.store.frames()) == 5


def test_maps_known_here_stay_whatever_the_other_memory_says():
    ours = {"alpha": np.eye(4), "bravo": TURNED, "delta": None}
    theirs = {"bravo": np.eye(4), "alpha": None, "charlie": TURNED, "delta": None}
    maps = merged_maps(ours, theirs)
    assert list(maps) == ["alpha", "bravo", "delta", "charlie"]
    assert maps["alpha"] is ours["alpha"]
    assert maps["bravo"] is ours["bravo"]
    assert maps["delta"] is None
    np.testing.assert_allclose(maps["charlie"], TURNED @ TURNED)


def test_another_embedder_is_refused(tmp_path):
    class Other(WordEmbedder):
        name = "other"

    a = memory_of(tmp_path / "a", ALPHA)
    Memory.open(tmp_path / "b", embedder=Other()).close()
    with pytest.raises(EmbedderMismatchError, match=r"embedder other \(64\), the one in .* with words \(64\)"):
        a.merge(tmp_path / "b")


def test_what_is_no_other_memory_is_refused(tmp_path):
    a = memory_of(tmp_path / "a", part(ALPHA, slice(0, 1)))
    with pytest.raises(UsageError, match="is the memory that should take it in"):
        a.merge(tmp_path / "a" / ".." / "a")
    with pytest.raises(NotAMemoryError):
        a.merge(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_merge_that_fails_takes_nothing_in(tmp_path, monkeypatch):
    a = memory_of(tmp_path / "a", ALPHA)
    memory_of(tmp_path / "b", BRAVO).close()
    before = entries(a)

    def full(store, writer, settings):
        raise StoreError("the disk is full")

    monkeypatch.setattr(merging, "rebuild", full)
    with pytest.raises(StoreError, match="full"):
        a.merge(tmp_path / "b", same_world=True)
    assert entries(a) == before
    assert broken(a.store) == []
    monkeypatch.undo()
    assert a.merge(tmp_path / "b", same_world=True).frames_added == 5


def test_an_ingest_goes_on_beside_a_merge(tmp_path):
    memory_of(tmp_path / "b", BRAVO).close()
    a, other = (Memory.open(tmp_path / "a", embedder=WordEmbedder()) for _ in range(2))

    def merge(header):
        if header.number == 2:
            other.merge(tmp_path / "b", same_world=True)

    a.ingest(Scene(take=ALPHA), describer=PlainDescriber(), on_frame=merge)
    assert broken(a.store) == []
    assert_alike(entries(a), entries(memory_of(tmp_path / "one", ALPHA, BRAVO)))
