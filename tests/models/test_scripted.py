from __future__ import annotations

import json

import pytest

from recall4d import plugins
from recall4d.errors import InputError, ModelUnavailableError, UsageError
from recall4d.models.scripted import ScriptedModel
from recall4d.records import ChatRequest, Message, Reply


def asking(text: str) -> ChatRequest:
    return ChatRequest((Message("user", text),))


def test_replies_come_in_order_and_requests_are_kept():
    model = ScriptedModel(["one", {"n": 2}, Reply("cut", "length"), ""])
    replies = [model.complete(asking(str(n))) for n in range(4)]
    assert [(reply.text, reply.outcome) for reply in replies] == [
        ("one", "done"), ('{"n": 2}', "done"), ("cut", "length"), ("", "empty"),
    ]  # fmt: skip
    assert [request.messages[0].text for request in model.requests] == ["0", "1", "2", "3"]


def test_a_function_replies_to_the_request():
    model = ScriptedModel(lambda request: request.messages[-1].text.upper())
    assert model.complete(asking("mug")).text == "MUG"


def test_a_failure_is_raised_alone_and_stands_in_its_place_among_many():
    busy = ModelUnavailableError("busy")
    with pytest.raises(ModelUnavailableError, match="busy"):
        ScriptedModel([busy]).complete(asking("?"))
    results = ScriptedModel(["a", busy, "b"]).complete_all([asking("?")] * 3)
    assert [getattr(result, "text", result) for result in results] == ["a", busy, "b"]


def test_a_script_that_is_too_short_says_what_it_was_asked():
    model = ScriptedModel(["a"])
    model.complete(asking("first"))
    with pytest.raises(UsageError, match="1 replies and was asked for one more: 'second'"):
        model.complete(asking("second"))


def test_a_script_from_a_file(tmp_path):
    path = tmp_path / "replies.json"
    path.write_text(json.dumps(["hello", {"n": 1}]))
    model = plugins.chat_model(f"scripted:{path}")
    assert [model.complete(asking("?")).text for _ in range(2)] == ["hello", '{"n": 1}']


@pytest.mark.parametrize("content", ["not json", '{"n": 1}', None])
def test_a_file_that_is_no_script_is_refused(tmp_path, content):
    path = tmp_path / "replies.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=r"replies\.json"):
        plugins.chat_model(f"scripted:{path}")
