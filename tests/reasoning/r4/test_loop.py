"""The loop, reply by reply: every way it can end. The kitchen is that of `tests.query.worlds`."""

import pytest

from recall4d.errors import ModelError
from recall4d.reasoning.inquiry import Inquiry
from recall4d.records import Reply
from tests.query.worlds import kitchen

from ..scripts import NEEDS_MEMORY, asked, find, fits, misses, plan, prompts, settings

RED_MUG = plan("where", find("mug", attributes=("red",)))


def inquiry(question, choices=()):
    return Inquiry(question, kitchen(), choices=choices)


def test_a_plan_and_its_acceptance_are_two_calls():
    answer, model, _ = asked(inquiry("Where did the red mug end up?"), RED_MUG, fits())
    assert answer.value == [0.5, 2.2, 0.95]
    assert answer.type == "position"
    assert answer.stop_reason == "answered"
    assert (answer.rounds, answer.usage.calls) == (1, 2)
    assert answer.entry_ids == ("e03",)
    assert len(model.requests) == 2


def test_every_call_begins_with_the_same_words():
    """So that a server reads the manual once and keeps it in its prefix cache."""
    _, model, _ = asked(
        inquiry("Where is the red mug?"),
        NEEDS_MEMORY,
        RED_MUG,
        fits(),
        loop=settings(gate="always"),
    )
    beginnings = {request.messages[0] for request in model.requests}
    assert len(model.requests) == 3
    assert len(beginnings) == 1
    assert next(iter(beginnings)).role == "system"


def test_a_later_round_knows_what_earlier_ones_asked_and_found():
    answer, model, _ = asked(
        inquiry("Where is the thing one boils water in?"),
        plan("where", find("mug")),
        misses("search", "mugs are not for boiling water"),
        plan("where", find("kettle")),
        fits(),
    )
    assert answer.rounds == 2
    assert answer.entry_ids == ("e05",)
    again = prompts(model)[2]
    assert '"texts":["mug"]' in again
    assert "plain white mug with coffee in it" in again
    assert "mugs are not for boiling water" in again


def test_what_finds_nothing_is_not_judged_but_planned_anew():
    answer, model, _ = asked(
        inquiry("Where is the settee?"),
        plan("where", find("unicorn")),
        plan("where", find("sofa")),
        fits(),
    )
    assert answer.stop_reason == "answered"
    assert len(model.requests) == 3


def test_chaining_finds_first_the_place_and_then_what_is_near_it():
    near = {"relation": "within", "anchors": [{"kind": "step", "step": "sofa"}], "distance_m": 0.5}
    chained = plan("list", find("sofa", name="sofa"), {"name": "near", "spatial": [near]})
    answer, _, _ = asked(inquiry("What lies about the settee?"), chained, fits())
    assert answer.type == "list"
    assert any("book" in each for each in answer.value)


def test_rows_that_are_not_meant_are_dropped_and_the_rest_counted():
    answer, _, _ = asked(inquiry("How many mugs are for coffee?"), plan("count", find("mug")), fits(drop=(2,)))
    assert answer.type == "count"
    assert answer.value == 1
    assert answer.text.endswith("Left out by the model: plain white mug with coffee in it.")


def test_a_model_that_drops_all_that_it_takes_drops_nothing():
    answer, _, _ = asked(inquiry("How many mugs are for coffee?"), plan("count", find("mug")), fits(drop=(1, 2)))
    assert answer.value == 2


def test_nothing_new_ends_the_loop_with_what_was_computed_and_less_confidence():
    answer, _, _ = asked(
        inquiry("Where is the red mug?"),
        RED_MUG,
        misses(),
        plan("where", find("red mug")),
    )
    assert answer.stop_reason == "nothing new retrieved"
    assert answer.value == [0.5, 2.2, 0.95]
    assert answer.confidence < 0.5


def test_what_was_refused_is_no_answer_because_the_same_plan_is_written_again():
    answer, _, _ = asked(inquiry("Where is the red mug?"), RED_MUG, misses(), RED_MUG)
    assert answer.stop_reason == "nothing new retrieved"
    assert answer.abstained


def test_nothing_found_twice_is_an_abstention_that_says_where_to_look():
    unicorn = plan("where", find("unicorn"))
    answer, _, _ = asked(inquiry("Where is the unicorn?"), unicorn, unicorn)
    assert answer.abstained
    assert answer.stop_reason == "nothing new retrieved"
    assert answer.look_next


def test_the_model_may_find_that_memory_does_not_hold_it():
    title = plan("attribute", find("mug", attributes=("red",)), detail="title")
    answer, _, _ = asked(inquiry("What is written on the red mug?"), title, misses("stop"))
    assert answer.abstained
    assert answer.stop_reason == "memory does not hold the answer"
    assert answer.look_next


def test_a_plan_that_is_not_valid_goes_back_once_with_the_fault():
    bad = plan("where", find("mug", spatial=[{"relation": "within", "anchors": []}]))
    answer, model, _ = asked(inquiry("Where is the red mug?"), bad, RED_MUG, fits())
    assert answer.stop_reason == "answered"
    assert "'within' takes 1 anchor(s), got 0" in prompts(model)[1]


def test_a_model_that_fails_to_write_a_plan_is_told_so_in_the_next_round():
    answer, model, _ = asked(inquiry("Where is the red mug?"), {"steps": 3}, {"steps": 3}, RED_MUG, fits())
    assert answer.stop_reason == "answered"
    assert "A query could not be used" in prompts(model)[2]
    assert model.requests[2].temperature > 0


