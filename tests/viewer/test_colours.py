from __future__ import annotations

import math
from itertools import combinations

from recall4d.viewer.colours import UNNAMED, category_colours, oklch


def channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))


def test_oklch_agrees_with_known_colours():
    assert oklch(1.0, 0.0, 0.0) == "#ffffff"
    assert oklch(0.0, 0.0, 0.0) == "#000000"
    assert oklch(0.62796, 0.25768, 29.234) == "#ff0000"
    assert oklch(0.45201, 0.31321, 264.052) == "#0000ff"


def test_the_most_frequent_categories_lie_apart():
    colours = category_colours([f"kind {k}" for k in range(16)])

    for a, b in combinations([each for name, each in colours.items() if name], 2):
        assert math.dist(channels(a.on_light), channels(b.on_light)) > 20
        assert math.dist(channels(a.on_dark), channels(b.on_dark)) > 20


def test_a_colour_depends_on_the_categories_and_not_on_their_order():
    assert category_colours(["cup", "plate", "cup", None]) == category_colours([None, "cup", "cup", "plate"])
    assert category_colours([]) == {None: UNNAMED}
