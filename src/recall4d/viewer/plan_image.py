"""A memory as one picture: the plan of what is held at the snapshot's instant, with the paths that led to it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recall4d.clock import ns_to_seconds
from recall4d.memory.snapshot import Snapshot
from recall4d.records import Entry
from recall4d.units import format_duration, format_length
from recall4d.viewer.colours import agent_colour, category_colours
from recall4d.viewer.labels import LabelField, Rectangle
from recall4d.viewer.pencil import Pencil
from recall4d.viewer.places import bounds_of, changes_of, count, label_of, places_of, runs_of

PAPER, MAP, INK, MUTED, GRID = "#fbfaf8", "#ffffff", "#1f2328", "#656d76", "#ece9e3"
SURFACE, ABSENT = "#8c857a", "#b3261e"

_DESIGN_WIDTH_PX = 1600
"""Sizes below are for a picture this wide, and grow and shrink with it."""
_MARGIN, _TITLE, _LEGEND = 36, 84, 66
"""About the map: at its sides and inside it, above it, below it."""
_SMALLEST = 8
"""A mug in a house is a pixel wide; it is drawn at least so large."""
_FLATTEST, _TALLEST = 0.3, 1.2
"""Limits of the map's height over its width."""
_WEDGE_RAD = math.radians(60)
"""A snapshot keeps poses, not lenses: every field of view is drawn this wide."""


def write_plan(snapshot: Snapshot, out: Path, width_px: int = 1600, title: str = "recall4d memory") -> Path:
    """Write the plan as a PNG: seen from above, x to the right, y up.

    Args:
        snapshot: what is drawn, as held at its `now_ns`.
        out: file to write; its folder is made if need be.
        width_px: width of the picture; its height follows from the shape of the world.
        title: stands above the counts.

    Returns:
        `out`.
    """
    plan = _Plan(snapshot, width_px)
    plan.draw_grid()
    plan.draw_surfaces()
    plan.draw_paths()
    plan.draw_things()
    plan.draw_trails()
    plan.draw_agents()
    plan.draw_names()
    plan.draw_scale()
    plan.draw_title(title)
    plan.draw_legend()
    out.parent.mkdir(parents=True, exist_ok=True)
    plan.pencil.finished().save(out, format="PNG", optimize=True)
    return out


