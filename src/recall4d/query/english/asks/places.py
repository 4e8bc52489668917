"""Where is it, on what, which way, on which side."""

from __future__ import annotations

from recall4d.query.english.asks.said import CHANGES, Asked, Said, left_behind
from recall4d.query.english.finder import Finder
from recall4d.query.english.grammar.places import SIDE_PAIRS
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.phrases import Either, NounPhrase, Period, Relation
from recall4d.query.plan import Ask
from recall4d.query.rooms import ROOMS

_ANY_HOLDER = frozenset({"surface", "furniture", "place", "spot", "support", "thing"})
"""Nouns of "on which ..." that do not say what kind of thing it is on."""


_INVERSE = {
    "front": "behind", "behind": "front", "left": "right", "right": "left", "beside": "beside", "near": "near",
    "above": "below", "below": "above", "at": "at",
}  # fmt: skip
"""What is the box in front of? What is behind it."""


def where(told: Said, finder: Finder) -> Asked:
    """Its position now, or before."""
    if told.verb == "face":
        return way(told, finder)
    topic = told.topic
    if topic.joined is not None:
        first, second = (finder.find(each, told.narrowing(), seer=told.seer) for each in topic.members[:2])
        return Asked(Ask(kind="where", step=first, other=second), "position")
    if topic.agent is not None:
        step = finder.around(topic)
        if any(each.after != each.before and None not in (each.after, each.before) for each in finder.periods):
            raise UnclearError("An agent is elsewhere at every instant; ask where it was at one of them.")
        return Asked(Ask(kind="agent_place", step=step), "position")
    if told.verb in CHANGES:
        topic = left_behind(topic)
    if told.wh.detail == "from and to":
        step = finder.find(topic, told.narrowing(), periods=[*finder.periods, Period("always")])
        return Asked(Ask(kind="what_changed", step=step, detail="moved"), "list")
    detail = _earlier(told, finder)
    step = finder.find(topic, told.narrowing(), seer=told.seer)
    return Asked(Ask(kind="where", step=step, detail=detail), "position")


def _earlier(told: Said, finder: Finder) -> str | None:
    """Which state is asked about, where the question tells it by what came after; takes those periods away."""
    detail = None
    for period in told.clause.of(Period):
        moment = period.before or period.after
        event = moment.event if moment is not None and moment.kind == "event" else None
        if period.kind == "earlier":
            detail = "before"
        elif period.kind == "originally":
            detail = "first"
        elif event is not None and event.subject is not None and event.subject.words == told.topic.words:
            detail = "before" if period.before is not None else None
        else:
            continue
        finder.periods = [each for each in finder.periods if each is not period]
    return detail


def on_what(told: Said, finder: Finder) -> Asked:
    """What holds it; which room it is in."""
    noun = told.wh.phrase
    inverse = _INVERSE.get(told.wh.detail or "")
    if inverse is not None:
        found = finder.find(
            noun or NounPhrase(generic=True), (Relation(inverse, (told.topic,)),), presence="present"
        )
        return Asked(Ask(kind="list", step=found), "list")
    step = finder.find(told.topic, told.narrowing(), seer=told.seer)
    if noun is not None and noun.words == ("room",):
        rooms = tuple(finder.room(room) for room in ROOMS)
        return Asked(Ask(kind="on_what", step=step, among=rooms, detail="room"), "entity")
    named = noun is not None and noun.words and noun.words[-1] not in _ANY_HOLDER
    holders = finder.find(noun) if noun is not None and named else None
    return Asked(Ask(kind="on_what", step=step, other=holders, detail=told.wh.detail), "entity")


def either(told: Said, finder: Finder, choice: Either) -> Asked:
    """Is it on the sofa or on the table?"""
    step = finder.find(told.topic, told.narrowing())
    among = tuple(finder.find(told.topic, (place,), presence="present") for place in choice.places)
    return Asked(Ask(kind="on_what", step=step, among=among, detail="either"), "entity")


def way(told: Said, finder: Finder) -> Asked:
    """Which way it is from the asking agent."""
    if told.topic.agent is not None:
        raise UnclearError("I cannot tell to what the direction is asked.")
    if told.verb in CHANGES and told.clause.target is None:
        return Asked(Ask(kind="unknown", detail="in which direction something moved"), "direction")
    stood = finder.viewpoint
    if stood is not None and stood.kind == "stand" and stood.at is not None and not finder.periods:
        finder.periods = [Period(after=stood.at, before=stood.at)]
    step = finder.find(told.topic, told.narrowing())
    return Asked(Ask(kind="direction", step=step), "direction")


def side(told: Said, finder: Finder) -> Asked:
    """Which side of a landmark, of what is faced, or of the asking agent it is on."""
    which = next((each for each in told.places if isinstance(each, Relation) and each.kind in SIDE_PAIRS), None)
    pair = told.wh.detail if which is None else which.kind
    landmark = which.landmarks[0] if which is not None and which.landmarks else told.wh.phrase
    if landmark is None and finder.viewpoint is not None and finder.viewpoint.kind == "facing":
        landmark = finder.viewpoint.place
    step = finder.find(told.topic, told.narrowing())
    if landmark is None or landmark.agent is not None:
        return Asked(Ask(kind="side", step=step, detail=pair), "direction")
    other = finder.find(landmark)
    return Asked(Ask(kind="side", step=step, other=other, among=finder.sides(step, other, pair)), "direction")
