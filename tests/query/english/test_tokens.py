import pytest

from recall4d.query.english.numbers import number
from recall4d.query.english.tokens import sentences


def words(text: str) -> list[list[str]]:
    return [[token.word for token in sentence] for sentence in sentences(text)]


def test_contractions_open_and_possessives_stand_apart():
    assert words("Where's alpha's mug? It isn't there, and I can't see it.") == [
        ["where", "is", "alpha", "'s", "mug"],
        ["it", "is", "not", "there", ",", "and", "i", "can", "not", "see", "it"],
    ]


def test_curly_quotes_read_like_straight_ones():
    (straight,), (curly,) = sentences('where\'s "Pioneer"?'), sentences("where’s “Pioneer”?")
    assert [(t.word, t.kind) for t in straight] == [(t.word, t.kind) for t in curly]
    assert straight[-1].kind == "quoted"


def test_a_unit_is_apart_from_its_number_and_known_to_be_attached():
    (tokens,) = sentences("within 6in of it")
    assert [(t.word, t.attached) for t in tokens[1:3]] == [("6", False), ("in", True)]


def test_clock_times_are_one_token():
    kinds = {token.text: token.kind for token in sentences("at 14:30 or 2026-03-01T12:00Z")[0]}
    assert kinds["14:30"] == kinds["2026-03-01T12:00Z"] == "clock"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12", 12),
        ("1.5", 1.5),
        ("seven", 7),
        ("twenty-five", 25),
        ("two hundred forty", 240),
        ("half a", 0.5),
        ("a dozen", 12),
        ("a couple of", 2),
        ("both", 2),
        ("mug", None),
        ("seven eight", None),
    ],
)
def test_numbers_in_words(written, value):
    assert number(tuple(written.split())) == value
