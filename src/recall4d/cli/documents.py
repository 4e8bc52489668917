"""The JSON that programs read, as docs/contracts.md fixes it: fields may be added, never renamed or retyped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from recall4d.memory.agents import AgentAlignment
from recall4d.memory.ingest import IngestReport
from recall4d.memory.merge import MergeReport
from recall4d.memory.rebuild import RebuildReport
from recall4d.memory.snapshot import Snapshot
from recall4d.query.evidence import evidence_json, explain_json
from recall4d.query.plan_text import text_of_plan
from recall4d.query.retrieve import Retrieval
from recall4d.records import Answer, Entry, Event, Revision, State

Json = dict[str, Any]


def entries_document(snapshot: Snapshot) -> Json:
    """`recall4d entries --json`."""
    return {
        "schema": "recall4d.entries/1",
        "world": "right-handed, Z up, metres",
        "now_ns": snapshot.now_ns,
        "entries": [entry_json(entry) for entry in snapshot.entries],
    }


def entry_json(entry: Entry) -> Json:
    """One entry; its place is that of its latest state, absent or not."""
    return {
        "id": entry.entry_id,
        "category": entry.category,
        "description": entry.description,
        "attributes": entry.attributes,
        **_place_json(entry.now),
        "kind": entry.kind,
        "motion": entry.motion,
        "visibility": entry.now.visibility,
        "present": entry.present,
        "first_seen_ns": entry.first_seen_ns,
        "last_seen_ns": entry.last_seen_ns,
        "n_observations": entry.n_observations,
        "agents": list(entry.agents),
        "states": [
            {
                "from_ns": state.interval.from_ns,
                "to_ns": state.interval.to_ns,
                **_place_json(state),
                "visibility": state.visibility,
                "agent": state.agent,
            }
            for state in entry.states
        ],
        "sightings": [
            {"agent": each.agent, "from_ns": each.from_ns, "to_ns": each.to_ns} for each in entry.sightings
        ],
        "possibly_same_as": list(entry.possibly_same_as),
        "claims": [asdict(claim) for claim in entry.claims],
        "crop": entry.best_view.crop if entry.best_view else None,
    }


def answer_document(answer: Answer) -> Json:
    """`recall4d ask --json`."""
    return {
        "schema": "recall4d.answer/1",
        "question": answer.question,
        "now_ns": answer.now_ns,
        "answer": {
            "type": answer.type,
            "text": answer.text,
            "value": answer.value,
            "unit": answer.unit,
            "abstained": answer.abstained,
            "confidence": answer.confidence,
            "entry_ids": list(answer.entry_ids),
            "viewpoint": answer.viewpoint,
            "unsupported": list(answer.unsupported),
        },
        "unread": list(answer.unread),
        "look_next": answer.look_next,
        "plan": answer.plan,
        "evidence": evidence_json(answer.evidence),
        "stop_reason": answer.stop_reason,
        "rounds": answer.rounds,
        "usage": asdict(answer.usage),
        "trace": answer.trace,
    }


def rows_document(found: Retrieval) -> Json:
    """`recall4d query --json`."""
    return {
        "schema": "recall4d.rows/1",
        "plan": found.plan.model_dump(mode="json", exclude_defaults=True),
        "plan_text": text_of_plan(found.plan),
        "rows": evidence_json(found.rows),
        "explain": explain_json(found.explain),
        "measured": [asdict(each) for each in found.measured],
        "viewpoint": found.viewpoint,
        "note": found.note,
    }


def diff_document(events: Sequence[Event], revisions: Sequence[Revision] = ()) -> Json:
    """`recall4d diff --json`."""
    return {
        "schema": "recall4d.diff/1",
        "events": [asdict(event) for event in events],
        "revisions": [asdict(revision) for revision in revisions],
    }


def alignment_document(alignments: Mapping[str, AgentAlignment]) -> Json:
    """`recall4d align --json`."""
    return {
        "schema": "recall4d.alignment/1",
        "agents": {
            agent: {
                "world_from_agent_map": None
                if each.world_from_map is None
                else [round(float(value), 9) for value in each.world_from_map.ravel()],
                "residual_m": None if math.isnan(each.residual_m) else each.residual_m,
                "n_inliers": each.n_inliers,
                "accepted": each.accepted,
                "why": each.why,
            }
            for agent, each in alignments.items()
        },
    }


def rebuild_document(name: str, report: RebuildReport) -> Json:
    """`recall4d rebuild --json` and `recall4d reanchor --json`."""
    return {"schema": f"recall4d.{name}/1", **asdict(report)}


def merge_document(report: MergeReport) -> Json:
    """`recall4d merge --json`."""
    return {"schema": "recall4d.merge/1", **asdict(report)}


def ingest_document(report: IngestReport) -> Json:
    """`recall4d ingest --json`."""
    return {
        "schema": "recall4d.ingest/1",
        "agent": report.agent,
        "frames_read": report.frames_read,
        "frames_known": report.frames_known,
        "frames_used": report.frames_used,
        "skipped": report.skipped,
        "dropped": report.dropped,
        "observations": report.observations,
        "entries_new": report.entries_new,
        "entries_updated": report.entries_updated,
        "seconds": round(report.seconds, 3),
        "stages": {name: round(seconds, 3) for name, seconds in report.stages.items()},
        "descriptions": report.descriptions,
        "notes": list(report.notes),
    }


def _place_json(state: State) -> Json:
    return {
        "centroid_xyz": list(state.box.centroid_xyz),
        "surface_centroid_xyz": list(state.surface_centroid_xyz),
        "box_min_xyz": list(state.box.min_xyz),
        "box_max_xyz": list(state.box.max_xyz),
    }
