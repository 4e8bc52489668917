"""The executor: a plan over the columns of a snapshot.

Returns what `reference` returns, which says what a plan means. Here every key is a filter on arrays of rows, and
what narrows most for its price goes first. Scores are multiplied for the rows that are left, in the order of the
plan, so that they do not depend on the order of the filters.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray

from recall4d.memory.snapshot import Snapshot
from recall4d.query.bind import Bound, bind
from recall4d.query.columns import Columns, columns_of
from recall4d.query.keys_space import SpatialFilter, bearings_deg, distances_m, gaps_m, next_costs, still
from recall4d.query.keys_text import SemanticFilter
from recall4d.query.keys_time import PlainFilter, TemporalFilter, WindowsFilter
from recall4d.query.measure import measured
from recall4d.query.plan import Plan
from recall4d.query.rank import POOL, first_rows, rank_keys, spread
from recall4d.query.resolve import Scope, UnresolvedError
from recall4d.query.result import Found, LateRows, Narrowing, Result, Row
from recall4d.query.seed import MAX_SHARE, MIN_STATES, seed
from recall4d.query.spatial import bounds
from recall4d.query.table import Floats, KeyFilter, Rows, Table, worth

SHORT = 8
"""Tables up to this many times the limit are simply sorted."""

FIRST_ALIKE = 512
"""So many of the most alike texts are tried first."""

REACHES_M = (1.0, 4.0, 16.0)
"""How far around a place what is nearest to it is looked for, before all are."""


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


def _rows(step: Bound, snapshot: Snapshot, explain: list[Narrowing]) -> Sequence[Row]:
    watch = _Watch(step.name, explain)
    columns = columns_of(snapshot)
    semantic = None if step.semantic is None else SemanticFilter(step.semantic, snapshot, columns)
    temporal = TemporalFilter(step, columns) if len(step.windows) == 1 else WindowsFilter(step, columns)
    spatial = [SpatialFilter(index, bound, columns) for index, bound in enumerate(step.spatial)]
    keys: list[KeyFilter] = [temporal, PlainFilter(step, columns), *spatial]
    keys += [] if semantic is None else [semantic]
    keys.sort(key=worth)
    states = seed(step, columns, temporal, spatial, semantic)
    ranked = None
    if states is None and len(columns.states.entry) >= MIN_STATES:
        if semantic is not None and _is_ranked_by_likeness(step, semantic):
            ranked = _best_alike(step, columns, keys, semantic, watch)
        elif step.order == "distance" and step.limit is not None and not step.directly:
            ranked = _nearest(step, columns, keys, semantic, watch)
    if ranked is None:
        table = Table.of_states(columns, step.window.before_ns, states)
        if states is not None:
            watch.note("indexes", len(columns.states.entry), len(table))
        ranked = _ranked(step, columns, _narrowed(table, keys, watch), semantic)
    table, parts = ranked
    before = len(table)
    if step.diverse and step.limit is not None:
        apart = spread(_product(parts, before), table.entry, snapshot.vectors_of(table.entry), step.limit)
        table, parts = _kept(table, parts, apart)
    watch.note("order and limit", before, len(table))
    return LateRows(table.entry, partial(_as_rows, step, columns, table, parts)) if len(table) else ()


def _narrowed(table: Table, keys: Sequence[KeyFilter], watch: _Watch) -> Table:
    """The rows that all keys leave."""
    for key in keys:
        before, table = len(table), key.apply(table)
        watch.note(key.name, before, len(table))
    return table


def _ranked(
    step: Bound, columns: Columns, table: Table, semantic: SemanticFilter | None
) -> tuple[Table, dict[str, Floats]]:
    """The first rows in the step's order, as many as are wanted or may be, with the score of each key."""
    limit = _n_ranked(step)
    ranks = partial(_ranks, step, columns)
    if semantic is not None and limit is not None and not step.directly and len(table) > SHORT * limit:
        # Exact scores are dear: they are computed for rows that may be wanted.
        if step.order == "score":
            table = semantic.leading(table, _product(_parts(step, None, table), len(table)), limit)
        else:
            first, *_ = ranks(table)
            table = table.kept(first <= np.partition(first, limit - 1)[limit - 1])
    parts = _parts(step, semantic, table)
    for bound in step.directly:
        scores = _product(parts, len(table))
        chosen = first_rows(table, columns, scores, (next_costs(bound, table, columns),), 1)
        table, parts = _kept(table, parts, chosen)
    return _kept(table, parts, first_rows(table, columns, _product(parts, len(table)), ranks(table), limit))


