"""The second pass: a few frames decoded one at a time, of each only what the checks need."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import FrameError
from recall4d.geometry.camera import Intrinsics, unproject_image
from recall4d.geometry.depth import scatter_depth
from recall4d.geometry.pose import Floats, transform
from recall4d.ports import Source
from recall4d.records import DepthImage, Frame
from recall4d.sources.doctor.alignment import EdgeHits, edge_hits
from recall4d.sources.doctor.survey import Sample

COARSE_WIDTH = 160
"""Depth is kept at about this width: enough for surfaces, small enough for dozens of frames at once."""


@dataclass(frozen=True, eq=False, slots=True)
class DepthLook:
    """Depth of one frame, thinned out.

    Attributes:
        intrinsics: of the depth image as it came.
        z_m: about (120, `COARSE_WIDTH`) float32, NaN unknown: every s-th pixel, no averaging.
        coarse_intrinsics: of `z_m`.
        colour_from_depth: (4, 4).
        skew_ns: stamp of depth minus stamp of colour.
        share_valid: of all pixels, in [0, 1].
        max_m: the largest depth of all pixels; NaN when none is known.
        share_at_max: of the known pixels, how many hold exactly that.
    """

    intrinsics: Intrinsics
    z_m: NDArray[np.float32]
    coarse_intrinsics: Intrinsics
    colour_from_depth: Floats
    skew_ns: int
    share_valid: float
    max_m: float
    share_at_max: float

    def points(self) -> NDArray[np.float64]:
        """(n, 3) known points, metres, depth camera frame."""
        points = unproject_image(self.z_m, self.coarse_intrinsics).reshape(-1, 3)
        return points[np.isfinite(points[:, 2])].astype(np.float64)


@dataclass(frozen=True, slots=True)
class MaskLook:
    """Stored masks of one frame: how many ids are drawn, and how many of them nothing is said of."""

    width: int
    height: int
    n_ids: int
    n_unlabelled: int


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """One decoded frame.

    Attributes:
        index: its place in the survey.
        width, height: of the colour image.
        intrinsics: of the colour image.
        depth: of a depth image, or of a point cloud as the colour camera sees it; None when there is neither.
        edges: how depth edges lie on image edges; None without a depth image, or where it was not asked for.
        masks: None when none are stored.
    """

    index: int
    width: int
    height: int
    intrinsics: Intrinsics
    depth: DepthLook | None
    edges: EdgeHits | None
    masks: MaskLook | None


def look(source: Source, sample: Sample) -> tuple[dict[int, Look], dict[str, int]]:
    """Decode the frames of a sample, by index in the survey; and how many cannot be decoded, by reason."""
    looks: dict[int, Look] = {}
    unusable: Counter[str] = Counter()
    wanted = set(sample.frames)
    for index, header in enumerate(source.headers()):
        if index in wanted:
            try:
                looks[index] = look_at(source.load(header, "doctor"), index, index in sample.edge_frames)
            except FrameError as error:
                unusable[error.reason] += 1
        if index == sample.frames[-1]:
            break
    return looks, dict(unusable)


def look_at(frame: Frame, index: int, with_edges: bool) -> Look:
    """What the checks need of one frame; edges are costly and needed of some frames only."""
    height, width = frame.rgb.shape[:2]
    masks = None
    if frame.masks is not None:
        mask_height, mask_width = frame.masks.ids.shape
        ids = [int(each) for each in np.unique(frame.masks.ids) if each != 0]
        labels = [frame.masks.labels.get(each) for each in ids]
        said = sum(label is not None and bool(label.category or label.description) for label in labels)
        masks = MaskLook(mask_width, mask_height, len(ids), len(ids) - said)
    depth = frame.depth or _depth_of_cloud(frame)
    edges = None
    if with_edges and frame.depth is not None:
        edges = edge_hits(frame.rgb, frame.intrinsics, frame.depth)
    return Look(index, width, height, frame.intrinsics, None if depth is None else _thinned(depth), edges, masks)


def _thinned(depth: DepthImage) -> DepthLook:
    known = depth.z_m[np.isfinite(depth.z_m)]
    max_m = float(known.max()) if known.size else float("nan")
    full = depth.intrinsics
    step = max(1, round(full.width / COARSE_WIDTH))
    first = step // 2
    z_m = depth.z_m[first::step, first::step].copy()
    coarse = Intrinsics(
        width=z_m.shape[1],
        height=z_m.shape[0],
        fx=full.fx / step,
        fy=full.fy / step,
        cx=(full.cx - first) / step,
        cy=(full.cy - first) / step,
    )
    return DepthLook(
        intrinsics=full,
        z_m=z_m,
        coarse_intrinsics=coarse,
        colour_from_depth=depth.colour_from_depth,
        skew_ns=depth.stamp_skew_ns,
        share_valid=known.size / depth.z_m.size,
        max_m=max_m,
        share_at_max=float(np.mean(known == max_m)) if known.size else 0.0,
    )


def _depth_of_cloud(frame: Frame) -> DepthImage | None:
    if frame.cloud is None:
        return None
    # A range sensor is far sparser than a camera: at full size hardly a pixel would find its neighbour.
    height = max(1, round(frame.intrinsics.height * COARSE_WIDTH / frame.intrinsics.width))
    intrinsics = frame.intrinsics.scaled_to(COARSE_WIDTH, height)
    points = transform(frame.cloud.camera_from_sensor, frame.cloud.points_xyz)
    z_m = scatter_depth(points[np.isfinite(points).all(axis=1)], intrinsics)
    return DepthImage(z_m, intrinsics, stamp_skew_ns=frame.cloud.stamp_skew_ns)
