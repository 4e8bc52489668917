from __future__ import annotations

import json
from dataclasses import replace

import pytest

from recall4d import plugins
from recall4d.errors import ModelRequestError, ModelUnavailableError, TapeError, UsageError
from recall4d.models.conformance import GREETING, ChatModelConformance
from recall4d.models.openai_compatible import OpenAICompatibleModel, ServerOptions
from recall4d.models.replay import RecordingModel, ReplayModel
from recall4d.models.scripted import ScriptedModel
from recall4d.models.tape import request_key
from recall4d.records import Capabilities, ChatRequest, Message, Picture, Reply

SOFA = Picture(b"the bytes of a picture of a sofa", label="frame 3")
QUESTION = ChatRequest((Message("user", "Where is the book?", (SOFA,)),), json_schema={"type": "object"})
OTHER = ChatRequest((Message("user", "Where is the mug?"),))


class TestConformanceWhileRecording(ChatModelConformance):
    @pytest.fixture(autouse=True)
    def prepared(self, server, tape):
        self.asked = OpenAICompatibleModel("tiny", ServerOptions(base_url=server.url))
        self.tape = tape

    def model(self):
        return RecordingModel(self.asked, self.tape)


class TestConformanceOfReplay(ChatModelConformance):
    """Each test is recorded first, then run again on its tape."""

    real = False

    @pytest.fixture(autouse=True)
    def recorded(self, request, server, tape):
        recording = TestConformanceWhileRecording()
        recording.asked = OpenAICompatibleModel("tiny", ServerOptions(base_url=server.url))
        recording.tape = self.tape = tape
        getattr(recording, request.function.__name__)()
        recording.model().complete(GREETING)

    def model(self):
        return ReplayModel(self.tape)


def with_text(text: str) -> ChatRequest:
    return replace(QUESTION, messages=(replace(QUESTION.messages[0], text=text),))


@pytest.fixture
def tape(tmp_path):
    return tmp_path / "tape.jsonl"


def test_what_was_recorded_is_replayed_exactly(tape):
    said = Reply("on the sofa", "done", tokens_in=300, tokens_out=4, seconds=1.25, confidence=0.875)
    able = Capabilities(max_pictures=4, json_schema=True, context_tokens=8192, token_probabilities=True)
    recording = RecordingModel(
        ScriptedModel([said, ModelUnavailableError("busy")], name="m", capabilities=able), tape
    )
    assert recording.complete(QUESTION) == said
    with pytest.raises(ModelUnavailableError):
        recording.complete(OTHER)

    replay = plugins.chat_model(f"replay:{tape}")
    assert (replay.name, replay.capabilities) == ("m", able)
    with pytest.raises(ModelUnavailableError, match="busy"):
        replay.complete(OTHER)
    assert replay.complete(QUESTION) == said


def test_a_recording_is_made_of_any_model_by_its_name(tmp_path, tape):
    script = tmp_path / "replies.json"
    script.write_text('["on the sofa"]')
    assert plugins.chat_model(f"record:{tape}:scripted:{script}").complete(QUESTION).text == "on the sofa"
    assert plugins.chat_model(f"replay:{tape}").complete(QUESTION).text == "on the sofa"
    with pytest.raises(UsageError, match="record needs a tape and a model"):
        plugins.chat_model(f"record:{tape}")


def test_a_request_is_known_by_its_content_and_not_by_a_label():
    relabelled = replace(QUESTION, messages=(replace(QUESTION.messages[0], pictures=(replace(SOFA, label="x"),)),))
    repainted = replace(
        QUESTION, messages=(replace(QUESTION.messages[0], pictures=(replace(SOFA, encoded=b"y"),)),)
    )
    assert request_key(relabelled) == request_key(QUESTION)
    keys = {
        request_key(each)
        for each in (QUESTION, repainted, OTHER, replace(QUESTION, seed=1), replace(QUESTION, max_tokens=9),
                     replace(QUESTION, temperature=0.5), replace(QUESTION, json_schema=None))
    }  # fmt: skip
    assert len(keys) == 7


