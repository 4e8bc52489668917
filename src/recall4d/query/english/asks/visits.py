"""Visits and agents: when one began, whether somebody was there, whether all saw it, who saw it before whom."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.asks import things
from recall4d.query.english.asks.said import Asked, Said, name_of
from recall4d.query.english.events import visits_of_clause
from recall4d.query.english.finder import Finder
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.names import room_of
from recall4d.query.english.phrases import NounPhrase, Relation
from recall4d.query.plan import Ask, Find, StepRef, TemporalKey
from recall4d.query.plan import Visit as PlanVisit
from recall4d.records import AnswerType

IN_ROOM_M = 1.2
"""Who was this near the things a room is known by was in it; from farther away walls may lie between."""

_TYPES: dict[str, AnswerType] = {"first": "time", "left": "time", "duration": "duration", "count": "count"}


def visit(told: Said, finder: Finder) -> Asked:
    """When a visit began or ended, how long it was; how many there were."""
    detail, _, said = (told.wh.detail or "").partition(" ")
    agent = finder.agent(told.clause.subject.agent if told.clause.subject is not None else "asker")
    made = len(finder.context.visits.get(agent or finder.context.asker or "", ()))
    ordinal = int(said) if said not in ("", "0") else None
    if ordinal is None and detail != "count" and made != 1:
        raise UnclearError(f"{agent} has made {made} visits; say which one is meant.")
    if ordinal is not None and not (0 < ordinal <= made or -made <= ordinal < 0):
        raise UnclearError(f"{agent} has made {made} visits up to this time.")
    span = PlanVisit(agent=agent, ordinal=ordinal)
    step = finder.add(Find(name=finder.unused("visits"), temporal=TemporalKey(during=span), limit=1))
    return Asked(Ask(kind="visits", step=step.name, detail=detail), _TYPES[detail])


def was_there(told: Said, finder: Finder) -> Asked | None:
    """Whether an agent was ever at a place; None where a question is not about that."""
    subject = told.clause.subject
    if subject is None or subject.agent in (None, "anyone", "nobody"):
        return None
    span = visits_of_clause(told.clause, finder)
    if span is None:
        return None
    if isinstance(span.to, StepRef) and any(map(_names_room, (told.topic, told.clause.target, *_landmarks(told)))):
        span = span.model_copy(update={"distance_m": IN_ROOM_M})
    within = finder.temporal(observed=False)
    temporal = TemporalKey(during=span) if within is None else within.model_copy(update={"during": span})
    step = finder.add(Find(name=finder.unused("visits"), temporal=temporal, limit=1))
    return Asked(Ask(kind="visits", step=step.name, detail="ever"), "yesno")


def _landmarks(told: Said) -> tuple[NounPhrase, ...]:
    return tuple(mark for each in told.places if isinstance(each, Relation) for mark in each.landmarks)


def _names_room(phrase: NounPhrase | None) -> bool:
    return phrase is not None and room_of(phrase) is not None


def seen_by(told: Said, finder: Finder) -> Asked:
    """Whether all, or any, of several agents saw it."""
    subject, topic = told.clause.subject, told.clause.target
    assert subject is not None
    assert topic is not None
    if told.order is not None:
        return things.who(replace(told, topic=topic), finder)
    agents = [finder.agent(each.agent) for each in subject.members] or list(finder.context.agents)
    if len(agents) < 2:
        raise UnclearError("Memory holds what one agent saw; there are no others to ask about.")
    places = tuple(each for each in told.places if isinstance(each, Relation))
    steps = [
        finder.find(topic, places, observed=bool(finder.periods), seer=agent)
        for agent in agents
        if agent is not None
    ]
    ask = Ask(kind="seen_by", step=steps[0], other=steps[1], among=tuple(steps[2:]), detail=told.wh.detail)
    return Asked(ask, "yesno", name_of(topic))


def seen_before(told: Said, finder: Finder) -> Asked:
    """Whether one thing was seen before another, or a thing by one agent before another."""
    topic, other = told.clause.target, told.wh.phrase
    assert topic is not None
    assert other is not None
    first = finder.find(topic, told.narrowing(), seer=told.seer)
    second = (
        finder.find(topic, told.narrowing(), seer=other.agent)
        if other.agent
        else finder.find(other, seer=told.seer)
    )
    return Asked(Ask(kind="compare_seen", step=first, other=second, detail=told.wh.detail), "yesno", name_of(topic))
