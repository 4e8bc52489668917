"""A recording goes in, a memory comes out: nothing twice, nothing lost, nothing silently skipped."""

from dataclasses import replace

import numpy as np
import pytest

from recall4d.config import IngestSettings
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.store.sqlite import SqliteStore
from recall4d.synth import kitchen, tour

from .films import (
    Film,
    WordEmbedder,
    blank,
    ingest,
    renumbered,
    unreadable,
    without_depth,
    without_things,
)


def entries_by_text(store):
    return {entry.description: entry for entry in store.changes().entries}


def only_frame(number, spoil):
    return lambda frame: spoil(frame) if frame.number == number else frame


def test_every_thing_becomes_one_entry_where_it_is(tmp_path):
    store, report = ingest(Film(), tmp_path / "memory")
    found = entries_by_text(store)
    truth = {thing.description: thing.box_at(0) for thing in kitchen().things}
    assert found.keys() == truth.keys()
    assert report.entries_new == len(store.changes().entries) == len(truth)
    for text, box in truth.items():
        off = np.linalg.norm(np.subtract(found[text].now.box.centroid_xyz, box.centroid_xyz))
        assert off < 0.03 + 0.25 * box.diagonal_m, text  # the film shows the near sides only


def test_an_entry_says_who_saw_it_and_when(tmp_path):
    store, _ = ingest(Film(take=tour(n_frames=8, rate_hz=2.0, agent="bravo")), tmp_path / "memory")
    cup = entries_by_text(store)["red cup"]
    assert cup.agents == ("bravo",)
    assert cup.first_seen_ns == 0
    assert cup.last_seen_ns == 3_500_000_000
    assert len(cup.sightings) == 1
    assert cup.n_observations == 8
    assert (tmp_path / "memory" / cup.best_view.crop).stat().st_size > 0


def test_ingesting_again_changes_nothing(tmp_path):
    store, first = ingest(Film(), tmp_path / "memory")
    before = store.changes().entries
    store, again = ingest(Film(), tmp_path / "memory")
    assert again.frames_read == 0
    assert again.frames_known == first.frames_read
    assert store.changes().entries == before


def test_an_ingest_that_stopped_goes_on_where_it_was(tmp_path):
    whole, _ = ingest(Film(), tmp_path / "whole")

    def crash(frame):
        if frame.number == 6:
            raise RuntimeError("the power went out")
        return frame

    with pytest.raises(RuntimeError, match="power"):
        ingest(Film(spoil=crash), tmp_path / "torn")
    assert len(SqliteStore.open(tmp_path / "torn").frames()) >= 3
    torn, rest = ingest(Film(), tmp_path / "torn")
    assert rest.frames_known + rest.frames_read == 12
    assert torn.changes().entries == whole.changes().entries


def test_stored_ids_never_reach_association(tmp_path):
    plain, _ = ingest(Film(), tmp_path / "plain")
    shuffled, _ = ingest(Film(spoil=renumbered), tmp_path / "shuffled")
    assert shuffled.changes().entries == plain.changes().entries


@pytest.mark.parametrize(
    ("spoil", "reason", "kept"),
    [
        (unreadable, "colour image unreadable", False),
        (without_depth, "no depth", True),
        (blank, "depth is blank", True),
    ],
)
def test_a_frame_that_cannot_be_used_is_counted_with_its_reason(tmp_path, spoil, reason, kept):
    store, report = ingest(Film(spoil=only_frame(3, spoil)), tmp_path / "memory")
    assert report.skipped == {reason: 1}
    assert report.frames_used == 11
    assert store.skips() == {"alpha": {reason: 1}}
    assert (3 in [frame.number for frame in store.frames()]) == kept


def test_a_frame_without_things_is_a_frame_like_any_other(tmp_path):
    store, report = ingest(Film(spoil=only_frame(3, without_things)), tmp_path / "memory")
    assert report.skipped == {}
    assert report.frames_used == len(store.frames()) == 12