def test_asked_twice_recorded_twice_and_no_third_time(tape):
    RecordingModel(ScriptedModel(["a", "b"]), tape).complete_all([OTHER, OTHER])
    replay = ReplayModel(tape)
    assert [replay.complete(OTHER).text for _ in range(2)] == ["a", "b"]
    with pytest.raises(TapeError, match="line 2 was recorded 2 times and is asked once more"):
        replay.complete(OTHER)
    replay.rewind()
    assert replay.complete(OTHER).text == "a"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (with_text("Where is the bottle?"), "messages[0].text was 'Where is the book?', is 'Where is the bottle?'"),
        (replace(QUESTION, max_tokens=64, seed=2), "max_tokens was 512, is 64; seed was 0, is 2"),
        (replace(QUESTION, json_schema={"type": "array"}), "json_schema.type was 'object', is 'array'"),
        (ChatRequest((Message("system", "Hi."), *QUESTION.messages)), "number of messages was 1, is 2"),
    ],
)  # fmt: skip
def test_a_request_that_is_not_on_the_tape_says_what_differs(tape, asked, told):
    RecordingModel(ScriptedModel(["far", "near"]), tape).complete_all([OTHER, QUESTION])
    with pytest.raises(TapeError) as caught:
        ReplayModel(tape).complete(asked)
    assert told in str(caught.value)


def test_a_long_text_is_shown_where_it_differs(tape):
    RecordingModel(ScriptedModel(["x"]), tape).complete(with_text("a" * 500 + " mug " + "b" * 500))
    with pytest.raises(TapeError, match=r"was '?\.\.\.'a+ mug b+'\.\.\., is \.\.\.'a+ cup b+'\.\.\."):
        ReplayModel(tape).complete(with_text("a" * 500 + " cup " + "b" * 500))


def test_recording_goes_on_where_it_was_stopped_and_asks_nothing_twice(tape):
    RecordingModel(ScriptedModel(["a"]), tape).complete(QUESTION)
    with tape.open("a") as file:
        file.write('{"request": {"messa')  # killed while writing
    model = ScriptedModel(["b"])
    again = RecordingModel(model, tape)
    assert [reply.text for reply in again.complete_all([QUESTION, OTHER])] == ["a", "b"]
    assert model.requests == [OTHER]
    assert [json.loads(line).get("reply", {}).get("text") for line in tape.read_text().splitlines()] == [
        None,
        "a",
        "b",
    ]


def test_a_tape_is_of_one_model(tape):
    RecordingModel(ScriptedModel([], name="a"), tape)
    with pytest.raises(UsageError, match="is of a, not of b"):
        RecordingModel(ScriptedModel([], name="b"), tape)


def test_failures_keep_their_kind(tape):
    RecordingModel(ScriptedModel([ModelRequestError("no such model")]), tape).complete_all([OTHER])
    (result,) = ReplayModel(tape).complete_all([OTHER])
    assert isinstance(result, ModelRequestError)
    assert str(result) == "no such model"


@pytest.mark.parametrize("content", ["", "hello\n", '{"tape": "recall4d.tape/9"}\n', "[1]\n", None])
def test_a_file_that_is_no_tape_is_refused(tape, content):
    if content is not None:
        tape.write_text(content)
    with pytest.raises(TapeError, match="tape"):
        ReplayModel(tape)


def test_no_secret_reaches_a_tape(tape, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sk-do-not-write-me")
    talkative = ScriptedModel(["the key is sk-do-not-write-me, at http://me:hunter2@host/v1"])
    asked = ChatRequest((Message("user", "is sk-do-not-write-me a teapot?"),))
    RecordingModel(talkative, tape).complete(asked)
    written = tape.read_text()
    assert "do-not-write-me" not in written
    assert "hunter2" not in written
    assert "the key is [hidden]" in ReplayModel(tape).complete(asked).text