class _Plan:
    """The plan while it is drawn, in pixels of the pencil's finer picture."""

    def __init__(self, snapshot: Snapshot, width_px: int) -> None:
        self.snapshot = snapshot
        self.unit = unit = Pencil.FINER * width_px / _DESIGN_WIDTH_PX
        low, high = bounds_of(snapshot)
        size = np.maximum(high[:2] - low[:2], 0.5)
        width, around = Pencil.FINER * width_px, 4 * _MARGIN * unit
        inner_height = (width - around) * min(max(float(size[1] / size[0]), _FLATTEST), _TALLEST)
        # In whole pixels of the finished picture, so that scaling down is exact.
        height_px = math.ceil((inner_height + (2 * _MARGIN + _TITLE + _LEGEND) * unit) / Pencil.FINER)
        height = Pencil.FINER * height_px
        self.map: Rectangle = (_MARGIN * unit, _TITLE * unit, width - _MARGIN * unit, height - _LEGEND * unit)
        left, top, right, bottom = self.map
        room = np.array([right - left, bottom - top]) - 2 * _MARGIN * unit
        self.pixels_per_metre = float((room / size).min())
        self.centre_xy = (low[:2] + high[:2]) / 2
        self.middle = np.array([(left + right) / 2, (top + bottom) / 2])
        self.pencil = Pencil(width, height, unit, PAPER)
        self.field = LabelField(width, height, cell_px=max(int(3 * unit), 1))
        # From the floor up, as they would hide each other.
        self.things = sorted(
            (entry for entry in snapshot.entries if entry.kind == "thing"), key=lambda each: each.now.box.max_xyz[2]
        )
        self.surfaces = [entry for entry in snapshot.entries if entry.kind == "surface"]
        self.moves = [
            (entry, change)
            for entry in self.things
            for change in changes_of(places_of(entry))
            if change.kind == "moved"
        ]
        self.colours = category_colours(entry.category for entry in self.things)

    def pixels(self, points: ArrayLike) -> NDArray[np.float64]:
        """Pixels (..., 2) of world points (..., 2 or more)."""
        offset = (np.asarray(points, dtype=np.float64)[..., :2] - self.centre_xy) * self.pixels_per_metre
        return np.asarray(self.middle + offset * (1.0, -1.0))

    def rectangle(self, entry: Entry) -> Rectangle:
        """Where an entry is drawn, never smaller than can be seen."""
        (left, bottom), (right, top) = self.pixels((entry.now.box.min_xyz, entry.now.box.max_xyz))
        grow_x = max(_SMALLEST * self.unit - (right - left), 0) / 2
        grow_y = max(_SMALLEST * self.unit - (bottom - top), 0) / 2
        return float(left - grow_x), float(top - grow_y), float(right + grow_x), float(bottom + grow_y)

    def draw_grid(self) -> None:
        """Lines a round number of metres apart, with their coordinates along two sides of the map."""
        left, top, right, bottom = self.map
        self.pencil.box(self.map, MAP)
        step = _round_step(70 * self.unit / self.pixels_per_metre)
        half = np.array([right - left, bottom - top]) / 2 / self.pixels_per_metre
        first, last = np.ceil((self.centre_xy - half) / step), np.floor((self.centre_xy + half) / step)
        for x in np.arange(first[0], last[0] + 1) * step:
            at = self.pixels((x, 0))[0]
            self.pencil.line([(at, top), (at, bottom)], GRID, 1)
            self.pencil.text((at, bottom + 4 * self.unit), f"{x:g}", MUTED, 12, anchor="mt")
        for y in np.arange(first[1], last[1] + 1) * step:
            at = self.pixels((0, y))[1]
            self.pencil.line([(left, at), (right, at)], GRID, 1)
            self.pencil.text((left - 5 * self.unit, at), f"{y:g}", MUTED, 12, anchor="rm")

    def draw_surfaces(self) -> None:
        """Walls, floor and ceiling, pale."""
        for entry in self.surfaces:
            self.pencil.box(self.rectangle(entry), SURFACE, fill=0.10, outline=0.35)

    def draw_paths(self) -> None:
        """The way of every agent; a gap in its poses is a gap in the line."""
        for index, trajectory in enumerate(self.snapshot.trajectories.values()):
            for run in runs_of(trajectory):
                if len(run) > 1:
                    points = list(self.pixels(trajectory.poses[run, :3, 3]))
                    self.pencil.line(points, agent_colour(index).on_light, 2, opacity=0.6)

    def draw_things(self) -> None:
        """Boxes by category; absent ones crossed out."""
        for entry in self.things:
            at = self.rectangle(entry)
            if entry.present:
                # Large boxes are pale, so that what stands on them is seen.
                side = math.sqrt((at[2] - at[0]) * (at[3] - at[1])) / self.unit
                colour = self.colours[entry.category].on_light
                self.pencil.box(at, colour, fill=min(max(16 / side, 0.16), 0.85), outline=0.85, width=1.5)
            else:
                self.pencil.box(at, ABSENT, fill=0.05, outline=0.75, width=1.5)
                self.pencil.cross(at, ABSENT, opacity=0.75)

    def draw_trails(self) -> None:
        """From where to where things moved."""
        for entry, change in self.moves:
            start, end = self.pixels((change.from_xyz, change.to_xyz))
            self.pencil.arrow(start, end, self.colours[entry.category].on_light)

    def draw_agents(self) -> None:
        """Where every agent was last, with a wedge in its viewing direction, and its name."""
        for index, (name, trajectory) in enumerate(self.snapshot.trajectories.items()):
            last = trajectory.latest(self.snapshot.now_ns)
            if last is None:
                continue
            _, world_from_camera = last
            at, colour = self.pixels(world_from_camera[:3, 3]), agent_colour(index).on_light
            forward_x, forward_y = world_from_camera[:2, 2]
            self.pencil.wedge(at, 42, math.atan2(-forward_y, forward_x), _WEDGE_RAD, colour)
            self.pencil.disc(at, 7, colour, rim=MAP)
            self.field.block(self.pencil.around(at, 7))
            self.label(name, self.pencil.around(at, 7), colour, size=15)

    def draw_names(self) -> None:
        """Labels where there is room: what moved or went first, then large before small."""
        left, top, right, bottom = self.map
        unit, edge = self.unit, 1e6
        corners = [  # Of the scale bar and the axes.
            (right - 190 * unit, bottom - 56 * unit, right, bottom),
            (left, bottom - 80 * unit, left + 80 * unit, bottom),
        ]
        outside = [(-edge, -edge, edge, top), (-edge, bottom, edge, edge), (-edge, top, left, bottom)]
        for taken in [*corners, *outside, (right, top, edge, bottom)]:
            self.field.block(taken)
        rectangles = {entry.entry_id: self.rectangle(entry) for entry in self.things}
        for each in rectangles.values():
            # A label may lie on a table, but not on a mug.
            if max(each[2] - each[0], each[3] - each[1]) < 20 * unit:
                self.field.block(each)

        def rank(entry: Entry) -> tuple[bool, float]:
            extent = entry.now.box.extent_xyz
            return len(entry.states) == 1, -extent[0] * extent[1]

        for entry in sorted(self.things, key=rank):
            colour = INK if entry.present else MUTED
            self.label(label_of(entry), rectangles[entry.entry_id], colour, struck=not entry.present)

    def label(self, text: str, wanted: Rectangle, colour: str, struck: bool = False, size: float = 13) -> None:
        """A name in or beside its box, if there is room."""
        width, height = self.pencil.font(size).getlength(text) + 4 * self.unit, (size + 4) * self.unit
        spot = self.field.place(wanted, width, height)
        if spot is None:
            return
        x, y = spot[0] + 2 * self.unit, spot[1] + height / 2
        wide = self.pencil.text((x, y), text, colour, size, halo=MAP)
        if struck:
            self.pencil.line([(x, y), (x + wide, y)], ABSENT, 1.2)

    def draw_scale(self) -> None:
        """The scale bar and the directions of the axes."""
        left, _, right, bottom = self.map
        unit = self.unit
        step = _round_step(80 * unit / self.pixels_per_metre)
        x, y, tick = right - 24 * unit, bottom - 20 * unit, 6 * unit
        start = x - step * self.pixels_per_metre
        self.pencil.line([(start, y - tick), (start, y), (x, y), (x, y - tick)], INK, 2)
        text = format_length(step).replace(".00", "")
        self.pencil.text(((start + x) / 2, y - 5 * unit), text, INK, 14, anchor="mb")
        corner = np.array([left + 22 * unit, bottom - 22 * unit])
        for name, way in (("x", np.array([1.0, 0.0])), ("y", np.array([0.0, -1.0]))):
            tip = corner + 34 * unit * way
            self.pencil.line([corner, tip], INK, 2)
            self.pencil.head(tip, math.atan2(way[1], way[0]), INK)
            self.pencil.text(corner + 46 * unit * way, name, INK, 14, anchor="mm")

    def draw_title(self, title: str) -> None:
        """Title, counts and the time the memory spans."""
        x, unit = self.map[0], self.unit
        self.pencil.text((x, 20 * unit), title, INK, 26, anchor="lt")
        spans = format_duration(ns_to_seconds(self.snapshot.now_ns - self.snapshot.origin_ns))
        holds = f"{count(self.snapshot).text} · {spans}" if self.snapshot.entries else "Nothing is remembered yet."
        self.pencil.text((x, 54 * unit), holds, MUTED, 17, anchor="lt")

    def draw_legend(self) -> None:
        """Agents, and what the ways of drawing mean, as far as they occur."""
        x, unit = self.map[0], self.unit
        y = self.map[3] + 44 * unit

        def say(text: str, width: float) -> None:
            """Write beside a sample `width` units wide, and go on to the next."""
            nonlocal x
            x += (width + 8) * unit
            x += self.pencil.text((x, y), text, INK, 15) + 26 * unit

        for index, name in enumerate(self.snapshot.agents):
            self.pencil.line([(x, y), (x + 30 * unit, y)], agent_colour(index).on_light, 2)
            self.pencil.disc((x + 15 * unit, y), 6, agent_colour(index).on_light)
            say(name, 30)
        if self.moves:
            self.pencil.arrow((x + 4 * unit, y), (x + 36 * unit, y), MUTED)
            say("moved", 36)
        if any(not entry.present for entry in self.things):
            sample = (x, y - 7 * unit, x + 22 * unit, y + 7 * unit)
            self.pencil.box(sample, ABSENT, fill=0.05, outline=0.75, width=1.5)
            self.pencil.cross(sample, ABSENT, opacity=0.75)
            say("absent", 22)
        if self.surfaces:
            self.pencil.box((x, y - 7 * unit, x + 22 * unit, y + 7 * unit), SURFACE, fill=0.15, outline=0.4)
            say("surface", 22)


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * 0.999)
