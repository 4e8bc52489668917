"""The describer that asks a vision-language model, with one that says what it is told to say."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from recall4d import plugins
from recall4d.errors import ModelError, UsageError
from recall4d.models.scripted import ScriptedModel
from recall4d.perception.describers.chat import (
    DIMMED,
    LONGEST_PX,
    MAX_FAILURES,
    ChatDescriber,
    cleaned,
    masked_crop,
)
from recall4d.ports import AskingDescriber
from recall4d.records import Detection, Mask, Reply

EXTENTS = np.array([[0.1, 0.1, 0.12]])


@pytest.fixture
def frame(make_frame):
    return make_frame(rgb=np.full((120, 160, 3), 200, np.uint8))


@pytest.fixture
def mug():
    return Detection(Mask(40, 60, np.ones((30, 20), bool)), category="cup")


def test_the_model_sees_the_thing_bright_and_its_surroundings_dimmed(frame, mug):
    picture = np.asarray(Image.open(io.BytesIO(masked_crop(frame, mug))))

    assert picture[picture.shape[0] // 2, picture.shape[1] // 2].tolist() == [200, 200, 200]
    assert picture[0, 0].tolist() == [int(200 * DIMMED)] * 3


def test_a_large_thing_is_shown_no_larger_than_models_need(make_frame):
    frame = make_frame(rgb=np.zeros((900, 1200, 3), np.uint8))
    wall = Detection(Mask(0, 0, np.ones((900, 1200), bool)))

    assert max(Image.open(io.BytesIO(masked_crop(frame, wall))).size) == LONGEST_PX


def test_the_reply_is_the_description_and_what_can_be_measured_stays(frame, mug):
    model = ScriptedModel(["White ceramic mug with a blue rim."])

    (said,) = ChatDescriber("chat:scripted", model).describe(frame, [mug], EXTENTS)

    assert said.text == "White ceramic mug with a blue rim"
    assert said.attributes == {"size": "small", "colour": "white"}
    (request,) = model.requests
    assert len(request.messages[-1].pictures) == 1
    assert "took it for: cup" in request.messages[-1].text


@pytest.mark.parametrize(
    "reply", [Reply("", "empty"), Reply("I cannot", "refused"), Reply("a very", "length"), ModelError("gone")]
)
def test_no_whole_reply_is_no_description(frame, mug, reply):
    describer = ChatDescriber("chat:scripted", ScriptedModel([reply, "a mug"]))

    assert describer.describe(frame, [mug], EXTENTS) == [None]
    assert describer.describe(frame, [mug], EXTENTS)[0].text == "a mug"


def test_a_model_that_fails_every_time_ends_the_work(frame, mug):
    describer = ChatDescriber("chat:scripted", ScriptedModel(lambda request: ModelError("connection refused")))

    for _ in range(MAX_FAILURES - 1):
        assert describer.describe(frame, [mug], EXTENTS) == [None]

    with pytest.raises(ModelError, match=f"the last {MAX_FAILURES} descriptions failed.*connection refused"):
        describer.describe(frame, [mug], EXTENTS)


def test_the_same_picture_has_the_same_name_and_another_has_not(frame, mug):
    describer = ChatDescriber("chat:scripted", ScriptedModel([]))
    assert isinstance(describer, AskingDescriber)
    beside = Detection(Mask(40, 61, np.ones((30, 20), bool)), category="cup")
    grey = type(mug)(mug.mask, "bowl")

    assert describer.content(frame, mug) == describer.content(frame, mug)
    assert len({describer.content(frame, each) for each in (mug, grey)}) == 2
    frame.rgb[50, 70] = 0
    assert describer.content(frame, mug) != describer.content(frame, beside)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("white mug", "white mug"),
        ('"White mug with a blue rim."', "White mug with a blue rim"),
        ('book titled "BEING Mobile".', 'book titled "BEING Mobile"'),
        ('"Daedalus" journal', '"Daedalus" journal'),
        ('"white mug', "white mug"),
        ("Here is the description:\n\n- **white mug**\n", "white mug"),
        ("white   mug\nIt stands on a table.", "white mug"),
        ("  \n ", None),
        ("```", None),
        ("word " * 60, ("word " * 32).strip()),
    ],
)
def test_what_models_put_around_a_description_is_taken_off(reply, text):
    assert cleaned(reply) == text


def test_a_model_must_be_named():
    with pytest.raises(UsageError, match=r"chat:MODEL, MODEL one of .*scripted"):
        plugins.describer("chat")
