"""Has anybody looked there? What has nobody seen?"""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.asks.said import Asked, Said
from recall4d.query.english.finder import Finder
from recall4d.query.english.phrases import Modifier, NounPhrase, Relation, Sighted
from recall4d.query.plan import Ask

NOBODY = "nobody"

_LOOKING = frozenset({"look", "search", "check", "peek", "look around"})
"""Verbs that are about a place, not about a thing."""

_SPACE = frozenset(
    {"place", "places", "space", "spaces", "area", "areas", "spot", "spots", "part", "parts", "room"}
)


def looked(told: Said, finder: Finder) -> Asked | None:
    """What a question about looking asks; None where it is another question."""
    verb, wh = told.clause.verb, told.wh.kind
    phrases = [each for each in (told.topic, told.wh.phrase, told.clause.target) if each is not None]
    by_nobody = NOBODY in (told.seer, told.topic.agent) or (
        told.clause.subject is not None and told.clause.subject.agent == NOBODY
    )
    by_nobody |= any(map(_has_nobody, (*phrases, *(mark for each in told.places for mark in _landmarks(each)))))
    if by_nobody and (told.verb in ("see", None)):
        return _asked(told, finder, phrases, "unseen")
    looks = verb is not None and verb.kind == "see" and verb.lemma in _LOOKING
    somebody = told.clause.subject is not None and told.clause.subject.agent is not None
    if wh == "polar" and looks and somebody and told.clause.target is None and told.narrowing():
        return _asked(told, finder, [], "ever")
    return None


def _asked(told: Said, finder: Finder, phrases: list[NounPhrase], detail: str) -> Asked:
    named = next((each for each in phrases if each.words and not set(each.words) <= _SPACE), None)
    kept = () if named is None else _without_nobody(named).modifiers
    own = tuple(each for phrase in phrases for each in phrase.modifiers if isinstance(each, Relation))
    places = tuple(_plain(each) for each in (*told.narrowing(), *kept, *own) if isinstance(each, Relation))
    if not places:
        return Asked(Ask(kind="looked", detail=detail), "list")
    step = finder.find(NounPhrase(generic=True), tuple(dict.fromkeys(places)))
    return Asked(Ask(kind="looked", step=step, detail=detail), "yesno" if detail == "ever" else "text")


def _plain(relation: Relation) -> Relation:
    return replace(relation, landmarks=tuple(map(_without_nobody, relation.landmarks)))


def _landmarks(modifier: Modifier) -> tuple[NounPhrase, ...]:
    return modifier.landmarks if isinstance(modifier, Relation) else ()


def _has_nobody(phrase: NounPhrase) -> bool:
    return any(
        (isinstance(each, Sighted) and each.agent == NOBODY) or any(map(_has_nobody, _landmarks(each)))
        for each in phrase.modifiers
    )


def _without_nobody(phrase: NounPhrase) -> NounPhrase:
    kept = tuple(each for each in phrase.modifiers if not (isinstance(each, Sighted) and each.agent == NOBODY))
    return replace(phrase, modifiers=kept)
