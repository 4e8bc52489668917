"""What the planner says of a question beyond its plan: unread words, clarifications, types, names."""

import pytest
from gist import CONTEXT, gist, interval

from recall4d.clock import Clock
from recall4d.query.english import Context, plan_question


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        ("Why is the mug on the table?", "Why"),
        ("Where is the mug, Frobnitz?", "frobnitz"),
        ("How do I get to the kitchen?", "How"),
        ("Where is the mug if it rains?", "if"),
        ("Where is the second box from the left?", "from"),
        ("Which mugs are on the shelf, and which one is closest to the door?", "and"),
    ],
)
def test_words_that_could_not_be_used_are_named(question, unread):
    assert unread in plan_question(question, CONTEXT).unread


@pytest.mark.parametrize(
    "question",
    [
        "Please, where exactly is the mug?",
        "Um, well, could you maybe tell me where the mug actually is, please?",
        "Hello robot, where is the mug now?",
        "As far as anyone knows, is the mug still on the table?",
    ],
)
def test_politeness_is_not_reported(question):
    assert plan_question(question, CONTEXT).unread == ()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("", "did not understand"),
        ("Colourless green ideas sleep furiously.", "did not understand"),
        ("Where was I on my third tour?", "alpha has made 2 visits"),
        ("Where was the mug at 14:30?", "does not show the time of day"),
        ("Where was the mug yesterday?", "does not show the time of day"),
        ("Which is heavier, the bag or the box?", "does not hold what is compared"),
        ("What is in the corner?", "which place"),
        ("What did I see when it happened?", "which event"),
    ],
)
def test_what_cannot_be_planned_is_answered_with_what_is_missing(question, said):
    planned = plan_question(question, CONTEXT)
    assert planned.plan is None
    assert said in (planned.clarification or "")


def test_a_wall_clock_is_read_with_its_zone():
    on_the_wall = Context(("alpha",), "alpha", clock=Clock("host", is_wall=True))
    assert gist("Where was the mug at 2026-03-01T12:00Z?", on_the_wall) == "where mug at 1.77237e+09s"
    assert "time zone" in (plan_question("Where was the mug at 12:00?", on_the_wall).clarification or "")


def test_a_vague_place_beside_a_name_is_set_aside_and_told():
    planned = plan_question("Where is the box in the corner?", CONTEXT)
    assert planned.set_aside == ("corner",)
    assert planned.unread == ()


@pytest.mark.parametrize(
    ("question", "answer_type"),
    [
        ("Where is the mug?", "position"),
        ("How many mugs are there?", "count"),
        ("When did I see the mug?", "time"),
        ("How long ago did I see the mug?", "duration"),
        ("How high is the table?", "distance"),
        ("Which way is the mug?", "direction"),
        ("Is the mug on the table?", "yesno"),
        ("What is on the table?", "list"),
        ("Which mug is nearest to the door?", "entity"),
        ("What colour is the mug?", "text"),
    ],
)
def test_answer_types(question, answer_type):
    assert plan_question(question, CONTEXT).answer_type == answer_type


def test_the_thing_is_called_as_the_question_calls_it():
    planned = plan_question("How many waste baskets with red stars did we pass?", CONTEXT)
    assert (planned.name, planned.plural) == ("waste baskets with red stars", True)


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        # what a statement before the question is about
        ("There is a mug on the shelf. What colour is it?", "attribute:colour mug on (shelf)"),
        ("There were two mugs on the shelf. Where is the other one?", "where mug not on (shelf)"),
        ("There used to be two mugs here. Where did the one that moved go?", "where (moved) mug"),
        ("I had a red umbrella and lost it. Where is it?", "where red umbrella"),
        ("Alpha says there is a ladder somewhere. Where?", "where ladder"),
        ("Something fell off the shelf. What?", "what_changed:moved thing within 0.25m (shelf in 0s..) in 0s.."),
        ("The blue mug is gone. When was it last seen?", "when_seen:last blue mug"),
        # inside one sentence
        ("The red umbrella, where is it?", "where red umbrella"),
        ("Where did the book lie before it fell off the shelf?", "where:before book"),
        (
            "What was on the bench when I walked past it?",
            "list thing on (bench on visit of alpha to (bench)) on visit of alpha to (bench)",
        ),
    ],
)
def test_pronouns_find_what_they_stand_for(question, plan):
    assert gist(question) == plan


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("What did I see 12 seconds ago?", "in_view:alpha thing by alpha seen in now-12.25s..now-11.75s"),
        ("Where was the mug two and a half minutes ago?", "where mug at now-150s"),
        ("Where was the mug half a minute ago?", "where mug at now-30s"),
        ("Where was the mug at frame 240?", "where mug at frame 240"),
        ("Where was the mug at 12.5 s?", "where mug at 12.5s"),
        ("Where was the mug 20 seconds into the recording?", "where mug at 20s"),
        ("Where was the mug at the start of the recording?", "where mug at 0s"),
        ("Where was the mug before frame 100?", "where mug in ..frame 100"),
        ("Where was the mug after 30 seconds?", "where mug in 30s.."),
        ("Which mugs did I see between frames 10 and 20?", "list mug by alpha seen in frame 10..frame 20"),
        ("Which mugs did I see in the last 30 seconds?", "list mug by alpha seen in now-30s..now"),
        ("Which mugs did I see in the first minute?", "list mug by alpha seen in 0s..60s"),
        ("How many mugs were there on my first visit?", "count mug in 0s..75s"),
        ("How many mugs were there on bravo's first tour?", "count mug in 120s..180s"),
        ("How many mugs were there during tour 2?", "count mug in 180s..255s"),
        ("How many mugs were there the first time round?", "count mug in 0s..75s"),
        ("What changed between my two rounds?", "what_changed:changed thing in 75s..255s"),
        ("What changed since bravo's visit?", "what_changed:changed thing in 180s.."),
        ("Where was the mug originally?", "where:first mug"),
    ],
)
def test_times(question, plan):
    assert gist(question) == plan


