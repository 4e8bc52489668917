"""Relative clauses: "the mug that was moved", "things I saw on my first tour", "the box standing by the door"."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.phrases import (
    By,
    Clause,
    Condition,
    Elsewhen,
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

_OF_PLACES = (None, "stand", "leave", "hide")
_OF_CHANGES = ("move", "appear", "vanish", "change", "touch")


@rule("relative -> REL vp", cost=0.1)
def _(_that: str, clause: Clause) -> tuple[Modifier, ...] | None:
    return as_modifiers(clause)


@rule("relative -> REL? agent vp", cost=0.2)
def _(_that: str | None, agent: str, clause: Clause) -> tuple[Modifier, ...] | None:
    """That I saw."""
    if clause.verb is None or clause.verb.kind != "see" or clause.target is not None:
        return None
    return as_modifiers(replace(clause, subject=NounPhrase(agent=agent)))


@rule("relative -> REL? 'only|just' agent vp", cost=0.2)
def _(_that: str | None, agent: str, clause: Clause) -> tuple[Modifier, ...] | None:
    """That only bravo saw."""
    if clause.verb is None or clause.verb.kind != "see" or clause.target is not None:
        return None
    return as_modifiers(replace(clause, subject=NounPhrase(agent=agent, modifiers=(Condition("only"),))))


@rule("relative -> REL agent DO|HAVE NOT", cost=0.2)
def _(_that: str, agent: str, _aux: str, _not: str) -> tuple[Modifier, ...]:
    """What did alpha see that bravo did not?"""
    return (Sighted(agent, negated=True),)


@rule("relative -> vp", cost=0.4)
def _(clause: Clause) -> tuple[Modifier, ...] | None:
    """Without "that": "lying on the table", "seen by alpha", "moved since the first tour"."""
    verb = clause.verb
    if verb is None or clause.target is not None or verb.form not in ("participle", "ing"):
        return None
    if verb.form == "ing" and verb.kind not in ("stand", "have", "move"):
        return None
    return as_modifiers(replace(clause, past=False))


@rule("relative -> 'where' np vp", cost=0.3)
def _(held: NounPhrase, clause: Clause) -> tuple[Modifier, ...] | None:
    """A place by what was there: "the counter where the coffee pot stood"."""
    if clause.target is not None or (clause.verb is not None and clause.verb.kind != "stand"):
        return None
    return (Relation("under", (held,)),)


def as_modifiers(clause: Clause) -> tuple[Modifier, ...] | None:
    """What a relative clause says of its noun; None where it says nothing that memory knows."""
    places: tuple[Modifier, ...] = tuple(
        each for each in clause.complements if isinstance(each, Relation | Ranked | Condition | Feature | Viewpoint)
    )
    understood = len(places) + len(clause.of(Period)) + len(clause.of(Word)) + len(clause.of(By))
    if understood < len(clause.complements):
        return None
    periods = clause.of(Period)
    states = set(clause.of(Condition))
    absent = states == {Condition("gone")} or (clause.negated and states <= {Condition("present")})
    if clause.verb is None and absent and len(periods) == 1:
        return (Elsewhen(periods[0]),) if not clause.of(Relation) else None
    kind = None if clause.verb is None else clause.verb.kind
    if kind in _OF_PLACES:
        if clause.past and not periods:
            places = tuple(Formerly(each) if isinstance(each, Relation) else each for each in places)
        return (*places, *periods) or None
    if kind == "see":
        order = next((each.kind for each in clause.of(Word) if each.kind in ("first", "last")), None)
        only = clause.subject is not None and Condition("only") in clause.subject.modifiers
        return (*places, Sighted(_seer(clause), periods, order, clause.negated, only))
    return (Happened(clause),) if kind in _OF_CHANGES else None


def _seer(clause: Clause) -> str | None:
    """Who saw it: the subject of an active clause, or "by alpha" in a passive one."""
    if clause.subject is not None and clause.subject.agent:
        return clause.subject.agent
    return next((each.agent for each in clause.of(By)), None)
