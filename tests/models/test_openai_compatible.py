from __future__ import annotations

import base64
import io
import logging
from dataclasses import replace

import pytest
from PIL import Image
from pydantic import BaseModel

from recall4d import plugins
from recall4d.errors import (
    EmptyReplyError,
    ModelError,
    ModelRequestError,
    ModelUnavailableError,
    RealCallError,
    RefusedReplyError,
    TruncatedReplyError,
    UsageError,
)
from recall4d.models.conformance import ChatModelConformance, picture
from recall4d.models.real_calls import real_calls
from recall4d.models.spec import with_option
from recall4d.models.structured import ask
from recall4d.records import ChatRequest, Message, Reply

from .asking import HELLO, model_at
from .fake_server import FakeServer, broken_json, completion, drips, drops, fails, html, says, waits


class TestConformance(ChatModelConformance):
    @pytest.fixture(autouse=True)
    def running(self, server):
        self.url = server.url

    def model(self):
        return model_at(self.url)


class TestConformanceOfATextModelWithoutSchemas(TestConformance):
    @pytest.fixture(autouse=True)
    def running(self, server):
        self.url = server.url
        server.max_pictures, server.dialects, server.logprobs = 0, set(), False


# --- what is sent and what is read -----------------------------------------------


def test_a_request_becomes_the_json_that_servers_know(model, server):
    reply = model.complete(replace(HELLO, temperature=0.5, seed=3))
    (body,) = server.bodies
    assert body == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello there"}],
        "max_tokens": 9,
        "temperature": 0.5,
        "seed": 3,
        "stream": False,
        "logprobs": True,
    }
    assert (reply.text, reply.outcome, reply.tokens_in, reply.tokens_out) == ("I heard: hello there", "done", 4, 4)
    assert reply.confidence == pytest.approx(0.6065, abs=1e-4)
    assert reply.seconds > 0


def test_pictures_come_before_the_text_and_are_sent_as_they_are(model, server):
    shown = picture("red")
    model.complete(ChatRequest((Message("user", "Which colour?", (shown,)),)))
    first, second = server.bodies[0]["messages"][0]["content"]
    assert first["image_url"]["url"] == "data:image/png;base64," + base64.b64encode(shown.encoded).decode()
    assert second == {"type": "text", "text": "Which colour?"}


def test_a_large_picture_is_made_smaller(server):
    file = io.BytesIO()
    Image.new("RGB", (3000, 1500), "red").save(file, "JPEG")
    shown = replace(picture("red"), encoded=file.getvalue(), media_type="image/jpeg")
    model_at(server.url, max_side_px=600).complete(ChatRequest((Message("user", "?", (shown,)),)))
    url = server.bodies[-1]["messages"][0]["content"][0]["image_url"]["url"]
    assert Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).size == (600, 300)


