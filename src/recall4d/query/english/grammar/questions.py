"""Questions: how an asked clause is built around its question word."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.grammar.clauses import with_complements
from recall4d.query.english.grammar.nouns import narrowed
from recall4d.query.english.grammar.question_words import NOT_HELD
from recall4d.query.english.lexicon import Verb
from recall4d.query.english.phrases import (
    By,
    Clause,
    Complement,
    Condition,
    Except,
    Modifier,
    Moment,
    NounPhrase,
    Period,
    Relation,
    Visit,
    Wh,
    Word,
)

POLAR = Wh("polar")
HAS = Verb("have", "base", "have")
PRESENT = Clause(complements=(Condition("present"),))

# --- auxiliaries -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Auxiliary:
    """The auxiliary that opens a question.

    Attributes:
        kind: "be", "do" (and modals) or "have".
        past: whether it is in the past.
        negated: whether "not" follows it.
    """

    kind: str
    past: bool = False
    negated: bool = False


@rule("aux -> BE")
def _(tense: str) -> Auxiliary:
    return Auxiliary("be", tense == "past")


@rule("aux -> DO|MODAL")
def _(tense: str) -> Auxiliary:
    return Auxiliary("do", tense == "past")


@rule("aux -> HAVE")
def _(tense: str) -> Auxiliary:
    return Auxiliary("have", tense == "past")


@rule("aux -> aux NOT")
def _(auxiliary: Auxiliary, _not: str) -> Auxiliary:
    return replace(auxiliary, negated=True)


@rule("be -> aux")
def _(auxiliary: Auxiliary) -> Auxiliary | None:
    return auxiliary if auxiliary.kind == "be" else None


_FORMS = {"be": ("participle", "ing"), "do": ("base",), "have": ("participle",)}
"""Forms of the verb after each auxiliary."""


def agree(auxiliary: Auxiliary, clause: Clause) -> bool:
    """Whether a predicate may follow an auxiliary: is standing, did see, has been moved."""
    if clause.verb is None:
        return True
    if clause.led_by is not None:
        return auxiliary.kind != "be"
    return clause.verb.form in _FORMS[auxiliary.kind]


def asked(clause: Clause, wh: Wh, auxiliary: Auxiliary, subject: NounPhrase | None) -> Clause | None:
    """`clause` as a question about its subject; None where its auxiliary and verb do not go together."""
    if not agree(auxiliary, clause):
        return None
    past = clause.past if auxiliary.kind == "have" else auxiliary.past or (clause.past and clause.verb is None)
    past = past or auxiliary.kind == "have"
    return replace(clause, wh=wh, subject=subject, past=past, negated=clause.negated != auxiliary.negated)


# --- where, when, how ------------------------------------------------------------------------------------------


@rule("q -> whadv aux subj vp")
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase, clause: Clause) -> Clause | None:
    return asked(clause, wh, tense, subject)


@rule("q -> whadv be subj")
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase) -> Clause | None:
    return asked(Clause(), wh, tense, subject)


@rule("q -> whadv be subj comp", cost=0.15)
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase, complement: Complement) -> Clause | None:
    return asked(Clause(complements=(complement,)), wh, tense, subject)


@rule("q -> whadv comp aux subj vp", cost=0.3)
def _(wh: Wh, complement: Complement, tense: Auxiliary, subject: NounPhrase, clause: Clause) -> Clause | None:
    """Where in the kitchen did I see it?"""
    question = asked(clause, wh, tense, subject)
    return None if question is None else with_complements(question, complement)


@rule("q -> whadv comp be subj", cost=0.3)
def _(wh: Wh, complement: Complement, tense: Auxiliary, subject: NounPhrase) -> Clause | None:
    return asked(Clause(complements=(complement,)), wh, tense, subject)


@rule("q -> whadv be 'it|that' 'that' subj vp", cost=0.1)
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase, clause: Clause) -> Clause | None:
    return asked(clause, wh, tense, subject)


@rule("q -> whadv subj vp", cost=1.6)
def _(wh: Wh, subject: NounPhrase, clause: Clause) -> Clause | None:
    """Indirect: "(tell me) where the mug is"."""
    return replace(clause, wh=wh, subject=subject)


@rule("q -> whadv be 'there' subj")
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase) -> Clause | None:
    """At what coordinates is there a banana?"""
    return asked(PRESENT, wh, tense, subject) if wh.kind == "where" else None


@rule("q -> 'to|in|at|on'? 'what|which' PLACENOUN rel? aux subj OCCUPY", cost=0.1)
def _(_place: str, relation: Relation | None, tense: Auxiliary, subject: NounPhrase, _occupy: str) -> Clause | None:
    """Which spot in the bedroom does it occupy?"""
    return asked(Clause(complements=() if relation is None else (relation,)), Wh("where"), tense, subject)


@rule("q -> WHERE be subj ','? RELATIVELY")
def _(_where: str, tense: Auxiliary, subject: NounPhrase, _me: str) -> Clause | None:
    """Where is it relative to me?"""
    return asked(Clause(), Wh("way"), tense, subject)


@rule("q -> q ','? 'is' 'it' egos", cost=0.2)
def _(clause: Clause, _sides: str) -> Clause | None:
    return _way(clause)


@rule("q -> q ','? egos", cost=0.2)
def _(clause: Clause, _sides: str) -> Clause | None:
    """Where is it: before me or at my back?"""
    return _way(clause)


@rule("egos -> EGO OR EGO")
def _(_first: str, _or: str, _second: str) -> str:
    return "sides"


@rule("egos -> EGO ','? egos")
def _(_first: str, _rest: str) -> str:
    return "sides"


def _way(clause: Clause) -> Clause | None:
    """A question where something is, narrowed to the sides of the one who asks."""
    if clause.wh is None or clause.wh.kind not in ("where", "way") or clause.verb is not None:
        return None
    return replace(clause, wh=Wh("way"))


@rule("q -> 'what' be MY PLACENOUN", cost=0.1)
def _(tense: Auxiliary, _its: str, _place: str) -> Clause | None:
    """What is its position?"""
    return asked(Clause(), Wh("where"), tense, NounPhrase(pronoun="it"))


@rule("q -> 'what' be MY SIZENOUN", cost=0.1)
def _(tense: Auxiliary, _its: str, detail: str) -> Clause | None:
    """What is its height?"""
    return asked(Clause(), Wh("size", detail=detail), tense, NounPhrase(pronoun="it"))


@rule("q -> 'what' be MY ATTRIBUTE", cost=0.1)
def _(tense: Auxiliary, _its: str, detail: str) -> Clause | None:
    return asked(Clause(), Wh("attribute", detail=detail), tense, NounPhrase(pronoun="it"))


@rule("q -> be 'it' group REL vp", cost=0.1)
def _(tense: Auxiliary, group: NounPhrase, _that: str, clause: Clause) -> Clause:
    """Is it the TV or the bed that is nearer to the door?"""
    return replace(clause, wh=Wh("which", group), subject=group)


@rule("q -> 'compared' 'with|to' visit ','? q", cost=0.1)
def _(visit: Visit, clause: Clause) -> Clause:
    """Compared with the first round, what is different?"""
    return with_complements(clause, Period(after=Moment("visit_end", visit=visit)))


@rule("q -> 'compared' 'with|to' 'what' agent vp ','? q", cost=0.1)
def _(_agent: str, seen: Clause, clause: Clause) -> Clause | None:
    """Compared with what alpha saw: with what memory knows."""
    return clause if seen.verb is not None and seen.verb.kind == "see" else None


@rule("q -> q 'compared' 'with|to' visit", cost=0.1)
def _(clause: Clause, visit: Visit) -> Clause:
    return with_complements(clause, Period(after=Moment("visit_end", visit=visit)))


@rule("q -> landmark ','? WHERE", cost=4.2)
def _(subject: NounPhrase, _where: str) -> Clause:
    """The toy car: where?"""
    return Clause(wh=Wh("where"), subject=subject)


@rule("q -> landmark ','? 'the|its'? PLACENOUN", cost=0.6)
def _(subject: NounPhrase, _place: str) -> Clause:
    """The suitcase: last known spot?"""
    return Clause(wh=Wh("where"), subject=subject)


@rule("q -> q 'to|at|in|into'", cost=0.4)
def _(clause: Clause) -> Clause | None:
    """Where has it gone to?"""
    return clause if clause.wh is not None and clause.wh.kind == "where" else None


@rule("q -> q 'from'", cost=0.4)
def _(clause: Clause) -> Clause | None:
    """Where did it come from?"""
    moves = clause.verb is not None and clause.verb.kind == "move"
    return with_complements(clause, Period("earlier")) if clause.wh == Wh("where") and moves else None


@rule("q -> 'from' 'where' 'to' 'where' aux subj vp")
def _(tense: Auxiliary, subject: NounPhrase, clause: Clause) -> Clause | None:
    return asked(clause, Wh("where", detail="from and to"), tense, subject)


@rule("q -> 'between' WHICHDET 'moments|times|instants|points|frames|observations' aux subj vp", cost=0.1)
def _(_which: str, tense: Auxiliary, subject: NounPhrase, clause: Clause) -> Clause | None:
    return asked(clause, Wh("when", detail="interval"), tense, subject)


@rule("q -> 'what|when' be 'the' SEENORDER 'time|occasion' 'that|when'? decl")
def _(_tense: Auxiliary, order: str, clause: Clause) -> Clause | None:
    """What was the last time I saw it?"""
    return replace(with_complements(clause, Word(order)), wh=Wh("when"))


@rule("q -> 'the'? SEENORDER 'time' 'that|when'? decl", cost=0.5)
def _(order: str, clause: Clause) -> Clause | None:
    """Last time I saw it?"""
    return replace(with_complements(clause, Word(order)), wh=Wh("when"))


@rule("q -> q 'for'", cost=0.4)
def _(clause: Clause) -> Clause | None:
    """How long was it in view for?"""
    return clause if clause.wh is not None and clause.wh.kind in ("how_long", "how_long_ago") else None


@rule("q -> q ','? 'in' UNIT_L", cost=0.1)
def _(clause: Clause, _metres: float) -> Clause | None:
    """How far is it, in feet?"""
    return clause if clause.wh is not None and clause.wh.kind in ("how_far", "size") else None


@rule("q -> q ','? 'in' UNIT_T", cost=0.1)
def _(clause: Clause, _seconds: float) -> Clause | None:
    return clause if clause.wh is not None and clause.wh.kind in ("how_long", "how_long_ago") else None


@rule("elapsed -> 'the'? 'time' 'elapsed|passed|gone|since'? 'by'?")
def _() -> str:
    return "elapsed"


@rule("q -> 'what'? BE? elapsed 'since' event", cost=0.2)
def _(_is: str | None, _elapsed: str, clause: Clause) -> Clause:
    """The time elapsed since I last saw it."""
    return replace(clause, wh=Wh("how_long_ago"))


@rule("q -> HOWLONG aux? 'passed|elapsed|gone|it|been'? 'passed|elapsed|by|been'? 'since' event", cost=0.1)
def _(_how: str, _tense: Auxiliary | None, clause: Clause) -> Clause:
    return replace(clause, wh=Wh("how_long_ago"))


@rule("q -> HOWLONG vp", cost=0.2)
def _(_how: str, clause: Clause) -> Clause | None:
    """How much time passed between the two tours?"""
    return replace(clause, wh=Wh("how_long"))


@rule("q -> HOWLONG 'since' decl")
def _(_how: str, clause: Clause) -> Clause | None:
    return replace(clause, wh=Wh("how_long_ago"))


@rule("q -> HOWLONG be|HAVE 'it' 'been'? 'since' decl")
def _(_how: str, _tense: object, clause: Clause) -> Clause:
    return replace(clause, wh=Wh("how_long_ago"))


@rule("q -> whadv|whnp", cost=2.0)
def _(wh: Wh) -> Clause | None:
    """Bare: "Where?", "Which one?" after a statement."""
    return Clause(wh=wh)


# --- what, which, who ------------------------------------------------------------------------------------------


@rule("q -> whnp vp", cost=0.1)
def _(wh: Wh, clause: Clause) -> Clause | None:
    """What moved? What is on the table? Which chair was pushed? Who saw it?"""
    return replace(clause, wh=wh, subject=wh.phrase)


@rule("q -> whnp be 'it|that' 'that' vp", cost=0.1)
def _(wh: Wh, _tense: Auxiliary, clause: Clause) -> Clause | None:
    """Who was it that saw it?"""
    return replace(clause, wh=wh, subject=wh.phrase)


@rule("q -> whnp be 'the'? SEENORDER AGENTNOUN? 'to' vp")
def _(wh: Wh, _tense: Auxiliary, order: str, _noun: str | None, clause: Clause) -> Clause | None:
    """Who was the first to see it?"""
    return with_complements(replace(clause, wh=wh, subject=wh.phrase), Word(order))


@rule("q -> 'by' WHO be subj vp")
def _(_who: str, tense: Auxiliary, subject: NounPhrase, clause: Clause) -> Clause | None:
    return asked(clause, Wh("who"), tense, subject)


@rule("q -> whnp aux 'there'")
def _(wh: Wh, tense: Auxiliary) -> Clause | None:
    """How many chairs are there? What was there 12 seconds ago?"""
    return asked(PRESENT, wh, tense, wh.phrase)


@rule("q -> whnp aux subj vp", cost=0.1)
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase, clause: Clause) -> Clause | None:
    """What did I see? How many chairs did we pass? What was I looking at?"""
    if clause.target is not None:
        return None
    question = asked(clause, wh, tense, subject)
    return None if question is None else replace(question, target=wh.phrase)


@rule("q -> whnp subj vp", cost=1.6)
def _(wh: Wh, subject: NounPhrase, clause: Clause) -> Clause | None:
    """Indirect: "(tell me) what I saw"."""
    if clause.target is not None or clause.verb is None:
        return None
    return replace(clause, wh=wh, subject=subject, target=wh.phrase)


@rule("q -> whnp be subj", cost=0.3)
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase) -> Clause | None:
    """What is the largest box? What is the red thing on the shelf?"""
    return asked(Clause(target=wh.phrase), wh, tense, subject)


@rule("q -> whnp be subj PREP", cost=0.2)
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase, kind: str) -> Clause | None:
    """What is the mug on?"""
    if wh.kind not in ("what", "which") or kind in NOT_HELD:
        return None
    return asked(Clause(), Wh("what_on", wh.phrase, kind), tense, subject)


@rule("q -> whnp be subj vp PREP", cost=0.2)
def _(wh: Wh, tense: Auxiliary, subject: NounPhrase, clause: Clause, kind: str) -> Clause | None:
    """What is the mug standing on?"""
    if wh.kind not in ("what", "which") or clause.verb is None or clause.verb.kind not in ("stand", "leave"):
        return None
    return None if kind in NOT_HELD else asked(clause, Wh("what_on", wh.phrase, kind), tense, subject)


@rule("q -> HOWMANY UNMEASURED vp|relative?", cost=0.0)
def _(_how: str, _unit: str, _rest: object) -> Clause:
    """How many litres does it hold? What memory does not measure it cannot tell."""
    return Clause(wh=Wh("size", detail="unmeasured"), subject=NounPhrase(generic=True))


@rule("q -> 'what|which' ATTRIBUTE HAVE landmark", cost=0.1)
def _(detail: str, tense: str, subject: NounPhrase) -> Clause | None:
    """Which colour has the rug?"""
    return asked(Clause(), Wh("attribute", detail=detail), Auxiliary("be", tense == "past"), subject)


@rule("q -> whnp subj vp PREP", cost=1.7)
def _(wh: Wh, subject: NounPhrase, clause: Clause, kind: str) -> Clause | None:
    """Indirect: "(any idea) which surface it was left on"."""
    stands = clause.verb is not None and clause.verb.kind in ("stand", "leave")
    if wh.kind not in ("what", "which") or not stands or kind in NOT_HELD:
        return None
    return replace(clause, wh=Wh("what_on", wh.phrase, kind), subject=subject)


@rule("q -> 'to' vp ','? q", cost=0.2)
def _(purpose: Clause, clause: Clause) -> Clause | None:
    """To reach the box, which way do I turn?"""
    if clause.wh is None or clause.wh.kind not in ("way", "where", "how_far") or purpose.target is None:
        return None
    leans = clause.target is None and (clause.subject is None or clause.subject.agent is not None)
    return replace(clause, target=purpose.target, verb=purpose.verb) if leans else None


@rule("q -> 'according' 'to' agent ','? q")
def _(agent: str, clause: Clause) -> Clause:
    return with_complements(clause, By(agent))


# --- yes or no -------------------------------------------------------------------------------------------------


@rule("q -> be subj comp", cost=0.1)
def _(tense: Auxiliary, subject: NounPhrase, complement: Complement) -> Clause | None:
    return asked(Clause(complements=(complement,)), POLAR, tense, subject)


@rule("q -> aux subj vp", cost=0.1)
def _(tense: Auxiliary, subject: NounPhrase, clause: Clause) -> Clause | None:
    return asked(clause, POLAR, tense, subject)


@rule("q -> be 'there' subj")
def _(tense: Auxiliary, subject: NounPhrase) -> Clause | None:
    return asked(PRESENT, POLAR, tense, subject)


@rule("q -> be 'there' word subj", cost=0.1)
def _(tense: Auxiliary, word: Word, subject: NounPhrase) -> Clause | None:
    """Is there still a mug? Was there ever one?"""
    question = asked(PRESENT, POLAR, tense, subject)
    return None if question is None else with_complements(question, word)


@rule("q -> be 'there' NOT subj", cost=0.1)
def _(tense: Auxiliary, _not: str, subject: NounPhrase) -> Clause | None:
    """Is there no longer a mug?"""
    return asked(PRESENT, POLAR, tense, replace(subject, determiner="no"))


@rule("q -> aux 'there' USEDTO? 'be|been' subj")
def _(tense: Auxiliary, _used: str | None, subject: NounPhrase) -> Clause | None:
    return asked(PRESENT, POLAR, tense, subject)


@rule("q -> HAVE subj 'got' landmark comp?", cost=0.1)
def _(_tense: str, owner: NounPhrase, target: NounPhrase, complement: Complement | None) -> Clause:
    """Has the mug got a drink in it?"""
    return Clause(
        wh=POLAR, subject=owner, verb=HAS, target=target, complements=() if complement is None else (complement,)
    )


@rule("q -> q ','? AND? 'if' 'so' ','? whadv|whnp", cost=0.2)
def _(clause: Clause, _and: str | None, wh: Wh) -> Clause | None:
    """Is there a toy on it, and if so, which?"""
    if clause.wh != POLAR or clause.subject is None:
        return None
    return replace(clause, wh=replace(wh, phrase=clause.subject) if wh.kind in ("what", "which") else wh)


@rule("q -> decl ','? tag", cost=0.1)
def _(clause: Clause, tag: str) -> Clause:
    """The bottle is still on the counter, isn't it? The bear isn't there, is it? It never moved, right?"""
    if clause.negated and tag == "so":
        clause = with_complements(clause, Word("so"))
    return replace(clause, wh=POLAR, negated=False)


@rule("q -> SUPPOSING 'that'? decl")
def _(_supposing: str, clause: Clause) -> Clause:
    """Would you say it is taller?"""
    return replace(clause, wh=POLAR)


@rule("tag -> aux PRONOUN|ANYONE|ASKER|'there'")
def _(_auxiliary: Auxiliary, _subject: str) -> str:
    return "tag"


@rule("tag -> ',' 'right|correct|yes|no|true'", cost=0.1)
def _() -> str:
    return "so"


# --- added to a question ---------------------------------------------------------------------------------------


@rule("q -> q comp", cost=0.15)
def _(clause: Clause, complement: Complement) -> Clause | None:
    return with_complements(clause, complement)


@rule("q -> q relative", cost=0.6)
def _(clause: Clause, modifiers: tuple[Modifier, ...]) -> Clause | None:
    """What did I see that was on the table? How far was the chair moved that stood at the window?"""
    if clause.target is not None and clause.target.agent is None:
        return replace(clause, target=narrowed(clause.target, *modifiers))
    if clause.subject is None or clause.subject.agent is not None:
        return None
    return replace(clause, subject=narrowed(clause.subject, *modifiers))


@rule("q -> q EXCEPT landmark", cost=0.1)
def _(clause: Clause, _except: str, left_out: NounPhrase) -> Clause | None:
    """What is on the table except the mug?"""
    if left_out.agent is not None:
        return None
    if clause.target is not None and clause.target.agent is None:
        return replace(clause, target=narrowed(clause.target, Except(left_out)))
    if clause.subject is None or clause.subject.agent is not None:
        return None
    wh = clause.wh
    if wh is not None and wh.phrase is not None:
        wh = replace(wh, phrase=narrowed(wh.phrase, Except(left_out)))
    return replace(clause, wh=wh, subject=narrowed(clause.subject, Except(left_out)))


@rule("q -> q vp", cost=1.5)
def _(clause: Clause, tail: Clause) -> Clause | None:
    """What is there standing on the table?"""
    if tail.verb is None or tail.verb.form not in ("participle", "ing") or tail.target is not None:
        return None
    return with_complements(clause, *tail.complements) if tail.verb.kind in ("stand", "leave", "see") else None


@rule("q -> q ','? 'not' 'just|merely|only|simply' vp", cost=0.3)
def _(clause: Clause, _contrast: Clause) -> Clause | None:
    """Gone for good, not just put elsewhere: what is asked for is said before."""
    return clause


@rule("q -> q 'than|from|as' period", cost=0.3)
def _(clause: Clause, period: Period) -> Clause | None:
    """Is it in another place than on the first tour?"""
    return with_complements(clause, period)
