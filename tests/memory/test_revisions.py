"""What memory came to think otherwise of: two entries that were one thing, and one entry that was two things."""

from __future__ import annotations

import numpy as np

from recall4d.config import AssociationSettings
from recall4d.memory.revisions import concluded_anew
from recall4d.records import Revision
from recall4d.synth import Take, Thing, World, look_along

from .scenes import CUP, ROOM, TABLE, TOP_M, S, Scene, only, remember, room, visits

BENCH = Thing.resting("bench", "long white bench", (230, 230, 230), (3.4, 0.4, 0.5), (2.0, 3.75, 0.0))
BESIDE = Thing.resting("cup", "red cup", CUP.colour, CUP.size_xyz, (1.85, 3.1, TOP_M))


def along(x, starts_s=0.0):
    """A walk past the far wall, one frame a second, looking down at it from near by."""
    eyes = np.column_stack([x, np.full(len(x), 2.6), np.full(len(x), 1.2)])
    stamps = ((starts_s + np.arange(len(x))) * S).astype(np.int64)
    return Take("alpha", stamps, look_along(eyes, eyes + np.array([0.0, 1.2, -0.8])))


def test_two_ends_that_turn_out_to_be_one_bench(tmp_path):
    ends_first = along([0.7, 0.8, 3.2, 3.3, 2.6, 2.2, 1.8, 1.4])
    memory = remember(tmp_path, Scene(World(ROOM, (BENCH,)), ends_first))
    bench = only(memory.entries(), "long white bench")
    (merged,) = memory.revisions()
    assert (merged.kind, merged.other_id, merged.agent) == ("merged", bench.entry_id, "alpha")
    assert merged.description == "long white bench"
    assert memory.events() == ()
    assert memory.revisions(until=merged.at_ns - 1) == ()
    assert memory.revisions(since=merged.at_ns) == ()


def test_nothing_is_revised_where_everything_was_clear_from_the_start(tmp_path):
    memory = remember(tmp_path, Scene(room(CUP, BESIDE), visits(0, 60)))
    memory.rebuild()
    assert memory.revisions() == ()


def test_one_entry_that_turns_out_to_be_two_cups(tmp_path):
    """With a gate of two metres two cups that were never in one view are one; with the usual one they are two."""
    left, right = along([0.9, 0.95, 1.0]), along([2.4, 2.45, 2.5], starts_s=3)
    take = Take("alpha", np.append(left.stamps_ns, right.stamps_ns), np.append(left.poses, right.poses, axis=0))
    far_apart = [Thing.resting("cup", "red cup", CUP.colour, CUP.size_xyz, (x, 3.3, TOP_M)) for x in (1.0, 2.4)]
    memory = remember(tmp_path, Scene(World(ROOM, (TABLE, *far_apart)), take))
    memory.rebuild(AssociationSettings(epsilon_m=2.0))
    cup = only(memory.entries(), "red cup")
    memory.rebuild(AssociationSettings())
    cups = {entry.entry_id for entry in memory.entries() if entry.description == "red cup"}
    assert len(cups) == 2
    merged, split = (each for each in memory.revisions() if each.description == "red cup")
    assert (merged.kind, merged.other_id) == ("merged", cup.entry_id)
    assert (split.kind, split.entry_id, split.agent) == ("split", cup.entry_id, None)
    assert {split.entry_id, split.other_id} == cups == {merged.entry_id, merged.other_id}


def test_an_entry_goes_on_as_the_one_that_most_of_it_is_of(tmp_path):
    memory = remember(tmp_path, Scene(room(CUP), visits(0)))
    cup, *_ = (entry for entry in memory.entries() if entry.description == "red cup")
    named = {("alpha", stamp, 0): cup.entry_id for stamp in range(10)}
    moved = {name: "cup-b" if name[1] < 9 else "cup-c" for name in named}
    assert concluded_anew([cup], named, moved, 99) == [
        Revision("merged", cup.entry_id, "cup-b", "red cup", 99, None)
    ]
