"""What is on or in a thing, where its box alone does not tell: closed things, and descriptions that say it."""

from __future__ import annotations

import re

from recall4d.query.answers.base import Reply, Telling
from recall4d.query.answers.naming import called
from recall4d.query.english.names import CLOSED
from recall4d.query.plan import Find, StepRef
from recall4d.query.result import Row
from recall4d.query.words import wording_of
from recall4d.records import Entry

_SHUT = frozenset({"tape", "lid"})
"""Parts that keep a thing closed."""

_PLACED = {
    "on": re.compile(r"\bwith (.+?) on (?:top|it)\b"),
    "inside": re.compile(r"\b(?:with (.+?) (?:in|inside) it|full of (.+)|filled with (.+)|containing (.+))\b"),
}
"""How a description says what is on or in a thing."""


def unseen_inside(telling: Telling, step: str | None) -> Reply | None:
    """The abstention where the inside of something closed is asked for; None where nothing is, or it is open."""
    row = _holder(telling, step, "inside")
    if row is None or not is_closed(telling.entry(row)):
        return None
    name = called(telling.entry(row))
    return Reply(
        f"Memory cannot say: the inside of the {name} was not seen.",
        rows=[row],
        look_next=f"Look inside the {name}.",
    )


def is_closed(entry: Entry) -> bool:
    """Whether the inside of a thing is not seen from outside: a cupboard, a box with tape on it."""
    said = wording_of(entry.category, entry.description, {})
    return bool(said.heads & CLOSED) or bool(said.parts & _SHUT)


def described_contents(telling: Telling, step: str | None) -> Reply | None:
    """What the holder's own description says is on or in it; None where it says nothing."""
    for relation, pattern in _PLACED.items():
        row = _holder(telling, step, relation)
        match = None if row is None else pattern.search(telling.entry(row).description)
        if row is not None and match is not None:
            said = next(group for group in match.groups() if group)
            items = [each.strip() for each in re.split(r",| and ", said) if each.strip()]
            return Reply(f"The {called(telling.entry(row))}: {said}.", items, [row])
    return None


def asks_inside(step: Find) -> bool:
    """Whether a step looks for what is inside something."""
    return any(key.relation == "inside" and not key.negated for key in step.spatial)


def _holder(telling: Telling, step: str | None, relation: str) -> Row | None:
    """The best row of what a step's rows are to be on or in; None where it asks for no such relation."""
    if step is None:
        return None
    for key in telling.step(step).spatial:
        if key.relation == relation and not key.negated and isinstance(key.anchors[0], StepRef):
            return next(iter(telling.rows(key.anchors[0].step)), None)
    return None
