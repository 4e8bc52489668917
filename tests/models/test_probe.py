"""What a model behind a server can take, found out by asking it; against a server of the test's own."""

from __future__ import annotations

import threading

import pytest
from pydantic import BaseModel

from recall4d.models.conformance import picture
from recall4d.models.structured import ask
from recall4d.records import Capabilities, ChatRequest, Message

from .asking import HELLO, model_at
from .fake_server import completion, says


class Colour(BaseModel):
    colour: str


@pytest.mark.parametrize("dialect", ["json_schema", "structured_outputs", "guided_json", "json_object"])
def test_the_way_a_server_is_told_a_schema_is_found(server, dialect):
    server.dialects = {dialect}
    model = model_at(server.url)
    assert model.capabilities.json_schema
    assert model.probed().dialect == dialect
    assert ask(model, HELLO, Colour).value == Colour(colour="words")


def test_a_server_that_refuses_schemas_is_told_in_words(server):
    server.refuses = {
        name: f"{name} is not available" for name in ("response_format", "structured_outputs", "guided_json")
    }
    model = model_at(server.url)
    assert not model.capabilities.json_schema
    assert model.capabilities.token_probabilities
    server.then(says(completion('Sure: {"colour": "red"}')))
    assert ask(model, HELLO, Colour).value.colour == "red"
    assert "JSON schema" in server.bodies[-1]["messages"][-1]["content"]
    assert "response_format" not in server.bodies[-1]


def test_a_model_that_thinks_first_is_given_time_to_when_probed(server):
    server.then(says(completion("<think>hm", "length")))
    assert model_at(server.url).capabilities.json_schema


@pytest.mark.parametrize(
    ("able", "sees", "n_pictures", "note"),
    [
        (8, True, 8, None),
        (1, True, 1, "contact sheet"),
        (0, True, 0, "no pictures"),
        (8, False, 0, "does not show it"),
    ],
)
def test_how_many_pictures_a_model_takes_is_found(server, able, sees, n_pictures, note):
    server.max_pictures, server.sees_pictures = able, sees
    probed = model_at(server.url).probed()
    assert probed.capabilities.max_pictures == n_pictures
    assert (note is None) == (probed.notes == ())
    assert note is None or note in probed.notes[0]


def test_pictures_beyond_the_limit_become_a_contact_sheet(server):
    server.max_pictures = 1
    shown = tuple(picture(colour) for colour in ("red", "blue", "green"))
    model_at(server.url).complete(ChatRequest((Message("user", "Which colours?", shown),)))
    image, text = server.bodies[-1]["messages"][0]["content"]
    assert image["type"] == "image_url"
    assert text["text"].startswith("(3 pictures: image 1 is a sheet of pictures 1 to 3.")


def test_a_limit_that_only_a_refusal_tells_is_learnt(server):
    server.max_pictures = 3
    model = model_at(server.url)
    assert model.capabilities.max_pictures == 8
    shown = tuple(picture(colour) for colour in ("red", "blue", "green", "grey", "white"))
    request = ChatRequest((Message("user", "Which colours?", shown),))
    assert model.complete(request).outcome == "done"
    assert model.capabilities.max_pictures == 3
    server.bodies.clear()
    model.complete(request)
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("field", "told", "left"),
    [
        ("seed", "Unrecognized request argument supplied: seed", None),
        ("temperature", "Unsupported value: 'temperature' does not support 0.0 with this model.", None),
        ("logprobs", "logprobs is not supported with this model", None),
        (
            "max_tokens",
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_completion_tokens",
        ),
    ],
)
def test_a_field_that_a_server_does_not_take_is_left_out(server, field, told, left):
    server.refuses = {field: told}
    model = model_at(server.url)
    assert model.complete(HELLO).text == "I heard: hello there"
    assert field not in server.bodies[-1]
    assert left is None or server.bodies[-1][left] == 9
    assert field in model.probed().notes[-1]


def test_a_template_without_system_gets_its_words_from_the_user(model, server):
    server.refuses = {"system": "System role not supported"}
    assert model.complete(HELLO).text == "I heard: Be brief.\n\nhello there"
    assert [message["role"] for message in server.bodies[-1]["messages"]] == ["user"]


@pytest.mark.parametrize(
    ("owner", "about", "path", "page"),
    [
        ("vllm", {"max_model_len": 4096}, "/none", {}),
        ("llamacpp", {}, "/props", {"default_generation_settings": {"n_ctx": 4096}}),
        ("llamacpp", {"meta": {"n_ctx": 4096}}, "/none", {}),
        ("library", {}, "/api/ps", {"models": [{"name": "tiny:latest", "context_length": 4096}]}),
        (
            "organization_owner",
            {},
            "/api/v0/models/tiny",
            {"max_context_length": 8192, "loaded_context_length": 4096},
        ),
        ("openrouter", {"context_length": 4096}, "/none", {}),
    ],
)
def test_the_context_is_found_where_each_server_tells_it(server, owner, about, path, page):
    server.owned_by, server.about, server.pages = owner, about, {path: page}
    assert model_at(server.url).capabilities.context_tokens == 4096


def test_what_was_found_is_kept_for_the_next_process(server):
    first = model_at(server.url).probed()
    server.bodies.clear()
    assert model_at(server.url).probed() == first
    assert server.bodies == []


def test_another_model_behind_the_same_name_is_probed_anew(server):
    assert model_at(server.url).capabilities.max_pictures == 8
    server.max_pictures, server.about = 0, {"max_model_len": 1000}
    assert model_at(server.url).capabilities == Capabilities(0, True, 1000, True)


def test_a_probe_can_be_made_anew_and_overruled(server):
    model = model_at(server.url)
    assert model.capabilities.max_pictures == 8
    server.max_pictures = 1
    assert model.probed(fresh=True).capabilities.max_pictures == 1
    told = model_at(server.url, max_pictures=2, json_schema=False, context_tokens=99)
    assert told.capabilities == Capabilities(2, False, 99, True)


def test_a_spoilt_cache_costs_a_probe(server, cache_folder):
    (cache_folder / "recall4d").mkdir(parents=True)
    (cache_folder / "recall4d" / "models.json").write_text('{"x": 1, "y')
    assert model_at(server.url).capabilities.max_pictures == 8


def test_many_threads_probe_once(server):
    model = model_at(server.url)
    threads = [threading.Thread(target=lambda: model.complete(HELLO)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.bodies) == 4 + 6
