"""Questions around a noun: "what is the distance between ...", "the number of chairs", "list the mugs"."""

from __future__ import annotations

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.grammar.nouns import narrowed
from recall4d.query.english.grammar.questions import PRESENT, Auxiliary, asked
from recall4d.query.english.lexicon import Verb
from recall4d.query.english.phrases import Clause, NounPhrase, Period, Ranked, Wh, Word

IS = Auxiliary("be")
MOVED = Verb("move", "past", "move")


@rule("whatis -> 'what' be 'the'")
def _(auxiliary: Auxiliary) -> Auxiliary:
    return auxiliary


@rule("whatis -> 'the'", cost=0.2)
def _() -> Auxiliary:
    """The distance between the chairs?"""
    return IS


# --- of a thing ------------------------------------------------------------------------------------------------


@rule("q -> whatis? TITLE 'of|on' landmark")
def _(tense: Auxiliary | None, _title: str, subject: NounPhrase) -> Clause | None:
    return asked(Clause(), Wh("title"), tense or IS, subject)


@rule("q -> whatis? SIZENOUN 'of' landmark")
def _(tense: Auxiliary | None, detail: str, subject: NounPhrase) -> Clause | None:
    return asked(Clause(), Wh("size", detail=detail), tense or IS, subject)


@rule("q -> whatis? ATTRIBUTE 'of' landmark")
def _(tense: Auxiliary | None, detail: str, subject: NounPhrase) -> Clause | None:
    return asked(Clause(), Wh("attribute", detail=detail), tense or IS, subject)


@rule("q -> whatis? PLACENOUN 'of' landmark")
def _(tense: Auxiliary | None, _place: str, subject: NounPhrase) -> Clause | None:
    return asked(Clause(), Wh("where"), tense or IS, subject)


@rule("q -> whatis? FORMER PLACENOUN 'of' landmark", cost=0.0)
def _(tense: Auxiliary | None, former: str, _place: str, subject: NounPhrase) -> Clause | None:
    """What is the previous location of the mug?"""
    return asked(Clause(complements=(_then(former),)), Wh("where"), tense or IS, subject)


@rule("q -> 'what' be MY FORMER PLACENOUN", cost=0.0)
def _(tense: Auxiliary, _its: str, former: str, _place: str) -> Clause | None:
    """What was its old place?"""
    return asked(Clause(complements=(_then(former),)), Wh("where"), tense, NounPhrase(pronoun="it"))


def _then(former: str) -> Period:
    return Period("originally" if former == "first" else "earlier")


@rule("q -> whatis? NUMBEROF np")
def _(tense: Auxiliary | None, _number: str, phrase: NounPhrase) -> Clause | None:
    return asked(PRESENT, Wh("how_many", phrase), tense or IS, phrase)


@rule("q -> SUPERLATIVE nbar", cost=0.6)
def _(kind: str, head: NounPhrase) -> Clause:
    """Biggest appliance?"""
    phrase = narrowed(head, Ranked(kind))
    return Clause(wh=Wh("which", phrase), subject=phrase)


@rule("q -> 'the'? SUPERLATIVE nbar rel|relative|period", cost=0.6)
def _(kind: str, head: NounPhrase, more: object) -> Clause:
    """The tallest thing in the kitchen?"""
    phrase = narrowed(head, Ranked(kind), *(more if isinstance(more, tuple) else (more,)))
    return Clause(wh=Wh("which", phrase), subject=phrase)


@rule("q -> whatis? DIRECTION 'to|of|towards' landmark")
def _(tense: Auxiliary | None, _direction: str, subject: NounPhrase) -> Clause | None:
    return asked(Clause(), Wh("way"), tense or IS, subject)


@rule("q -> 'what' MODAL|DO 'you' 'tell|know|say|remember' 'me'? 'about|of' landmark")
def _(tense: str, subject: NounPhrase) -> Clause:
    """What can you tell me about it? What did you know of it then?"""
    known = (Word("known"),) if tense == "past" else ()
    return Clause(wh=Wh("attribute", detail="description"), subject=subject, complements=known)


# --- between things --------------------------------------------------------------------------------------------


@rule("q -> whatis? DISTANCE span")
def _(tense: Auxiliary | None, _distance: str, span: NounPhrase) -> Clause | None:
    return asked(Clause(), Wh("how_far"), tense or IS, span)


