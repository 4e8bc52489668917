"""Which reading of the poses and of the depth makes the views of a recording agree?

Points of one frame are taken to the world and on into another frame; where its depth says the same, the two
agree. A wrong pose direction, wrong camera axes or a wrong depth unit each break that, so every combination is
tried and the one with which most points agree is what the recording means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.camera import inside_image, project
from recall4d.geometry.pose import CV_FROM_GL, Floats, inverse, transform
from recall4d.records import CameraAxes, PoseDirection
from recall4d.sources.common import PoseConvention
from recall4d.sources.doctor.look import DepthLook, Look
from recall4d.sources.doctor.survey import Survey

TOLERANCE = 0.03
"""Two depths agree when they differ by less than this share: sensor noise and centimetres of drift included."""

MAX_POINTS = 400
"""Points taken of each frame."""

MIN_PAIRS = 3
MIN_SHARE_SEEN = 0.5
"""Below this share of agreeing points, no reading can be said to fit."""

MIN_MARGIN = 1.15
"""How many times as many points must agree as under the next best reading."""

_FACTORS = np.concatenate([[1e-3, 1e-2], np.geomspace(0.1, 10.0, 33), [1e2, 1e3]])
_FINER = np.geomspace(1 / 1.16, 1.16, 13)

Reading = tuple[PoseDirection, CameraAxes]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well the views agree under one reading, at the depth factor that suits it best.

    Attributes:
        share: of all points taken, how many agree. Compares readings with one another.
        share_seen: of those that land on a known pixel of the other view. Says whether a reading fits at all.
        factor: by which the depth as read is multiplied.
    """

    share: float
    share_seen: float
    factor: float


@dataclass(frozen=True, slots=True)
class Fit:
    """The reading that fits best.

    Attributes:
        convention: as the recording was read.
        agreements: of every reading.
        n_pairs: of views compared.
        scale_margin: how many times as many points agree as with depths half as large again, or as small.
        unsteady: how far apart the depth scales of two frames are (0.2: by a fifth, in the middle), when nothing
            fits until each pair of views is given a scale of its own; else None.
    """

    convention: PoseConvention
    agreements: Mapping[Reading, Agreement]
    n_pairs: int
    scale_margin: float
    unsteady: float | None

    @property
    def best(self) -> Reading:
        """The direction and axes with which most points agree."""
        return max(self.agreements, key=lambda reading: self.agreements[reading].share)

    @property
    def fits(self) -> bool:
        """Whether there are views to compare, and the best reading makes them agree."""
        return self.n_pairs >= MIN_PAIRS and self.agreements[self.best].share_seen >= MIN_SHARE_SEEN

    def margin(self, part: int) -> float:
        """How many times as many points agree as under the best reading whose direction (0) or axes (1) differ."""
        best = self.best
        rivals = [each.share for reading, each in self.agreements.items() if reading[part] != best[part]]
        return self.agreements[best].share / max(*rivals, 1e-6)

    def decided(self, part: int) -> bool:
        """Whether the direction (0) or the axes (1) are beyond doubt."""
        return self.fits and self.margin(part) >= MIN_MARGIN

    @property
    def scale_decided(self) -> bool:
        """Whether the depth factor is beyond doubt."""
        return self.fits and self.scale_margin >= MIN_MARGIN

    def mended(self, world_from_camera: Floats) -> Floats:
        """A pose (4, 4) as read, read again as the views say; unchanged where they do not say."""
        best = self.best if self.decided(0) and self.decided(1) else None
        if best is None or best == (self.convention.direction, self.convention.camera_axes):
            return world_from_camera
        return _read_as(self.convention, world_from_camera, best)


def fit(
    surveyed: Survey, looks: Mapping[int, Look], pairs: Sequence[tuple[int, int]], convention: PoseConvention
) -> Fit:
    """Try every reading on the pairs of frames that have depth.

    Args:
        surveyed: the poses as read.
        looks: decoded frames by index.
        pairs: of indices.
        convention: as which the poses were read.
    """
    views = _views(looks, pairs)
    counts = {
        reading: _count(views, _moves(surveyed, views, convention, reading), _FACTORS)
        for reading in product(get_args(PoseDirection), get_args(CameraAxes))
    }
    agreements = {reading: _at_best_factor(each, views, _FACTORS) for reading, each in counts.items()}
    best = max(agreements, key=lambda reading: agreements[reading].share)
    moves = _moves(surveyed, views, convention, best)
    finer = agreements[best].factor * _FINER
    agreements[best] = _at_best_factor(_count(views, moves, finer), views, finer)
    rivals = _count(views, moves, agreements[best].factor * np.array([1 / 1.5, 1.5]))
    rival_share = rivals[:, :, 0].sum(axis=0).max() / views.n_points
    as_read = _moves(surveyed, views, convention, (convention.direction, convention.camera_axes))
    return Fit(
        convention=convention,
        agreements=agreements,
        n_pairs=len(views.pairs) // 2,
        scale_margin=agreements[best].share / max(float(rival_share), 1e-6),
        unsteady=_unsteady(views, as_read) if agreements[best].share_seen < MIN_SHARE_SEEN else None,
    )


