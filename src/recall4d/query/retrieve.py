"""Retrieval without a question: keys or a plan in, evidence out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recall4d.memory.snapshot import Snapshot
from recall4d.query.evidence import evidence_of, why_found
from recall4d.query.execute import execute
from recall4d.query.plan import MAX_LIMIT, Find, Plan, Point, Relation, SemanticKey, SpatialKey, Stamp, TemporalKey
from recall4d.query.resolve import Scope
from recall4d.query.result import Measured, Narrowing
from recall4d.records import Evidence


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a plan found.

    Attributes:
        plan: as run.
        rows: of the last step, best first.
        explain: how they were narrowed down.
        measured: the plan's measures.
        viewpoint: whose left, right, front, behind or view was used, where any was.
        note: why there are no rows, where a reference leads nowhere in this memory.
        n_left_out: rows beyond the first `MAX_LIMIT`.
    """

    plan: Plan
    rows: tuple[Evidence, ...]
    explain: tuple[Narrowing, ...]
    measured: tuple[Measured, ...] = ()
    viewpoint: str | None = None
    note: str | None = None
    n_left_out: int = 0


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
    """Run a plan and give the rows of its last step as evidence.

    Raises:
        UsageError: the plan names an agent, a frame number, a region or an entry that this memory does not hold.
    """
    result = execute(plan, snapshot, asking_agent)
    found = result.last
    why = why_found(plan.steps[-1], plan, result, snapshot) if plan.steps else ""
    return Retrieval(
        plan,
        evidence_of(found.rows[:MAX_LIMIT], snapshot, why, asking_agent),
        result.explain,
        result.measured,
        found.viewpoint,
        found.note,
        max(len(found.rows) - MAX_LIMIT, 0),
    )


def known_at_ns(plan: Plan, snapshot: Snapshot, asking_agent: str | None = None) -> int | None:
    """As of when the plan wants to know things; None where it does not say. Never after the snapshot's now.

    Raises:
        UsageError: the instant is not one of this memory's clock or frames.
    """
    if plan.known_at is None:
        return None
    return min(Scope.of(snapshot, asking_agent, {}).instant(plan.known_at), snapshot.now_ns)
