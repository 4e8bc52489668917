"""What happened to a thing, and where it is, read off its worldline and its surroundings."""

from __future__ import annotations

from worlds import box, entry, ns, snapshot, state, trajectory

from recall4d.query.answers.histories import changes, has_history
from recall4d.query.answers.surroundings import Around, was_looked_at

HERE, THERE = box((0, 0, 0.1), (0.2, 0.2, 0.2)), box((2, 0, 0.1), (0.2, 0.2, 0.2))


def walk(*stops):
    return {"alpha": trajectory([(float(s), eye, target) for s, eye, target in stops])}


LOOKING = walk(*((s, (1, -3, 1.2), (1, 0, 0.1)) for s in range(0, 101, 2)))
"""Alpha looks at both places all the time."""


def memory(*states, seen=(("alpha", 1.0, 10.0),), eyes=LOOKING, others=()):
    thing = entry("e", "box", "red box", list(states), list(seen))
    return snapshot([thing, *others], eyes, now_s=100.0), thing


def kinds(*args, **kwargs):
    known, thing = memory(*args, **kwargs)
    return [
        (each.kind, (each.after_ns - ns(0)) / 1e9, (each.before_ns - ns(0)) / 1e9) for each in changes(known, thing)
    ]


def test_a_new_place_is_a_move_between_the_last_look_and_the_first():
    moved = kinds(state(1, 50, HERE), state(50, None, THERE), seen=[("alpha", 1, 10), ("alpha", 50, 60)])
    assert moved == [("moved", 10.0, 50.0)]


def test_a_better_view_is_no_move():
    closer = box((0.02, 0, 0.1), (0.2, 0.2, 0.2))
    assert kinds(state(1, 50, HERE), state(50, None, closer), seen=[("alpha", 1, 60)]) == []


def test_missed_and_found_elsewhere_is_one_move():
    missed = kinds(
        state(1, 40, HERE),
        state(40, 60, HERE, "absent"),
        state(60, None, THERE),
        seen=[("alpha", 1, 10), ("alpha", 60, 70)],
    )
    assert missed == [("moved", 10.0, 60.0)]


def test_missed_and_found_again_in_place_went_and_came_back():
    again = kinds(
        state(1, 40, HERE),
        state(40, 60, HERE, "absent"),
        state(60, None, HERE),
        seen=[("alpha", 1, 10), ("alpha", 60, 70)],
    )
    assert [kind for kind, *_ in again] == ["gone", "returned"]


def test_new_only_where_the_place_was_seen_empty_before():
    late = [("alpha", 50.0, 60.0)]
    assert [kind for kind, *_ in kinds(state(50, None, HERE), seen=late)] == ["appeared"]
    elsewhere = walk(*((s, (1, -3, 1.2), (1, -9, 0.1)) for s in range(0, 101, 2)))
    assert kinds(state(50, None, HERE), seen=late, eyes=elsewhere) == []


def test_changes_count_inside_their_interval():
    known, thing = memory(state(1, 50, HERE), state(50, None, THERE), seen=[("alpha", 1, 10), ("alpha", 50, 60)])
    assert changes(known, thing, ns(20), ns(49)) == []
    assert len(changes(known, thing, ns(20), ns(50))) == 1
    assert has_history(known, thing, "moved")
    assert not has_history(known, thing, "gone")
    assert not has_history(known, thing, "moving"), "nobody was looking"


def test_seen_moving():
    known, thing = memory(state(1, 5, HERE), state(5, None, THERE), seen=[("alpha", 1, 10)])
    assert has_history(known, thing, "moving")


def test_a_screen_hides_a_place():
    wall = entry("w", "wardrobe", "wardrobe", [state(0, None, box((0, -1, 1), (1, 0.3, 2)))], [("alpha", 0, 90)])
    known, _ = memory(state(1, None, HERE), others=[wall])
    assert not was_looked_at(known, HERE, ns(0), ns(100))
    assert was_looked_at(known, THERE, ns(0), ns(100))


def test_places_in_words():
    table = entry("t", "table", "oak table", [state(0, None, box((0, 0, 0.4), (1.6, 0.8, 0.8)))], [("alpha", 0, 9)])
    bowl = entry("b", "bowl", "white bowl", [state(0, None, box((0, 0, 0.85), (0.3, 0.3, 0.1)))], [("alpha", 0, 9)])
    sofa = entry("s", "sofa", "grey sofa", [state(0, None, box((3, 0, 0.4), (0.9, 1.8, 0.8)))], [("alpha", 0, 9)])
    around = Around.at(snapshot([table, bowl, sofa], LOOKING, now_s=100.0), ns(100))
    assert around.place(box((0.5, 0, 0.85), (0.1, 0.1, 0.1)), but=-1) == "on the oak table"
    assert around.place(box((0, 0, 0.86), (0.08, 0.08, 0.06)), but=-1).endswith("the white bowl")
    assert around.place(box((0.2, 0, 0.15), (0.3, 0.3, 0.3)), but=-1) == "under the oak table"
    assert around.place(box((2.3, 0, 0.1), (0.2, 0.2, 0.2)), but=-1) == "on the floor next to the grey sofa"
    assert around.place(box((20, 0, 2.0), (0.2, 0.2, 0.2)), but=-1) == "on its own"
