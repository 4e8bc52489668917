"""Where a plan found nothing: what it would find with a key less.

A model that is told "nothing found" mostly writes the same plan again. Told what each key costs, it can see which
was too narrow; and where it repeats itself all the same, memory widens the plan in its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from recall4d.memory.snapshot import Snapshot
from recall4d.query.execute import execute
from recall4d.query.plan import Find, Plan

_KEYS: tuple[tuple[str, dict[str, object]], ...] = (
    ("time", {"temporal": None}),
    ("presence", {"presence": "any"}),
    ("place", {"spatial": ()}),
    ("place and time", {"spatial": (), "temporal": None}),
)
"""What may be left out, the likeliest to be too narrow first. Never what it is: that would be another thing."""


def widened(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """The plan without a key of the step it asks about: what is left out, in a word, and the plan."""
    asked = next((step for step in plan.steps if step.name == plan.ask.step), None)
    if asked is None:
        return
    for left_out, off in _KEYS:
        step = asked.model_copy(update=off)
        if step != asked and _has_key(step) and (" and " not in left_out or _has_both(asked)):
            steps = tuple(step if each.name == asked.name else each for each in plan.steps)
            yield left_out, plan.model_copy(update={"steps": steps})


def what_wider_finds(plan: Plan, snapshot: Snapshot, agent: str | None) -> tuple[tuple[str, int, Plan], ...]:
    """Wider plans that find something: what they leave out, how many things they find, and they themselves."""
    found = []
    for left_out, wider in widened(plan):
        rows = execute(wider, snapshot, agent).steps[wider.ask.step or ""].entries
        if rows:
            found.append((left_out, len(rows), wider))
    return tuple(found)


def _has_key(step: Find) -> bool:
    return step.semantic is not None or bool(step.spatial)


def _has_both(step: Find) -> bool:
    return bool(step.spatial) and step.temporal is not None
