"""Do depth and colour lie on one another? Depth edges are compared with image edges under small shifts.

A depth edge is nearly always an image edge too. Where depth is registered, most depth edges have an image edge
within two pixels; where it is not, more of them do after a shift. Both the share at no shift and the shift that
does best are measured.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from recall4d.clock import ns_to_seconds
from recall4d.geometry.camera import Intrinsics, project, unproject
from recall4d.geometry.pose import transform
from recall4d.records import DepthImage
from recall4d.sources.doctor.report import Verdict, rounded

WORKING_WIDTH = 640
SHIFTS_PX = np.arange(-24, 25, 2)
MAX_SHIFT_OF_WIDTH = 0.04
"""Larger shifts are not tried: in a small image they would match one thing with another."""

NEAR_PX = 2.0
MAX_EDGES = 4000
MIN_EDGES = 200

SHIFT_THAT_MATTERS_PX = 4.0
GAIN_THAT_MATTERS = 1.15
ABOVE_CHANCE = 1.4

MIN_EDGES_VOTE, MIN_VOTES, VOTES_THAT_MATTER = 30, 3, 0.75
"""Frames with so many edges vote; this share of at least so many frames must do better after the shift. A few
frames alone can be fooled by what repeats in them, such as the boards of a floor."""


@dataclass(frozen=True, eq=False, slots=True)
class EdgeHits:
    """Depth edges of one frame near image edges.

    Attributes:
        hits: (25, 25) how many edge pixels fall near an image edge when moved down and right by `SHIFTS_PX`; 0
            where a shift was not tried.
        n_edges: how many there are.
        px_per_shift: colour pixels per unit of `SHIFTS_PX`; more than 1 for images wider than `WORKING_WIDTH`.
        share_near: of all image pixels, how many are near an image edge: what chance would score.
    """

    hits: NDArray[np.int64]
    n_edges: int
    px_per_shift: float
    share_near: float


def edge_hits(rgb: NDArray[np.uint8], intrinsics: Intrinsics, depth: DepthImage) -> EdgeHits:
    """Count the depth edges of a frame near its image edges, at every shift.

    Args:
        rgb: (h, w, 3) uint8.
        intrinsics: of the colour image.
        depth: with its own camera; its edges are lifted and projected into the colour image.
    """
    step = max(1, round(rgb.shape[1] / WORKING_WIDTH))
    grey = rgb[::step, ::step].astype(np.float32).mean(axis=2)
    near = np.asarray(ndimage.distance_transform_edt(~_image_edges(grey)) <= NEAR_PX)
    rows, columns = np.nonzero(_depth_edges(depth.z_m))
    points = unproject(np.column_stack([columns, rows]), depth.z_m[rows, columns], depth.intrinsics)
    pixels, _ = project(transform(depth.colour_from_depth, points), intrinsics)
    pixels = pixels[np.isfinite(pixels).all(axis=1)] / step
    pixels = pixels[:: max(1, -(-len(pixels) // MAX_EDGES))]

    # Padding turns "outside the image" into "not near an edge", whatever the shift.
    margin = int(SHIFTS_PX[-1])
    padded = np.pad(near, margin)
    inside = (pixels > -0.5).all(axis=1) & (pixels < np.array(near.shape[::-1]) - 0.5).all(axis=1)
    left, top = (np.rint(pixels[inside]).astype(np.intp) + margin).T
    hits = np.zeros((len(SHIFTS_PX), len(SHIFTS_PX)), dtype=np.int64)
    tried = np.flatnonzero(np.abs(SHIFTS_PX) <= MAX_SHIFT_OF_WIDTH * near.shape[1])
    for row, column in itertools.product(tried, tried):
        hits[row, column] = np.count_nonzero(padded[top + SHIFTS_PX[row], left + SHIFTS_PX[column]])
    return EdgeHits(hits, int(inside.sum()), float(step), float(near.mean()))


def check_alignment(edges: Collection[EdgeHits], skews_ns: Collection[int]) -> Verdict:
    """Verdict `alignment`: the share of depth edges on image edges, the best shift, and the depth's stamp skew.

    Args:
        edges: of the frames looked at.
        skews_ns: stamps of depth minus stamps of colour.
    """
    n_edges = sum(each.n_edges for each in edges)
    skew_s = ns_to_seconds(max((abs(skew) for skew in skews_ns), default=0))
    measured: dict[str, Any] = {"n_edges": n_edges, "max_skew_s": rounded(skew_s, 4)}
    if n_edges < MIN_EDGES:
        why = "there is no depth image" if not edges else "depth has too few edges"
        return Verdict("alignment", "warn", f"Cannot tell whether depth lies on colour: {why}.", measured)
    share = np.sum([each.hits for each in edges], axis=0) / n_edges
    row, column = np.unravel_index(int(share.argmax()), share.shape)
    px = float(np.median([each.px_per_shift for each in edges]))
    shift = (float(SHIFTS_PX[column]) * px, float(SHIFTS_PX[row]) * px)
    middle = len(SHIFTS_PX) // 2
    here, best = float(share[middle, middle]), float(share[row, column])
    by_chance = float(np.mean([each.share_near for each in edges]))
    measured |= {
        "share_on_edges": rounded(here),
        "share_by_chance": rounded(by_chance),
        "best_share": rounded(best),
        "best_shift_px": [rounded(shift[0], 1), rounded(shift[1], 1)],
    }
    numbers = f"{here:.0%} of the depth edges lie on image edges"
    votes = [each.hits[row, column] > each.hits[middle, middle] for each in edges if each.n_edges >= MIN_EDGES_VOTE]
    agreed = len(votes) >= MIN_VOTES and sum(votes) >= VOTES_THAT_MATTER * len(votes)
    gained = best > GAIN_THAT_MATTERS * here and float(np.hypot(*shift)) >= SHIFT_THAT_MATTERS_PX * px
    if gained and agreed and best > ABOVE_CHANCE * by_chance:
        message = (
            f"Depth does not lie on colour: {numbers}, {best:.0%} after a shift of {shift[0]:+.0f}, "
            f"{shift[1]:+.0f} pixels (right, down). Masks will catch what lies beside the thing; depth has to be "
            "registered to colour."
        )
        return Verdict("alignment", "fail", message, measured)
    if here < ABOVE_CHANCE * by_chance:
        message = (
            f"Only {numbers}, hardly more than chance ({by_chance:.0%}): depth may not belong to these images."
        )
        return Verdict("alignment", "warn", message, measured)
    message = f"{numbers}; no shift does much better."
    if skew_s > 0:
        message += f" Stamps of depth and colour differ by up to {skew_s * 1000:.0f} ms."
    return Verdict("alignment", "ok", message, measured)


def _image_edges(grey: NDArray[np.float32]) -> NDArray[np.bool_]:
    smooth = ndimage.gaussian_filter(grey, 1.0)
    across, down = ndimage.sobel(smooth, axis=1), ndimage.sobel(smooth, axis=0)
    strength = np.hypot(across, down)
    ridge = np.where(np.abs(across) >= np.abs(down), _peaks(strength, axis=1), _peaks(strength, axis=0))
    return np.asarray(ridge & (strength > max(float(np.quantile(strength, 0.9)), 8.0)))


def _peaks(values: NDArray[np.float32], axis: int) -> NDArray[np.bool_]:
    return np.asarray((values >= np.roll(values, 1, axis)) & (values >= np.roll(values, -1, axis)))


def _depth_edges(z_m: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Pixels on the near side of a step in depth, the step possibly hidden by a few unknown pixels."""
    step_m = 0.06 * z_m + 0.03
    behind_m = ndimage.maximum_filter(np.nan_to_num(z_m), 5) - z_m
    # An unknown neighbour counts as far: sensors lose the pixels along a silhouette.
    next_to_m = ndimage.maximum_filter(np.nan_to_num(z_m, nan=np.inf), 3) - z_m
    with np.errstate(invalid="ignore"):
        return np.asarray((behind_m > step_m) & (next_to_m > step_m))
