"""One thing said in many ways: the same plan for all of them."""

import pytest
from gist import gist

SAME = {
    "where red mug": """
        Where is the red mug?
        where's the red mug
        Whereabouts is the red mug?
        Could you tell me where the red mug is, please?
        Do you know where I can find the red mug?
        In which place is the red mug?
        What is the location of the red mug?
        Tell me the position of the red mug.
        Where did I leave the red mug?
        Where was the red mug last seen?
        Where did the red mug end up?
        Where has the red mug gone?
        Where do I find the red mug?
        Where should I look for the red mug?
        Find the red mug.
        I can't find the red mug.
        I'm looking for the red mug.
        The red mug?
        """,
    "when_seen:last kettle": """
        When was the kettle last seen?
        When was the kettle seen for the last time?
        At what time was the kettle last in view?
        When did anyone last see the kettle?
        When did anybody see the kettle last?
        """,
    "when_seen:first kettle by alpha": """
        When did I first see the kettle?
        When did I see the kettle for the first time?
        What was the first time I saw the kettle?
        At what moment did alpha first notice the kettle?
        """,
    "since_seen:last kettle by alpha": """
        How long ago did I last see the kettle?
        How many seconds ago did I see the kettle?
        How long has it been since I saw the kettle?
        How much time has passed since I last saw the kettle?
        """,
    "count chair within 0.8m (table)": """
        How many chairs are around the table?
        How many chairs are there around the table?
        How many chairs stand around the table?
        What is the number of chairs around the table?
        Count the chairs around the table.
        Could you count the chairs around the table?
        """,
    "distance mug / kettle": """
        How far is the mug from the kettle?
        How far apart are the mug and the kettle?
        What is the distance between the mug and the kettle?
        What's the distance from the mug to the kettle?
        How many metres is the mug from the kettle?
        How many metres are there between the mug and the kettle?
        How close is the mug to the kettle?
        How far away from the kettle is the mug?
        """,
    "moved_distance chair": """
        How far was the chair moved?
        By how much was the chair moved?
        How many centimetres did the chair shift?
        How far has the chair been pushed?
        """,
    "list thing on (shelf)": """
        What is on the shelf?
        What is lying on the shelf?
        What stands on the shelf?
        Which things are on the shelf?
        What can be found on the shelf?
        List the things on the shelf.
        List everything on the shelf.
        What does the shelf hold?
        """,
    "which thing directly left (lamp)": """
        What is directly to the left of the lamp?
        What stands immediately left of the lamp?
        What's directly on the left-hand side of the lamp?
        Which thing is directly to the left of the lamp?
        """,
    "side lamp / sofa": """
        Is the lamp to the left or to the right of the sofa?
        Is the lamp left or right of the sofa?
        Is the lamp on the left or the right side of the sofa?
        """,
    "exists laptop on (table)": """
        Is there a laptop on the table?
        Are there any laptops on the table?
        Is any laptop lying on the table?
        """,
    "still_there kettle / kettle on (counter)": """
        Is the kettle on the counter?
        Is the kettle still on the counter?
        Does the kettle still stand on the counter?
        Is the kettle standing on the counter?
        """,
    "has_changed:moved chair in 0s..": """
        Has the chair been moved?
        Did the chair move?
        Did anyone move the chair?
        Has anyone touched the chair?
        Is the chair somewhere else?
        """,
    "who_saw:first ladder": """
        Who saw the ladder first?
        Which agent saw the ladder first?
        Who was the first to see the ladder?
        Which robot first spotted the ladder?
        Did alpha or bravo see the ladder first?
        By whom was the ladder first seen?
        """,
    "attribute:colour ball": """
        What colour is the ball?
        What color is the ball?
        What is the colour of the ball?
        Which colour does the ball have?
        """,
    "attribute:title magazine": """
        What is the title of the magazine?
        What is written on the magazine?
        What does the magazine say?
        What is the magazine called?
        """,
    "compare_distance:nearest bowl nearest (door) / plate nearest (door)": """
        Which is closer to the door, the bowl or the plate?
        What is nearer to the door: the bowl or the plate?
        Is the bowl or the plate closer to the door?
        Which of the bowl and the plate is nearest to the door?
        """,
    "compare_seen:first bowl / plate": """
        Which did I see first, the bowl or the plate?
        Which was seen first, the bowl or the plate?
        What was seen earlier, the bowl or the plate?
        """,
    "what_changed:gone thing in 0s..": """
        What is gone?
        What has disappeared?
        Which things are missing?
        What was removed?
        """,
    "direction door": """
        Which way is the door?
        In which direction is the door?
        Which way would I turn to face the door?
        Where do I have to turn to face the door?
        """,
    "on_what:on book": """
        On what is the book lying?
        What is the book lying on?
        What is the book on?
        On which surface is the book?
        """,
    "where:before mug": """
        Where was the mug before it was moved?
        Where was the mug before it turned up on the shelf?
        Where had the mug been before?
        Where was the mug previously?
        Before the mug moved, where was it?
        """,
    "side:left_right cup": """
        Is the cup on my left or on my right?
        Is the cup on my left or right?
        """,
}


@pytest.mark.parametrize(
    ("plan", "question"),
    [(plan, line.strip()) for plan, lines in SAME.items() for line in lines.strip().splitlines()],
)
def test_the_same_question_in_other_words(plan, question):
    assert gist(question) == plan