def test_two_rounds_without_a_valid_plan_end_the_loop():
    answer, _, _ = asked(inquiry("Where is the red mug?"), {"steps": 3}, "no plan at all", "??", "none")
    assert answer.abstained
    assert answer.stop_reason == "no valid plan"


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        ({"rounds": 1}, "budget of rounds spent"),
        ({"calls": 2}, "budget of calls spent"),
        ({"tokens": 150}, "budget of tokens spent"),
        ({"seconds": 3.0}, "budget of seconds spent"),
    ],
)
def test_a_spent_budget_ends_the_loop(budget, reason):
    def reply(document):
        import json

        return Reply(json.dumps(document), tokens_in=70, tokens_out=10, seconds=2.0)

    answer, _, _ = asked(
        inquiry("Where is the red mug?"),
        reply(plan("where", find("kettle"))),
        reply(misses("search", "a kettle is no mug")),
        loop=settings(**budget),
    )
    assert answer.stop_reason == reason
    assert answer.abstained, "what the model did not take is no answer"


def test_an_unreadable_verdict_does_not_lose_the_computed_answer():
    answer, _, _ = asked(inquiry("Where is the red mug?"), RED_MUG, "hm", "hm hm", loop=settings(rounds=1))
    assert answer.value == [0.5, 2.2, 0.95]
    assert answer.stop_reason == "budget of rounds spent"
    assert answer.confidence < 0.5


def test_a_plan_that_names_what_memory_does_not_hold_is_an_error_of_the_plan():
    stranger = plan("list", find("mug", agent="zulu"))
    answer, _, trace = asked(inquiry("What did zulu see?"), stranger, stranger)
    assert answer.stop_reason == "no valid plan"
    assert any("zulu" in line.get("why", "") for line in trace.lines)


def test_own_words_are_a_text_and_keep_to_the_evidence():
    answer, _, _ = asked(
        inquiry("What is the mug like?"),
        plan("attribute", find("mug", attributes=("white",)), detail="colour"),
        misses("answer", "plain white, with coffee in it"),
    )
    assert (answer.type, answer.value) == ("text", "plain white, with coffee in it")
    assert answer.unsupported == ()


def test_a_number_that_no_evidence_supports_is_flagged_and_the_computed_one_given():
    answer, _, _ = asked(
        inquiry("How far are the mugs apart?"),
        plan(
            "distance",
            find("mug", attributes=("red",), name="red"),
            find("mug", attributes=("white",), name="white"),
            other="red",
        ),
        misses("answer", "They are 7.7 m apart."),
    )
    assert answer.unsupported == ("7.7",)
    assert answer.type == "distance"
    assert answer.value == pytest.approx(2.2, abs=0.05)
    assert "7.7" not in answer.text
    assert answer.confidence < 0.3


def test_a_stray_number_in_words_costs_confidence():
    answer, _, _ = asked(
        inquiry("What is the mug like?"),
        plan("attribute", find("mug", attributes=("red",)), detail="colour"),
        misses("answer", "red, about 35 years old"),
    )
    assert answer.unsupported == ("35",)
    assert answer.confidence < 0.3


def test_multiple_choice_names_the_option():
    answer, model, _ = asked(
        inquiry("Where is the red mug?", choices=("on the sofa", "on the worktop", "in the bowl")),
        RED_MUG,
        fits(option="B"),
    )
    assert (answer.type, answer.value) == ("choice", "B")
    assert "B) on the worktop" in prompts(model)[0]


def test_the_model_picks_the_option_where_words_do_not_agree():
    answer, _, _ = asked(
        inquiry("What would you put in the red mug?", choices=("tea", "nails")),
        RED_MUG,
        misses("answer", "tea", option="A"),
    )
    assert (answer.type, answer.value) == ("choice", "A")


def test_a_model_that_fails_in_the_middle_leaves_the_symbolic_answer():
    answer, _, trace = asked(inquiry("Where is the red mug?"), RED_MUG, ModelError("the server went away"))
    assert answer.value == [0.5, 2.2, 0.95]
    assert answer.stop_reason == "model failed: the server went away"
    assert trace.lines[-1]["event"] == "answer"


def test_a_model_that_fails_at_once_and_no_symbolic_answer_is_an_error():
    with pytest.raises(ModelError, match="went away"):
        asked(inquiry("Frobnicate the mug, please?"), ModelError("the server went away"))


def test_one_plan_that_leads_nowhere_does_not_show_that_none_would():
    answer, _, _ = asked(
        inquiry("What boils water?"),
        plan("where", find("mug")),
        misses("stop"),
        plan("where", find("kettle")),
        fits(),
    )
    assert answer.entry_ids == ("e05",)


def test_an_answer_beyond_doubt_need_not_be_judged():
    answer, model, _ = asked(inquiry("Where is the red mug?"), RED_MUG, loop=settings(judge="doubt"))
    assert answer.stop_reason == "answered"
    assert len(model.requests) == 1


def test_where_nothing_is_found_the_model_is_told_what_each_key_costs():
    on_sofa = {"relation": "on", "anchors": [{"kind": "step", "step": "sofa"}]}
    narrow = plan("where", find("sofa", name="sofa"), find("mug", attributes=("red",), spatial=[on_sofa]))
    answer, model, trace = asked(inquiry("Where is the red mug?"), narrow, narrow, fits())
    assert "Without its place it finds 1." in prompts(model)[1]
    assert answer.value == [0.5, 2.2, 0.95], "written twice: memory leaves the place out itself"
    assert [line["left_out"] for line in trace.lines if line["event"] == "widened"] == ["place"]


def test_what_a_thing_is_is_never_widened():
    unicorn = plan("where", find("unicorn", temporal={"before": {"kind": "elapsed", "seconds": 5}}))
    answer, _, _ = asked(inquiry("Where was the unicorn?"), unicorn, unicorn)
    assert answer.abstained
