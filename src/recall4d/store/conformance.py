"""What every store must do, as a suite to run against your own.

```python
class TestMyStore(StoreConformance):
    def open(self, directory):
        return MyStore.open(directory)
```

`open` is called with a directory that may hold a memory already; opening twice gives two independent handles, as
two processes would have.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from recall4d.clock import Interval
from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import pose
from recall4d.ports import Store, StoredFrame
from recall4d.records import Claim, Description, Entry, Glimpse, Observation, Revision, Sighting, State, View

CAMERA = Intrinsics(64, 48, 50.0, 50.5, 31.5, 23.5)


class StoreConformance:
    """Test methods; subclass it and give `open`. `tmp_path` is pytest's fixture."""

    def open(self, directory: Path) -> Store:
        """Open the store in `directory`, making it if need be."""
        raise NotImplementedError

    def test_an_empty_store_is_empty(self, tmp_path: Path) -> None:
        """Nothing in, nothing out."""
        store = self.open(tmp_path)
        assert store.changes().entries == []
        assert store.frames() == []
        assert store.observations() == []
        assert store.skips() == {}
        assert store.fact("embedder") is None

    def test_what_is_written_comes_back_equal_from_another_handle(self, tmp_path: Path) -> None:
        """Frames, observations, entries and vectors survive to the last digit."""
        vector = np.linspace(0, 1, 9, dtype=np.float32)  # eighths: half precision holds them
        with self.open(tmp_path).writing() as writer:
            assert writer.add_frame(frame(5), [(observation(5), "cup-1")])
            writer.add_texts({"red cup": vector})
            writer.put_entries([entry("cup-1")])
        store = self.open(tmp_path)
        assert store.changes().entries == [entry("cup-1")]
        (stored,) = store.frames()
        assert (stored.agent, stored.stamp_ns, stored.number, stored.image) == ("alpha", 5, 0, "keyframes/a.jpg")
        assert stored.intrinsics == CAMERA
        assert np.array_equal(stored.world_from_camera, frame(5).world_from_camera)
        assert stored.depth is None
        assert store.depth("alpha", 5) == b"depth"
        assert store.depth("alpha", 6) is None
        assert store.sighted() == [("cup-1", "alpha", 5)]
        assert store.frames(store.version()[0]) == []
        assert store.sighted(store.version()[0]) == []
        (row,) = store.observations()
        assert row.entry_id == "cup-1"
        _assert_equal(row.observation, observation(5))
        assert np.array_equal(store.vectors(["red cup", "unknown"])["red cup"], vector)

    def test_a_transaction_that_fails_leaves_nothing(self, tmp_path: Path) -> None:
        """A frame is committed whole or not at all."""
        store = self.open(tmp_path)
        try:
            with store.writing() as writer:
                writer.add_frame(frame(5), [(observation(5), "cup-1")])
                writer.put_entries([entry("cup-1")])
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            pass
        assert store.frames() == []
        assert store.observations() == []
        assert store.changes().entries == []

    def test_a_frame_is_known_by_agent_and_stamp(self, tmp_path: Path) -> None:
        """The same (agent, stamp) twice is one frame."""
        store = self.open(tmp_path)
        with store.writing() as writer:
            assert writer.add_frame(frame(5), [(observation(5), "cup-1")])
            assert not writer.add_frame(frame(5), [(observation(5), "cup-1")])
            assert writer.add_frame(frame(5, "bravo"), [])
            assert writer.holds("alpha", 5)
            assert not writer.holds("alpha", 6)
        assert len(store.observations()) == 1
        assert store.stamps("alpha") == store.stamps("bravo") == {5}

    def test_what_a_frame_showed_without_a_place_is_kept_with_it(self, tmp_path: Path) -> None:
        """Glimpses come back as they were given, those of new frames alone if asked for."""
        store = self.open(tmp_path)
        first, second = (
            Glimpse("alpha", stamp_ns, category, description, (1, 2, 30, 40))
            for stamp_ns, category, description in ((5, "cup", None), (9, None, "red cup"))
        )
        with store.writing() as writer:
            assert writer.add_frame(frame(5), [], [first])
            assert not writer.add_frame(frame(5), [], [first])
        known = store.version()[0]
        with store.writing() as writer:
            writer.add_frame(frame(9), [(observation(9), "cup-1")], [second])
        assert store.glimpses() == [first, second]
        assert store.glimpses(known) == [second]

    def test_a_reader_follows_a_writer(self, tmp_path: Path) -> None:
        """Another handle sees what changed since it last looked, and only that."""
        writer_store, reader = self.open(tmp_path), self.open(tmp_path)
        with writer_store.writing() as writer:
            writer.put_entries([entry("cup-1"), entry("cup-2")])
        first = reader.changes()
        assert {each.entry_id for each in first.entries} == {"cup-1", "cup-2"}
        before = reader.version()
        with writer_store.writing() as writer:
            writer.put_entries([entry("cup-2", n_observations=7)])
        assert reader.version() > before
        then = reader.changes(first.sequence)
        assert [(each.entry_id, each.n_observations) for each in then.entries] == [("cup-2", 7)]
        assert reader.changes(then.sequence).entries == []

    def test_whoever_commits_is_felt(self, tmp_path: Path) -> None:
        """The pulse differs after any commit, by this handle or another, and not without one."""
        store, other = self.open(tmp_path), self.open(tmp_path)
        felt = [store.pulse()]
        assert store.pulse() == felt[0]
        for writer_store in (store, other):
            with writer_store.writing() as writer:
                writer.add_frame(frame(5 if writer_store is store else 6), [])
            felt.append(store.pulse())
            writer_store.set_fact("regions", f"{len(felt)}")
            felt.append(store.pulse())
        assert len(set(felt)) == len(felt)

    def test_what_is_read_together_is_of_one_moment(self, tmp_path: Path) -> None:
        """A reader in the middle of its reading sees nothing of what is committed meanwhile; then all of it."""
        writer_store, reader = self.open(tmp_path), self.open(tmp_path)
        with reader.reading():
            before = reader.version()
            with writer_store.writing() as writer:
                writer.add_frame(frame(5), [(observation(5), "cup-1")])
                writer.put_entries([entry("cup-1")])
            with reader.reading():
                assert reader.version() == before
            assert reader.frames() == []
            assert reader.changes().entries == []
        assert len(reader.frames()) == len(reader.changes().entries) == 1

    def test_a_retired_entry_gives_its_observations_away(self, tmp_path: Path) -> None:
        """Chains of retirements end at the entry that is left."""
        store = self.open(tmp_path)
        with store.writing() as writer:
            writer.add_frame(frame(5), [(observation(5), "cup-3")])
            writer.put_entries([entry("cup-1"), entry("cup-2"), entry("cup-3")])
        with store.writing() as writer:
            writer.retire("cup-3", into="cup-2")
        with store.writing() as writer:
            writer.retire("cup-2", into="cup-1")
        changes = store.changes()
        assert [each.entry_id for each in changes.entries] == ["cup-1"]
        assert changes.retired == {"cup-2": "cup-1", "cup-3": "cup-1"}
        assert [row.entry_id for row in store.observations()] == ["cup-1"]

    def test_what_memory_came_to_think_otherwise_of_is_kept_in_order(self, tmp_path: Path) -> None:
        """With the transaction, or not at all."""
        store = self.open(tmp_path)
        merged = Revision("merged", "cup-2", "cup-1", "red cup", 5, "alpha")
        split = Revision("split", "cup-1", "cup-3", "red cup", 9, None)
        for each in (merged, split):
            with store.writing() as writer:
                writer.add_revisions([each])
        with suppress(RuntimeError), store.writing() as writer:
            writer.add_revisions([merged])
            raise RuntimeError("a transaction that fails")
        assert store.revisions() == [merged, split]

    def test_verdicts_are_kept_and_the_first_one_counts(self, tmp_path: Path) -> None:
        """Of two writers who ask at once, one is first."""
        store = self.open(tmp_path)
        for same in (True, False):
            with store.writing() as writer:
                writer.add_verdicts({("a red cup", "red mug"): same})
        assert store.verdicts() == {("a red cup", "red mug"): True}

    def test_everything_can_be_concluded_anew(self, tmp_path: Path) -> None:
        """Observations change hands, entries that are no more are retired, those written after are there."""
        store = self.open(tmp_path)
        with store.writing() as writer:
            writer.add_frame(frame(5), [(observation(5), "cup-1")])
            writer.put_entries([entry("cup-1"), entry("cup-2")])
        before = store.changes()
        assert not before.reassigned
        with store.writing() as writer:
            writer.reassign({("alpha", 5, 0): "cup-2"})
            writer.put_entries([entry("cup-2", n_observations=9)])
            writer.set_fact("rebuilt", "yes")
        changes = store.changes(before.sequence)
        assert [(each.entry_id, each.n_observations) for each in changes.entries] == [("cup-2", 9)]
        assert changes.retired == {"cup-1": ""}
        assert changes.reassigned
        assert not store.changes(changes.sequence).reassigned
        assert [row.entry_id for row in store.observations()] == ["cup-2"]
        assert store.fact("rebuilt") == "yes"

    def test_frames_move_and_take_their_observations_with_them(self, tmp_path: Path) -> None:
        """A corrected trajectory changes poses, never the facts that hang on them."""
        store = self.open(tmp_path)
        with store.writing() as writer:
            writer.add_frame(frame(5), [(observation(5), "cup-1")])
        moved = pose(np.eye(3), [1.0, 2.0, 3.0])
        with store.writing() as writer:
            assert writer.move_frames({("alpha", 5): moved, ("alpha", 6): moved}) == 1
        (row,) = store.observations()
        assert np.array_equal(row.world_from_camera, moved)
        _assert_equal(row.observation, observation(5))

    def test_observations_are_chosen_by_time_and_entry(self, tmp_path: Path) -> None:
        """Both ends inside; in order of time."""
        store = self.open(tmp_path)
        with store.writing() as writer:
            for stamp in (30, 10, 20):
                writer.add_frame(frame(stamp), [(observation(stamp), f"cup-{stamp}")])
        assert [row.observation.stamp_ns for row in store.observations()] == [10, 20, 30]
        assert [row.observation.stamp_ns for row in store.observations(until_ns=20)] == [10, 20]
        assert [row.entry_id for row in store.observations(entry_ids=["cup-30", "cup-99"])] == ["cup-30"]
        assert [each.stamp_ns for each in store.frames()] == [10, 20, 30]

    def test_observations_of_new_frames_can_be_read_alone(self, tmp_path: Path) -> None:
        """Since `version` was asked, whatever their instants."""
        store = self.open(tmp_path)
        with store.writing() as writer:
            writer.add_frame(frame(20), [(observation(20), "cup-1")])
        n_frames, _ = store.version()
        assert store.observations(since=n_frames) == []
        with store.writing() as writer:
            writer.add_frame(frame(10), [(observation(10), "cup-1")])
            writer.add_frame(frame(30), [(observation(30), "cup-2")])
            assert store.version()[0] > n_frames
        assert [row.observation.stamp_ns for row in store.observations(since=n_frames)] == [10, 30]
        assert [row.entry_id for row in store.observations(entry_ids=["cup-1"], since=n_frames)] == ["cup-1"]

    def test_skipped_frames_are_counted_once(self, tmp_path: Path) -> None:
        """By agent and reason; a frame that could be used after all is no longer skipped."""
        store = self.open(tmp_path)
        store.add_skips("alpha", [(1, 0, "no pose"), (2, 1, "no pose"), (3, 2, "no depth")])
        store.add_skips("alpha", [(1, 0, "no pose")])
        assert store.skips() == {"alpha": {"no depth": 1, "no pose": 2}}
        with store.writing() as writer:
            writer.add_frame(frame(2), [])
        assert store.skips() == {"alpha": {"no depth": 1, "no pose": 1}}
        with store.writing() as writer:
            writer.add_skips("bravo", [(2, 7, "no pose")])
        assert store.skipped() == [
            ("alpha", 1, 0, "no pose"),
            ("bravo", 2, 7, "no pose"),
            ("alpha", 3, 2, "no depth"),
        ]

    def test_facts_are_kept(self, tmp_path: Path) -> None:
        """The last value counts."""
        store = self.open(tmp_path)
        store.set_fact("embedder", "words (64)")
        store.set_fact("embedder", "words (128)")
        assert self.open(tmp_path).fact("embedder") == "words (128)"


