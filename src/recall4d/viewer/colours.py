"""Colours that tell categories and agents apart, on a light and on a dark ground."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

GOLDEN_ANGLE_DEG = 137.508
"""Steps of this size never repeat a hue, and any first few are spread evenly."""


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour as ``#rrggbb``, once for each ground."""

    on_light: str
    on_dark: str


UNNAMED = Colour("#6b7280", "#9ca3af")
"""Of entries without a category."""

_AGENTS = (
    Colour("#1d4ed8", "#60a5fa"),
    Colour("#c2410c", "#fb923c"),
    Colour("#7e22ce", "#c084fc"),
    Colour("#0f766e", "#2dd4bf"),
    Colour("#be185d", "#f472b6"),
    Colour("#4d7c0f", "#a3e635"),
)


def agent_colour(index: int) -> Colour:
    """The colour of the agent at `index`; repeats after six."""
    return _AGENTS[index % len(_AGENTS)]


def category_colours(categories: Iterable[str | None]) -> dict[str | None, Colour]:
    """A colour for each category, most frequent first, so that common ones lie far apart in hue."""
    counted = Counter(categories)
    counted.pop(None, None)
    names = sorted((name for name in counted if name is not None), key=lambda name: (-counted[name], name))
    colours: dict[str | None, Colour] = {None: UNNAMED}
    for index, name in enumerate(names):
        hue_deg = (25 + index * GOLDEN_ANGLE_DEG) % 360
        # After eight names a hue comes back within 20 degrees; a step in lightness keeps those two apart.
        step = (0.0, -0.08, 0.06)[index // 8 % 3]
        colours[name] = Colour(oklch(0.60 + step, 0.14, hue_deg), oklch(0.74 + step, 0.12, hue_deg))
    return colours


def oklch(lightness: float, chroma: float, hue_deg: float) -> str:
    """``#rrggbb`` of a colour in OKLCH, in which equal lightness looks equally light; clipped to sRGB.

    Source: B. Ottosson, "A perceptual color space for image processing", 2020.
    """
    a, b = chroma * math.cos(math.radians(hue_deg)), chroma * math.sin(math.radians(hue_deg))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _srgb(min(max(channel, 0.0), 1.0))):02x}" for channel in linear)


def _srgb(linear: float) -> float:
    """The sRGB transfer function (IEC 61966-2-1), both in [0, 1]."""
    return float(12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055)
