"""Which boxes may lie at a place, without looking at all of them."""

from __future__ import annotations

import math

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
        found = [self._others]
        for level in self._levels:
            spans = level.spans(low, high)
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

    def _cell(self, value: float, axis: int) -> int:
        """The cell of a coordinate along an axis, from -1 before the first to the size after the last."""
        return math.floor(min(max(value / self._cell_m - self._first[axis], -1.0), float(self._size[axis])))

    def spans(self, low: Floats, high: Floats) -> list[Rows] | None:
        # a box that meets the place has its centre at most half a cell outside of it
        reach = self._cell_m / 2 + ROUNDING_M
        x0, x1 = (self._cell(value, 0) for value in (low[0] - reach, high[0] + reach))
        y0, y1 = (self._cell(value, 1) for value in (low[1] - reach, high[1] + reach))
        if x1 - x0 >= MAX_STRIPS:
            return None
        width, height = self._size
        x0, x1, y0, y1 = max(x0, 0), min(x1, width - 1), max(y0, 0), min(y1, height - 1)
        if x1 < x0 or y1 < y0:
            return []
        strips = np.arange(x0, x1 + 1) * height
        starts = self._keys.searchsorted(strips + y0).tolist()
        ends = self._keys.searchsorted(strips + y1, side="right").tolist()
        return [self._rows[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
