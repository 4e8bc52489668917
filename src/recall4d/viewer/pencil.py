"""Strokes on a picture: Pillow, with opacity, antialiasing and sizes that follow the picture's width."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from recall4d.viewer.labels import Rectangle

Point = Sequence[float] | NDArray[np.float64]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class Pencil:
    """Draws at `FINER` times the size and scales down at the end: Pillow's own lines are jagged.

    Positions are pixels of the finer picture. Widths, radii and font sizes are in `unit`, so that a picture twice
    as wide looks the same and is twice as fine.

    Args:
        width, height: of the finer picture, pixels.
        unit: pixels of the finer picture in one unit of width.
        paper: ``#rrggbb`` of the ground.
    """

    FINER = 2

    def __init__(self, width: int, height: int, unit: float, paper: str) -> None:
        self.unit = unit
        self._image = Image.new("RGB", (width, height), paper)
        # In this mode colours with an opacity are blended, not written.
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    def finished(self) -> Image.Image:
        """The picture at its own size."""
        size = (self._image.width // self.FINER, self._image.height // self.FINER)
        return self._image.resize(size, Image.Resampling.BOX)

    def box(self, at: Rectangle, colour: str, fill: float = 1.0, outline: float = 0.0, width: float = 1.0) -> None:
        """A rectangle; `fill` and `outline` are opacities."""
        stroke = self._stroke(width) if outline else 0
        self._draw.rectangle(at, fill=_blend(colour, fill), outline=_blend(colour, outline), width=stroke)

    def cross(self, at: Rectangle, colour: str, opacity: float = 1.0, width: float = 1.5) -> None:
        """Both diagonals of a rectangle."""
        left, top, right, bottom = at
        self.line([(left, top), (right, bottom)], colour, width, opacity)
        self.line([(left, bottom), (right, top)], colour, width, opacity)

    def line(self, points: Sequence[Point], colour: str, width: float, opacity: float = 1.0) -> None:
        """A line through two points or more."""
        flat = [(float(point[0]), float(point[1])) for point in points]
        self._draw.line(flat, fill=_blend(colour, opacity), width=self._stroke(width), joint="curve")

    def disc(self, centre: Point, radius: float, colour: str, rim: str | None = None) -> None:
        """A filled circle, with a rim two units wide if it has a colour."""
        self._draw.ellipse(self.around(centre, radius), fill=colour, outline=rim, width=self._stroke(2))

    def ring(self, centre: Point, radius: float, colour: str) -> None:
        """An empty circle."""
        self._draw.ellipse(self.around(centre, radius), outline=colour, width=self._stroke(2))

    def wedge(self, centre: Point, radius: float, towards_rad: float, angle_rad: float, colour: str) -> None:
        """A pale slice of a circle, `angle_rad` wide about `towards_rad`, clockwise from the right."""
        start, end = (math.degrees(towards_rad + share * angle_rad) for share in (-0.5, 0.5))
        self._draw.pieslice(self.around(centre, radius), start, end, fill=_blend(colour, 0.3))

    def arrow(self, start: Point, end: Point, colour: str) -> None:
        """A dashed arrow with a ring at its start."""
        begin, way = np.asarray(start, dtype=np.float64), np.subtract(end, start)
        length = float(np.linalg.norm(way))
        if length == 0:
            return
        dash = 7 * self.unit / length
        for share in np.arange(0.0, 1.0, 1.7 * dash):
            self.line([begin + share * way, begin + min(share + dash, 1.0) * way], colour, 2)
        self.head(end, math.atan2(way[1], way[0]), colour)
        self.ring(start, 4, colour)

    def head(self, tip: Point, towards_rad: float, colour: str) -> None:
        """The head of an arrow, clockwise from the right."""
        reach = 11 * self.unit
        wings = [
            (
                float(tip[0]) + reach * math.cos(towards_rad + turn),
                float(tip[1]) + reach * math.sin(towards_rad + turn),
            )
            for turn in (2.7, -2.7)
        ]
        self._draw.polygon([(float(tip[0]), float(tip[1])), *wings], fill=colour)

    def text(
        self, at: Point, text: str, colour: str, size: float, anchor: str = "lm", halo: str | None = None
    ) -> float:
        """A line of text, with a halo two units wide if it has a colour; returns its width in pixels.

        `anchor` says which point of the text lies at `at`, in Pillow's letters.
        """
        font, xy = self.font(size), (float(at[0]), float(at[1]))
        if halo is not None:
            stroke = self._stroke(2)
            self._draw.text(xy, text, halo, font, anchor, stroke_width=stroke, stroke_fill=halo)
        self._draw.text(xy, text, colour, font, anchor)
        return font.getlength(text)

    def font(self, size: float) -> Font:
        """Pillow's own, so that the picture is the same on every machine."""
        return ImageFont.load_default(size * self.unit)

    def around(self, centre: Point, radius: float) -> Rectangle:
        """The square about a circle."""
        x, y, reach = float(centre[0]), float(centre[1]), radius * self.unit
        return x - reach, y - reach, x + reach, y + reach

    def _stroke(self, width: float) -> int:
        return max(round(width * self.unit), 1)


def _blend(colour: str, opacity: float) -> tuple[int, int, int, int]:
    """``#rrggbb`` with an opacity in [0, 1], as Pillow takes it."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue, round(255 * opacity)
