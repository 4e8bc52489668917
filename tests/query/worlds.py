"""Small memories, written down by hand, to ask questions of."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import Clock, Interval, seconds_to_ns
from recall4d.geometry.box import Box
from recall4d.geometry.pose import Trajectory, look_at
from recall4d.memory.snapshot import Snapshot
from recall4d.records import Entry, Sighting, State, View, Visibility

ORIGIN_NS = 1_760_000_000_000_000_000
DIMENSION = 256


def ns(seconds: float) -> int:
    """The instant `seconds` after the memory's first."""
    return ORIGIN_NS + seconds_to_ns(seconds)


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """A bag of words as a unit vector: each word has a direction of its own."""
    vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
    for vector, text in zip(vectors, texts, strict=True):
        for word in re.findall(r"[a-z0-9]+", text.lower()):
            vector[zlib.crc32(word.encode()) % DIMENSION] += 1.0
        vector /= max(float(np.linalg.norm(vector)), 1e-9)
    return vectors


def box(centre_xyz: Sequence[float], size_xyz: Sequence[float]) -> Box:
    """A box by its centre and edge lengths."""
    centre, half = np.asarray(centre_xyz), np.asarray(size_xyz) / 2
    return Box.from_arrays(centre - half, centre + half)


def state(from_s: float, to_s: float | None, where: Box, visibility: Visibility = "visible") -> State:
    """A state between two times in seconds."""
    interval = Interval(ns(from_s), None if to_s is None else ns(to_s))
    return State(interval, where, where.centroid_xyz, visibility, "alpha")


def entry(
    entry_id: str,
    category: str | None,
    description: str,
    states: Sequence[State],
    seen: Sequence[tuple[str, float, float]],
    **more: object,
) -> Entry:
    """An entry; `seen` lists (agent, from, to) in seconds, by start."""
    sightings = tuple(Sighting(agent, ns(from_s), ns(to_s)) for agent, from_s, to_s in seen)
    return Entry(
        entry_id=entry_id,
        category=category,
        description=description,
        kind=more.pop("kind", "thing"),  # type: ignore[arg-type]
        states=tuple(states),
        sightings=sightings,
        n_observations=10 * len(sightings),
        agents=tuple(dict.fromkeys(each.agent for each in sightings)),
        motion="movable" if len(states) > 1 else "static",
        best_view=View(sightings[0].agent, sightings[0].from_ns, (100, 100, 200, 200), f"crops/{entry_id}.jpg"),
        **more,  # type: ignore[arg-type]
    )


def trajectory(stops: Sequence[tuple[float, Sequence[float], Sequence[float]]]) -> Trajectory:
    """Level cameras at (seconds, eye, target)."""
    stamps = np.array([ns(seconds) for seconds, _, _ in stops], dtype=np.int64)
    poses = np.array([look_at(eye, target) for _, eye, target in stops]).reshape(-1, 4, 4)
    return Trajectory(stamps, poses, max_gap_ns=seconds_to_ns(2.0))


def snapshot(
    entries: Sequence[Entry],
    trajectories: Mapping[str, Trajectory],
    now_s: float,
    frame_numbers: Mapping[str, NDArray[np.int64]] | None = None,
) -> Snapshot:
    """A memory of these entries; frames are numbered 0, 10, 20, ... unless said otherwise."""
    numbered = {agent: 10 * np.arange(len(each.stamps_ns)) for agent, each in trajectories.items()}
    texts = [each.description for each in entries]
    return Snapshot(
        now_ns=ns(now_s),
        origin_ns=ORIGIN_NS,
        clock=Clock(),
        entries=tuple(entries),
        vectors=embed(texts) if texts else np.zeros((0, DIMENSION), dtype=np.float32),
        trajectories=trajectories,
        frame_numbers=frame_numbers or numbered,
        embed=embed,
    )


def kitchen() -> Snapshot:
    """A kitchen that alpha walks through from 0 to 30 s and bravo from 60 to 90 s; now is 100 s.

    The table stands in the middle, the counter behind it (+y) with the kettle, the sofa to its left (-x).

    - The red mug stands on the table, left of the white one; by bravo's visit it is on the counter.
    - The kettle is gone by then. The apple lies in the bowl. The book lies on the sofa's seat, below its backrest.
    - The box was put under the table between the visits. Nobody but bravo has seen it.
    """
    table = state(0.0, None, box((0.0, 0.0, 0.375), (1.6, 0.8, 0.75)))
    white_mug = state(1.0, None, box((0.4, 0.0, 0.80), (0.09, 0.09, 0.10)))
    red_on_table, red_on_counter = (
        box((-0.4, 0.0, 0.80), (0.09, 0.09, 0.10)),
        box((0.5, 2.2, 0.95), (0.09, 0.09, 0.10)),
    )
    kettle = box((-0.5, 2.2, 1.01), (0.2, 0.2, 0.22))
    visits = [("alpha", 1.0, 20.0), ("bravo", 62.0, 85.0)]
    entries = [
        entry(
            "e01",
            "dining table",
            "long oak table with square legs",
            [table],
            [("alpha", 0.0, 29.0), ("bravo", 60.0, 89.0)],
        ),
        entry("e02", "cup", "plain white mug with coffee in it", [white_mug], visits),
        entry(
            "e03",
            "cup",
            "red mug with a handle",
            [state(1.0, 64.0, red_on_table), state(65.0, None, red_on_counter)],
            [("alpha", 1.0, 20.0), ("bravo", 65.0, 85.0)],
        ),
        entry(
            "e04",
            "counter",
            "black polished worktop",
            [state(2.0, None, box((0.0, 2.2, 0.45), (2.4, 0.6, 0.9)))],
            visits,
        ),
        entry(
            "e05",
            "kettle",
            "steel electric kettle",
            [state(3.0, 66.0, kettle), state(66.0, None, kettle, "absent")],
            [("alpha", 3.0, 18.0)],
        ),
        entry(
            "e06", "couch", "grey two-seat sofa", [state(5.0, None, box((-2.5, 0.0, 0.4), (0.9, 1.8, 0.8)))], visits
        ),
        entry(
            "e07",
            "book",
            "blue paperback book",
            [state(6.0, None, box((-2.4, 0.3, 0.43), (0.2, 0.15, 0.04)))],
            [("alpha", 6.0, 12.0)],
        ),
        entry(
            "e08", "bowl", "plain white bowl", [state(1.0, None, box((0.0, 0.2, 0.79), (0.24, 0.24, 0.09)))], visits
        ),
        entry(
            "e09",
            "apple",
            "green apple",
            [state(1.0, None, box((0.0, 0.2, 0.81), (0.08, 0.08, 0.08)))],
            [("alpha", 4.0, 9.0)],
        ),
        entry(
            "e10",
            "box",
            "brown cardboard box",
            [state(70.0, None, box((0.2, 0.0, 0.15), (0.3, 0.3, 0.3)))],
            [("bravo", 70.0, 80.0)],
        ),
    ]
    alpha = [(float(s), (0.0, -2.0, 1.5), (0.0, 0.0, 0.8)) for s in range(0, 31)]
    bravo = [(float(s), (0.0, 4.0, 1.5), (0.0, 0.0, 0.8)) for s in range(60, 91)]
    return snapshot(entries, {"alpha": trajectory(alpha), "bravo": trajectory(bravo)}, now_s=100.0)
