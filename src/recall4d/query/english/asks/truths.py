"""Yes or no: is there one, is it (still) there, has it moved, is it nearer."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from recall4d.query.english.asks import places, things
from recall4d.query.english.asks.amounts import holding
from recall4d.query.english.asks.changes import window
from recall4d.query.english.asks.said import (
    CHANGE_OF_STATE,
    CHANGE_OF_VERB,
    Asked,
    Said,
    check_measured,
    is_indefinite,
    name_of,
)
from recall4d.query.english.asks.visits import was_there
from recall4d.query.english.finder import Finder
from recall4d.query.english.grammar.places import SIDE_PAIRS
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.lexicon import ADJECTIVES
from recall4d.query.english.names import is_everywhere, is_vague, room_of
from recall4d.query.english.phrases import Clause, Either, Feature, Modifier, Period, Ranked, Relation
from recall4d.query.plan import Ask, Edge, OfStep, TimeBetween
from recall4d.query.words import is_colour, standard_words

_EDGE_OF_CHANGE: dict[str, Edge] = {
    "moved": "moved", "changed": "moved", "gone": "gone", "appeared": "appeared",
}  # fmt: skip

_ARRIVING = frozenset({"end up", "wind up", "land", "come to rest"})
"""Verbs of movement that tell where something is now."""


def polar(told: Said, finder: Finder) -> Asked:
    """Choose what is asked by what is said of the topic."""
    topic, verb, states = told.topic, told.verb, told.states
    if any(isinstance(each, Relation) and each.kind in SIDE_PAIRS for each in told.places):
        return places.side(told, finder)
    either = next(iter(told.clause.of(Either)), None)
    if either is not None:
        return places.either(told, finder, either)
    choice = next((each for each in told.places if isinstance(each, Feature) and each.kind == "or"), None)
    if choice is not None:
        return _one_of(told, finder, choice)
    if told.alternatives and all(each.agent is not None for each in told.alternatives):
        return things.who(told, finder)
    if told.alternatives and topic.joined == "or":
        return things.compared(told, finder)
    if told.ranked is not None and told.ranked.than is not None:
        return _is_more(told, finder, told.ranked)
    arrived = told.clause.verb is not None and told.clause.verb.lemma in _ARRIVING
    if arrived and told.narrowing():
        return _still_there(told, finder, None)
    if verb == "appear" and is_indefinite(topic) and all(each.kind == "sofar" for each in told.clause.of(Period)):
        return _exists(told, finder)
    by_agent = told.clause.subject is not None and told.clause.subject.agent is not None
    if verb == "pass" and by_agent and room_of(topic) is None and not is_everywhere(topic):
        return _exists(told, finder)
    if by_agent and verb in (None, "pass", "stand", "stay") and (there := was_there(told, finder)) is not None:
        return there
    if verb == "pass" and by_agent:
        raise UnclearError("Memory holds where things are; ask where you were, or what you saw.")
    if "so" in told.words:
        if verb in CHANGE_OF_VERB:
            return _has_changed(told, finder, "stayed")
        raise UnclearError("I cannot tell whether the question says yes or no.")
    other = _other_event(told)
    if other is not None:
        return _in_order(told, finder, *other)
    if verb in CHANGE_OF_VERB or verb == "stay":
        return _has_changed(told, finder, "stayed" if verb == "stay" else CHANGE_OF_VERB[verb or ""])
    if "unmoved" in states and any(each.kind == "span" for each in finder.periods):
        return _has_changed(told, finder, "stayed")
    if states & {"displaced", "different", "new"}:
        return _has_changed(told, finder, "appeared" if "new" in states else "moved")
    if "gone" in states and topic.generic and not topic.words:
        return _has_changed(told, finder, "gone")
    if _asks_existence(told):
        return _exists(told, finder)
    if topic.joined == "and" and told.narrowing() and not states:
        return _exists(told, finder)
    detail = next((state for state in ("gone", "hidden", "visible") if state in states), None)
    return _still_there(told, finder, None if states & {"present", "unmoved"} else detail)


def _other_event(told: Said) -> tuple[Period, Clause] | None:
    """Was it moved before the other thing appeared? The other event, and the period that tells of it."""
    if _change_told(told) is None:
        return None
    for period in told.clause.of(Period):
        moments = [each for each in (period.after, period.before) if each is not None and each.event is not None]
        event = moments[0].event if len(moments) == 1 else None
        subject = None if event is None else event.subject
        if event is None or subject is None or not subject.words or subject.words == told.topic.words:
            continue
        if event.verb is not None and event.verb.kind in CHANGE_OF_VERB:
            return period, event
    return None


def _change_told(told: Said) -> str | None:
    """The change that a question asks about: was moved, is gone."""
    if told.verb in CHANGE_OF_VERB:
        return CHANGE_OF_VERB[told.verb or ""]
    return next((CHANGE_OF_STATE[state] for state in sorted(told.states) if state in ("gone", "displaced")), None)


def _in_order(told: Said, finder: Finder, period: Period, event: Clause) -> Asked:
    """Which of two events was first."""
    assert event.verb is not None
    assert event.subject is not None
    first, second = finder.find(told.topic, periods=[]), finder.find(event.subject, periods=[])
    edges = [_EDGE_OF_CHANGE[change] for change in (_change_told(told) or "moved", CHANGE_OF_VERB[event.verb.kind])]
    finder.measures.append(
        TimeBetween(first=OfStep(step=first, edge=edges[0]), second=OfStep(step=second, edge=edges[1]))
    )
    detail = "before" if period.before is not None else "after"
    return Asked(Ask(kind="compare_times", step=first, other=second, detail=detail), "yesno")


def _asks_existence(told: Said) -> bool:
    """Whether any such thing will do, seen or standing there; not a certain one."""
    topic, verb = told.topic, told.verb
    still = "still" in told.words
    if verb == "see":
        return not (told.clause.passive and told.places and still)
    if verb == "have":
        return topic.agent is not None or told.clause.target is not None
    if "visible" in told.states and told.clause.past and is_indefinite(topic):
        return True
    if verb is None and told.states == {"present"} and is_indefinite(topic) and not still:
        return True
    no_one_thing = topic.determiner in ("a", "any", "no") or (topic.generic and not topic.words)
    return no_one_thing and not told.states & {"gone", "hidden", "visible"}


def _exists(told: Said, finder: Finder) -> Asked:
    seen = told.verb in ("see", "pass")
    topic, narrowing = told.topic, told.narrowing()
    once = told.clause.past and not finder.periods and not seen
    if once:  # was there one on the table? At any time
        finder.periods = [Period("always")]
    owner = told.clause.subject
    if told.verb == "have" and told.clause.target is not None:
        topic = told.clause.target
        narrowing = (*narrowing, holding(owner)) if owner is not None and owner.agent is None else narrowing
    steps = [
        finder.find(
            each,
            narrowing,
            observed=seen and bool(finder.periods),
            seer=told.seer,
            presence="any" if seen or once else "present",
        )
        for each in topic.members or (topic,)
    ]
    detail: str | None = "no" if topic.determiner == "no" else topic.joined
    if topic.number is not None and topic.number > 1:
        detail = str(topic.number)
    other = steps[1] if len(steps) > 1 else None
    ask = Ask(kind="exists", step=steps[0], other=other, among=tuple(steps[2:]), detail=detail)
    return Asked(ask, "yesno", name_of(topic.members[0] if topic.members else topic))


def _still_there(told: Said, finder: Finder, detail: str | None) -> Asked:
    """One step finds the thing, the other the thing there and then."""
    topic, narrowing = told.topic, told.narrowing()
    own = tuple(each for each in topic.modifiers if isinstance(each, Relation))
    if not narrowing and own and not told.states:
        narrowing, topic = own, replace(topic, modifiers=tuple(each for each in topic.modifiers if each not in own))
    if narrowing and all(map(is_vague, narrowing)) and not finder.periods and not told.words:
        raise UnclearError("I cannot tell which place is meant.")
    if any(each.kind == "always" for each in told.clause.of(Period)):
        detail = "always"
    if topic.determiner == "all" and detail is None:
        detail = "all"
    step = finder.find(topic, periods=[])
    then = finder.temporal() is not None and detail not in ("gone", "visible", "hidden")
    other = finder.find(topic, narrowing, presence="present") if narrowing or then else None
    ask = Ask(kind="still_there", step=step, other=other, detail=detail)
    return Asked(ask, "yesno")


def _has_changed(told: Said, finder: Finder, change: str) -> Asked:
    topic, subject = told.topic, told.clause.subject
    if subject is not None and subject.agent is not None and told.clause.target is not None:
        topic = told.clause.target
    places_said = told.narrowing() if topic.generic and not topic.words else ()
    step = finder.find(topic, places_said, periods=window(told, finder))
    return Asked(Ask(kind="has_changed", step=step, detail=change), "yesno")


def _is_more(told: Said, finder: Finder, ranked: Ranked) -> Asked:
    """Is A closer to C than B? Is A taller than B?"""
    assert ranked.than is not None
    check_measured(ranked)
    nearness = ranked.kind in ("nearest", "farthest")
    extra: tuple[Modifier, ...] = (replace(ranked, than=None),) if nearness else ()
    first, second = finder.find(told.topic, extra), finder.find(ranked.than, extra)
    kind: Literal["compare_distance", "compare_size"] = "compare_distance" if nearness else "compare_size"
    return Asked(Ask(kind=kind, step=first, other=second, detail=ranked.kind), "yesno")


def _one_of(told: Said, finder: Finder, choice: Feature) -> Asked:
    """Is it red or white? Is it open or closed?"""
    colours = all(is_colour(word) for each in choice.words for word in standard_words(each))
    known = all(word in ADJECTIVES for word in choice.words)
    step = finder.find(told.topic, tuple(each for each in told.narrowing() if each is not choice))
    detail = "colour" if colours else "material" if known else "state"
    return Asked(Ask(kind="attribute", step=step, detail=detail), "text")