def test_a_frame_without_a_pose_is_skipped(tmp_path):
    class Lost(Film):
        def headers(self):
            for header in super().headers():
                lost = replace(header, world_from_camera=None, why_no_pose="pose not finite")
                yield lost if header.number == 2 else header

    _, report = ingest(Lost(), tmp_path / "memory")
    assert report.skipped == {"pose not finite": 1}


def test_a_frame_unsure_of_its_pose_writes_nothing(tmp_path):
    def unsure(frame):
        return replace(frame, pose_confidence=0.2 if frame.number < 4 else 0.9)

    store, report = ingest(Film(spoil=unsure), tmp_path / "memory", IngestSettings(min_pose_confidence=0.5))
    assert report.skipped == {"pose not trusted": 4}
    assert len(store.frames()) == 8


def test_keyframes_are_bounded(tmp_path):
    store, _ = ingest(Film(), tmp_path / "memory", IngestSettings(keep_frames=2, keyframe_distance_m=0.0))
    assert len(list((tmp_path / "memory" / "keyframes").iterdir())) == 2
    assert sum(frame.image is not None for frame in store.frames()) == 2


def test_depth_of_another_moment_gives_no_place(tmp_path):
    def late(frame):
        return replace(frame, depth=replace(frame.depth, stamp_skew_ns=80_000_000))

    _, report = ingest(Film(spoil=late), tmp_path / "memory")
    assert report.skipped == {"depth too far from the image in time": 12}


def test_two_agents_of_one_world_share_their_entries(tmp_path):
    ingest(Film(), tmp_path / "memory")
    bravo = Film(take=tour(start_ns=60_000_000_000, agent="bravo"))
    store, report = ingest(bravo, tmp_path / "memory", shares_world=True)
    assert report.entries_new == 0
    assert {entry.agents for entry in store.changes().entries} == {("alpha", "bravo")}


def test_maps_are_not_mixed_unless_they_are_known_to_be_one(tmp_path):
    ingest(Film(), tmp_path / "memory")
    store, report = ingest(Film(take=tour(start_ns=60_000_000_000, agent="bravo")), tmp_path / "memory")
    assert report.entries_new == 7
    assert {(entry.map_frame, entry.agents) for entry in store.changes().entries} == {
        (None, ("alpha",)),
        ("bravo", ("bravo",)),
    }


class Counting:
    """A segmenter that knows how many frames of a recording it has seen, and must not forget it."""

    name = "counting"

    def __init__(self, stop_at=None):
        self.n_seen = 0
        self.stop_at = stop_at

    def segment(self, frame):
        if self.n_seen == self.stop_at:
            raise RuntimeError("the power went out")
        self.n_seen += 1
        return StoredSegmenter().segment(frame)

    def state(self):
        return str(self.n_seen)

    def resume(self, state):
        self.n_seen = int(state or 0)


def test_a_segmenter_that_carries_something_on_is_given_it_back_after_a_kill(tmp_path):
    with pytest.raises(RuntimeError, match="power"):
        ingest(Film(), tmp_path / "memory", segmenter=Counting(stop_at=5))
    again = Counting()

    _, report = ingest(Film(), tmp_path / "memory", segmenter=again)

    assert again.n_seen == report.frames_known + report.frames_used


def test_another_agent_starts_anew(tmp_path):
    counting = Counting()
    ingest(Film(), tmp_path / "memory", segmenter=counting)
    ingest(Film(take=tour(n_frames=3, agent="bravo")), tmp_path / "memory", segmenter=counting)

    assert counting.n_seen == 3


def test_an_embedder_is_asked_once_about_a_text_however_often_the_ingest_starts(tmp_path, monkeypatch):
    asked = []
    embed = WordEmbedder.embed
    monkeypatch.setattr(WordEmbedder, "embed", lambda self, texts: asked.extend(texts) or embed(self, texts))
    ingest(Film(take=tour(n_frames=4)), tmp_path / "memory")
    ingest(Film(), tmp_path / "memory")

    assert len(asked) == len(set(asked)) > 0
