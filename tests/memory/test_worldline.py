"""Stays at places become worldlines of things: what is one thing that moved, and what is two."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall4d.clock import NS_PER_S, Interval
from recall4d.geometry.box import Box
from recall4d.memory.presence import Look
from recall4d.memory.stay import Stay
from recall4d.memory.worldline import LIKELY, SURE, worldlines
from recall4d.records import Entry, Sighting, State

KINDS = {"red cup": 0, "blue book": 1, "white wall": 2}

LOOKS = {
    "S": (True, 0.3, 0.0),  # seen
    "F": (False, 1.0, 0.0),  # free: seen through
    "H": (False, 0.0, 1.0),  # hidden
    "f": (False, 0.3, 0.0),  # filled, but not recognised
    ".": (False, math.nan, math.nan),  # not looked at
}


def stay(name, x, looks, text="red cup", size_m=0.1, kind="thing", step_s=10):
    """A stay at x metres, looked at every `step_s` seconds with these results."""
    found = [Look(i * step_s * NS_PER_S, "alpha", *LOOKS[each]) for i, each in enumerate(looks)]
    seen = [look.stamp_ns for look in found if look.seen]
    box = Box((x, 0.0, 0.0), (x + size_m, size_m, size_m))
    entry = Entry(
        name, None, text, kind,
        states=(State(Interval(seen[0], None), box, box.centroid_xyz, "visible", "alpha"),),
        sightings=tuple(Sighting("alpha", stamp, stamp) for stamp in seen),
        n_observations=len(seen),
        agents=("alpha",),
    )  # fmt: skip
    return Stay(entry, found, np.eye(3, dtype=np.float32)[KINDS[text]])


def lived(*stays):
    """Entries by name, and events as (kind, name, last second before, first second after)."""
    entries, events = worldlines(stays, now_ns=10**12)
    told = [(e.kind, e.entry_id, e.after_ns // NS_PER_S, e.before_ns // NS_PER_S) for e in events]
    return {entry.entry_id: entry for entry in entries}, told


def test_lost_here_and_found_there_is_one_thing_that_moved():
    entries, events = lived(stay("a", 0, "SSSSFFFF"), stay("b", 2, "FFFFSSSS"))
    assert events == [("moved", "a", 30, 40)]
    assert entries.keys() == {"a"}
    a = entries["a"]
    assert [state.box.min_xyz[0] for state in a.states] == [0, 2]
    assert [state.interval for state in a.states] == [
        Interval(0, 40 * NS_PER_S),
        Interval(40 * NS_PER_S, None),
    ]
    assert (a.motion, a.n_observations, len(a.sightings)) == ("movable", 8, 8)


def test_where_nobody_had_looked_before_it_may_have_stood_all_along():
    _, sure = worldlines([stay("a", 0, "SSSSFFFF"), stay("b", 2, "FFFFSSSS")], 10**12)
    _, likely = worldlines([stay("a", 0, "SSSSFFFF"), stay("b", 2, "....SSSS")], 10**12)
    assert [event.confidence for event in (*sure, *likely)] == [SURE, LIKELY]


def test_found_elsewhere_before_its_old_place_was_looked_at_again():
    _, events = lived(stay("a", 0, "SSSS......FF"), stay("b", 2, "FFFFSSSSSSSS"))
    assert events == [("moved", "a", 30, 40)]


@pytest.mark.parametrize(
    "other",
    [
        {"text": "blue book"},  # another kind of thing
        {"size_m": 0.3},  # three times as large
        {"looks": "FFSSSSSS"},  # seen there while the first one was still here
    ],
)
def test_what_cannot_be_the_same_is_not(other):
    entries, events = lived(stay("a", 0, "SSSSFFFF"), stay("b", 2, **{"looks": "FFFFSSSS", **other}))
    assert entries.keys() == {"a", "b"}
    assert {(kind, name) for kind, name, *_ in events} == {("gone", "a"), ("appeared", "b")}
    assert not entries["a"].possibly_same_as


def test_walls_do_not_move():
    entries, _ = lived(
        stay("a", 0, "SSSSFFFF", text="white wall", kind="surface"),
        stay("b", 2, "FFFFSSSS", text="white wall", kind="surface"),
    )
    assert len(entries) == 2


@pytest.mark.parametrize("still", ["SSSSSSSS", "SSSSHHHH", "SSSS....", "SSSSffff"])
def test_what_was_not_seen_to_leave_has_not_moved(still):
    entries, events = lived(stay("a", 0, still), stay("b", 2, "FFFFSSSS"))
    assert entries.keys() == {"a", "b"}
    assert events == [("appeared", "b", 30, 40)]


def test_of_two_equal_things_only_the_one_that_left_is_a_candidate():
    entries, events = lived(stay("a", 0, "SSSSSSSS"), stay("b", 1, "SSSSFFFF"), stay("c", 2, "FFFFSSSS"))
    assert events == [("moved", "b", 30, 40)]
    assert entries.keys() == {"a", "b"}


def test_where_either_may_have_gone_there_both_stay_apart_and_say_so():
    entries, events = lived(stay("a", 0, "SSSSFFFF"), stay("b", 1, "SSSSFFFF"), stay("c", 2, "FFFFSSSS"))
    assert entries.keys() == {"a", "b", "c"}
    assert entries["c"].possibly_same_as == ("a", "b")
    assert entries["a"].possibly_same_as == entries["b"].possibly_same_as == ("c",)
    assert sorted(kind for kind, *_ in events) == ["appeared", "gone", "gone"]


def test_a_place_seen_empty_before_explains_better_than_one_never_looked_at():
    entries, events = lived(stay("a", 0, "SSSSFFFF"), stay("b", 2, "FFFFSSSS"), stay("c", 4, "....SSSS"))
    assert events == [("moved", "a", 30, 40)]
    assert entries.keys() == {"a", "c"}


def test_watched_on_its_way_through_three_places():
    entries, events = lived(
        stay("a", 0.0, "SSSFFFFFFF", step_s=1),
        stay("b", 0.4, "FFFSFFFFFF", step_s=1),
        stay("c", 0.8, "FFFFSFFFFF", step_s=1),
        stay("d", 1.2, "FFFFFSSSSS", step_s=1),
    )
    assert entries.keys() == {"a"}
    assert [(kind, name) for kind, name, *_ in events] == [("moved", "a")]
    assert events[0][2] <= 5
    assert events[0][3] >= 2


def test_moved_twice():
    entries, events = lived(
        stay("a", 0, "SSSSFFFFFFFF"), stay("b", 2, "FFFFSSSSFFFF"), stay("c", 4, "FFFFFFFFSSSS")
    )
    assert events == [("moved", "a", 30, 40), ("moved", "a", 70, 80)]
    assert [state.box.min_xyz[0] for state in entries["a"].states] == [0, 2, 4]


def test_gone_and_returned_to_its_place():
    entries, events = lived(stay("a", 0, "SSSSFFFFSSSS"))
    assert events == [("gone", "a", 30, 40), ("returned", "a", 70, 80)]
    assert [state.visibility for state in entries["a"].states] == ["visible", "absent", "visible"]


def test_things_hardly_ever_seen_make_no_events():
    _, events = lived(stay("a", 0, "S.SSFFFF", text="blue book"), stay("b", 2, "FFFFFFFS"))
    assert events == []


def test_nothing_at_all():
    assert worldlines([], 0) == ([], [])


histories = st.text(alphabet="SFHf.", min_size=3, max_size=14).filter(lambda looks: "S" in looks)
worlds = st.lists(
    st.tuples(st.integers(0, 6), histories, st.sampled_from(["red cup", "blue book"])),
    min_size=1,
    max_size=7,
    unique_by=lambda each: each[0],
)


@given(worlds, st.randoms())
def test_the_order_of_stays_does_not_matter(world, random):
    stays = [stay(f"s{x}", x, looks, text) for x, looks, text in world]
    shuffled = list(stays)
    random.shuffle(shuffled)
    (entries, events), (again, events_again) = worldlines(stays, 10**12), worldlines(shuffled, 10**12)
    assert sorted(entries, key=lambda e: e.entry_id) == sorted(again, key=lambda e: e.entry_id)
    assert events == events_again


@given(worlds)
def test_every_stay_is_of_one_entry_and_its_states_are_disjoint(world):
    entries, events = worldlines([stay(f"s{x}", x, looks, text) for x, looks, text in world], 10**12)
    assert sum(entry.n_observations for entry in entries) == sum(looks.count("S") for _, looks, _ in world)
    for entry in entries:
        assert entry.states
        for a, b in zip(entry.states[:-1], entry.states[1:], strict=True):
            assert a.interval.to_ns == b.interval.from_ns
        assert entry.states[-1].interval.to_ns is None
    names = {entry.entry_id for entry in entries}
    assert all(event.entry_id in names and event.after_ns < event.before_ns for event in events)
    assert list(events) == sorted(events, key=lambda event: event.before_ns)
