"""A real language model of 135 million weights, in this process and behind a server.

What it says is poor; that it is asked, held to schemas and read rightly is what is tested.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from recall4d import plugins
from recall4d.errors import InputError, ModelRequestError, RealCallError, UsageError
from recall4d.models.conformance import GREETING, ChatModelConformance
from recall4d.models.llama_cpp import LlamaCppModel, LlamaCppOptions
from recall4d.models.openai_compatible import OpenAICompatibleModel, ServerOptions
from recall4d.models.probe import Probed
from recall4d.models.real_calls import real_calls
from recall4d.models.structured import ask
from recall4d.records import Capabilities, ChatRequest, Message

from ..conftest import REPOSITORY

CONTEXT_TOKENS = 512
SMALL_MODEL = REPOSITORY / ".venv" / "small-model.gguf"


class Sighting(BaseModel):
    thing: Literal["mug", "zither"]
    places: list[Literal["shelf", "floor"]] = Field(min_length=1, max_length=2)
    seen: bool


QUESTION = ChatRequest((Message("user", "The zither is on the shelf. Where is the zither?"),), max_tokens=60)


@pytest.fixture(scope="module")
def weights() -> Path:
    """The model's file, as `make test` lays it. Missing: fails in CI, skips elsewhere."""
    path = Path(os.environ.get("RECALL4D_SMALL_MODEL", SMALL_MODEL))
    if not path.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI needs the small model at {path}: make test")
        pytest.skip(f"no small model at {path}: make test brings it")
    return path


@pytest.fixture(autouse=True)
def calls_on_this_machine() -> Iterator[None]:
    with real_calls("local"):
        yield


@pytest.fixture(scope="module")
def in_process(weights) -> LlamaCppModel:
    with real_calls("local"):
        return LlamaCppModel(weights, LlamaCppOptions(context_tokens=CONTEXT_TOKENS, threads=1))


@pytest.fixture(scope="module")
def served(weights) -> Iterator[OpenAICompatibleModel]:
    command = [sys.executable, str(Path(__file__).with_name("serve_gguf.py")), str(weights), str(CONTEXT_TOKENS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        yield OpenAICompatibleModel("small", ServerOptions(base_url=url, concurrency=2))
        process.stdin.close()


class TestInProcess(ChatModelConformance):
    @pytest.fixture(autouse=True)
    def loaded(self, in_process):
        self.loaded_model = in_process

    def model(self):
        return self.loaded_model


def test_a_server_is_found_out(served):
    assert served.probed() == Probed(
        Capabilities(max_pictures=0, json_schema=True, context_tokens=CONTEXT_TOKENS, token_probabilities=True),
        dialect="json_schema",
        server="llamacpp",
        notes=served.probed().notes,
    )
    (note,) = served.probed().notes
    assert "mmproj" in note


@pytest.mark.parametrize("which", ["in_process", "served"])
def test_a_value_comes_back_whatever_the_model_thinks(which, request):
    model = request.getfixturevalue(which)
    parsed = ask(model, QUESTION, Sighting)
    assert isinstance(parsed.value, Sighting)
    (reply,) = parsed.replies
    assert reply.tokens_in > 10
    assert 0 < reply.tokens_out <= 60
    assert 0 < reply.confidence <= 1


def test_both_ways_to_the_same_weights_say_the_same(in_process, served):
    assert in_process.complete(GREETING).text == served.complete(GREETING).text


def test_a_prompt_beyond_the_context_is_refused(in_process):
    with pytest.raises(ModelRequestError, match=r"too long for the model: .*512 tokens"):
        in_process.complete(ChatRequest((Message("user", "mug " * 600),)))


def test_a_file_that_is_no_model_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no model at .*\.gguf"):
        plugins.chat_model(f"llama-cpp:{tmp_path / 'absent.gguf'}")
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF and then nothing of the kind")
    with pytest.raises(InputError, match=r"is it a whole \.gguf file"):
        plugins.chat_model(f"llama-cpp:{broken}")
    with pytest.raises(UsageError, match="needs the name"):
        plugins.chat_model("llama-cpp")


def test_no_model_is_loaded_where_real_calls_are_switched_off(weights):
    with real_calls("none"), pytest.raises(RealCallError):
        plugins.chat_model(f"llama-cpp:{weights}")
