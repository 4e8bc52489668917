"""Small line charts in a grid, as one PNG: the same lines over different steps, with one legend for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recall4d.viewer.pencil import Pencil

PAPER, FIELD, INK, MUTED, GRID = "#ffffff", "#f8f7f4", "#1f2328", "#656d76", "#e2dfd8"
COLOURS = ("#1f6feb", "#d9762b", "#7a4fbf")
COLUMNS = 3
PANEL_W, PANEL_H, GAP_W, GAP_H, EDGE, HEAD = 268, 176, 52, 72, 44, 66
"""Pixels of the finished picture."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart: values in 0..1 over named steps.

    Attributes:
        title: stands above it.
        steps: names along the bottom.
        lines: one value a step, by the line's name; the same names in every panel, the most important first.
    """

    title: str
    steps: Sequence[str]
    lines: Mapping[str, Sequence[float]]


def write_chart(title: str, panels: Sequence[Panel], notes: Sequence[str], out: Path) -> Path:
    """Write panels as a grid; the cell after the last one holds the legend and the notes; returns `out`."""
    rows = len(panels) // COLUMNS + 1
    width = 2 * EDGE + COLUMNS * PANEL_W + (COLUMNS - 1) * GAP_W
    height = HEAD + rows * (PANEL_H + GAP_H)
    pencil = Pencil(Pencil.FINER * width, Pencil.FINER * height, unit=Pencil.FINER, paper=PAPER)
    pencil.text(_at(EDGE, 26), title, INK, size=18)
    for i, panel in enumerate(panels):
        _draw(pencil, panel, *_corner(i))
    _legend(pencil, list(panels[0].lines), notes, *_corner(len(panels)))
    out.parent.mkdir(parents=True, exist_ok=True)
    pencil.finished().save(out, format="PNG", optimize=True)
    return out


def _corner(i: int) -> tuple[float, float]:
    """Left and top of the cell."""
    row, column = divmod(i, COLUMNS)
    return EDGE + column * (PANEL_W + GAP_W), HEAD + 16 + row * (PANEL_H + GAP_H)


def _draw(pencil: Pencil, panel: Panel, left: float, top: float) -> None:
    bottom = top + PANEL_H
    pencil.box((*_at(left, top), *_at(left + PANEL_W, bottom)), FIELD)
    pencil.text(_at(left, top - 15), panel.title, INK, size=14)
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = bottom - value * PANEL_H
        pencil.line([_at(left, y), _at(left + PANEL_W, y)], GRID, 1)
        pencil.text(_at(left - 7, y), f"{value:g}", MUTED, size=11, anchor="rm")
    inner = PANEL_W - 64
    across = [left + 18 + inner * i / max(len(panel.steps) - 1, 1) for i in range(len(panel.steps))]
    for x, step in zip(across, panel.steps, strict=True):
        pencil.text(_at(x, bottom + 14), step, MUTED, size=11, anchor="mm")
    labels: list[tuple[float, str, str]] = []
    for values, colour in reversed(list(zip(panel.lines.values(), COLOURS, strict=False))):
        heights = [bottom - min(max(value, 0.0), 1.0) * PANEL_H for value in values]
        points = [_at(x, y) for x, y in zip(across, heights, strict=True)]
        if len(points) > 1:
            pencil.line(points, colour, 2.5)
        for point in points:
            pencil.disc(point, 3.5, colour)
        labels.append((heights[-1], f"{values[-1]:.2f}", colour))
    _label(pencil, across[-1] + 10, labels)


def _label(pencil: Pencil, x: float, labels: Sequence[tuple[float, str, str]]) -> None:
    """The last value of every line beside it, moved down where two would cover each other."""
    lowest = float("-inf")
    for y, text, colour in sorted(labels):
        lowest = max(y, lowest + 13)
        pencil.text(_at(x, lowest), text, colour, size=11, halo=FIELD)


def _legend(pencil: Pencil, names: Sequence[str], notes: Sequence[str], left: float, top: float) -> None:
    y = top + 10
    for name, colour in zip(names, COLOURS, strict=False):
        pencil.line([_at(left, y), _at(left + 26, y)], colour, 3)
        pencil.disc(_at(left + 13, y), 4, colour)
        pencil.text(_at(left + 36, y), name, INK, size=13)
        y += 24
    for note in notes:
        y += 18
        pencil.text(_at(left, y), note, MUTED, size=11)


def _at(x: float, y: float) -> tuple[float, float]:
    return Pencil.FINER * x, Pencil.FINER * y