def test_visits_are_those_of_the_asking_agent():
    as_bravo = Context(("alpha", "bravo"), "bravo", {"bravo": (interval(120, 180),)})
    assert gist("How many mugs were there on my first visit?", as_bravo) == "count mug in 120s..180s"
    assert gist("Did I see a mug?", as_bravo) == "exists mug by bravo"


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        (
            "From where I stood at frame 240, what is directly left of the lamp?",
            "which thing directly left (lamp) seen by alpha@frame 240",
        ),
        ("Seen from the door, what is behind the sofa?", "list thing behind (sofa) seen from (door)"),
        ("As bravo sees it, what is left of the sofa?", "list thing left (sofa) seen by bravo"),
        (
            "Facing the shelf, what is left of the lamp?",
            "list thing left (lamp) seen from me@<last_seen shelf>",
        ),
        (
            "At frame 30, what was left of the sofa?",
            "list thing left (sofa at frame 30) seen by me@frame 30 at frame 30",
        ),
        ("What is on my left?", "list thing left alpha"),
        ("What is behind bravo?", "list thing behind bravo"),
    ],
)
def test_viewpoints(question, plan):
    assert gist(question) == plan


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("What is within 6 feet of the sofa?", "list thing within 1.8288m (sofa)"),
        ("What is within half a metre of the sofa?", "list thing within 0.5m (sofa)"),
        ("What is less than 80cm away from the sofa?", "list thing within 0.8m (sofa)"),
        ("Which chairs are more than two metres from the sofa?", "list chair beyond 2m (sofa)"),
        ("What is within 6in of the sofa?", "list thing within 0.1524m (sofa)"),
        ("What is within reach of the sofa?", "list thing within 0.8m (sofa)"),
    ],
)
def test_lengths(question, plan):
    assert gist(question) == plan


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("Where is the mug on the table next to the sofa?", "where mug on (table beside (sofa))"),
        ("What is on the table next to the sofa?", "list thing on (table beside (sofa))"),
        (
            "How many books are on the shelf above the desk by the door?",
            "count book on (shelf above (desk beside (door)))",
        ),
        ("Where is the box that was moved?", "where (moved) box"),
        ("Where is the box that bravo saw?", "where box by bravo"),
        ("Where is the box I saw at frame 40?", "where box of (box by alpha seen at frame 40)"),
        ("Where is the box which used to stand on the shelf?", "where box of (box on (shelf in 0s..) in 0s..)"),
        ("Where is the mug that is not on the shelf?", "where mug not on (shelf)"),
        ('Where is the box labelled "fragile"?', "where box titled fragile"),
        ("Where is the salt and pepper mill?", "where salt and pepper mill"),
        ("Where is the can of soup?", "where can of soup"),
        ("Where are the trash cans?", "where trash can"),
    ],
)
def test_noun_phrases_nest(question, plan):
    assert gist(question) == plan


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("Are all the mugs on the shelf?", "still_there:all mug / mug on (shelf)"),
        ("Is every chair blue?", "still_there:all chair / chair [blue]"),
        ("Which mug is not red?", "which mug [no red]"),
        ("Which mugs have not moved?", "what_changed:stayed mug in 0s.."),
        ("Are there two mugs on the shelf?", "exists:2 mug on (shelf)"),
        ("How many more mugs than bowls are there?", "count:more mug / bowl"),
        ("How many mugs have been moved?", "count (moved) mug"),
        ("How many times did the mug move?", "times_seen:moved mug"),
        ("Is the mug on the shelf or on the table?", "on_what:either mug"),
        ("Are the mug and the bowl on the shelf?", "exists:and mug on (shelf) / bowl on (shelf)"),
        ("Where are the mug and the bowl?", "where mug / bowl"),
        ("Which shelf holds the mug?", "on_what:on mug / shelf"),
        ("Which room has the mug?", "on_what:room mug"),
        ("What is the box in front of?", "list thing behind (box)"),
        ("Is the banana still where I saw it?", "still_there banana"),
        ("What is missing from the shelf?", "what_changed:left thing within 0.25m (shelf in 0s..) in 0s.."),
        ("What does the big box hide?", "list thing directly behind (big box)"),
        ("What colour are the mugs?", "attribute:colour mug"),
        ("Is the mug red or white?", "attribute:colour mug"),
        ("What can you tell me about the mug?", "attribute:description mug"),
        ("What are the dimensions of the box?", "size:size box"),
        ("Which is the largest box on the shelf?", "which:largest box on (shelf)"),
        ("When did the camera last see the mug?", "when_seen:last mug by alpha"),
        ("Where is the camera?", "where camera"),
    ],
)
def test_what_else_is_read(question, plan):
    assert gist(question) == plan


@pytest.mark.parametrize(
    "question",
    ["What time is it?", "How many agents are there?", "Is there a room here?", "Who is bravo?", "Where is it?"],
)
def test_what_is_no_thing_is_not_looked_for(question):
    planned = plan_question(question, CONTEXT)
    assert planned.plan is None or planned.plan.ask.kind == "unknown"
