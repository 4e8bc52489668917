from __future__ import annotations

from small_worlds import at_s, entry, snapshot, state

from recall4d.viewer.places import changes_of, count, label_of, places_of

HERE, NEARBY, THERE = (0.0, 0.0, 0.5), (0.04, 0.0, 0.5), (2.0, 0.0, 0.5)


def kinds(*states, seen_s=((0, 1),)):
    return [(change.kind, change.at_ns) for change in changes_of(places_of(entry("e1", *states, seen_s=seen_s)))]


def test_a_state_that_ends_absent_was_present_while_it_was_seen():
    cup = entry("e1", state(0, None, HERE, "absent"), seen_s=[(0, 1), (3, 4)])

    assert [(place.from_ns, place.absent) for place in places_of(cup)] == [(at_s(0), False), (at_s(4) + 1, True)]


def test_an_absent_state_without_a_sighting_is_absent_throughout():
    cup = entry("e1", state(0, 5, HERE), state(5, None, HERE, "absent"), seen_s=[(0, 1)])

    assert [(place.from_ns, place.absent) for place in places_of(cup)] == [(at_s(0), False), (at_s(5), True)]


def test_a_thing_that_goes_and_comes_back_has_not_moved():
    states = state(0, 5, HERE), state(5, 8, HERE, "absent"), state(8, None, NEARBY)

    assert kinds(*states) == [("gone", at_s(5)), ("returned", at_s(8))]


def test_a_thing_that_goes_and_turns_up_elsewhere_has_moved():
    states = state(0, 5, HERE), state(5, 8, HERE, "absent"), state(8, None, THERE)
    changes = changes_of(places_of(entry("e1", *states)))

    assert [change.kind for change in changes] == ["gone", "moved"]
    assert (changes[1].from_xyz, changes[1].to_xyz) == (HERE, THERE)


def test_the_jitter_of_a_box_is_no_move_but_many_small_steps_add_up_to_one():
    assert kinds(state(0, 5, HERE), state(5, None, NEARBY)) == []

    steps = [state(k, k + 1, (0.06 * k, 0.0, 0.5)) for k in range(5)]
    assert kinds(*steps) == [("moved", at_s(2)), ("moved", at_s(4))]


def test_counts_say_what_a_memory_holds():
    memory = snapshot(
        entry("e1", state(0, 5, HERE), state(5, None, THERE)),
        entry("e2", state(0, 5, HERE), state(5, None, HERE, "absent")),
        entry("s1", category="floor", kind="surface"),
    )

    assert count(memory).text == "2 things · 1 surface · 1 moved · 1 absent · 0 agents"


def test_a_label_is_short_and_on_one_line():
    assert label_of(entry("e1", category="cup")) == "cup"
    assert (
        label_of(entry("e1", category=None, description="a very long\n description of a cup"), 12) == "a very long…"
    )
    assert label_of(entry("e1", category=None, description="")) == "e1"
