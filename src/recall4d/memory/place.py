"""Observations placed in the world by the pose of the frame they hang on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.box import thickened
from recall4d.geometry.pose import transform
from recall4d.records import Observation


@dataclass(frozen=True, eq=False, slots=True)
class Placed:
    """An observation in the world frame.

    Attributes:
        observation: the fact.
        min_xyz, max_xyz: (3,) its box.
        surface_centroid_xyz: (3,) mean of the seen points.
    """

    observation: Observation
    min_xyz: NDArray[np.float64]
    max_xyz: NDArray[np.float64]
    surface_centroid_xyz: NDArray[np.float64]

    @property
    def partial(self) -> bool:
        """Whether the view is cut off, by the image or by something in front."""
        return self.observation.truncated or self.observation.occluded

    @property
    def weight(self) -> float:
        """How much the view counts in its entry's box: points seen, over distance."""
        return math.sqrt(self.observation.n_points) / max(self.observation.distance_m, 0.1)

    @property
    def key(self) -> int:
        """A fixed pseudo-random number of the observation, the same in every process and order."""
        observation = self.observation
        name = f"{observation.agent}|{observation.stamp_ns}|{observation.index}".encode()
        return int.from_bytes(blake2b(name, digest_size=8).digest(), "big") >> 1


def place(observations: Sequence[Observation], poses: NDArray[np.float64]) -> list[Placed]:
    """Place observations.

    Args:
        observations: n facts.
        poses: (n, 4, 4) `world_from_camera` of the frame of each.
    """
    if not observations:
        return []
    hulls = np.stack([each.hull_camera for each in observations]).astype(np.float64)
    hulls_world = np.einsum("nij,npj->npi", poses[:, :3, :3], hulls) + poses[:, None, :3, 3]
    low, high = thickened(hulls_world.min(axis=1), hulls_world.max(axis=1))
    return [
        Placed(each, low[i], high[i], transform(poses[i], each.surface_centroid_camera))
        for i, each in enumerate(observations)
    ]
