"""The form that language models fill in, and the manual that tells them how."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import wordllama
from tokenizers import Tokenizer
from worlds import kitchen

from recall4d.errors import InputError
from recall4d.geometry.region import Region
from recall4d.models.schema import bare
from recall4d.query.execute import execute
from recall4d.query.keys_form import KeysForm, Known, keys_of_json, plan_of_form
from recall4d.query.manual import EXAMPLES, retrieval_manual
from recall4d.query.plan_text import text_of_plan
from recall4d.query.rooms import ROOM_REACH_M

KITCHEN = replace(kitchen(), regions={"Kitchen": Region.of([(-3, -3), (3, -3), (3, 3), (-3, 3)])})
KNOWN = Known(agents=("alpha", "bravo"), regions=("Kitchen",), entry_ids=("e01",))


def compiled(*steps: dict[str, object], ask: str = "rows") -> str:
    return text_of_plan(plan_of_form(KeysForm.model_validate({"steps": steps, "ask": ask}), KNOWN))


def test_a_thing_that_is_only_named_gets_a_step_of_its_own() -> None:
    step = {"name": "near", "where": {"relation": "within", "of": "dining table", "distance_m": 2}}
    assert compiled(step) == 'dining_table: "dining table"; kinds both\nnear: within 2 m of any dining_table'


def test_an_earlier_step_is_taken_by_its_name() -> None:
    steps = (
        {"name": "table", "what": "table"},
        {"name": "mug", "what": "mug", "where": {"relation": "on", "of": "table"}},
    )
    assert compiled(*steps, ask="count") == 'table: "table"\nmug: "mug"; on any table\nmeasure count mug'


@pytest.mark.parametrize(
    ("of", "place"),
    [
        ("me", "me"),
        ("bravo", 'agent "bravo"'),
        ("agent bravo", 'agent "bravo"'),
        ("kitchen", 'region "Kitchen"'),
        ("region kitchen", 'region "Kitchen"'),
        ("1, 2.5, -0.5", "(1, 2.5, -0.5)"),
        ("e01", 'entry "e01"'),
    ],
)
def test_what_a_place_is_called_by(of: str, place: str) -> None:
    assert compiled({"name": "x", "where": {"relation": "near", "of": of}}) == f"x: within 1 m of {place}"


@pytest.mark.parametrize(
    ("when", "text"),
    [
        ({"at": "12 s ago"}, "existed at 12 s ago"),
        ({"at": "12 seconds ago", "seen": True}, "observed at 12 s ago"),
        ({"after": "start", "before": "2 min"}, "existed from 0 s to 120 s"),
        ({"before": "2026-03-01T12:00Z"}, 'existed to "2026-03-01T12:00Z"'),
        ({"at": "frame 12"}, "existed at frame 12"),
        ({"during": "last visit"}, "existed during visit -1 of me"),
        ({"during": "visit 2 of bravo"}, 'existed during visit 2 of agent "bravo"'),
        ({"during": "last visit to Kitchen"}, 'existed during visit -1 of me to region "Kitchen"'),
    ],
)
def test_times_as_a_model_writes_them(when: dict[str, object], text: str) -> None:
    assert compiled({"name": "x", "when": when}) == f"x: {text}"


def test_events_and_sights_of_things_that_are_only_named() -> None:
    moved = {"name": "x", "when": {"before": "the red mug was moved"}}
    assert compiled(moved) == 'the_red_mug: "the red mug"; kinds both\nx: existed to the_red_mug.moved'
    seen = {"name": "x", "when": {"seen": True, "during": "kettle in view"}}
    assert compiled(seen) == 'kettle: "kettle"; kinds both\nx: observed during sight of kettle'


def test_left_and_right_at_a_time_are_seen_from_where_one_stood_then() -> None:
    step = {"name": "x", "where": {"relation": "right", "of": "table"}, "when": {"at": "12 s ago"}}
    assert compiled(step).endswith("x: right of table seen by me at 12 s ago; not under table; existed at 12 s ago")
    view = {"name": "x", "where": {"relation": "in_view", "of": "bravo"}, "when": {"at": "30 s"}}
    assert compiled(view) == 'x: in view seen by agent "bravo" at 30 s; existed at 30 s'


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ({"name": "x", "when": {"at": "yesterday"}}, "step 'x': when.at: expected an earlier step"),
        (
            {"name": "x", "where": {"relation": "between", "of": "a"}},
            "step 'x': where: 'between' takes of and and_of",
        ),
        ({"name": "x", "where": {"relation": "in_view", "of": "sofa"}}, "expected me or an agent (alpha, bravo)"),
        ({"name": "x", "among": "y"}, "step 'x': among: expected an earlier step, got 'y'"),
    ],
)
def test_what_cannot_be_read_is_named(step: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        compiled(step)
    assert sentence in str(refused.value)


def test_what_is_no_form_is_refused_with_a_sentence() -> None:
    with pytest.raises(InputError, match=r"steps\.0\.where\.relation: input should be 'near', 'within'"):
        keys_of_json('{"steps": [{"name": "x", "where": {"relation": "close to", "of": "me"}}]}')
    with pytest.raises(InputError, match="a distance needs two steps"):
        keys_of_json('{"steps": [{"name": "x"}], "ask": "distance"}')


@pytest.mark.parametrize(("question", "form"), EXAMPLES)
def test_the_examples_of_the_manual_run(question: str, form: dict[str, object]) -> None:
    plan = plan_of_form(keys_of_json(json.dumps(form)), KNOWN)
    result = execute(plan, KITCHEN)
    assert result.last.windows or result.last.note, question


def test_the_manual_says_what_the_schema_enforces_and_is_short() -> None:
    manual = retrieval_manual(("alpha", "bravo"), ("kitchen",))
    schema = json.dumps(bare(KeysForm.model_json_schema()))
    for name in ("relation", "of", "and_of", "distance_m", "seen_by", "during", "what", "not", "among", "presence"):
        assert f"- {name}: " in manual
        assert f'"{name}"' in schema
    assert "near|within|beyond|nearest" in manual
    assert "Agents: alpha, bravo." in manual


def test_the_manual_takes_at_most_900_tokens_of_llama_2() -> None:
    """Its tokenizer, which comes with wordllama, is a wasteful one; newer ones need fewer."""
    (path,) = (Path(wordllama.__file__).parent / "tokenizers").glob("l2_*.json")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    assert len(tokenizer.encode(retrieval_manual(("alpha", "bravo"), ("kitchen",))).ids) <= 900


def test_two_spatial_keys_hold_together():
    step = {
        "name": "x",
        "what": "book",
        "where": {"relation": "on", "of": "shelf"},
        "and_where": {"relation": "nearest", "of": "radio"},
    }
    assert compiled(step).endswith('x: "book"; on any shelf; nearest radio')


def test_a_room_is_where_the_things_are_that_it_is_known_by():
    plan = plan_of_form(
        KeysForm.model_validate({"steps": [{"name": "x", "where": {"relation": "inside", "of": "kitchen"}}]})
    )
    room, found = plan.steps
    assert "refrigerator" in room.semantic.texts
    assert (found.spatial[0].relation, found.spatial[0].distance_m) == ("within", ROOM_REACH_M)


@pytest.mark.parametrize(("surfaces", "n_keys"), [(None, 1), ((), 0), (("wall",), 1)])
def test_a_wall_that_memory_does_not_hold_narrows_nothing(surfaces, n_keys):
    form = KeysForm.model_validate(
        {"steps": [{"name": "x", "what": "tv", "where": {"relation": "on", "of": "the wall"}}]}
    )
    plan = plan_of_form(form, Known(surfaces=surfaces))
    assert len(plan.steps[-1].spatial) == n_keys
