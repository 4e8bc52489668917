"""Rows as evidence: for a person, and as the JSON of docs/contracts.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.viewpoint import Facing, bearing_name
from recall4d.memory.entry_columns import EntryColumns
from recall4d.memory.snapshot import VISIBILITIES, Snapshot
from recall4d.query.columns import spread
from recall4d.query.phrasing import find_in_words
from recall4d.query.plan import Find, Plan
from recall4d.query.result import Narrowing, Result, Row
from recall4d.query.table import Floats
from recall4d.records import Evidence

_NEVER = np.iinfo(np.int64).min


def evidence_of(
    rows: Iterable[Row], snapshot: Snapshot, why: str = "in memory", asking_agent: str | None = None
) -> tuple[Evidence, ...]:
    """Rows as evidence, in their order.

    A row is about an instant; its evidence is the last look before that instant: when and by whom the thing was
    seen there, or found to be gone.

    Args:
        rows: of a result on this snapshot.
        snapshot: what they were found in.
        why: what brought them in, in words; `why_found` says it for a step.
        asking_agent: whom it is for; None is the first agent.
    """
    rows = tuple(rows)
    if not rows:
        return ()
    columns = snapshot.columns
    entry, state = (np.array([getattr(row, name) for row in rows], dtype=np.intp) for name in ("entry", "state"))
    states = columns.states
    centres = (states.min_xyz[state] + states.max_xyz[state]) / 2
    away, bearings = _from_asker(centres, snapshot.standing(asking_agent))
    fields = zip(
        rows,
        columns.ids.take(entry),
        columns.descriptions(entry),
        columns.best_views(entry),
        _last_looks(rows, entry, state, columns),
        centres.tolist(),
        states.visibility[state].tolist(),
        away,
        bearings,
        strict=True,
    )
    return tuple(
        Evidence(
            entry_id=entry_id,
            description=description,
            why=why,
            score=row.score,
            parts=dict(row.parts),
            at_ns=at_ns,
            centroid_xyz=tuple(centre),
            visibility=VISIBILITIES[visibility],  # type: ignore[arg-type]
            agent=agent,
            distance_m=row.distance_m,
            bearing=None if row.bearing_deg is None else bearing_name(row.bearing_deg),
            view=view,
            asker_distance_m=away_m,
            asker_bearing=bearing,
            reports=snapshot.reports_on(entry_id) if snapshot.reports else (),
        )
        for row, entry_id, description, view, (at_ns, agent), centre, visibility, away_m, bearing in fields
    )


def _from_asker(centres: Floats, facing: Facing | None) -> tuple[Sequence[float | None], Sequence[str | None]]:
    """How far away centres (k, 3) are from the asker, and which way."""
    if facing is None:
        return [None] * len(centres), [None] * len(centres)
    apart = centres - facing.eye_xyz
    away = np.sqrt((apart * apart).sum(axis=1))
    return away.tolist(), [bearing_name(each) for each in np.degrees(facing.bearing_rad(centres)).tolist()]


def _last_looks(
    rows: Sequence[Row], entry: NDArray[np.intp], state: NDArray[np.intp], columns: EntryColumns
) -> list[tuple[int, str]]:
    """When each row's entry was last in view up to the row's instant, and who saw it.

    Where that was before the row's state began, when and by whom that was found. Of two who looked last at the
    same instant, the one whose sighting comes first.
    """
    sightings = columns.sightings
    sighting, row = spread(columns.sighting_offsets, entry)
    until_ns = np.array([each.at_ns for each in rows], dtype=np.int64)[row]
    to_ns = np.where(
        sightings.from_ns[sighting] <= until_ns, np.minimum(sightings.to_ns[sighting], until_ns), _NEVER
    )
    order = np.lexsort((-sighting, to_ns, row))
    last = order[np.flatnonzero(np.diff(row[order], append=len(rows)))]
    at_ns, seen_by = columns.states.from_ns[state], columns.state_agent[state]
    later = last[to_ns[last] >= at_ns[row[last]]]
    at_ns[row[later]], seen_by[row[later]] = to_ns[later], sightings.agent[sighting[later]]
    return [(at, columns.agents[agent]) for at, agent in zip(at_ns.tolist(), seen_by.tolist(), strict=True)]


def why_found(find: Find, plan: Plan, result: Result, snapshot: Snapshot) -> str:
    """What brought a step's rows in, with the things that earlier steps found called by their descriptions."""
    rows = {entry_id: snapshot.row_of(entry_id) for entry_id in _ids(find)}
    names = {entry_id: snapshot.entries[row].description for entry_id, row in rows.items() if row is not None}
    for step in plan.steps:
        found = result.steps.get(step.name)
        if found is not None and found.rows:
            names[step.name] = snapshot.entries[found.rows[0].entry].description
    return find_in_words(find, names)


def evidence_json(evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
    """Evidence rows as `ask --json` and `query --json` print them."""
    return [
        {
            "entry_id": each.entry_id,
            "description": each.description,
            "why": each.why,
            "score": round(each.score, 4),
            "parts": {name: round(part, 4) for name, part in each.parts.items()},
            "at_ns": each.at_ns,
            "centroid_xyz": [round(value, 4) for value in each.centroid_xyz],
            "distance_m": None if each.distance_m is None else round(each.distance_m, 4),
            "bearing": each.bearing,
            "asker_distance_m": None if each.asker_distance_m is None else round(each.asker_distance_m, 4),
            "asker_bearing": each.asker_bearing,
            "visibility": each.visibility,
            "agent": each.agent,
            "reports": [asdict(report) for report in each.reports],
            "frame": None
            if each.view is None
            else {"agent": each.view.agent, "stamp_ns": each.view.stamp_ns, "crop": each.view.crop},
        }
        for each in evidence
    ]


def explain_json(explain: Sequence[Narrowing]) -> list[dict[str, Any]]:
    """How rows were narrowed down, as `query --json` prints it."""
    return [
        {
            "step": line.step,
            "key": line.key,
            "rows_in": line.rows_in,
            "rows_out": line.rows_out,
            "seconds": line.seconds,
            **({} if line.note is None else {"note": line.note}),
        }
        for line in explain
    ]


def _ids(find: Find) -> frozenset[str]:
    return frozenset(anchor.entry_id for key in find.spatial for anchor in key.anchors if anchor.kind == "entry")
