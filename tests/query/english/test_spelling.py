"""Slips of the keyboard are mended where one word only can be meant."""

import pytest

from recall4d.query.english.spelling import corrected
from recall4d.query.english.tokens import sentences

HELD = frozenset({"suitcase", "wardrobe"})


def words_of(question: str) -> str:
    (tokens,) = sentences(question)
    return " ".join(token.word for token in corrected(tokens, HELD))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("how mnay mugs are there", "how many mugs are there"),
        ("where is the plasitc box", "where is the plastic box"),
        ("where is the suitcas", "where is the suitcase"),
        ("is the wardrobbe tall", "is the wardrobe tall"),
    ],
)
def test_one_slip_is_mended(written, meant):
    assert words_of(written) == meant


@pytest.mark.parametrize(
    "question",
    [
        "where is the fork",
        "where are my glasses",
        "who took the stapler",
        "where is the chopping board",
        "i wonder why",
    ],
)
def test_what_may_be_a_word_of_its_own_is_left_alone(question):
    assert words_of(question) == question
