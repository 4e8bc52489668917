"""Entries as compressed JSON, for a row of the store. Not the JSON that programs read: that is `cli.documents`."""

from __future__ import annotations

import json
import zlib
from dataclasses import astuple
from typing import Any

from recall4d.clock import Interval
from recall4d.geometry.box import Box
from recall4d.records import Claim, Entry, Sighting, State, View

_USUAL = (
    b'{"category":null,"description":"a small white black grey brown red blue green yellow large wooden metal '
    b'plastic with","kind":"surface","kind":"thing","motion":"movable","motion":"static","attributes":{"colour":"",'
    b'"size":"","material":""},"n_observations":1,"agents":["camera"],"states":[[null,[-0.,0.,1.],[2.,3.],[4.,5.],"occluded",'
    b'"visible","camera"]],"sightings":[["camera",]],"best_view":["camera",,[0,0,0,0],"crops/camera-0.jpg"],'
    b'"possibly_same_as":[],"map_frame":null,"claims":[["camera","",1,1,1.5,]]}'
)
"""What most entries say, so that each need not say it again. Never changed: rows were written with it."""


def entry_to_bytes(entry: Entry) -> bytes:
    """Compressed JSON; `entry_from_bytes` gives back an equal entry."""
    press = zlib.compressobj(level=6, wbits=-15, zdict=_USUAL)
    return press.compress(entry_to_json(entry).encode(errors="surrogatepass")) + press.flush()


def entry_from_bytes(entry_id: str, content: bytes) -> Entry:
    """The entry written by `entry_to_bytes`."""
    text = zlib.decompressobj(wbits=-15, zdict=_USUAL).decompress(content)
    return entry_from_json(entry_id, text.decode(errors="surrogatepass"))


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
