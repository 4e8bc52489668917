"""Questions to the small kitchen of `worlds`, and what is said."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import box, entry, kitchen, ns, snapshot, state, trajectory

from recall4d.query.answer import answer
from recall4d.query.english import Context, plan_question
from recall4d.query.english.lexicon import phrases, verb_forms
from recall4d.records import Answer

KITCHEN = kitchen()


def ask(question, memory=KITCHEN, agent=None, choices=()) -> Answer:
    return answer(plan_question(question, Context.of(memory, agent), choices), memory, agent)


SENTENCES = [
    # where
    ("Where is the red mug?", "The red mug is on the black polished worktop, 4.27 m ahead of you. "
     "Last seen at 1 min 25 s, 15.0 s ago."),
    ("Where was the red mug before it was moved?",
     "The red mug was on the dining table (long oak table with square legs) before."),
    ("Where is the kettle?",
     "The kettle is gone: it was on the black polished worktop, last seen at 18.0 s, 1 min 22 s ago."),
    ("On what is the book lying?", "The book is on the grey two-seat sofa."),
    ("Which room is the kettle in?", "The kettle is in the kitchen, near the black polished worktop."),
    ("Where is the box?",
     "The box is under the dining table (long oak table with square legs), 2.42 m ahead of you. "
     "Last seen at 1 min 20 s, 20.0 s ago."),
    # when
    ("When did I first see the apple?", "The apple was first seen at 4.0 s, 1 min 36 s ago, by alpha."),
    ("When was the red mug moved?", "The red mug was moved between 20.0 s and 1 min 5 s, 35.0 s ago."),
    ("When did the kettle disappear?", "The kettle went between 18.0 s and 1 min 6 s, 34.0 s ago."),
    # amounts
    ("How many mugs are there?",
     "There are 2 mugs: red mug with a handle and plain white mug with coffee in it."),
    ("How many vacuum cleaners are there?", "None: memory holds no vacuum cleaners."),
    ("How far is the sofa?", "The sofa is 3.39 m ahead-left of you."),
    ("How far was the red mug moved?", "The red mug moved by 2.38 m, last between 20.0 s and 1 min 5 s."),
    ("How high is the table?", "The table reaches 75 cm above the floor."),
    ("How wide is the sofa?", "The sofa measures 1.80 m by 90 cm by 80 cm (long side, short side, height)."),
    # which way
    ("Which way is the sofa?", "The sofa is ahead-left of you, 51 degrees to the left, 3.39 m away."),
    ("Is the sofa on my left or on my right?", "The sofa is on your left."),
    # lists
    ("What is on the table?", "3 things: plain white mug with coffee in it, plain white bowl and green apple."),
    ("What is in the white mug?", "The plain white mug with coffee in it: coffee."),
    ("What moved?",
     "The red mug with a handle moved by 2.38 m, "
     "from on the dining table (long oak table with square legs) to on the black polished worktop."),
    ("What is gone?", "The steel electric kettle is gone; it was on the black polished worktop."),
    # yes or no
    ("Is the kettle still on the counter?",
     "No: it is gone. It was on the black polished worktop, last seen at 18.0 s, 1 min 22 s ago."),
    ("Is there a laptop on the table?", "No: memory holds no such laptop."),
    ("Is the book blue?", "Yes: memory describes it as book (blue paperback book)."),
    ("Has the red mug been moved?", "Yes: the red mug with a handle moved between 20.0 s and 1 min 5 s."),
    ("Had the red mug been moved by 40 s?",
     "Memory cannot tell: the red mug moved between 20.0 s and 1 min 5 s."),
    ("Did both alpha and bravo see the kettle?", "No: alpha saw the kettle, bravo did not."),
    ("When was the red mug moved to the counter?",
     "The red mug was moved between 20.0 s and 1 min 5 s, 35.0 s ago."),
    ("Is the kettle no longer on the counter?",
     "Yes: it is gone. It was on the black polished worktop, last seen at 18.0 s, 1 min 22 s ago."),
    # others
    ("Who saw the red mug last?", "bravo, at 1 min 25 s, 15.0 s ago."),
    ("What colour is the book?", "Blue: book (blue paperback book)."),
    ("Which is closer to the sofa, the bowl or the white mug?",
     "The plain white bowl: 1.93 m; the plain white mug with coffee in it 2.40 m."),
]  # fmt: skip


@pytest.mark.parametrize(("question", "text"), SENTENCES)
def test_what_is_said(question, text):
    assert ask(question).text == text


VALUES = [
    ("Where is the book?", "position", [-2.4, 0.3, 0.43]),
    ("When did I first see the apple?", "time", ns(4.0)),
    ("When was the red mug moved?", "time", [ns(20.0), ns(65.0)]),
    ("How long ago did I see the kettle?", "duration", 82.0),
    ("How long was the apple in view?", "duration", 5.0),
    ("How long has the box been under the table?", "duration", 30.0),
    ("How often was the kettle in view?", "count", 1),
    ("How many mugs are on the table?", "count", 1),
    ("How many mugs were on the table on my first tour?", "count", 2),
    ("How many more mugs than bowls are there?", "count", 1),
    ("How far apart are the mugs?", "distance", 2.207),
    ("How high is the table?", "distance", 0.75),
    ("Which way is the sofa?", "direction", -51.3),
    ("Is the sofa to the left or to the right of the table?", "direction", "left"),
    ("Is the apple still in the bowl?", "yesno", True),
    ("Was the red mug on the table at frame 100?", "yesno", True),
    ("Was the box under the table on my first visit?", "yesno", False),
    ("Did bravo see the kettle?", "yesno", False),
    ("Did either alpha or bravo see the kettle?", "yesno", True),
    ("Was there ever a kettle on the counter?", "yesno", True),
    ("How many tours did I make?", "count", 1),
    ("Are there two mugs?", "yesno", True),
    ("Has anything moved?", "yesno", True),
    ("Is the bowl closer to the sofa than the white mug?", "yesno", True),
    ("Which mug is closest to the sofa?", "entity", "plain white mug with coffee in it"),
    ("What is directly to the left of the white mug?", "entity", "plain white bowl"),
    ("Which did I see first, the bowl or the book?", "entity", "plain white bowl"),
    ("Who saw the box?", "entity", "bravo"),
    ("What is left of the white mug?", "list", ["plain white bowl", "green apple"]),
    ("What is new?", "list", ["brown cardboard box"]),
    ("What was on the counter when bravo came through the kitchen?", "list", ["red mug with a handle"]),
    ("What colour is the sofa?", "text", "grey"),
]


@pytest.mark.parametrize(("question", "answer_type", "value"), VALUES)
def test_values_are_typed(question, answer_type, value):
    answered = ask(question)
    assert answered.type == answer_type
    assert answered.value == value
    assert not answered.abstained


ABSTENTIONS = [
    ("Where is the teapot?", "nothing like a teapot"),
    ("When did I see the teapot?", "nothing like a teapot"),
    ("What is on the piano?", "nothing like a piano"),
    ("Is the teapot still on the table?", "nothing like a teapot"),
    ("How far is the teapot from the bowl?", "nothing like a teapot"),
    ("What is inside the box?", "nothing there"),
    ("Is there anything inside the box?", "the inside was not seen"),
    ("What is the sofa made of?", "says nothing of its material"),
    ("Is the sofa comfortable?", "could not read 'comfortable'"),
    ("Who moved the mug?", "does not know who"),
    ("Where was bravo at 5 s?", "nothing is known of where agent bravo was"),
    ("Has the moon any idea?", ""),
    ("Where was the red mug originally, before it was made?", ""),
    ("How far was the white mug moved?", "does not know that the white mug moved"),
]


@pytest.mark.parametrize(("question", "said"), ABSTENTIONS)
def test_what_memory_does_not_hold_is_said(question, said):
    answered = ask(question)
    assert answered.abstained
    assert answered.value is None
    assert said.lower() in answered.text.lower()


def test_a_cupboard_is_not_looked_into():
    cupboard = entry(
        "c", "cupboard", "red wall cupboard", [state(0, None, box((0, 0, 1), (1, 1, 1)))], [("a", 0, 9)]
    )
    sink = entry("s", "sink", "steel sink", [state(0, None, box((0, 0, 1.2), (0.4, 0.4, 0.2)))], [("a", 0, 9)])
    eyes = {"a": trajectory([(0.0, (0, -3, 1.5), (0, 0, 1)), (9.0, (0, -3, 1.5), (0, 0, 1))])}
    memory = snapshot([cupboard, sink], eyes, now_s=10.0)
    answered = ask("What is inside the cupboard?", memory)
    assert answered.abstained
    assert answered.look_next == "Look inside the red wall cupboard."


def test_words_that_may_matter_stop_the_answer():
    answered = ask("Where is the mug if it rains?")
    assert answered.abstained
    assert "if" in answered.unread
    assert answered.stop_reason == "words not understood"


def test_a_vague_place_does_not():
    answered = ask("Where is the box in the corner?")
    assert not answered.abstained
    assert answered.unread == ("corner",)


def test_the_viewpoint_is_named():
    by_bravo = ask("What is right of the white mug?", agent="bravo")
    by_alpha = ask("What is left of the white mug?", agent="alpha")
    assert by_bravo.viewpoint == "agent bravo at 100.00 s"
    assert by_alpha.viewpoint == "agent alpha at 100.00 s"
    assert by_bravo.value == by_alpha.value, "they stand on opposite sides of the table"


def test_evidence_says_what_brought_it_in_and_where_to_look():
    answered = ask("What is on the table?")
    assert [each.entry_id for each in answered.evidence] == ["e02", "e08", "e09"]
    assert all("table" in each.why for each in answered.evidence)
    assert answered.evidence[0].view is not None
    assert answered.entry_ids == ("e02", "e08", "e09")


def test_two_of_a_kind_are_both_named():
    answered = ask("Where is the mug?")
    assert answered.entry_ids == ("e03", "e02")
    assert "There is 1 more like it" in answered.text
    assert answered.confidence is not None
    assert answered.confidence < (ask("Where is the red mug?").confidence or 0.0)


def test_an_answer_is_plain_json():
    json.dumps(asdict(ask("What moved?")))


@pytest.mark.parametrize(
    ("question", "choices", "letter"),
    [
        ("Where is the red mug?", ("on the sofa", "on the worktop", "under the table"), "B"),
        ("How many mugs are there?", ("(a) 1", "(b) 2", "(c) 5"), "B"),
        ("Is the kettle still on the counter?", ("Yes", "No"), "B"),
        ("What colour is the book?", ("A. red", "B. green", "C. blue"), "C"),
        ("How far apart are the mugs?", ("50 cm", "2.2 m", "7 m"), "B"),
        ("How many mugs are there?", ("no mugs", "two mugs", "three mugs"), "B"),
    ],
)
def test_multiple_choice(question, choices, letter):
    answered = ask(question, choices=choices)
    assert (answered.type, answered.value) == ("choice", letter)
    assert answered.text.startswith(f"{letter}: ")


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        ("Where is the red mug?", ("in the garden", "in the attic")),
        ("Where is the red mug?", ("1", "2", "3")),
        ("How many mugs are there?", ("5", "7", "3")),
        ("How far apart are the mugs?", ("7 m", "9 m")),
    ],
)
def test_no_option_is_chosen_by_chance(question, choices):
    answered = ask(question, choices=choices)
    assert answered.abstained
    assert (answered.type, answered.confidence) == ("choice", None)


WORDS = sorted({word for phrase in (*phrases(), *verb_forms()) for word in phrase})
THINGS = ["mug", "red", "table", "counter", "kettle", "bravo", "kitchen", "12", "100", "metres", "seconds", "mugs"]


@given(st.lists(st.sampled_from(WORDS + THINGS * 12), max_size=10).map(" ".join))
def test_word_salad_is_answered_or_not_but_never_breaks(salad):
    answered = ask(salad)
    assert answered.abstained == (answered.value is None)
    assert answered.text


def test_nothing_is_known_in_an_empty_memory():
    for question in ("Where is the mug?", "What is on my left?", "What did I see?", "How many mugs are there?"):
        answered = ask(question, snapshot([], {}, now_s=0.0))
        assert answered.abstained or answered.value == 0


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("Whatever became of that kettle?", "whatever"),
        ("What's up with the kettle?", "up"),
        ("Did somebody steal the kettle?", "steal"),
        ("Does the mug belong to Alice?", "belong to"),
        ("Can I sit on the sofa?", "can"),
    ],
)
def test_what_names_no_thing_is_not_looked_for(question, unread):
    answered = ask(question)
    assert answered.stop_reason == "words not understood"
    assert unread in answered.unread


@pytest.mark.parametrize("question", ["Is the book about dragons?", "Is the sofa turned on?"])
def test_what_the_description_does_not_say_is_neither_true_nor_false(question):
    answered = ask(question)
    assert answered.abstained
