"""Change over time: events, identity, things hidden and alike, agents' maps, a map that moves, and what it costs.

house_4d and demo_house have exact truth. In red_kitchen, real and drifting by several centimetres, nothing moves.
"""

from __future__ import annotations

import csv
import itertools
import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from benchmarks.recordings import DEMO_HOUSE, HOUSE_4D, RED_KITCHEN, Borrowed, present, temporary_memory
from benchmarks.report import Figure, Section, at_least, at_most
from recall4d import Memory
from recall4d.bench.changes import TrueWorld, read_world
from recall4d.bench.entries import score_entries
from recall4d.bench.events import score_events
from recall4d.bench.identity import score_identity, tracks_of
from recall4d.bench.truth import TrueThing, things_of
from recall4d.clock import seconds_to_ns
from recall4d.geometry.box import Box
from recall4d.geometry.pose import inverse
from recall4d.memory.agents import AgentAlignment
from recall4d.ports import Source
from recall4d.records import Frame, FrameHeader

PART_S = 15.0
"""Tours are cut into parts of this length to see which pairs are aligned and which refused."""

WRONG_M, WRONG_DEG = 0.5, 5.0
"""An accepted alignment this far off would mix two maps up."""

N_HOUSES = 10
N_LIVE = 20
"""Frames after each of which the memory is asked."""


def run() -> list[Section]:
    return [
        _demo_house(),
        *_house_4d(),
        _parts(),
        _red_kitchen(),
        _lifecycle(),
    ]


def scored(memory: Memory, world: TrueWorld, things: Sequence[TrueThing]) -> list[Figure]:
    """The figures of a memory of a recording with exact truth."""
    entries = memory.entries()
    events, identity = score_events(memory.events(), world.changes()), score_identity(tracks_of(entries), world)
    held = score_entries([entry for entry in entries if entry.present], things)
    wrong = [f"missed {each}" for each in events.missed] + [f"false {each}" for each in events.false]
    wrong += [f"mistimed {each}" for each in events.mistimed]
    return [
        Figure("events F1", events.f1, target=at_least(0.9), detail="; ".join(wrong)),
        Figure("precision", events.precision),
        Figure("recall", events.recall, detail=f"of {events.n_asked} changes that cameras could have known"),
        Figure(
            "moved things kept as one entry",
            100 * identity.kept,
            "%",
            at_least(90),
            "; ".join(identity.broken) or f"of {identity.n_moved}",
        ),
        Figure(
            "lookalikes confused",
            len(identity.confused),
            target=at_most(0),
            detail="; ".join(identity.confused) or f"of {identity.n_lookalikes} groups of which one moved",
        ),
        Figure("hidden things lost", len(identity.lost), target=at_most(0), detail=f"of {identity.n_hidden}"),
        Figure("duplicates", 100 * held.duplicates, "%", at_most(5), "; ".join(held.doubled)),
    ]


def things_seen(recordings: Sequence[Path]) -> list[TrueThing]:
    """The things at the end, with the frames of all recordings in which they show."""
    by_recording = [{each.thing_id: each for each in things_of(recording)} for recording in recordings]
    return [
        replace(each, frames_seen=sum(things[each.thing_id].frames_seen for things in by_recording))
        for each in by_recording[0].values()
    ]


def _demo_house() -> Section:
    with temporary_memory() as memory:
        memory.ingest(Borrowed(DEMO_HOUSE))
        return Section("demo_house, both tours", scored(memory, read_world(DEMO_HOUSE), things_seen([DEMO_HOUSE])))


def _house_4d() -> list[Section]:
    agents = {agent: present(HOUSE_4D) / agent for agent in ("alpha", "bravo")}
    with temporary_memory() as memory:
        for agent, recording in agents.items():
            memory.ingest(Borrowed(recording), agent=agent)
        alignment = memory.align()["bravo"]
        figures = scored(memory, read_world(HOUSE_4D), things_seen(list(agents.values())))
    off_m, off_deg = _off(alignment)
    return [
        Section("house_4d, alpha and bravo, aligned", figures),
        Section(
            f"house_4d, bravo's map in alpha's, no prior guess: {alignment.why}",
            [
                Figure("translation off", 100 * off_m, "cm", at_most(5)),
                Figure("rotation off", off_deg, "deg", at_most(1)),
            ],
        ),
    ]


