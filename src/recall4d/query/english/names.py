"""Names of things and rooms, and what they are called elsewhere. Data, and the key made from a noun phrase."""

from __future__ import annotations

from collections.abc import Sequence

from recall4d.query.english.lexicon import COLOURS, SHADES, SIZES
from recall4d.query.english.morphology import singular
from recall4d.query.english.phrases import Feature, NounPhrase
from recall4d.query.plan import SemanticKey

MAX_TEXTS = 5

SAME_THINGS = tuple(
    tuple(line.split("|"))
    for line in (
        "mug|cup",
        "tv|television|telly|tv set|television set",
        "sofa|couch|settee",
        "refrigerator|fridge",
        "waste basket|bin|trash can|garbage can|rubbish bin|wastebasket|waste bin|dustbin|trash bin|litter bin",
        "phone|mobile phone|smartphone|cell phone|cellphone",
        "remote|remote control",
        "game controller|gamepad|joypad|game pad",
        "worktop|counter|countertop|counter top|work surface",
        "cupboard|cabinet",
        "picture|painting",
        "rug|carpet",
        "stove|hob|cooker|cooktop",
        "tap|faucet",
        "soccer ball|football",
        "desktop computer|computer|pc",
        "laptop|notebook computer",
        "backpack|rucksack|knapsack",
        "bookcase|bookshelf",
        "nightstand|bedside table|night table|bedside cabinet",
        "lamp|light",
        "moka pot|coffee pot|espresso pot|coffee maker",
        "frying pan|skillet|pan",
        "teddy bear|teddy|stuffed bear",
        "kettle|water boiler",
        "carton|box",
        "cardboard box|carton|parcel",
        "suitcase|trolley case|luggage",
        "handbag|purse",
        "paper|sheet",
        "magazine|journal",
        "booklet|brochure|leaflet|pamphlet",
        "glasses|spectacles|eyeglasses",
        "forklift|fork-lift|forklift truck|lift truck",
        "wardrobe|closet",
        "washbasin|sink|basin",
        "screwdriver|screw driver",
        "plant|potted plant|houseplant|house plant",
        "air conditioner|air conditioning unit|ac unit|aircon",
        "extractor hood|range hood|cooker hood",
        "trolley|cart",
        "pillow|cushion",
        "socket|power socket|outlet|power outlet",
        "armchair|easy chair",
    )
)
"""Names of the same kind of thing."""

ROOMS: dict[str, tuple[str, ...]] = {
    "kitchen": ("stove", "refrigerator", "kitchen counter", "sink", "worktop", "oven", "kitchen cabinet"),
    "bedroom": ("bed", "nightstand", "wardrobe"),
    "living room": ("sofa", "coffee table"),
    "dining room": ("dining table",),
    "bathroom": ("toilet", "bathtub", "shower", "washbasin"),
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
EVERYWHERE = frozenset(
    "house|home|flat|apartment|building|place|room|recording|video|memory|map|world|scene|walk|tour|warehouse|"
    "environment|area|hall|depot|plant|lab|laboratory|workshop|shop|store|premises|site|whole house|entire house|"
    "whole room|whole place|whole building|entire building|footage|whole flat|whole apartment|vicinity|property".split(
        "|"
    )
)
"""Places that hold everything in a memory, and so narrow nothing."""

STRUCTURE = frozenset("wall floor ceiling ground walls".split())
"""What is built in; memory holds it as surfaces, where it holds it at all."""


def room_of(phrase: NounPhrase) -> str | None:
    """The room a noun phrase names."""
    return ROOM_NAMES.get(" ".join(phrase.words))


def is_everywhere(phrase: NounPhrase) -> bool:
    """Whether a noun phrase names all there is: "the house", "this kitchen"."""
    name = " ".join(phrase.words)
    return name in EVERYWHERE or (name in ROOM_NAMES and phrase.determiner == "this")


def is_structure(phrase: NounPhrase) -> bool:
    """Whether a noun phrase names a wall, a floor or a ceiling."""
    return bool(phrase.words) and singular(phrase.words[-1]) in STRUCTURE


def semantic_key(phrase: NounPhrase) -> SemanticKey | None:
    """What a noun phrase says of a thing; None where it says nothing ("something")."""
    features = [each for each in phrase.modifiers if isinstance(each, Feature) and each.words]
    attributes = tuple(
        colour for colour in _colours(phrase.words) if not (colour == "clear" and phrase.words[-1:] == ("clear",))
    )
    name = head_name(phrase)
    if not name and not features:
        return None
    wanted = [" ".join(each.words) for each in features if not each.negated]
    suffix = f" with {' and '.join(wanted)}" if wanted else ""
    texts = [text + suffix for text in _phrasings(name or ("thing",))]
    return SemanticKey(
        texts=tuple(dict.fromkeys(texts))[:MAX_TEXTS],
        attributes=attributes,
        without=tuple(" ".join(each.words) for each in features if each.negated),
    )


def head_name(phrase: NounPhrase) -> tuple[str, ...]:
    """Its words, the noun in the singular."""
    if not phrase.words:
        return ()
    at = phrase.words.index("of") if "of" in phrase.words[1:] else len(phrase.words)
    head = phrase.words[:at]
    return (*head[:-1], singular(head[-1]), *phrase.words[at:])


def _colours(words: Sequence[str]) -> list[str]:
    parts = [part for word in words for part in word.split("-")]
    return [part for part in parts if part in COLOURS]


def _phrasings(words: tuple[str, ...]) -> list[str]:
    """Texts that mean the same: without sizes, and under other names."""
    plain = tuple(word for word in words if word not in SIZES | SHADES) or words
    texts = [" ".join(words), " ".join(plain)]
    for names in SAME_THINGS:
        longest = max((n for n in names if ends_with(plain, tuple(n.split()))), key=len, default=None)
        if longest is not None:
            kept = plain[: len(plain) - len(longest.split())]
            texts += [" ".join((*kept, other)) for other in names if other != longest]
    return texts


def ends_with(words: tuple[str, ...], ending: tuple[str, ...]) -> bool:
    """Whether `words` end in `ending`."""
    return words[len(words) - len(ending) :] == ending
