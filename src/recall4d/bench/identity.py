"""Whether a memory's entries stay with their things: through moves, among things that look the same, when hidden.

Any system can be scored that writes the document of `recall4d entries --json`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from recall4d.bench.changes import TrueChange, TrueWorld, TrueWorldline
from recall4d.bench.events import places_fit, words_fit
from recall4d.geometry.box import Box, Vec3
from recall4d.records import Entry


@dataclass(frozen=True, slots=True)
class Stop:
    """Where an entry is from an instant on; `present` False: it is known not to be there any more."""

    from_ns: int
    centroid_xyz: Vec3
    present: bool


@dataclass(frozen=True, slots=True)
class Track:
    """An entry over time, oldest stop first."""

    entry_id: str
    description: str
    stops: tuple[Stop, ...]


@dataclass(frozen=True, slots=True)
class IdentityScore:
    """Entries against the things they are of.

    Attributes:
        n_moved: things known to have moved or to have come back.
        kept: share of them whose place before and place after are of one entry; 1 where there are none.
        broken: descriptions of the others.
        n_lookalikes: groups of things of one description, of which some moved and some did not.
        confused: descriptions of the groups in which a thing that stayed has no entry of its own, or one that is
            held to be gone or to have moved, or in which one that moved was not followed.
        n_hidden: things that stand where they stood, behind something put there later.
        lost: descriptions of those that are held to be gone, or that no entry is of.
    """

    n_moved: int
    kept: float
    broken: tuple[str, ...]
    n_lookalikes: int
    confused: tuple[str, ...]
    n_hidden: int
    lost: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def tracks_of(entries: Iterable[Entry]) -> list[Track]:
    """Entries as tracks."""
    return [
        Track(
            entry.entry_id,
            entry.description,
            tuple(
                Stop(state.interval.from_ns, state.box.centroid_xyz, state.visibility != "absent")
                for state in entry.states
            ),
        )
        for entry in entries
    ]


def tracks_of_document(document: Mapping[str, Any]) -> list[Track]:
    """The entries of a `recall4d.entries/1` document as tracks."""
    return [
        Track(
            entry["id"],
            entry["description"],
            tuple(
                Stop(state["from_ns"], tuple(state["centroid_xyz"]), state["visibility"] != "absent")
                for state in entry["states"]
            ),
        )
        for entry in document["entries"]
    ]


def score_identity(tracks: Sequence[Track], world: TrueWorld) -> IdentityScore:
    """Compare entries with the worldlines of things."""
    changes = [each for each in world.changes() if each.asked]
    moved = [each for each in changes if each.kind in ("moved", "returned")]
    broken = [each for each in moved if not _followed(tracks, each)]
    groups = _lookalikes(world, moved)
    confused = [name for name, (stayed, left) in groups.items() if not _told_apart(tracks, stayed, left)]
    hidden = world.hidden()
    return IdentityScore(
        n_moved=len(moved),
        kept=1 - len(broken) / len(moved) if moved else 1.0,
        broken=tuple(each.words[0] for each in broken),
        n_lookalikes=len(groups),
        confused=tuple(confused),
        n_hidden=len(hidden),
        lost=tuple(line.words[0] for line in hidden if not _stands(tracks, line)),
    )


def _followed(tracks: Sequence[Track], change: TrueChange) -> bool:
    """Whether one entry was at the old place first and is at the new one later."""
    to_xyz = change.to_xyz
    from_xyz = to_xyz if change.from_xyz is None else change.from_xyz  # a thing returns to where it was
    assert from_xyz is not None, "moved from somewhere, or returned to somewhere"
    assert to_xyz is not None
    for track in tracks:
        if words_fit(track.description, change.words):
            before = [i for i, stop in enumerate(track.stops) if _is_at(stop, from_xyz, change.size_m)]
            after = [i for i, stop in enumerate(track.stops) if _is_at(stop, to_xyz, change.size_m)]
            if before and after and before[0] < after[-1]:
                return True
    return False


def _lookalikes(
    world: TrueWorld, moved: Sequence[TrueChange]
) -> dict[str, tuple[list[TrueWorldline], list[TrueChange]]]:
    """By description: the things seen that never moved, and the moves of the others, where there are both."""
    seen = [line for line in world.worldlines if any(frame.sees(line.thing_id) for frame in world.frames)]
    groups = {}
    for name in dict.fromkeys(change.words[0] for change in moved):
        stayed = [line for line in seen if line.words[0] == name and len(line.states) == 1]
        if stayed:
            groups[name] = (stayed, [change for change in moved if change.words[0] == name])
    return groups


def _told_apart(tracks: Sequence[Track], stayed: Sequence[TrueWorldline], left: Sequence[TrueChange]) -> bool:
    places = [_place(line).centroid_xyz for line in stayed]
    places += [place for change in left for place in (change.from_xyz, change.to_xyz) if place is not None]
    return all(_stands(tracks, line, places) for line in stayed) and all(_followed(tracks, each) for each in left)


def _stands(tracks: Sequence[Track], line: TrueWorldline, lookalikes_xyz: Sequence[Vec3] = ()) -> bool:
    """Whether a thing that never moved has one entry, never anywhere else and never gone.

    `lookalikes_xyz` are places of things that look the same: what is nearer to one of them is not an entry of it.
    """
    box = _place(line)

    def is_here(stop: Stop) -> bool:
        apart_m = math.dist(stop.centroid_xyz, box.centroid_xyz)
        nearest = all(apart_m <= math.dist(stop.centroid_xyz, other) for other in lookalikes_xyz)
        return nearest and _is_at(stop, box.centroid_xyz, box.diagonal_m)

    own = [
        track
        for track in tracks
        if words_fit(track.description, line.words) and any(is_here(stop) for stop in track.stops)
    ]
    return len(own) == 1 and all(is_here(stop) for stop in own[0].stops)


def _place(line: TrueWorldline) -> Box:
    """The one place of a thing that was seen and never moved."""
    box = line.states[0].box
    assert box is not None, "seen, so it is there"
    return box


def _is_at(stop: Stop, place_xyz: Vec3, size_m: float) -> bool:
    return stop.present and places_fit(stop.centroid_xyz, place_xyz, size_m)