def _off(alignment: AgentAlignment) -> tuple[float, float]:
    """How far bravo's transform is from the true one: metres, degrees."""
    truth = json.loads((HOUSE_4D / "truth.json").read_text(encoding="utf-8"))["bravo_to_alpha"]
    true = np.array(truth["matrix_row_major"]).reshape(4, 4)
    if alignment.world_from_map is None:
        return float("nan"), float("nan")
    apart = inverse(true) @ alignment.world_from_map
    cosine = np.clip((np.trace(apart[:3, :3]) - 1) / 2, -1, 1)
    return float(np.linalg.norm((alignment.world_from_map - true)[:3, 3])), float(np.degrees(np.arccos(cosine)))


class Stretch(Borrowed):
    """The frames of a recording from one instant up to another, seconds after its first."""

    def __init__(self, recording: Path, from_s: float, to_s: float) -> None:
        super().__init__(recording)
        self.from_ns, self.to_ns = seconds_to_ns(from_s), seconds_to_ns(to_s)

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        headers = list(super().headers())
        return (each for each in headers if self.from_ns <= each.stamp_ns - headers[0].stamp_ns < self.to_ns)


def _parts() -> Section:
    """Parts of alpha's first tour with parts of bravo's: those that share nothing must be refused."""
    world = read_world(HOUSE_4D)
    wrong, refused, unshared, accepted = list[str](), list[str](), 0, 0
    for a, b in itertools.product(np.arange(0, 75, PART_S).tolist(), np.arange(0, 60, PART_S).tolist()):
        name = f"alpha {a:.0f}-{a + PART_S:.0f} s, bravo {b:.0f}-{b + PART_S:.0f} s"
        shared = _seen(world, "alpha", a) & _seen(world, "bravo", b)
        with temporary_memory() as memory:
            memory.ingest(Stretch(HOUSE_4D / "alpha", a, a + PART_S), agent="alpha")
            memory.ingest(Stretch(HOUSE_4D / "bravo", b, b + PART_S), agent="bravo")
            found = memory.align()["bravo"]
        unshared += not shared
        accepted += found.accepted
        off_m, off_deg = _off(found)
        if found.accepted and (not shared or off_m > WRONG_M or off_deg > WRONG_DEG):
            wrong.append(f"{name}: {off_m:.2f} m, {off_deg:.1f} deg, {len(shared)} things shared")
        if not found.accepted and len(shared) >= 10:
            refused.append(f"{name}: {found.why}")
    return Section(
        f"house_4d, parts of {PART_S:.0f} s of alpha's first tour with parts of bravo's",
        [
            Figure("wrongly accepted", len(wrong), target=at_most(0), detail="; ".join(wrong)),
            Figure("pairs that share nothing, all to be refused", unshared),
            Figure("accepted", accepted),
            Figure("refused though they share ten things or more", len(refused), detail="; ".join(refused)),
        ],
    )


def _seen(world: TrueWorld, agent: str, from_s: float) -> set[int]:
    """Things that the agent sees in the part of its tour that begins so many seconds after its first frame."""
    own = [frame for frame in world.frames if frame.agent == agent]
    start_ns = own[0].stamp_ns + seconds_to_ns(from_s)
    part = [frame for frame in own if start_ns <= frame.stamp_ns < start_ns + seconds_to_ns(PART_S)]
    return {line.thing_id for line in world.worldlines if any(frame.sees(line.thing_id) for frame in part)}


