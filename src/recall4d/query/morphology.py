"""Forms of English words: plurals of nouns, inflections of verbs."""

from __future__ import annotations

_IRREGULAR_PLURALS = {
    "men": "man", "women": "woman", "people": "person", "children": "child", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "geese": "goose", "knives": "knife", "shelves": "shelf", "loaves": "loaf", "leaves": "leaf",
    "scarves": "scarf", "halves": "half", "wolves": "wolf", "lives": "life", "wives": "wife", "dice": "die",
    "boxes": "box", "buses": "bus", "gases": "gas", "lenses": "lens", "axes": "axe", "cookies": "cookie",
    "movies": "movie", "shoes": "shoe", "toes": "toe", "hoes": "hoe", "canoes": "canoe", "ties": "tie",
    "pies": "pie", "aches": "ache", "headaches": "headache", "caches": "cache", "houses": "house",
    "vases": "vase", "cases": "case", "suitcases": "suitcase", "hoses": "hose", "roses": "rose", "noses": "nose",
    "bases": "base", "horses": "horse", "purses": "purse", "blouses": "blouse", "pencases": "pencase",
}  # fmt: skip
_NO_PLURAL = frozenset(
    "glass grass dress brass compass cactus bus gas lens chess mess boss bass press mattress address canvas atlas "
    "this its his is was has us yes less plus series species iris tennis basis thermos bonus status virus walrus "
    "scissors glasses trousers pants jeans shorts headphones earphones pliers tongs clothes keys sunglasses "
    "binoculars stairs".split()
)


def singular(noun: str) -> str:
    """The singular of a noun; a noun that is singular, or has none, comes back as it is."""
    if noun in _IRREGULAR_PLURALS:
        return _IRREGULAR_PLURALS[noun]
    if noun in _NO_PLURAL or len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is")):
        return noun
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "sses", "xes", "zes", "oes")):
        return noun[:-2]
    return noun[:-1]


def is_plural(noun: str) -> bool:
    """Whether the form is a plural that differs from its singular."""
    return singular(noun) != noun


def plural(noun: str) -> str:
    """The plural of a singular noun: "box" to "boxes"."""
    for many, one in _IRREGULAR_PLURALS.items():
        if one == noun:
            return many
    if noun in _NO_PLURAL and noun.endswith("s") and not noun.endswith(("ss", "us")):
        return noun
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return noun[:-1] + "ies"
    return noun + "s"


def inflections(verb: str) -> tuple[str, ...]:
    """Base, third person, past, participle and -ing form of a regular verb: "carry" gives "carries", "carried"."""
    if verb.endswith("e"):
        return (verb, verb + "s", verb + "d", verb + "d", verb[:-1] + "ing")
    if verb.endswith("y") and verb[-2:-1] not in set("aeiou"):
        return (verb, verb[:-1] + "ies", verb[:-1] + "ied", verb[:-1] + "ied", verb + "ing")
    third = verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
    stem = verb + verb[-1] if _doubles(verb) else verb
    return (verb, third, stem + "ed", stem + "ed", stem + "ing")


def _doubles(verb: str) -> bool:
    """Whether a final consonant is doubled: short verbs ending in one vowel and one consonant ("spot", "drop")."""
    vowels = set("aeiou")
    return (
        3 <= len(verb) <= 4
        and verb[-1] not in vowels | set("wxyh")
        and verb[-2] in vowels
        and verb[-3] not in vowels
    )
