"""Questions: how an asked clause is built around its question word."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.grammar.clauses import with_complements
from recall4d.query.english.grammar.nouns import narrowed
from recall4d.query.english.grammar.places import SIDE_PAIRS
from recall4d.query.english.phrases import (
    Clause,
    Complement,
    Condition,
    NounPhrase,
    Period,
    Ranked,
    Relation,
    Wh,
    Word,
)

POLAR = Wh("polar")

# --- question words --------------------------------------------------------------------------------------------
# whadv asks about a clause that has its subject; whnp is itself the subject or the object.


@rule("whadv -> WHERE|WHEN|HOWOFTEN|HOWFAR|HOWLONG|HOWLONGAGO|WHICHWAY")
def _(kind: str) -> Wh:
    names = {"many": "how_many", "often": "how_often", "far": "how_far", "long": "how_long", "ago": "how_long_ago"}
    return Wh(names.get(kind, kind))


@rule("whadv -> WHICHSIDE")
def _(pair: str) -> Wh:
    return Wh("side", detail=pair if pair in SIDE_PAIRS else None)


@rule("whadv -> HOWSIZE")
def _(detail: str) -> Wh:
    return Wh("size", detail=detail)


@rule("whadv -> 'what|which' ATTRIBUTE")
def _(detail: str) -> Wh:
    return Wh("attribute", detail=detail)


@rule("whadv -> 'what|which' TITLE")
def _(_title: str) -> Wh:
    return Wh("title")


@rule("whadv -> 'what|which' SIZENOUN")
def _(detail: str) -> Wh:
    return Wh("size", detail=detail)


@rule("whadv -> PREP 'what|which'")
def _(kind: str) -> Wh | None:
    """On what is it lying?"""
    return Wh("what_on", detail=kind) if kind not in ("from", "to", "of", "about", "between") else None


@rule("whadv -> PREP WHICHDET nbar", cost=0.1)
def _(kind: str, _which: str, noun: NounPhrase) -> Wh | None:
    """On which shelf is it?"""
    if kind in ("from", "to", "of", "about", "between", "through"):
        return None
    return Wh("what_on", phrase=noun, detail=kind)


@rule("whnp -> WHAT", cost=0.1)
def _(_what: str) -> Wh:
    return Wh("what", NounPhrase(generic=True))


@rule("whnp -> WHICH", cost=0.3)
def _(_which: str) -> Wh:
    return Wh("which", NounPhrase(generic=True))


@rule("whnp -> WHICHDET NUM? nbar", cost=0.1)
def _(_which: str, number: float | None, noun: NounPhrase) -> Wh:
    return Wh("which", replace(noun, number=None if number is None else int(number)))


@rule("whnp -> whnp rel|feature", cost=0.05)
def _(wh: Wh, modifier: Complement) -> Wh | None:
    """Which box of food on the shelf ..."""
    if (
        wh.kind == "who"
        or wh.phrase is None
        or (isinstance(modifier, Relation)
        and modifier.kind in ("to", "through"))
    ):
        return None
    return replace(wh, phrase=narrowed(wh.phrase, modifier))  # type: ignore[arg-type]


@rule("whnp -> whnp relative", cost=0.1)
def _(wh: Wh, modifiers: tuple[Complement, ...]) -> Wh | None:
    if wh.kind == "who" or wh.phrase is None:
        return None
    return replace(wh, phrase=narrowed(wh.phrase, *modifiers))  # type: ignore[arg-type]


@rule("whnp -> WHICHOF landmark|group", cost=0.0)
def _(_which: str, phrase: NounPhrase) -> Wh:
    return Wh("which", phrase)


@rule("whnp -> 'of' landmark ','? WHICH", cost=0.1)
def _(phrase: NounPhrase, _which: str) -> Wh:
    """Of the two mugs, which one ..."""
    return Wh("which", phrase)


@rule("whnp -> 'of' group ','? WHICH", cost=0.1)
def _(phrase: NounPhrase, _which: str) -> Wh:
    return Wh("which", phrase)


@rule("whnp -> WHO")
def _(_who: str) -> Wh:
    return Wh("who")


@rule("whnp -> HOWMANY nbar", cost=0.0)
def _(_how: str, noun: NounPhrase) -> Wh:
    return Wh("how_many", noun)


@rule("whnp -> HOWMANY 'of'? np", cost=0.2)
def _(_how: str, phrase: NounPhrase) -> Wh:
    return Wh("how_many", phrase)


@rule("whnp -> 'how' 'many' 'more' nbar 'than' landmark")
def _(noun: NounPhrase, than: NounPhrase) -> Wh:
    return Wh("how_many", narrowed(noun, Ranked("more", than=than, superlative=False)))


@rule("comp -> 'than' landmark", cost=0.2)
def _(than: NounPhrase) -> Ranked:
    return Ranked("more", than=than, superlative=False)


@rule("whadv -> WHICHSIDE 'of' landmark")
def _(pair: str, landmark: NounPhrase) -> Wh:
    return Wh("side", landmark, pair if pair in SIDE_PAIRS else None)


@rule("whnp -> HOWMANY", cost=1.0)
def _(_how: str) -> Wh:
    return Wh("how_many", NounPhrase(pronoun="one"))


# --- asked clauses ---------------------------------------------------------------------------------------------


@rule("aux -> BE_PRESENT|BE_PAST|DO_PRESENT|DO_PAST|HAVE_AUX|MODAL")
def _(tense: str) -> str:
    return tense


@rule("aux -> aux NOT")
def _(tense: str, _not: str) -> str:
    return f"not {tense}" if not tense.startswith("not") else tense


@rule("be -> BE_PRESENT|BE_PAST")
def _(tense: str) -> str:
    return tense


@rule("be -> be NOT")
def _(tense: str, _not: str) -> str:
    return f"not {tense}" if not tense.startswith("not") else tense


@rule("q -> whadv aux subj vp")
def _(wh: Wh, tense: str, subject: NounPhrase, clause: Clause) -> Clause:
    return _asked(clause, wh, tense, subject)


@rule("q -> whadv be subj")
def _(wh: Wh, tense: str, subject: NounPhrase) -> Clause:
    return _asked(Clause(), wh, tense, subject)


@rule("q -> whadv be subj comp", cost=0.1)
def _(wh: Wh, tense: str, subject: NounPhrase, complement: Complement) -> Clause:
    return _asked(Clause(complements=(complement,)), wh, tense, subject)


@rule("q -> whadv comp aux subj vp", cost=0.3)
def _(wh: Wh, complement: Complement, tense: str, subject: NounPhrase, clause: Clause) -> Clause:
    """Where in the kitchen did I see it?"""
    return with_complements(_asked(clause, wh, tense, subject), complement)


@rule("q -> whadv comp be subj", cost=0.3)
def _(wh: Wh, complement: Complement, tense: str, subject: NounPhrase) -> Clause:
    return _asked(Clause(complements=(complement,)), wh, tense, subject)


@rule("q -> q 'to|at|in|into'", cost=0.4)
def _(clause: Clause) -> Clause | None:
    """Where has it gone to?"""
    return clause if clause.wh is not None and clause.wh.kind == "where" else None


@rule("q -> q 'from'", cost=0.4)
def _(clause: Clause) -> Clause | None:
    """Where did it come from?"""
    moves = clause.verb is not None and clause.verb.kind == "move"
    return with_complements(clause, Period("earlier")) if clause.wh == Wh("where") and moves else None


@rule("q -> q 'than|from|as' period", cost=0.3)
def _(clause: Clause, period: Period) -> Clause:
    """Is it in another place than on the first tour?"""
    return with_complements(clause, period)


@rule("q -> 'what|when' be 'the' SEENORDER 'time|occasion' 'that|when'? decl")
def _(_tense: str, order: str, clause: Clause) -> Clause:
    return replace(with_complements(clause, Word(order)), wh=Wh("when"))


@rule("q -> 'by' WHO be subj vp")
def _(_who: str, tense: str, subject: NounPhrase, clause: Clause) -> Clause:
    return _asked(clause, Wh("who"), tense, subject)


@rule("q -> HOWLONG vp", cost=0.2)
def _(_how: str, clause: Clause) -> Clause:
    """How much time passed between the two tours?"""
    return replace(clause, wh=Wh("how_long"))


@rule("q -> whadv subj vp", cost=1.6)
def _(wh: Wh, subject: NounPhrase, clause: Clause) -> Clause:
    """Indirect: "(tell me) where the mug is"."""
    return replace(clause, wh=wh, subject=subject)


@rule("q -> whadv be 'it|that' 'that' subj vp", cost=0.1)
def _(wh: Wh, tense: str, subject: NounPhrase, clause: Clause) -> Clause:
    return _asked(clause, wh, tense, subject)


@rule("q -> 'from' 'where' 'to' 'where' aux subj vp")
def _(tense: str, subject: NounPhrase, clause: Clause) -> Clause:
    return _asked(clause, Wh("where", detail="from and to"), tense, subject)


@rule("q -> 'between' WHICHDET 'moments|times|instants|points|frames|observations' aux subj vp", cost=0.1)
def _(_which: str, tense: str, subject: NounPhrase, clause: Clause) -> Clause:
    return _asked(clause, Wh("when", detail="interval"), tense, subject)


@rule("q -> whadv", cost=2.0)
def _(wh: Wh) -> Clause:
    """Bare: "Where?" after a statement."""
    return Clause(wh=wh)


@rule("q -> whnp", cost=2.0)
def _(wh: Wh) -> Clause:
    return Clause(wh=wh)


@rule("q -> whnp vp", cost=0.1)
def _(wh: Wh, clause: Clause) -> Clause:
    """What moved? What is on the table? Which chair was pushed? Who saw it?"""
    return replace(clause, wh=wh, subject=wh.phrase)


@rule("q -> whnp be 'it|that' 'that' vp", cost=0.1)
def _(wh: Wh, _tense: str, clause: Clause) -> Clause:
    return replace(clause, wh=wh, subject=wh.phrase)


@rule("q -> whnp be 'the'? SEENORDER AGENTNOUN? 'to' vp")
def _(wh: Wh, _tense: str, order: str, _noun: str | None, clause: Clause) -> Clause:
    """Who was the first to see it?"""
    return with_complements(replace(clause, wh=wh, subject=wh.phrase), Word(order))


@rule("q -> whnp aux 'there'", cost=0.0)
def _(wh: Wh, tense: str) -> Clause:
    """How many chairs are there? What was there 12 seconds ago?"""
    return _asked(Clause(complements=(Condition("present"),)), wh, tense, wh.phrase)


@rule("q -> whnp aux subj vp", cost=0.1)
def _(wh: Wh, tense: str, subject: NounPhrase, clause: Clause) -> Clause | None:
    """What did I see? How many chairs did we pass? What was I looking at?"""
    if clause.target is not None:
        return None
    return replace(_asked(clause, wh, tense, subject), target=wh.phrase)


@rule("q -> whnp subj vp", cost=1.0)
def _(wh: Wh, subject: NounPhrase, clause: Clause) -> Clause | None:
    if clause.target is not None or clause.verb is None:
        return None
    return replace(clause, wh=wh, subject=subject, target=wh.phrase)


@rule("q -> whnp be subj", cost=0.3)
def _(wh: Wh, tense: str, subject: NounPhrase) -> Clause:
    """What is the largest box? Which is closer, A or B?"""
    return _asked(Clause(target=wh.phrase), wh, tense, subject)


@rule("q -> whnp be subj PREP", cost=0.2)
def _(wh: Wh, tense: str, subject: NounPhrase, kind: str) -> Clause | None:
    """What is the mug on?"""
    if wh.kind not in ("what", "which") or kind in ("from", "to", "of", "about", "between", "through"):
        return None
    return _asked(Clause(), Wh("what_on", wh.phrase, kind), tense, subject)


@rule("q -> whnp be subj vp PREP", cost=0.2)
def _(wh: Wh, tense: str, subject: NounPhrase, clause: Clause, kind: str) -> Clause | None:
    """What is the mug standing on?"""
    if wh.kind not in ("what", "which") or clause.verb is None or clause.verb.kind not in ("stand", "leave"):
        return None
    if kind in ("from", "to", "of", "about", "between", "through"):
        return None
    return _asked(clause, Wh("what_on", wh.phrase, kind), tense, subject)


@rule("q -> 'what' be 'the'? TITLE 'of|on' landmark")
def _(tense: str, _title: str, subject: NounPhrase) -> Clause:
    return _asked(Clause(), Wh("title"), tense, subject)


@rule("q -> 'what' be 'the' SIZENOUN 'of' landmark")
def _(tense: str, detail: str, subject: NounPhrase) -> Clause:
    return _asked(Clause(), Wh("size", detail=detail), tense, subject)


@rule("q -> 'what' be 'the' ATTRIBUTE 'of' landmark")
def _(tense: str, detail: str, subject: NounPhrase) -> Clause:
    return _asked(Clause(), Wh("attribute", detail=detail), tense, subject)


@rule("q -> 'what' be DET? PLACENOUN 'of' landmark")
def _(tense: str, _the: str | None, _place: str, subject: NounPhrase) -> Clause:
    return _asked(Clause(), Wh("where"), tense, subject)


@rule("q -> 'what' be 'the' DISTANCE span")
def _(tense: str, _distance: str, span: NounPhrase) -> Clause:
    return _asked(Clause(), Wh("how_far"), tense, span)


@rule("q -> 'what' be 'the' NUMBEROF np")
def _(tense: str, _number: str, phrase: NounPhrase) -> Clause:
    return _asked(Clause(complements=(Condition("present"),)), Wh("how_many", phrase), tense, phrase)


@rule("q -> 'what' be 'the' DIRECTION 'to|of|towards' landmark")
def _(tense: str, _direction: str, subject: NounPhrase) -> Clause:
    return _asked(Clause(), Wh("way"), tense, subject)


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


@rule("q -> HOWFAR be 'it' span")
def _(_how: str, tense: str, span: NounPhrase) -> Clause:
    return _asked(Clause(), Wh("how_far"), tense, span)


@rule("q -> HOWFAR 'are|is|lie|lies|was|were' 'there'? span", cost=0.1)
def _(_how: str, span: NounPhrase) -> Clause:
    """How many metres are there between the chairs?"""
    return _asked(Clause(), Wh("how_far"), "present", span)


@rule("q -> HOWFAR 'from' landmark be landmark")
def _(_how: str, first: NounPhrase, tense: str, second: NounPhrase) -> Clause:
    return _asked(Clause(), Wh("how_far"), tense, NounPhrase(members=(second, first), joined="and"))


# --- yes or no -------------------------------------------------------------------------------------------------


@rule("q -> be subj comp", cost=0.1)
def _(tense: str, subject: NounPhrase, complement: Complement) -> Clause:
    return _asked(Clause(complements=(complement,)), POLAR, tense, subject)


@rule("q -> aux subj vp", cost=0.1)
def _(tense: str, subject: NounPhrase, clause: Clause) -> Clause | None:
    return _asked(clause, POLAR, tense, subject)


@rule("q -> be 'there' subj", cost=0.0)
def _(tense: str, subject: NounPhrase) -> Clause:
    return _asked(Clause(complements=(Condition("present"),)), POLAR, tense, subject)


@rule("q -> aux 'there' USEDTO? 'be|been' subj", cost=0.0)
def _(tense: str, _used: str | None, subject: NounPhrase) -> Clause:
    return _asked(Clause(complements=(Condition("present"),)), POLAR, tense, subject)


# --- what is added ---------------------------------------------------------------------------------------------


@rule("q -> q comp", cost=0.15)
def _(clause: Clause, complement: Complement) -> Clause:
    return with_complements(clause, complement)


@rule("q -> q vp", cost=1.5)
def _(clause: Clause, tail: Clause) -> Clause | None:
    """What is there standing on the table? What did you say is on the table?"""
    if tail.verb is None or tail.verb.form not in ("participle", "ing") or tail.target is not None:
        return None
    if tail.verb.kind not in ("stand", "leave", "see"):
        return None
    return with_complements(clause, *tail.complements)


@rule("q -> q ','? 'not' 'just|merely|only|simply' vp", cost=0.3)
def _(clause: Clause, _contrast: Clause) -> Clause:
    """Gone for good, not just put elsewhere: what is asked for is said before."""
    return clause


# --- without a question word -----------------------------------------------------------------------------------


@rule("q -> 'find|locate|search' 'for'? landmark", cost=0.3)
def _(subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("where"), subject=subject)


@rule("q -> 'the'? PLACENOUN 'of' landmark", cost=0.2)
def _(_place: str, subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("where"), subject=subject)


@rule("q -> 'the'? DISTANCE span", cost=0.2)
def _(_distance: str, span: NounPhrase) -> Clause:
    return Clause(wh=Wh("how_far"), subject=span)


@rule("q -> 'the'? NUMBEROF np", cost=0.2)
def _(_number: str, phrase: NounPhrase) -> Clause:
    return Clause(wh=Wh("how_many", phrase), subject=phrase, complements=(Condition("present"),))


@rule("q -> 'count' np", cost=0.2)
def _(phrase: NounPhrase) -> Clause:
    return Clause(wh=Wh("how_many", phrase), subject=phrase, complements=(Condition("present"),))


@rule("q -> 'the'? ATTRIBUTE 'of' landmark", cost=0.2)
def _(detail: str, subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("attribute", detail=detail), subject=subject)


@rule("q -> 'the'? SIZENOUN 'of' landmark", cost=0.2)
def _(detail: str, subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("size", detail=detail), subject=subject)


@rule("q -> 'the'? TITLE 'of|on' landmark", cost=0.4)
def _(_title: str, subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("title"), subject=subject)


@rule("q -> 'list|name|enumerate' np", cost=0.3)
def _(phrase: NounPhrase) -> Clause:
    return Clause(wh=Wh("what", phrase), subject=phrase, complements=(Word("list"),))


@rule("q -> 'describe' landmark", cost=0.2)
def _(subject: NounPhrase) -> Clause:
    return Clause(wh=Wh("attribute", detail="description"), subject=subject)


def _asked(clause: Clause, wh: Wh, tense: str, subject: NounPhrase | None) -> Clause:
    """`clause` as a question about its subject."""
    return replace(
        clause,
        wh=wh,
        subject=subject,
        past=clause.past or tense.endswith("past"),
        negated=clause.negated != tense.startswith("not"),
    )
