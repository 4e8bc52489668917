"""Rooms, which memory knows by the things in them; and places that tell nothing apart."""

from __future__ import annotations

ROOMS: dict[str, tuple[str, ...]] = {
    "kitchen": ("stove", "refrigerator", "kitchen counter", "sink", "worktop", "oven", "kitchen cabinet"),
    "bedroom": ("bed", "nightstand", "wardrobe"),
    "living room": ("sofa", "coffee table"),
    "dining room": ("dining table",),
    "bathroom": ("toilet", "bathtub", "shower"),
    "study": ("desk", "desktop computer"),
    "hall": ("front door", "shoe rack", "coat rack"),
    "laundry": ("washing machine", "dryer"),
    "gym": ("weight bench", "treadmill", "barbell"),
    "garage": ("car", "workbench"),
}
"""What a room is known by: memory holds things, and a room is where its things are."""

ROOM_NAMES: dict[str, str] = {
    name: room
    for room, names in {
        "kitchen": "kitchen|kitchen area|kitchenette|galley",
        "bedroom": "bedroom|bed room|sleeping room|sleeping area|bedroom area",
        "living room": "living room|lounge|sitting room|living area|livingroom|tv room|family room|sitting area",
        "dining room": "dining room|dining area|dining corner|dining space|eating area|dining nook",
        "bathroom": "bathroom|toilet|restroom|washroom|shower room|bath room",
        "study": "study|office|home office|work area|workspace|study room|reading room|office area",
        "hall": "hall|hallway|entrance|entry|entrance hall|corridor|entryway|foyer",
        "laundry": "laundry|laundry room|utility room",
        "gym": "gym|fitness room|training room|exercise room|exercise area",
        "garage": "garage",
    }.items()
    for name in names.split("|")
}
ROOM_REACH_M = 2.5
"""Things within this of what a room is known by are in the room."""

EVERYWHERE = frozenset(
    "house home flat apartment building place room recording video memory map world scene walk tour warehouse "
    "environment area depot lab laboratory workshop shop store premises site footage vicinity property".split()
)
"""Places that hold everything in a memory, and so narrow nothing."""

STRUCTURE = frozenset(("wall", "floor", "ceiling", "ground"))
"""What is built in; memory holds it as surfaces, where it holds it at all."""

VAGUE = frozenset("corner middle centre center side end edge background foreground distance back spot".split())
"""Places that are found only by what they are part of."""
