"""Looking again: pictures behind the evidence, where memory has no answer that the model takes."""

import pytest

from recall4d.reasoning.inquiry import Album, Inquiry
from recall4d.records import Capabilities, Picture
from tests.query.worlds import kitchen

from ..scripts import asked, find, fits, misses, plan, prompts, settings

SEES = Capabilities(max_pictures=4, json_schema=True)
MUGS = plan("list", find("mug"))


def seen(answer, picture=1, confidence=80, **more):
    """The model sees the answer in a picture."""
    return {"seen": True, "picture": picture, "answer": answer, "confidence": confidence, **more}


NOTHING_SEEN = {"seen": False, "picture": 1, "answer": "", "confidence": 0}


@pytest.fixture
def reports():
    return []


@pytest.fixture
def inquiry(reports):
    """A question about the kitchen, of which every view has a picture."""

    def of(question, choices=()):
        album = Album(lambda view: Picture(b"jpeg", label=view.crop), reports.append)
        return Inquiry(question, kitchen(), choices=choices, album=album)

    return of


def look(inquiry, *replies, n=4, capabilities=SEES):
    return asked(inquiry, *replies, loop=settings(rounds=1, look_again=n), capabilities=capabilities)


def test_what_memory_does_not_know_is_looked_up_in_its_pictures(inquiry, reports):
    answer, model, trace = look(
        inquiry("What is written on the red mug?"), MUGS, misses("search"), seen("World's best dad")
    )
    assert (answer.text, answer.type, answer.abstained) == ("World's best dad", "text", False)
    assert answer.stop_reason == "answered by looking again"
    assert answer.confidence == 0.8
    request = model.requests[-1].messages[-1]
    assert [picture.label for picture in request.pictures] == ["crops/e03.jpg", "crops/e02.jpg"]
    assert 'Picture 1: "red mug with a handle"' in request.text
    assert answer.entry_ids == (reports[0].entry_id,)
    assert (reports[0].said, reports[0].question) == ("World's best dad", "What is written on the red mug?")
    assert "looked" in [line["event"] for line in trace.lines]


def test_no_more_pictures_are_shown_than_were_allowed(inquiry):
    _, model, _ = look(inquiry("What is written on the mug?"), MUGS, misses("search"), NOTHING_SEEN, n=1)
    assert len(model.requests[-1].messages[-1].pictures) == 1


def test_an_answer_that_was_taken_is_not_looked_up(inquiry, reports):
    answer, model, _ = look(
        inquiry("Where is the red mug?"), plan("where", find("mug", attributes=("red",))), fits()
    )
    assert answer.stop_reason == "answered"
    assert len(model.requests) == 2
    assert reports == []


@pytest.mark.parametrize(
    ("n", "capabilities"), [(0, SEES), (4, Capabilities(json_schema=True))], ids=["not asked for", "no pictures"]
)
def test_nobody_looks_who_was_not_asked_to_or_cannot(inquiry, reports, n, capabilities):
    answer, model, _ = look(
        inquiry("What is written on the red mug?"), MUGS, misses("search"), n=n, capabilities=capabilities
    )
    assert answer.stop_reason == "budget of rounds spent"
    assert len(model.requests) == 2
    assert reports == []


def test_where_nothing_is_seen_the_answer_stays(inquiry, reports):
    answer, _, _ = look(inquiry("What is written on the red mug?"), MUGS, misses("search"), NOTHING_SEEN)
    assert answer.stop_reason == "budget of rounds spent"
    assert reports == []


def test_a_number_read_off_a_picture_is_flagged_and_is_no_typed_value(inquiry):
    answer, _, _ = look(
        inquiry("How many spoons are in the mug?"), plan("count", find("mug")), misses("search"), seen("7 spoons")
    )
    assert (answer.type, answer.unsupported) == ("text", ("7",))
    assert answer.confidence == 0.2


def test_an_option_can_be_picked(inquiry, reports):
    answer, _, _ = look(
        inquiry("What is on the red mug?", ("a cat", "a dog")),
        MUGS,
        misses("search", option=""),
        seen("", option="B"),
    )
    assert (answer.type, answer.value, answer.text) == ("choice", "B", "B: a dog.")
    assert reports[0].said == "a dog"


def test_a_picture_that_was_not_shown_is_a_fault_that_goes_back_once(inquiry, reports):
    answer, model, _ = look(
        inquiry("What is written on the red mug?"), MUGS, misses("search"), seen("x", picture=9), seen("Dad")
    )
    assert answer.text == "Dad"
    assert '"picture" must be a number from 1 to' in prompts(model)[-1]
    assert len(reports) == 1