@pytest.mark.parametrize(
    ("document", "reply"),
    [
        (completion("so long", "length"), Reply("so long", "length", 7, 3)),
        (completion(None), Reply("", "empty", 7, 3)),
        (completion("  \n"), Reply("", "empty", 7, 3)),
        (completion(None, refusal="I cannot."), Reply("I cannot.", "refused", 7, 3)),
        (completion("", "content_filter"), Reply("", "refused", 7, 3)),
        (completion("<think>is it? yes</think>\n\nyes"), Reply("yes", "done", 7, 3)),
        (completion("is it? yes</think>yes"), Reply("yes", "done", 7, 3)),
        (completion("<think>is it", "length"), Reply("", "length", 7, 3)),
        (completion("yes", reasoning_content="is it? yes"), Reply("yes", "done", 7, 3)),
        (
            completion([{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]),
            Reply("in parts", "done", 7, 3),
        ),
        ({**completion("no usage"), "usage": None}, Reply("no usage", "done", 0, 0)),
        (completion("odd", logprobs=[float("-inf"), 0.0]), Reply("odd", "done", 7, 3, confidence=0.0)),
        (completion("none", logprobs=[]), Reply("none", "done", 7, 3)),
    ],
)
def test_how_a_reply_ended_is_told(model, server, document, reply):
    server.then(says(document))
    assert replace(model.complete(HELLO), seconds=0.0) == reply


@pytest.mark.parametrize("document", [{}, [], "hello", {"choices": []}, {"choices": [{"message": {"content": 7}}]}])
def test_json_that_is_no_completion_is_an_error(model, server, document):
    server.then(says(document))
    with pytest.raises(ModelError, match="no chat completion"):
        model.complete(HELLO)


class Colour(BaseModel):
    colour: str


@pytest.mark.parametrize(
    ("document", "error"),
    [
        (completion('{"colour": "re', "length"), TruncatedReplyError),
        (completion(None, refusal="no"), RefusedReplyError),
        (completion(""), EmptyReplyError),
    ],
)
def test_three_ends_stay_three_errors_up_to_the_caller(model, server, document, error):
    server.then(says(document))
    with pytest.raises(error):
        ask(model, HELLO, Colour)


def test_a_document_is_asked_for_and_read(model, server):
    assert ask(model, HELLO, Colour).value == Colour(colour="words")
    assert server.bodies[0]["response_format"]["json_schema"]["schema"]["required"] == ["colour"]


# --- failures that pass, and that do not -----------------------------------------------


@pytest.mark.parametrize(
    "step",
    [
        fails(408),
        fails(429),
        fails(500),
        fails(502, "bad gateway"),
        fails(503),
        fails(529),
        drops,
        broken_json,
        html(502),
    ],
)
def test_what_may_pass_is_tried_again(model, server, step):
    server.then(step, step)
    assert model.complete(HELLO).text == "I heard: hello there"
    assert len(server.bodies) == 3
    first, second = model.waited_s
    assert 0.25 <= first <= 0.5 <= second <= 1.0


@pytest.mark.parametrize(
    "step",
    [
        fails(400, "bad request"), fails(401), fails(403), fails(404), fails(409), fails(422), html(200), html(404),
        fails(429, "You exceeded your current quota", "insufficient_quota"),
        fails(500, "image input is not supported", "not_supported_error"),
    ],
)  # fmt: skip
def test_what_would_come_again_is_not(model, server, step):
    server.then(step)
    with pytest.raises(ModelRequestError):
        model.complete(HELLO)
    assert len(server.bodies) == 1
    assert model.waited_s == []


def test_a_server_that_asks_to_wait_is_given_the_time(model, server):
    server.then(fails(429, Retry_After="7"))
    model.complete(HELLO)
    assert model.waited_s == [7.0]


def test_a_server_that_asks_for_too_long_a_wait_is_an_error(model, server):
    server.then(fails(429, "slow down", Retry_After="3600"))
    with pytest.raises(ModelUnavailableError, match="answered 429: slow down; it asks to wait 3600 s"):
        model.complete(HELLO)


def test_patience_ends(model, server):
    server.then(*[fails(503, "loading model")] * 4)
    with pytest.raises(ModelUnavailableError, match="answered 503: loading model"):
        model.complete(HELLO)
    assert len(server.bodies) == 4


def test_a_slow_reply_is_not_asked_for_again(server):
    model = model_at(server.url, timeout_s=0.3)
    assert model.capabilities.json_schema
    server.bodies.clear()
    server.then(waits(0.8))
    with pytest.raises(ModelUnavailableError, match=r"did not reply within 0\.3 s"):
        model.complete(HELLO)
    assert len(server.bodies) == 1


def test_a_reply_that_drips_is_bounded_as_a_whole(server):
    model = model_at(server.url, timeout_s=0.3)
    assert model.capabilities.json_schema
    server.then(drips(5.0))
    with pytest.raises(ModelUnavailableError, match=r"did not reply within 0\.3 s"):
        model.complete(HELLO)


def test_a_server_that_is_not_running_is_said_so():
    with (
        real_calls("local"),
        pytest.raises(
            ModelUnavailableError, match=r"no server at http://127.0.0.1:9/v1 .* start it, or pass --base-url"
        ),
    ):
        model_at("http://127.0.0.1:9/v1").complete(HELLO)


def test_a_wrong_address_is_said_so(model, server):
    server.then(html())
    with pytest.raises(ModelRequestError, match="answered with text/html, not JSON: is the base URL right"):
        model.complete(HELLO)


def test_a_server_that_sends_on_is_not_followed_but_said_so(model, server):
    server.then(fails(308, Location="https://elsewhere.example/v1/chat/completions"))
    with pytest.raises(ModelRequestError, match=r"answered 308.*: it sends on to https://elsewhere\.example/v1"):
        model.complete(HELLO)


def test_a_model_the_server_does_not_have_is_said_so(server):
    server.names = ["gemma", "qwen"]
    with pytest.raises(ModelRequestError, match=r"no model 'tiny' at http.*: it serves gemma, qwen"):
        model_at(server.url).complete(HELLO)


def test_a_request_that_is_too_long_is_said_so(model):
    with pytest.raises(
        ModelRequestError, match=r"too long for the model: .* maximum context length is 2000 tokens"
    ):
        model.complete(replace(HELLO, messages=(Message("user", "mug " * 2001),)))


def test_a_prompt_that_was_cut_silently_is_warned_of(model, server, caplog):
    server.then(says(completion("yes", tokens_in=100)))
    with caplog.at_level(logging.WARNING):
        model.complete(replace(HELLO, messages=(Message("user", "mug " * 1500),)))
    assert "read 100 tokens of a prompt of 6000 characters: it was cut" in caplog.text


# --- many at once -----------------------------------------------


def test_no_more_than_the_limit_are_under_way(server):
    model = model_at(server.url, concurrency=2)
    assert model.capabilities
    server.most_under_way = 0
    server.then(*[waits(0.05)] * 8)
    assert all(isinstance(reply, Reply) for reply in model.complete_all([HELLO] * 8))
    assert server.most_under_way == 2


def test_each_failure_stands_in_its_place(server):
    model = model_at(server.url, concurrency=1)
    assert model.capabilities
    server.then(says(completion("a")), fails(400, "no"), says(completion("b")))
    a, failed, b = model.complete_all([HELLO] * 3)
    assert (a.text, b.text) == ("a", "b")
    assert isinstance(failed, ModelRequestError)


def test_when_the_server_is_gone_the_rest_is_not_tried_one_by_one():
    with real_calls("local"), FakeServer() as server:
        model = model_at(server.url, concurrency=1)
        assert model.capabilities
        url = server.url
    with real_calls("local"):
        results = model.complete_all([HELLO] * 50)
    assert all(isinstance(result, ModelUnavailableError) for result in results)
    assert str(results[-1]) == f"not asked: the server at {url} is gone"
    assert len(model.waited_s) == 3


# --- where the server is, and its key -----------------------------------------------


@pytest.mark.parametrize("variable", ["RECALL4D_BASE_URL", "OPENAI_BASE_URL"])
def test_the_base_url_comes_from_the_environment(server, monkeypatch, variable):
    monkeypatch.setenv(variable, server.url)
    assert plugins.chat_model("openai:tiny").complete(HELLO).outcome == "done"


def test_the_base_url_of_the_spec_goes_first(server, monkeypatch):
    monkeypatch.setenv("RECALL4D_BASE_URL", "http://127.0.0.1:9/v1")
    spec = with_option("openai:tiny", "base_url", server.url)
    assert plugins.chat_model(spec).complete(HELLO).outcome == "done"


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("localhost:8000", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        ("https://models.example/api/v1/chat/completions", "https://models.example/api/v1"),
        ("http://user:secret@localhost:8000/v1", "http://localhost:8000/v1"),
    ],
)
def test_base_urls_are_read_as_people_write_them(given, url):
    assert model_at(given).url == url


