"""Noun phrases, taken apart."""

from __future__ import annotations

import pytest

from recall4d.query.words import kinds_of, standard_words, wording, wording_of


@pytest.mark.parametrize(
    ("phrase", "heads"),
    [
        ("plain white mug with coffee in it", {"mug"}),
        ("small white cup with red flowers", {"mug"}),
        ("two TVs", {"tv"}),
        ("low light-brown wooden TV cabinet", {"cupboard"}),
        ("white and light-blue waste basket with small red stars", {"bin"}),
        ("stainless steel sink and drainer", {"sink", "drainer"}),
        ("small clear and white folded card holder", {"holder"}),
        ("round black object with a black arm and cable (desk lamp)", {"lamp"}),
        ('magazine "PIONEER" with red title bar', {"magazine"}),
        ("the red thing", set()),
    ],
)
def test_the_head_is_the_noun_that_names_it(phrase: str, heads: set[str]) -> None:
    assert wording(phrase).heads == heads


def test_what_is_held_names_it_as_well_and_what_holds_it_is_kept_apart() -> None:
    said = wording("small blue and yellow can of alphabet soup")
    assert said.heads == {"soup"}
    assert said.measures == {"can"}
    assert said.colours == {"blue", "yellow"}


def test_colours_of_parts_are_not_its_own() -> None:
    said = wording("dark navy-blue chair with a red seat")
    assert said.colours == {"blue"}
    assert {"red", "seat"} <= said.parts
    assert wording("leaflet in light cyan and dark teal").colours == {"teal"}


def test_what_it_is_without_is_not_said_of_it() -> None:
    assert "plug" not in wording("white double power socket without plugs").words


def test_light_before_a_noun_is_no_lamp() -> None:
    assert "lamp" not in wording("light brown wooden box").words
    assert wording("a bright light").heads == {"lamp"}


def test_titles_are_taken_as_they_are_written() -> None:
    assert "telephone" in wording('book titled "Telephone"').parts
    assert "phone" in wording("book with a telephone on it").parts


def test_category_and_attributes_add_to_the_description() -> None:
    said = wording_of("milk", "carton with a cow on it", {"colour": "navy", "size": "small"})
    assert said.heads == {"milk", "carton"}
    assert said.colours == {"blue"}
    assert "small" in said.modifiers


def test_general_words_cover_their_kinds_and_not_the_other_way_round() -> None:
    assert "banana" in kinds_of("fruit")
    assert "banana" in kinds_of("food")
    assert "fruit" not in kinds_of("banana")
    assert standard_words("dark couches") == {"dark", "sofa"}
