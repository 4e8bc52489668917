"""Who says so? Two agents saw one mug; one of them, from afar and half hidden, called it something else."""

from __future__ import annotations

import pytest
from worlds import box, entry, ns, snapshot, state, trajectory

from recall4d.query.answer import answer
from recall4d.query.english import Context, plan_question
from recall4d.records import Claim

TABLE = entry(
    "t", "table", "long oak table", [state(0.0, None, box((0.0, 0.0, 0.375), (1.6, 0.8, 0.75)))],
    [("alpha", 0.0, 29.0)], claims=(Claim("alpha", "long oak table", 9, 9, 1.5, ns(29.0)),),
)  # fmt: skip
MUG = entry(
    "m", "cup", "red mug with a handle", [state(1.0, None, box((0.4, 0.0, 0.80), (0.09, 0.09, 0.10)))],
    [("alpha", 1.0, 20.0), ("bravo", 62.0, 64.0)],
    claims=(
        Claim("alpha", "red mug with a handle", 12, 10, 1.2, ns(20.0)),
        Claim("bravo", "brown jug", 2, 0, 4.5, ns(64.0)),
    ),
)  # fmt: skip
BOOK = entry(
    "b", "book", "blue paperback book", [state(1.0, None, box((-0.4, 0.0, 0.77), (0.2, 0.15, 0.04)))],
    [("alpha", 1.0, 20.0), ("bravo", 62.0, 64.0)],
    claims=(
        Claim("alpha", "blue paperback book", 4, 4, 1.2, ns(20.0)),
        Claim("bravo", "blue paperback book", 3, 3, 1.4, ns(64.0)),
    ),
)  # fmt: skip
PATH = {
    agent: trajectory([(s, (0.0, -2.0, 1.5), (0.0, 0.0, 0.8)) for s in (start, start + 30)])
    for agent, start in (("alpha", 0.0), ("bravo", 60.0))
}
MEMORY = snapshot([TABLE, MUG, BOOK], PATH, now_s=100.0)

WON = 'alpha says "red mug with a handle" (12 views, 10 of them clear, from 1.20 m, last at 20.0 s, 1 min 20 s ago)'
LOST = (
    'bravo says "brown jug" (2 views, 0 of them clear, from 4.50 m, last at 1 min 4 s, 36.0 s ago; this claim lost)'
)


def ask(question):
    return answer(plan_question(question, Context.of(MEMORY, "alpha")), MEMORY, "alpha")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who says the red mug is on the table?", "alpha and bravo"),
        ("Who says that the mug is red?", "alpha"),
        ("Who claims that the mug is brown?", "bravo"),
        ("The red mug is on the table. Who says so?", "alpha and bravo"),
        ("What does bravo say about the red mug?", "brown jug"),
        ("What do the agents say about the red mug?", "red mug with a handle"),
        ("Do the agents agree about the red mug?", False),
        ("Do alpha and bravo disagree about the red mug?", True),
        ("Does alpha agree with bravo about the book?", True),
        ("Is there any disagreement about the book?", False),
    ],
)
def test_who_says_what(question, value):
    reply = ask(question)
    assert (reply.value, reply.abstained) == (value, False), reply.text


def test_the_claim_that_lost_is_named_with_what_it_rests_on():
    assert ask("Who says what about the red mug?").text == f"{WON}; {LOST}."
    assert LOST in ask("Do the agents agree about the red mug?").text
    assert LOST in ask("Who says the red mug is on the table?").text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Who says so?", "I cannot tell what is said of what"),
        ("Who says that the mug is green?", "Nobody says that the mug is green."),
        ("Who says the mug is under the table?", "Nobody says that: the mug is on the long oak table"),
        ("Do the agents agree about the table?", "Only alpha says what the table is"),
        ("Who says the hammer is on the table?", "Memory holds nothing like a hammer."),
    ],
)
def test_what_nobody_says(question, says):
    reply = ask(question)
    assert reply.abstained
    assert says in reply.text
