"""Memories and plans at random, to compare the executor with its definition.

Places, times and vectors come from coarse grids, so that ties, touching boxes and shared instants are common.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from worlds import ORIGIN_NS, ns

from recall4d.clock import Clock, Interval
from recall4d.geometry.box import Box
from recall4d.geometry.pose import Trajectory, look_at
from recall4d.geometry.region import Region
from recall4d.memory.snapshot import Snapshot
from recall4d.query.plan import Edge, Order, Plan
from recall4d.query.plan.where import N_ANCHORS
from recall4d.records import Entry, Sighting, State

SPAN_S = 40
DIMENSION = 16
NOUNS = (
    "mug",
    "cup",
    "table",
    "coffee table",
    "dining table",
    "book",
    "box",
    "lamp",
    "sofa",
    "waste basket",
    "ball",
)
ADJECTIVES = ("red", "small", "dark blue", "teal", "white", "wooden", "large", "plastic", "grey and black", "")
TAILS = (
    "",
    "",
    "",
    "with a red handle",
    "of paper",
    "without a lid",
    "on a stand",
    "with coffee in it",
    'titled "Mug"',
)
PHRASES = (
    "cup",
    "red mug",
    "small mug",
    "big table",
    "furniture",
    "coffee",
    "thing",
    "table",
    "box of paper",
    "toy",
    "blue thing",
    "piano",
)
RELATIONS = (
    "within", "beyond", "nearest", "on", "under", "above", "below", "inside", "left", "right", "front", "behind",
    "beside", "between", "in_view", "facing", "along",
)  # fmt: skip
REGIONS = {
    "nook": Region.of([(-1.0, -1.0), (1.0, -1.0), (1.0, 0.5), (-1.0, 0.5)]),
    "corner": Region.of([(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)], (-0.5, 1.0)),
}


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors of four halves: cosines are multiples of a quarter, exact in float32."""
    vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
    for vector, text in zip(vectors, texts, strict=True):
        random = np.random.default_rng(zlib.crc32(text.encode()) % 97)
        vector[random.choice(DIMENSION, 4, replace=False)] = random.choice([0.5, -0.5], 4)
    return vectors


