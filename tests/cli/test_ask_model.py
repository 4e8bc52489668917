"""`recall4d ask` with a model, and `recall4d trace`: what programs and people get."""

import json

import pytest

from recall4d.cli.main import main
from recall4d.models.real_calls import real_calls

ANSWERED = [
    {"ask": "where", "steps": [{"name": "teapot", "what": "teapot"}]},
    {"fits": True, "confidence": 90, "next": "none", "note": "", "drop": []},
]


@pytest.fixture
def scripted(tmp_path):
    """A model that says these documents."""

    def write(*replies):
        path = tmp_path / "replies.json"
        path.write_text(json.dumps(replies))
        return f"scripted:{path}"

    return write


@pytest.fixture
def asked(recall4d, memory, scripted):
    """The answer's document to a question, answered by a model that says `replies`."""

    def ask(*replies, question="whither the teapot?", options=("--planner", "model", "--gate", "never")):
        ended = recall4d("ask", memory, question, "--model", scripted(*replies), *options, "--json")
        assert ended.code == 0, ended.err
        return json.loads(ended.out)

    return ask


def test_the_answer_says_what_it_cost_and_how_it_came_about(asked):
    document = asked(*ANSWERED)
    assert document["answer"]["type"] == "position"
    assert document["answer"]["unsupported"] == []
    assert document["stop_reason"] == "answered"
    assert document["rounds"] == 1
    assert document["usage"]["calls"] == 2
    assert document["evidence"]
    assert document["trace"].endswith(".jsonl")


def test_a_trace_can_be_shown_and_replayed(asked, recall4d):
    trace = asked(*ANSWERED)["trace"]
    shown = recall4d("trace", "show", trace)
    assert shown.code == 0
    for part in ("whither the teapot?", "round 1: planning", "Task plan.", "rows", "answered; 2 calls"):
        assert part in shown.out
    lines = json.loads(recall4d("trace", "show", trace, "--json").out)["lines"]
    assert [line["event"] for line in lines] == ["question", "call", "plan", "rows", "call", "verdict", "answer"]
    replayed = json.loads(recall4d("trace", "replay", trace, "--json").out)
    assert (replayed["same"], replayed["differences"]) == (True, [])
    assert "the same answer" in recall4d("trace", "replay", trace).out


def test_a_replay_that_comes_to_another_answer_says_what_differs(asked, recall4d):
    trace = asked(*ANSWERED)["trace"]
    with open(trace) as file:
        lines = [json.loads(line) for line in file]
    lines[-1]["value"] = [0.0, 0.0, 0.0]
    with open(trace, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    replayed = json.loads(recall4d("trace", "replay", trace, "--json").out)
    assert replayed["same"] is False
    assert recall4d("trace", "replay", trace).code == 1
    assert "value was [0.0, 0.0, 0.0], is" in replayed["differences"][0]


def test_no_secret_reaches_a_trace(asked, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sk-do-not-write-me")
    document = asked(*ANSWERED, question="is sk-do-not-write-me a teapot at http://me:hunter2@host/v1?")
    with open(document["trace"]) as file:
        written = file.read()
    assert "sk-do-not-write-me" not in written
    assert "hunter2" not in written
    assert "is [hidden] a teapot" in written


def test_without_traces_nothing_is_written(asked, memory):
    document = asked(*ANSWERED, options=("--planner", "model", "--gate", "never", "--no-trace"))
    assert document["trace"] is None
    assert not (memory / "traces").exists()


def test_a_model_makes_hybrid_the_planner(recall4d, memory, scripted):
    """What the grammar understands needs no reply: this model has none."""
    ended = recall4d("ask", memory, "where is the teapot?", "--model", scripted(), "--json")
    assert json.loads(ended.out)["usage"]["calls"] == 0


def test_multiple_choice_names_the_option(asked):
    options = ("--planner", "model", "--gate", "never", "--choices", "a bicycle|a teapot")
    document = asked(
        {"ask": "which", "steps": [{"name": "pot", "what": "teapot"}]},
        {"fits": True, "confidence": 90, "next": "none", "note": "", "option": "B"},
        question="which of these is for tea?",
        options=options,
    )
    assert (document["answer"]["type"], document["answer"]["value"]) == ("choice", "B")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--planner", "model"), 2, "needs --model"),
        (("--model", "telepathy:x", "--planner", "model"), 2, "unknown model 'telepathy'"),
    ],
)
def test_words_that_are_off_are_named(recall4d, memory, arguments, code, told):
    ended = recall4d("ask", memory, "where is the teapot?", *arguments)
    assert ended.code == code
    assert told in ended.err


