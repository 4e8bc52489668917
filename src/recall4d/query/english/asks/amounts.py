"""How many, how far, how high, how large."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.asks.said import CHANGE_OF_STATE, CHANGES, Asked, Said, conditions
from recall4d.query.english.finder import Finder, Presence
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.names import CLOSED, is_everywhere, room_of
from recall4d.query.english.phrases import NounPhrase, Ranked, Relation
from recall4d.query.plan import Ask, History
from recall4d.query.words import kinds_of, standard_words

_ENDS = ("from", "to", "near", "between", "at")
"""Relations that name the other end of a distance."""


def how_many(told: Said, finder: Finder) -> Asked:
    """How many different things."""
    counted = told.wh.phrase or told.topic
    places = told.narrowing()
    subject = told.clause.subject
    if told.verb == "have" and subject is not None and subject is not counted and subject.agent is None:
        places = (*places, holding(subject))
    seen = told.verb == "see"
    only = _history(told)
    if told.clause.negated and told.verb is None and told.states == {"present"}:
        only = ("gone",)
    presence: Presence = "any" if seen or only or "together" in told.words else "present"
    observed = seen and bool(finder.periods)
    step = finder.find(counted, places, observed=observed, seer=told.seer, presence=presence)
    said = (*told.clause.of(Ranked), *(each for each in counted.modifiers if isinstance(each, Ranked)))
    than = next((each.than for each in said if each.kind == "more"), None)
    if than is not None:
        other = finder.find(than, places, presence=presence)
        return Asked(Ask(kind="count", step=step, other=other, detail="more"), "count")
    return Asked(Ask(kind="count", step=step, only=only), "count")


def _history(told: Said) -> tuple[History, ...]:
    """The history that counts: how many moved, how many are gone."""
    if told.verb in CHANGES:
        return ("new",) if told.verb == "appear" else ("gone",) if told.verb == "vanish" else ("moved",)
    changes = {CHANGE_OF_STATE[state] for state in told.states if state in CHANGE_OF_STATE}
    names: dict[str, History] = {"appeared": "new", "gone": "gone", "moving": "moving", "moved": "moved"}
    return tuple(names[change] for change in sorted(changes) if change in names)


def holding(place: NounPhrase) -> Relation:
    """Where things are that a place has, holds or contains: in a room or container, else on it."""
    name = standard_words(place.words[-1]) if place.words else frozenset[str]()
    contains = bool(name & (kinds_of("container") | CLOSED))
    room = is_everywhere(place) or room_of(place) is not None
    return Relation("in" if room else "inside" if contains else "on", (place,))


def how_far(told: Said, finder: Finder) -> Asked:
    """How far apart two things are, how far one is from here, how far one moved."""
    subject = told.clause.subject or told.topic
    if told.verb in CHANGES:
        step = finder.find(told.topic, told.narrowing())
        return Asked(Ask(kind="moved_distance", step=step), "distance")
    if (conditions(subject) | told.states) & {"moved", "displaced"}:
        return Asked(Ask(kind="moved_distance", step=finder.find(subject), only=("moved",)), "distance")
    ends = _ends(subject, told)
    things = [end for end in ends if end.agent is None]
    if not things:
        raise UnclearError("I cannot tell from what to what the distance is asked.")
    step = finder.find(things[0])
    if len(things) == 2:
        return Asked(Ask(kind="distance", step=step, other=finder.find(things[1])), "distance")
    among_them = len(ends) == 1 and (things[0].plural or things[0].number == 2)
    return Asked(Ask(kind="distance", step=step, other=step if among_them else None), "distance")


def _ends(subject: NounPhrase, told: Said) -> tuple[NounPhrase, ...]:
    """The two things a distance lies between; one where the other is the asking agent, or more of the same."""
    if len(subject.members) >= 2:
        return subject.members[:2]
    if "and" in subject.words[1:-1]:
        at = subject.words.index("and")
        return (replace(subject, words=subject.words[:at]), replace(subject, words=subject.words[at + 1 :]))
    said = [each for each in (*subject.modifiers, *told.places) if isinstance(each, Relation)]
    relation = next((each for each in reversed(said) if each.landmarks and each.kind in _ENDS), None)
    if relation is None:
        return (subject,)
    if relation.kind == "between" and subject.generic:
        return relation.landmarks
    kept = tuple(each for each in subject.modifiers if each is not relation)
    return (replace(subject, modifiers=kept), relation.landmarks[0])


def size(told: Said, finder: Finder) -> Asked:
    """How high, wide, long, large it is."""
    if told.wh.detail == "unmeasured":
        raise UnclearError("Memory holds places, sizes and times; it does not hold such a measure.")
    step = finder.find(told.topic, told.narrowing())
    detail = told.wh.detail
    ask = Ask(kind="height" if detail in ("height", "top") else "size", step=step, detail=detail)
    return Asked(ask, "distance")
