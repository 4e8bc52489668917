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

    depth, axis, ids = _hits(world, eye, rays, instant_ns)
    points = eye + rays * np.where(np.isfinite(depth), depth, 0.0)[..., None]
    for copy, mirror in enumerate(world.mirrors, start=1):
        # A mirrored ray meets what the ray itself would meet behind the mirror, at the same distance.
        (at, _), (leave, _) = _crossings(eye, rays, mirror)
        facing = (at > 0) & (at <= leave) & (at <= depth + 1e-6)
        mirrored_eye, mirrored_rays = _mirrored(eye, rays, mirror)
        far, far_axis, image = _hits(world, mirrored_eye, mirrored_rays, instant_ns, beyond=at)
        image = np.where(image > 0, image + copy * len(world.things), 0)
        depth, axis, ids = (
            np.where(facing, new, old) for new, old in ((far, depth), (far_axis, axis), (image, ids))
        )
        shown = mirrored_eye + mirrored_rays * np.where(np.isfinite(depth), depth, 0.0)[..., None]
        points = np.where(facing[..., None], shown, points)

    seen = np.isfinite(depth)
    rgb = np.where(seen[..., None], _colours(world, points, axis, ids), 0.0)
    depth_m = np.where(seen, depth, np.nan).astype(np.float32)
    return View(np.rint(rgb).astype(np.uint8), depth_m, ids.astype(np.uint16))


Hits = tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.integer]]


def _hits(
    world: World, eye: Floats, rays: Floats, instant_ns: int, beyond: float | NDArray[np.float64] = 0.0
) -> Hits:
    """What rays (h, w, 3) meet first: (distance, infinite for nothing; axis of the face; instance id), each (h, w).

    `beyond` is how far along each ray its way through the room begins.
    """
    _, (depth, axis) = _crossings(eye, rays, world.room)
    depth = np.where(depth > beyond, depth, np.inf)
    ids = np.zeros(depth.shape, dtype=np.uint16)
    for number, box in world.boxes_at(instant_ns).items():
        (enter, enter_axis), (leave, _) = _crossings(eye, rays, box)
        hit = (enter > beyond) & (enter <= leave) & (enter < depth)
        depth, axis, ids = np.where(hit, enter, depth), np.where(hit, enter_axis, axis), np.where(hit, number, ids)
    return depth, axis, ids


def _mirrored(eye: Floats, rays: Floats, mirror: Box) -> tuple[Floats, Floats]:
    """The eye (3,) and rays (h, w, 3) as they look out of the mirror."""
    across = int(np.argmin(mirror.extent_xyz))
    eye, rays = eye.copy(), rays.copy()
    eye[across] = 2 * mirror.min_xyz[across] - eye[across]
    rays[..., across] *= -1
    return eye, rays


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
    palette = np.array(
        [WALL, *(thing.colour for thing in world.things * (1 + len(world.mirrors)))], dtype=np.float64
    )
    colour = palette[ids]
    is_room = ids == 0
    middle = world.room.centroid_xyz[2]
    colour[is_room & (axis == 2)] = CEILING
    colour[is_room & (axis == 2) & (points_xyz[..., 2] < middle)] = FLOOR

    tiles = np.floor(points_xyz / TILE_M)
    np.put_along_axis(tiles, axis[..., None], 0.0, axis=-1)
    shaded = np.where(is_room & (tiles.sum(axis=-1) % 2 == 1), 0.8, 1.0) * FACE_BRIGHTNESS[axis]
    return np.asarray(colour * shaded[..., None])
