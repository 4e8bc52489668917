"""What is said of places that nobody ever looked at.

A tall wardrobe stands half a metre before the wall; nobody who walks along the room's near side sees behind it.
"""

from __future__ import annotations

import pytest

from recall4d.synth import Thing

from .scenes import CUP, S, Scene, remember, room, visits

WARDROBE = Thing.resting("wardrobe", "tall brown wardrobe", (110, 70, 40), (0.9, 0.4, 1.6), (2.8, 3.2, 0.0))
LATER = 30 * S


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    moved = WARDROBE.then(LATER, (0.6, 0.6, 0.0))
    directory = tmp_path_factory.mktemp("memories") / "room"
    return remember(directory, Scene(room(CUP, moved), visits(0, 60)))


@pytest.mark.parametrize("question", ["Is there a cup behind the wardrobe?", "What is behind the wardrobe?"])
def test_of_a_place_that_nobody_saw_memory_says_neither_yes_nor_no(memory, question):
    answer = memory.ask(question, now=10 * S)
    assert answer.abstained
    assert answer.text == "Memory cannot say: nobody has looked behind the tall brown wardrobe."
    assert answer.look_next is not None
    assert answer.look_next.startswith("Look behind the tall brown wardrobe")


def test_of_a_place_that_was_seen_no_means_no(memory):
    answer = memory.ask("Is there a cup in front of the wardrobe?", now=10 * S)
    assert (answer.value, answer.look_next) == (False, None)


def test_has_anybody_looked_there(memory):
    assert memory.ask("Has anybody looked behind the wardrobe?", now=10 * S).value is False
    assert memory.ask("Has anyone looked in front of the wardrobe?", now=10 * S).value is True


def test_what_has_nobody_seen(memory):
    space = memory.ask("What is behind the wardrobe that nobody has seen?", now=10 * S)
    assert "of the space behind the tall brown wardrobe was never seen" in space.text
    places = memory.ask("Where has nobody looked?", now=10 * S).value
    assert "behind or beside the tall brown wardrobe" in places


def test_where_to_look_for_what_nobody_saw_is_where_nobody_looked(memory):
    answer = memory.ask("Where is the hammer?", now=10 * S)
    assert answer.abstained
    assert "the tall brown wardrobe" in answer.look_next


def test_a_thing_that_is_gone_may_be_where_nobody_looked(tmp_path):
    memory = remember(tmp_path, Scene(room(CUP.then(LATER, None), WARDROBE), visits(0, 60)))
    answer = memory.ask("Is the red cup behind the wardrobe?")
    assert answer.abstained
    assert "nobody has looked behind the tall brown wardrobe" in answer.text
    assert memory.ask("Is the red cup behind the wardrobe?", now=10 * S).value is False
