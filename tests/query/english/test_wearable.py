"""What the wearer of a camera asks."""

import pytest
from gist import gist

QUESTIONS = [
    ("Where did I put my keys?", "where keys"),
    ("When did I last see my wallet?", "when_seen:last wallet by alpha"),
    ("How long ago did I see my umbrella?", "since_seen:last umbrella by alpha"),
    ("Have I seen my glasses today?", "exists glasses by alpha"),
    ("What was I looking at a minute ago?", "in_view:alpha thing by alpha seen in now-60.25s..now-59.75s"),
    ("What did I walk past just now?", "in_view:alpha thing seen in now-0.25s..now"),
    ("Who saw my backpack last?", "who_saw:last backpack"),
    ("Did bravo see my jacket?", "exists jacket by bravo"),
    ("Was my laptop still on the desk when I left?", "still_there laptop / laptop on (desk at 255s) at 255s"),
    ("Where was my bag before it was moved?", "where:before bag"),
    ("How far is my bike from the front door?", "distance bike / front door"),
    (
        "What was lying next to my keys when I last saw them?",
        "list thing beside (keys at <last_seen keys by alpha>) at <last_seen keys by alpha>",
    ),
    ("How many times did I see the blue car?", "times_seen blue car by alpha"),
    ("Which did I see first, the dog or the cat?", "compare_seen:first dog / cat"),
    ("Which way do I have to turn to see the exit?", "direction exit"),
    ("Is my cup on my left or on my right?", "side:left_right cup"),
    ("What is behind me?", "list thing behind alpha"),
    ("What is to my right?", "list thing right alpha"),
    ("What's in front of me?", "list thing front alpha"),
    ("Is there anything on the floor behind me?", "exists thing on (floor) behind alpha"),
    ("What was in view at frame 120?", "in_view:alpha thing seen at frame 120"),
    ("What had I seen up to frame 300?", "in_view:alpha thing by alpha seen in ..frame 300"),
    ("Which people did I meet on my first walk?", "list person by alpha seen in 0s..75s"),
    ("Where was I ten seconds ago?", "agent_place thing nearest alpha@now-10s at now-10s"),
    ("Where am I?", "agent_place thing nearest alpha"),
    ("I'm looking for the charger I saw on my first tour.", "where charger by alpha"),
    ("The red umbrella I saw earlier, where is it now?", "where red umbrella by alpha at now"),
    ("I saw a yellow helmet. Where was it?", "where yellow helmet by alpha"),
    ("There was a blue pen on the desk. Is it still there?", "still_there blue pen"),
    ("Somebody took my scarf. When was that?", "when_moved:moved scarf"),
    ("My notebook is not where I left it. Where is it?", "where notebook"),
    ("Between 10 and 20 seconds, what did I see?", "in_view:alpha thing by alpha seen in 10s..20s"),
    ("What did I see in the first 30 seconds?", "in_view:alpha thing by alpha seen in 0s..30s"),
    ("What did I see during the last minute?", "in_view:alpha thing by alpha seen in now-60s..now"),
    ("In the last 5 minutes, has the door been opened?", "still_there door / door [open] in now-300s..now"),
    ("Since when has the suitcase been in the hall?", "when_seen:since suitcase within 2.5m (front door)"),
    ("At what time did the parcel arrive?", "when_moved:appeared parcel"),
    ("What has been taken off the shelf?", "what_changed:moved thing within 0.25m (shelf in 0s..) in 0s.."),
    ("What was written on the sign next to the door?", "attribute:title sign beside (door)"),
    (
        "From where I stood at frame 50, what was to the left of the door?",
        "list thing left (door) seen by alpha@frame 50",
    ),
    ("From bravo's point of view, what is right of the bench?", "list thing right (bench) seen by bravo"),
    (
        "When I was standing at the window, was the lamp on my left?",
        "still_there lamp / lamp left alpha@255s in 180s..255s",
    ),
    ("Show me where the fire extinguisher is.", "where fire extinguisher"),
    ("Is the exit nearer than the stairs?", "compare_distance:nearest exit nearest me / stairs nearest me"),
    ("Who moved the chair?", "unknown:who does things; it holds what was where"),
]


@pytest.mark.parametrize(("question", "plan"), QUESTIONS)
def test_wearable_questions(question, plan):
    assert gist(question) == plan
