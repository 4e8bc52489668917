"""Rows as evidence: for a person, and as the JSON of docs/contracts.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from recall4d.geometry.viewpoint import Facing, bearing_name
from recall4d.memory.snapshot import Snapshot
from recall4d.query.phrasing import find_in_words
from recall4d.query.plan import Find, Plan
from recall4d.query.result import Narrowing, Result, Row
from recall4d.records import Evidence


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
    away, bearings = _from_asker(rows, snapshot, standing_at(snapshot, asking_agent))
    return tuple(
        _evidence(row, snapshot, why, away_m, bearing)
        for row, away_m, bearing in zip(rows, away, bearings, strict=True)
    )


def _from_asker(
    rows: Sequence[Row], snapshot: Snapshot, facing: Facing | None
) -> tuple[Sequence[float | None], Sequence[str | None]]:
    """How far away the centres of rows are from the asker, and which way."""
    if facing is None:
        return [None] * len(rows), [None] * len(rows)
    states = snapshot.states
    chosen = np.array([row.state for row in rows], dtype=np.intp)
    centres = (states.min_xyz[chosen] + states.max_xyz[chosen]) / 2
    away = np.linalg.norm(centres - facing.eye_xyz, axis=1)
    return away.tolist(), [bearing_name(each) for each in np.degrees(facing.bearing_rad(centres)).tolist()]


def standing_at(snapshot: Snapshot, agent: str | None) -> Facing | None:
    """Where an agent stands and looks at the time of the question; None where it was nowhere yet."""
    trajectory = snapshot.trajectories.get(agent or next(iter(snapshot.agents), ""))
    latest = None if trajectory is None else trajectory.latest(snapshot.now_ns)
    return None if latest is None else Facing.of_pose(latest[1])


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


def _evidence(row: Row, snapshot: Snapshot, why: str, away_m: float | None, bearing: str | None) -> Evidence:
    entry = snapshot.entries[row.entry]
    state = entry.states[row.state - int(snapshot.columns.state_offsets[row.entry])]
    seen = [part for each in entry.sightings if (part := each.clip(row.at_ns)) is not None]
    last = max(seen, key=lambda part: part.to_ns, default=None)
    began_ns = state.interval.from_ns
    at_ns, agent = (began_ns, state.agent) if last is None or last.to_ns < began_ns else (last.to_ns, last.agent)
    return Evidence(
        entry_id=entry.entry_id,
        description=entry.description,
        why=why,
        score=row.score,
        parts=dict(row.parts),
        at_ns=at_ns,
        centroid_xyz=state.box.centroid_xyz,
        visibility=state.visibility,
        agent=agent,
        distance_m=row.distance_m,
        bearing=None if row.bearing_deg is None else bearing_name(row.bearing_deg),
        view=entry.best_view,
        asker_distance_m=away_m,
        asker_bearing=bearing,
    )


def _ids(find: Find) -> frozenset[str]:
    return frozenset(anchor.entry_id for key in find.spatial for anchor in key.anchors if anchor.kind == "entry")
