"""A depth image falls into pieces where depth jumps and where surfaces meet in a concave crease."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from recall4d.perception.segmenters.planes import Relief

Labels = NDArray[np.int32]
Slices = tuple[slice, ...]

JUMP_M = 0.005
JUMP_NOISES = 2.0
JUMP_FOOTPRINTS = 2.0
"""Neighbouring pixels do not touch when farther apart in depth than the first, plus so many standard deviations,
plus so many widths of a pixel: the step along a surface seen at 63 degrees."""

CREASE_RAD = 0.35
CREASE_REACH_PX = 2
"""Two surfaces are two things where they bend towards each other by more, from so many pixels on either side."""

MIN_CORE_PX = 12
GROWTH_PX = 2
"""Pieces are found without the pixels along edges, which then join the piece beside them."""

MIN_INNER_PX = 60
MIN_INNER_SHARE = 0.5
"""Pixels whose four neighbours are of the same piece. Slivers along edges have few: they are noise."""

MIN_THING_M2 = 0.004
MIN_FACE_M2 = 0.02
"""Visible surface of a thing, and of a part of a large plane; a cup shows 0.006 m², the back of a chair 0.1 m²."""


def split(relief: Relief, plane_of_pixel: NDArray[np.int8]) -> tuple[Labels, NDArray[np.int8]]:
    """Connected pieces, each within one plane or outside all.

    Args:
        relief: the depth image.
        plane_of_pixel: (h, w) number of a plane, -1 for none.

    Returns:
        (h, w) labels, 0 for no piece, and for each label (n + 1,) its plane.
    """
    known = np.isfinite(relief.points[..., 2])
    labels, n = ndimage.label(known & ~_edges(relief, plane_of_pixel))
    labels[np.bincount(labels.ravel())[labels] < MIN_CORE_PX] = 0
    plane_of_label = np.full(n + 1, -1, dtype=np.int8)
    plane_of_label[labels] = plane_of_pixel
    for _ in range(GROWTH_PX):
        for here, there in _neighbours(labels.shape, 1):
            for target, source in ((here, there), (there, here)):
                joins = (labels[target] == 0) & known[target]
                joins &= plane_of_label[labels[source]] == plane_of_pixel[target]
                labels[target] = np.where(joins, labels[source], labels[target])
    return labels, plane_of_label


def keep_solid(relief: Relief, labels: Labels, plane_of_label: NDArray[np.int8]) -> tuple[Labels, NDArray[np.int8]]:
    """The same without pieces that are too small or too thin to be things."""
    inner = labels > 0
    for here, there in _neighbours(labels.shape, 1):
        same = labels[here] == labels[there]
        inner[here] &= same
        inner[there] &= same
    n = len(plane_of_label)
    n_px, n_inner = np.bincount(labels.ravel(), minlength=n), np.bincount(labels[inner], minlength=n)
    areas_m2 = np.bincount(labels.ravel(), weights=relief.areas_m2.ravel(), minlength=n)
    solid = (n_inner >= MIN_INNER_PX) & (n_inner >= MIN_INNER_SHARE * n_px)
    solid &= areas_m2 >= np.where(plane_of_label >= 0, MIN_FACE_M2, MIN_THING_M2)
    return np.where(solid[labels], labels, 0), plane_of_label


def _edges(relief: Relief, plane_of_pixel: NDArray[np.int8]) -> NDArray[np.bool_]:
    """(h, w) pixels beyond a jump, at the border of a plane, or in a concave crease outside planes."""
    z = relief.points[..., 2]
    edges = np.zeros(z.shape, dtype=bool)
    least_jump = np.float32(JUMP_M) + np.float32(JUMP_NOISES) * relief.noise_m
    least_jump += np.float32(JUMP_FOOTPRINTS) * relief.footprints_m
    with np.errstate(invalid="ignore"):
        for here, there in _neighbours(z.shape, 1):
            farther = z[here] - z[there]
            jump = np.abs(farther) > np.minimum(least_jump[here], least_jump[there])
            border = plane_of_pixel[here] != plane_of_pixel[there]
            jump &= border | (plane_of_pixel[here] < 0)  # the far end of a plane is still the plane
            edges[here] |= (jump & (farther > 0)) | (border & (plane_of_pixel[here] >= 0))
            edges[there] |= (jump & (farther < 0)) | (border & (plane_of_pixel[there] >= 0))
        for here, there in _neighbours(z.shape, 2 * CREASE_REACH_PX):
            across = relief.points[here] - relief.points[there]
            turn = np.einsum("ijk,ijk->ij", relief.normals[here] - relief.normals[there], across)
            concave = turn < -CREASE_RAD * np.sqrt(np.einsum("ijk,ijk->ij", across, across))
            between = _between(here, CREASE_REACH_PX)
            concave &= relief.smooth[here] & relief.smooth[there] & (plane_of_pixel[between] < 0)
            edges[between] |= concave
    return edges


def _neighbours(shape: tuple[int, ...], reach: int) -> Iterator[tuple[Slices, Slices]]:
    """For each axis of an image, the slices of all pixels and of those `reach` before them."""
    for axis in range(len(shape)):
        here, there = [slice(0, side) for side in shape], [slice(0, side) for side in shape]
        here[axis], there[axis] = slice(reach, shape[axis]), slice(0, shape[axis] - reach)
        yield tuple(here), tuple(there)


def _between(here: Slices, reach: int) -> Slices:
    """The pixels half-way between `here` and those `2 * reach` before it."""
    return tuple(slice(part.start - reach, part.stop - reach) if part.start else part for part in here)