class Dice:
    """A seeded source of memories and plans."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.boxes: list[Box] = []

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def of(self, *choices: Any) -> Any:
        return choices[int(self.random.integers(len(choices)))]

    def seconds(self, low: float = -2.0, high: float = SPAN_S + 2.0) -> float:
        return round(float(self.random.uniform(low, high)) * 2) / 2

    # --- memories ----------------------------------------------------------------------------------------------

    def memory(self) -> Snapshot:
        agents = ("alpha", "bravo")[: int(self.random.integers(1, 3))]
        trajectories, numbers = {}, {}
        for agent in agents:
            stamps = np.unique(self.random.integers(0, 2 * SPAN_S, 30)) / 2
            eyes = self.random.uniform(-3, 3, (len(stamps), 3))
            targets = self.random.uniform(-1, 1, (len(stamps), 3))
            poses = np.array([look_at(eye, target) for eye, target in zip(eyes, targets, strict=True)])
            stamps_ns = np.array([ns(each) for each in stamps], dtype=np.int64)
            trajectories[agent] = Trajectory(stamps_ns, poses, max_gap_ns=int(1.5e9))
            numbers[agent] = 5 * np.arange(len(stamps), dtype=np.int64)
        entries = [self.entry(f"e{index:03d}", agents) for index in range(self.of(0, 20, 40, 60, 60, 80))]
        self.random.shuffle(entries)  # type: ignore[arg-type]
        texts = [entry.description for entry in entries]
        return Snapshot(
            now_ns=ns(SPAN_S),
            origin_ns=ORIGIN_NS,
            clock=Clock(is_wall=True),
            entries=tuple(entries),
            vectors=embed(texts).reshape(-1, DIMENSION),
            trajectories=trajectories,
            frame_numbers=numbers,
            embed=embed,
            regions=REGIONS,
        )

    def entry(self, entry_id: str, agents: Sequence[str]) -> Entry:
        noun = self.of(*NOUNS)
        first = self.seconds(0.0, SPAN_S)
        sightings = [Sighting(self.of(*agents), ns(first), ns(min(first + self.seconds(0, 4), SPAN_S)))]
        for _ in range(int(self.random.integers(0, 4))):
            start = self.seconds(first, SPAN_S)
            sightings.append(Sighting(self.of(*agents), ns(start), ns(min(start + self.seconds(0, 4), SPAN_S))))
        sightings.sort(key=lambda each: each.from_ns)
        begins = sorted({first, *(self.seconds(first, SPAN_S) for _ in range(int(self.random.integers(0, 3))))})
        states = []
        where = self.box()
        for index, begin in enumerate(begins):
            ends = ns(begins[index + 1]) if index + 1 < len(begins) else None
            where = where if self.chance(0.3) else self.box()
            visibility = self.of("visible", "visible", "occluded", "absent", "unknown")
            states.append(State(Interval(ns(begin), ends), where, where.centroid_xyz, visibility, agents[0]))
        return Entry(
            entry_id=entry_id,
            category=self.of(noun, None, "object"),
            description=" ".join(filter(None, (self.of(*ADJECTIVES), noun, self.of(*TAILS)))),
            kind=self.of("thing", "thing", "thing", "surface"),
            states=tuple(states),
            sightings=tuple(sightings),
            n_observations=len(sightings),
            agents=tuple(dict.fromkeys(each.agent for each in sightings)),
            attributes=self.of({}, {}, {"colour": "red"}, {"size": "small", "front": "90"}),
        )

    def box(self) -> Box:
        """A box on a grid; every second one stands on top of an earlier one."""
        sizes = (
            (0.1, 0.1, 0.1),
            (0.25, 0.25, 0.05),
            (1.5, 1.0, 0.5),
            (0.0, 0.0, 0.0),
            (2.0, 0.1, 2.0),
            (0.25, 2.0, 1.5),
            (2.5, 2.5, 1.0),
        )
        x, y = (np.round(self.random.uniform(-1.5, 1.5, 2) * 4) / 4).tolist()
        z = self.of(0.0, 0.0, 0.5, 0.75)
        if self.boxes and self.chance(0.5):
            below = self.of(*self.boxes)
            x, y, z = (*below.centroid_xyz[:2], below.max_xyz[2])
        low = np.array([x, y, z])
        self.boxes.append(Box.from_arrays(low, low + self.of(*sizes)))
        return self.boxes[-1]

    # --- plans -------------------------------------------------------------------------------------------------

    def plan(self, memory: Snapshot) -> Plan:
        names = [f"s{index}" for index in range(int(self.random.integers(1, 4)))]
        steps = [self.find(name, names[:index], memory) for index, name in enumerate(names)]
        measures = [self.measure(names, memory) for _ in range(self.of(0, 0, 1, 2))]
        known_at = {"kind": "elapsed", "seconds": self.seconds()} if self.chance(0.1) else None
        return Plan.model_validate({"steps": steps, "measures": measures, "known_at": known_at})

    def measure(self, names: list[str], memory: Snapshot) -> dict[str, Any]:
        kind = self.of("count", "duration", "earliest", "latest", "distance", "time_between")
        if kind == "time_between":
            return {"kind": kind, "first": self.instant(names, memory), "second": self.instant(names, memory)}
        other = {"other": self.of(*names)} if kind == "distance" else {}
        return {"kind": kind, "step": self.of(*names), **other}

    def find(self, name: str, earlier: list[str], memory: Snapshot) -> dict[str, Any]:
        step: dict[str, Any] = {
            "name": name,
            "kinds": self.of("things", "things", "things", "both", "surfaces"),
            "presence": self.of("any", "any", "any", "present", "gone"),
            "order": self.of("score", "score", "score", *get_args(Order)),
            "limit": self.of(None, None, 1, 3, 6),
            "diverse": self.chance(0.8),
            "spatial": [self.spatial(earlier, memory) for _ in range(self.of(0, 0, 1, 1, 2))],
        }
        if self.chance(0.4):
            step["semantic"] = self.semantic()
        if self.chance(0.4):
            step["temporal"] = self.temporal(earlier, memory)
        if self.chance(0.15):
            step["agent"] = self.of(*memory.agents)
        if self.chance(0.1):
            step["not_agent"] = self.of(*memory.agents)
        if earlier and self.chance(0.2):
            step["within_step"] = self.of(*earlier)
        if earlier and self.chance(0.1):
            step["except_step"] = self.of(*earlier)
        if self.chance(0.1):
            step["category"] = self.of(*NOUNS, "Object")
        if self.chance(0.1):
            step["visibility"] = self.of(["visible"], ["visible", "occluded"], ["absent", "unknown"])
        return step

    def temporal(self, earlier: list[str], memory: Snapshot) -> dict[str, Any]:
        after, before = self.instant(earlier, memory), self.instant(earlier, memory)
        return {
            "mode": self.of("existed", "observed"),
            "after": self.of(None, after),
            "before": self.of(None, before),
            "during": self.of(None, None, self.span(earlier, memory)),
        }

    def span(self, earlier: list[str], memory: Snapshot) -> dict[str, Any]:
        agent = self.of(None, *memory.agents)
        choices: list[dict[str, Any]] = [
            {"kind": "visit", "agent": agent, "ordinal": self.of(None, 1, -1)},
            {
                "kind": "visit",
                "agent": agent,
                "to": self.anchor(earlier, memory),
                "distance_m": self.of(0.5, 2.0),
                "ordinal": self.of(None, None, 1, -1, 2),
            },
        ]
        if earlier:
            which = self.of("best", "any")
            choices.append({"kind": "seen", "step": self.of(*earlier), "which": which, "agent": agent})
            choices.append({"kind": "so", "step": self.of(*earlier), "which": which})
        return self.of(*choices)  # type: ignore[no-any-return]

    def semantic(self) -> dict[str, Any]:
        return {
            "texts": [self.of(*PHRASES) for _ in range(self.of(1, 1, 2))],
            "attributes": self.of([], [], [], [], ["red"], ["wooden", "blue"], ["handle"]),
            "without": self.of([], [], [], [], ["red"], ["box"]),
            "min_similarity": self.of(None, None, None, 0.25, -0.5),
        }

    def spatial(self, earlier: list[str], memory: Snapshot) -> dict[str, Any]:
        relation = self.of(*RELATIONS, "on", "on", "on")  # the one relation that looks at third things
        n_anchors = N_ANCHORS.get(relation, 1)
        viewpoints: list[dict[str, Any] | None] = [None, self.agent_at(earlier, memory)]
        anchors = [self.anchor(earlier, memory) for _ in range(n_anchors)]
        if relation == "along":
            after, before = self.instant(earlier, memory), self.instant(earlier, memory)
            path = {"after": self.of(None, after), "before": self.of(None, before)}
            anchors = [{"kind": "path", "agent": self.of(None, *memory.agents), **path}]
        if anchors and anchors[0]["kind"] in ("entry", "step"):
            viewpoints.append({"kind": "own"})
        if relation not in ("in_view", "facing"):
            viewpoints += [{"kind": "world"}, {"kind": "towards", "from_anchor": self.anchor(earlier, memory)}]
        return {
            "relation": relation,
            "anchors": anchors,
            "distance_m": self.of(0.0, 0.5, 1.5) if relation in ("within", "beyond") else self.of(None, None, 1.0),
            "viewpoint": self.of(*viewpoints),
            "bearing_deg": self.of(0.0, 0.0, 90.0, -180.0),
            "spread_deg": self.of(20.0, 45.0, 180.0),
            "directly": self.chance(0.2),
            "negated": self.chance(0.2),
        }

    def anchor(self, earlier: list[str], memory: Snapshot) -> dict[str, Any]:
        choices: list[dict[str, Any]] = [
            {"kind": "point", "xyz": (np.round(self.random.uniform(-2, 2, 3) * 4) / 4).tolist()},
            self.agent_at(earlier, memory),
            self.region(),
        ]
        if memory.entries:
            largest = max(memory.entries, key=lambda entry: entry.now.box.volume_m3)
            chosen = self.of(self.of(*memory.entries), largest)
            choices += 2 * [{"kind": "entry", "entry_id": chosen.entry_id}]
        if earlier:
            choices += 2 * [{"kind": "step", "step": self.of(*earlier), "which": self.of("best", "any")}]
        return self.of(*choices)  # type: ignore[no-any-return]

    def region(self) -> dict[str, Any]:
        low = (np.round(self.random.uniform(-2, 0, 3) * 4) / 4).tolist()
        corners = [(0.0, 0.0), (1.5, 0.0), (1.5, 1.5), (0.25, 0.5), (0.0, 1.5)]
        return self.of(  # type: ignore[no-any-return]
            {"kind": "region", "name": self.of("nook", "Corner")},
            {"kind": "polygon", "corners_xy": corners, "z": self.of(None, (0.0, 0.5))},
            {"kind": "box", "min_xyz": low, "max_xyz": [each + self.of(1.0, 2.0) for each in low]},
        )

    def agent_at(self, earlier: list[str], memory: Snapshot) -> dict[str, Any]:
        return {"kind": "agent", "agent": self.of(None, *memory.agents), "at": self.instant(earlier, memory)}

    def instant(self, earlier: list[str], memory: Snapshot) -> dict[str, Any]:
        choices: list[dict[str, Any]] = [
            {"kind": "now", "offset_s": -abs(self.seconds())},
            {"kind": "now"},
            {"kind": "elapsed", "seconds": self.seconds()},
            {"kind": "stamp", "at_ns": ns(self.seconds())},
            {"kind": "frame", "number": int(self.random.integers(0, 20)), "agent": self.of(None, *memory.agents)},
            {"kind": "clock", "at": f"2025-10-09T08:53:{int(self.random.integers(20, 60))}Z"},
            {"kind": "time_of_day", "time": f"10:53:{int(self.random.integers(20, 60))}", "zone": "Europe/Berlin"},
        ]
        if earlier:
            event = {"edge": self.of(*get_args(Edge)), "which": self.of("first", "last")}
            offset_s = self.of(0.0, 0.0, -3.5, 2.0)
            choices.append({"kind": "of_step", "step": self.of(*earlier), **event, "offset_s": offset_s})
        return self.of(*choices)  # type: ignore[no-any-return]
