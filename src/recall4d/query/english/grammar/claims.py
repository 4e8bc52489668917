"""Who says so? What somebody says a thing is, and whether the agents agree."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.grammar.questions import Auxiliary
from recall4d.query.english.phrases import Clause, NounPhrase, Wh


def _about(phrase: NounPhrase, kind: str, *agents: str) -> Clause:
    """A question about what is said of a thing; `agents` are those whose word is asked for."""
    told = tuple(NounPhrase(agent=agent) for agent in agents if agent != "anyone")
    return Clause(wh=Wh("claims", detail=kind), subject=phrase, complements=told)


@rule("q -> WHO SAYS 'that'? decl", cost=0.05)
def _(_who: str, _says: str, clause: Clause) -> Clause | None:
    """Who says the red mug is on the table? Who says that the mug is red?"""
    if clause.subject is None or clause.subject.agent is not None or clause.wh is not None:
        return None
    return replace(clause, wh=Wh("claims", detail="who"))


@rule("q -> WHO SAYS 'so|that|this|it'", cost=0.05)
def _(_who: str, _says: str) -> Clause:
    """Who says so?"""
    return _about(NounPhrase(pronoun="it"), "who")


@rule("q -> WHO SAYS 'what' ABOUT np", cost=0.05)
def _(_who: str, _says: str, _about_: str, phrase: NounPhrase) -> Clause:
    return _about(phrase, "what")


@rule("q -> 'what' aux agent SAYS ABOUT np", cost=0.05)
def _(_tense: Auxiliary, agent: str, _says: str, _about_: str, phrase: NounPhrase) -> Clause:
    """What does alpha say about the mug?"""
    return _about(phrase, "what", agent)


@rule("q -> 'what' aux agent SAYS 'that'? np BE", cost=0.05)
def _(_tense: Auxiliary, agent: str, _says: str, phrase: NounPhrase, _be: str) -> Clause:
    """What did bravo say the mug is?"""
    return _about(phrase, "what", agent)


@rule("sayers -> agent")
def _(agent: str) -> tuple[str, ...]:
    return (agent,)


@rule("sayers -> agent AND agent")
def _(first: str, _and: str, second: str) -> tuple[str, ...]:
    return first, second


@rule("q -> aux 'both|all'? sayers AGREE ABOUT np", cost=0.05)
def _(_tense: Auxiliary, agents: tuple[str, ...], how: str, _about_: str, phrase: NounPhrase) -> Clause:
    """Do the agents agree about the red mug? Do alpha and bravo agree on it?"""
    return _about(phrase, how, *agents)


@rule("q -> aux agent AGREE 'with' agent ABOUT np", cost=0.05)
def _(_tense: Auxiliary, first: str, how: str, second: str, _about_: str, phrase: NounPhrase) -> Clause:
    """Does alpha agree with bravo about the mug?"""
    return _about(phrase, how, first, second)


@rule("q -> aux 'there' 'any|a' DISPUTE ABOUT np", cost=0.05)
def _(_tense: Auxiliary, _dispute: str, _about_: str, phrase: NounPhrase) -> Clause:
    """Is there any disagreement about the mug?"""
    return _about(phrase, "disagree")
