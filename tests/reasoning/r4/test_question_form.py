"""The flat form: what a small model writes, and the plan that it means."""

import json

import pytest

from recall4d.query.keys_form import Known
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.r4.examples import all_examples
from recall4d.reasoning.r4.question_form import FlatForm, manual
from recall4d.reasoning.r4.rounds import run_round
from recall4d.reasoning.r4.wanted import WANTED
from recall4d.reasoning.typed import planned_of
from tests.query.worlds import kitchen

FORM = FlatForm(Known(("alpha", "bravo")))


def answered(ask, *steps):
    plan = FORM.plan({"ask": ask, "steps": list(steps)})
    found = run_round(1, planned_of("?", plan), None, Inquiry("?", kitchen()))
    return found.computed


def step(what=None, name="things", **keys):
    return {"name": name, **({} if what is None else {"what": what}), **keys}


@pytest.mark.parametrize(
    ("ask", "steps", "expected"),
    [
        ("where", [step("red mug")], ("position", [0.5, 2.2, 0.95])),
        ("where_before", [step("red mug")], ("position", [-0.4, 0.0, 0.8])),
        ("count", [step("mug")], ("count", 2)),
        ("exists", [step("kettle", where={"relation": "on", "of": "counter"})], ("yesno", False)),
        (
            "exists",
            [step("kettle", where={"relation": "on", "of": "counter"}, when={"at": "10 s"})],
            ("yesno", True),
        ),
        ("has_moved", [step("red mug")], ("yesno", True)),
        ("colour", [step("sofa")], ("text", "grey")),
        ("who_saw_last", [step("red mug")], ("entity", "bravo")),
    ],
)
def test_each_word_asks_for_an_answer_of_its_type(ask, steps, expected):
    computed = answered(ask, *steps)
    assert (computed.type, computed.value) == expected


def test_nearer_finds_the_landmark_first():
    computed = answered("nearer", step("white mug", "white"), step("red mug", "red"), step("sofa", "sofa"))
    assert computed.value == "plain white mug with coffee in it"


@pytest.mark.parametrize("example", all_examples(), ids=lambda each: each.question)
def test_the_examples_are_plans(example):
    plan = FORM.plan(example.form)
    assert plan.ask.kind == WANTED[example.form["ask"]].kind
    used = set(WANTED) - {each.form["ask"] for each in all_examples()}
    assert used <= {"smaller", "higher"}, "every word of the form has an example, but for opposites"


def test_the_manual_names_every_word_and_field_of_the_schema():
    properties = {name for part in FORM.schema["$defs"].values() for name in part["properties"]}
    assert all(f"- {name}:" in manual() for name in (*WANTED, *properties))


def test_nothing_in_the_schema_invites_a_null():
    assert "null" not in json.dumps(FORM.schema)


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ({"ask": "dance", "steps": [step("mug")]}, "expected one of where,"),
        ({"ask": "nearer", "steps": [step("mug")]}, "'nearer' needs 3 steps, got 1"),
        ({"ask": "where", "steps": []}, "steps"),
        ({"ask": "where", "steps": [step("mug", where={"relation": "within", "distance_m": 1e9})]}, "distance_m"),
        ({"ask": "where", "steps": [step("mug", when={"at": "yesteryear"})]}, "when"),
        ({"ask": "count", "steps": [step("mug", limit=10**6)]}, "limit"),
        ({"ask": "where", "steps": [step("mug", among="later")]}, "earlier step"),
        ({"ask": "where", "steps": [step("mug", agent="zulu")]}, "zulu"),
        ("where is it", "valid dictionary"),
        (None, "valid dictionary"),
    ],
)
def test_what_is_no_plan_is_refused_with_a_sentence(document, fault):
    with pytest.raises(ValueError, match=fault):
        FORM.plan(document)


@pytest.mark.parametrize(
    "steps",
    [
        [step("red mug", "red", when={"at": "10 s"}), step("white mug", "white")],
        [step("red mug", "red", where={"relation": "right", "of": "white mug"}, when={"at": "10 s"})],
    ],
)
def test_left_or_right_is_asked_of_two_things_or_of_one_beside_another(steps):
    computed = answered("left_or_right", *steps)
    assert (computed.type, computed.value) == ("direction", "left")


@pytest.mark.parametrize("when", [{"at": "now"}, {"during": "currently"}, {"before": "now", "seen": False}])
def test_a_time_that_only_says_now_is_none(when):
    plan = FORM.plan({"ask": "where", "steps": [step("mug", when=when)]})
    assert plan.steps[0].temporal is None


