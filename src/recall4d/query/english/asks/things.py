"""What, which, who: things by their place, their change, their view, by comparison; and what they look like."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from recall4d.query.english.asks.amounts import holding
from recall4d.query.english.asks.changes import change_asked, what_changed
from recall4d.query.english.asks.places import on_what
from recall4d.query.english.asks.said import Asked, Said, check_measured, name_of
from recall4d.query.english.finder import Finder
from recall4d.query.english.grammar.nouns import narrowed
from recall4d.query.english.grammar.times import NOW
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.phrases import Modifier, NounPhrase, Period, Relation, Sighted
from recall4d.query.plan import Ask, Rank


def what(told: Said, finder: Finder) -> Asked:
    """The thing or things that fit."""
    clause = told.clause
    match told.verb:
        case "say":
            return title(told, finder)
        case "resemble":
            return attribute(told, finder, "description")
        case "made":
            return attribute(told, finder, "material")
    if told.alternatives and (told.ranked is not None or told.verb in ("see", None, "appear")):
        return compared(told, finder)
    if told.verb == "appear" and told.order == "first" and told.clause.subject == told.wh.phrase:
        return _listed_seen(told, finder, told.topic)
    change = None if _stands_beside(told) else change_asked(told)
    if change is not None and told.order is not None and told.verb == "change":
        raise UnclearError("I cannot tell which events are compared; ask whether one was before the other.")
    if change is not None:
        return what_changed(told, finder, change)
    if told.verb == "stay":
        return what_changed(replace(told, places=()), finder, "stayed")
    if told.verb == "face" and clause.subject is not None and clause.subject.agent is not None:
        return _in_view(told, finder)
    passed = told.verb == "pass" and clause.subject is not None and clause.subject.agent is not None
    instant = any(each.after == each.before for each in finder.periods)
    if passed and not instant and clause.target is not None and clause.target.agent is None:
        assert clause.subject is not None
        if any(
            moment is not None and moment.event is not None
            for p in finder.periods
            for moment in (p.after, p.before)
        ):
            raise UnclearError(
                "I cannot date that closely enough to say what was passed; give the time in seconds."
            )
        along = Relation("along", (NounPhrase(agent=clause.subject.agent),))
        kept = tuple(each for each in told.places if not (isinstance(each, Relation) and each.kind == "through"))
        return _listed(replace(told, places=kept), finder, clause.target, (along,))
    if told.verb == "see" or passed or _is_about_view(told):
        return _in_view(told, finder)
    if told.verb == "have" and clause.subject == told.wh.phrase and clause.target is not None:
        held = replace(told, topic=clause.target, wh=replace(told.wh, kind="what_on", detail="on"))
        return replace(on_what(held, finder), name=name_of(clause.target))
    if told.verb == "have" and clause.subject is not None and clause.subject.agent is None:
        return _listed(told, finder, told.wh.phrase or told.topic, (holding(clause.subject),))
    if told.verb == "hide":
        return _hidden(told, finder)
    if told.verb == "leave" and told.topic.generic and finder.periods:
        return what_changed(told, finder, "changed")
    if told.wh.phrase is not None and clause.target is not None and told.topic.pronoun is None:
        return _identified(told, finder)
    return _listed(told, finder, told.topic, ())


def _stands_beside(told: Said) -> bool:
    """What comes to the right of it?"""
    verb = told.clause.verb
    comes = verb is not None and verb.lemma in ("come", "go") and not told.clause.past
    return comes and any(
        isinstance(each, Relation) and each.kind in ("left", "right", "between", "beside", "behind", "front")
        for each in told.places
    )


def _listed(told: Said, finder: Finder, phrase: NounPhrase, more: tuple[Modifier, ...]) -> Asked:
    """What is on the table? Which mug is closer to it?"""
    places, ranked = (*told.narrowing(), *more), told.ranked
    if phrase.generic and not (phrase.words or places or phrase.modifiers or ranked):
        raise UnclearError("I cannot tell what is asked about.")
    nearest = ranked is not None and ranked.kind in ("nearest", "farthest")
    step = finder.find(
        phrase, (*places, *((ranked,) if ranked is not None and nearest else ())), presence="present"
    )
    rank: Rank | None = next((each for each in get_args(Rank) if ranked is not None and each == ranked.kind), None)
    singular = told.wh.kind == "which" and not phrase.plural and "present" not in told.states
    one = (ranked is not None or _is_next(told, phrase) or singular) and not _is_several(phrase)
    kind: Literal["which", "list"] = "which" if one else "list"
    return Asked(Ask(kind=kind, step=step, rank=rank), "entity" if one else "list")


def _is_next(told: Said, phrase: NounPhrase) -> bool:
    """Whether one thing is asked for: the next in a direction, the one between."""
    relations = [each for each in (*told.places, *phrase.modifiers) if isinstance(each, Relation)]
    return any(each.directly or each.kind == "between" for each in relations)


def _is_several(phrase: NounPhrase) -> bool:
    """The three nearest chairs."""
    return phrase.number is not None and phrase.number > 1


def _identified(told: Said, finder: Finder) -> Asked:
    """What is the red thing on the shelf?"""
    step = finder.find(told.topic, told.narrowing())
    several = told.topic.plural or _is_several(told.topic)
    kind: Literal["which", "list"] = "list" if several else "which"
    return Asked(Ask(kind=kind, step=step), "list" if several else "entity")


def _hidden(told: Said, finder: Finder) -> Asked:
    """What does the box hide? What is concealed by it?"""
    clause = told.clause
    if clause.passive or clause.target is None or clause.subject is None:
        places = tuple(_screened(each) if isinstance(each, Relation) else each for each in told.places)
        return _listed(replace(told, places=places), finder, told.topic, ())
    return _listed(told, finder, clause.target, (Relation("behind", (clause.subject,), directly=True),))


def _screened(relation: Relation) -> Relation:
    return replace(relation, kind="behind", directly=True) if relation.kind == "beside" else relation


def _is_about_view(told: Said) -> bool:
    """What was there 12 seconds ago? What was in view at frame 240?"""
    visible = bool(told.states & {"present", "visible"})
    return visible and not told.places and told.topic.generic and not told.topic.modifiers


def _in_view(told: Said, finder: Finder) -> Asked:
    """What did I see then?"""
    phrase = told.clause.target or told.wh.phrase or told.topic
    if told.before_my_eyes:
        return what_changed(told, finder, "moving")
    if told.clause.negated:
        unseen = Sighted(told.seer or "asker", tuple(finder.periods), negated=True)
        finder.periods = []
        return _listed(told, finder, narrowed(phrase, unseen), ())
    if told.verb == "face" and not finder.periods:
        finder.periods = [Period(after=NOW, before=NOW)]
    if phrase.words or told.places or phrase.modifiers or not finder.periods:
        return _listed_seen(told, finder, phrase)
    step = finder.find(phrase, (), observed=True, seer=told.seer)
    return Asked(Ask(kind="in_view", step=step, detail=finder.agent(told.seer or "asker")), "list")


def _listed_seen(told: Said, finder: Finder, phrase: NounPhrase) -> Asked:
    """Which chairs did I see? Which mug did I see first?"""
    step = finder.find(phrase, told.narrowing(), observed=bool(finder.periods), seer=told.seer)
    if told.order is None:
        return Asked(Ask(kind="list", step=step), "list")
    order = "first_seen" if told.order == "first" else "last_seen"
    finder.steps[-1] = finder.steps[-1].model_copy(update={"order": order})
    return Asked(Ask(kind="which", step=step, detail=told.order), "entity")


def compared(told: Said, finder: Finder) -> Asked:
    """Which of several: closer, taller, seen first."""
    ranked, things = told.ranked, told.alternatives
    if any(each.agent is not None for each in things) or (ranked is None and told.order is None):
        raise UnclearError("I cannot tell what is compared.")
    check_measured(ranked)
    nearness = ranked is not None and ranked.kind in ("nearest", "farthest")
    steps = [finder.find(thing, (ranked,) if ranked is not None and nearness else ()) for thing in things]
    kind: Literal["compare_seen", "compare_distance", "compare_size"]
    kind = "compare_seen" if ranked is None else "compare_distance" if nearness else "compare_size"
    detail = ranked.kind if ranked is not None else told.order or "first"
    return Asked(Ask(kind=kind, step=steps[0], other=steps[1], among=tuple(steps[2:]), detail=detail), "entity")


def who(told: Said, finder: Finder) -> Asked:
    """Which agent saw it."""
    seen_there = told.verb is None and (bool(told.places) or told.alternatives)
    if told.verb not in ("see", "pass") and not seen_there:
        return Asked(Ask(kind="unknown", detail="who does things; it holds what was where"), "entity")
    topic = told.topic
    if topic.joined is not None:
        topic = next((each for each in topic.members if each.agent is None), topic)
    step = finder.find(topic, told.narrowing())
    return Asked(Ask(kind="who_saw", step=step, detail=told.order), "entity")


def attribute(told: Said, finder: Finder, detail: str | None = None) -> Asked:
    """Its colour, its material, its looks."""
    step = finder.find(told.topic, told.narrowing())
    ask = Ask(kind="attribute", step=step, detail=detail or told.wh.detail)
    return Asked(ask, "text")


def title(told: Said, finder: Finder) -> Asked:
    """What is written on it."""
    subject = told.topic
    if not subject.words:
        on = next((each for each in told.places if isinstance(each, Relation) and each.landmarks), None)
        if on is None:
            raise UnclearError("I cannot tell whose writing is asked about.")
        subject = on.landmarks[0]
    return Asked(Ask(kind="attribute", step=finder.find(subject), detail="title"), "text")
