from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from recall4d.viewer.labels import LabelField

places = st.tuples(st.floats(-50, 350), st.floats(-50, 250), st.floats(0, 120), st.floats(0, 120))


@given(st.lists(places, max_size=40), st.floats(5, 80), st.floats(8, 20))
def test_labels_stay_inside_and_never_overlap(boxes, width, height):
    field = LabelField(300, 200)
    spots = [field.place((x, y, x + wide, y + high), width, height) for x, y, wide, high in boxes]
    placed = [spot for spot in spots if spot is not None]

    for x, y in placed:
        assert 0 <= x <= 300 - width
        assert 0 <= y <= 200 - height
    for (x, y), (other_x, other_y) in combinations(placed, 2):
        assert abs(x - other_x) >= width or abs(y - other_y) >= height


def test_a_label_goes_inside_what_it_names_if_it_fits_and_beside_it_otherwise():
    x, y = LabelField(300, 200).place((100, 50, 150, 70), 40, 12)
    assert (100 < x < 110, 50 < y < 60) == (True, True)

    x, _ = LabelField(300, 200).place((100, 50, 110, 60), 40, 12)
    assert x > 110


def test_a_blocked_part_takes_no_label():
    field = LabelField(300, 200)
    field.block((-100, -100, 400, 300))

    assert field.place((100, 50, 110, 60), 40, 12) is None
