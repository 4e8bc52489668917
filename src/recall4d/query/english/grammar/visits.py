"""Questions about visits themselves, and about agents: "when did my second round begin?", "have I been there?"."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.grammar.clauses import with_complements
from recall4d.query.english.grammar.questions import POLAR, Auxiliary, asked
from recall4d.query.english.lexicon import Verb
from recall4d.query.english.phrases import Clause, Condition, Moment, NounPhrase, Period, Visit, Wh, Word

SEEN = Verb("see", "participle", "see")
BEGIN = "'begin|start|commence|began|started|begun|kick'"
END = "'end|finish|stop|conclude|ended|finished|stopped|over'"
LAST = "'last|take|go|run|lasted|took'"

# --- one visit -------------------------------------------------------------------------------------------------


def _of(visit: Visit | None, detail: str) -> Clause:
    """A question about one visit; about the only one, or all, where none is named."""
    agent = NounPhrase(agent=(visit.agent if visit is not None else None) or "asker")
    return Clause(
        wh=Wh("visit", detail=f"{detail} {'' if visit is None else visit.ordinal}".strip()), subject=agent
    )


@rule("tour -> visit")
def _(visit: Visit) -> Visit:
    return visit


@rule("tour -> DET|MY VISIT|WALK", cost=0.5)
def _(_the: str, _visit: str) -> Visit:
    """My walk, the recording: the first, where there are several the question is unclear."""
    return Visit(0)


@rule(f"q -> WHEN aux tour {BEGIN} 'off'?", cost=0.0)
def _(_when: str, _did: Auxiliary, visit: Visit) -> Clause:
    return _of(visit, "first")


@rule(f"q -> WHEN aux tour {END}", cost=0.0)
def _(_when: str, _did: Auxiliary, visit: Visit) -> Clause:
    return _of(visit, "left")


@rule(f"q -> 'at' 'what|which' TIMENOUN aux tour {BEGIN}", cost=0.0)
def _(_time: str, _did: Auxiliary, visit: Visit) -> Clause:
    return _of(visit, "first")


@rule(f"q -> 'at' 'what|which' TIMENOUN aux tour {END}", cost=0.0)
def _(_time: str, _did: Auxiliary, visit: Visit) -> Clause:
    return _of(visit, "left")


@rule(f"q -> WHEN aux agent {BEGIN} tour", cost=0.0)
def _(_when: str, _did: Auxiliary, agent: str, visit: Visit) -> Clause:
    return _of(replace(visit, agent=agent), "first")


@rule(f"q -> WHEN aux agent {END} tour", cost=0.0)
def _(_when: str, _did: Auxiliary, agent: str, visit: Visit) -> Clause:
    return _of(replace(visit, agent=agent), "left")


@rule(f"q -> 'for'? HOWLONG aux tour {LAST} 'on'?", cost=0.0)
def _(_long: str, _did: Auxiliary, visit: Visit) -> Clause:
    return _of(visit, "duration")


@rule("q -> HOWLONG be tour", cost=0.0)
def _(_long: str, _was: Auxiliary, visit: Visit) -> Clause:
    return _of(visit, "duration")


@rule("q -> 'what'? be? 'the'? 'duration|length' 'of' tour", cost=0.0)
def _(_is: Auxiliary | None, visit: Visit) -> Clause:
    return _of(visit, "duration")


@rule("q -> HOWMANY VISIT aux agent 'make|do|take|complete|have|walk|go|made|done|taken|completed|had'", cost=0.0)
def _(_many: str, _visits: str, _did: Auxiliary, agent: str) -> Clause:
    return _of(Visit(0, agent), "count")


@rule("q -> HOWMANY VISIT aux 'there' 'been'?", cost=0.0)
def _(_many: str, _visits: str, _were: Auxiliary) -> Clause:
    return _of(Visit(0), "count")


# --- whether somebody was somewhere ----------------------------------------------------------------------------


@rule("q -> HAVE agent 'ever|already'? 'been' comp", cost=0.0)
def _(_have: str, agent: str, place: object) -> Clause:
    """Have I been in the kitchen?"""
    subject = NounPhrase(agent=agent)
    return with_complements(Clause(wh=POLAR, subject=subject, past=True), place)  # type: ignore[arg-type]


# --- who of several --------------------------------------------------------------------------------------------


@rule("q -> aux 'both' agent 'and' agent vp", cost=0.0)
def _(tense: Auxiliary, first: str, second: str, clause: Clause) -> Clause | None:
    return _by_all(tense, (first, second), clause, "and")


@rule("q -> aux agent 'and' agent 'both|each'? vp", cost=0.0)
def _(tense: Auxiliary, first: str, second: str, clause: Clause) -> Clause | None:
    return _by_all(tense, (first, second), clause, "and")


@rule("q -> aux 'either'? agent 'or' agent vp", cost=0.1)
def _(tense: Auxiliary, first: str, second: str, clause: Clause) -> Clause | None:
    if any(each.kind in ("first", "last") for each in clause.of(Word)):
        return None
    return _by_all(tense, (first, second), clause, "or")


@rule("q -> aux 'neither' agent 'nor|or' agent vp", cost=0.0)
def _(tense: Auxiliary, first: str, second: str, clause: Clause) -> Clause | None:
    return _by_all(tense, (first, second), clause, "no")


@rule("q -> aux 'both|all' 'of'? 'the|us|you|them'? AGENTNOUN? vp", cost=0.3)
def _(tense: Auxiliary, _noun: str | None, clause: Clause) -> Clause | None:
    return _by_all(tense, (), clause, "and")


@rule("q -> aux 'we|they|you' 'both|all' vp", cost=0.0)
def _(tense: Auxiliary, clause: Clause) -> Clause | None:
    return _by_all(tense, (), clause, "and")


def _by_all(tense: Auxiliary, agents: tuple[str, ...], clause: Clause, joined: str) -> Clause | None:
    """Whether several agents saw a thing; none named are all of them."""
    if clause.verb is None or clause.verb.kind != "see" or clause.target is None:
        return None
    who = NounPhrase(members=tuple(NounPhrase(agent=each) for each in agents), agent="anyone")
    question = asked(clause, Wh("seen_by", detail=joined), tense, who)
    return None if question is None or question.negated else question


# --- what was seen before what ---------------------------------------------------------------------------------


@rule("q -> q BEFORE|AFTER landmark", cost=0.2)
def _(clause: Clause, order: str, other: NounPhrase) -> Clause | None:
    """Did I see the fridge before the sofa?"""
    seeing = clause.verb is not None and clause.verb.kind == "see" and clause.target is not None
    if clause.wh != POLAR or not seeing or not other.words or clause.of(Period):
        return None
    detail = {"before": "first", "after": "last"}.get(order)
    return None if detail is None else replace(clause, wh=Wh("seen_before", other, detail))


@rule("q -> q BEFORE|AFTER agent DO?", cost=0.1)
def _(clause: Clause, order: str, agent: str, _did: str | None) -> Clause | None:
    """Did bravo see the suitcase before alpha did?"""
    seeing = clause.verb is not None and clause.verb.kind == "see" and clause.target is not None
    if clause.wh != POLAR or not seeing or order not in ("before", "after") or clause.of(Period):
        return None
    return replace(clause, wh=Wh("seen_before", NounPhrase(agent=agent), "first" if order == "before" else "last"))


@rule("q -> DET|MY? ORDINAL|SEENORDER GLIMPSE 'of|at' landmark ','? whadv", cost=0.0)
def _(_my: str | None, order: str, _glimpse: str, topic: NounPhrase, wh: Wh) -> Clause | None:
    """First glimpse of it, at which second?"""
    word = {"-1": "last", "1": "first"}.get(order, order)
    if word not in ("first", "last") or wh.kind not in ("when", "where", "how_long_ago"):
        return None
    return Clause(wh=wh, subject=topic, verb=SEEN, past=True, passive=True, complements=(Word(word),))


# --- what was known at a time ----------------------------------------------------------------------------------

KNEW = Word("known")


@rule("q -> whadv|whnp DO ANYONE|agent 'know|think|believe|expect|assume' 'that'? subj vp", cost=0.0)
def _(wh: Wh, tense: str, _who: str, subject: NounPhrase, clause: Clause) -> Clause | None:
    """Where did you think it was at 60 s?"""
    return with_complements(replace(clause, wh=wh, subject=subject), KNEW) if tense == "past" else None


@rule("q -> whadv|whnp DO ANYONE|agent 'know|think|believe|expect|assume' subj 'to' 'be' comp?", cost=0.0)
def _(wh: Wh, tense: str, _who: str, subject: NounPhrase, place: object) -> Clause | None:
    """Where did you believe it to be?"""
    told = () if place is None else (place,)
    return Clause(wh=wh, subject=subject, complements=(*told, KNEW)) if tense == "past" else None


@rule("q -> whnp DO ANYONE|agent 'know' 'of|about'", cost=0.0)
def _(wh: Wh, tense: str, _who: str) -> Clause | None:
    """How many mugs did you know of?"""
    there = Clause(wh=wh, subject=wh.phrase, complements=(Condition("present"), KNEW))
    return there if tense == "past" and wh.phrase is not None else None


@rule("q -> 'what' DO ANYONE|agent 'know' 'about|of' landmark", cost=0.0)
def _(tense: str, _who: str, subject: NounPhrase) -> Clause | None:
    """What did you know about the mug?"""
    told = Clause(wh=Wh("attribute", detail="description"), subject=subject, complements=(KNEW,))
    return told if tense == "past" else None


@rule("q -> 'what' BE 'known' 'about|of' landmark", cost=0.0)
def _(tense: str, subject: NounPhrase) -> Clause | None:
    told = Clause(wh=Wh("attribute", detail="description"), subject=subject, complements=(KNEW,))
    return told if tense == "past" else None


@rule("q -> DO ANYONE 'know|think|believe' 'that'? decl", cost=0.0)
def _(tense: str, _who: str, clause: Clause) -> Clause | None:
    """Did you think at 60 s that the mug was on the table?"""
    return with_complements(replace(clause, wh=POLAR, past=False), KNEW) if tense == "past" else None


@rule("q -> q 'as' 'known|believed|remembered' AT moment", cost=0.0)
def _(clause: Clause, _at: str, at: Moment) -> Clause:
    """As known at 60 s."""
    return with_complements(clause, Period(after=at, before=at), KNEW)


# --- since when ------------------------------------------------------------------------------------------------


@rule("q -> 'since' 'when|what' TIMENOUN? aux subj comp|vp", cost=0.0)
def _(_time: str | None, tense: Auxiliary, subject: NounPhrase, said: object) -> Clause | None:
    """Since when has it been there?"""
    clause = said if isinstance(said, Clause) else Clause(complements=(said,))  # type: ignore[arg-type]
    return asked(clause, Wh("when", detail="since"), tense, subject)
