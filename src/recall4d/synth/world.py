"""Rooms and the boxes in them, over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.geometry.box import Box, Vec3, vec3
from recall4d.records import Label

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Stay:
    """Where a thing is from an instant on, until its next stay begins.

    Attributes:
        from_ns: the instant.
        base_xyz: centre of the thing's underside, world frame, metres; None while it is not in the world.
        gliding: it does not rest here but leaves at once, evenly and straight, for its next stay.
    """

    from_ns: int
    base_xyz: Vec3 | None
    gliding: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """A box of one colour with its worldline.

    Attributes:
        category, description: what a segmenter would say of it.
        colour: of its brightest face.
        size_xyz: edge lengths along the world's axes, metres.
        stays: oldest first, never empty; the first one holds from the beginning of time.
    """

    category: str
    description: str
    colour: Rgb
    size_xyz: Vec3
    stays: tuple[Stay, ...]

    @classmethod
    def resting(cls, category: str, description: str, colour: Rgb, size_xyz: Vec3, base_xyz: Vec3) -> Thing:
        """A thing that never moves."""
        return cls(category, description, colour, size_xyz, (Stay(0, base_xyz),))

    def then(self, from_ns: int, base_xyz: Vec3 | None, *, carried_since_ns: int | None = None) -> Thing:
        """This thing with one more stay: put at `base_xyz` at `from_ns`, or taken away (None).

        Args:
            from_ns: from when it is there.
            base_xyz: where.
            carried_since_ns: when it left its last place on its way here; None moves it at once.
        """
        stays = self.stays
        if carried_since_ns is not None:
            stays += (Stay(carried_since_ns, stays[-1].base_xyz, gliding=True),)
        return replace(self, stays=(*stays, Stay(from_ns, base_xyz)))

    def base_at(self, instant_ns: int) -> Vec3 | None:
        """Centre of its underside; None while it is not in the world."""
        index = max((i for i, stay in enumerate(self.stays) if stay.from_ns <= instant_ns), default=0)
        stay = self.stays[index]
        following = self.stays[index + 1] if index + 1 < len(self.stays) else None
        if not stay.gliding or stay.base_xyz is None or following is None or following.base_xyz is None:
            return stay.base_xyz
        share = (instant_ns - stay.from_ns) / (following.from_ns - stay.from_ns)
        return vec3((1 - share) * np.asarray(stay.base_xyz) + share * np.asarray(following.base_xyz))

    def box_at(self, instant_ns: int) -> Box | None:
        """Its box; None while it is not in the world."""
        base = self.base_at(instant_ns)
        if base is None:
            return None
        half_x, half_y, height = self.size_xyz[0] / 2, self.size_xyz[1] / 2, self.size_xyz[2]
        x, y, z = base
        return Box((x - half_x, y - half_y, z), (x + half_x, y + half_y, z + height))


@dataclass(frozen=True, slots=True)
class World:
    """A room and the things in it.

    Attributes:
        room: its inside; the floor is its lower face.
        things: the instance id of `things[i]` is i + 1; 0 is the room itself.
        mirrors: flat boxes on the walls. A range camera measures what it sees in them as if it were behind them;
            to a segmenter that is another thing, so what is seen in `mirrors[k]` has an id of its own, i + 1 plus
            (k + 1) times the number of things.
    """

    room: Box
    things: tuple[Thing, ...]
    mirrors: tuple[Box, ...] = ()

    @property
    def labels(self) -> Mapping[int, Label]:
        """What is said of each instance id; a thing and its mirror images are called the same."""
        shown = self.things * (1 + len(self.mirrors))
        return {i: Label(thing.category, thing.description) for i, thing in enumerate(shown, start=1)}

    def boxes_at(self, instant_ns: int) -> dict[int, Box]:
        """The boxes of the things that are in the world, by instance id."""
        boxes = {i: thing.box_at(instant_ns) for i, thing in enumerate(self.things, start=1)}
        return {i: box for i, box in boxes.items() if box is not None}

    def distance_to_surface_m(self, points_xyz: ArrayLike, instant_ns: int = 0) -> NDArray[np.float64]:
        """How far points (n, 3) of the world frame are from the nearest surface, (n,)."""
        points = np.asarray(points_xyz, dtype=np.float64)
        boxes = [self.room, *self.boxes_at(instant_ns).values()]
        return np.asarray(np.min([_distance_to_faces_m(points, box) for box in boxes], axis=0))


def _distance_to_faces_m(points_xyz: NDArray[np.float64], box: Box) -> NDArray[np.float64]:
    """Unsigned distance (n,) of points (n, 3) to the faces of a box, from inside or outside."""
    centre, half = np.asarray(box.centroid_xyz), np.asarray(box.extent_xyz) / 2
    beyond = np.abs(points_xyz - centre) - half
    outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
    return np.asarray(np.where(outside > 0, outside, -beyond.max(axis=1)))
