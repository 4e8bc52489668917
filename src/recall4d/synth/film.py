"""A world filmed: the frames that a source would deliver, without files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats, look_at
from recall4d.records import DepthImage, Frame, StoredMasks
from recall4d.synth.render import render
from recall4d.synth.world import World


@dataclass(frozen=True, eq=False, slots=True)
class Take:
    """One agent's way through a world.

    Attributes:
        agent: who films.
        stamps_ns: (n,) int64, strictly increasing.
        poses: (n, 4, 4) `world_from_camera` as it is.
        reported: (n, 4, 4) as the recording has it: drifted, or in a map frame of the agent's own. None: as it is.
    """

    agent: str
    stamps_ns: NDArray[np.int64]
    poses: Floats
    reported: Floats | None = None


def look_along(eyes_xyz: ArrayLike, targets_xyz: ArrayLike) -> Floats:
    """Poses (n, 4, 4) of level cameras at `eyes_xyz` (n, 3) that look at `targets_xyz` (n, 3) or (3,)."""
    eyes = np.asarray(eyes_xyz, dtype=np.float64)
    targets = np.broadcast_to(np.asarray(targets_xyz, dtype=np.float64), eyes.shape)
    return np.stack([look_at(eye, target) for eye, target in zip(eyes, targets, strict=True)])


def frames(world: World, intrinsics: Intrinsics, take: Take) -> Iterator[Frame]:
    """The frames of a take, with exact depth and masks; rendered one at a time."""
    reported = take.poses if take.reported is None else take.reported
    for number, stamp_ns in enumerate(take.stamps_ns.tolist()):
        view = render(world, intrinsics, take.poses[number], stamp_ns)
        yield Frame(
            agent=take.agent,
            number=number,
            stamp_ns=stamp_ns,
            rgb=view.rgb,
            intrinsics=intrinsics,
            world_from_camera=reported[number],
            depth=DepthImage(view.depth_m, intrinsics),
            masks=StoredMasks(view.ids, world.labels),
        )
