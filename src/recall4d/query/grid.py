"""Which boxes may lie at a place, without looking at all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
Floats = NDArray[np.float64]

CELLS_M = (2.0, 16.0, 128.0)
"""Edges of the cells of each level; a box is on the first level whose cells are larger than itself."""

ROUNDING_M = 1e-6
"""More than additions may be off by."""

MAX_STRIPS = 256
"""A place that reaches across more cells is better looked for among all boxes."""


class Grid:
    """Boxes by the cells of a plan of the world (x and y) in which their centres lie."""

    def __init__(self, low: Floats, high: Floats) -> None:
        """Sort boxes (m, 3) into cells."""
        extent = (high - low)[:, :2].max(axis=1)
        left = np.arange(len(low))
        self._levels: list[_Level] = []
        for cell_m in CELLS_M:
            here = extent[left] <= cell_m
            rows = left[here]
            if len(rows):
                self._levels.append(_Level(cell_m, rows, (low[rows, :2] + high[rows, :2]) / 2))
            left = left[~here]
        self._others = left

    def meeting(self, low: Floats, high: Floats) -> Rows | None:
        """Rows of all boxes, and of some others, that share a point in plan with a place.

        None for too wide a place.

        Args:
            low, high: (3,) corners of the place.
        """
        found, low_xy, high_xy = [self._others], low[:2].tolist(), high[:2].tolist()
        for level in self._levels:
            spans = level.spans(low_xy, high_xy)
            if spans is None:
                return None
            found += spans
        return np.concatenate(found)


class _Level:
    def __init__(self, cell_m: float, rows: Rows, centres: Floats) -> None:
        cells = np.floor(centres / cell_m).astype(np.int64)
        self._cell_m = cell_m
        self._first: list[int] = cells.min(axis=0).tolist()
        self._size: list[int] = (cells.max(axis=0) - self._first + 1).tolist()
        keys = (cells[:, 0] - self._first[0]) * self._size[1] + cells[:, 1] - self._first[1]
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._rows = rows[order]

    def _cells(self, low: float, high: float, axis: int) -> tuple[int, int]:
        """First and last of the cells along an axis whose boxes can meet what lies between two coordinates.

        A box that meets it has its centre at most half a cell outside of it.
        """
        cell_m, first, size = self._cell_m, self._first[axis], self._size[axis]
        reach = cell_m / 2 + ROUNDING_M
        start, end = (low - reach) / cell_m - first, (high + reach) / cell_m - first
        return math.floor(min(max(start, 0.0), float(size))), math.floor(min(max(end, -1.0), size - 1.0))

    def spans(self, low: Sequence[float], high: Sequence[float]) -> list[Rows] | None:
        x0, x1 = self._cells(low[0], high[0], 0)
        y0, y1 = self._cells(low[1], high[1], 1)
        if x1 - x0 >= MAX_STRIPS:
            return None
        if x1 < x0 or y1 < y0:
            return []
        height = self._size[1]
        strips = np.arange(x0, x1 + 1) * height
        starts = self._keys.searchsorted(strips + y0).tolist()
        ends = self._keys.searchsorted(strips + y1, side="right").tolist()
        return [self._rows[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
