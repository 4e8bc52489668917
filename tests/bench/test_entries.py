"""Scoring entries: a shelf of three things and a sofa, and memories that hold too much, too little or the wrong."""

from __future__ import annotations

import json
import math

import pytest

from recall4d.bench.entries import MIN_FRAMES, score_entries
from recall4d.bench.truth import TrueThing
from recall4d.clock import Interval
from recall4d.geometry.box import Box
from recall4d.records import Entry, Sighting, State


def box(centre_xyz, edges_xyz):
    low, high = zip(*((c - e / 2, c + e / 2) for c, e in zip(centre_xyz, edges_xyz, strict=True)), strict=True)
    return Box(low, high)


def thing(
    thing_id, description, centre_xyz, edges_xyz=(0.1, 0.1, 0.1), *, category=None, whole=True, frames_seen=9
):
    return TrueThing(thing_id, category, description, box(centre_xyz, edges_xyz), whole, frames_seen)


def entry(description, centre_xyz, edges_xyz=(0.1, 0.1, 0.1), *, category=None, n_observations=5):
    state = State(Interval(0, None), box(centre_xyz, edges_xyz), centre_xyz, "visible", "camera")
    name = f"{description} at {centre_xyz} x{n_observations}"
    sightings = (Sighting("camera", 0, 0),)
    return Entry(name, category, description, "thing", (state,), sightings, n_observations, ("camera",))


MUG = thing(1, "white mug", (0.0, 0.0, 1.0), category="cup")
SAME_MUG = thing(2, "white mug", (0.4, 0.0, 1.0), category="cup")
BOOK = thing(3, "blue book", (0.0, 0.5, 1.0), category="book")
SOFA = thing(4, "grey sofa", (3.0, 0.0, 0.4), (2.0, 0.8, 0.8), category="couch")
SHELF = (MUG, SAME_MUG, BOOK, SOFA)


def seen(true_thing, off_xyz=(0.0, 0.0, 0.0), **more):
    """An entry of a thing, misplaced by `off_xyz`."""
    centre = tuple(c + off for c, off in zip(true_thing.box.centroid_xyz, off_xyz, strict=True))
    more = {"description": true_thing.description, "category": true_thing.category, **more}
    return entry(centre_xyz=centre, edges_xyz=true_thing.box.extent_xyz, **more)


def test_a_memory_that_holds_everything_once_is_perfect():
    score = score_entries([seen(each) for each in SHELF], SHELF)
    assert (score.n_things, score.recall, score.duplicates) == (4, 1.0, 0.0)
    assert score.missed == score.doubled == score.spurious == ()
    assert score.small_median_m == pytest.approx(0.0, abs=1e-9)
    assert score.large_median_m == pytest.approx(0.0, abs=1e-9)


def test_an_empty_memory_found_nothing():
    score = score_entries([], SHELF)
    assert score.recall == 0.0
    assert score.missed == ("white mug", "white mug", "blue book", "grey sofa")
    assert math.isnan(score.small_median_m)
    assert json.loads(json.dumps(score.to_json(), allow_nan=False))["small_median_m"] is None


def test_a_missing_thing_lowers_recall():
    score = score_entries([seen(MUG), seen(SAME_MUG), seen(SOFA)], SHELF)
    assert score.recall == 0.75
    assert score.missed == ("blue book",)


def test_two_equal_things_are_told_apart_by_place():
    score = score_entries([seen(SAME_MUG), seen(MUG)], (MUG, SAME_MUG))
    assert (score.recall, score.duplicates) == (1.0, 0.0)


def test_one_entry_is_of_one_thing_only():
    between = entry("white mug", (0.1, 0.0, 1.0), category="cup")
    assert score_entries([between], (MUG, SAME_MUG)).recall == 0.5


def test_the_entry_with_most_observations_is_measured_and_the_others_are_duplicates():
    few, many = seen(MUG, (0.0, 0.0, 0.10), n_observations=2), seen(MUG, (0.03, 0.0, 0.0), n_observations=50)
    score = score_entries([few, many, seen(BOOK)], (MUG, BOOK))
    assert score.duplicates == 0.5  # one too many, of two things found
    assert score.doubled == ("white mug",)
    assert score.small_p90_m == pytest.approx(0.9 * 0.03)  # errors 0 and 3 cm


def test_an_entry_in_an_empty_place_or_under_another_name_is_of_nothing():
    far, misnamed = seen(MUG, (0.0, 2.0, 0.0)), seen(BOOK, description="red kettle", category="kettle")
    score = score_entries([seen(MUG), far, misnamed], (MUG, BOOK))
    assert score.spurious == ("white mug", "red kettle")
    assert score.missed == ("blue book",)


def test_a_category_is_enough_of_a_name():
    assert score_entries([seen(MUG, description="pale cup")], (MUG,)).recall == 1.0
    assert score_entries([seen(MUG, description="pale cup", category=None)], (MUG,)).recall == 0.0


def test_the_right_description_counts_more_than_a_nearer_category():
    note = thing(8, "yellow note", (0.0, 0.0, 1.0), category="book")
    atlas = thing(9, "green atlas", (0.05, 0.0, 1.0), category="book")
    score = score_entries([entry("green atlas", (0.02, 0.0, 1.0), category="book")], (note, atlas))
    assert score.missed == ("yellow note",)


def test_large_things_are_found_farther_off_and_measured_apart():
    score = score_entries([seen(SOFA, (0.3, 0.0, 0.0)), seen(BOOK, (0.02, 0.0, 0.0))], (SOFA, BOOK))
    assert score.recall == 1.0
    assert score.large_median_m == pytest.approx(0.3)
    assert score.small_median_m == pytest.approx(0.02)


def test_an_edge_error_is_the_mean_over_the_three_edges():
    score = score_entries([entry("blue book", BOOK.box.centroid_xyz, (0.16, 0.1, 0.1))], (BOOK,))
    assert score.extent_median_m == pytest.approx(0.02)


def test_a_thing_seen_in_part_may_be_missed_but_not_doubled():
    part = thing(5, "red cupboard", (0.0, 0.0, 0.4), whole=False)
    assert score_entries([seen(BOOK)], (BOOK, part)).recall == 1.0
    doubled = score_entries([seen(BOOK), seen(part), seen(part, (0.02, 0.0, 0.0))], (BOOK, part))
    assert doubled.duplicates == 0.5
    assert doubled.small_median_m == pytest.approx(0.0, abs=1e-9)  # nothing is measured on it


def test_a_glimpse_is_not_asked_for_but_its_entry_is_not_spurious():
    glimpse = thing(6, "tiny key", (1.0, 1.0, 1.0), frames_seen=MIN_FRAMES - 1)
    score = score_entries([seen(BOOK), seen(glimpse)], (BOOK, glimpse))
    assert score.n_things == 1
    assert (score.recall, score.spurious) == (1.0, ())
