"""Whatever is typed, the planner answers with a plan or a sentence, never with an error."""

from hypothesis import given
from hypothesis import strategies as st

from recall4d.query.english import Planned, plan_question
from recall4d.query.english.lexicon import phrases, verb_forms
from recall4d.query.plan import Plan

WORDS = sorted({word for phrase in (*phrases(), *verb_forms()) for word in phrase})
THINGS = [
    "mug",
    "red",
    "table",
    "alpha",
    "kitchen",
    "12",
    "240",
    "3.5",
    "metres",
    "seconds",
    '"Pioneer"',
    "'s",
    ",",
]


@given(st.lists(st.sampled_from(WORDS + THINGS * 8), max_size=14).map(" ".join))
def test_word_salad(salad):
    planned = plan_question(salad)
    assert isinstance(planned, Planned)
    assert planned.plan is not None or planned.clarification
    if planned.plan is not None:
        assert Plan.model_validate_json(planned.plan.model_dump_json()) == planned.plan


@given(st.text(max_size=60))
def test_any_text(text):
    planned = plan_question(text)
    assert planned.plan is not None or planned.clarification


def test_a_very_long_sentence_is_refused_in_time():
    planned = plan_question("where is the mug on the table " * 200)
    assert planned.plan is None
    assert planned.unread
