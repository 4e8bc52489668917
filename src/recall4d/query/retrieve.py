"""Retrieval without a question: keys or a plan in, evidence out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from recall4d.memory.snapshot import Snapshot
from recall4d.query.evidence import evidence_of, why_found
from recall4d.query.execute import execute
from recall4d.query.plan import MAX_LIMIT, Find, Plan, Point, Relation, SemanticKey, SpatialKey, Stamp, TemporalKey
from recall4d.query.resolve import Scope
from recall4d.query.result import Found, LateRows, Measured, Narrowing, Result
from recall4d.records import Evidence


@dataclass(frozen=True, eq=False)
class Retrieval:
    """What a plan found.

    Attributes:
        plan: as run.
        result: what each step found, in rows of the snapshot.
        snapshot: what was searched.
        asking_agent: who asked; None is the first agent.
    """

    plan: Plan
    result: Result = field(repr=False)
    snapshot: Snapshot = field(repr=False)
    asking_agent: str | None = None

    @cached_property
    def rows(self) -> tuple[Evidence, ...]:
        """Of the last step, best first, at most `MAX_LIMIT`; written out when first looked at."""
        why = why_found(self.plan.steps[-1], self.plan, self.result, self.snapshot) if self.plan.steps else ""
        return evidence_of(self._found.rows[:MAX_LIMIT], self.snapshot, why, self.asking_agent)

    @property
    def entry_ids(self) -> list[str]:
        """The entry of each of `rows`, for who wants no more than that."""
        rows = self._found.rows
        entry = rows.entry if isinstance(rows, LateRows) else np.array([row.entry for row in rows], dtype=np.intp)
        return self.snapshot.columns.ids.take(entry[:MAX_LIMIT])

    @property
    def n_left_out(self) -> int:
        """Rows beyond the first `MAX_LIMIT`."""
        return max(len(self._found.rows) - MAX_LIMIT, 0)

    @property
    def explain(self) -> tuple[Narrowing, ...]:
        """How the rows were narrowed down."""
        return self.result.explain

    @property
    def measured(self) -> tuple[Measured, ...]:
        """The plan's measures."""
        return self.result.measured

    @property
    def viewpoint(self) -> str | None:
        """Whose left, right, front, behind or view was used, where any was."""
        return self._found.viewpoint

    @property
    def note(self) -> str | None:
        """Why there are no rows, where a reference leads nowhere in this memory."""
        return self._found.note

    @property
    def _found(self) -> Found:
        return self.result.last


def plan_of_keys(
    semantic: str | None,
    near: Sequence[float] | None,
    radius_m: float | None,
    between: tuple[int | None, int | None],
    limit: int | None,
) -> Plan:
    """One step of the keys given; see `Memory.query`."""
    spatial: tuple[SpatialKey, ...] = ()
    if near is not None:
        x, y, z = near
        relation: Relation = "nearest" if radius_m is None else "within"
        spatial = (SpatialKey(relation=relation, anchors=(Point(xyz=(x, y, z)),), distance_m=radius_m),)
    temporal = None
    if between != (None, None):
        after, before = (None if end is None else Stamp(at_ns=end) for end in between)
        temporal = TemporalKey(mode="observed", after=after, before=before)
    step = Find(
        name="found",
        semantic=None if semantic is None else SemanticKey(texts=(semantic,)),
        spatial=spatial,
        temporal=temporal,
        kinds="both",
        limit=limit,
    )
    return Plan(steps=(step,))


def retrieve(plan: Plan, snapshot: Snapshot, asking_agent: str | None = None) -> Retrieval:
    """Run a plan; the rows of its last step are its evidence.

    Raises:
        UsageError: the plan names an agent, a frame number, a region or an entry that this memory does not hold.
    """
    return Retrieval(plan, execute(plan, snapshot, asking_agent), snapshot, asking_agent)


def known_at_ns(plan: Plan, snapshot: Snapshot, asking_agent: str | None = None) -> int | None:
    """As of when the plan wants to know things; None where it does not say. Never after the snapshot's now.

    Raises:
        UsageError: the instant is not one of this memory's clock or frames.
    """
    if plan.known_at is None:
        return None
    return min(Scope.of(snapshot, asking_agent, {}).instant(plan.known_at), snapshot.now_ns)
