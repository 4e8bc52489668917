"""Step 1: what can be answered without memory, and when the model is believed that it can."""

import pytest

from recall4d.reasoning.inquiry import Inquiry, PresentView
from recall4d.records import Capabilities, Picture, Reply
from tests.query.worlds import kitchen

from ..scripts import NEEDS_MEMORY, asked, find, fits, plan, prompts, settings

PICTURES = Capabilities(max_pictures=1, json_schema=True)
VIEW = PresentView(Picture(b"a jpeg", label="frame 7 of alpha"), "keyframes/alpha-7.jpg", age_s=0.4)
FIND_MUG = plan("where", find("mug", attributes=("red",)))


def said(answer, confidence=95, basis="view"):
    return {"basis": basis, "answer": answer, "confidence": confidence}


def test_what_the_view_shows_needs_no_memory():
    answer, model, _ = asked(
        Inquiry("What stands before me?", kitchen(), view=VIEW),
        said("a kettle"),
        loop=settings(gate="always"),
        capabilities=PICTURES,
    )
    assert (answer.value, answer.stop_reason, answer.rounds) == ("a kettle", "answered without memory", 0)
    assert answer.confidence == 0.95
    (request,) = model.requests
    assert request.messages[-1].pictures == (VIEW.picture,)
    assert "0.4 s before the question" in request.messages[-1].text


def test_a_model_that_is_not_sure_goes_on_to_memory():
    answer, _, _ = asked(
        Inquiry("Where is the red mug?", kitchen(), view=VIEW),
        said("on the table", confidence=60),
        FIND_MUG,
        fits(),
        loop=settings(gate="always"),
        capabilities=PICTURES,
    )
    assert answer.rounds == 1
    assert answer.value == [0.5, 2.2, 0.95]


def test_samples_that_disagree_go_on_to_memory():
    answer, model, _ = asked(
        Inquiry("Where is the red mug?", kitchen(), view=VIEW),
        said("on the table"),
        said("on the sofa"),
        said("On the table."),
        FIND_MUG,
        fits(),
        loop=settings(gate="always", samples=3),
        capabilities=PICTURES,
    )
    assert answer.rounds == 1, "two of three agree: 0.95 x 2/3 is below the limit"
    assert {request.seed for request in model.requests[:3]} == {0, 1, 2}
    assert model.requests[0].temperature > 0


def test_samples_that_agree_are_believed():
    answer, _, _ = asked(
        Inquiry("Is there a kettle before me?", kitchen(), view=VIEW),
        said("yes"),
        said("Yes."),
        loop=settings(gate="always", samples=2),
        capabilities=PICTURES,
    )
    assert (answer.type, answer.value) == ("yesno", True)


def test_improbable_tokens_count_against_a_reply():
    import json

    unsure = Reply(json.dumps(said("a kettle")), confidence=0.4)
    answer, _, _ = asked(
        Inquiry("Where is the red mug?", kitchen(), view=VIEW),
        unsure,
        FIND_MUG,
        fits(),
        loop=settings(gate="always"),
        capabilities=PICTURES,
    )
    assert answer.rounds == 1


def test_without_pictures_the_view_is_no_basis():
    """A model that sees nothing is asked whether knowledge suffices, and cannot say that the picture does."""
    answer, model, _ = asked(
        Inquiry("How many legs has a cat?", kitchen(), view=VIEW),
        said("4", basis="knowledge"),
        loop=settings(gate="always"),
    )
    assert answer.stop_reason == "answered without memory"
    (request,) = model.requests
    assert request.messages[-1].pictures == ()
    assert request.json_schema["properties"]["basis"]["enum"] == ["knowledge", "memory"]


@pytest.mark.parametrize(("gate", "view", "calls"), [("never", VIEW, 2), ("view", None, 2), ("view", VIEW, 3)])
def test_step_1_can_be_left_out(gate, view, calls):
    replies = [NEEDS_MEMORY] * (calls - 2) + [FIND_MUG, fits()]
    _, model, _ = asked(Inquiry("Where is the red mug?", kitchen(), view=view), *replies, loop=settings(gate=gate))
    assert len(model.requests) == calls


def test_an_unreadable_assessment_means_that_memory_is_needed():
    answer, _, _ = asked(
        Inquiry("Where is the red mug?", kitchen()),
        "??",
        "???",
        FIND_MUG,
        fits(),
        loop=settings(gate="always"),
    )
    assert answer.stop_reason == "answered"


def test_an_option_is_named_from_the_view():
    answer, model, _ = asked(
        Inquiry("What stands before me?", kitchen(), choices=("a cat", "a kettle"), view=VIEW),
        said("B"),
        loop=settings(gate="always"),
        capabilities=PICTURES,
    )
    assert (answer.type, answer.value) == ("choice", "B")
    assert "B) a kettle" in prompts(model)[0]


@pytest.mark.parametrize("basis", ["view", "knowledge"])
def test_no_model_knows_of_this_place_what_memory_knows(basis):
    """Nor does one see that has no picture: its reply is refused, and so is the second."""
    answer, _, _ = asked(
        Inquiry("How many mugs are there?", kitchen()),
        *[said("42", confidence=100, basis=basis)] * (2 if basis == "view" else 1),
        plan("count", find("mug")),
        fits(),
        loop=settings(gate="always"),
    )
    assert (answer.value, answer.rounds) == (2, 1)


def test_a_number_that_is_known_in_general_is_no_evidence():
    answer, _, _ = asked(
        Inquiry("How many legs has a cat?", kitchen()),
        said("4", confidence=100, basis="knowledge"),
        loop=settings(gate="always"),
    )
    assert (answer.unsupported, answer.confidence, answer.look_next) == (("4",), 0.25, None)


def test_of_options_one_must_be_named():
    answer, _, _ = asked(
        Inquiry("Which is an animal?", kitchen(), choices=("a cat", "a mug")),
        said("Z", basis="knowledge"),
        said("A", basis="knowledge"),
        loop=settings(gate="always"),
    )
    assert (answer.type, answer.value) == ("choice", "A")