@rule("q -> howfar be 'it' span")
def _(_how: str, tense: Auxiliary, span: NounPhrase) -> Clause | None:
    return asked(Clause(), Wh("how_far"), tense, span)


@rule("q -> howfar 'are|is|lie|lies|was|were' 'there'? span", cost=0.1)
def _(_how: str, span: NounPhrase) -> Clause | None:
    """How many metres are there between the chairs?"""
    return asked(Clause(), Wh("how_far"), IS, span)


@rule("q -> howfar 'from' landmark be landmark")
def _(_how: str, first: NounPhrase, tense: Auxiliary, second: NounPhrase) -> Clause | None:
    """How far from the door is the mug?"""
    return asked(Clause(), Wh("how_far"), tense, NounPhrase(members=(second, first), joined="and"))


@rule("q -> howfar be PRONOUN AWAY? 'from' MY|DET FORMER PLACENOUN", cost=0.1)
def _(_how: str, tense: Auxiliary, pronoun: str, _away: str | None, _its: str, _old: str, _place: str) -> Clause:
    """How far is that from its old place?"""
    return Clause(wh=Wh("how_far"), subject=NounPhrase(pronoun=pronoun), verb=MOVED, past=True)


@rule("q -> howfar be landmark AWAY? 'from' MY|DET FORMER PLACENOUN", cost=0.1)
def _(
    _how: str, tense: Auxiliary, subject: NounPhrase, _away: str | None, _its: str, _old: str, _place: str
) -> Clause:
    return Clause(wh=Wh("how_far"), subject=subject, verb=MOVED, past=True)


@rule("span -> 'of' landmark AND landmark")
def _(first: NounPhrase, _and: str, second: NounPhrase) -> NounPhrase:
    """The separation of the two."""
    return NounPhrase(members=(first, second), joined="and")


@rule("span -> 'between' landmark AND landmark")
def _(first: NounPhrase, _and: str, second: NounPhrase) -> NounPhrase:
    return NounPhrase(members=(first, second), joined="and")


@rule("span -> 'from' landmark 'to' landmark")
def _(first: NounPhrase, second: NounPhrase) -> NounPhrase:
    return NounPhrase(members=(first, second), joined="and")


@rule("span -> 'between' landmark", cost=0.2)
def _(pair: NounPhrase) -> NounPhrase | None:
    return pair if pair.plural or pair.number == 2 or pair.pronoun == "they" else None


@rule("span -> 'to' landmark", cost=0.2)
def _(landmark: NounPhrase) -> NounPhrase:
    return NounPhrase(members=(NounPhrase(agent="asker"), landmark), joined="and")


# --- commands --------------------------------------------------------------------------------------------------


@rule("q -> command", cost=0.2)
def _(clause: Clause) -> Clause:
    return clause


@rule("q -> MODAL 'you' command")
def _(_could: str, clause: Clause) -> Clause:
    return clause


@rule("command -> 'find|locate|search' 'for'? landmark", cost=0.1)
def _(subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("where"), subject=subject)


@rule(
    "command -> 'point|direct|guide|lead|take|bring|walk|navigate|drive|send' 'me'? 'to|towards' landmark", cost=0.1
)
def _(subject: NounPhrase) -> Clause:
    """Point me to the nearest mug."""
    return Clause(wh=Wh("where"), subject=subject)


@rule("command -> 'go' 'to' landmark", cost=0.1)
def _(subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("where"), subject=subject)


@rule("command -> 'name|identify' PRONOUN", cost=0.2)
def _(_it: str) -> Clause:
    """Something vanished. Name it."""
    return Clause(wh=Wh("what", NounPhrase(generic=True)))


@rule("command -> 'count' np")
def _(phrase: NounPhrase) -> Clause | None:
    return asked(PRESENT, Wh("how_many", phrase), IS, phrase)


@rule("command -> 'list|name|enumerate' np", cost=0.1)
def _(phrase: NounPhrase) -> Clause:
    return Clause(wh=Wh("what", phrase), subject=phrase, complements=(Word("list"),))


@rule("command -> 'list|name' q", cost=0.1)
def _(clause: Clause) -> Clause:
    return clause


@rule("command -> 'describe' landmark")
def _(subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("attribute", detail="description"), subject=subject)
