"""Bring agents whose map is their own into the world, by what both saw; or refuse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.config import AssociationSettings
from recall4d.geometry.align import Alignment, align
from recall4d.geometry.pose import inverse
from recall4d.memory.maps import keep_map, world_from_maps
from recall4d.memory.rebuild import rebuild
from recall4d.ports import Store
from recall4d.records import Entry

SAME_TEXT = 0.9
"""Cosine similarity from which two descriptions may be of one thing seen by two agents."""

MAX_SIZE_RATIO = 1.5

MIN_MATCHES, MIN_KINDS = 6, 4
"""An alignment rests on so many things, of so many different descriptions: four equal chairs fit anywhere."""

MAX_RUNNER_UP = 0.5
"""And the next best guess brings together at most this share of them."""


@dataclass(frozen=True, eq=False, slots=True)
class AgentAlignment:
    """What became of one agent's map.

    Attributes:
        world_from_map: (4, 4) as accepted, or as far as it was found; None where nothing was found.
        residual_m: root mean square distance between things matched; NaN where nothing was found.
        n_inliers: how many things were matched.
        accepted: whether the map is part of the world now.
        why: for a person.
    """

    world_from_map: NDArray[np.float64] | None
    residual_m: float
    n_inliers: int
    accepted: bool
    why: str


def align_agents(store: Store, settings: AssociationSettings) -> dict[str, AgentAlignment]:
    """Estimate the transform of every agent that is not in the world yet, and move it there where that is sure.

    Moving turns the agent's poses and folds everything again; the rest of the facts stay as they are.
    """
    results: dict[str, AgentAlignment] = {}
    for agent, world_from_map in world_from_maps(store).items():
        if world_from_map is not None:
            results[agent] = AgentAlignment(world_from_map, 0.0, 0, True, "its map is part of the world already")
            continue
        results[agent] = _judged(_estimate(store, agent))
        estimate = results[agent].world_from_map
        if results[agent].accepted and estimate is not None:
            move_agent(store, agent, estimate, settings)
    return results


def move_agent(
    store: Store, agent: str, world_from_map: NDArray[np.float64], settings: AssociationSettings
) -> None:
    """Make an agent's map part of the world by a transform, given or estimated; all of it or nothing."""
    with store.writing() as writer:
        # Read inside the transaction: another process may have added a frame or aligned the agent meanwhile.
        before = world_from_maps(store)[agent]
        step = world_from_map if before is None else world_from_map @ inverse(before)
        frames = [frame for frame in store.frames() if frame.agent == agent]
        keep_map(store, writer, agent, world_from_map)
        writer.move_frames({(agent, frame.stamp_ns): step @ frame.world_from_camera for frame in frames})
        rebuild(store, writer, settings)


def _estimate(store: Store, agent: str) -> tuple[Alignment | None, Sequence[Entry]]:
    things = [entry for entry in store.changes().entries if entry.kind == "thing"]
    world = [entry for entry in things if entry.map_frame is None]
    own = [entry for entry in things if entry.map_frame == agent]
    if not world or not own:
        return None, world
    vectors = store.vectors({entry.description for entry in things})
    similar = np.stack([vectors[e.description] for e in world]) @ np.stack([vectors[e.description] for e in own]).T
    size_world, size_own = (np.array([e.now.box.diagonal_m for e in some]) for some in (world, own))
    ratio = size_world[:, None] / size_own[None]
    may_match = (similar >= SAME_TEXT) & (ratio <= MAX_SIZE_RATIO) & (ratio >= 1 / MAX_SIZE_RATIO)
    centres = [np.array([e.now.box.centroid_xyz for e in some]) for some in (world, own)]
    return align(centres[0], centres[1], may_match), world


def _judged(estimate: tuple[Alignment | None, Sequence[Entry]]) -> AgentAlignment:
    found, world = estimate
    if found is None:
        return AgentAlignment(None, float("nan"), 0, False, "no two things that both saw lie alike in both maps")
    n, kinds = len(found.matches), len({world[i].description for i, _ in found.matches})
    if n < MIN_MATCHES or kinds < MIN_KINDS:
        why = f"only {n} things of {kinds} kinds match, expected at least {MIN_MATCHES} of {MIN_KINDS} kinds"
        return AgentAlignment(found.a_from_b, found.residual_m, n, False, why)
    if found.runner_up > MAX_RUNNER_UP * n:
        why = f"{n} things match, but {found.runner_up} match another way round: it could be either"
        return AgentAlignment(found.a_from_b, found.residual_m, n, False, why)
    why = f"{n} things of {kinds} kinds match to {found.residual_m * 100:.1f} cm"
    return AgentAlignment(found.a_from_b, found.residual_m, n, True, why)
