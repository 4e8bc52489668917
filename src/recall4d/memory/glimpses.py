"""Things that were seen without being measured: too near, too far, in a hole of the depth.

A glimpse says when a known thing was in view, and nothing else: it moves no box, makes no entry and is no evidence
of being at a place. It is taken for a thing called alike if the thing's box, projected into the image, agrees with
where it was seen, nothing measured stands in front, and no other thing called alike is about there. All this is
concluded anew from the facts, so it depends neither on the order in which they came nor on when somebody asks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.box import Box
from recall4d.geometry.pose import inverse, transform
from recall4d.memory.fold import join_sightings
from recall4d.ports import StoredFrame
from recall4d.records import Entry, Glimpse, Sighting

Rectangle = tuple[float, float, float, float]
"""Top, left, bottom, right; pixels."""

MARGIN_PX, MARGIN_SHARE = 4.0, 0.1
"""A projected box is grown by the first and this share of its longer side, for what poses and boxes are off."""

MIN_INSIDE, MIN_SHARE = 0.7, 0.1
"""So much of the glimpse lies in the projected box, and it is so much of it: a thing may be hidden in part."""

Boxes = tuple[tuple[str, Box | None], ...]
"""Ids of things, and where each was at an instant."""

NEAREST_M = 0.05
"""Corners nearer to the camera than this, or behind it, are brought here before they are projected."""

NEARER_M, NEARER_SHARE = 0.05, 0.03
"""What is nearer than a box by this and this share of its distance stands in front of it."""

_CORNERS = np.array([[(i >> axis) & 1 for axis in range(3)] for i in range(8)], dtype=bool)


@dataclass(frozen=True, eq=False, slots=True)
class _Found:
    """Of which thing a glimpse is, as concluded from that frame and the things called so."""

    frame: StoredFrame
    boxes: Boxes
    entry_id: str | None


class GlimpseBook:
    """Glimpses of entries. What was found of one is kept until its frame or a thing called so has moved."""

    def __init__(self, depth_of: Callable[[StoredFrame], NDArray[np.float32] | None]) -> None:
        """`depth_of` gives the small depth image of a frame, or None."""
        self._depth_of = depth_of
        self._called: Mapping[tuple[str, str], list[Entry]] = {}
        self._found: dict[Glimpse, _Found] = {}
        self._extended: dict[str, tuple[Entry, list[Glimpse], Entry]] = {}

    def with_glimpses(
        self, entries: Sequence[Entry], glimpses: Sequence[Glimpse], frames: Sequence[StoredFrame], max_gap_ns: int
    ) -> list[Entry]:
        """The entries, in the same order, with the glimpses of them among their sightings.

        Args:
            entries: with their states, in the world.
            glimpses: of any frames; those of others than `frames` are left out.
            frames: with poses in the world.
            max_gap_ns: sightings of an agent closer together than this are one.
        """
        if not glimpses:
            return list(entries)
        named = {(frame.agent, frame.stamp_ns): frame for frame in frames}
        called = _by_name(entries)
        as_before = {name for name, alike in called.items() if _are(alike, self._called.get(name, ()))}
        self._called = called
        seen: defaultdict[str, list[Glimpse]] = defaultdict(list)
        for glimpse in glimpses:
            frame, name = named.get((glimpse.agent, glimpse.stamp_ns)), _name(glimpse)
            if frame is None or name not in called:
                continue
            found = self._found.get(glimpse)
            if found is None or found.frame is not frame or name not in as_before:
                alike = called[name]
                boxes = tuple((entry.entry_id, _box_at(entry, glimpse.stamp_ns)) for entry in alike)
                if found is None or found.frame is not frame or found.boxes != boxes:
                    found = self._found[glimpse] = _Found(frame, boxes, self._thing(glimpse, frame, boxes))
            if found.entry_id is not None:
                seen[found.entry_id].append(glimpse)
        return [
            self._seen_too(entry, seen[entry.entry_id], max_gap_ns) if entry.entry_id in seen else entry
            for entry in entries
        ]

    def _seen_too(self, entry: Entry, glimpses: list[Glimpse], max_gap_ns: int) -> Entry:
        known = self._extended.get(entry.entry_id)
        if known is None or known[0] is not entry or known[1] != glimpses:
            known = self._extended[entry.entry_id] = (entry, glimpses, _seen_too(entry, glimpses, max_gap_ns))
        return known[2]

    def _thing(self, glimpse: Glimpse, frame: StoredFrame, boxes: Boxes) -> str | None:
        """The one thing called so that agrees with a glimpse; None if there is none, or more."""
        agreeing = [
            (entry_id, box)
            for entry_id, box in boxes
            if box is not None and _agrees(projected(box, frame), glimpse.rectangle)
        ]
        if len(agreeing) != 1 or _is_hidden(agreeing[0][1], frame, self._depth_of(frame)):
            return None
        return agreeing[0][0]


def _are(entries: Sequence[Entry], others: Sequence[Entry]) -> bool:
    """Whether these are the very same entries, in the same order."""
    return len(entries) == len(others) and all(a is b for a, b in zip(entries, others, strict=True))


def _by_name(entries: Sequence[Entry]) -> Mapping[tuple[str, str], list[Entry]]:
    """Things by every description that an agent gave them, and by their class."""
    called: defaultdict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.kind != "thing":
            continue
        for text in dict.fromkeys((entry.description, *(claim.description for claim in entry.claims))):
            called["description", text].append(entry)
        if entry.category is not None:
            called["category", entry.category].append(entry)
    return called


def projected(box: Box, frame: StoredFrame) -> Rectangle | None:
    """The rectangle of the image that a box fills, cut off at its edges; None where it is out of view."""
    corners = _corners(box, frame)
    if corners[:, 2].max() < NEAREST_M:
        return None
    camera = frame.intrinsics
    z_m = np.maximum(corners[:, 2], NEAREST_M)
    u = np.clip(camera.fx * corners[:, 0] / z_m + camera.cx, -0.5, camera.width - 0.5)
    v = np.clip(camera.fy * corners[:, 1] / z_m + camera.cy, -0.5, camera.height - 0.5)
    rectangle = float(v.min()), float(u.min()), float(v.max()), float(u.max())
    return rectangle if rectangle[0] < rectangle[2] and rectangle[1] < rectangle[3] else None


def _corners(box: Box, frame: StoredFrame) -> NDArray[np.float64]:
    """The corners (8, 3) of a box in the camera frame."""
    corners = np.where(_CORNERS, np.asarray(box.max_xyz), np.asarray(box.min_xyz))
    return transform(inverse(frame.world_from_camera), corners)


def _name(glimpse: Glimpse) -> tuple[str, str]:
    """What it is called: as it was described, or else by its class."""
    return (
        ("category", glimpse.category or "")
        if glimpse.description is None
        else ("description", glimpse.description)
    )


def _box_at(entry: Entry, stamp_ns: int) -> Box | None:
    """Where the thing was, or was first known to be; None while it was gone."""
    state = entry.state_at(stamp_ns) or entry.states[0]
    return None if state.visibility == "absent" else state.box


def _agrees(box: Rectangle | None, seen: tuple[int, int, int, int]) -> bool:
    if box is None:
        return False
    margin = MARGIN_PX + MARGIN_SHARE * max(box[2] - box[0], box[3] - box[1])
    top, left, bottom, right = box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin
    height, width = min(bottom, seen[2]) - max(top, seen[0]), min(right, seen[3]) - max(left, seen[1])
    if height <= 0 or width <= 0:
        return False
    ours, theirs = (box[2] - box[0]) * (box[3] - box[1]), (seen[2] - seen[0]) * (seen[3] - seen[1])
    return height * width >= MIN_INSIDE * theirs and theirs >= MIN_SHARE * ours


def _is_hidden(box: Box, frame: StoredFrame, depth_m: NDArray[Any] | None) -> bool:
    """Whether most of what was measured where it would be seen is clearly nearer than it."""
    rectangle = projected(box, frame)
    if depth_m is None or rectangle is None:
        return False
    scale_v, scale_u = depth_m.shape[0] / frame.intrinsics.height, depth_m.shape[1] / frame.intrinsics.width
    top, bottom = (round((edge + 0.5) * scale_v) for edge in rectangle[::2])
    left, right = (round((edge + 0.5) * scale_u) for edge in rectangle[1::2])
    top, left = min(top, depth_m.shape[0] - 1), min(left, depth_m.shape[1] - 1)
    seen_m = depth_m[top : max(bottom, top + 1), left : max(right, left + 1)]
    known = np.isfinite(seen_m)
    from_m = _corners(box, frame)[:, 2].min()
    nearer = seen_m[known] < from_m - (NEARER_M + NEARER_SHARE * from_m)
    return bool(2 * np.count_nonzero(nearer) > len(nearer))


def _seen_too(entry: Entry, glimpses: Sequence[Glimpse], max_gap_ns: int) -> Entry:
    by_agent: defaultdict[str, list[Sighting]] = defaultdict(list)
    for sighting in entry.sightings:
        by_agent[sighting.agent].append(sighting)
    for each in glimpses:
        by_agent[each.agent].append(Sighting(each.agent, each.stamp_ns, each.stamp_ns))
    joined: Mapping[str, list[Sighting]] = {
        agent: join_sightings(seen, max_gap_ns) for agent, seen in by_agent.items()
    }
    sightings = sorted((each for seen in joined.values() for each in seen), key=lambda s: (s.from_ns, s.agent))
    return replace(entry, sightings=tuple(sightings), agents=tuple(dict.fromkeys(each.agent for each in sightings)))