def frame(stamp_ns: int, agent: str = "alpha") -> StoredFrame:
    """A frame at `stamp_ns`."""
    return StoredFrame(agent, stamp_ns, 0, pose(np.eye(3), [0.1, 0.2, 1 / 3]), CAMERA, "keyframes/a.jpg", b"depth")


def observation(stamp_ns: int) -> Observation:
    """A red cup."""
    hull = np.random.default_rng(stamp_ns).normal(size=(26, 3)).astype(np.float32)
    description = Description('red cup with "quotes" and ö', {"colour": "red"})
    return Observation(
        "alpha", stamp_ns, 0, "cup", description, "thing", 0.75, np.array([0.1, 0.2, 1 / 3]), hull, 321, 1.5,
        True, False, (1, 2, 30, 40),
    )  # fmt: skip


def entry(entry_id: str, n_observations: int = 3) -> Entry:
    """An entry with two states."""
    box = Box((0.0, 0.1, 0.2), (1 / 3, 0.4, 0.5))
    return Entry(
        entry_id=entry_id,
        category=None,
        description='red cup with "quotes" and ö',
        kind="thing",
        states=(
            State(Interval(5, 9), box, (0.1, 0.2, 0.3), "visible", "alpha"),
            State(Interval(9, None), box, (0.1, 0.2, 0.3), "absent", "bravo"),
        ),
        sightings=(Sighting("alpha", 5, 7),),
        n_observations=n_observations,
        agents=("alpha",),
        attributes={"colour": "red"},
        motion="movable",
        best_view=View("alpha", 5, (1, 2, 30, 40), None),
        possibly_same_as=("cup-9",),
        claims=(Claim("alpha", 'red cup with "quotes" and ö', 3, 2, 1.5, 7),),
    )


def _assert_equal(a: Any, b: Any) -> None:
    for name in a.__slots__:
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
