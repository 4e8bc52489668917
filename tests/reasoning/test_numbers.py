"""Numbers that a model writes must come from somewhere."""

import pytest

from recall4d.reasoning.numbers import unsupported_numbers

EVIDENCE = '1. "red mug" id "mug-460c7d" at (0.50, 2.20, 0.95) m, visible 15.0 s ago, 4.27 m away, score 0.86'


@pytest.mark.parametrize(
    "said",
    [
        "It is 4.27 m away.",
        "About 4.3 m away.",
        "427 cm",
        "It was seen 15 seconds ago.",
        "at (0.5, 2.2, 0.95)",
        "On the table.",
        "the one on the left",
    ],
)
def test_numbers_in_the_evidence_are_supported(said):
    assert unsupported_numbers(said, (EVIDENCE,)) == ()


@pytest.mark.parametrize(
    ("said", "stray"),
    [
        ("It is 3.5 m away.", ("3.5",)),
        ("There are three of them, 4.27 m away.", ("three",)),
        ("4.2 m", ("4.2",)),
        ("120 cm, then 7", ("120", "7")),
    ],
)
def test_other_numbers_are_named(said, stray):
    assert unsupported_numbers(said, (EVIDENCE,)) == stray
