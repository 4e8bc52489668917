"""What every answer is made from, and made into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from recall4d.clock import ns_to_seconds
from recall4d.geometry.viewpoint import Facing
from recall4d.memory.snapshot import Snapshot
from recall4d.query.answers.histories import has_history
from recall4d.query.answers.unseen import darkest, looked_at
from recall4d.query.english import Planned
from recall4d.query.execute import execute
from recall4d.query.plan import Ask, Find, Plan
from recall4d.query.result import Found, Result, Row
from recall4d.records import AnswerType, Entry, State
from recall4d.units import format_duration


@dataclass(frozen=True)
class Telling:
    """A plan that has been run, and whom the answer is for.

    Attributes:
        planned: the question.
        plan: of it.
        snapshot: what is known.
        result: the rows of every step.
        agent: who asks; None where there is no agent.
    """

    planned: Planned
    plan: Plan
    snapshot: Snapshot
    result: Result
    agent: str | None

    @property
    def ask(self) -> Ask:
        """What to report."""
        return self.plan.ask

    def found(self, step: str | None) -> Found:
        """What a step found; nothing for no step."""
        return Found() if step is None else self.result.steps[step]

    def rows(self, step: str | None) -> Sequence[Row]:
        """The rows of a step, the best of each entry, with the history the ask wants."""
        best: dict[int, Row] = {}
        for row in self.found(step).rows:
            best.setdefault(row.entry, row)
        kept = tuple(best.values())
        if step == self.ask.step and self.ask.only:
            kept = tuple(
                r for r in kept if all(has_history(self.snapshot, self.entry(r), h) for h in self.ask.only)
            )
        return kept

    def settled(self, step: str | None) -> Sequence[Row]:
        """The rows of a step that are about their entry's last state in the step's interval.

        Of a thing that was taken away meanwhile, the state before is no answer to where it is.
        """
        rows, windows = self.rows(step), self.found(step).windows
        if step is None or self.step(step).temporal is None or not windows:
            return rows
        until = windows[-1].before_ns
        return tuple(row for row in rows if self.entry(row).state_at(until) in (None, self.state(row)))

    def step(self, name: str) -> Find:
        """A step of the plan."""
        return next(step for step in self.plan.steps if step.name == name)

    def entry(self, row: Row) -> Entry:
        """The entry of a row."""
        return self.snapshot.entries[row.entry]

    def state(self, row: Row) -> State:
        """The state of a row."""
        first = int(np.searchsorted(self.snapshot.states.entry, row.entry))
        return self.entry(row).states[row.state - first]

    @property
    def facing(self) -> Facing | None:
        """Where the asking agent stands and looks at the time of the question."""
        return self.facing_at(self.snapshot.now_ns)

    def facing_at(self, at_ns: int) -> Facing | None:
        """Where the asking agent stood and looked at an instant."""
        trajectory = self.snapshot.trajectories.get(self.agent or "")
        latest = None if trajectory is None else trajectory.latest(at_ns)
        return None if latest is None else Facing.of_pose(latest[1])

    # --- words -------------------------------------------------------------------------------------------------

    def since(self, at_ns: int) -> str:
        """How long before now: "20.8 s ago"."""
        return f"{format_duration(ns_to_seconds(self.snapshot.now_ns - at_ns))} ago"

    def clock(self, at_ns: int) -> str:
        """An instant as people read it: "at 12.4 s, 20.8 s ago"."""
        return f"at {self.elapsed(at_ns)}, {self.since(at_ns)}"

    def elapsed(self, at_ns: int) -> str:
        """Seconds after the memory's first instant: "12.4 s"."""
        return format_duration(ns_to_seconds(at_ns - self.snapshot.origin_ns))

    @property
    def name(self) -> str:
        """What the question calls the thing: "the red mug"."""
        return f"the {self.planned.name}"

    @property
    def subject(self) -> str:
        """The same at the beginning of a sentence."""
        return self.name[:1].upper() + self.name[1:]

    def verb(self, singular: str) -> str:
        """A verb after the name, in the number in which the question speaks of it: "is", "was", "has", "moves"."""
        if not self.planned.plural:
            return singular
        irregular = {"is": "are", "was": "were", "has": "have", "reaches": "reach"}
        return irregular.get(singular, singular.removesuffix("s"))


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in the making.

    Attributes:
        text: a sentence or two.
        value: typed as the contract says; None where memory does not hold the answer.
        rows: what it rests on, best first.
        unit: of the value.
        type: where the value is of another type than the question asked for.
        viewpoint: whose left and right were used.
        look_next: where to look to learn more.
        confidence: in [0, 1].
    """

    text: str
    value: Any = None
    rows: Sequence[Row] = field(default_factory=tuple)
    unit: str | None = None
    type: AnswerType | None = None
    viewpoint: str | None = None
    look_next: str | None = None
    confidence: float | None = None

    @property
    def abstained(self) -> bool:
        """Whether memory does not hold the answer."""
        return self.value is None


def nothing_found(telling: Telling, step: str | None) -> Reply:
    """The abstention when a step found nothing: what is missing is the thing itself, or what it is located by."""
    missing = next((f for f in _needed(telling, step) if not telling.result.steps[f.name].rows), None)
    thing = telling.planned.name
    if missing is not None and missing.name != step and missing.semantic is not None:
        thing = missing.semantic.texts[0]
    place = looked_at(telling, missing.name) if missing is not None else None
    if place is not None and place.never:
        return Reply(f"Memory cannot say: nobody has looked {place.name}.", look_next=place.look_next)
    if missing is not None and missing.semantic is None:
        seen = place is not None and place.look_next is None
        return Reply(
            f"Memory holds nothing there{_when(missing)}{', and the place was seen' if seen else ''}.",
            look_next="Look at that place again." if seen or place is None else place.look_next,
        )
    known = missing is not None and _is_known(telling, missing)
    if known:
        held = f"{thing}, but none" if telling.planned.plural else f"{_article(thing)}, but not one"
        return Reply(
            f"Memory holds {held} that fits all that is said of it.",
            look_next=f"Look for the {thing} where it was last seen.",
        )
    return Reply(f"Memory holds nothing like {_article(thing)}.", look_next=_unseen_places(telling))


def _unseen_places(telling: Telling) -> str:
    """Where to look for what nobody has seen."""
    names = [place.name for place in darkest(telling)]
    where = f": {', '.join(names)}" if names else ""
    return f"Look in places not seen yet{where}."


def _needed(telling: Telling, step: str | None) -> list[Find]:
    """The steps a step depends on, and itself, in order."""
    if step is None:
        return []
    wanted = {step}
    for find in reversed(telling.plan.steps):
        if find.name in wanted:
            wanted |= {other.name for other in telling.plan.steps if f'"{other.name}"' in find.model_dump_json()}
    return [find for find in telling.plan.steps if find.name in wanted]


def _is_known(telling: Telling, step: Find) -> bool:
    """Whether memory holds such a thing at all, wherever and whenever."""
    alone = Find(name=step.name, semantic=step.semantic, kinds=step.kinds)
    found = execute(Plan(steps=(alone,)), telling.snapshot, telling.agent)
    return bool(found.last.rows)


def _when(step: Find) -> str:
    return "" if step.temporal is None else " at that time"


def none_such(name: str, there: str = "") -> str:
    """That there is none: "memory holds no such mug", "memory holds nothing like a football"."""
    likeness = name.removeprefix("thing like ")
    if likeness != name:
        return f"memory holds nothing like {_article(likeness)}{there}"
    return f"memory holds no such {name}{there}"


def _article(name: str) -> str:
    if name.split()[:1] in (["a"], ["an"], ["the"]):
        return name
    return f"an {name}" if name[:1].lower() in set("aeiou") else f"a {name}"
