"""Parts of a question that its plan does not take up are reported, whichever rule forgot them."""

import pytest
from gist import CONTEXT, gist

from recall4d.query.english import plan_question


@pytest.mark.parametrize(
    ("question", "dropped"),
    [
        ("How long did I not see the mug?", "not"),
        ("How many mugs were on the table the first time?", "the first time"),
    ],
)
def test_what_makes_no_difference_to_the_plan_is_unread(question, dropped):
    assert dropped in plan_question(question, CONTEXT).unread


@pytest.mark.parametrize(
    "question",
    [
        "Where is the mug now?",
        "Which mug in this house is the largest?",
        "Who moved the mug on the table?",
        "Where was the teddy before it turned up on the sofa?",
        "Which of the things on the table did I see first, the mug or the bowl?",
        "How many TVs hang on the wall?",
        "When did anybody last see the mug?",
        "How long was alpha away between its two tours?",
    ],
)
def test_what_is_said_for_company_is_not(question):
    assert plan_question(question, CONTEXT).unread == ()


def test_a_change_is_dated_between_its_two_places():
    assert (
        gist("When did the pan move to the sink?")
        == "when_moved:moved pan / pan within 0.25m (sink in 0s..) in 0s.."
    )