def test_after_said_as_at_is_after():
    said, meant = ({"at": "after 10 s"}, {"after": "10 s"})
    plans = [FORM.plan({"ask": "where", "steps": [step("mug", when=when)]}) for when in (said, meant)]
    assert plans[0] == plans[1]


@pytest.mark.parametrize(
    "said",
    [
        step("object", where={"relation": "on", "of": "counter"}),
        step(where={"relation": "on", "of": "counter"}, when={"at": "now"}),
    ],
)
def test_words_that_say_nothing_keep_everything(said):
    assert FORM.plan({"ask": "list", "steps": [said]}) == FORM.plan(
        {"ask": "list", "steps": [step(where={"relation": "on", "of": "counter"})]}
    )


def test_a_corner_is_no_place_and_only_agents_look_anywhere():
    corner = {"ask": "exists", "steps": [step("box", where={"relation": "facing", "of": "corner"})]}
    assert FORM.plan(corner) == FORM.plan({"ask": "exists", "steps": [step("box")]})
    kitchen = {"ask": "list", "steps": [step(where={"relation": "along", "of": "kitchen"})]}
    assert FORM.plan(kitchen).steps[-1].spatial[0].relation == "within"


def test_in_the_house_is_no_place_unless_something_is_called_so():
    said = {"ask": "count", "steps": [step("mug", where={"relation": "inside", "of": "the house"})]}
    assert FORM.plan(said) == FORM.plan({"ask": "count", "steps": [step("mug")]})
    region = FlatForm(Known(regions=("the house",))).plan(said)
    assert region.steps[-1].spatial


def test_a_step_may_stand_before_the_one_it_names():
    before = FORM.plan(
        {
            "ask": "exists",
            "steps": [step("kettle", "kettle", where={"relation": "on", "of": "top"}), step("counter", "top")],
        }
    )
    assert [each.name for each in before.steps] == ["top", "kettle"]
    assert before.ask.step == "kettle"


def test_a_second_place_counts_for_between_only():
    plan = FORM.plan(
        {"ask": "list", "steps": [step(where={"relation": "behind", "of": "sofa", "and_of": "counter"})]}
    )
    assert len(plan.steps[-1].spatial[0].anchors) == 1


@pytest.mark.parametrize(
    ("question", "said", "kept"),
    [
        ("Where is the mug?", {"agent": "alpha"}, {}),
        ("Where did alpha see the mug?", {"agent": "alpha"}, {"agent": "alpha"}),
        ("Where did I see the mug?", {"agent": "me"}, {"agent": "bravo"}),
        ("Where did I see the mug?", {"agent": "alpha"}, {}),
        ("Where did anybody see the mug?", {"agent": "bravo"}, {}),
        ("Where did anybody see the mug?", {"agent": "me"}, {}),
        ("Where in the old kitchen is the mug?", {"agent": "kitchen"}, {}),
        ("Where is the mug?", {"when": {"at": "33.2 s"}}, {}),
        ("Wo war die Tasse vor zehn Sekunden?", {"when": {"at": "10 s ago"}}, {"when": {"at": "10 s ago"}}),
        ("Where was the mug 12 s ago?", {"when": {"at": "12 s ago"}}, {"when": {"at": "12 s ago"}}),
        (
            "Where was the mug before it moved?",
            {"when": {"before": "mug moved"}},
            {"when": {"before": "mug moved"}},
        ),
    ],
)
def test_keys_that_the_question_does_not_ask_for_go(question, said, kept):
    form = FlatForm(Known(("alpha", "bravo"), asker="bravo"))
    assert form.plan({"ask": "where", "steps": [step("mug", **said)]}, question) == form.plan(
        {"ask": "where", "steps": [step("mug", **kept)]}
    )


def test_who_saw_it_is_not_asked_of_one_agent():
    said = {"ask": "who_saw", "steps": [step("mug", agent="alpha")]}
    assert FORM.plan(said, "Who saw the mug, alpha or bravo?").steps[-1].agent is None


def test_an_agent_that_nobody_knows_is_still_refused():
    with pytest.raises(ValueError, match="zulu"):
        FORM.plan({"ask": "where", "steps": [step("mug", agent="zulu")]}, "Where did zulu see the mug?")


