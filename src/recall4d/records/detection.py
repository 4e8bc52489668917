"""Instance masks in one image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["thing", "surface"]
"""`surface` is walls, floor and ceiling; everything else is a `thing`."""


@dataclass(frozen=True, eq=False, slots=True)
class Mask:
    """A binary mask, stored as its bounding rectangle: a dense stack of full images would not fit in memory.

    Attributes:
        top, left: pixel of the patch's first row and column in the image.
        patch: (h, w) bool, cropped to the mask; never empty, never all False.
    """

    top: int
    left: int
    patch: NDArray[np.bool_]
    area_px: int = field(init=False)

    def __post_init__(self) -> None:
        if self.patch.ndim != 2 or self.patch.dtype != np.bool_:
            raise ValueError(f"expected a (h, w) bool patch, got {self.patch.shape} {self.patch.dtype}")
        area = int(np.count_nonzero(self.patch))
        if area == 0:
            raise ValueError("a mask has at least one pixel")
        object.__setattr__(self, "area_px", area)

    @classmethod
    def from_image(cls, image: NDArray[np.bool_]) -> Mask | None:
        """The mask of a full (h, w) bool image; None when it is empty."""
        rows, columns = np.flatnonzero(image.any(axis=1)), np.flatnonzero(image.any(axis=0))
        if len(rows) == 0:
            return None
        top, left = int(rows[0]), int(columns[0])
        return cls(top, left, image[top : int(rows[-1]) + 1, left : int(columns[-1]) + 1].copy())

    @classmethod
    def from_runs(cls, runs: Sequence[int], height: int, width: int) -> Mask | None:
        """The mask of run lengths as COCO writes them: down the columns, outside and inside in turn, outside first.

        Raises:
            ValueError: the runs do not add up to height x width pixels.
        """
        if any(run < 0 for run in runs) or sum(runs) != height * width:
            raise ValueError(f"expected runs that add up to {height}x{width}, got {sum(runs)} pixels")
        inside = np.repeat(np.arange(len(runs)) % 2 == 1, runs)
        return cls.from_image(inside.reshape(width, height).T)

    def to_runs(self, height: int, width: int) -> list[int]:
        """The run lengths of the mask in a full (height, width) image, see `from_runs`."""
        columns = self.to_image(height, width).T.ravel()
        starts = np.flatnonzero(np.diff(columns.astype(np.int8), prepend=0))
        return [int(run) for run in np.diff(starts, prepend=0, append=columns.size)]

    @property
    def rectangle(self) -> tuple[int, int, int, int]:
        """(top, left, bottom, right), bottom and right exclusive."""
        height, width = self.patch.shape
        return self.top, self.left, self.top + height, self.left + width

    def to_image(self, height: int, width: int) -> NDArray[np.bool_]:
        """The mask in a full (height, width) image."""
        image = np.zeros((height, width), dtype=bool)
        top, left, bottom, right = self.rectangle
        image[top:bottom, left:right] = self.patch
        return image


@dataclass(frozen=True, eq=False, slots=True)
class Detection:
    """One instance in one image, before it has a place in the world.

    Attributes:
        mask: its pixels.
        category: a short class name ("cup"), when the segmenter has one.
        description: a longer text, when the segmenter has one; otherwise the describer writes it.
        score: the segmenter's confidence, in (0, 1].
        kind: thing or surface.
        track: the same number as that instance had in the agent's frame before, where the segmenter follows
            instances through a video; else None.
    """

    mask: Mask
    category: str | None = None
    description: str | None = None
    score: float = 1.0
    kind: Kind = "thing"
    track: int | None = None


@dataclass(frozen=True, slots=True)
class Description:
    """What a describer says of a detection.

    Attributes:
        text: one concise description of the single instance (the paper's SEM).
        attributes: named attributes, such as {"colour": "red", "size": "small"}.
    """

    text: str
    attributes: dict[str, str] = field(default_factory=dict)
