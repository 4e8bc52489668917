"""Colour, depth and instance ids of a world, exact: a ray a pixel centre, intersected with boxes in closed form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics, unproject_image
from recall4d.geometry.pose import Floats
from recall4d.synth.world import World

FLOOR, WALL, CEILING = (165, 130, 95), (205, 200, 190), (235, 235, 235)
FACE_BRIGHTNESS = np.array([0.75, 0.87, 1.0])
"""Of faces across x, y and z, so that edges show."""
TILE_M = 0.25
"""Edge of the squares on floor, walls and ceiling: something for the eye, and image alignment, to hold on to."""


class View(NamedTuple):
    """What a camera sees.

    Attributes:
        rgb: (h, w, 3) uint8.
        depth_m: (h, w) float32, z along the optical axis, NaN where a ray leaves the world.
        ids: (h, w) uint16 instance ids; 0 is the room.
    """

    rgb: NDArray[np.uint8]
    depth_m: NDArray[np.float32]
    ids: NDArray[np.uint16]


def render(world: World, intrinsics: Intrinsics, world_from_camera: Floats, instant_ns: int = 0) -> View:
    """The world as a camera inside the room sees it at an instant.

    Args:
        world: what is there.
        intrinsics: of the camera.
        world_from_camera: (4, 4), OpenCV axes.
        instant_ns: when.
    """
    # A ray's direction has z = 1 in the camera frame, so that the distance along it is the depth.
    flat = np.ones((intrinsics.height, intrinsics.width), dtype=np.float32)
    rays = unproject_image(flat, intrinsics).astype(np.float64) @ world_from_camera[:3, :3].T
    eye = world_from_camera[:3, 3]

    _, (depth, axis) = _crossings(eye, rays, world.room)
    depth = np.where(depth > 0, depth, np.inf)
    ids = np.zeros(depth.shape, dtype=np.uint16)
    for number, box in world.boxes_at(instant_ns).items():
        (enter, enter_axis), (leave, _) = _crossings(eye, rays, box)
        hit = (enter > 0) & (enter <= leave) & (enter < depth)
        depth, axis, ids = np.where(hit, enter, depth), np.where(hit, enter_axis, axis), np.where(hit, number, ids)

    seen = np.isfinite(depth)
    points = eye + rays * np.where(seen, depth, 0.0)[..., None]
    rgb = np.where(seen[..., None], _colours(world, points, axis, ids), 0.0)
    depth_m = np.where(seen, depth, np.nan).astype(np.float32)
    return View(np.rint(rgb).astype(np.uint8), depth_m, ids.astype(np.uint16))


Crossing = tuple[NDArray[np.float64], NDArray[np.intp]]


def _crossings(eye: Floats, rays: Floats, box: Box) -> tuple[Crossing, Crossing]:
    """Where rays (h, w, 3) from `eye` enter and leave a box: (distance (h, w), axis of the face (h, w)) of each."""
    with np.errstate(divide="ignore", invalid="ignore"):
        to_min, to_max = (box.min_xyz - eye) / rays, (box.max_xyz - eye) / rays
    near = np.nan_to_num(np.minimum(to_min, to_max), nan=-np.inf, posinf=np.inf, neginf=-np.inf)
    far = np.nan_to_num(np.maximum(to_min, to_max), nan=np.inf, posinf=np.inf, neginf=-np.inf)
    return (near.max(axis=-1), near.argmax(axis=-1)), (far.min(axis=-1), far.argmin(axis=-1))


def _colours(
    world: World, points_xyz: Floats, axis: NDArray[np.intp], ids: NDArray[np.integer]
) -> NDArray[np.float64]:
    """(h, w, 3) in 0..255 of surface points whose faces lie across `axis`."""
    palette = np.array([WALL, *(thing.colour for thing in world.things)], dtype=np.float64)
    colour = palette[ids]
    is_room = ids == 0
    middle = world.room.centroid_xyz[2]
    colour[is_room & (axis == 2)] = CEILING
    colour[is_room & (axis == 2) & (points_xyz[..., 2] < middle)] = FLOOR

    tiles = np.floor(points_xyz / TILE_M)
    np.put_along_axis(tiles, axis[..., None], 0.0, axis=-1)
    shaded = np.where(is_room & (tiles.sum(axis=-1) % 2 == 1), 0.8, 1.0) * FACE_BRIGHTNESS[axis]
    return np.asarray(colour * shaded[..., None])
