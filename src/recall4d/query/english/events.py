"""When something told as a clause happened: "before it was moved", "when bravo came through the kitchen"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from recall4d.query.english.instants import UnclearError
from recall4d.query.english.names import room_of
from recall4d.query.english.phrases import Clause, Relation, Visit, Word
from recall4d.query.plan import Instant, OfStep, Stamp

if TYPE_CHECKING:
    from recall4d.query.english.finder import Finder

Edge = Literal["first_seen", "last_seen", "moved", "gone", "appeared"]

_EDGES: dict[str, Edge] = {
    "move": "moved", "touch": "moved", "change": "moved", "vanish": "gone", "appear": "appeared",
}  # fmt: skip
_PASSING = frozenset({"pass", "move", "stand", None})
"""What an agent does on a visit."""


def instant_of(event: Clause, finder: Finder) -> Instant:
    """When an event happened, as an instant in the history of what it happened to.

    Raises:
        UnclearError: it is nothing that leaves a mark in memory.
    """
    subject, kind = event.subject, _kind(event)
    if subject is not None and subject.agent is not None and (kind in _PASSING or kind == "see"):
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
    if subject is not None and subject.agent is not None and _kind(event) in _PASSING:
        agent = finder.agent(subject.agent) or finder.context.asker
        if finder.context.visits.get(agent or ""):
            first = any(each.kind == "first" for each in event.of(Word))
            start, end = finder.times.visit(Visit(1 if first else -1, agent))
            return Stamp(at_ns=start), Stamp(at_ns=end)
    at = instant_of(event, finder)
    return at, at


def _when_passed(event: Clause, agent: str, finder: Finder) -> Instant:
    """When an agent had in view what it passed, saw or stood at."""
    places = [each.landmarks[0] for each in event.of(Relation) if each.landmarks]
    place = event.target or next(iter(places), None)
    if place is None or place.agent is not None:
        raise UnclearError("I cannot tell which time is meant.")
    room = room_of(place)
    step = finder.find(place, periods=[], seer=agent) if room is None else finder.room(room, seer=agent)
    return OfStep(step=step, edge=_seen_edge(event, default="last_seen"))


def _seen_edge(event: Clause, default: Edge = "first_seen") -> Edge:
    words = {each.kind for each in event.of(Word)}
    return "first_seen" if "first" in words else "last_seen" if "last" in words else default


def _kind(event: Clause) -> str | None:
    return None if event.verb is None else event.verb.kind
