"""Asked clauses become asks: one function for each question word, and one for yes or no."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from recall4d.query.english.finder import Finder, conditions, ranking
from recall4d.query.english.grammar.places import SIDE_PAIRS
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.names import CLOSED, is_everywhere, room_of
from recall4d.query.english.phrases import (
    By,
    Clause,
    Condition,
    Feature,
    Formerly,
    Modifier,
    NounPhrase,
    Period,
    Ranked,
    Relation,
    Wh,
    Word,
)
from recall4d.query.plan import Ask, History, Rank
from recall4d.query.words import kinds_of, standard_words
from recall4d.records import AnswerType

_MOVES = frozenset({"move", "touch"})
_CHANGES = frozenset({"move", "touch", "appear", "vanish", "change"})
_HISTORIES = frozenset(get_args(History))
_CHANGE_OF: dict[str, str] = {
    "move": "moved", "touch": "moved", "appear": "appeared", "vanish": "gone", "change": "changed",
}  # fmt: skip
_CHANGE_OF_CONDITION = {
    "new": "appeared", "gone": "gone", "displaced": "moved", "different": "changed", "moving": "moving",
    "moved": "moved",
}  # fmt: skip


_ANY_HOLDER = frozenset(["surface", "furniture", "place", "spot", "support", "thing"])


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be reported.

    Attributes:
        ask: for the plan.
        type: of the answer.
        name: what it is about, as the question calls it.
        plural: whether it is spoken of in the plural.
    """

    ask: Ask
    type: AnswerType
    name: str = "it"
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A clause sorted by what its parts mean.

    Attributes:
        clause: as read.
        topic: what it is about: what was seen, put or moved, else the subject.
        seer: who saw it, if that is said.
        places: relations, nearest things and features said of the topic in the clause.
        states: conditions said of it.
        words: fixed words in it.
    """

    clause: Clause
    topic: NounPhrase
    seer: str | None
    places: tuple[Modifier, ...]
    states: tuple[Condition, ...]
    words: tuple[str, ...]

    @property
    def verb(self) -> str | None:
        """The class of its verb; None for a copula."""
        return None if self.clause.verb is None else self.clause.verb.kind

    @property
    def periods(self) -> list[Period]:
        """Times said in it."""
        return [each for each in self.clause.complements if isinstance(each, Period)]

    @property
    def ranked(self) -> Ranked | None:
        """A superlative or comparative said of the topic."""
        return next((each for each in self.clause.complements if isinstance(each, Ranked)), None)

    @property
    def order(self) -> Literal["first", "last"] | None:
        """First or last."""
        return "first" if "first" in self.words else "last" if "last" in self.words else None

    @property
    def alternatives(self) -> tuple[NounPhrase, ...]:
        """The things a question lets one choose from: "..., the mug or the bowl?"."""
        groups = [each for each in self.clause.complements if isinstance(each, NounPhrase)]
        for phrase in (*groups, self.topic, self.clause.subject):
            if phrase is not None and phrase.joined is not None:
                return phrase.members
        return ()


def said(clause: Clause) -> Said:
    """Sort a clause."""
    subject, target = clause.subject, clause.target
    by = next((each.agent for each in clause.complements if isinstance(each, By)), None)
    seer: str | None = by
    topic = subject or target
    if subject is not None and subject.agent is not None and target is not None:
        topic = target
        saw = clause.verb is not None and clause.verb.kind == "see" and clause.past
        seer = subject.agent if saw else None
    elif clause.wh is not None and clause.wh.kind == "who" and target is not None:
        topic = target
    if topic is None:
        topic = NounPhrase(generic=True)
    return Said(
        clause=clause,
        topic=topic,
        seer=seer,
        places=tuple(each for each in clause.complements if isinstance(each, Relation | Feature)),
        states=tuple(each for each in clause.complements if isinstance(each, Condition)),
        words=tuple(each.kind for each in clause.complements if isinstance(each, Word)),
    )


def ask(clause: Clause, finder: Finder) -> Asked:
    """Add to `finder` the steps that a clause asks about, and say what to report.

    Raises:
        UnclearError: it asks for nothing that memory could hold.
    """
    assert clause.wh is not None
    told = said(clause)
    finder.periods = [each for each in finder.periods if not _is_watching(each)]
    asked = _BY_WORD[clause.wh.kind](told, finder)
    about = told.topic if told.topic.words or not told.alternatives else told.alternatives[0]
    if clause.wh.kind == "how_many" and clause.wh.phrase is not None:
        about = clause.wh.phrase
    return replace(asked, name=name_of(about), plural=about.plural)


def name_of(phrase: NounPhrase) -> str:
    """What a question calls a thing, without article: "red mug"."""
    if phrase.agent is not None:
        return "I" if phrase.agent == "asker" else phrase.agent
    features = [
        " ".join((each.kind, *each.words)) for each in phrase.modifiers if isinstance(each, Feature) and each.words
    ]
    name = " ".join((*phrase.words, *features))
    return name or "thing"


# --- where, when -----------------------------------------------------------------------------------------------


def _where(told: Said, finder: Finder) -> Asked:
    if told.verb == "face":
        return _way(told, finder)
    topic = told.topic
    if told.verb in _CHANGES:
        topic = _left_behind(topic)
    if topic.joined is not None:
        topic = topic.members[0]
    detail = _before_or_after(told, finder)
    if topic.agent is not None:
        return Asked(Ask(kind="unknown", detail="where an agent is"), "position")
    step = finder.find(topic, _narrowing(told), seer=told.seer)
    return Asked(Ask(kind="where", step=step, detail=detail, **_history(topic, told)), "position")


def _left_behind(phrase: NounPhrase) -> NounPhrase:
    """A thing that went: where it is said to be, it was. "Where did the mug on the table go?"."""
    modifiers = tuple(Formerly(each) if isinstance(each, Relation) else each for each in phrase.modifiers)
    return replace(phrase, modifiers=modifiers)


def _before_or_after(told: Said, finder: Finder) -> str | None:
    """Which state is asked about, where the question names none by a time of its own.

    Takes away the periods it speaks for.
    """
    detail = None
    for period in told.periods:
        edge = period.before or period.after
        event = edge.event if edge is not None and edge.kind == "event" else None
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


def _when(told: Said, finder: Finder) -> Asked:
    kind = told.verb
    places = _narrowing(told)
    history = _history(told.topic, told)
    if (kind in _CHANGES or kind == "see" or kind is None) and _before_my_eyes(told):
        places = tuple(each for each in places if not _is_by_asker(each))
        step = finder.find(told.topic, places)
        return Asked(Ask(kind="when_moved", step=step, detail="moved", only=("moving",)), "time")
    step = finder.find(told.topic, places, seer=told.seer)
    if kind in _CHANGES and not (kind == "appear" and told.order == "first"):
        return Asked(Ask(kind="when_moved", step=step, detail=_CHANGE_OF[kind or "move"], **history), "time")
    for state in told.states:
        if state.kind in ("gone", "displaced", "new") and not state.negated:
            return Asked(
                Ask(kind="when_moved", step=step, detail=_CHANGE_OF_CONDITION[state.kind], **history), "time"
            )
    detail = "first" if kind == "appear" else told.order
    return Asked(Ask(kind="when_seen", step=step, detail=detail, **history), "time")


def _before_my_eyes(told: Said) -> bool:
    """Whether something is said to have happened in view: "right in front of me", "by itself"."""
    moving = any(each.kind == "moving" for each in told.states) or "moving" in conditions(told.topic)
    moves = told.verb == "move" or moving
    watched = any(each.kind == "visible" for each in told.states) or any(map(_is_watching, told.periods))
    return moving or (moves and (watched or "alone" in told.words or any(map(_is_by_asker, told.places))))


def _is_watching(period: Period) -> bool:
    """While I was looking."""
    event = period.event
    if event is None or event.verb is None or event.subject is None or event.target is not None:
        return False
    return event.verb.kind == "see" and event.subject.agent is not None


def _is_by_asker(modifier: Modifier) -> bool:
    return isinstance(modifier, Relation) and any(each.agent is not None for each in modifier.landmarks)


def _how_long_ago(told: Said, finder: Finder) -> Asked:
    asked = _when(told, finder)
    detail = asked.ask.detail or "last"
    return Asked(asked.ask.model_copy(update={"kind": "since_seen", "detail": detail}), "duration")


def _how_long(told: Said, finder: Finder) -> Asked:
    since = [each.after.event for each in told.periods if each.after is not None and each.after.event is not None]
    if told.verb == "pass" and since:
        finder.periods = []
        return _how_long_ago(said(since[0]), finder)
    subject = told.clause.subject
    if subject is None or (subject.agent is not None and told.clause.target is None):
        visits = [
            each.after.visit for each in told.periods if each.after is not None and each.after.visit is not None
        ]
        agent = subject.agent if subject is not None else visits[0].agent or "asker" if visits else "asker"
        return Asked(Ask(kind="away_for", detail=finder.agent(agent)), "duration")
    step = finder.find(told.topic, _narrowing(told), seer=told.seer)
    return Asked(Ask(kind="seen_for", step=step), "duration")


def _how_often(told: Said, finder: Finder) -> Asked:
    step = finder.find(told.topic, _narrowing(told), seer=told.seer)
    return Asked(Ask(kind="times_seen", step=step), "count")


# --- how many, how far, how big --------------------------------------------------------------------------------


def _how_many(told: Said, finder: Finder) -> Asked:
    wh = told.clause.wh
    assert wh is not None
    counted = wh.phrase or told.topic
    places = _narrowing(told)
    subject = told.clause.subject
    if told.verb == "have" and subject is not None and subject is not counted and subject.agent is None:
        places = (*places, holding(subject))
    observed = told.verb == "see" and bool(finder.periods)
    more = next(
        (each.than for each in told.clause.complements if isinstance(each, Ranked) and each.kind == "more"), None
    )
    presence = "any" if told.verb == "see" or "together" in told.words else "present"
    step = finder.find(counted, places, observed=observed, seer=told.seer, presence=presence)
    if told.verb in _CHANGES or any(each.kind in _CHANGE_OF_CONDITION for each in told.states):
        return Asked(Ask(kind="count", step=step, only=(_history_of(told),)), "count")
    if more is not None:
        other = finder.find(more, places, presence=presence)
        return Asked(Ask(kind="count", step=step, other=other, detail="more"), "count")
    return Asked(Ask(kind="count", step=step, **_history(counted, told)), "count")


def holding(place: NounPhrase) -> Relation:
    """Where things are that a place has, holds or contains: in a container, else on it."""
    name = standard_words(place.words[-1]) if place.words else frozenset()
    contains = bool(name & kinds_of("container")) or "drawer" in name or bool(name & CLOSED)
    room = is_everywhere(place) or room_of(place) is not None
    return Relation("in" if room else "inside" if contains else "on", (place,))


def _how_far(told: Said, finder: Finder) -> Asked:
    subject = told.clause.subject or told.topic
    if told.verb in _CHANGES:
        step = finder.find(told.topic, _narrowing(told, but=("from", "to", "through")))
        return Asked(Ask(kind="moved_distance", step=step, **_history(told.topic, told)), "distance")
    moved = conditions(subject) | {each.kind for each in told.states}
    if moved & {"moved", "displaced"}:
        return Asked(Ask(kind="moved_distance", step=finder.find(subject), only=("moved",)), "distance")
    ends = _ends(subject, told)
    if len(ends) == 2 and ends[0].agent is None and ends[1].agent is None:
        first, second = (finder.find(end) for end in ends)
        return Asked(Ask(kind="distance", step=first, other=second), "distance")
    thing = next((end for end in ends if end.agent is None), None)
    if thing is None:
        raise UnclearError("I cannot tell from what to what the distance is asked.")
    step = finder.find(thing)
    if thing.plural or thing.number == 2:
        return Asked(Ask(kind="distance", step=step, other=step), "distance")
    return Asked(Ask(kind="distance", step=step), "distance")


def _ends(subject: NounPhrase, told: Said) -> tuple[NounPhrase, ...]:
    """The two things a distance lies between; one where the other is the asking agent."""
    if len(subject.members) >= 2:
        return subject.members[:2]
    relations = [
        each for each in (*subject.modifiers, *told.places)
        if isinstance(each, Relation) and each.landmarks and each.kind in ("from", "to", "near", "between", "at")
    ]  # fmt: skip
    if not relations:
        return (subject,)
    relation = relations[-1]
    if relation.kind == "between" and subject.generic:
        return relation.landmarks
    kept = tuple(each for each in subject.modifiers if each is not relation)
    return (replace(subject, modifiers=kept), relation.landmarks[0])


def _size(told: Said, finder: Finder) -> Asked:
    wh = told.clause.wh
    assert wh is not None
    step = finder.find(told.topic, _narrowing(told))
    height = wh.detail in ("height", "top")
    return Asked(Ask(kind="height" if height else "size", step=step, detail=wh.detail), "distance")


# --- which way, which side -------------------------------------------------------------------------------------


def _way(told: Said, finder: Finder) -> Asked:
    if told.verb in _CHANGES and told.clause.target is None:
        return Asked(Ask(kind="unknown", detail="in which direction something moved"), "direction")
    step = finder.find(told.topic, _narrowing(told))
    return Asked(Ask(kind="direction", step=step), "direction")


def _side(told: Said, finder: Finder) -> Asked:
    """Left or right, in front or behind, above or below: of a landmark, of what is faced, or of the asking agent."""
    asked = next((each for each in told.places if isinstance(each, Relation) and each.kind in SIDE_PAIRS), None)
    wh = told.clause.wh
    pair = asked.kind if asked is not None else wh.detail if wh is not None else None
    landmark = (
        asked.landmarks[0] if asked is not None and asked.landmarks else wh.phrase if wh is not None else None
    )
    if landmark is None and finder.viewpoint is not None and finder.viewpoint.kind == "facing":
        landmark = finder.viewpoint.place
    step = finder.find(told.topic, _narrowing(told))
    if landmark is None or landmark.agent is not None:
        return Asked(Ask(kind="side", step=step, detail=pair), "direction")
    other = finder.find(landmark)
    return Asked(Ask(kind="side", step=step, other=other, among=finder.sides(step, other, pair)), "direction")


# --- what, which -----------------------------------------------------------------------------------------------


def _what(told: Said, finder: Finder) -> Asked:
    wh, clause = told.clause.wh, told.clause
    assert wh is not None
    if told.verb == "say":
        return _title(told, finder)
    if told.verb == "resemble":
        return _attribute(told, finder, "description")
    if told.verb == "made":
        return _attribute(told, finder, "material")
    if told.alternatives and (told.ranked is not None or told.verb in ("see", None, "appear")):
        return _compared(told, finder)
    change = _change(told)
    if change is not None:
        return _what_changed(told, finder, change)
    if told.verb == "see" or _is_about_view(told):
        return _in_view(told, finder)
    if told.verb == "have" and clause.subject is not None and clause.subject.agent is None:
        return _listed(told, finder, wh.phrase or told.topic, (holding(clause.subject),))
    if told.verb == "hide":
        return _hidden(told, finder)
    if told.verb == "leave" and told.topic.generic and finder.periods:
        return _what_changed(told, finder, "changed")
    if wh.phrase is not None and clause.target is not None and told.topic.pronoun is None:
        return _identified(told, finder)
    return _listed(told, finder, told.topic, ())


def _hidden(told: Said, finder: Finder) -> Asked:
    """What does the box hide? What is concealed by it?"""
    clause = told.clause
    if clause.passive or clause.target is None or clause.subject is None:
        places = tuple(
            replace(each, kind="behind", directly=True)
            if isinstance(each, Relation) and each.kind == "beside"
            else each
            for each in told.places
        )
        return _listed(replace(told, places=places), finder, told.topic, ())
    return _listed(told, finder, clause.target, (Relation("behind", (clause.subject,), directly=True),))


def _listed(told: Said, finder: Finder, phrase: NounPhrase, more: tuple[Modifier, ...]) -> Asked:
    places = (*_narrowing(told), *more)
    if phrase.generic and not (phrase.words or places or phrase.modifiers or told.ranked):
        raise UnclearError("I cannot tell what is asked about.")
    ranked = told.ranked
    nearest = ranked is not None and ranked.kind in ("nearest", "farthest")
    step = finder.find(phrase, (*places, *((ranked,) if nearest else ())), presence="present")
    wh = told.clause.wh
    one = _is_one(told, phrase) or ranked is not None
    rank = ranked.kind if ranked is not None and ranked.kind in get_args(Rank) else None
    history = _history(phrase, told) | ({"rank": rank} if rank else {})
    kind: Literal["which", "list"] = (
        "which" if one or (wh is not None and wh.kind == "which" and not phrase.plural) else "list"
    )
    return Asked(Ask(kind=kind, step=step, **history), "entity" if kind == "which" else "list")


def _is_one(told: Said, phrase: NounPhrase) -> bool:
    """Whether one thing is asked for: the next one, the only one."""
    relations = [each for each in (*told.places, *phrase.modifiers) if isinstance(each, Relation)]
    return any(each.directly or each.kind == "between" for each in relations)


def _identified(told: Said, finder: Finder) -> Asked:
    """What is the red thing on the shelf?"""
    step = finder.find(told.topic, _narrowing(told))
    plural = told.topic.plural
    kind: Literal["which", "list"] = "list" if plural else "which"
    return Asked(Ask(kind=kind, step=step, **_history(told.topic, told)), "list" if plural else "entity")


def _change(told: Said) -> str | None:
    """The change a question asks for."""
    if told.verb in _CHANGES:
        return "moving" if told.verb == "move" and _before_my_eyes(told) else _CHANGE_OF[told.verb or ""]
    asked = {each.kind for each in told.states} | conditions(told.topic)
    return next((_CHANGE_OF_CONDITION[kind] for kind in sorted(asked) if kind in _CHANGE_OF_CONDITION), None)


def _what_changed(told: Said, finder: Finder, change: str) -> Asked:
    wh = told.clause.wh
    topic = told.topic if wh is None or wh.phrase is None or told.topic.words else wh.phrase
    relations = [each for each in told.places if isinstance(each, Relation) and not _is_by_asker(each)]
    sources = [each for each in relations if each.kind == "from"]
    goals = [each for each in relations if each.kind == "to"]
    others = tuple(
        each for each in told.places if each not in sources and each not in goals and not _is_by_asker(each)
    )
    if change == "appeared" and goals:
        others, goals = (*others, *(replace(each, kind="near") for each in goals)), []
    if (sources or goals) and change != "gone":
        change = "moved"
        if told.verb == "move" and not goals:
            goals = [each for each in relations if each.kind == "on"]
            others = tuple(each for each in others if each not in goals)
    window = [*finder.periods, Period("always")]
    if change in ("moved", "changed") and any(each.kind == "displaced" for each in told.states):
        window = [replace(each, before=None) for each in window]
    stripped = replace(topic, modifiers=tuple(each for each in topic.modifiers if not isinstance(each, Condition)))
    was_there = tuple(each for each in stripped.modifiers if isinstance(each, Relation)) if goals else ()
    if was_there:
        stripped = replace(stripped, modifiers=tuple(each for each in stripped.modifiers if each not in was_there))
    step = finder.find(stripped, (*others, *was_there, *map(_standing, sources)), periods=window)
    if goals:
        step = finder.find(stripped, tuple(map(_standing, goals)), periods=[], within_step=step)
    one = wh is not None and wh.kind != "who" and (stripped.number == 1 or bool(sources or goals))
    return Asked(Ask(kind="what_changed", step=step, detail=change), "entity" if one else "list")


def _standing(relation: Relation) -> Relation:
    """Where a thing was that came from a place, or is that went to it."""
    return replace(relation, kind="from")


def _is_about_view(told: Said) -> bool:
    """What was there 12 seconds ago? What was in view at frame 240?"""
    visible = any(each.kind in ("present", "visible") for each in told.states)
    return visible and not told.places and told.topic.generic and not told.topic.modifiers


def _in_view(told: Said, finder: Finder) -> Asked:
    wh = told.clause.wh
    phrase = told.clause.target or (wh.phrase if wh is not None else None) or told.topic
    moving = any(each.kind == "moving" for each in told.states) or told.verb == "move"
    if moving:
        return _what_changed(told, finder, "moving")
    if phrase.words or told.places or not finder.periods or phrase.modifiers:
        return _listed_seen(told, finder, phrase)
    step = finder.find(phrase, (), observed=True, seer=told.seer)
    return Asked(Ask(kind="in_view", step=step, detail=finder.agent(told.seer or "asker")), "list")


def _listed_seen(told: Said, finder: Finder, phrase: NounPhrase) -> Asked:
    if phrase.generic and not phrase.words and not told.places and not phrase.modifiers and not finder.periods:
        finder.periods = [Period("sofar")]
    step = finder.find(phrase, _narrowing(told), observed=bool(finder.periods), seer=told.seer)
    wh = told.clause.wh
    if told.order is not None and phrase.words and wh is not None:
        order = "first_seen" if told.order == "first" else "last_seen"
        finder.steps[-1] = finder.steps[-1].model_copy(update={"order": order})
        return Asked(Ask(kind="which", step=step, detail=told.order), "entity")
    return Asked(Ask(kind="list", step=step), "list")


def _compared(told: Said, finder: Finder) -> Asked:
    """Which of several: closer, taller, seen first."""
    ranked, things = told.ranked, told.alternatives
    if all(each.agent is not None for each in things):
        raise UnclearError("I cannot tell what is compared.")
    nearness = ranked is not None and ranked.kind in ("nearest", "farthest")
    extra: tuple[Modifier, ...] = (ranked,) if ranked is not None and nearness else ()
    steps = [finder.find(thing, extra) for thing in things]
    if ranked is None:
        kind, detail = "compare_seen", told.order or "first"
    else:
        kind, detail = ("compare_distance" if nearness else "compare_size"), ranked.kind
    return Asked(
        Ask(kind=kind, step=steps[0], other=steps[1], among=tuple(steps[2:]), detail=detail),  # type: ignore[arg-type]
        "entity",
    )


def _who(told: Said, finder: Finder) -> Asked:
    if told.verb not in ("see", "pass", None):
        return Asked(Ask(kind="unknown", detail="who does things; it holds what was where"), "entity")
    topic = told.topic
    if topic.joined is not None:
        topic = next((each for each in topic.members if each.agent is None), topic)
    step = finder.find(topic, _narrowing(told))
    return Asked(Ask(kind="who_saw", step=step, detail=told.order), "entity")


def _what_on(told: Said, finder: Finder) -> Asked:
    wh = told.clause.wh
    assert wh is not None
    step = finder.find(told.topic, _narrowing(told), seer=told.seer)
    anything = wh.phrase is None or not wh.phrase.words or wh.phrase.words[-1] in _ANY_HOLDER
    holders = None if anything or wh.phrase is None else finder.find(wh.phrase)
    return Asked(Ask(kind="on_what", step=step, other=holders, detail=wh.detail), "entity")


# --- attributes ------------------------------------------------------------------------------------------------


def _attribute(told: Said, finder: Finder, detail: str | None = None) -> Asked:
    wh = told.clause.wh
    step = finder.find(told.topic, _narrowing(told))
    return Asked(Ask(kind="attribute", step=step, detail=detail or (wh.detail if wh is not None else None)), "text")


def _title(told: Said, finder: Finder) -> Asked:
    subject = told.topic
    if not subject.words:
        on = next((each for each in told.places if isinstance(each, Relation) and each.landmarks), None)
        if on is None:
            raise UnclearError("I cannot tell whose writing is asked about.")
        subject = on.landmarks[0]
    return Asked(Ask(kind="attribute", step=finder.find(subject), detail="title"), "text")


# --- yes or no -------------------------------------------------------------------------------------------------


def _polar(told: Said, finder: Finder) -> Asked:
    topic, verb = told.topic, told.verb
    if any(isinstance(each, Relation) and each.kind in SIDE_PAIRS for each in told.places):
        return _side(told, finder)
    if told.alternatives and topic.joined == "or":
        agents = all(each.agent is not None for each in told.alternatives)
        return _who(told, finder) if agents else _compared(told, finder)
    if told.ranked is not None and told.ranked.than is not None:
        return _is_more(told, finder, told.ranked)
    if verb in _CHANGES or (verb == "stay"):
        return _has_changed(told, finder, "stayed" if verb == "stay" else _CHANGE_OF[verb or ""])
    states = {each.kind for each in told.states}
    if "displaced" in states or "different" in states:
        return _has_changed(told, finder, "moved")
    if "new" in states:
        return _has_changed(told, finder, "appeared")
    if verb == "see" and told.clause.passive and told.places and "still" in told.words:
        return _still_there(told, finder, None)
    if verb == "see" or (verb == "have" and (topic.agent is not None or told.clause.target is not None)):
        return _exists(told, finder)
    if "gone" in states and "present" not in states:
        return _still_there(told, finder, "gone")
    if "visible" in states and told.clause.past and _is_indefinite(topic):
        return _exists(told, finder)
    if states & {"visible", "hidden"}:
        return _still_there(told, finder, "hidden" if "hidden" in states else "visible")
    if told.clause.verb is None and states == {"present"} and _is_indefinite(topic) and "still" not in told.words:
        return _exists(told, finder)
    if topic.determiner in ("a", "any", "no") or (topic.generic and not topic.words):
        return _exists(told, finder)
    return _still_there(told, finder, None)


def _is_indefinite(phrase: NounPhrase) -> bool:
    return phrase.determiner in (None, "a", "any", "no") or phrase.generic or phrase.plural


def _exists(told: Said, finder: Finder) -> Asked:
    seen = told.verb == "see"
    topic, places = told.topic, _narrowing(told)
    if told.verb == "have" and told.clause.target is not None:
        owner = told.clause.subject
        topic = told.clause.target
        if owner is not None and owner.agent is None:
            places = (*places, holding(owner))
    members = topic.members if topic.joined is not None else (topic,)
    steps = [
        finder.find(each, places, observed=seen and bool(finder.periods), seer=told.seer,
                    presence="any" if seen else "present")
        for each in members
    ]  # fmt: skip
    detail = "no" if topic.determiner == "no" else topic.joined
    other, among = (steps[1] if len(steps) > 1 else None), tuple(steps[2:])
    return Asked(Ask(kind="exists", step=steps[0], other=other, among=among, detail=detail), "yesno")


def _still_there(told: Said, finder: Finder, detail: str | None) -> Asked:
    """Is it, or was it, (still) there: one step finds the thing, the other the thing there and then."""
    topic = told.topic
    own_places = tuple(each for each in topic.modifiers if isinstance(each, Relation))
    places = _narrowing(told)
    if not places and own_places and not told.states:
        places, topic = (
            own_places,
            replace(topic, modifiers=tuple(m for m in topic.modifiers if m not in own_places)),
        )
    if any(period.kind == "always" for period in told.periods):
        detail = "always"
    step = finder.find(topic, periods=[])
    other = None
    if places or (finder.temporal() is not None and detail not in ("gone", "visible", "hidden")):
        other = finder.find(topic, places, presence="present")
    return Asked(Ask(kind="still_there", step=step, other=other, detail=detail, **_history(topic, told)), "yesno")


def _has_changed(told: Said, finder: Finder, change: str) -> Asked:
    topic = told.topic
    subject = told.clause.subject
    if subject is not None and subject.agent is not None and told.clause.target is not None:
        topic = told.clause.target
    window = [*finder.periods, Period("always")]
    if any(each.kind in ("displaced", "different") for each in told.states):
        window = [replace(each, before=None) for each in window]
    relations = _narrowing(told, but=("from", "to", "through"))
    if topic.generic and not topic.words:
        step = finder.find(topic, relations, periods=window)
        return Asked(Ask(kind="has_changed", step=step, detail=change), "yesno")
    step = finder.find(topic, (), periods=window)
    return Asked(Ask(kind="has_changed", step=step, detail=change), "yesno")


def _is_more(told: Said, finder: Finder, ranked: Ranked) -> Asked:
    """Is A closer to C than B? Is A taller than B?"""
    assert ranked.than is not None
    nearness = ranked.kind in ("nearest", "farthest")
    extra: tuple[Modifier, ...] = (replace(ranked, than=None),) if nearness else ()
    first, second = finder.find(told.topic, extra), finder.find(ranked.than, extra)
    kind: Literal["compare_distance", "compare_size"] = "compare_distance" if nearness else "compare_size"
    return Asked(Ask(kind=kind, step=first, other=second, detail=ranked.kind), "yesno")


# --- helpers ---------------------------------------------------------------------------------------------------


def _narrowing(told: Said, but: tuple[str, ...] = ()) -> tuple[Modifier, ...]:
    """What the clause says of the place of its topic."""
    return tuple(
        each for each in told.places
        if not (isinstance(each, Relation) and each.kind in (*but, *SIDE_PAIRS))
        and not (isinstance(each, Relation) and each.kind in ("from", "to", "through") and told.verb in _CHANGES)
    )  # fmt: skip


def _history(phrase: NounPhrase, told: Said) -> dict[str, object]:
    """Fields of the ask that narrow rows by an entry's history or choose the most extreme."""
    only = tuple(sorted(conditions(phrase) & _HISTORIES))
    rank = ranking(phrase)
    fields: dict[str, object] = {}
    if only:
        fields["only"] = only
    if rank in get_args(Rank):
        fields["rank"] = rank
    return fields


def _history_of(told: Said) -> History:
    change = _change(told) or "moved"
    names: dict[str, History] = {"appeared": "new", "gone": "gone", "moving": "moving"}
    return names.get(change, "moved")


_BY_WORD: dict[str, Callable[[Said, Finder], Asked]] = {
    "where": _where, "when": _when, "who": _who, "what": _what, "which": _what, "how_many": _how_many,
    "how_often": _how_often, "how_far": _how_far, "how_long": _how_long, "how_long_ago": _how_long_ago, "size": _size,
    "way": _way, "side": _side, "attribute": _attribute, "title": _title, "what_on": _what_on, "polar": _polar,
}  # fmt: skip

__all__ = ["Asked", "Wh", "ask"]
