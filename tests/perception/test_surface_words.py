from __future__ import annotations

import pytest

from recall4d.perception.segmenters.surface_words import head_noun, kind_of


@pytest.mark.parametrize(
    "phrase",
    [
        "wall",
        "Walls",
        "a white wall",
        "back tiled wall",
        "white, textured wall",
        "white painted wall",
        "wall painted white",
        "wall covered in posters",
        "wall behind the sofa",
        "grey-green square tiles",
        "polished wooden floor",
        "floor (kitchen)",
        "part of the ceiling",
        "ceiling, white",
    ],
)
def test_surfaces(phrase):
    assert kind_of(None, phrase) == "surface"


@pytest.mark.parametrize(
    "phrase",
    [
        "red wall cupboard",
        "narrow red wall shelf",
        "picture on wall",
        "wall-mounted flat TV",
        "wall mounted TV",
        "wall clock",
        "floor lamp",
        "lamp on the floor",
        "lamp, floor to ceiling",
        "ceiling fan",
        "ceiling-high bookcase",
        "carpet",
        "grey carpet with fine coloured stripes",
        "carpet cleaner",
        "floor mat",
        "rug with a floor plan",
        "mug, white as the wall",
        "white power socket in a tiled wall",
        'book titled "The wall"',
        "wallet",
        "piece of cake",
        "",
    ],
)
def test_things(phrase):
    assert kind_of(None, phrase) == "thing"


def test_the_category_decides_before_the_description():
    assert kind_of("picture", "wall") == "thing"
    assert kind_of("wall", "picture of a boat") == "surface"
    assert kind_of(None, None) == "thing"


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("bright red game controller", "controller"),
        ("stack of white stapled papers", "stack"),
        ("corner of the table", "table"),
        ("bowl painted by hand", "bowl"),
        ("  ", ""),
    ],
)
def test_head_noun(phrase, head):
    assert head_noun(phrase) == head
