"""Plans that a model wrote, answered: the type follows from what is asked, and nothing is taken for granted."""

from typing import get_args

import pytest

from recall4d.query.answer import answer
from recall4d.query.plan import Ask, Plan
from recall4d.reasoning.typed import planned_of
from tests.query.worlds import kitchen

MUG = {"name": "mug", "semantic": {"texts": ["mug"], "attributes": ["red"]}}


def answered(**plan):
    return answer(planned_of("?", Plan.model_validate(plan)), kitchen())


@pytest.mark.parametrize("kind", get_args(Ask.model_fields["kind"].annotation))
def test_every_kind_of_ask_answers_or_abstains_about_one_step(kind):
    told = answered(steps=[MUG], ask={"kind": kind, "step": "mug"})
    assert told.text
    assert told.abstained or told.value is not None


def test_an_ask_that_names_no_step_is_about_the_last():
    assert answered(steps=[MUG], ask={"kind": "where"}).value == [0.5, 2.2, 0.95]


def test_a_plan_without_steps_finds_nothing_and_says_so():
    told = answered(steps=[], ask={"kind": "where"})
    assert told.abstained
    assert "no step" in told.text


def test_the_thing_is_called_what_the_plan_calls_it():
    assert planned_of("?", Plan.model_validate({"steps": [MUG], "ask": {"kind": "where", "step": "mug"}})).name == (
        "red mug"
    )


@pytest.mark.parametrize(("detail", "told"), [("count", "count"), ("ever", "yesno"), (None, "time")])
def test_what_is_asked_of_visits_gives_the_type(detail, told):
    plan = Plan.model_validate({"steps": [MUG], "ask": {"kind": "visits", "step": "mug", "detail": detail}})
    assert planned_of("?", plan).answer_type == told


def test_a_thing_has_no_distance_from_itself():
    again = {**MUG, "name": "again"}
    told = answered(steps=[MUG, again], ask={"kind": "distance", "step": "mug", "other": "again"})
    assert (told.abstained, told.value) == (True, None)
    assert told.text == "Memory holds only one thing that both may be: the red mug with a handle."
