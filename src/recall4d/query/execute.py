"""The executor: a plan over the columns of a snapshot.

Returns what `reference` returns, which says what a plan means. Here every key is a filter on arrays of rows, and
what narrows most for its price goes first. Scores are multiplied for the rows that are left, in the order of the
plan, so that they do not depend on the order of the filters.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from recall4d.memory.snapshot import Snapshot
from recall4d.query.bind import Bound, bind
from recall4d.query.columns import Columns, columns_of
from recall4d.query.keys_space import SpatialFilter, bearings_deg, distances_m, next_costs
from recall4d.query.keys_text import SemanticFilter
from recall4d.query.keys_time import PlainFilter, TemporalFilter, WindowsFilter
from recall4d.query.measure import measured
from recall4d.query.plan import Plan
from recall4d.query.rank import POOL, first_rows, rank_keys, spread
from recall4d.query.resolve import Scope, UnresolvedError
from recall4d.query.result import Found, Narrowing, Result, Row
from recall4d.query.table import Floats, KeyFilter, Table, worth


def execute(plan: Plan, snapshot: Snapshot, asking_agent: str | None = None) -> Result:
    """Run `plan` on `snapshot`.

    Args:
        plan: validated steps.
        snapshot: what is known.
        asking_agent: who "I" is; None takes the first agent.

    Raises:
        UsageError: the plan names an agent, a frame number or an entry that this memory does not hold.
    """
    found: dict[str, Found] = {}
    explain: list[Narrowing] = []
    for find in plan.steps:
        try:
            step = bind(find, Scope.of(snapshot, asking_agent, found))
        except UnresolvedError as error:
            found[find.name] = Found(note=str(error))
            explain.append(Narrowing(find.name, "references", 0, 0, 0.0, str(error)))
        else:
            rows = _rows(step, snapshot, explain)
            found[find.name] = Found(rows, step.viewpoint, windows=step.windows)
    scope = Scope.of(snapshot, asking_agent, found)
    return Result(found, tuple(explain), tuple(measured(each, plan, scope) for each in plan.measures))


@dataclass(slots=True)
class _Watch:
    """Writes down what each key leaves and how long it takes."""

    step: str
    lines: list[Narrowing]
    since: float = field(default_factory=time.perf_counter)

    def note(self, key: str, rows_in: int, rows_out: int) -> None:
        """A key has been applied."""
        now = time.perf_counter()
        self.lines.append(Narrowing(self.step, key, rows_in, rows_out, now - self.since))
        self.since = now


def _rows(step: Bound, snapshot: Snapshot, explain: list[Narrowing]) -> tuple[Row, ...]:
    watch = _Watch(step.name, explain)
    columns = columns_of(snapshot)
    semantic = None if step.semantic is None else SemanticFilter(step.semantic, snapshot, columns)
    temporal = TemporalFilter(step, columns) if len(step.windows) == 1 else WindowsFilter(step, columns)
    keys: list[KeyFilter] = [temporal, PlainFilter(step, columns)]
    keys += [] if semantic is None else [semantic]
    keys += [SpatialFilter(index, bound, columns) for index, bound in enumerate(step.spatial)]
    table = Table.of_states(columns, step.window.before_ns, step.within)
    for key in sorted(keys, key=worth):
        before, table = len(table), key.apply(table)
        watch.note(key.name, before, len(table))

    before = len(table)
    parts = _parts(step, semantic, table)
    for bound in step.directly:
        scores = _product(parts, len(table))
        chosen = first_rows(table, columns, scores, (next_costs(bound, table, columns),), 1)
        table, parts = table.kept(chosen), {name: part[chosen] for name, part in parts.items()}
    distances = distances_m(step.measured_from, table, columns)
    scores = _product(parts, len(table))
    by = rank_keys(step.order, table, columns, distances)
    if step.diverse and step.limit is not None:
        pool = first_rows(table, columns, scores, by, max(POOL, 4 * step.limit))
        chosen = pool[spread(scores[pool], table.entry[pool], snapshot.vectors, step.limit)]
    else:
        chosen = first_rows(table, columns, scores, by, step.limit)
    table, parts = table.kept(chosen), {name: part[chosen] for name, part in parts.items()}
    rows = _as_rows(step, table, columns, parts, distances[0][chosen])
    watch.note("order and limit", before, len(rows))
    return rows


def _parts(step: Bound, semantic: SemanticFilter | None, table: Table) -> dict[str, Floats]:
    """Score of each key that was given, in the order in which they are multiplied."""
    parts: dict[str, Floats] = {}
    if step.timed:
        parts["temporal"] = np.ones(len(table))
    if semantic is not None:
        parts["semantic"] = semantic.scores(table)
    for index in range(len(step.spatial)):
        parts["spatial"] = parts.get("spatial", 1.0) * table.scores[index]
    return parts


def _product(parts: dict[str, Floats], length: int) -> Floats:
    product = np.ones(length)
    for part in parts.values():
        product = product * part
    return product


def _as_rows(
    step: Bound, table: Table, columns: Columns, parts: dict[str, Floats], distances: Floats
) -> tuple[Row, ...]:
    scores = _product(parts, len(table)).tolist()
    values = [
        dict(zip(parts, each, strict=True))
        for each in zip(*(part.tolist() for part in parts.values()), strict=True)
    ]
    known = [None if np.isinf(distance) else distance for distance in distances.tolist()]
    bearings = None if step.facing is None else bearings_deg(step.facing, table, columns).tolist()
    return tuple(
        Row(entry, state, at_ns, score, each, distance, bearing)
        for entry, state, at_ns, score, each, distance, bearing in zip(
            table.entry.tolist(),
            table.state.tolist(),
            table.at_ns.tolist(),
            scores,
            values or [{}] * len(table),
            known,
            bearings or [None] * len(table),
            strict=True,
        )
    )
