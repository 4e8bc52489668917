"""Relations between boxes: the cases that words are about, and what must hold for any boxes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from recall4d.geometry import relations
from recall4d.geometry.relations import Boxes


def box(x: float, y: float, bottom: float, size: tuple[float, float, float]) -> Boxes:
    """A box by the centre of its footprint, its bottom and its size."""
    half = np.array([size[0] / 2, size[1] / 2])
    low = np.array([x - half[0], y - half[1], bottom])
    return Boxes(low, low + size)


TABLE = box(0, 0, 0.0, (1.6, 0.8, 0.75))
MUG = box(0.4, 0.1, 0.75, (0.09, 0.09, 0.1))
SOFA = box(0, 0, 0.05, (0.9, 1.8, 0.85))
WALL = box(0, 2.0, 0.0, (4.0, 0.1, 2.5))


@pytest.mark.parametrize("error_m", [-0.03, 0.0, 0.03])
def test_a_mug_is_on_the_table_within_the_error_of_its_box(error_m: float) -> None:
    mug = Boxes(MUG.low + error_m, MUG.high + error_m)
    assert relations.on(mug, TABLE) > 0.5
    assert relations.on(TABLE, mug) == 0
    assert relations.under(TABLE, mug) > 0
    assert relations.under(mug, TABLE) == 0


def test_a_book_on_the_seat_is_on_the_sofa_below_its_backrest() -> None:
    book = box(0.2, 0.3, 0.45, (0.2, 0.15, 0.04))
    assert relations.on(book, SOFA) > 0


def test_a_lamp_above_the_table_is_above_it_and_not_on_it() -> None:
    lamp = box(0, 0, 1.6, (0.4, 0.4, 0.3))
    assert relations.on(lamp, TABLE) == 0
    assert relations.above(lamp, TABLE) > 0
    assert relations.below(TABLE, lamp) > 0
    assert relations.under(TABLE, lamp) > 0


def test_a_chair_pushed_under_the_table_is_beside_it_and_not_on_it() -> None:
    chair = box(0.4, 0.45, 0.0, (0.5, 0.5, 0.85))
    assert relations.on(chair, TABLE) == 0
    assert relations.beside(chair, TABLE) > 0


def test_a_bin_between_the_legs_is_under_the_table() -> None:
    bin_ = box(0.3, 0.0, 0.01, (0.3, 0.3, 0.35))
    assert relations.under(bin_, TABLE) > 0
    assert relations.on(bin_, TABLE) == 0
    assert relations.beside(bin_, TABLE) == 0


def test_a_socket_is_on_the_wall_and_a_cupboard_before_it_is_not() -> None:
    socket = box(1.0, 1.93, 1.2, (0.08, 0.03, 0.08))
    cupboard = box(1.0, 1.7, 0.0, (0.6, 0.5, 0.9))
    assert relations.on(socket, WALL) > 0
    assert relations.on(cupboard, WALL) == 0


def test_a_picture_hung_behind_the_sofa_is_above_it() -> None:
    picture = box(-0.6, 0.0, 1.1, (0.03, 0.7, 0.5))
    assert relations.above(picture, SOFA) > 0
    assert relations.on(picture, SOFA) == 0


def test_what_stands_on_the_carpet_is_on_it_and_the_carpet_is_under_it() -> None:
    carpet = box(0, 0, -0.005, (3.0, 2.0, 0.005))
    assert relations.on(TABLE, carpet) > 0
    assert relations.under(carpet, TABLE) > 0
    assert relations.on(carpet, TABLE) == 0


def test_an_apple_in_a_bowl_is_inside_it_and_the_bowl_is_not_inside_the_apple() -> None:
    bowl, apple = box(0, 0, 0.75, (0.24, 0.24, 0.09)), box(0, 0, 0.77, (0.08, 0.08, 0.08))
    assert relations.inside(apple, bowl) > 0.5
    assert relations.inside(bowl, apple) == 0


def test_between_is_on_the_line_and_not_beyond_its_ends() -> None:
    left, right = box(-1, 0, 0.75, (0.1, 0.1, 0.1)), box(1, 0, 0.75, (0.1, 0.1, 0.1))
    assert relations.between(box(0.2, 0.1, 0.75, (0.1, 0.1, 0.1)), left, right) > 0.5
    assert relations.between(box(1.4, 0, 0.75, (0.1, 0.1, 0.1)), left, right) == 0
    assert relations.between(box(0, 1.5, 0.75, (0.1, 0.1, 0.1)), left, right) == 0


def test_many_boxes_are_rated_at_once_as_one_by_one() -> None:
    many = Boxes(np.stack([MUG.low, TABLE.low, SOFA.low]), np.stack([MUG.high, TABLE.high, SOFA.high]))
    for relation in (relations.on, relations.under, relations.above, relations.inside, relations.beside):
        together = relation(many, TABLE)
        assert together.shape == (3,)
        assert_allclose(together, [relation(Boxes(*each), TABLE) for each in zip(*many, strict=True)], atol=1e-12)


# --- any boxes -------------------------------------------------------------------------------------------------

centimetres = st.integers(-300, 300).map(lambda value: value / 100)
sizes = st.integers(0, 200).map(lambda value: value / 100)
PAIRWISE = (relations.on, relations.under, relations.above, relations.below, relations.inside, relations.beside)


@st.composite
def boxes(draw: st.DrawFn) -> Boxes:
    low = np.array([draw(centimetres), draw(centimetres), draw(sizes)])
    return Boxes(low, low + np.array([draw(sizes), draw(sizes), draw(sizes)]))


@st.composite
def near(draw: st.DrawFn) -> tuple[Boxes, Boxes]:
    """Two boxes, the second placed at a corner, the top or the bottom of the first more often than not."""
    a, b = draw(boxes()), draw(boxes())
    if draw(st.booleans()):
        at = np.where([draw(st.booleans()) for _ in range(3)], a.high, a.low) + draw(
            st.sampled_from([0, 0.02, -0.04])
        )
        b = Boxes(at, at + (b.high - b.low))
    return a, b


@given(near())
def test_scores_are_shares(pair: tuple[Boxes, Boxes]) -> None:
    for relation in PAIRWISE:
        assert 0.0 <= relation(*pair) <= 1.0


@given(near())
def test_two_things_are_never_each_on_under_above_or_inside_the_other(pair: tuple[Boxes, Boxes]) -> None:
    a, b = pair
    for relation in (relations.on, relations.under, relations.above, relations.inside):
        assert not (relation(a, b) > 0 and relation(b, a) > 0), relation.__name__
    assert not (relations.on(a, b) > 0 and relations.under(a, b) > 0)


@given(near())
def test_nothing_is_related_to_itself_but_by_distance(pair: tuple[Boxes, Boxes]) -> None:
    a, _ = pair
    assert relations.gap_m(a, a) == 0
    for relation in PAIRWISE:
        assert relation(a, a) == 0


@given(st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_moving_or_turning_the_world_changes_nothing(seed: int, quarters: int) -> None:
    random = np.random.default_rng(seed)
    low, size = random.uniform([-1, -1, 0], [1, 1, 1], (20, 3)), random.uniform(0.01, 1.5, (20, 3))
    shift = random.uniform(-5, 5, 3)

    def moved(each: Boxes) -> Boxes:
        corners = np.stack([each.low, each.high])
        for _ in range(quarters):
            corners = corners[..., [1, 0, 2]] * [-1.0, 1.0, 1.0]
        return Boxes(corners.min(axis=0) + shift, corners.max(axis=0) + shift)

    a, b = Boxes(low[:10], low[:10] + size[:10]), Boxes(low[10:], low[10:] + size[10:])
    for relation in (*PAIRWISE, relations.gap_m):
        assert_allclose(relation(moved(a), moved(b)), relation(a, b), atol=1e-9, err_msg=relation.__name__)
