"""What changed: what moved, came, went, from where, to where."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.asks.said import (
    CHANGE_OF_STATE,
    CHANGE_OF_VERB,
    Asked,
    Said,
    conditions,
    is_by_agent,
)
from recall4d.query.english.finder import Finder
from recall4d.query.english.phrases import Condition, NounPhrase, Period, Relation
from recall4d.query.plan import Ask


def change_asked(told: Said) -> str | None:
    """The change that a question asks for; None where it asks for none."""
    if told.verb in CHANGE_OF_VERB:
        return "moving" if told.before_my_eyes else CHANGE_OF_VERB[told.verb or ""]
    states = told.states | conditions(told.topic)
    return next((CHANGE_OF_STATE[state] for state in sorted(states) if state in CHANGE_OF_STATE), None)


def what_changed(told: Said, finder: Finder, change: str) -> Asked:
    """One step finds what was there in the interval, another what of it is where it went."""
    if told.clause.negated:
        change = "stayed"
    topic = told.topic if told.wh.phrase is None or told.topic.words else told.wh.phrase
    relations = [each for each in told.places if isinstance(each, Relation) and not is_by_agent(each)]
    sources = [each for each in relations if each.kind == "from"]
    goals = _goals(told, relations, change)
    if change == "appeared":
        near, goals = [replace(each, kind="near") for each in goals], []
        relations = [*(each for each in relations if each.kind != "to"), *near]
    elif (sources or goals) and change != "gone":
        change = "moved"
    elif sources and told.verb not in CHANGE_OF_VERB:
        change = "left"
    here = tuple(each for each in relations if each not in sources and each not in goals)
    stripped, was_there = _stripped(topic, goals)
    starts = tuple(map(standing, sources))
    step = finder.find(stripped, (*here, *was_there, *starts), periods=window(told, finder))
    if goals:
        step = finder.find(stripped, tuple(map(standing, goals)), periods=[], within_step=step)
    rank = told.ranked.kind if told.ranked is not None and change == "moved" else None
    one = topic.number == 1 or bool(goals) or rank is not None
    ask = Ask(kind="what_changed", step=step, detail=change)
    if rank in ("farthest", "nearest"):
        ask = ask.model_copy(update={"rank": rank})
    return Asked(ask, "entity" if one else "list")


def window(told: Said, finder: Finder) -> list[Period]:
    """The interval in which changes count; what is not where it was at a time may have moved at any time since."""
    since = bool(told.states & {"displaced", "different", "unmoved"})
    periods = [replace(each, before=None) if since else each for each in finder.periods]
    return [*periods, Period("always")]


def _goals(told: Said, relations: list[Relation], change: str) -> list[Relation]:
    """Where things went."""
    goals = [each for each in relations if each.kind == "to"]
    went_off = told.verb == "move" and any(each.kind == "from" for each in relations)
    return goals or ([each for each in relations if each.kind == "on"] if went_off and change != "gone" else [])


def _stripped(topic: NounPhrase, goals: list[Relation]) -> tuple[NounPhrase, tuple[Relation, ...]]:
    """The topic without conditions, and without its place where that is where it went from."""
    was_there = tuple(each for each in topic.modifiers if isinstance(each, Relation)) if goals else ()
    kept = tuple(each for each in topic.modifiers if not isinstance(each, Condition) and each not in was_there)
    return replace(topic, modifiers=kept), was_there


def standing(relation: Relation) -> Relation:
    """At the place a thing came from or went to; the exact relation there is seldom meant."""
    return replace(relation, kind="touching")
