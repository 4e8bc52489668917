"""A trace on disk: what is written can be read again, also after a kill."""

import json

import pytest

from recall4d.errors import InputError, UsageError
from recall4d.reasoning.skeleton.trace import SCHEMA, Trace, read_trace, request_json
from recall4d.records import ChatRequest, Message, Picture

MANUAL = "The manual. " * 100


def written(path, *lines):
    trace = Trace(path, secrets=())
    trace.write("question", schema=SCHEMA, question="where is it?", planner="model", model="scripted")
    for event, fields in lines:
        trace.write(event, **fields)
    return trace


def test_lines_come_back_as_they_were(tmp_path):
    call = {
        "doing": "planning",
        "request": {"messages": [{"role": "system", "text": MANUAL}]},
        "reply": {"text": "short", "outcome": "done", "tokens_in": 9, "tokens_out": 1, "seconds": 0.1},
    }
    trace = written(tmp_path / "traces" / "t.jsonl", ("call", call), ("call", call))
    assert read_trace(trace.path) == trace.lines


def test_a_long_text_is_written_once(tmp_path):
    call = {"messages": [{"role": "system", "text": MANUAL}]}
    trace = written(tmp_path / "t.jsonl", ("call", call), ("call", call), ("call", call))
    assert trace.path.read_text().count(MANUAL.strip()) == 1


def test_a_line_cut_off_by_a_kill_is_left_out(tmp_path):
    trace = written(tmp_path / "t.jsonl", ("plan", {"round": 1}))
    with trace.path.open("a") as file:
        file.write('{"event": "rows", "row')
    assert [line["event"] for line in read_trace(trace.path)] == ["question", "plan"]


REPLY = {"text": "short", "outcome": "done", "tokens_in": 9, "tokens_out": 1, "seconds": 0.1}


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"doing": "planning", "request": None, "reply": REPLY}, "'request'"),
        ({"doing": "planning", "request": {"messages": []}}, "'reply'"),
        ({"doing": "planning", "request": {"messages": []}, "reply": {**REPLY, "text": 17}}, "'text'"),
        ({"doing": "planning", "request": {"messages": 3}, "reply": REPLY}, "'messages'"),
    ],
)
def test_a_call_of_another_shape_is_refused_with_its_line(tmp_path, fields, fault):
    trace = written(tmp_path / "t.jsonl", ("call", fields))
    with pytest.raises(InputError, match=f"line 2 .* expected {fault}"):
        read_trace(trace.path)


def test_what_the_disk_refuses_is_said_once(tmp_path, caplog):
    (tmp_path / "traces").write_text("in the way")
    trace = written(tmp_path / "traces" / "t.jsonl", ("plan", {"round": 1}))
    assert trace.path is None
    assert [record.message.startswith("no trace is kept") for record in caplog.records] == [True]


def test_secrets_never_reach_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "very-secret-value")
    trace = Trace(tmp_path / "t.jsonl")
    trace.write(
        "question", schema=SCHEMA, model="http://me:hunter2@host/v1", error={"why": "bad very-secret-value"}
    )
    text = trace.path.read_text()
    assert "very-secret-value" not in text
    assert "hunter2" not in text
    assert "http://" in text


def test_a_picture_is_told_by_hash_and_label():
    picture = Picture(b"not really a jpeg", label="frame 7 of alpha")
    (message,) = request_json(ChatRequest((Message("user", "look", (picture,)),)))["messages"]
    (told,) = message["pictures"]
    assert told["label"] == "frame 7 of alpha"
    assert len(told["sha256"]) == 64
    assert "not really" not in json.dumps(message)


def test_a_full_disk_costs_the_trace_and_not_the_answer(tmp_path):
    (tmp_path / "traces").write_text("a file where the folder should be")
    trace = Trace.in_memory_of(tmp_path)
    trace.write("question", schema=SCHEMA)
    assert trace.path is None
    assert trace.lines


def test_what_is_no_trace_is_named(tmp_path):
    with pytest.raises(UsageError, match="no trace at"):
        read_trace(tmp_path / "none.jsonl")
    other = tmp_path / "other.jsonl"
    other.write_text('{"event": "something"}\n')
    with pytest.raises(InputError, match="not a trace"):
        read_trace(other)
