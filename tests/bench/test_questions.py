"""The verdicts of the question scorer, and its command."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from recall4d.bench.questions import judge, main, says, score_questions
from recall4d.clock import seconds_to_ns

ORIGIN_NS = 1_760_000_000_000_000_000


def question(answer_type, /, id="q", **answer):
    return {"id": id, "question": "?", "agent": "a", "now_s": 10.0, "answer_type": answer_type, "answer": answer}


def document(value, text="", abstained=False):
    answer = {"value": value, "text": text, "abstained": abstained}
    return {"now_ns": ORIGIN_NS + seconds_to_ns(10.0), "answer": answer}


def mark(asked, value, text="", abstained=False, **options):
    return judge(asked, document(value, text, abstained), ORIGIN_NS, **options).mark


def at(seconds):
    return ORIGIN_NS + seconds_to_ns(seconds)


def test_positions_count_within_tolerance():
    asked = question("position", value=[1.0, 2.0, 3.0], tolerance=0.15, value_agent_map=[0.0, 0.0, 0.0])
    assert mark(asked, [1.1, 2.0, 3.0]) == "right"
    assert mark(asked, [1.1, 2.1, 3.1]) == "wrong"
    assert mark(asked, [0.0, 0.0, 0.1], agent_map=True) == "right"


@pytest.mark.parametrize(("value", "verdict"), [(6, "right"), (5, "wrong"), ("six", "wrong"), (True, "wrong")])
def test_counts(value, verdict):
    assert mark(question("count", value=6, tolerance=0), value) == verdict


def test_instants_and_intervals():
    instant = question("time", value=6.6, tolerance=0.7)
    assert mark(instant, at(7.0)) == "right"
    assert mark(instant, at(9.0)) == "wrong"
    assert mark(instant, [at(6.0), at(7.0)]) == "right"
    assert mark(instant, [at(0.0), at(30.0)]) == "wrong", "an interval that says nothing"
    interval = question("time", value=100.4, interval_s=[61.9, 138.9], tolerance=3.0)
    assert mark(interval, [at(62.0), at(138.0)]) == "right"
    assert mark(interval, [at(62.0), at(199.0)]) == "wrong"
    assert mark(interval, at(100.0)) == "right"


@pytest.mark.parametrize(("degrees", "verdict"), [(-170.0, "right"), (175.0, "right"), (-120.0, "wrong")])
def test_directions_wrap(degrees, verdict):
    assert mark(question("direction", value_deg_right_positive=178.0, tolerance_deg=25), degrees) == verdict


def test_yes_and_no():
    asked = question("yesno", value=False, accept=["no"])
    assert mark(asked, False) == "right"
    assert mark(asked, True) == "wrong"


def test_an_entity_is_judged_by_what_it_names_not_by_what_is_told_besides():
    asked = question("entity", accept=["teddy bear", "teddy"])
    assert mark(asked, "brown teddy bear") == "right"
    assert mark(asked, "black frying pan", text="The frying pan: 8.2 m; the teddy bear 4.4 m.") == "wrong"
    assert mark(asked, ["brown teddy bear"]) == "right"


def test_texts_are_judged_with_their_sentence():
    asked = question("text", accept=["on the sofa"])
    assert mark(asked, "x", text="From the coffee table to: on the sofa.") == "right"


def test_lists_want_enough_and_nothing_else():
    asked = question("list", accept_all=["red mug", ["bowl", "dish"], "book"], min_correct=2)
    assert mark(asked, ["red mug with a handle", "plain white bowl"]) == "right"
    assert mark(asked, ["red mug"]) == "wrong"
    assert mark(asked, ["red mug", "bowl", "elephant"]) == "wrong"
    loose = question("text", accept_all=["mug", "bowl"])
    assert mark(loose, ["mug", "bowl", "spoon"]) == "right", "a short key does not name everything that is there"
    assert mark(loose, "a mug and a bowl") == "right"


def test_abstaining_is_right_where_memory_cannot_know():
    unknowable = question("text", abstain=True, accept=["unknown"])
    assert mark(unknowable, None, abstained=True) == "right"
    assert mark(unknowable, "milk") == "wrong"
    known = question("count", value=2, tolerance=0)
    assert mark(known, None, abstained=True) == "abstained"
    assert judge(known, None, ORIGIN_NS).mark == "abstained"


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("plain white mug with coffee in it", "white coffee mug", True),
        ("Two BOOKS", "book", True),
        ("small white cup with red and grey flowers", "floral mug", True),
        ("wall-mounted flat TV", "television", True),
        ("translucent plastic box with a lid", "plastic container", True),
        ("I know nothing", "no", False),
        ("bookcase", "book", False),
    ],
)
def test_words_are_compared_whole_and_under_any_name(text, phrase, found):
    assert says(text, phrase) is found


def test_the_table_counts_by_type():
    asked = [question("count", id="a", value=1, tolerance=0), question("yesno", id="b", value=True)]
    score = score_questions(asked, {"a": document(1), "b": document(False)}, ORIGIN_NS)
    assert score.by_type()["count"]["right"] == 1
    assert score.share("wrong") == 0.5
    assert "50%" in score.table()
    assert score.to_json()["shares"] == {"right": 0.5, "abstained": 0.0, "wrong": 0.5}


def test_the_command_takes_the_output_of_ask(tmp_path):
    asked = [question("count", id="a", value=1, tolerance=0)]
    (tmp_path / "questions.json").write_text(json.dumps(asked))
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "a", **document(1)}) + "\n")
    paths = [str(tmp_path / "questions.json"), str(tmp_path / "answers.jsonl")]
    table = CliRunner().invoke(main, paths)
    assert table.exit_code == 0
    assert "100%" in table.output
    as_json = CliRunner().invoke(main, [*paths, "--json"])
    assert json.loads(as_json.output)["n"] == 1
