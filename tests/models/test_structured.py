from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from recall4d.errors import (
    EmptyReplyError,
    MalformedReplyError,
    ModelUnavailableError,
    RefusedReplyError,
    TruncatedReplyError,
)
from recall4d.models.schema import json_schema
from recall4d.models.scripted import ScriptedModel
from recall4d.models.structured import ask, ask_all, parse
from recall4d.records import Capabilities, ChatRequest, Message, Reply


class Thing(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    count: int = Field(ge=0)


class Things(BaseModel):
    things: list[Thing]
    note: str = ""


QUESTION = ChatRequest((Message("system", "You count."), Message("user", "How many mugs?")))
MUGS = '{"name": "mug", "count": 2}'


@pytest.mark.parametrize(
    "reply",
    [
        MUGS,
        f"```json\n{MUGS}\n```",
        f"I see two of them.\n\n{MUGS}\n\nAnything else?",
        f"[{MUGS}]",
        f'{{"answer": {MUGS}}}',
        "{'name': 'mug', 'count': 2,}",
        '"{\\"name\\": \\"mug\\", \\"count\\": 2}"',
        '{"name": "mug", "count": "2"}',
        '{"count": 2, "name": "mug"',
        f'For a cup it would be {{"name": "cup", "count": 9}}; for mugs {MUGS}',
    ],
)
def test_a_value_is_read_however_it_is_wrapped(reply):
    assert ask(ScriptedModel([reply]), QUESTION, Thing).value == Thing(name="mug", count=2)


def test_a_list_is_read_where_the_object_around_it_was_due_and_the_other_way_round():
    mug = Thing(name="mug", count=2)
    assert parse(f"[{MUGS}, {MUGS}]", Things) == Things(things=[mug, mug])
    assert parse(MUGS, list[Thing]) == [mug]


def test_what_does_not_fit_is_asked_again_with_the_error():
    model = ScriptedModel(['{"name": "mug", "count": -1}', MUGS])
    parsed = ask(model, QUESTION, Thing)
    assert parsed.value.count == 2
    assert [reply.text for reply in parsed.replies] == ['{"name": "mug", "count": -1}', MUGS]
    assert "count" in parsed.error
    *before, said, told = model.requests[1].messages
    assert tuple(before) == model.requests[0].messages
    assert (said.role, said.text) == ("assistant", '{"name": "mug", "count": -1}')
    assert "count: Input should be greater than or equal to 0, found -1" in told.text


@pytest.mark.parametrize(
    "bad", ["two mugs", '{"name": "mug"}', '{"name": "mug", "count": 2, "colour": 1}', "[1, 2]"]
)
def test_twice_unusable_is_an_error_that_holds_what_was_written(bad):
    model = ScriptedModel([bad, bad])
    with pytest.raises(MalformedReplyError, match="asked twice") as caught:
        ask(model, QUESTION, Thing)
    assert [reply.text for reply in caught.value.replies] == [bad, bad]
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply('{"name": "mu', "length", tokens_out=7), TruncatedReplyError),
        (Reply('{"name": "mug", "count": 2', "length"), TruncatedReplyError),  # 2, or 20?
        (Reply('[{"name": "mug", "count": 2}', "length"), TruncatedReplyError),  # or more of them?
        (Reply("", "length", tokens_out=512), TruncatedReplyError),
        (Reply("I cannot help with that.", "refused"), RefusedReplyError),
        (Reply("", "empty"), EmptyReplyError),
        (Reply("  \n"), EmptyReplyError),
    ],
)
def test_cut_off_refused_and_empty_are_three_failures_and_not_asked_again(reply, error):
    model = ScriptedModel([reply])
    with pytest.raises(error) as caught:
        ask(model, QUESTION, Thing)
    assert caught.value.replies == (reply,)
    assert len(model.requests) == 1


def test_a_whole_document_followed_by_spaces_until_the_limit_is_whole():
    assert ask(ScriptedModel([Reply(MUGS + "\n" * 500, "length")]), QUESTION, Thing).value.count == 2


def test_a_model_that_can_be_held_to_a_schema_gets_it_and_another_is_told_in_words():
    able, unable = ScriptedModel([MUGS]), ScriptedModel([MUGS], capabilities=Capabilities())
    ask(able, QUESTION, Thing)
    ask(unable, QUESTION, Thing)
    assert able.requests[0].messages == QUESTION.messages
    assert able.requests[0].json_schema == json_schema(TypeAdapter(Thing))
    assert '"minimum": 0' in unable.requests[0].messages[-1].text
    assert unable.requests[0].messages[-1].text.startswith("How many mugs?")


def test_a_schema_of_ones_own_is_kept():
    own = {"type": "object", "properties": {"name": {"const": "mug"}, "count": {"enum": [1, 2]}}}
    model = ScriptedModel([MUGS])
    ask(model, ChatRequest(QUESTION.messages, json_schema=own), Thing)
    assert model.requests[0].json_schema == own


def test_many_are_asked_together_and_each_has_its_own_end():
    script = [MUGS, "what?", ModelUnavailableError("no server"), Reply("", "empty"), '{"name": "cup", "count": 0}']
    model = ScriptedModel(script)
    fine, mended, failed, empty = ask_all(model, [QUESTION] * 4, Thing)
    assert fine.value.name == "mug"
    assert mended.value.name == "cup"
    assert len(mended.replies) == 2
    assert isinstance(failed, ModelUnavailableError)
    assert isinstance(empty, EmptyReplyError)


class Near(BaseModel):
    kind: Literal["near"] = "near"
    radius_m: float = Field(1.0, allow_inf_nan=False)


class On(BaseModel):
    kind: Literal["on"] = "on"
    of: str


def test_a_schema_says_that_what_tells_a_union_apart_must_be_written():
    schema = json_schema(TypeAdapter(Annotated[Near | On, Field(discriminator="kind")]))
    assert schema["$defs"]["Near"] == {
        "type": "object",
        "properties": {"kind": {"const": "near", "type": "string"}, "radius_m": {"type": "number"}},
        "required": ["kind"],
        "additionalProperties": False,
    }
    assert schema["$defs"]["On"]["required"] == ["kind", "of"]


@pytest.mark.parametrize("radius", ["Infinity", "1e999", "NaN"])
def test_a_number_that_is_none_is_no_value(radius):
    with pytest.raises(ValueError, match=r"expected|too large"):
        parse(f'{{"kind": "near", "radius_m": {radius}}}', Near)
