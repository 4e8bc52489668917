"""What was read and makes no difference to the plan.

A plan that is the same without a part of its question answers another question. Each part is left out in turn and
the rest planned again: where the plan does not change, nothing has taken the part up, whichever rule forgot it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from recall4d.query.english.asks.said import is_watching
from recall4d.query.english.discourse import parts
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.names import is_everywhere, is_structure, is_vague, room_of
from recall4d.query.english.phrases import (
    By,
    Clause,
    Elsewhen,
    Moment,
    NounPhrase,
    Period,
    Relation,
    Sighted,
    Viewpoint,
    Word,
)
from recall4d.query.english.reading import Reading
from recall4d.query.plan import Plan

Part = Period | Relation | Elsewhen | Sighted | By | Viewpoint | Word | NounPhrase | str

NOT = "not"
"""A clause that is denied."""

_DENIED = frozenset({"how_long", "how_long_ago", "how_many", "how_often", "when", "what", "which", "who"})
"""Question words whose answer is another one where the clause is denied."""

_BOUNDS = frozenset({"now", "start"})
"""Moments that bound every interval anyway."""

_WHATEVER_IS_SAID = frozenset({"unknown", "away_for", "looked", "says", "who_says", "agree", "disagree"})
"""Asks that memory answers alike whatever else is said, or that keep the words themselves."""

_VIEWS = frozenset({"view", "sight", "picture", "camera", "s"})
"""Of what is in view, or seen by the camera."""

_UNNAMED = ("unnamed",)


def idle_words(readings: Sequence[Reading], clause: Clause, plan_of: Callable[[Clause], Plan]) -> tuple[str, ...]:
    """The parts of a clause that its plan does not depend on, as they were written."""
    if plan_of(clause).ask.kind in _WHATEVER_IS_SAID:
        return ()
    idle = (*idle_parts(clause, plan_of), *_times_told_before(readings, clause))
    return tuple(dict.fromkeys(_written(part, readings) for part in idle))


def _times_told_before(readings: Sequence[Reading], clause: Clause) -> Iterator[Period]:
    """Visits and instants that a sentence before the question names, and that nothing in the question takes up."""
    if not clause.past:
        return  # "I saw it on my first tour. Where is it?"
    taken = [each for each in parts(clause) if isinstance(each, Period)]
    for reading in readings:
        for each in parts((reading.statements, reading.phrases, reading.periods, reading.places)):
            if isinstance(each, Period) and _is_dated(each) and each not in taken:
                yield each


def _is_dated(period: Period) -> bool:
    """Whether it names a visit, an instant or a span: "in the first tour", not "just now"."""
    return any(each is not None and each.kind not in (*_BOUNDS, "event") for each in (period.after, period.before))


def _written(part: Part, readings: Sequence[Reading]) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, NounPhrase):
        return " ".join(part.words)
    return next((text for each in readings if (text := each.written(part)) is not None), "the time or place said")


def idle_parts(clause: Clause, plan_of: Callable[[Clause], object]) -> tuple[Part, ...]:
    """The parts of a clause that its plan does not depend on, outermost first.

    Args:
        clause: as asked, pronouns resolved.
        plan_of: the plan of a clause, comparable; it raises `UnclearError` or ValueError where there is none.
    """
    whole = plan_of(clause)
    found: list[Part] = []
    for part in _parts_to_take_up(clause):
        rest = _without(clause, part)
        if rest == clause:
            continue
        try:
            idle = plan_of(rest) == whole
        except (UnclearError, ValueError, AssertionError):
            idle = False
        if idle and not any(part in parts(other) for other in found):
            found.append(part)
    return tuple(found)


def _parts_to_take_up(clause: Clause) -> list[Part]:
    """Every part that narrows what is asked, once."""
    said = replace(clause, wh=None, subject=None, target=None) if _compares(clause) else clause
    told: list[Part] = [part for part in _asserted(said) if _narrows(part, clause)]
    if clause.negated and clause.wh is not None and clause.wh.kind in _DENIED:
        told.append(NOT)
    return list(dict.fromkeys(told))


def _asserted(part: Any) -> Iterator[Any]:
    """A part and all in it; of an event that dates something, what it happened to, not where."""
    if isinstance(part, tuple):
        for each in part:
            yield from _asserted(each)
    elif isinstance(part, Moment | Period):
        yield part
        told = [each for each in parts(part) if isinstance(each, Clause)]
        yield from (each for clause in told for each in (clause.subject, clause.target, *clause.of(Period)) if each)
    elif isinstance(part, Relation) and part.kind == "through":
        return
    elif is_dataclass(part) and not isinstance(part, type):
        yield part
        for each in fields(part):
            yield from _asserted(getattr(part, each.name))


def _narrows(part: Any, clause: Clause) -> bool:
    """Whether a question is another one without a part; much is said for company, or comes with the place."""
    assert clause.wh is not None
    match part:
        case Period(kind="span"):
            return any(each is not None and each.kind not in _BOUNDS for each in (part.after, part.before))
        case Period():
            return part.kind in ("earlier", "originally", "during") and not is_watching(part)
        case Relation():
            named = bool(part.landmarks) and all(map(_is_landmark, part.landmarks))
            return named and not is_vague(part)
        case NounPhrase():
            return _is_landmark(part)
        case Viewpoint():
            return part.at is not None and part.at.kind not in _BOUNDS and clause.wh.kind == "way"
        case Word():
            early = part.kind == "first" and clause.wh.kind in ("how_many", "what_on")
            return early or part.kind in ("nth", "then")
        case Elsewhen():
            return True
        case By() | Sighted():
            return part.agent not in (None, "anyone")
    return False


def _compares(clause: Clause) -> bool:
    """Whether a question says itself what may be chosen: where that stands is said for company."""
    return any(each.joined is not None for each in clause.of(NounPhrase))


def _is_landmark(phrase: NounPhrase) -> bool:
    """Whether it names something with a place of its own: no wall, no room, not the house, not the view."""
    if not phrase.words or phrase.agent is not None or phrase.words[-1] in _VIEWS:
        return False
    bare = phrase.determiner is None and phrase.number is None and not phrase.plural and len(phrase.words) == 1
    return not (bare or is_structure(phrase) or is_everywhere(phrase) or room_of(phrase) is not None)


def _without(whole: Any, part: Part) -> Any:
    """A clause or phrase without a part, wherever it stands in it; of a noun phrase, without its name."""
    if part == NOT:
        return replace(whole, negated=False)
    if isinstance(part, NounPhrase) and whole == part:
        return replace(whole, words=_UNNAMED)
    if isinstance(whole, tuple):
        kept = whole if isinstance(part, NounPhrase) else tuple(each for each in whole if each != part)
        return tuple(_without(each, part) for each in kept)
    if is_dataclass(whole) and not isinstance(whole, type):
        values = {each.name: getattr(whole, each.name) for each in fields(whole)}
        changed = {name: new for name, old in values.items() if (new := _without(old, part)) != old}
        return replace(whole, **changed) if changed else whole
    return whole