@pytest.mark.parametrize(
    ("question", "written", "meant"),
    [
        ("What on the shelf is nearest to the vase?", ("nearest", "shelf"), ("on", "shelf")),
        ("What is directly to the left of the old vase?", ("right", "old vase"), ("left", "old vase")),
        ("Is the mug in front of the sofa?", ("behind", "sofa"), ("front", "sofa")),
        ("What is in the box on the box?", ("inside", "box"), ("on", "box")),
        ("What is on the box or under the box?", ("inside", "box"), ("inside", "box")),
        ("What is close by the vase?", ("near", "vase"), ("near", "vase")),
    ],
)
def test_the_relation_is_what_the_question_says_before_the_landmark(question, written, meant):
    def plan(relation, of):
        return FORM.plan({"ask": "list", "steps": [step(where={"relation": relation, "of": of})]}, question)

    assert plan(*written).steps[-1].spatial == plan(*meant).steps[-1].spatial
    assert plan(*written).steps[-1].spatial[0].relation in (meant[0], "within")


def test_a_step_behind_the_first_that_has_nothing_to_do_with_it_is_left_out():
    plan = FORM.plan({"ask": "where", "steps": [step("keyboard", "keyboard"), step("computer", "computer")]})
    assert [each.name for each in plan.steps] == ["keyboard"]


@pytest.mark.parametrize(
    ("question", "written", "meant"),
    [
        ("How many red mugs are there?", "mug", "red mug"),
        ("How many red mugs are there?", "red_mugs", "red mug"),
        ("Where is the dining chair?", "diningchair", "dining chair"),
        ("Where is the big old wooden box?", "wooden box", "big old wooden box"),
        ("Where is the telly?", "TV", "TV"),
        ("Is the red mug left of the white mug?", "mug", "mug"),
        ("Where is the Rubik's cube?", "Rubik's cube", "Rubik's cube"),
    ],
)
def test_a_thing_is_looked_for_in_the_words_of_the_question(question, written, meant):
    plan = FORM.plan({"ask": "where", "steps": [step(written)]}, question)
    assert plan.steps[-1].semantic.texts == (meant,)


@pytest.mark.parametrize(
    ("question", "ask", "written", "meant"),
    [
        ("How many mugs are there?", "count", step("mug", where={"relation": "on", "of": "rack"}), step("mug")),
        ("How many mugs are there?", "count", step("mug", limit=1), step("mug")),
        ("How many mugs are there?", "count", step("mug", where={"relation": "near", "of": "alpha"}), step("mug")),
        ("How many mugs are near alpha?", "count", step("mug", where={"relation": "near", "of": "alpha"}), None),
        ("What is on the rack?", "list", step(where={"relation": "on", "of": "rack"}), None),
        ("What lies on top of the table?", "list", step("table"), step(where={"relation": "on", "of": "table"})),
        ("Where is the telly?", "where", step("telly", where={"relation": "near", "of": "TV"}), None),
        ("Was the box there on my first tour?", "exists", step("box"), step("box", when={"during": "first visit"})),
        (
            "Has the box moved since my first tour?",
            "has_moved",
            step("box", when={"during": "first visit"}),
            step("box"),
        ),
    ],
)
def test_what_is_copied_or_forgotten_is_mended_from_the_question(question, ask, written, meant):
    assert FORM.plan({"ask": ask, "steps": [written]}, question) == FORM.plan(
        {"ask": ask, "steps": [meant or written]}
    )


def test_still_there_asks_for_the_thing_and_for_the_thing_at_the_place():
    kettle = step("kettle", "kettle", where={"relation": "on", "of": "counter"})
    assert answered("still_there", kettle).value is False
    assert answered("still_there", step("sofa")).value is True
    assert answered("always_there", kettle).value is False


def test_so_is_what_it_lies_on():
    written = step("mug", where={"relation": "inside", "of": "shelf"})
    plan = FORM.plan({"ask": "where", "steps": [written]}, "Where is the mug on the red shelf?")
    assert plan.steps[0].semantic.texts == ("red shelf",)
    assert plan.steps[1].spatial[0].relation == "on"


@pytest.mark.parametrize("question", ["", "Where was the mug on my first tour?", "How many mugs are on the table?"])
@pytest.mark.parametrize("ask", ["where", "count", "what_moved", "dance", 7, None])
@pytest.mark.parametrize("steps", [[], [None], [{}], [{"name": 3}], [{"name": "a", "where": {"of": 3}}], "x", None])
def test_what_is_no_form_is_refused_and_never_breaks(question, ask, steps):
    with pytest.raises(ValueError, match=r"\S"):
        FORM.plan({"ask": ask, "steps": steps}, question)
