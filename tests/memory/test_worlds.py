"""What memory makes of a small world in which something happens: each test is one scene.

Alpha visits the room at 0 s, and again a minute later; changes happen at 30 s, when nobody looks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recall4d.geometry.box import Box
from recall4d.records import StoredMasks
from recall4d.synth import Stay, Take, Thing, World, look_along

from .scenes import (
    CUP,
    CUP_XYZ,
    ROOM,
    SHELF,
    TOP_M,
    S,
    Scene,
    each_frame,
    kinds,
    off_m,
    only,
    remember,
    room,
    visits,
    watch,
)

CHANGE = 30 * S
ON_SHELF = (0.3, 2.5, 0.5)
TWIN = Thing.resting("cup", "red cup", CUP.colour, CUP.size_xyz, (2.4, 3.1, TOP_M))
BOOK = Thing.resting("book", "thick blue book", (40, 40, 200), (0.3, 0.3, 0.1), (2.3, 3.1, TOP_M))
ON_BOOK = Thing.resting("book", "thin yellow book", (220, 220, 40), (0.25, 0.25, 0.08), (2.3, 3.1, TOP_M + 0.1))


def put_down(category, description, size_xyz, base_xyz, at_ns=CHANGE):
    """A thing that is not there before an instant."""
    return Thing(category, description, (120, 120, 120), size_xyz, (Stay(0, None), Stay(at_ns, base_xyz)))


SCREEN = put_down("box", "grey cardboard box", (0.5, 0.1, 0.5), (1.6, 2.9, TOP_M))


def test_nothing_happens(tmp_path):
    memory = watch(tmp_path, CUP, TWIN, BOOK)
    assert memory.events() == ()
    assert len(memory.entries()) == 5
    assert all(entry.present and len(entry.states) == 1 for entry in memory.entries())


def test_moved(tmp_path):
    cup = CUP.then(CHANGE, (2.4, 3.1, TOP_M))
    memory = watch(tmp_path, cup)
    entry = only(memory.entries(), "red cup")
    (event,) = memory.events()
    assert (event.kind, event.entry_id) == ("moved", entry.entry_id)
    assert event.after_ns < CHANGE < event.before_ns
    assert (event.after_ns, event.before_ns) == (2.5 * S, 60 * S)  # the last look before, the first after
    assert event.from_xyz == pytest.approx(cup.box_at(0).centroid_xyz, abs=0.02)
    assert event.to_xyz == pytest.approx(cup.box_at(60 * S).centroid_xyz, abs=0.02)
    assert off_m(entry, cup, 60) < 0.02
    assert entry.motion == "movable"
    assert entry.state_at(CHANGE).box.centroid_xyz == pytest.approx(event.from_xyz)
    (claim,) = entry.claims
    assert (claim.n_views, claim.last_ns) == (entry.n_observations, entry.last_seen_ns)


def test_pushed_by_20_cm(tmp_path):
    memory = watch(tmp_path, CUP.then(CHANGE, (1.8, 3.1, TOP_M)))
    assert kinds(memory.events()) == [("moved", "red cup")]


def test_removed(tmp_path):
    memory = watch(tmp_path, CUP.then(CHANGE, None))
    entry = only(memory.entries(), "red cup")
    (event,) = memory.events()
    assert (event.kind, event.after_ns, event.before_ns) == ("gone", 2.5 * S, 60 * S)
    assert not entry.present
    assert entry.now.box.centroid_xyz == pytest.approx(CUP.box_at(0).centroid_xyz, abs=0.02)


def test_returned(tmp_path):
    memory = watch(tmp_path, CUP.then(CHANGE, None).then(90 * S, CUP_XYZ), starts_s=(0, 60, 120))
    entry = only(memory.entries(), "red cup")
    assert kinds(memory.events()) == [("gone", "red cup"), ("returned", "red cup")]
    assert memory.events()[1].after_ns == 62.5 * S
    assert memory.events()[1].before_ns == 120 * S
    assert [state.visibility for state in entry.states] == ["visible", "absent", "visible"]


def test_put_down_where_it_had_been_empty(tmp_path):
    memory = watch(tmp_path, put_down("bottle", "green bottle", (0.15, 0.15, 0.3), (2.4, 3.1, TOP_M)))
    (event,) = memory.events()
    assert (event.kind, event.description) == ("appeared", "green bottle")
    assert (event.after_ns, event.before_ns) == (2.5 * S, 60 * S)


def test_what_is_first_seen_where_nobody_looked_before_has_not_appeared(tmp_path):
    away, towards = visits(0, at=(3.8, 1.0, 0.8)), visits(60)
    take = Take("alpha", np.append(away.stamps_ns, towards.stamps_ns), np.append(away.poses, towards.poses, axis=0))
    memory = remember(tmp_path, Scene(room(CUP), take))
    assert only(memory.entries(), "red cup").first_seen_ns == 60 * S
    assert memory.events() == ()


def test_hidden_is_not_gone(tmp_path):
    memory = watch(tmp_path, CUP, SCREEN)
    cup = only(memory.entries(), "red cup")
    assert kinds(memory.events()) == [("appeared", "grey cardboard box"), ("occluded", "red cup")]
    assert cup.present
    assert cup.now.visibility == "occluded"


def test_hidden_and_then_removed_behind_the_screen_is_still_only_hidden(tmp_path):
    memory = watch(tmp_path, CUP.then(45 * S, None), SCREEN)
    assert only(memory.entries(), "red cup").now.visibility == "occluded"


def test_uncovered_again(tmp_path):
    memory = watch(tmp_path, CUP, SCREEN.then(90 * S, None), starts_s=(0, 60, 120))
    assert only(memory.entries(), "red cup").now.visibility == "visible"
    assert not {"gone", "returned"} & {kind for kind, what in kinds(memory.events()) if what == "red cup"}


def test_uncovered_and_no_longer_there(tmp_path):
    memory = watch(tmp_path, CUP.then(45 * S, None), SCREEN.then(90 * S, None), starts_s=(0, 60, 120))
    gone = [event for event in memory.events() if event.description == "red cup"]
    assert [event.kind for event in gone] == ["gone"]
    assert (gone[0].after_ns, gone[0].before_ns) == (2.5 * S, 120 * S)


def test_of_two_equal_cups_the_one_that_stayed_is_not_taken_for_the_one_that_left(tmp_path):
    moved = CUP.then(CHANGE, (2.0, 3.3, TOP_M))
    memory = watch(tmp_path, moved, TWIN)
    cups = [entry for entry in memory.entries() if entry.description == "red cup"]
    (event,) = memory.events()
    assert event.kind == "moved"
    assert len(cups) == 2
    stayed = next(cup for cup in cups if cup.entry_id != event.entry_id)
    assert stayed.motion == "static"
    assert len(stayed.states) == 1
    assert off_m(stayed, TWIN, 60) < 0.02
    assert off_m(next(cup for cup in cups if cup is not stayed), moved, 60) < 0.02


def test_where_both_equal_cups_left_nobody_knows_which_is_which(tmp_path):
    memory = watch(tmp_path, CUP.then(CHANGE, (2.0, 3.4, TOP_M)), TWIN.then(CHANGE, (2.7, 3.3, TOP_M)))
    cups = {entry.entry_id: entry for entry in memory.entries() if entry.description == "red cup"}
    before = {name for name, cup in cups.items() if not cup.present}
    after = cups.keys() - before
    assert len(before) == len(after) == 2
    assert all(set(cups[name].possibly_same_as) == after for name in before)
    assert all(set(cups[name].possibly_same_as) == before for name in after)
    assert sorted(kind for kind, _ in kinds(memory.events())) == ["appeared", "appeared", "gone", "gone"]


def test_two_different_things_that_swap_places(tmp_path):
    bottle = Thing.resting("bottle", "green bottle", (30, 160, 30), (0.14, 0.14, 0.2), TWIN.stays[0].base_xyz)
    cup, bottle = CUP.then(CHANGE, TWIN.stays[0].base_xyz), bottle.then(CHANGE, CUP_XYZ)
    memory = watch(tmp_path, cup, bottle)
    for thing in (cup, bottle):
        near = [entry for entry in memory.entries() if entry.description == thing.description]
        assert min(off_m(entry, thing, 60) for entry in near) < 0.02


def test_carried_in_view_it_stays_one_thing_and_one_event(tmp_path):
    cup = CUP.then(4 * S, (2.5, 3.1, TOP_M), carried_since_ns=2 * S)
    memory = watch(tmp_path, cup, starts_s=(0, 3, 6, 60))
    entry = only(memory.entries(), "red cup")
    (event,) = memory.events()
    assert event.kind == "moved"
    assert event.after_ns <= 4 * S
    assert event.before_ns >= 2 * S
    assert event.to_xyz == pytest.approx(cup.box_at(60 * S).centroid_xyz, abs=0.02)
    assert off_m(entry, cup, 60) < 0.02


def test_while_it_is_carried_it_moves(tmp_path):
    memory = watch(tmp_path, CUP.then(4 * S, (2.5, 3.1, TOP_M), carried_since_ns=2 * S), starts_s=(0, 3, 60))
    assert only(memory.entries(now=4 * S), "red cup").motion == "moving"
    assert only(memory.entries(), "red cup").motion == "movable"


@pytest.mark.parametrize(("starts_again_s", "motion"), [(4.0, "moving"), (4.9, "movable")])
def test_across_a_gap_in_the_stream_nobody_watched(tmp_path, starts_again_s, motion):
    """It lies elsewhere when the camera is back: after 1.5 s it was followed, after 2.4 s it was not."""
    cup = CUP.then(3 * S, (2.2, 3.1, TOP_M))
    memory = watch(tmp_path, cup, starts_s=(0, starts_again_s))
    assert kinds(memory.events()) == [("moved", "red cup")]
    assert only(memory.entries(), "red cup").motion == motion


def test_taken_from_a_stack(tmp_path):
    memory = watch(tmp_path, BOOK, ON_BOOK.then(CHANGE, None))
    assert kinds(memory.events()) == [("gone", "thin yellow book")]
    assert only(memory.entries(), "thick blue book").present


def test_a_stack_carried_away_leaves_as_two(tmp_path):
    elsewhere = (1.5, 3.1, TOP_M)
    memory = watch(tmp_path, BOOK.then(CHANGE, elsewhere), ON_BOOK.then(CHANGE, (*elsewhere[:2], TOP_M + 0.1)))
    assert sorted(kinds(memory.events())) == [("moved", "thick blue book"), ("moved", "thin yellow book")]


def test_a_thin_thing_is_there_as_long_as_it_is_seen(tmp_path):
    stick = Thing.resting("stick", "thin black stick", (20, 20, 20), (0.03, 0.03, 0.6), (2.4, 3.1, TOP_M))
    assert watch(tmp_path / "there", stick).events() == ()
    assert kinds(watch(tmp_path / "gone", stick.then(CHANGE, None)).events()) == [("gone", "thin black stick")]


def test_a_thing_that_rays_pass_through_is_not_seen_to_be_gone_by_a_segmenter_that_misses_it(tmp_path):
    """A hoop: four thin bars around nothing; its mask is missed on the second visit."""
    bars = [
        Thing.resting("hoop", "wide wire hoop", (90, 90, 90), size, (2.2, 3.1, TOP_M + z))
        for size, z in (((0.5, 0.02, 0.02), 0.0), ((0.5, 0.02, 0.02), 0.48))
    ]

    def as_one(frame):
        ids = np.where(np.isin(frame.masks.ids, [3, 4]), np.uint16(3), frame.masks.ids)
        return replace(frame, masks=StoredMasks(ids if frame.stamp_ns < CHANGE else np.where(ids == 3, 0, ids),
                                                frame.masks.labels))  # fmt: skip

    memory = remember(tmp_path, Scene(room(*bars), visits(0, 60), as_one))
    assert only(memory.entries(), "wide wire hoop").present
    assert memory.events() == ()


def test_the_other_end_of_a_long_thing_is_not_looked_at(tmp_path):
    """A bench seen in two halves, then at one end only: nothing is known of the other end, nothing is gone."""
    bench = Thing.resting("bench", "long white bench", (230, 230, 230), (3.4, 0.4, 0.5), (2.0, 3.75, 0.0))
    cup = Thing.resting("cup", "red cup", CUP.colour, CUP.size_xyz, (0.8, 3.7, 0.5)).then(CHANGE, None)
    x = np.array([1.0, 1.1, 1.2, 2.8, 2.9, 3.0] + [2.8, 2.9, 3.0] * 2)
    eyes = np.column_stack([x, np.full(12, 2.2), np.full(12, 1.4)])
    stamps = np.array([0, 1, 2, 3, 4, 5, 60, 61, 62, 63, 64, 65]) * S
    take = Take("alpha", stamps, look_along(eyes, eyes + np.array([0.0, 1.6, -1.0])))
    memory = remember(tmp_path, Scene(World(ROOM, (bench, cup)), take))
    assert only(memory.entries(), "long white bench").present
    assert only(memory.entries(), "red cup").present
    assert memory.events() == ()


def test_a_mirror_image_is_kept_apart_and_never_takes_the_thing_with_it(tmp_path):
    mirror = Box((1.0, 4.0, 0.8), (2.8, 4.0, 2.0))
    still = remember(tmp_path / "still", Scene(room(CUP, mirrors=[mirror]), visits(0, 60)))
    behind = [entry for entry in still.entries() if entry.now.box.centroid_xyz[1] > 4.0]
    assert {"red cup", "long oak table"} <= {entry.description for entry in behind}
    assert still.events() == ()

    removed = remember(tmp_path / "gone", Scene(room(CUP.then(CHANGE, None), mirrors=[mirror]), visits(0, 60)))
    assert {kind for kind, _ in kinds(removed.events())} == {"gone"}
    assert not any(entry.present for entry in removed.entries() if entry.description == "red cup")


def test_stray_holes_missed_masks_and_noise_make_nothing_gone(tmp_path):
    def spoiled(frame, rng):
        """5 mm of noise, a tenth of the depth missing, a tenth of the masks missing."""
        z_m = frame.depth.z_m + 0.005 * rng.standard_normal(frame.depth.z_m.shape, dtype=np.float32)
        z_m[rng.random(z_m.shape) < 0.1] = np.nan
        missed = [number for number in frame.masks.labels if rng.random() < 0.1]
        ids = np.where(np.isin(frame.masks.ids, missed), 0, frame.masks.ids).astype(np.uint16)
        return replace(frame, depth=replace(frame.depth, z_m=z_m), masks=StoredMasks(ids, frame.masks.labels))

    scene = Scene(room(CUP, TWIN, BOOK, ON_BOOK), visits(0, 20, 40, 60), each_frame(spoiled))
    memory = remember(tmp_path, scene)
    assert memory.events() == ()
    assert all(entry.present for entry in memory.entries())


def test_one_look_at_an_empty_place_is_not_enough(tmp_path):
    """For one frame the camera is told to be half a metre away from where it is."""

    def astray(frame):
        off = np.eye(4)
        off[0, 3] = 0.5 if frame.stamp_ns == 61 * S else 0.0
        return replace(frame, world_from_camera=off @ frame.world_from_camera)

    memory = remember(tmp_path, Scene(room(CUP), visits(0, 60), astray))
    cup = next(entry for entry in memory.entries() if off_m(entry, CUP, 0) < 0.05)
    assert cup.present
    assert memory.events() == ()


@pytest.mark.parametrize("as_of_s", [3, 61, 70, 121, 130])
def test_nothing_is_known_before_it_was_observed(tmp_path, as_of_s):
    """What is known as of an instant is what a recording up to it gives: no later event, no later state."""
    cup = CUP.then(CHANGE, None).then(90 * S, (2.4, 3.1, TOP_M))
    book = BOOK.then(90 * S, None)
    take = visits(0, 60, 120)
    whole = remember(tmp_path / "whole", Scene(room(cup, book), take))
    n = int((take.stamps_ns <= as_of_s * S).sum())
    short = remember(tmp_path / "short", Scene(room(cup, book), Take("alpha", take.stamps_ns[:n], take.poses[:n])))
    known, expected = whole.snapshot(as_of_s * S), short.snapshot()
    assert known.events == expected.events
    assert all(event.before_ns <= as_of_s * S for event in known.events)
    by_text = {entry.description: entry for entry in expected.entries}
    assert {entry.description for entry in known.entries} == by_text.keys()
    for entry in known.entries:
        same = by_text[entry.description]
        assert [s.visibility for s in entry.states] == [s.visibility for s in same.states]
        assert [s.interval for s in entry.states] == [s.interval for s in same.states]


def test_a_shelf_is_no_cup_that_left(tmp_path):
    """What has another description is never the same thing, however well it fits."""
    memory = watch(tmp_path, CUP.then(CHANGE, None), put_down("bowl", "white bowl", CUP.size_xyz, ON_SHELF))
    assert ("gone", "red cup") in kinds(memory.events())
    assert only(memory.entries(), "white bowl").entry_id != only(memory.entries(), "red cup").entry_id
    assert only(memory.entries(), SHELF.description).present
