"""Line charts side by side, as one PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recall4d.viewer.pencil import Pencil

PAPER, INK, MUTED, GRID = "#ffffff", "#1f2328", "#656d76", "#e4e1da"
COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#9a6700")
PANEL_W, PANEL_H, MARGIN, HEAD = 300, 230, 46, 64
"""Pixels of the finished picture."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart: values in 0..1 over named steps.

    Attributes:
        title: stands above it.
        steps: names along the bottom.
        lines: one value a step, by the line's name; the same names in every panel.
    """

    title: str
    steps: Sequence[str]
    lines: Mapping[str, Sequence[float]]


def write_chart(title: str, panels: Sequence[Panel], out: Path) -> Path:
    """Write panels side by side, with a legend above them; returns `out`."""
    width, height = len(panels) * (PANEL_W + MARGIN) + MARGIN, HEAD + PANEL_H + 2 * MARGIN
    pencil = Pencil(Pencil.FINER * width, Pencil.FINER * height, unit=Pencil.FINER, paper=PAPER)
    pencil.text(_at(MARGIN, 24), title, INK, size=17)
    x = float(MARGIN)
    for name, colour in zip(panels[0].lines, COLOURS, strict=False):
        pencil.line([_at(x, 52), _at(x + 22, 52)], colour, 3)
        x += 30 + pencil.text(_at(x + 28, 52), name, INK, size=13) / Pencil.FINER + 24
    for i, panel in enumerate(panels):
        _draw(pencil, panel, left=MARGIN + i * (PANEL_W + MARGIN), top=HEAD + MARGIN)
    out.parent.mkdir(parents=True, exist_ok=True)
    pencil.finished().save(out, format="PNG", optimize=True)
    return out


def _draw(pencil: Pencil, panel: Panel, left: float, top: float) -> None:
    bottom, inner = top + PANEL_H, PANEL_W - 24
    pencil.text(_at(left, top - 18), panel.title, INK, size=14)
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = bottom - value * PANEL_H
        pencil.line([_at(left, y), _at(left + PANEL_W, y)], GRID, 1)
        pencil.text(_at(left - 6, y), f"{value:g}", MUTED, size=11, anchor="rm")
    across = [left + 12 + inner * i / max(len(panel.steps) - 1, 1) for i in range(len(panel.steps))]
    for x, step in zip(across, panel.steps, strict=True):
        pencil.text(_at(x, bottom + 14), step, MUTED, size=11, anchor="mm")
    for values, colour in zip(panel.lines.values(), COLOURS, strict=False):
        points = [_at(x, bottom - min(max(v, 0.0), 1.0) * PANEL_H) for x, v in zip(across, values, strict=True)]
        if len(points) > 1:
            pencil.line(points, colour, 3)
        for point in points:
            pencil.disc(point, 4, colour)


def _at(x: float, y: float) -> tuple[float, float]:
    return Pencil.FINER * x, Pencil.FINER * y
