"""Regions that people name: kept with the memory, in its world frame."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from recall4d.errors import UsageError
from recall4d.geometry.region import Region
from recall4d.ports import Store

FACT = "regions"
MAX_NAME = 80


def regions_of(kept: str | None) -> dict[str, Region]:
    """Regions by name, from the fact that keeps them."""
    return {
        name: Region.of(each["corners_xy"], None if each["z"] is None else _ends(*each["z"]))
        for name, each in json.loads(kept or "{}").items()
    }


def name_region(store: Store, name: str, region: Region) -> None:
    """Keep a region; one of the same name is replaced.

    Raises:
        UsageError: the name is empty or too long.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= MAX_NAME:
        raise UsageError(f"a region's name has 1 to {MAX_NAME} characters, got {len(name)}")
    with store.writing() as writer:
        writer.set_fact(FACT, _written({**regions_of(store.fact(FACT)), name: region}))


def forget_region(store: Store, name: str) -> None:
    """Drop a region.

    Raises:
        UsageError: there is none of that name.
    """
    with store.writing() as writer:
        regions = regions_of(store.fact(FACT))
        if name not in regions:
            known = ", ".join(regions) or "none yet"
            raise UsageError(f"no region is called {name!r} in this memory; regions: {known}")
        del regions[name]
        writer.set_fact(FACT, _written(regions))


def _written(regions: Mapping[str, Region]) -> str:
    return json.dumps(
        {
            name: {
                "corners_xy": region.corners_xy.tolist(),
                "z": [end if math.isfinite(end) else None for end in (region.low_z, region.high_z)],
            }
            for name, region in regions.items()
        }
    )


def _ends(low: float | None, high: float | None) -> tuple[float, float]:
    return (-math.inf if low is None else low), (math.inf if high is None else high)
