"""English for the less common parts of the plan language, on the kitchen and in plans."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gist import CONTEXT, gist
from tests.query.worlds import box, entry, kitchen, ns, state

from recall4d.geometry.region import Region
from recall4d.query.answer import answer
from recall4d.query.english import Context, plan_question
from recall4d.records import Answer

KITCHEN = replace(kitchen(), regions={"Nook": Region.of([(-3.0, -2.0), (-1.5, -2.0), (-1.5, 2.0), (-3.0, 2.0)])})


def asked(question: str, agent: str = "alpha") -> Answer:
    return answer(plan_question(question, Context.of(KITCHEN, agent)), KITCHEN, agent)


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("What did bravo see while I was in the kitchen?",
         "in_view:bravo thing by bravo seen on visit of alpha to (stove)"),
        ("What was on the shelf the last time I passed the sofa?",
         "list thing on (shelf on last visit of alpha to (sofa)) on last visit of alpha to (sofa)"),
        ("What did I see while the mug was on the table?",
         "in_view:alpha thing by alpha seen while (mug on (table in 0s..) in 0s..)"),
        ("Which mugs are along my path?", "list mug along the path of alpha"),
        ("What did bravo walk past?", "list thing along the path of bravo"),
        ("What did alpha see that bravo did not?", "list thing by alpha not by bravo"),
        ("Which things has only bravo seen?", "list thing by bravo not by alpha"),
        ("What has bravo not seen?", "list thing not by bravo"),
        ("What are the three things nearest to the door?",
         "list:nearest thing nearest (door) order distance limit 3"),
        ("Is anything missing?", "has_changed:gone thing in 0s.."),
        ("What hangs above the table?", "list thing above (table) not on (table)"),
        ("What were the last two things I saw?", "list thing by alpha order last_seen limit 2"),
        ("Where did the mug use to stand?", "where:before mug"),
        ("What is on the table except the mug?", "list thing on (table) except (mug)"),
        ("How many times did I visit the kitchen?", "visits:count thing on visit of alpha to (stove) limit 1"),
        ("When was I last in the kitchen?", "visits:last thing on visit of alpha to (stove) limit 1"),
        ("Was the box moved after the chair was moved?", "compare_times:after box / chair"),
    ],
)  # fmt: skip
def test_a_question_becomes_the_plan(question: str, plan: str) -> None:
    assert gist(question, CONTEXT) == plan


def test_a_named_region_is_where_things_are() -> None:
    assert asked("What is in the nook?").entry_ids == ("e06", "e07")
    assert asked("How many things are not in the nook?").value == 7
    assert asked("Is the book in the nook?").value is True
    assert asked("Where is the nook?").abstained


def test_what_one_agent_saw_and_the_other_did_not() -> None:
    assert set(asked("What did alpha see that bravo did not see?").entry_ids) == {"e05", "e07", "e09"}
    assert asked("What did bravo see that I have not seen?").entry_ids == ("e10",)
    assert asked("Has only bravo seen the box?").value is True


def test_while_something_else_was_so() -> None:
    seen = asked("What did bravo see while the red mug was on the counter?", "bravo").entry_ids
    assert "e10" in seen
    assert "e05" not in seen


def test_visits_are_counted_and_dated() -> None:
    assert asked("How many times did alpha walk past the table?").value == 1
    assert asked("How long did bravo stay at the counter?").value == 30.0
    assert asked("When did I last walk past the table?").value == [ns(0), ns(30)]
    assert asked("How many times did bravo walk past the sofa?").value == 0


def test_where_one_stood_when_something_happened() -> None:
    at = asked("Where was bravo when the red mug was moved?", "bravo")
    assert at.value == pytest.approx([0.0, 4.0, 1.5])
    assert asked("Where was I on my first tour?").abstained


def test_what_is_gone_is_not_there_for_as_long_as_it_has_been_gone() -> None:
    assert asked("How long was the kettle on the counter?").abstained


def test_which_of_two_events_was_first() -> None:
    """The kettle went between 18 and 66 s, the mug was moved between 20 and 65 s: nobody can tell."""
    unsure = asked("Was the kettle removed before the red mug was moved?")
    assert unsure.abstained
    assert unsure.text.startswith("Memory cannot tell which was first")
    later = entry(
        "e30", "lamp", "desk lamp",
        [state(0, 80, box((2.0, 0, 0), (0.2, 0.2, 0.4))), state(80, None, box((3.0, 0, 0), (0.2, 0.2, 0.4)))],
        [("alpha", 0, 20), ("bravo", 70, 75), ("bravo", 80, 85)],
    )  # fmt: skip
    memory = replace(KITCHEN, entries=(*KITCHEN.entries, later))
    memory = replace(memory, vectors=memory.embed([each.description for each in memory.entries]))

    def told(question: str) -> bool:
        value = answer(plan_question(question, Context.of(memory)), memory).value
        assert isinstance(value, bool)
        return value

    assert told("Was the red mug moved before the lamp was moved?")
    assert not told("Was the red mug moved after the lamp was moved?")


def test_anything_missing_is_what_has_gone() -> None:
    missing = asked("Is anything missing?")
    assert (missing.value, missing.entry_ids) == (True, ("e05",))
    there = replace(KITCHEN, entries=tuple(each for each in KITCHEN.entries if each.entry_id != "e05"))
    there = replace(there, vectors=there.embed([each.description for each in there.entries]))
    assert answer(plan_question("Is anything missing?", Context.of(there)), there).value is False


def test_a_plural_is_spoken_of_in_the_plural() -> None:
    blocks = entry(
        "e20",
        "toy",
        "stacked toy blocks",
        [state(1, None, box((0.6, 0.3, 0.8), (0.1, 0.1, 0.1)))],
        [("alpha", 1, 5)],
    )
    memory = replace(KITCHEN, entries=(*KITCHEN.entries, blocks))
    memory = replace(memory, vectors=memory.embed([each.description for each in memory.entries]))
    text = answer(plan_question("Where are the toy blocks?", Context.of(memory)), memory).text
    assert text.startswith("The toy blocks are on the dining table")


def test_between_a_thing_and_one_of_two_means_the_nearer_one() -> None:
    sets = [
        entry(f"t{i}", "tv", "flat TV", [state(0, None, box((x, 2.0, 0.5), (1.0, 0.1, 0.6)))], [("alpha", 0, 5)])
        for i, x in enumerate((30.0, -2.5))
    ]
    ball = entry(
        "b1", "ball", "red ball", [state(0, None, box((-2.5, 1.3, 0.4), (0.2, 0.2, 0.2)))], [("alpha", 0, 5)]
    )
    memory = replace(KITCHEN, entries=(*KITCHEN.entries, *sets, ball))
    memory = replace(memory, vectors=memory.embed([each.description for each in memory.entries]))
    found = answer(plan_question("What is between the sofa and the TV?", Context.of(memory)), memory)
    assert found.entry_ids[:1] == ("b1",)


def test_several_questions_at_once_are_refused_in_one_sentence() -> None:
    bundle = asked("Where is the book, how many mugs are there, and is the kettle gone?")
    assert bundle.abstained
    assert bundle.text == "That is more than one question; ask one at a time."


def test_nothing_like_it_is_said_so() -> None:
    assert asked("Is there anything like a piano?").text.startswith("No: memory holds nothing like a piano")