def _n_ranked(step: Bound) -> int | None:
    """How many rows are ranked: those wanted, or those among which look-alikes make way for others."""
    return max(POOL, 4 * step.limit) if step.diverse and step.limit is not None else step.limit


def _ranks(step: Bound, columns: Columns, table: Table) -> tuple[NDArray[np.generic], ...]:
    return rank_keys(step, table, columns, partial(distances_m, step.measured_from, table, columns))


def _kept(table: Table, parts: dict[str, Floats], chosen: Rows) -> tuple[Table, dict[str, Floats]]:
    return table.kept(chosen), {name: part[chosen] for name, part in parts.items()}


def _is_ranked_by_likeness(step: Bound, semantic: SemanticFilter) -> bool:
    """Whether the rows wanted are the most alike of all that other keys leave."""
    return not semantic.by_words and step.order == "score" and step.limit is not None and not step.directly


def _best_alike(
    step: Bound, columns: Columns, keys: Sequence[KeyFilter], semantic: SemanticFilter, watch: _Watch
) -> tuple[Table, dict[str, Floats]] | None:
    """What `_ranked` gives, from the most alike entries; None where all have to be looked at.

    The other keys are tried on the best entries alone. If the last row wanted scores more than any other entry
    could, nothing was missed, since other keys only lower a score; else more entries are tried.
    """
    limit = _n_ranked(step) or 0
    # An index finds the first few cheaply; a scan has looked at all anyway.
    n, n_lines = max(SHORT * limit, 0 if columns.approximate else FIRST_ALIKE), len(watch.lines)
    while (best := semantic.best_first(n)) is not None:
        entries, bound = best
        states = columns.states_of(entries)
        watch.note(
            "most alike, nearly" if columns.approximate else "most alike", len(columns.states.entry), len(states)
        )
        table = _narrowed(Table.of_states(columns, step.window.before_ns, states), keys, watch)
        table, parts = _ranked(step, columns, table, semantic)
        scores = _product(parts, len(table))
        if bound == -np.inf or (len(table) == limit and scores[-1] > bound):
            return table, parts
        del watch.lines[n_lines:]
        n *= 8
    return None


def _nearest(
    step: Bound, columns: Columns, keys: Sequence[KeyFilter], semantic: SemanticFilter | None, watch: _Watch
) -> tuple[Table, dict[str, Floats]] | None:
    """What `_ranked` gives, from what lies around the place measured from; None where all have to be looked at.

    What the grid leaves out is farther away than its reach. If the last row wanted is not, nothing was missed; else
    the reach is widened.
    """
    anchors = still([(place,) for place in step.measured_from])
    n_states, n_lines = len(columns.states.entry), len(watch.lines)
    if anchors is None:
        return None
    low, high = bounds(anchors[0])
    for reach_m in REACHES_M:
        states = columns.grid.meeting(low - reach_m, high + reach_m)
        if states is None or len(states) > MAX_SHARE * n_states:
            return None
        watch.note("indexes", n_states, len(states))
        table = _narrowed(Table.of_states(columns, step.window.before_ns, np.sort(states)), keys, watch)
        table, parts = _ranked(step, columns, table, semantic)
        if len(table) == step.limit and gaps_m(step.measured_from, table, columns)[-1] < reach_m:
            return table, parts
        del watch.lines[n_lines:]
    return None


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
    return reduce(np.multiply, parts.values()) if parts else np.ones(length)


def _as_rows(step: Bound, columns: Columns, table: Table, parts: dict[str, Floats]) -> tuple[Row, ...]:
    scores = _product(parts, len(table)).tolist()
    values = [
        dict(zip(parts, each, strict=True)) for each in zip(*(p.tolist() for p in parts.values()), strict=True)
    ]
    distances = gaps_m(step.measured_from, table, columns).tolist()
    known = [None if distance == np.inf else distance for distance in distances]
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
