"""Embeddings from a server that speaks OpenAI's interface, and from one that does not."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from recall4d import plugins
from recall4d.errors import ModelRequestError, ModelUnavailableError, RealCallError, UsageError
from recall4d.models.real_calls import real_calls


class Embeddings(ThreadingHTTPServer):
    """Embeds a text as (its length, its number of words, 1); `faults` are sent first, each (status, body)."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[dict] = []
        self.headers: list[dict[str, str]] = []
        self.faults: list[tuple[int, object]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(body)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        status, document = self.server.faults.pop(0) if self.server.faults else (200, None)
        if document is None:
            rows = [
                {"index": index, "embedding": [len(text), len(text.split()), 1.0]}
                for index, text in enumerate(body["input"])
            ]
            document = {"data": rows[::-1]}
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        if status == 429:
            self.send_header("retry-after", "0.01")
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def embeddings() -> Iterator[Embeddings]:
    with real_calls("local"), Embeddings() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_vectors_come_in_the_order_asked_and_with_length_one(embeddings):
    embedder = plugins.embedder(f"openai:small?url={embeddings.url}&batch=2")

    vectors = embedder.embed(["red cup", "", "table", "a b c"])

    expected = (
        np.array([[7, 2, 1], [5, 1, 1], [5, 3, 1]])
        / np.linalg.norm([[7, 2, 1], [5, 1, 1], [5, 3, 1]], axis=1)[:, None]
    )
    assert vectors[[0, 2, 3]] == pytest.approx(expected, abs=1e-6)
    assert not vectors[1].any()
    assert [body["input"] for body in embeddings.bodies] == [["a"], ["red cup", "table"], ["a b c"]]
    assert embedder.dimension == 3


def test_the_length_of_a_vector_is_asked_once_for_all(embeddings):
    plugins.embedder(f"openai:small?url={embeddings.url}").embed(["cup"])

    assert plugins.embedder(f"openai:small?url={embeddings.url}").dimension == 3
    assert [body["input"] for body in embeddings.bodies] == [["a"], ["cup"]]


def test_another_model_behind_the_same_name_is_noticed(embeddings):
    plugins.embedder(f"openai:small?url={embeddings.url}").embed(["cup"])
    embeddings.faults = [(200, {"data": [{"index": 0, "embedding": [1.0, 0.0]}]})]

    with pytest.raises(ModelRequestError, match="vectors of 2 numbers for small, and sent 3 before"):
        plugins.embedder(f"openai:small?url={embeddings.url}").embed(["cup"])


def test_the_name_is_the_model_wherever_it_runs(embeddings):
    assert plugins.embedder(f"openai:small?url={embeddings.url}").name == "openai:small"
    assert plugins.embedder(f"openai:small?url={embeddings.url}&dimensions=2").name == "openai:small?dimensions=2"


def test_the_key_comes_from_the_environment(embeddings, monkeypatch):
    monkeypatch.setenv("RECALL4D_API_KEY", "secret")
    embedder = plugins.embedder(f"openai:small?url={embeddings.url}")
    embedder.embed(["cup"])

    assert embeddings.headers[-1]["authorization"] == "Bearer secret"
    assert "secret" not in repr(vars(embedder))


@pytest.mark.parametrize("status", [429, 503])
def test_what_passes_is_tried_again(embeddings, status):
    embeddings.faults = [(status, {"error": "busy"})]

    assert plugins.embedder(f"openai:small?url={embeddings.url}&retries=1").embed(["cup"]).any()


def test_what_does_not_pass_is_not(embeddings):
    embeddings.faults = [(400, {"error": {"message": "no such model"}})]

    with pytest.raises(ModelRequestError, match="answered 400: no such model"):
        plugins.embedder(f"openai:small?url={embeddings.url}").embed(["cup"])
    assert len(embeddings.bodies) == 1


def test_a_server_that_stays_busy_is_given_up(embeddings):
    embeddings.faults = [(429, {"error": "busy"})] * 2

    with pytest.raises(ModelUnavailableError, match="answered 429"):
        plugins.embedder(f"openai:small?url={embeddings.url}&retries=1").embed(["cup"])


@pytest.mark.parametrize(
    "document",
    [
        {"data": []},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 1, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [None]}]},
        {"choices": []},
        [],
    ],
)
def test_a_reply_that_holds_no_vectors_is_no_reply(embeddings, document):
    embeddings.faults = [(200, document)]

    with pytest.raises(ModelRequestError, match="is it a model for embeddings"):
        plugins.embedder(f"openai:small?url={embeddings.url}").embed(["cup"])


def test_a_test_calls_no_server_it_has_not_started():
    with pytest.raises(RealCallError):
        plugins.embedder("openai:text-embedding-3-small").embed(["cup"])


def test_options_that_are_off_are_refused():
    with pytest.raises(UsageError, match="option batch"):
        plugins.embedder("openai:small?batch=0")
