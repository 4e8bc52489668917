"""The ways of answering, side by side."""

import pytest

from recall4d.errors import ModelError
from recall4d.reasoning.asking import fingerprint
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.leftover import leftover
from tests.query.worlds import kitchen, ns

from .scripts import asked, find, fits, plan, prompts, settings


def closed(kind, answer="", number=None, xyz=None, **more):
    return {"kind": kind, "answer": answer, "number": number, "xyz": xyz, **more}


def test_english_asks_no_model():
    answer, model, _ = asked(Inquiry("Where is the red mug?", kitchen()), planner="english")
    assert answer.value == [0.5, 2.2, 0.95]
    assert model.requests == []


def test_hybrid_asks_no_model_where_the_grammar_understands():
    answer, model, _ = asked(Inquiry("Where is the unicorn?", kitchen()), planner="hybrid")
    assert answer.abstained, "memory does not hold it, and the grammar knows that"
    assert model.requests == []


def test_hybrid_begins_with_the_plan_the_grammar_could_make():
    question = "Pray, where is the red mug?"
    answer, model, _ = asked(Inquiry(question, kitchen()), fits(), planner="hybrid")
    assert answer.value == [0.5, 2.2, 0.95]
    assert answer.unread == ("pray",)
    assert len(model.requests) == 1
    assert 'Answer: "The red mug is on the black polished worktop' in prompts(model)[0]


def test_hybrid_takes_no_answer_that_passes_over_what_the_grammar_could_not_read_either():
    """ "Pray" is idle; what memory knows by its name is not."""
    inquiry = Inquiry("Pray, cardboard, where is the red mug?", kitchen())
    answer, _, _ = asked(inquiry, fits(), planner="hybrid")
    assert (answer.abstained, answer.stop_reason) == (True, "words not understood")
    assert answer.text.startswith(
        "Neither the planner nor the model took up 'cardboard'; without that: The red mug"
    )


@pytest.mark.parametrize(
    ("found", "passed_over"),
    [(find("mug"), ("box", "blue", "left")), (find("box"), ("blue", "left"))],
    ids=["none of them", "one of them"],
)
def test_words_that_matter_stand_in_the_plan_or_in_what_was_found(found, passed_over):
    answered, _, _ = asked(Inquiry("Where is it?", kitchen()), plan("where", found), fits())
    assert leftover(("pray", "box", "blue", "became", "left"), answered, kitchen()) == passed_over


def test_hybrid_asks_for_a_plan_where_the_grammar_has_none():
    answer, _, _ = asked(
        Inquiry("Frobnicate the mug", kitchen()),
        plan("where", find("mug", attributes=("red",))),
        fits(),
        planner="hybrid",
    )
    assert answer.value == [0.5, 2.2, 0.95]


def test_hybrid_whose_model_fails_says_what_the_grammar_did_not_understand():
    with pytest.raises(ModelError):
        asked(Inquiry("Pray, where is the red mug?", kitchen()), ModelError("gone"), planner="hybrid")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (closed("place", "on the worktop", xyz=[0.5, 2.2, 0.9]), ("position", [0.5, 2.2, 0.9], "m")),
        (closed("count", "two", number=2), ("count", 2, None)),
        (closed("metres", number=1.5), ("distance", 1.5, "m")),
        (closed("time", "at 12 s", number=12), ("time", ns(12), None)),
        (closed("seconds", number=80), ("duration", 80.0, "s")),
        (closed("degrees", "left", number=-90), ("direction", -90.0, "deg")),
        (closed("yes"), ("yesno", True, None)),
        (closed("list", "a mug, a bowl"), ("list", ["a mug", "a bowl"], None)),
        (closed("thing", "the mug"), ("entity", "the mug", None)),
        (closed("count", "many"), ("text", "many", None)),
    ],
)
def test_the_model_alone_says_the_value_itself(reply, expected):
    answer, model, _ = asked(Inquiry("Where is the red mug?", kitchen()), reply, planner="no-memory")
    assert (answer.type, answer.value, answer.unit) == expected
    assert "mug with a handle" not in prompts(model)[0], "nothing of memory is shown"


def test_one_shot_shows_evidence_and_asks_once():
    answer, model, _ = asked(
        Inquiry("Where is the red mug?", kitchen()), closed("place", "on the worktop"), planner="one-shot"
    )
    assert answer.text == "on the worktop"
    assert "red mug with a handle" in prompts(model)[0]
    assert len(model.requests) == 1


def test_who_does_not_know_abstains():
    answer, _, _ = asked(Inquiry("Where is the red mug?", kitchen()), closed("unknown"), planner="no-memory")
    assert answer.abstained


def test_answers_to_other_prompts_and_settings_are_told_apart():
    assert fingerprint(settings()) == fingerprint(settings(trace=False)), "a trace changes no reply"
    assert fingerprint(settings()) != fingerprint(settings(samples=3))
    assert fingerprint(settings()) != fingerprint(settings(keys=frozenset({"spatial"})))


def test_a_model_that_writes_nonsense_leaves_the_abstention_as_it_was():
    answer, _, _ = asked(Inquiry("Pray, is the red mug safe?", kitchen()), *["{"] * 12, planner="hybrid")
    assert answer.abstained
    assert answer.text.startswith("I could not read")
    assert answer.stop_reason == "no valid plan"
