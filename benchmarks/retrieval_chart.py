"""Times of engines as bars on a logarithmic axis, as one PNG."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from recall4d.viewer.pencil import Pencil

PAPER, INK, MUTED, GRID = "#ffffff", "#1f2328", "#656d76", "#e2dfd8"
COLOURS = ("#1f6feb", "#8c959f", "#d9762b", "#7a4fbf", "#1a7f37")
LEFT, WIDTH, BAR, GAP, HEAD, FOOT = 190, 620, 13, 16, 78, 34
"""Pixels of the finished picture."""


class Times(Protocol):
    """What a bar shows."""

    @property
    def p50_ms(self) -> float: ...

    @property
    def recall(self) -> float: ...


def write_times(title: str, timings: Mapping[str, Mapping[str, Times]], out: Path) -> Path:
    """Write p50 of every kind of question for every engine, with recall where it is below 0.995; returns `out`."""
    engines, kinds = list(timings), list(next(iter(timings.values())))
    values = [timings[engine][kind].p50_ms for engine in engines for kind in kinds]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    group = len(engines) * BAR + GAP
    height = HEAD + len(kinds) * group + FOOT
    pencil = Pencil(Pencil.FINER * (LEFT + WIDTH + 130), Pencil.FINER * height, unit=Pencil.FINER, paper=PAPER)

    def across(value_ms: float) -> float:
        return LEFT + WIDTH * (math.log10(max(value_ms, 10.0**low)) - low) / max(high - low, 1)

    pencil.text(_at(24, 26), f"{title}: milliseconds at the median, logarithmic", INK, size=17)
    x = float(LEFT)
    for engine, colour in zip(engines, COLOURS, strict=False):
        pencil.line([_at(x, 54), _at(x + 20, 54)], colour, 6)
        x += 28 + pencil.text(_at(x + 26, 54), engine, INK, size=13) / Pencil.FINER + 22
    for exponent in range(low, high + 1):
        at = across(10.0**exponent)
        pencil.line([_at(at, HEAD - 8), _at(at, height - FOOT + 4)], GRID, 1)
        pencil.text(_at(at, height - FOOT + 16), f"{10.0**exponent:g}", MUTED, size=11, anchor="mm")
    for i, kind in enumerate(kinds):
        top = HEAD + i * group
        pencil.text(_at(LEFT - 10, top + len(engines) * BAR / 2), kind, INK, size=13, anchor="rm")
        for j, (engine, colour) in enumerate(zip(engines, COLOURS, strict=False)):
            timing, y = timings[engine][kind], top + j * BAR + BAR / 2
            pencil.line([_at(LEFT, y), _at(max(across(timing.p50_ms), LEFT + 2), y)], colour, BAR - 4)
            said = f"{timing.p50_ms:,.0f}" if timing.p50_ms >= 100 else f"{timing.p50_ms:.3g}"
            said += f" (recall {timing.recall:.2f})" if timing.recall < 0.995 else ""
            pencil.text(_at(across(timing.p50_ms) + 6, y), said, MUTED, size=10)
    out.parent.mkdir(parents=True, exist_ok=True)
    pencil.finished().save(out, format="PNG", optimize=True)
    return out


def _at(x: float, y: float) -> tuple[float, float]:
    return Pencil.FINER * x, Pencil.FINER * y
