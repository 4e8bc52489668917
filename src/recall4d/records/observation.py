"""A detection with a place in the world: a fact, appended and never edited."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.records.detection import Description, Kind


@dataclass(frozen=True, eq=False, slots=True)
class Observation:
    """This agent, at this instant, saw something like this, here.

    Geometry is kept in the camera frame of the keyframe it hangs on, so that a corrected trajectory moves it
    without touching it.

    Attributes:
        agent, stamp_ns, index: who, when, and which of the frame's observations (in reading order of the masks).
        category: class name, or None.
        description: text and attributes.
        kind: thing or surface.
        score: the segmenter's confidence.
        surface_centroid_camera: (3,) mean of the seen points, metres, camera frame (the paper's centroid).
        hull_camera: (26, 3) float32, see `geometry.box.hull`; extreme along the world's axes at ingest.
        n_points: measured points behind it.
        distance_m: from the camera to the surface centroid.
        occluded: something in front hides a part of it (the paper's VIS).
        truncated: it reaches the edge of the image or of the measured depth.
        rectangle: (top, left, bottom, right) of its mask in the colour image, pixels.
    """

    agent: str
    stamp_ns: int
    index: int
    category: str | None
    description: Description
    kind: Kind
    score: float
    surface_centroid_camera: NDArray[np.float64]
    hull_camera: NDArray[np.float32]
    n_points: int
    distance_m: float
    occluded: bool
    truncated: bool
    rectangle: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Glimpse:
    """This agent, at this instant, saw something called so here in the image; how far off was not measured.

    A fact like an observation. It has no place of its own: if it agrees with a known thing, that was in view then.

    Attributes:
        agent, stamp_ns: who, and when.
        category: class name, or None.
        description: what came with the detection, or None; one of the two is given.
        rectangle: (top, left, bottom, right) of its mask in the colour image, pixels.
    """

    agent: str
    stamp_ns: int
    category: str | None
    description: str | None
    rectangle: tuple[int, int, int, int]
