"""Whose left and right: "from where I stood at frame 240", "seen from the table", "facing the TV cabinet"."""

from __future__ import annotations

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.phrases import Clause, Moment, NounPhrase, Period, Viewpoint, Word


@rule("view -> 'from' 'here'")
def _() -> Viewpoint:
    return Viewpoint("stand", "asker")


@rule("view -> 'from' 'where' agent vp")
def _(agent: str, clause: Clause) -> Viewpoint | None:
    """From where I stood at frame 240."""
    if clause.verb is not None and clause.verb.kind != "stand":
        return None
    periods = clause.of(Period)
    if len(periods) + len(clause.of(Word)) < len(clause.complements):
        return None
    return Viewpoint("stand", agent, at=periods[0].after if periods else None)


@rule("view -> 'from|in|at' MY VIEWNOUN period?")
def _(_my: str, _noun: str, period: Period | None) -> Viewpoint:
    return Viewpoint("stand", "asker", at=None if period is None else period.after)


@rule("view -> 'from' agent ''s' VIEWNOUN period?")
def _(agent: str, _noun: str, period: Period | None) -> Viewpoint:
    return Viewpoint("stand", agent, at=None if period is None else period.after)


@rule("view -> SEENFROM MY VIEWNOUN", cost=0.1)
def _(_seen: str, _my: str, _noun: str) -> Viewpoint:
    return Viewpoint("stand", "asker")


@rule("view -> 'from' DET? VIEWNOUN 'of|in|at' framepoint")
def _(_the: str | None, _noun: str, at: Moment) -> Viewpoint:
    return Viewpoint("stand", "asker", at=at)


@rule("view -> seenfrom framepoint")
def _(_seen: str, at: Moment) -> Viewpoint:
    return Viewpoint("stand", "asker", at=at)


@rule("view -> 'from' framepoint", cost=0.2)
def _(at: Moment) -> Viewpoint:
    return Viewpoint("stand", "asker", at=at)


@rule("view -> seenfrom 'where' agent vp")
def _(_seen: str, agent: str, clause: Clause) -> Viewpoint | None:
    periods = clause.of(Period)
    return Viewpoint("stand", agent, at=periods[0].after if periods else None)


@rule("view -> 'from' DET? VIEWNOUN 'of' landmark")
def _(_the: str | None, _noun: str, landmark: NounPhrase) -> Viewpoint:
    return _looking_from(landmark)


@rule("view -> seenfrom landmark")
def _(_seen: str, landmark: NounPhrase) -> Viewpoint:
    return _looking_from(landmark)


@rule("view -> 'from' landmark", cost=1.2)
def _(landmark: NounPhrase) -> Viewpoint:
    return _looking_from(landmark)


@rule("seenfrom -> 'as|when|while'? SEENFROM")
def _(seen: str) -> str:
    return seen


@rule("seenfrom -> 'as|if|when' agent SEENFROM")
def _(_agent: str, seen: str) -> str:
    """If I stood at the door."""
    return seen


@rule("view -> 'as' agent vp")
def _(agent: str, clause: Clause) -> Viewpoint | None:
    """As bravo sees it."""
    sees = clause.verb is not None and clause.verb.kind == "see"
    it = clause.target is None or clause.target.pronoun == "it"
    return Viewpoint("stand", agent) if sees and it and not clause.complements else None


@rule("view -> 'when|while|as'? FACING landmark")
def _(_facing: str, landmark: NounPhrase) -> Viewpoint | None:
    return None if landmark.agent else Viewpoint("facing", place=landmark)


@rule("view -> 'as|if|when|while' agent BE? FACING landmark")
def _(_agent: str, _am: str | None, _facing: str, landmark: NounPhrase) -> Viewpoint | None:
    """As I face the cabinet."""
    return None if landmark.agent else Viewpoint("facing", place=landmark)


def _looking_from(place: NounPhrase) -> Viewpoint:
    return Viewpoint("stand", place.agent) if place.agent else Viewpoint("from", place=place)
