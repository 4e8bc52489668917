"""What one asks a robot in a kitchen."""

import pytest
from gist import gist

QUESTIONS = [
    ("Where did you last see the sugar bowl?", "where sugar bowl"),
    ("Have you got any idea where the bread knife might be?", "where bread knife"),
    ("I can't find the salt shaker.", "where salt shaker"),
    ("Where have the oven gloves gone?", "where oven glove"),
    (
        "Where's the chopping board that was on the counter?",
        "where chopping board of (chopping board on (counter in 0s..) in 0s..)",
    ),
    ("What's sitting next to the toaster?", "list thing beside (toaster)"),
    ("What is stored on the top shelf?", "list thing on (shelf not below (shelf) of (shelf))"),
    ("Which plate is closest to the sink?", "which:nearest plate nearest (sink)"),
    ("How many glasses are there on the drying rack?", "count glasses on (drying rack)"),
    ("Are there any apples left in the fruit bowl?", "exists apple inside (fruit bowl)"),
    ("Is the kettle still standing beside the stove?", "still_there kettle / kettle beside (stove)"),
    ("Was the milk on the table ten minutes ago?", "still_there milk / milk on (table at now-600s) at now-600s"),
    ("When was the oven door last seen?", "when_seen:last oven door"),
    ("When did the pan disappear from the stove?", "when_moved:gone pan"),
    ("How long has the milk been on the table?", "since_seen:placed milk on (table)"),
    ("What is between the toaster and the microwave?", "which thing between (toaster) and (microwave)"),
    ("What's underneath the sink?", "list thing under (sink)"),
    ("Which is bigger, the pot or the pan?", "compare_size:largest pot / pan"),
    ("Is the fridge taller than the cupboard?", "compare_size:tallest fridge / cupboard"),
    ("How wide is the kitchen table?", "size:width kitchen table"),
    ("How far is the stove from the sink?", "distance stove / sink"),
    ("What colour is the tea towel hanging on the oven?", "attribute:colour tea towel on (oven)"),
    ("What kind of bottle is next to the red bowl?", "which bottle beside (red bowl)"),
    ("List everything on the kitchen counter.", "list thing on (kitchen counter)"),
    (
        "Tell me what was on the counter before I moved the kettle.",
        "list thing on (counter in ..<moved kettle>) in ..<moved kettle>",
    ),
    ("What did the robot see 30 seconds ago?", "in_view:alpha thing by alpha seen in now-30.25s..now-29.75s"),
    ("Did anyone move the cutting board?", "has_changed:moved cutting board in 0s.."),
    ("Which cups have been moved since my first visit?", "what_changed:moved cup in 75s.."),
    ("Where was the cutting board originally?", "where:first cutting board"),
    ("Which of the cups on the shelf is nearest to the window?", "which:nearest cup on (shelf) nearest (window)"),
    ("What is on the left of the stove, seen from the table?", "list thing left (stove) seen from (table)"),
    ("Is the coffee machine to the left or right of the sink?", "side coffee machine / sink"),
    ("Could you please count the chairs?", "count chair"),
    ("Is there a knife within 50 cm of the edge of the counter?", "exists knife within 0.5m (counter)"),
    ("Which things are within half a metre of the stove?", "list thing within 0.5m (stove)"),
    ("Where can the scissors be found?", "where scissors"),
    ("Is the lid on the pot?", "still_there lid / lid on (pot)"),
    ("Do you see the red cup from here?", "exists red cup"),
    ("Does the kitchen have a dishwasher?", "exists dishwasher within 2.5m (stove)"),
    ("How many of the mugs on the shelf are blue?", "count mug [blue] on (shelf)"),
    ("Where is the cup with the broken handle?", "where cup with broken handle"),
    ("Where is the mug without a handle?", "where mug [no handle]"),
    ("How tall is the bottle next to the oil?", "height:height bottle beside (oil)"),
    ("What does the label on the jar say?", "attribute:title label on (jar)"),
    ("What is the title of the cookbook on the counter?", "attribute:title cookbook on (counter)"),
    ("Which jar is the smallest?", "which:smallest jar"),
    ("Which way is the fridge?", "direction fridge"),
    ("In what room is the blender?", "on_what:room blender"),
    ("On which shelf is the honey?", "on_what:on honey / shelf"),
]


@pytest.mark.parametrize(("question", "plan"), QUESTIONS)
def test_kitchen_questions(question, plan):
    assert gist(question) == plan
