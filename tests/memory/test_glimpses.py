"""What was seen without being measured says when a thing was in view, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recall4d import Memory
from recall4d.memory.glimpses import GlimpseBook
from recall4d.synth import Thing

from .films import PlainDescriber, WordEmbedder
from .scenes import CUP, CUP_XYZ, S, Scene, only, remember, room, visits

SECOND_VISIT_S = 60.0


def in_holes(description, from_s):
    """A depth camera that loses the things called so, from an instant on."""

    def spoil(frame):
        if frame.stamp_ns < from_s * S:
            return frame
        lost = [number for number, label in frame.masks.labels.items() if label.description == description]
        z_m = np.where(np.isin(frame.masks.ids, lost), np.nan, frame.depth.z_m).astype(np.float32)
        return replace(frame, depth=replace(frame.depth, z_m=z_m))

    return spoil


def filmed(*things, starts_s=(0.0, SECOND_VISIT_S), holes_from_s=SECOND_VISIT_S):
    return Scene(room(*things), visits(*starts_s), in_holes("red cup", holes_from_s))


def test_a_thing_that_is_not_measured_was_in_view_all_the_same(tmp_path):
    cup = only(remember(tmp_path / "holes", filmed(CUP)).entries(), "red cup")
    before = only(remember(tmp_path / "once", filmed(CUP, starts_s=(0.0,))).entries(), "red cup")

    assert [round(each.from_ns / S) for each in cup.sightings] == [0, 60]
    assert cup.last_seen_ns == 62.5 * S
    assert cup.now.box == before.now.box, "a glimpse has no place"
    assert cup.n_observations == before.n_observations
    assert cup.now.interval == before.now.interval, "and is no evidence of being there"


def test_what_was_never_measured_is_no_entry(tmp_path):
    memory = remember(tmp_path, filmed(CUP, holes_from_s=0.0))

    assert "red cup" not in {each.description for each in memory.entries()}
    assert {each.description for each in memory.store.glimpses()} >= {"red cup"}


def test_a_lookalike_somewhere_else_is_not_the_thing(tmp_path):
    moved = CUP.then(30 * S, (2.5, *CUP_XYZ[1:]))
    cup = only(remember(tmp_path, filmed(moved)).entries(), "red cup")

    assert cup.last_seen_ns < 30 * S


def test_which_of_two_alike_it_was_is_not_guessed(tmp_path):
    behind = Thing.resting("cup 2", "red cup", (200, 30, 30), (0.14, 0.14, 0.16), (1.6, 3.3, CUP_XYZ[2]))
    cups = [each for each in remember(tmp_path, filmed(CUP, behind)).entries() if each.description == "red cup"]

    assert len(cups) == 2
    assert all(each.last_seen_ns < 30 * S for each in cups)


@pytest.mark.parametrize(("depth_m", "in_view"), [(np.nan, True), (0.5, False), (6.0, True)])
def test_what_stands_in_front_of_a_place_is_not_the_thing(tmp_path, depth_m, in_view):
    known = remember(tmp_path / "once", filmed(CUP, starts_s=(0.0,))).entries()
    later = remember(tmp_path / "both", filmed(CUP)).store
    book = GlimpseBook(lambda frame: np.full((30, 40), depth_m, np.float32))

    cup = only(book.with_glimpses(known, later.glimpses(), later.frames(), 3 * S), "red cup")

    assert (cup.last_seen_ns > 30 * S) == in_view


def test_asking_after_every_frame_finds_what_asking_once_does(tmp_path):
    asked_often = Memory.open(tmp_path / "often", embedder=WordEmbedder())
    asked_often.ingest(filmed(CUP), describer=PlainDescriber(), on_frame=lambda header: asked_often.entries())
    asked_once = remember(tmp_path / "once", filmed(CUP))

    assert asked_often.entries() == asked_once.entries()


def test_an_earlier_moment_knows_no_later_glimpse(tmp_path):
    memory = remember(tmp_path, filmed(CUP))
    cup = only(memory.snapshot(61 * S).entries, "red cup")

    assert cup.last_seen_ns == 61 * S


def test_a_merged_memory_has_the_glimpses_of_both(tmp_path):
    other = remember(tmp_path / "other", filmed(CUP))
    memory = Memory.open(tmp_path / "memory", embedder=WordEmbedder())
    memory.merge(tmp_path / "other")

    assert memory.store.glimpses() == other.store.glimpses()
    assert only(memory.entries(), "red cup").last_seen_ns == 62.5 * S
