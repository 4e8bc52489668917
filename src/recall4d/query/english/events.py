"""When something told as a clause happened: "before it was moved", "when bravo came through the kitchen"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from recall4d.query.english.instants import UnclearError
from recall4d.query.english.names import room_of
from recall4d.query.english.phrases import Clause, NounPhrase, Relation, Visit, Word
from recall4d.query.plan import Instant, OfStep, Stamp

if TYPE_CHECKING:
    from recall4d.query.english.finder import Finder

Edge = Literal["first_seen", "last_seen", "moved", "gone", "appeared"]

_EDGES: dict[str, Edge] = {
    "move": "moved", "touch": "moved", "change": "moved", "vanish": "gone", "appear": "appeared",
}  # fmt: skip
_ENTERING = frozenset({"enter", "go into", "come into", "walk into", "step into", "set foot in", "come to"})
"""What an agent does when it first sees a place, not when it last does."""

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


def interval_of(event: Clause, finder: Finder) -> tuple[Instant, Instant]:
    """When an event went on. An agent that passed by was on one of its visits."""
    subject = event.subject
    handled = event.target is not None and _kind(event) in _EDGES
    if subject is not None and subject.agent is not None and _kind(event) in _PASSING and not handled:
        agent = finder.agent(subject.agent) or finder.context.asker
        if finder.context.visits.get(agent or "") and not _is_leaving(event):
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
