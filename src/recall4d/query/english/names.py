"""Names of things and places in a question, and the key made from a noun phrase."""

from __future__ import annotations

from typing import TypeGuard

from recall4d.query.english.lexicon.sets import words
from recall4d.query.english.phrases import Feature, NounPhrase, Relation
from recall4d.query.morphology import singular
from recall4d.query.plan import SemanticKey
from recall4d.query.rooms import EVERYWHERE, ROOM_NAMES, STRUCTURE, VAGUE

NO_NAMES = words(
    "whatever whichever whoever wherever whenever became become becomes becoming happened happen happens happening "
    "up down off about"
)
"""Words that no thing is called by, unless memory holds one that is."""

CLOSED = words(
    "cupboard refrigerator wardrobe drawer oven microwave dishwasher suitcase cabinet chest safe locker freezer "
    "toolbox backpack bag"
)
"""Things whose inside is not seen from outside, in their standard names."""


def is_vague(modifier: object) -> TypeGuard[Relation]:
    """Whether a relation says nothing that can be looked up: "in the corner"."""
    return isinstance(modifier, Relation) and any(
        len(each.words) == 1 and each.words[0] in VAGUE and not each.modifiers for each in modifier.landmarks
    )


def room_of(phrase: NounPhrase) -> str | None:
    """The room a noun phrase names."""
    return ROOM_NAMES.get(" ".join(phrase.words))


def is_everywhere(phrase: NounPhrase) -> bool:
    """Whether a noun phrase names all there is: "the house", "this kitchen"."""
    words_of_all = phrase.words[1:] if phrase.words[:1] in (("whole",), ("entire",)) else phrase.words
    name = " ".join(words_of_all)
    return name in EVERYWHERE or (name in ROOM_NAMES and phrase.determiner == "this")


def is_structure(phrase: NounPhrase) -> bool:
    """Whether a noun phrase names a wall, a floor or a ceiling."""
    return bool(phrase.words) and singular(phrase.words[-1]) in STRUCTURE


def semantic_key(phrase: NounPhrase) -> SemanticKey | None:
    """What a noun phrase says of a thing; None where it says nothing ("something")."""
    features = [each for each in phrase.modifiers if isinstance(each, Feature) and each.words]
    name = (*phrase.words, "thing") if phrase.generic and phrase.words else head_name(phrase)
    if not name and not features:
        return None
    said = [
        " ".join((each.kind, *each.words))
        for each in features
        if not each.negated and each.kind not in ("is", "or")
    ]
    return SemanticKey(
        texts=tuple(" ".join((*words, *said)) for words in _phrasings(name or ("thing",))),
        attributes=tuple(" ".join(each.words) for each in features if each.kind == "is" and not each.negated),
        without=tuple(" ".join(each.words) for each in features if each.negated),
    )


def _phrasings(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The same name in other words: a box of food is a food box."""
    if "of" not in words[1:-1]:
        return [words]
    at = words.index("of")
    return [words, (*words[at + 1 :], *words[:at])]


def head_name(phrase: NounPhrase) -> tuple[str, ...]:
    """Its words, the noun in the singular."""
    if not phrase.words:
        return ()
    at = phrase.words.index("of") if "of" in phrase.words[1:] else len(phrase.words)
    head = phrase.words[:at]
    return (*head[:-1], singular(head[-1]), *phrase.words[at:])
