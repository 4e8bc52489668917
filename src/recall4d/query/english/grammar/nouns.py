"""Noun phrases: "two red mugs", "the box of macaroni next to the sink", "the closest thing to the door"."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.lexicon import Verb
from recall4d.query.english.lexicon.sets import words as set_of
from recall4d.query.english.phrases import (
    Condition,
    Except,
    Feature,
    Modifier,
    NounPhrase,
    Period,
    Ranked,
    Relation,
)
from recall4d.query.morphology import is_plural

Words = tuple[str, ...]

PARTS = set_of("corner middle centre center edge end surface part rest top bottom vicinity area floor walls")
"""Parts of a thing that stand for it: what is at the end of the table is on the table."""

SURFACES = set_of("top surface edge")
"""The same, where they stand after the name: the table top is the table."""

_OF_MOVEMENTS = ("to", "through")
"""Relations of movements, not of things."""

_SIDED = ("left", "right", "front", "behind", "between")

# --- names -----------------------------------------------------------------------------------------------------


@rule("core -> WORD")
def _(word: str) -> Words:
    return tuple(word.split())


@rule("core -> core WORD")
def _(words: Words, word: str) -> Words:
    return (*words, *word.split())


@rule("core -> core ''s' WORD", cost=0.1)
def _(words: Words, word: str) -> Words:
    return (*words[:-1], words[-1] + "'s", word)


@rule("core -> core NUM", cost=0.3)
def _(words: Words, number: float) -> Words | None:
    """Pallet 7."""
    return (*words, str(int(number))) if number == int(number) else None


@rule("head -> core")
def _(words: Words) -> NounPhrase:
    if len(words) > 1 and words[-1] in SURFACES:
        words = words[:-1]
    return NounPhrase(words=words, plural=is_plural(words[-1]))


@rule("head -> core 'of' DET? core", cost=0.4)
def _(whole: Words, _determiner: str | None, part: Words) -> NounPhrase:
    """The box of macaroni; the corner of the table is the table."""
    if whole[-1] in PARTS:
        return NounPhrase(words=part, plural=is_plural(part[-1]))
    return NounPhrase(words=(*whole, "of", *part), plural=is_plural(whole[-1]))


@rule("head -> core 'and' core", cost=0.4)
def _(first: Words, second: Words) -> NounPhrase | None:
    """One thing with two names, "macaroni and cheese box"; two plurals are two kinds of thing."""
    if is_plural(first[-1]) or is_plural(second[-1]):
        return None
    return NounPhrase(words=(*first, "and", *second))


@rule("head -> GENERIC")
def _(_thing: str) -> NounPhrase:
    return NounPhrase(generic=True)


@rule("head -> core GENERIC")
def _(words: Words, _thing: str) -> NounPhrase:
    return NounPhrase(words=words, generic=True)


@rule("head -> GENERIC core", cost=0.8)
def _(_thing: str, words: Words) -> NounPhrase:
    """Something red."""
    return NounPhrase(words=words, generic=True)


@rule("head -> QUOTED")
def _(text: str) -> NounPhrase:
    return NounPhrase(words=tuple(text.split()))


@rule("head -> core QUOTED")
def _(words: Words, text: str) -> NounPhrase:
    title = Feature(tuple(text.split()), "titled")
    return NounPhrase(words=words, plural=is_plural(words[-1]), modifiers=(title,))


# --- before a name ---------------------------------------------------------------------------------------------


@rule("nbar -> head")
def _(head: NounPhrase) -> NounPhrase:
    return head


@rule("nbar -> SUPERLATIVE|SIDEWORD nbar")
def _(kind: str, head: NounPhrase) -> NounPhrase:
    return narrowed(head, Ranked(kind))


@rule("nbar -> 'most' 'distant|remote' nbar")
def _(head: NounPhrase) -> NounPhrase:
    return narrowed(head, Ranked("farthest"))


@rule("nbar -> OTHER|STATEADJ nbar", cost=0.1)
def _(kind: str, head: NounPhrase) -> NounPhrase:
    return narrowed(head, Condition(kind))


@rule("nbar -> VERB nbar", cost=0.9)
def _(verb: Verb, head: NounPhrase) -> NounPhrase | None:
    """A participle as an adjective: "the moved chair", "the removed mug"."""
    if verb.form != "participle" or verb.kind not in ("move", "vanish"):
        return None
    return narrowed(head, Condition("moved" if verb.kind == "move" else "gone"))


@rule("np0 -> DET? NUM? nbar")
def _(determiner: str | None, number: float | None, head: NounPhrase) -> NounPhrase | None:
    if number is not None and number != int(number):
        return None
    return replace(head, determiner=determiner, number=None if number is None else int(number))


@rule("np0 -> 'the' SEENORDER NUM? nbar", cost=0.4)
def _(order: str, number: float | None, head: NounPhrase) -> NounPhrase | None:
    """The last three things (that I saw)."""
    if number is not None and number != int(number):
        return None
    how_many = 1 if number is None else int(number)
    return replace(narrowed(head, Ranked(f"seen_{order}")), determiner="the", number=how_many)


@rule("np0 -> agent ''s' nbar", cost=0.2)
def _(_owner: str, head: NounPhrase) -> NounPhrase:
    return replace(head, determiner="my")


@rule("np0 -> NUM|DET 'of' np0", cost=0.2)
def _(_share: object, whole: NounPhrase) -> NounPhrase:
    """One of the chairs."""
    return whole


@rule("np0 -> PRONOUN")
def _(pronoun: str) -> NounPhrase:
    return NounPhrase(pronoun=pronoun)


@rule("np0 -> DET? ONE", cost=0.1)
def _(_determiner: str | None, _one: str) -> NounPhrase:
    return NounPhrase(pronoun="one")


@rule("np0 -> DET? core ONE", cost=0.1)
def _(_determiner: str | None, words: Words, _one: str) -> NounPhrase:
    """The red one."""
    return NounPhrase(words=words, pronoun="one")


@rule("np0 -> DET? SUPERLATIVE|SIDEWORD ONE", cost=0.1)
def _(_determiner: str | None, kind: str, _one: str) -> NounPhrase:
    """The left one."""
    return NounPhrase(pronoun="one", modifiers=(Ranked(kind),))


@rule("np0 -> DET? WORD 'of' np0", cost=0.3)
def _(_determiner: str | None, part: str, whole: NounPhrase) -> NounPhrase | None:
    """The middle of the left TV."""
    return whole if part in PARTS else None


@rule("np0 -> DET OTHER ONE?", cost=0.1)
def _(_determiner: str, kind: str, _one: str | None) -> NounPhrase:
    return NounPhrase(pronoun="one", modifiers=(Condition(kind),))


# --- after a name ----------------------------------------------------------------------------------------------


@rule("np -> np0")
def _(phrase: NounPhrase) -> NounPhrase:
    return phrase


@rule("np -> np rel|feature|ranked", cost=0.05)
def _(phrase: NounPhrase, modifier: Modifier) -> NounPhrase | None:
    if isinstance(modifier, Relation) and (_needs_eye(modifier) or modifier.kind in _OF_MOVEMENTS):
        return None
    return narrowed(phrase, modifier) if not _has_place(phrase) else None


@rule("np -> np rel|feature|ranked", cost=0.15)
def _(phrase: NounPhrase, modifier: Modifier) -> NounPhrase | None:
    """The mug on the table next to the sofa: the table, sooner than the mug, is next to the sofa."""
    if isinstance(modifier, Relation) and (_needs_eye(modifier) or modifier.kind in _OF_MOVEMENTS):
        return None
    return narrowed(phrase, modifier) if _has_place(phrase) else None


def _has_place(phrase: NounPhrase) -> bool:
    return any(isinstance(each, Relation) for each in phrase.modifiers)


@rule("np -> np rel", cost=0.5)
def _(phrase: NounPhrase, relation: Relation) -> NounPhrase | None:
    """What is on the table left of the book? Not the table, as a rule, is left of it."""
    return narrowed(phrase, relation) if _needs_eye(relation) else None


def _needs_eye(relation: Relation) -> bool:
    """Whether it is a relation along a line of sight, which is seldom said to tell one landmark from another."""
    return relation.directly or relation.kind in _SIDED


@rule("np -> np 'to|from' landmark", cost=0.05)
def _(phrase: NounPhrase, landmark: NounPhrase) -> NounPhrase | None:
    """The closest thing to the sofa: nearest to what is said after the noun."""
    ranked = [
        each for each in phrase.modifiers if isinstance(each, Ranked) and each.kind in ("nearest", "farthest")
    ]
    if len(ranked) != 1 or ranked[0].landmark is not None:
        return None
    others = tuple(each for each in phrase.modifiers if each is not ranked[0])
    return replace(phrase, modifiers=(*others, replace(ranked[0], landmark=landmark)))


@rule("np -> np relative", cost=0.05)
def _(phrase: NounPhrase, modifiers: tuple[Modifier, ...]) -> NounPhrase:
    return narrowed(phrase, *modifiers)


@rule("np -> 'all|everything|anything|whatever' relative", cost=0.1)
def _(modifiers: tuple[Modifier, ...]) -> NounPhrase:
    """All that lies on the table."""
    return NounPhrase(generic=True, plural=True, modifiers=modifiers)


@rule("np -> np EXCEPT landmark", cost=0.4)
def _(phrase: NounPhrase, _except: str, left_out: NounPhrase) -> NounPhrase | None:
    """All mugs but the red one."""
    return narrowed(phrase, Except(left_out)) if left_out.agent is None else None


@rule("np -> np period", cost=0.5)
def _(phrase: NounPhrase, period: Period) -> NounPhrase:
    return narrowed(phrase, period)


@rule("feature -> FEATURE flat")
def _(kind: str, words: Words) -> Feature:
    return Feature(words, kind)


@rule("feature -> 'of|in' 'any|all|whatever|every' core")
def _(_words: Words) -> Feature:
    """Of any colour: nothing is asked for."""
    return Feature(())


@rule("feature -> WITHOUT flat")
def _(_without: str, words: Words) -> Feature:
    return Feature(words, negated=True)


@rule("flat -> DET? NUM? core")
def _(_determiner: str | None, _number: float | None, words: Words) -> Words:
    return words


@rule("flat -> QUOTED")
def _(text: str) -> Words:
    return tuple(text.split())


@rule("flat -> flat P MY core")
def _(words: Words, preposition: str, _its: str, more: Words) -> Words:
    """A shell on its cover."""
    return (*words, preposition, "its", *more)


@rule("flat -> flat P flat", cost=0.3)
def _(words: Words, preposition: str, more: Words) -> Words:
    return (*words, preposition, *more)


@rule("flat -> flat VERB P? PRONOUN?", cost=0.2)
def _(words: Words, verb: Verb, _preposition: str | None, _it: str | None) -> Words | None:
    """Flowers painted on it."""
    return words if verb.form == "participle" and verb.kind == "say" else None


@rule("flat -> flat 'and|or' flat", cost=0.1)
def _(words: Words, more: Words) -> Words:
    return (*words, "and", *more)


def narrowed(phrase: NounPhrase, *modifiers: Modifier) -> NounPhrase:
    """`phrase` with more modifiers."""
    return replace(phrase, modifiers=(*phrase.modifiers, *modifiers))
