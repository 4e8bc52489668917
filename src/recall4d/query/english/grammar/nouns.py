"""Noun phrases: "two red mugs", "the box of macaroni next to the sink", "the one that was moved"."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.phrases import (
    Clause,
    Condition,
    Feature,
    Formerly,
    Happened,
    Modifier,
    NounPhrase,
    Period,
    Ranked,
    Relation,
    Sighted,
    Viewpoint,
    Word,
)
from recall4d.query.morphology import is_plural

Words = tuple[str, ...]
PARTS = frozenset(["corner", "middle", "centre", "center", "edge", "end", "surface", "part", "rest", "top", "bottom", "vicinity", "area"])
"""Parts of a thing that stand for it: what is at the end of the table is on the table."""

NOT_OF_NOUNS = ("to", "through", "about")
"""Relations of movements, not of things."""

# --- names -----------------------------------------------------------------------------------------------------


@rule("core -> WORD")
def _(word: str) -> Words:
    return (word,)


@rule("core -> core WORD")
def _(words: Words, word: str) -> Words:
    return (*words, word)


@rule("core -> core ''s' WORD", cost=0.1)
def _(words: Words, word: str) -> Words:
    return (*words[:-1], words[-1] + "'s", word)


@rule("head -> core", cost=0.0)
def _(words: Words) -> NounPhrase:
    return NounPhrase(words=words, plural=is_plural(words[-1]))


@rule("head -> core 'of' DET? core", cost=0.4)
def _(whole: Words, _determiner: str | None, part: Words) -> NounPhrase:
    if whole[-1] in PARTS:
        return NounPhrase(words=part, plural=is_plural(part[-1]))
    return NounPhrase(words=(*whole, "of", *part), plural=is_plural(whole[-1]))


@rule("head -> core 'and|&' core", cost=0.4)
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
    return NounPhrase(words=words, generic=True)


@rule("head -> QUOTED")
def _(text: str) -> NounPhrase:
    return NounPhrase(words=tuple(text.split()))


@rule("head -> core QUOTED")
def _(words: Words, text: str) -> NounPhrase:
    return NounPhrase(words=words, plural=is_plural(words[-1]), modifiers=(Feature(tuple(text.split()), "titled"),))


# --- what stands before a name ---------------------------------------------------------------------------------


@rule("nbar -> head")
def _(head: NounPhrase) -> NounPhrase:
    return head


@rule("nbar -> SUPERLATIVE nbar")
def _(kind: str, head: NounPhrase) -> NounPhrase:
    return narrowed(head, Ranked(kind))


@rule("nbar -> SIDEWORD nbar")
def _(side: str, head: NounPhrase) -> NounPhrase:
    return narrowed(head, Ranked({"left": "leftmost", "right": "rightmost", "top": "highest"}.get(side, "lowest")))


@rule("nbar -> 'most' 'distant|remote' nbar")
def _(head: NounPhrase) -> NounPhrase:
    return narrowed(head, Ranked("farthest"))


@rule("nbar -> OTHER nbar", cost=0.1)
def _(kind: str, head: NounPhrase) -> NounPhrase:
    return narrowed(head, Condition(kind))


@rule("nbar -> STATEADJ nbar", cost=0.1)
def _(kind: str, head: NounPhrase) -> NounPhrase:
    return narrowed(head, Condition(kind))


@rule("nbar -> VERB nbar", cost=0.9)
def _(verb: object, head: NounPhrase) -> NounPhrase | None:
    """A participle as an adjective: "the moved chair", "the missing mug"."""
    kind, form = getattr(verb, "kind", ""), getattr(verb, "form", "")
    if form != "participle" or kind not in ("move", "vanish"):
        return None
    return narrowed(head, Condition("moved" if kind == "move" else "gone"))


@rule("np0 -> DET? NUM? nbar")
def _(determiner: str | None, number: float | None, head: NounPhrase) -> NounPhrase | None:
    if number is not None and number != int(number):
        return None
    return replace(head, determiner=determiner, number=None if number is None else int(number))


@rule("np0 -> agent ''s' nbar", cost=0.2)
def _(_owner: str, head: NounPhrase) -> NounPhrase:
    return replace(head, determiner="my")


@rule("np0 -> NUM|DET 'of' np0", cost=0.2)
def _(_share: object, whole: NounPhrase) -> NounPhrase:
    return whole


@rule("np0 -> PRONOUN")
def _(pronoun: str) -> NounPhrase:
    return NounPhrase(pronoun=pronoun)


@rule("np0 -> DET? ONE", cost=0.1)
def _(_determiner: str | None, _one: str) -> NounPhrase:
    return NounPhrase(pronoun="one")


@rule("np0 -> DET? core ONE", cost=0.1)
def _(_determiner: str | None, words: Words, _one: str) -> NounPhrase:
    return NounPhrase(words=words, pronoun="one")


@rule("np0 -> DET OTHER ONE?", cost=0.1)
def _(_determiner: str, kind: str, _one: str | None) -> NounPhrase:
    return NounPhrase(pronoun="one", modifiers=(Condition(kind),))


# --- what stands after it --------------------------------------------------------------------------------------


@rule("np -> np0")
def _(phrase: NounPhrase) -> NounPhrase:
    return phrase


@rule("np -> np rel|feature|ranked", cost=0.05)
def _(phrase: NounPhrase, modifier: Modifier) -> NounPhrase | None:
    if isinstance(modifier, Relation) and (_is_line_of_sight(modifier) or modifier.kind in NOT_OF_NOUNS):
        return None
    return narrowed(phrase, modifier)


@rule("np -> np rel", cost=0.5)
def _(phrase: NounPhrase, relation: Relation) -> NounPhrase | None:
    """What is on the table left of the book? Not the table, as a rule, is left of it."""
    return narrowed(phrase, relation) if _is_line_of_sight(relation) else None


def _is_line_of_sight(relation: Relation) -> bool:
    return relation.directly or relation.kind in ("left", "right", "front", "behind", "between")


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


@rule("np -> np period", cost=0.5)
def _(phrase: NounPhrase, period: Period) -> NounPhrase:
    return narrowed(phrase, period)


@rule("feature -> FEATURE flat")
def _(kind: str, words: Words) -> Feature:
    return Feature(words, kind)


@rule("feature -> 'of|in' 'any|all|whatever|every' core")
def _(words: Words) -> Feature:
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
    return (*words, preposition, "its", *more)


@rule("flat -> flat P flat", cost=0.3)
def _(words: Words, preposition: str, more: Words) -> Words:
    return (*words, preposition, *more)


@rule("flat -> flat 'and|or' flat", cost=0.1)
def _(words: Words, more: Words) -> Words:
    return (*words, "and", *more)


# --- relative clauses ------------------------------------------------------------------------------------------


@rule("relative -> REL vp", cost=0.1)
def _(_that: str, clause: Clause) -> tuple[Modifier, ...] | None:
    return as_modifiers(clause)


@rule("relative -> REL? agent vp", cost=0.2)
def _(_that: str | None, agent: str, clause: Clause) -> tuple[Modifier, ...] | None:
    if clause.verb is None or clause.verb.kind != "see" or clause.target is not None:
        return None
    return as_modifiers(replace(clause, subject=NounPhrase(agent=agent)))


@rule("relative -> vp", cost=0.4)
def _(clause: Clause) -> tuple[Modifier, ...] | None:
    """Without "that": "lying on the table", "seen by alpha", "moved since the first tour"."""
    if clause.verb is None or clause.verb.form not in ("participle", "ing") or clause.target is not None:
        return None
    if clause.verb.form == "ing" and clause.verb.kind not in ("stand", "have", "move"):
        return None
    return as_modifiers(replace(clause, past=False))


@rule("relative -> 'where' np vp", cost=0.3)
def _(held: NounPhrase, clause: Clause) -> tuple[Modifier, ...] | None:
    """A place by what was there: "the counter where the coffee pot stood"."""
    if clause.target is not None or (clause.verb is not None and clause.verb.kind != "stand"):
        return None
    return (Relation("under", (held,)),)


def as_modifiers(clause: Clause) -> tuple[Modifier, ...] | None:
    """What a relative clause says of its noun; None where it says nothing a memory knows."""
    places: tuple[Modifier, ...] = tuple(
        c for c in clause.complements if isinstance(c, Relation | Ranked | Condition | Feature | Viewpoint)
    )
    periods = tuple(c for c in clause.complements if isinstance(c, Period))
    words = [c.kind for c in clause.complements if isinstance(c, Word)]
    rest = [c for c in clause.complements if isinstance(c, NounPhrase)]
    if rest or len(places) + len(periods) + len(words) < len(clause.complements) - _n_by(clause):
        return None
    kind = None if clause.verb is None else clause.verb.kind
    if kind in (None, "be", "stand", "leave", "hide"):
        if clause.past and not periods:
            places = tuple(Formerly(each) if isinstance(each, Relation) else each for each in places)
        return (*places, *periods) or None
    if kind == "see":
        order = next((word for word in words if word in ("first", "last")), None)
        return (*places, Sighted(_seer(clause), periods, order))
    if kind in ("move", "appear", "vanish", "change", "touch"):
        return (Happened(clause),)
    return None


def _n_by(clause: Clause) -> int:
    return sum(hasattr(each, "agent") and not isinstance(each, Viewpoint | Sighted) for each in clause.complements)


def _seer(clause: Clause) -> str | None:
    """Who saw it: the subject of an active clause, or "by alpha" in a passive one."""
    if clause.subject is not None and clause.subject.agent:
        return clause.subject.agent
    return next((each.agent for each in clause.complements if type(each).__name__ == "By"), None)


def narrowed(phrase: NounPhrase, *modifiers: Modifier) -> NounPhrase:
    """`phrase` with more modifiers."""
    return replace(phrase, modifiers=(*phrase.modifiers, *modifiers))