def _red_kitchen() -> Section:
    """A real walk in which nothing moves; then its trajectory is corrected, and no picture is left to read."""
    things = things_of(present(RED_KITCHEN))
    refined = [replace(each, box=box) for each in things if (box := _refined(each)) is not None]
    with TemporaryDirectory(prefix="recall4d-bench-") as directory, temporary_memory() as memory:
        copy = Path(directory) / "red_kitchen"
        shutil.copytree(RED_KITCHEN, copy)
        agent = memory.ingest(Borrowed(copy)).agent
        events = [f"{event.kind}: {event.description}" for event in memory.events()]
        before = score_entries(memory.entries(), refined)
        shutil.rmtree(copy)
        for picture in memory.store.directory.rglob("*.jpg"):
            picture.unlink()
        start = time.perf_counter()
        memory.reanchor(agent, _corrected_poses())
        seconds = time.perf_counter() - start
        after = score_entries(memory.entries(), refined)
        events_after = [f"{event.kind}: {event.description}" for event in memory.events()]
    return Section(
        "red_kitchen, given poses; then reanchored to the refined ones, its pictures deleted",
        [
            Figure("events, all of them false", len(events), target=at_most(0), detail="; ".join(events)),
            Figure("events after reanchor", len(events_after), target=at_most(0), detail="; ".join(events_after)),
            Figure("centre against refined truth, small, before", 100 * before.small_median_m, "cm"),
            Figure("centre against refined truth, small, after", 100 * after.small_median_m, "cm", at_most(1.5)),
            Figure("90th percentile, after", 100 * after.small_p90_m, "cm"),
            Figure("recall after", after.recall),
            Figure("time of the reanchor", seconds, "s"),
        ],
    )


def _refined(thing: TrueThing) -> Box | None:
    label = json.loads((RED_KITCHEN / "objects.json").read_text(encoding="utf-8"))[str(thing.thing_id)]
    low, high = label.get("box_min_refined_xyz"), label.get("box_max_refined_xyz")
    return None if low is None else Box.from_arrays(low, high)


def _corrected_poses() -> Mapping[int, NDArray[np.float64]]:
    with (RED_KITCHEN / "poses_refined.csv").open(newline="") as file:
        return {
            int(row["stamp_ns"]): np.array([float(row[f"m{i}{j}"]) for i in range(4) for j in range(4)]).reshape(
                4, 4
            )
            for row in csv.DictReader(file)
        }


class SideBySide:
    """A `recall4d.ports.Source`: a recording made in several equal houses in a row, one after the other."""

    WAY_M = 20.0

    def __init__(self, recording: Path, n_houses: int) -> None:
        self.source: Source = Borrowed(recording)
        self.n_houses = n_houses
        self.format, self.agent, self.notes = self.source.format, "alpha", self.source.notes

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        headers = list(self.source.headers())
        lap_ns = headers[-1].stamp_ns - headers[0].stamp_ns + seconds_to_ns(1)
        for house, header in itertools.product(range(self.n_houses), headers):
            assert header.world_from_camera is not None, "demo_house has all poses"
            pose = header.world_from_camera.copy()
            pose[1, 3] += house * self.WAY_M
            stamp_ns, number = header.stamp_ns + house * lap_ns, header.number + house * len(headers)
            yield replace(header, stamp_ns=stamp_ns, number=number, world_from_camera=pose, locator=header)

    def load(self, header: FrameHeader, agent: str) -> Frame:
        """See `recall4d.ports.Source`."""
        assert isinstance(header.locator, FrameHeader), "made by headers()"
        frame = self.source.load(header.locator, agent)
        return replace(
            frame, number=header.number, stamp_ns=header.stamp_ns, world_from_camera=header.world_from_camera
        )


def _lifecycle() -> Section:
    """What presence, worldlines and events cost on top of the ingest."""
    houses = SideBySide(DEMO_HOUSE, N_HOUSES)
    n_frames, seen = len(list(houses.headers())), 0
    at_once_s, live_s = 0.0, list[float]()
    with temporary_memory() as memory:

        def look(header: FrameHeader) -> None:
            nonlocal seen, at_once_s
            seen += 1
            if seen < n_frames - N_LIVE:
                return
            start = time.process_time()
            memory.snapshot()
            spent_s = time.process_time() - start
            if seen == n_frames - N_LIVE:
                at_once_s = spent_s
            else:
                live_s.append(spent_s)

        memory.ingest(houses, on_frame=look)
        n_entries = len(memory.entries())
    return Section(
        f"lifecycle: looks at all places, worldlines and events, {n_entries} entries, {n_frames} frames",
        [
            Figure(
                "all frames at once",
                1000 * at_once_s / (n_frames - N_LIVE),
                "ms CPU/frame",
                at_most(5),
                "asked once, after all of them",
            ),
            Figure(
                "asked after every frame",
                1000 * float(np.median(live_s)),
                "ms CPU/frame",
                at_most(5),
                f"median of the last {N_LIVE} frames",
            ),
        ],
    )
