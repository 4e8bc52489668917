"""Room for labels in a drawing: greedy, first come first served."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

Rectangle = tuple[float, float, float, float]
"""(left, top, right, bottom), pixels."""


class LabelField:
    """Which parts of a drawing are taken, on a coarse grid.

    Args:
        width, height: of the drawing, pixels.
        cell_px: edge of a grid cell; what is asked for is rounded out to cells.
    """

    def __init__(self, width: int, height: int, cell_px: int = 4) -> None:
        self._cell_px = cell_px
        self._taken = np.zeros((-(-height // cell_px), -(-width // cell_px)), dtype=bool)

    def block(self, rectangle: Rectangle) -> None:
        """Take what part of the rectangle lies inside the drawing, free or not."""
        left, top, right, bottom = self._cells(rectangle)
        self._taken[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = True

    def place(self, wanted: Rectangle, width: float, height: float) -> tuple[float, float] | None:
        """Take room for a label of `width` x `height` that names `wanted`.

        Returns:
            Left and top of the label: inside what it names if it fits, else beside, above or below; None when every
            spot is taken or outside the drawing.
        """
        rows, columns = self._taken.shape
        for x, y in _spots(wanted, width, height):
            left, top, right, bottom = self._cells((x, y, x + width, y + height))
            inside = left >= 0 and top >= 0 and right <= columns and bottom <= rows
            if inside and not self._taken[top:bottom, left:right].any():
                self._taken[top:bottom, left:right] = True
                return x, y
        return None

    def _cells(self, rectangle: Rectangle) -> tuple[int, int, int, int]:
        left, top, right, bottom = (value / self._cell_px for value in rectangle)
        return int(np.floor(left)), int(np.floor(top)), int(np.ceil(right)), int(np.ceil(bottom))


def _spots(wanted: Rectangle, width: float, height: float) -> Iterator[tuple[float, float]]:
    left, top, right, bottom = wanted
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    gap = height / 5
    if right - left > width + 2 * gap and bottom - top > height:
        middle = (middle_x - width / 2, middle_y - height / 2)
        corners = [(x, y) for y in (top + gap, bottom - gap - height) for x in (left + gap, right - gap - width)]
        # What stands on a large thing stands about its middle: its own name belongs in a corner.
        large = right - left > 2.5 * width and bottom - top > 4 * height
        yield from [*corners, middle] if large else [middle, *corners]
    yield right + gap, middle_y - height / 2
    yield left - gap - width, middle_y - height / 2
    yield middle_x - width / 2, top - height
    yield middle_x - width / 2, bottom
    yield right, top - height
    yield right, bottom
    yield left - width, top - height
    yield left - width, bottom