def test_an_image_that_is_none_is_named(recall4d, memory, scripted, tmp_path):
    (tmp_path / "view.jpg").write_text("no picture")
    ended = recall4d(
        "ask",
        memory,
        "what do I see?",
        "--model",
        scripted(),
        "--planner",
        "model",
        "--image",
        tmp_path / "view.jpg",
    )
    assert ended.code == 3
    assert "view.jpg is no picture" in ended.err


def test_the_present_view_is_the_keyframe_asked_for(asked):
    seen = {"basis": "view", "answer": "a table", "confidence": 99}
    document = asked(seen, question="what is before me?", options=("--planner", "model", "--frame", "3s"))
    assert document["stop_reason"] == "answered without memory"
    with open(document["trace"]) as file:
        heading = json.loads(file.readline())
    assert heading["view"]["source"].startswith("keyframes/")


def test_a_trace_that_is_none_is_named(recall4d, tmp_path):
    ended = recall4d("trace", "show", tmp_path / "none.jsonl")
    assert ended.code == 2
    assert "no trace at" in ended.err


def test_trace_is_a_command_of_its_own():
    assert "trace" in main.commands


def test_a_trace_that_is_not_there_is_said_so(recall4d, tmp_path):
    ended = recall4d("trace", "replay", tmp_path / "absent.jsonl")
    assert (ended.code, "no trace at" in ended.err) == (2, True)


def test_hybrid_needs_no_server_for_what_the_grammar_reads(recall4d, memory):
    server = ("--model", "openai:x?retries=0", "--base-url", "http://127.0.0.1:9/v1")
    assert recall4d("ask", memory, "where is the teapot?", *server).code == 0


def test_every_question_of_a_file_has_its_document_though_the_model_is_gone(recall4d, memory, tmp_path):
    questions = tmp_path / "questions.txt"
    questions.write_text("where is the teapot?\nfrobnicate the teapot, pray?\n")
    server = ("--model", "openai:x?retries=0", "--base-url", "http://127.0.0.1:9/v1")
    with real_calls("local"):
        ended = recall4d("ask", memory, "--file", questions, *server, "--json")
    documents = [json.loads(line) for line in ended.out.splitlines()]
    assert ended.code == 4
    assert [each["answer"]["abstained"] for each in documents] == [False, True]
    assert documents[1]["stop_reason"].startswith("model failed: ")


def test_what_a_model_helped_to_answer_says_so_without_a_trace(recall4d, memory, scripted):
    options = ("--planner", "model", "--gate", "never", "--no-trace")
    ended = recall4d("ask", memory, "whither the teapot?", "--model", scripted(*ANSWERED), *options)
    assert "by a model: answered; 2 calls" in ended.out
    assert "trace:" not in ended.out


def test_a_present_view_needs_a_model(recall4d, memory):
    ended = recall4d("ask", memory, "where is the teapot?", "--frame", "0s")
    assert (ended.code, "for a model to see" in ended.err) == (2, True)


def test_a_picture_that_breaks_off_is_no_view(recall4d, memory, recording, tmp_path, scripted):
    whole = next((recording / "color").glob("*.jpg")).read_bytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    model, image = scripted(*ANSWERED), tmp_path / "cut.jpg"
    ended = recall4d("ask", memory, "whither the teapot?", "--model", model, "--image", image)
    assert ended.code == 3
    assert "cut.jpg is no picture that can be read" in ended.err
