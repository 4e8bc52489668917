"""Entries as JSON text, for a row of the store. Not the JSON that programs read: that is `cli.documents`."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Any

from recall4d.clock import Interval
from recall4d.geometry.box import Box
from recall4d.records import Claim, Entry, Sighting, State, View


def entry_to_json(entry: Entry) -> str:
    """Compact JSON; `entry_from_json` gives back an equal entry."""
    view = entry.best_view
    return json.dumps(
        {
            "category": entry.category,
            "description": entry.description,
            "kind": entry.kind,
            "motion": entry.motion,
            "attributes": entry.attributes,
            "n_observations": entry.n_observations,
            "agents": entry.agents,
            "states": [_state_to_list(state) for state in entry.states],
            "sightings": [[each.agent, each.from_ns, each.to_ns] for each in entry.sightings],
            "best_view": None if view is None else [view.agent, view.stamp_ns, view.rectangle, view.crop],
            "possibly_same_as": entry.possibly_same_as,
            "map_frame": entry.map_frame,
            "claims": [list(astuple(claim)) for claim in entry.claims],
        },
        separators=(",", ":"),
        ensure_ascii=False,
    )


def entry_from_json(entry_id: str, text: str) -> Entry:
    """The entry written by `entry_to_json`."""
    fields: dict[str, Any] = json.loads(text)
    view = fields["best_view"]
    return Entry(
        entry_id=entry_id,
        category=fields["category"],
        description=fields["description"],
        kind=fields["kind"],
        motion=fields["motion"],
        attributes=fields["attributes"],
        n_observations=fields["n_observations"],
        agents=tuple(fields["agents"]),
        states=tuple(_state_from_list(state) for state in fields["states"]),
        sightings=tuple(Sighting(*each) for each in fields["sightings"]),
        best_view=None if view is None else View(view[0], view[1], tuple(view[2]), view[3]),
        possibly_same_as=tuple(fields["possibly_same_as"]),
        map_frame=fields["map_frame"],
        claims=tuple(Claim(*each) for each in fields["claims"]),
    )


def _state_to_list(state: State) -> list[Any]:
    interval, box = state.interval, state.box
    corners = [box.min_xyz, box.max_xyz, state.surface_centroid_xyz]
    return [interval.from_ns, interval.to_ns, *corners, state.visibility, state.agent]


def _state_from_list(fields: list[Any]) -> State:
    from_ns, to_ns, low, high, centroid, visibility, agent = fields
    box = Box(tuple(low), tuple(high))
    return State(Interval(from_ns, to_ns), box, tuple(centroid), visibility, agent)
