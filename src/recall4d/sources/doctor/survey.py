"""The first pass: every header, no image. And which frames to decode after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import NS_PER_S
from recall4d.errors import RecordingError
from recall4d.geometry.pose import ROTATION_TOLERANCE, Floats
from recall4d.ports import Source

PARTNER_MOTIONS = ((8.0, 0.2), (20.0, 0.6))
"""A frame is compared with the first later frame that has turned (degrees) or moved (metres) this far: near
enough to see the same things, far enough for a wrong convention to show."""

PARTNER_SEARCH = 400
"""How many frames ahead a partner is looked for."""

MAX_EDGE_FRAMES = 12


@dataclass(frozen=True, eq=False)
class Survey:
    """What the headers of a recording say, in the order in which the source gives them.

    Attributes:
        stamps_ns: (n,) instants; Python integers, for a misread stamp may not fit into 64 bits.
        poses: (n, 4, 4) `world_from_camera` as read; NaN where there is none.
        why_no_pose: how many frames have no pose, by reason.
    """

    stamps_ns: tuple[int, ...]
    poses: Floats
    why_no_pose: dict[str, int]

    @cached_property
    def finite(self) -> NDArray[np.bool_]:
        """(n,) which frames have a finite pose."""
        return np.asarray(np.isfinite(self.poses).all(axis=(1, 2)))

    @cached_property
    def deviations(self) -> Floats:
        """(n,) largest entry of R Rᵀ - I of each pose; NaN where it is not finite."""
        rotations = self.poses[:, :3, :3]
        return np.asarray(np.abs(rotations @ rotations.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2)))

    @cached_property
    def mirrored(self) -> NDArray[np.bool_]:
        """(n,) which poses turn right hands into left hands."""
        x, y, z = np.moveaxis(self.poses[:, :3, :3], 2, 0)
        return np.asarray(np.einsum("ni,ni->n", np.cross(x, y), z) < 0)

    @cached_property
    def posed(self) -> NDArray[np.bool_]:
        """(n,) which frames have a pose that is a rigid transform."""
        return np.asarray((self.deviations <= ROTATION_TOLERANCE) & ~self.mirrored)

    def spread_poses(self, n: int = 300) -> Floats:
        """At most `n` of the usable poses (n, 4, 4), evenly along the recording."""
        return np.asarray(self.poses[_spread(np.flatnonzero(self.posed), n)])

    @cached_property
    def steps_s(self) -> Floats:
        """(n - 1,) seconds from each frame to the next."""
        pairs = zip(self.stamps_ns[:-1], self.stamps_ns[1:], strict=True)
        return np.array([(later - earlier) / NS_PER_S for earlier, later in pairs], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Sample:
    """The frames to decode, by their index in the survey.

    Attributes:
        frames: sorted.
        edge_frames: some of them, spread over the recording, whose edges are compared.
        pairs: pairs of them that should see the same things from two places.
    """

    frames: tuple[int, ...]
    edge_frames: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]


def survey(source: Source) -> Survey:
    """Read every header of `source`.

    Raises:
        RecordingError: there is none.
    """
    stamps_ns: list[int] = []
    poses: list[Floats] = []
    reasons: Counter[str] = Counter()
    missing = np.full((4, 4), np.nan)
    for header in source.headers():
        stamps_ns.append(header.stamp_ns)
        given = header.world_from_camera
        poses.append(given if given is not None and np.isfinite(given).all() else missing)
        if header.world_from_camera is None:
            reasons[header.why_no_pose or "no pose"] += 1
    if not stamps_ns:
        raise RecordingError(f"the {source.format} recording has no frames")
    return Survey(tuple(stamps_ns), np.array(poses, dtype=np.float64), dict(reasons))


def choose(surveyed: Survey, n_frames: int) -> Sample:
    """`n_frames` spread evenly over the recording, and up to as many partners for every other one of them."""
    spread = _spread(np.arange(len(surveyed.stamps_ns)), n_frames)
    posed = np.flatnonzero(surveyed.posed)
    pairs = [
        (anchor, partner)
        for anchor in _spread(posed, max(n_frames // 2, 1))
        for partner in _partners(surveyed.poses, posed, anchor)
    ]
    frames = sorted({*spread, *(index for pair in pairs for index in pair)})
    every = -(-len(spread) // MAX_EDGE_FRAMES)
    return Sample(tuple(frames), tuple(spread[::every]), tuple(pairs))


def _spread(indices: NDArray[np.intp], n: int) -> list[int]:
    """At most `n` of the indices, evenly, first and last included."""
    if len(indices) == 0:
        return []
    places = np.unique(np.linspace(0, len(indices) - 1, min(n, len(indices))).round().astype(np.intp))
    return [int(index) for index in indices[places]]


def _partners(poses: Floats, posed: NDArray[np.intp], anchor: int) -> list[int]:
    later = posed[np.searchsorted(posed, anchor, side="right") :][:PARTNER_SEARCH]
    rotations, centres = poses[later, :3, :3], poses[later, :3, 3]
    cosines = (np.einsum("nij,ij->n", rotations, poses[anchor, :3, :3]) - 1) / 2
    turned_deg = np.degrees(np.arccos(cosines.clip(-1, 1)))
    moved_m = np.linalg.norm(centres - poses[anchor, :3, 3], axis=1)
    found = set()
    for angle_deg, distance_m in PARTNER_MOTIONS:
        far = np.flatnonzero((turned_deg >= angle_deg) | (moved_m >= distance_m))
        if len(far):
            found.add(int(later[far[0]]))
    return sorted(found)
