"""What really changed in a recording with exact states, and which of it cameras could have known.

A change is known from both of its sides: the thing was seen before it, and afterwards it was seen elsewhere or its
old place was seen without it. What nobody looked at is not asked for, and saying it is no mistake either.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recall4d.clock import seconds_to_ns
from recall4d.geometry.box import Box, Vec3
from recall4d.geometry.camera import Intrinsics, inside_image, project
from recall4d.geometry.depth import depth_from_raw
from recall4d.geometry.pose import inverse, transform
from recall4d.records import EventKind

SEEN_PX = 150
"""A thing is seen in a frame that shows so many of its pixels; a place is looked at where it covers as many."""

IN_VIEW, UNHIDDEN = 0.8, 0.6
"""Shares of a place that lie inside the image, and that nothing stands in front of, when it is looked at."""

SAMPLES = (np.stack(np.meshgrid(*[np.arange(4)] * 3, indexing="ij"), axis=-1).reshape(-1, 3) + 0.5) / 4
"""(64, 3) points of a unit box, evenly."""

IN_FRONT_M = 0.05
"""Depth this much nearer than a point hides it."""

SAME_PLACE_M = 0.05
"""A thing put back is at its old place if it is no farther from it."""

HIDES_WITHIN_M = 1.5
"""What is put down hides nothing whose centre is farther from its own."""

FOREVER_NS = 2**62


@dataclass(frozen=True, slots=True)
class TrueChange:
    """One change of one thing.

    Attributes:
        thing_id: the recording's own id.
        kind: what an event should call it.
        words: what it may be called: its description, name and category.
        began_ns, ended_ns: when it left its old state and was in its new one; equal where it took no time.
        from_xyz, to_xyz: box centres before and after, where it was there.
        size_m: diagonal of its box.
        asked: cameras saw enough to know it.
    """

    thing_id: int
    kind: EventKind
    words: tuple[str, ...]
    began_ns: int
    ended_ns: int
    from_xyz: Vec3 | None
    to_xyz: Vec3 | None
    size_m: float
    asked: bool


@dataclass(frozen=True, slots=True)
class TrueState:
    """A thing at rest in one place, or not there (`box` None), from an instant up to another."""

    from_ns: int
    to_ns: int
    box: Box | None


@dataclass(frozen=True, slots=True)
class TrueWorldline:
    """A thing over time; while it moves it is in no state.

    Attributes:
        thing_id, words: as in `TrueChange`.
        states: oldest first.
    """

    thing_id: int
    words: tuple[str, ...]
    states: tuple[TrueState, ...]


@dataclass(frozen=True, eq=False, slots=True)
class TrueFrame:
    """What a camera saw.

    Attributes:
        agent, stamp_ns: which frame.
        visible_px: pixels of each thing.
        world_from_camera: (4, 4) as it was.
        depth_path: the depth image, in units of `depth_scale_m`, 0 unknown.
        intrinsics: of the depth image.
        depth_scale_m: metres a unit.
    """

    agent: str
    stamp_ns: int
    visible_px: dict[int, int]
    world_from_camera: NDArray[np.float64]
    depth_path: Path
    intrinsics: Intrinsics
    depth_scale_m: float

    def sees(self, thing_id: int) -> bool:
        """Whether enough of the thing shows."""
        return self.visible_px.get(thing_id, 0) >= SEEN_PX

    def looks_at(self, box: Box) -> bool:
        """Whether the place is in view, large enough, with nothing in front of it."""
        return self._open_share(box) >= UNHIDDEN

    def looks_in_vain_at(self, box: Box) -> bool:
        """Whether the place would be in view, large enough, but for something in front of it."""
        return self._open_share(box) <= 1 - UNHIDDEN

    def _open_share(self, box: Box) -> float:
        """Share of the place that nothing stands in front of; NaN where it is not in view."""
        points = np.asarray(box.min_xyz) + SAMPLES * np.asarray(box.extent_xyz)
        pixels, z = project(transform(inverse(self.world_from_camera), points), self.intrinsics)
        inside = inside_image(pixels, self.intrinsics)
        if (
            inside.mean() < IN_VIEW
            or np.prod(np.ptp(pixels[inside], axis=0)) < SEEN_PX * np.ptp(SAMPLES[:, 0]) ** 2
        ):
            return float("nan")
        columns, rows = np.rint(pixels[inside]).astype(np.intp).T
        depth_m = _depth(self.depth_path, self.depth_scale_m)[rows, columns]
        return float((depth_m > z[inside] - IN_FRONT_M).mean())


@dataclass(frozen=True, eq=False, slots=True)
class TrueWorld:
    """What was there and what the cameras saw of it, by `read_world`."""

    worldlines: tuple[TrueWorldline, ...]
    frames: tuple[TrueFrame, ...]

    def changes(self) -> list[TrueChange]:
        """Every change, those that could be known first, then in order of time."""
        found: list[TrueChange] = []
        for line in self.worldlines:
            known = [
                replace(change, asked=self._both_sides_seen(change, before, after))
                for before, after in itertools.pairwise(self._known(line))
                for change in _change(line, before, after)
            ]
            every = [
                change
                for before, after in itertools.pairwise(line.states)
                for change in _change(line, before, after)
            ]
            told = [replace(change, asked=False) for change in known]
            found += known + [change for change in every if change not in told]
        found += [_covering(line, since_ns) for line, since_ns in self.hidden().items()]
        return sorted(found, key=lambda each: (not each.asked, each.ended_ns, each.thing_id))

    def hidden(self) -> dict[TrueWorldline, int]:
        """Things that never moved and were seen, until something was put before them that hides them still, with
        the instant at which it was put there.
        """
        found = {line: self._covered_ns(line) for line in self.worldlines if len(line.states) == 1}
        return {line: since_ns for line, since_ns in found.items() if since_ns is not None}

    def _covered_ns(self, line: TrueWorldline) -> int | None:
        box, seen = line.states[0].box, [frame for frame in self.frames if frame.sees(line.thing_id)]
        if box is None or not seen:
            return None
        for other in self.worldlines:
            last = other.states[-1]
            if last.box is None or last.from_ns <= seen[-1].stamp_ns:
                continue
            if _apart_m(last.box, box) < HIDES_WITHIN_M:
                for frame in self._between(last):
                    if frame.sees(other.thing_id) and frame.looks_in_vain_at(box):
                        return last.from_ns
        return None

    def _known(self, line: TrueWorldline) -> list[TrueState]:
        """The states that somebody saw: the thing at its place, or the place where it had been, or was to be,
        without it.
        """
        known: list[TrueState] = []
        for i, state in enumerate(line.states):
            if state.box is not None:
                seen = any(frame.sees(line.thing_id) for frame in self._between(state))
            else:
                beside = [known[-1]] if known else line.states[i + 1 : i + 2]
                seen = any(
                    each.box is not None and any(frame.looks_at(each.box) for frame in self._between(state))
                    for each in beside
                )
            if seen:
                known.append(state)
        return known

    def _both_sides_seen(self, change: TrueChange, before: TrueState, after: TrueState) -> bool:
        """Two known states make a known change; a move also takes that somebody saw the old place without it."""
        if change.kind != "moved" or before.box is None:
            return True
        later = replace(after, to_ns=FOREVER_NS)
        return any(frame.looks_at(before.box) for frame in self._between(later))

    def _between(self, state: TrueState) -> Iterator[TrueFrame]:
        return (frame for frame in self.frames if state.from_ns <= frame.stamp_ns < state.to_ns)


def read_world(folder: Path, agents: Sequence[str] | None = None) -> TrueWorld:
    """Read the truth of a recording.

    Args:
        folder: holds truth.json and objects.json; the agents' recordings lie in it, or it is the recording.
        agents: whose frames count; None for all.
    """
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    labels = json.loads((folder / "objects.json").read_text(encoding="utf-8"))
    lines = [
        TrueWorldline(int(key), _words(labels[key], each["name"]), _states(each["states"], truth["epoch_ns"]))
        for key, each in truth["objects"].items()
    ]
    frames = [
        frame
        for agent, rows in truth["frames"].items()
        if agents is None or agent in agents
        for frame in _frames(folder / agent if (folder / agent).is_dir() else folder, agent, rows)
    ]
    return TrueWorld(tuple(lines), tuple(sorted(frames, key=lambda frame: (frame.stamp_ns, frame.agent))))


def _change(line: TrueWorldline, before: TrueState, after: TrueState) -> Iterator[TrueChange]:
    """What happened between two states of a thing; nothing where it is as it was."""
    kind = _kind(line, before, after)
    if kind is not None:
        yield TrueChange(
            thing_id=line.thing_id,
            kind=kind,
            words=line.words,
            began_ns=before.to_ns,
            ended_ns=after.from_ns,
            from_xyz=None if before.box is None else before.box.centroid_xyz,
            to_xyz=None if after.box is None else after.box.centroid_xyz,
            size_m=max(box.diagonal_m for box in (before.box, after.box) if box is not None),
            asked=False,
        )


def _covering(line: TrueWorldline, since_ns: int) -> TrueChange:
    box = line.states[0].box
    assert box is not None, "hidden, so it is there"
    place, size_m = box.centroid_xyz, box.diagonal_m
    return TrueChange(line.thing_id, "occluded", line.words, since_ns, since_ns, place, place, size_m, asked=True)


def _kind(line: TrueWorldline, before: TrueState, after: TrueState) -> EventKind | None:
    if before.box is not None and after.box is not None:
        return "moved" if _apart_m(before.box, after.box) > SAME_PLACE_M else None
    if after.box is None:
        return None if before.box is None else "gone"
    was_there = any(each.box is not None and each.to_ns <= before.from_ns for each in line.states)
    return "returned" if was_there else "appeared"


def _apart_m(a: Box, b: Box) -> float:
    return float(np.linalg.norm(np.subtract(a.centroid_xyz, b.centroid_xyz)))


def _words(label: dict[str, Any], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in (label["description"], name, label["category"]) if each))


def _states(states: Sequence[dict[str, Any]], epoch_ns: int) -> tuple[TrueState, ...]:
    return tuple(
        TrueState(
            from_ns=epoch_ns + seconds_to_ns(each["t_start_s"]),
            to_ns=FOREVER_NS if each["t_end_s"] is None else epoch_ns + seconds_to_ns(each["t_end_s"]),
            box=Box.from_arrays(each["box_min_xyz"], each["box_max_xyz"]) if each["present"] else None,
        )
        for each in states
        if not each.get("moving")
    )


def _frames(recording: Path, agent: str, rows: Sequence[dict[str, Any]]) -> Iterator[TrueFrame]:
    camera = json.loads((recording / "intrinsics.json").read_text(encoding="utf-8"))
    intrinsics = Intrinsics(*(camera[name] for name in ("width", "height", "fx", "fy", "cx", "cy")))
    for row in rows:
        yield TrueFrame(
            agent=agent,
            stamp_ns=row["stamp_ns"],
            visible_px={int(key): n for key, n in row["visible_px"].items()},
            world_from_camera=np.array(row["true_camera_to_alpha_world"]).reshape(4, 4),
            depth_path=recording / "depth" / f"{row['frame']:06d}.png",
            intrinsics=intrinsics,
            depth_scale_m=camera["depth_scale_m"],
        )


@lru_cache(maxsize=64)
def _depth(path: Path, depth_scale_m: float) -> NDArray[np.float32]:
    with Image.open(path) as image:
        return depth_from_raw(np.asarray(image), depth_scale_m)
