"""Visits, agents and what was known at a time."""

import pytest
from gist import CONTEXT, gist

from recall4d.query.english import plan_question
from recall4d.query.plan import Elapsed


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("When did my second round begin?", "visits:first"),
        ("When did the first tour end?", "visits:left"),
        ("How long was my second walk?", "visits:duration"),
        ("How long did the first tour take?", "visits:duration"),
        ("How many tours did I make?", "visits:count"),
        ("Have I been in the kitchen?", "visits:ever"),
        ("Did both alpha and bravo see the ladder?", "seen_by:and ladder by alpha / ladder by bravo"),
        ("Have alpha and bravo both seen the ladder?", "seen_by:and ladder by alpha / ladder by bravo"),
        ("Did either alpha or bravo see the ladder?", "seen_by:or ladder by alpha / ladder by bravo"),
        ("Did neither alpha nor bravo see the ladder?", "seen_by:no ladder by alpha / ladder by bravo"),
        ("Did bravo see the ladder before alpha did?", "compare_seen:first ladder by bravo / ladder by alpha"),
        ("Did I see the fridge before the sofa?", "compare_seen:first fridge by alpha / sofa by alpha"),
        ("Is there still a pot on the counter?", "exists pot on (counter)"),
        ("Was there ever a pot on the counter?", "exists pot on (counter in 0s..) in 0s.."),
    ],
)
def test_questions_about_visits_and_agents(question, plan):
    assert gist(question).startswith(plan)


@pytest.mark.parametrize(
    "question",
    [
        "What did you know about the mug at 60 s?",
        "At 60 s, where did you think the mug was?",
        "Where did you believe the mug to be at 60 s?",
        "As of second 60, how many mugs did you know of?",
    ],
)
def test_what_was_known_at_a_time(question):
    planned = plan_question(question, CONTEXT)
    assert planned.unread == ()
    assert planned.plan is not None
    assert planned.plan.known_at == Elapsed(seconds=60.0)


@pytest.mark.parametrize("question", ["When did I turn around?", "How many times did I go round the house?"])
def test_nobody_is_a_thing(question):
    assert plan_question(question, CONTEXT).plan is None


@pytest.mark.parametrize(
    "question",
    [
        "What did I see between second 40 and 45?",
        "What did I see from 0:40 to 0:45?",
        "What was in view between 40 s and 45 s?",
    ],
)
def test_spans_of_seconds(question):
    assert "40s..45s" in gist(question).replace(" ", "") or "40s" in gist(question)


def test_then_is_the_time_told_before():
    assert gist("A minute ago I was in the bedroom. What was on the bed then?") == (
        "list thing on (bed at now-60s) at now-60s"
    )


def test_a_past_question_is_about_the_time_told_before_it():
    assert gist("On my first tour I looked at the shelf. What was beside the mug?").endswith("in 0s..75s")


def test_a_topic_that_is_not_named_is_asked_for():
    planned = plan_question("When did I last see?", CONTEXT)
    assert planned.plan is None or planned.unread


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("What was the previous location of the mug?", "where:before mug"),
        ("What is the original place of the mug?", "where:first mug"),
        ("From where to where was the mug moved?", "what_changed:moved mug in 0s.."),
    ],
)
def test_former_places(question, plan):
    assert gist(question) == plan
