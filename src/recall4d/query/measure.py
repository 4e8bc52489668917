"""Numbers computed from rows: how many, for how long, when first and last, how far, and between two times."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from recall4d.clock import Interval, merge_intervals, ns_to_seconds
from recall4d.geometry.relations import Boxes, centre_distance_m
from recall4d.memory.snapshot import Snapshot
from recall4d.query.plan import DistanceOf, Find, Measure, OfRows, Plan, TimeBetween
from recall4d.query.resolve import Scope, UnresolvedError
from recall4d.query.result import Found, Measured
from recall4d.query.spatial import rounded

Spans = Sequence[tuple[int, int]]
"""First and last instants, in ns."""


def measured(measure: Measure, plan: Plan, scope: Scope) -> Measured:
    """A measure of what the steps found, by columns."""
    return _measured(measure, plan, scope, _seen_columns)


def measured_reference(measure: Measure, plan: Plan, scope: Scope) -> Measured:
    """The same, by loops."""
    return _measured(measure, plan, scope, _seen)


def _measured(
    measure: Measure, plan: Plan, scope: Scope, seen: Callable[[Find, Found, Snapshot], Spans]
) -> Measured:
    match measure:
        case TimeBetween(first=first, second=second):
            try:
                apart = scope.instant(second) - scope.instant(first)
            except UnresolvedError:
                return Measured("time_between", None, "s")
            return Measured("time_between", ns_to_seconds(apart), "s")
        case DistanceOf(step=step, other=other):
            return Measured("distance", _distance(scope.found[step], scope.found[other], scope.snapshot), "m")
        case OfRows(kind="count", step=step):
            return Measured("count", len(scope.found[step].entries), "entries")
        case OfRows(kind=kind, step=step):
            find = next(each for each in plan.steps if each.name == step)
            spans = seen(find, scope.found[step], scope.snapshot)
            if kind == "duration":
                merged = merge_intervals(Interval(*span) for span in spans)
                return Measured(kind, ns_to_seconds(sum((each.to_ns or 0) - each.from_ns for each in merged)), "s")
            if not spans:
                return Measured(kind, None, "ns")
            ends = min(start for start, _ in spans), max(end for _, end in spans)
            return Measured(kind, ends[0] if kind == "earliest" else ends[1], "ns")


def _distance(found: Found, others: Found, snapshot: Snapshot) -> float | None:
    """Between the best rows that are not of one entry."""
    states = snapshot.states
    pairs = ((a, b) for a in found.rows[:2] for b in others.rows[:2] if a.entry != b.entry)
    pair = next(pairs, None)
    if pair is None:
        return None
    first, second = (Boxes(states.min_xyz[row.state], states.max_xyz[row.state]) for row in pair)
    return float(rounded(centre_distance_m(first, second)))


def _seen(find: Find, found: Found, snapshot: Snapshot) -> Spans:
    """When the entries of a step's rows were in view of its agent, inside its windows."""
    spans = []
    for row in found.entries:
        for each in snapshot.entries[row].sightings:
            for window in _windows(find, found, snapshot):
                start, end = max(each.from_ns, window[0]), min(each.to_ns, window[1])
                if find.agent in (None, each.agent) and start <= end:
                    spans.append((start, end))
    return spans


def _seen_columns(find: Find, found: Found, snapshot: Snapshot) -> Spans:
    sightings = snapshot.sightings
    theirs = np.zeros(len(snapshot.entries), dtype=bool)
    theirs[list(found.entries)] = True
    keep = theirs[sightings.entry]
    if find.agent is not None:
        keep &= sightings.agent == snapshot.agents.index(find.agent)
    spans: list[tuple[int, int]] = []
    for after_ns, before_ns in _windows(find, found, snapshot):
        start = np.maximum(sightings.from_ns[keep], after_ns)
        end = np.minimum(sightings.to_ns[keep], before_ns)
        spans += zip(start[start <= end].tolist(), end[start <= end].tolist(), strict=True)
    return spans


def _windows(find: Find, found: Found, snapshot: Snapshot) -> Spans:
    """The windows of a step; all the time up to now where it says nothing of time."""
    if find.temporal is None:
        return [(snapshot.origin_ns, snapshot.now_ns)]
    return [(window.after_ns, window.before_ns) for window in found.windows]
