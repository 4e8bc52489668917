"""Keys are taken out of plans, and what hangs on them is not answered right any more."""

from __future__ import annotations

from typing import Any

from recall4d.bench.ablation import ABLATIONS, Json, Keys, ablate, answer_with_keys, with_keys
from recall4d.cli.documents import answer_document
from recall4d.query.plan_text import plan_of_text, text_of_plan
from tests.query.worlds import ORIGIN_NS, kitchen

KITCHEN = kitchen()


def question(number: int, text: str, kind: str, **answer: Any) -> dict[str, Any]:
    return {"id": number, "question": text, "answer_type": kind, "agent": "alpha", "now_s": 100, "answer": answer}


QUESTIONS = [
    question(1, "Where is the book?", "position", value=[-2.4, 0.3, 0.43], tolerance=0.1),
    question(2, "How many mugs are on the table?", "count", value=1, tolerance=0),
    question(3, "Where was the red mug at 10 s?", "position", value=[-0.4, 0.0, 0.8], tolerance=0.1),
]


def answered(asked: Json, keys: Keys) -> Json:
    return answer_document(answer_with_keys(asked["question"], KITCHEN, keys, asked["agent"]))


def test_a_key_is_taken_out_of_every_step() -> None:
    plan = plan_of_text('t: "table"; present\nm: "mug"; on t; existed at 10 s; by "alpha"')
    assert text_of_plan(with_keys(plan, {"semantic"})) == 't: "table"; present\nm: "mug"; by "alpha"'
    assert text_of_plan(with_keys(plan, {"spatial", "temporal"})) == (
        't: present\nm: on t; existed at 10 s; by "alpha"'
    )
    assert with_keys(plan, ABLATIONS["A8"]) == plan


def test_each_kind_of_question_needs_its_keys() -> None:
    right = {
        each.name: {verdict.id for verdict in each.score.verdicts if verdict.mark == "right"}
        for each in ablate(QUESTIONS, answered, ORIGIN_NS)
    }
    assert list(right) == ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"]
    assert right["A8"] == {"1", "2", "3"}
    assert right["A2"] == {"1"}
    assert right["A5"] == {"1", "2"}
    assert right["A6"] == {"1", "3"}
    assert right["A1"] == set()
