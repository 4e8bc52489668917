"""Multiple choice: options are read out of the question, and narrow what is looked for."""

from recall4d.query.english import plan_question
from recall4d.query.english.options import split_options


def test_options_are_told_from_the_question():
    stem, options = split_options("Which is larger? (A) soccer ball (B) exercise ball")
    assert stem == "Which is larger?"
    assert options == ("soccer ball", "exercise ball")


def test_letters_out_of_order_are_no_options():
    question = "Is plan A) better than C) or not?"
    assert split_options(question) == (question, ())


def test_any_thing_becomes_one_of_the_options():
    planned = plan_question("Which of these is on the table? (A) mug (B) bowl")
    assert planned.plan is not None
    asked = next(step for step in planned.plan.steps if step.name == planned.plan.ask.step)
    assert asked.semantic is not None
    assert asked.semantic.texts == ("mug", "bowl")
    assert planned.options == ("mug", "bowl")


def test_numbers_narrow_nothing():
    planned = plan_question("What is on the table?", options=("1", "2"))
    assert planned.plan is not None
    asked = next(step for step in planned.plan.steps if step.name == planned.plan.ask.step)
    assert asked.semantic is None
