"""What one asks about a warehouse, of two robots."""

import pytest
from gist import gist

QUESTIONS = [
    ("Where is pallet 7?", "where pallet 7"),
    ("Where are all the yellow pallets?", "where yellow pallet"),
    ("How many pallets are stacked on the lower shelf?", "count pallet on (shelf not above (shelf) of (shelf))"),
    ("How many boxes are there in total?", "count box"),
    ("How many more boxes than pallets are there?", "count:more box / pallet"),
    ("Is the forklift parked next to the loading dock?", "still_there forklift / forklift beside (loading dock)"),
    ("Which forklift is nearest to the exit?", "which:nearest forklift nearest (exit)"),
    ("Which box is on top of the blue barrel?", "which box on (blue barrel)"),
    ("What stands between rack A and rack B?", "which thing between (rack a) and (rack b)"),
    ("Is any barrel closer than 2 metres to the fire extinguisher?", "exists barrel within 2m (fire extinguisher)"),
    ("Which crates are more than 3 feet away from the wall?", "list crate beyond 0.9144m (wall)"),
    ("What is within 6 feet of the forklift?", "list thing within 1.8288m (forklift)"),
    ("List all things that are under the conveyor belt.", "list thing under (conveyor belt)"),
    ("What moved between frames 100 and 200?", "what_changed:moved thing in frame 100..frame 200"),
    ("What has changed in the warehouse since bravo's visit?", "what_changed:changed thing in 180s.."),
    ("Which boxes went missing?", "what_changed:gone box in 0s.."),
    ("Has the ladder been moved from the wall?", "has_changed:moved ladder in 0s.."),
    ("Did the trolley end up next to the office?", "still_there trolley / trolley within 2.5m (desk)"),
    ("Where did the trolley come from?", "where:before trolley"),
    ("How far did the forklift travel?", "moved_distance forklift"),
    ("By how much did the crate shift?", "moved_distance crate"),
    ("When was the crate moved?", "when_moved:moved crate"),
    (
        "What was moved from the rack to the floor?",
        "what_changed:moved thing within 0.25m (floor) of (thing within 0.25m (rack in 0s..) in 0s..)",
    ),
    ("Which agent first noticed the spill?", "who_saw:first spill"),
    ("Is the barrel blue or green?", "attribute:colour barrel"),
    ("What is the distance between the two barrels?", "distance barrel / barrel"),
    ("How far apart are the forklift and the ladder?", "distance forklift / ladder"),
    ("How high above the floor is the sign?", "height:top sign"),
    ("What is the volume of the crate?", "size:volume crate"),
    ("What is the size of the biggest crate?", "size:size:largest crate"),
    ("Which is higher, the lamp or the sign?", "compare_size:highest lamp / sign"),
    ("What is the colour of the barrel closest to the door?", "attribute:colour:nearest barrel nearest (door)"),
    ("Are the red crates still by the entrance?", "still_there red crate / red crate within 2.5m (front door)"),
    ("Is the aisle empty?", "still_there aisle / aisle [empty]"),
    ("Is there no extinguisher near the door?", "exists:no extinguisher within 1m (door)"),
    ("Where's the second ladder?", "where second ladder"),
    ("Which rack holds the drill?", "on_what:on drill / rack"),
    ("On what is the drill lying?", "on_what:on drill"),
    ("Under which table is the toolbox?", "on_what:under toolbox / table"),
    ("What is inside the toolbox?", "list thing inside (toolbox)"),
    ("What does the crate contain?", "list thing inside (crate)"),
    ("Was there a ladder here at frame 40?", "exists ladder at frame 40"),
    ("Where was the forklift 2 minutes and 10 seconds ago?", "where forklift at now-130s"),
    ("Was the gate open at the start of the recording?", "still_there gate / gate [open] at 0s"),
    ("How many barrels were there on the second round?", "count barrel in 180s..255s"),
    ("At the end of my first tour, where was the ladder?", "where ladder in 65s..75s"),
]


@pytest.mark.parametrize(("question", "plan"), QUESTIONS)
def test_warehouse_questions(question, plan):
    assert gist(question) == plan
