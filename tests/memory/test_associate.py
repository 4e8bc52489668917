"""Which observations are of which entries: the gate, and the one-to-one assignment inside it."""

import numpy as np
import pytest

from recall4d.config import AssociationSettings
from recall4d.memory.associate import Boxes, affinity, assign, nearest

SETTINGS = AssociationSettings()
MUG, CHAIR, TABLE = np.eye(3, dtype=np.float32)


def boxes(*things, category=-1, partial=False, surface=False):
    """Things given as (vector, centre, size)."""
    centres = np.array([centre for _, centre, _ in things], dtype=float)
    halves = np.array([size for _, _, size in things], dtype=float) / 2
    n = len(things)
    return Boxes(
        centres - halves,
        centres + halves,
        np.stack([vector for vector, _, _ in things]),
        np.full(n, category),
        np.full(n, partial),
        np.full(n, surface),
    )


def matched(seen, known):
    return assign(affinity(seen, known, SETTINGS)).tolist()


def mug(x):
    return MUG, (x, 0, 1), (0.1, 0.1, 0.1)


def test_the_same_thing_seen_again_with_some_error():
    assert matched(boxes(mug(0.04)), boxes(mug(0.0))) == [0]


def test_two_equal_mugs_side_by_side_stay_two():
    """Each is within epsilon of the other: the gate alone would give both observations the first mug."""
    assert matched(boxes(mug(0.16), mug(0.03)), boxes(mug(0.0), mug(0.14))) == [1, 0]


def test_a_third_mug_beside_them_is_new():
    assert matched(boxes(mug(0.0), mug(0.14), mug(0.28)), boxes(mug(0.0), mug(0.14))) == [0, 1, -1]


def test_another_description_at_the_same_place_is_another_thing():
    assert matched(boxes((CHAIR, (0, 0, 1), (0.1, 0.1, 0.1))), boxes(mug(0.0))) == [-1]


def test_of_one_class_at_one_place_the_colour_may_change_with_the_light():
    brown, black = (CHAIR, (0, 0, 0.5), (0.5, 0.5, 0.9)), (MUG, (0.05, 0, 0.5), (0.5, 0.5, 0.9))
    assert matched(boxes(black), boxes(brown)) == [-1]
    assert matched(boxes(black, category=7), boxes(brown, category=7)) == [0]
    assert matched(boxes(black, category=7), boxes(brown, category=8)) == [-1]


def test_far_away_is_another_thing_however_alike():
    assert matched(boxes(mug(2.0)), boxes(mug(0.0))) == [-1]


def test_the_centre_of_a_table_seen_in_part_may_wander():
    table = boxes((TABLE, (0, 0, 0.4), (2.0, 1.0, 0.8)))
    end = (TABLE, (0.85, 0, 0.7), (0.3, 0.9, 0.1))
    assert matched(boxes(end), table) == [0]


def test_a_view_cut_off_continues_the_box_it_touches():
    worktop = boxes((TABLE, (0, 0, 0.9), (1.0, 0.6, 0.05)))
    beyond = (TABLE, (0.85, 0, 0.9), (0.6, 0.6, 0.05))
    assert matched(boxes(beyond, partial=True), worktop) == [0]
    assert matched(boxes(beyond, partial=False), worktop) == [-1]


def test_surfaces_and_things_never_match():
    assert matched(boxes(mug(0.0), surface=True), boxes(mug(0.0))) == [-1]


@pytest.mark.parametrize("n", [0, 1, 4])
def test_nothing_known_or_nothing_seen(n):
    things = boxes(*[mug(3.0 * i) for i in range(max(n, 1))]).rows(np.arange(n))
    none = boxes(mug(0.0)).rows(np.arange(0))
    assert matched(things, none) == [-1] * n
    assert matched(none, things) == []


def test_the_published_rule_gives_two_mugs_one_entry():
    """Kept for comparison: both observations take the nearest mug inside epsilon, and one mug is lost."""
    seen, known = boxes(mug(0.06), mug(0.12)), boxes(mug(0.0))
    assert nearest(affinity(seen, known, SETTINGS), SETTINGS).tolist() == [0, 0]
    assert matched(seen, known) == [0, -1]
    assert nearest(affinity(boxes(mug(0.4)), known, SETTINGS), SETTINGS).tolist() == [-1]