@pytest.mark.parametrize("given", ["", "ftp://x/v1", "http://", "http://x/v1?key=secret", "http://x:port/v1"])
def test_what_is_no_base_url_is_refused_without_repeating_secrets(given):
    with pytest.raises(UsageError) as caught:
        model_at(given)
    assert "base URL" in str(caught.value) or "--base-url" in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("option", ["colour=red", "timeout_s=soon", "retries=-1"])
def test_options_are_checked(option):
    with pytest.raises(UsageError, match=option.partition("=")[0]):
        plugins.chat_model(f"openai:tiny?base_url=http://localhost:1&{option}")


def test_a_model_needs_a_name():
    with pytest.raises(UsageError, match="openai needs the name of a model"):
        plugins.chat_model("openai")


def test_the_key_opens_and_is_never_shown(server, monkeypatch, caplog):
    server.key = "sk-secret-1"
    monkeypatch.setenv("RECALL4D_API_KEY", "sk-secret-1")
    model = model_at(server.url)
    with caplog.at_level(logging.DEBUG):
        assert model.complete(HELLO).outcome == "done"
    server.key = "another"
    with pytest.raises(ModelRequestError, match="it does not take this key") as caught:
        model.complete(HELLO)
    assert "Incorrect API key provided: Bearer ***" in str(caught.value)
    shown = [repr(model), repr(vars(model)), str(caught.value), repr(caught.value), caplog.text]
    assert caught.value.__cause__ is None
    assert not any("sk-secret-1" in each for each in shown)


def test_without_a_key_it_is_said_where_it_goes(server):
    server.key = "sk-secret-1"
    with pytest.raises(ModelRequestError, match=r"answered 401.*set RECALL4D_API_KEY"):
        model_at(server.url).complete(HELLO)


def test_the_key_for_openai_goes_to_openai_only(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-2")
    model_at(server.url).complete(HELLO)
    assert not any("Authorization" in headers for headers in server.headers)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    plugins.chat_model("openai:tiny").complete(HELLO)
    assert server.headers[-1]["Authorization"] == "Bearer sk-secret-2"


def test_no_call_leaves_where_real_calls_are_switched_off(server):
    with real_calls("none"), pytest.raises(RealCallError):
        model_at(server.url).complete(HELLO)
    assert server.bodies == []
