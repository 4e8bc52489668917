"""Whose map is where: every agent's poses are given in a map of its own until that map is aligned with the world.

The first agent's map is the world. Another agent's is not known to be the same one: its entries stay apart until a
transform is given or estimated, because two maps mixed by mistake cannot be told apart again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from recall4d.ports import Store, StoreWriter

FACT = "world_from_map"


def world_from_maps(store: Store) -> dict[str, NDArray[np.float64] | None]:
    """For each agent, (4, 4) from its own map to the world; None while that is not known."""
    kept: Mapping[str, list[float] | None] = json.loads(store.fact(FACT) or "{}")
    return {agent: None if numbers is None else np.array(numbers).reshape(4, 4) for agent, numbers in kept.items()}


def keep_map(store: Store, writer: StoreWriter, agent: str, world_from_map: NDArray[np.float64] | None) -> None:
    """Keep an agent's transform to the world, or that it is not known."""
    maps = {**world_from_maps(store), agent: world_from_map}
    writer.set_fact(
        FACT, json.dumps({name: None if each is None else each.ravel().tolist() for name, each in maps.items()})
    )
