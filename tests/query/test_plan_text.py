"""The text of a plan: what it says, that it says exactly the plan, and what is said of a text that is none."""

from __future__ import annotations

import pytest
from random_memories import Dice

from recall4d.errors import InputError
from recall4d.query.plan import Plan
from recall4d.query.plan_text import plan_of_text, read_plan, text_of_plan

N_PLANS = 1000

RICH = """\
known at 30 s
table: "dining table" or "table"; with "oak"; without "broken"; similarity 0.25; category "table"; present; limit 1
mugs: "mug"; on any table up to 0.5 m; not next left of table seen by agent "alpha" at 10 s; \
observed from table.moved.first +5 s to 12.5 s ago during visit -1 of agent "bravo" to region "kitchen"
rest: anything
left: within 2 m of (1, -0.5, 0.75); inside polygon (0, 0) (1, 0) (1, 1) height 0 to 2; among rest; except mugs; \
by "alpha"; not by "bravo"; visibility visible, occluded; kinds both; order last_seen; limit 3; not diverse
ahead: facing bearing -90 deg spread 45 deg; along path of me from frame 12 of agent "alpha" to now; \
existed at clock "08:30" "Europe/Berlin" 1 days ago
so: front of entry "cup-1" seen by own front; between table and box (0, 0, 0) (1, 1, 1); \
existed to "2026-03-01T12:00Z" during state of mugs
measure count mugs
measure distance mugs table
measure time table.first_seen to now
ask compare_distance mugs other table among rest, left detail "nearest" only moved, gone rank nearest"""


@pytest.mark.parametrize("seed", range(N_PLANS // 10))
def test_a_text_says_exactly_its_plan(seed: int) -> None:
    dice = Dice(seed)
    memory = dice.memory()
    for _ in range(10):
        plan = dice.plan(memory)
        text = text_of_plan(plan)
        assert plan_of_text(text) == plan, text
        assert text_of_plan(plan_of_text(text)) == text
        assert read_plan(plan.model_dump_json()) == plan
        assert read_plan(plan.model_dump_json(exclude_defaults=True)) == plan


def test_a_rich_plan_reads_and_prints_as_it_is_written() -> None:
    assert text_of_plan(plan_of_text(RICH)) == RICH


def test_texts_of_people_are_read_more_widely_than_they_are_printed() -> None:
    written = (
        '# where I had breakfast\nt: "table" | m: "mug"; on t; within 6 feet of t;\n\nask list m # all of them'
    )
    plan = plan_of_text(written)
    assert text_of_plan(plan) == 't: "table"\nm: "mug"; on t; within 1.8288000000000002 m of t\nask list m'
    assert plan_of_text('a: "x"; observed from 2 min ago') == plan_of_text('a: "x"; observed from 120 s ago')


def test_steps_may_be_called_like_words_of_the_language() -> None:
    steps = [{"name": "me"}, {"name": "now", "within_step": "me"}, {"name": "any", "except_step": "now"}]
    spatial = {"relation": "on", "anchors": [{"kind": "step", "step": "any", "which": "any"}]}
    when = {"after": {"kind": "of_step", "step": "now", "edge": "moved"}}
    steps.append({"name": "on", "spatial": [spatial], "temporal": when})  # type: ignore[dict-item]
    plan = Plan.model_validate({"steps": steps, "ask": {"kind": "list", "step": "any", "other": "on"}})
    assert plan_of_text(text_of_plan(plan)) == plan


def test_quotations_keep_whatever_they_hold() -> None:
    plan = Plan.model_validate({"steps": [{"name": "a", "semantic": {"texts": ['say "|";\n\\ # ü']}}]})
    assert plan_of_text(text_of_plan(plan)) == plan


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('m: "mug"; on tabel', "line 1, column 14: expected an earlier step (there is none yet), got 'tabel'"),
        ('t: "table"\nm: "mug"; on', "line 2, column 13: expected a place: (x, y, z), an earlier step, me"),
        ('m: "mug', "line 1, column 4: expected the end of the quotation"),
        ('m: "mug"; within 2 m table', "line 1, column 22: expected 'of', got 'table'"),
        ('m: "mug"; within 2 parsec of me', "line 1, column 20: expected a unit of length"),
        ('m: "mug"; limit 5000', "line 1, column 1: limit: at most 1000 rows"),
        ('m: "mug"; limit 2; limit 3', "line 1, column 20: this is said twice"),
        ('m: "mug"; near me', "line 1, column 11: expected a clause"),
        ("m: order best", "line 1, column 10: expected an order (score, distance, "),
        ('m: "mug" on me', "line 1, column 10: expected the end of the line, got 'on'"),
        ("m: observed from yesterday", "line 1, column 18: expected an earlier step"),
        ("m: inside (1, 2)", "line 1, column 16: expected 3 numbers, got ')'"),
        ("ask everything", "line 1, column 5: expected what to answer"),
        ('m: anything\nm: "mug"', "line 1, column 1: two steps are named 'm'"),
        ("m: existed to \"2026-03-01T12:00\"", "line 1, column 15: at: expected ISO 8601 with a time zone"),
        ("what?", "line 1, column 5: expected a word, number or quotation, got '?'"),
        ("", "line 1, column 1: expected a step such as mugs"),
        ("hello", "line 1, column 1: expected a step such as mugs"),
    ],
)  # fmt: skip
def test_what_is_no_plan_is_told_where_and_what_was_expected(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        plan_of_text(text)
    assert said in str(refused.value)