def stored_pose(convention: PoseConvention, world_from_colour: Floats) -> Floats:
    """The matrix (4, 4) that a recording stores for a pose: `PoseConvention.world_from_colour`, undone."""
    z_up_from_stored_up = PoseConvention(up_axis=convention.up_axis).world_from_colour(np.eye(4))
    stored = inverse(z_up_from_stored_up) @ world_from_colour
    if convention.tracked_from_colour is not None:
        stored = stored @ inverse(convention.tracked_from_colour)
    if convention.camera_axes == "opengl":
        stored = stored @ CV_FROM_GL
    return inverse(stored) if convention.direction == "camera_from_world" else stored


def _read_as(convention: PoseConvention, world_from_camera: Floats, reading: Reading) -> Floats:
    direction, axes = reading
    stored = stored_pose(convention, world_from_camera)
    return replace(convention, direction=direction, camera_axes=axes).world_from_colour(stored)


@dataclass(frozen=True, eq=False, slots=True)
class _Views:
    """Depth of the frames that are compared, and the pairs (a, b) in which points of a are taken to b."""

    depths: Mapping[int, DepthLook]
    points: Mapping[int, Floats]
    pairs: tuple[tuple[int, int], ...]

    @property
    def n_points(self) -> int:
        return max(sum(len(self.points[a]) for a, _ in self.pairs), 1)


def _views(looks: Mapping[int, Look], pairs: Sequence[tuple[int, int]]) -> _Views:
    depths = {index: each.depth for index, each in looks.items() if each.depth is not None}
    both_ways = [each for a, b in pairs if a in depths and b in depths for each in ((a, b), (b, a))]
    points = {}
    for index in {a for a, _ in both_ways}:
        every = depths[index].points()
        points[index] = every[:: max(1, -(-len(every) // MAX_POINTS))]
    return _Views(depths, points, tuple(both_ways))


def _moves(surveyed: Survey, views: _Views, convention: PoseConvention, reading: Reading) -> list[Floats]:
    """`b_from_a` (4, 4) between the depth cameras of each pair, under a reading."""
    world_from_depth = {
        index: _read_as(convention, surveyed.poses[index], reading) @ views.depths[index].colour_from_depth
        for index in views.points
    }
    return [inverse(world_from_depth[b]) @ world_from_depth[a] for a, b in views.pairs]


def _count(views: _Views, moves: Sequence[Floats], factors: NDArray[np.float64]) -> NDArray[np.int64]:
    """(n_pairs, n_factors, 2): how many points agree, and how many land on a known pixel."""
    counts = np.zeros((len(views.pairs), len(factors), 2), dtype=np.int64)
    for row, ((a, b), b_from_a) in enumerate(zip(views.pairs, moves, strict=True)):
        for column, factor in enumerate(factors):
            # Depth times factor under these poses is depth as it is under translations divided by it.
            scaled = b_from_a.copy()
            scaled[:3, 3] /= factor
            ratios = _ratios(transform(scaled, views.points[a]), views.depths[b])
            counts[row, column] = np.count_nonzero(np.abs(ratios - 1) < TOLERANCE), len(ratios)
    return counts


def _ratios(points_b: Floats, view: DepthLook) -> Floats:
    """Depth of points (n, 3) in the frame of `view` over the depth measured there; only where there is one."""
    pixels, z = project(points_b, view.coarse_intrinsics)
    landed = inside_image(pixels, view.coarse_intrinsics)
    columns, rows = np.rint(pixels[landed]).astype(np.intp).T
    measured = view.z_m[rows, columns]
    known = measured > 0
    return np.asarray(z[landed][known] / measured[known])


def _unsteady(views: _Views, moves: Sequence[Floats]) -> float | None:
    """See `Fit.unsteady`."""
    offs, agreeing, seen = [], 0, 0
    for (a, b), b_from_a in zip(views.pairs, moves, strict=True):
        ratios = _ratios(transform(b_from_a, views.points[a]), views.depths[b])
        if len(ratios) >= 50:
            scale = float(np.median(ratios))
            offs.append(abs(np.log(scale)))
            agreeing += int(np.count_nonzero(np.abs(ratios / scale - 1) < 2 * TOLERANCE))
            seen += len(ratios)
    if len(offs) < 2 * MIN_PAIRS or agreeing < MIN_SHARE_SEEN * seen:
        return None
    return float(np.expm1(np.median(offs)))


def _at_best_factor(counts: NDArray[np.int64], views: _Views, factors: NDArray[np.float64]) -> Agreement:
    agreeing, seen = counts.sum(axis=0).T
    # Where several factors do equally well (a camera that only turns), the one nearest to the depth as read.
    level = np.flatnonzero(agreeing >= 0.995 * agreeing.max())
    best = int(level[np.abs(np.log(factors[level])).argmin()])
    share = float(agreeing[best]) / views.n_points
    return Agreement(share, float(agreeing[best]) / max(int(seen[best]), 1), float(factors[best]))
