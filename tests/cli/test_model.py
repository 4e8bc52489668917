"""`recall4d model probe`, against a server of the test's own."""

import json

import pytest

from recall4d.models.real_calls import real_calls

from ..models.fake_server import FakeServer
from . import contract
from .test_contract import read


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with real_calls("local"), FakeServer() as running:
        yield running


def test_what_a_model_can_take_is_printed(recall4d, server):
    server.max_pictures = 1
    ended = recall4d("model", "probe", "openai:tiny", "--base-url", server.url)
    assert ended.code == 0, ended.err
    assert ended.out.splitlines() == [
        f"openai:tiny at {server.url} (vllm)",
        "  pictures     1 a request",
        "  JSON schema  held to it",
        "  context      2000 tokens",
        "  confidence   from token probabilities",
        "  note: one picture a request: several are sent as one contact sheet",
    ]


def test_what_a_program_reads_of_it(recall4d, server):
    server.dialects = set()
    found = read(contract.Model, recall4d("model", "probe", "openai:tiny", "--base-url", server.url, "--json"))
    assert (found.url, found.json_schema, found.schema_dialect) == (server.url, False, None)
    assert "said in words" in found.notes[0]


def test_a_model_that_is_no_server(recall4d, tmp_path):
    (tmp_path / "replies.json").write_text(json.dumps(["hello"]))
    found = read(contract.Model, recall4d("model", "probe", f"scripted:{tmp_path / 'replies.json'}", "--json"))
    assert (found.url, found.server, found.json_schema) == (None, None, True)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["openai:tiny"], 2, "pass --base-url or set RECALL4D_BASE_URL"),
        (["openai:tiny", "--base-url", "http://127.0.0.1:9"], 4, "start it, or pass --base-url"),
        (["parrot:tiny"], 2, "unknown model 'parrot': expected one of"),
        (["llama-cpp:absent.gguf"], 3, "no model at absent.gguf"),
        (["replay:absent.jsonl"], 3, "cannot read the tape absent.jsonl"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(recall4d, server, monkeypatch, arguments, code, told):
    for name in ("RECALL4D_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    ended = recall4d("model", "probe", *arguments)
    assert ended.code == code
    assert told in ended.err
    assert ended.err.count("\n") == 1
