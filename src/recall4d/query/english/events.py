"""When something told as a clause happened: "before it was moved", "when bravo came through the kitchen"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from recall4d.query.english.instants import UnclearError
from recall4d.query.english.names import room_of
from recall4d.query.english.phrases import Clause, Condition, NounPhrase, Period, Relation, Visit, Word
from recall4d.query.plan import Instant, OfStep, Place, Span, Stamp, StepRef, WhileSeen, WhileSo
from recall4d.query.plan import Visit as PlanVisit

if TYPE_CHECKING:
    from recall4d.query.english.finder import Finder

Edge = Literal["first_seen", "last_seen", "moved", "gone", "appeared"]

_EDGES: dict[str, Edge] = {
    "move": "moved", "touch": "moved", "change": "moved", "vanish": "gone", "appear": "appeared",
}  # fmt: skip
_ENTERING = frozenset({"enter", "go into", "come into", "walk into", "step into", "set foot in", "come to"})
"""What an agent does when it first sees a place, not when it last does."""

THERE_M = 2.5
"""Who is this near a thing passes it; a room is where its things are."""

_PASSING = frozenset({"pass", "move", "stand", None})
"""What an agent does on a visit."""


def instant_of(event: Clause, finder: Finder) -> Instant:
    """When an event happened, as an instant in the history of what it happened to.

    Raises:
        UnclearError: it is nothing that leaves a mark in memory.
    """
    subject, kind = event.subject, _kind(event)
    if subject is None and kind in ("pass", "see"):
        subject = NounPhrase(agent=finder.doer)
    if subject is not None and subject.agent is not None:
        if event.target is not None and kind in (*_EDGES, "leave"):
            return OfStep(step=finder.find(event.target, periods=[]), edge=_EDGES.get(kind or "", "moved"))
        if _is_leaving(event):
            return Stamp(at_ns=_visit(event, subject.agent, finder)[1])
        if kind in _PASSING or kind == "see":
            return _when_passed(event, subject.agent, finder)
    if subject is None or not (subject.named or subject.modifiers):
        raise UnclearError("I cannot tell which event is meant.")
    edge = _EDGES.get(kind or "", _seen_edge(event))
    if edge == "appeared" and event.of(Relation):
        edge = "moved"
    return OfStep(step=finder.find(subject, periods=[]), edge=edge)


def span_of(event: Clause, finder: Finder) -> Span | None:
    """When an event went on, as a span of the plan; None where only first and last instants can be told.

    Who passed the kitchen was near it; while a thing was in view, somebody saw it; while it was on the table, it
    was.
    """
    subject = event.subject
    if subject is None:
        return None
    if subject.agent is not None:
        return None if subject.agent == "anyone" or _is_leaving(event) else visits_of_clause(event, finder)
    if not subject.words:
        return None
    if any(each.kind == "visible" and not each.negated for each in event.of(Condition)):
        return WhileSeen(step=finder.find(subject, periods=[]))
    places = event.of(Relation)
    if _kind(event) in (None, "stand") and places and not event.negated:
        return WhileSo(step=finder.find(subject, places, periods=[Period("always")]), which="any")
    return None


def visits_of_clause(event: Clause, finder: Finder) -> PlanVisit | None:
    """The visits on which an agent passed or stayed at a place; None where it is about no place."""
    there = _place_of_stay(event, finder)
    if there is None or event.subject is None:
        return None
    order = {each.kind for each in event.of(Word)}
    ordinal = 1 if "first" in order else -1 if "last" in order else None
    return PlanVisit(agent=finder.agent(event.subject.agent), to=there, distance_m=THERE_M, ordinal=ordinal)


def _place_of_stay(event: Clause, finder: Finder) -> Place | None:
    """Where an agent passed or stayed: a region, a room or a thing."""
    target = event.target
    if target is not None and (
        target.agent is not None or (_kind(event) == "leave" and not _is_place(target, finder))
    ):
        return None
    if _kind(event) not in _PASSING | {"stay", "leave"}:
        return None
    at = [each.landmarks[0] for each in event.of(Relation) if len(each.landmarks) == 1 and not each.negated]
    place = event.target or next(iter(at), None)
    if place is None or place.agent is not None or not place.words:
        return None
    region = finder.region_of(place)
    if region is not None:
        return region
    room = room_of(place)
    return StepRef(step=finder.find(place, periods=[]) if room is None else finder.room(room), which="any")


def _is_place(phrase: NounPhrase, finder: Finder) -> bool:
    """Whether one can leave it: who leaves a mug has put it down."""
    return room_of(phrase) is not None or finder.region_of(phrase) is not None


def interval_of(event: Clause, finder: Finder, observed: bool = False) -> tuple[Instant, Instant]:
    """When an event went on. An agent that passed by was on one of its visits; one that was away, between two.

    What changed while it was away is known only at the end of the next visit.
    """
    subject = event.subject
    handled = event.target is not None and _kind(event) in _EDGES
    if subject is not None and subject.agent is not None and _kind(event) in _PASSING and not handled:
        agent = finder.agent(subject.agent) or finder.context.asker
        if finder.context.visits.get(agent or "") and not _is_leaving(event):
            if any(each.kind == "elsewhere" for each in event.of(Word)):
                left, back = finder.times.visit(Visit(-2, agent)), finder.times.visit(Visit(-1, agent))
                return Stamp(at_ns=left[1]), Stamp(at_ns=back[0] if observed else back[1])
            start, end = _visit(event, subject.agent, finder)
            return Stamp(at_ns=start), Stamp(at_ns=end)
    at = instant_of(event, finder)
    return at, at


def _visit(event: Clause, agent: str, finder: Finder) -> tuple[int, int]:
    """First and last instant of the visit on which an agent did something."""
    first = any(each.kind == "first" for each in event.of(Word))
    return finder.times.visit(Visit(1 if first else -1, finder.agent(agent)))


def _is_leaving(event: Clause) -> bool:
    """When I left."""
    return event.verb is not None and event.verb.lemma == "leave" and event.target is None


def _when_passed(event: Clause, agent: str, finder: Finder) -> Instant:
    """When an agent had in view what it passed, saw or stood at."""
    places = [each.landmarks[0] for each in event.of(Relation) if each.landmarks]
    place = event.target or next(iter(places), None)
    if place is None or place.agent is not None:
        raise UnclearError("I cannot tell which time is meant.")
    room = room_of(place)
    step = finder.find(place, periods=[], seer=agent) if room is None else finder.room(room, seer=agent)
    entering = event.verb is not None and event.verb.lemma in _ENTERING
    return OfStep(step=step, edge=_seen_edge(event, default="first_seen" if entering else "last_seen"))


def _seen_edge(event: Clause, default: Edge = "first_seen") -> Edge:
    words = {each.kind for each in event.of(Word)}
    return "first_seen" if "first" in words else "last_seen" if "last" in words else default


def _kind(event: Clause) -> str | None:
    return None if event.verb is None else event.verb.kind
