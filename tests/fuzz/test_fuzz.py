"""A short version of `python -m benchmarks fuzz`: spoilt plans and replies end in an answer or a sentence."""

import json

import pytest

from recall4d.bench.fuzz import FORMS, PLANS, fuzz, spoilt
from recall4d.errors import InputError
from recall4d.query.plan.faults import plan_of_json
from recall4d.reasoning.r4.question_form import FlatForm
from tests.query.worlds import kitchen


def test_nothing_crashes_and_nothing_is_executed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = fuzz(kitchen(), 1500, seed=7)
    assert report.cases == 1500
    assert report.crashes == []
    assert list(tmp_path.iterdir()) == []


def test_a_case_can_be_run_again_by_its_seed():
    once, again = (fuzz(kitchen(), 60, seed=3) for _ in range(2))
    assert once.outcomes == again.outcomes


def test_what_is_spoilt_begins_sound():
    """Else every case would end at the first check, and show nothing."""
    for plan in PLANS:
        plan_of_json(json.dumps(plan))
    sound = [form for form in FORMS if form["ask"] != "left_or_right"]
    for form in sound:
        FlatForm().plan(form)


def test_mutations_reach_the_text_and_the_document():
    import random

    texts = {spoilt(random.Random(seed), PLANS[0]) for seed in range(300)}
    assert len(texts) > 150
    assert any(_is_json(text) for text in texts)
    assert any(not _is_json(text) for text in texts)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"limit": 1_000_000}, "at most 1000 rows"),
        ({"within_step": "things"}, "not an earlier step"),
        ({"spatial": [{"relation": "within", "anchors": [{"kind": "agent"}], "distance_m": 1e300}]}, "distance_m"),
        ({"temporal": {"after": {"kind": "elapsed", "seconds": 1e300}}}, "seconds"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_sentence(change, sentence):
    step = {"name": "things", "semantic": {"texts": ["mug"]}, **change}
    with pytest.raises(InputError, match=sentence):
        plan_of_json({"steps": [step], "ask": {"kind": "where", "step": "things"}})


@pytest.mark.parametrize("number", ["Infinity", "1e999", "NaN"])
def test_a_radius_without_end_is_refused(number):
    text = json.dumps(PLANS[1]).replace('"distance_m": 1.0', f'"distance_m": {number}')
    with pytest.raises(InputError, match="distance_m"):
        plan_of_json(text)


def test_a_circle_of_steps_is_refused():
    near = {"relation": "nearest", "anchors": [{"kind": "step", "step": "b"}]}
    back = {"relation": "nearest", "anchors": [{"kind": "step", "step": "a"}]}
    with pytest.raises(InputError, match="'b', which is not an earlier step"):
        plan_of_json({"steps": [{"name": "a", "spatial": [near]}, {"name": "b", "spatial": [back]}]})


def _is_json(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
