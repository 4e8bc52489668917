"""Colour names for pixels: thirteen everyday words, told apart in a perceptual space.

Eleven are the basic colour terms of English (Berlin and Kay, 1969); teal and beige are added because people use
them for things in rooms. The space is Oklab (Björn Ottosson, bottosson.github.io/posts/oklab): lightness L in
[0, 1], chroma C from 0 (grey) to about 0.3, and hue. The borders were set on the things in four indoor recordings
whose descriptions name a colour: 80 % of 172 things get a colour that they were described with.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

COLOURS = (
    "black", "grey", "white",
    "red", "orange", "brown", "beige", "yellow", "green", "teal", "blue", "purple", "pink",
)  # fmt: skip

BLACK_BELOW_L, WHITE_ABOVE_L = 0.475, 0.66
"""Lightness of neutral pixels. Indoors a white mug is seldom lighter than 0.8, nor a black one darker than 0.3."""

COLOURED_ABOVE_C = 0.035
COLOURED_ABOVE_SATURATION, FAINTEST_C = 0.09, 0.016
"""A pixel is neutral unless its chroma, or its chroma by lightness (navy, maroon), is above these."""


class _Band(NamedTuple):
    """Names along a stretch of hue: `vivid` from a chroma on, else `pale` from a lightness on, else `plain`."""

    from_deg: float
    plain: str
    vivid: tuple[str, float] | None = None
    pale: tuple[str, float] | None = None


_BANDS = (
    _Band(-15, "red", vivid=("red", 0.17), pale=("pink", 0.62)),
    _Band(12, "red", vivid=("red", 0.15), pale=("pink", 0.69)),
    _Band(38, "brown", vivid=("orange", 0.09), pale=("beige", 0.82)),
    _Band(58, "brown", vivid=("orange", 0.10), pale=("beige", 0.82)),
    _Band(72, "brown", vivid=("yellow", 0.085), pale=("beige", 0.82)),
    _Band(100, "green"),
    _Band(165, "teal"),
    _Band(205, "blue"),
    _Band(286, "purple"),
)

_SHADES = {
    "black": "grey brown blue",
    "grey": "black white brown beige",
    "white": "grey beige",
    "red": "brown pink orange",
    "orange": "brown red yellow",
    "brown": "beige orange red grey black yellow",
    "beige": "brown white grey yellow",
    "yellow": "beige orange brown",
    "green": "teal",
    "teal": "green blue",
    "blue": "teal purple black",
    "purple": "blue pink",
    "pink": "red purple",
}
"""What light and shadow make of one colour: not a second colour of the thing."""

MIN_SECOND_SHARE = 0.25

_LEVELS = 32
"""Names are looked up in a table of 32 levels of each channel: finer than people agree on names."""


def colour_name(rgb: NDArray[np.uint8]) -> str:
    """The colour of most pixels (n, 3), and a second one that is no shade of it: "red", "red and white"."""
    shares = colour_shares(rgb)
    order = np.argsort(-shares, kind="stable")
    first = COLOURS[order[0]]
    for index in order[1:]:
        if shares[index] < MIN_SECOND_SHARE:
            break
        if COLOURS[index] not in _SHADES[first].split():
            return f"{first} and {COLOURS[index]}"
    return first


def colour_shares(rgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Which share of the pixels (n, 3) has each of `COLOURS`, (13,); n is at least one."""
    levels = rgb // (256 // _LEVELS)
    names = _table()[levels[:, 0], levels[:, 1], levels[:, 2]]
    return np.asarray(np.bincount(names, minlength=len(COLOURS)) / len(rgb))


def oklab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """L, a, b (..., 3) of sRGB colours (..., 3) in [0, 1]."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    cones = linear @ [
        [0.4122214708, 0.2119034982, 0.0883024619],
        [0.5363325363, 0.6806995451, 0.2817188376],
        [0.0514459929, 0.1073969566, 0.6299787005],
    ]
    return np.asarray(
        np.cbrt(cones)
        @ [
            [0.2104542553, 1.9779984951, 0.0259040371],
            [0.7936177850, -2.4285922050, 0.7827717662],
            [-0.0040720468, 0.4505937099, -0.8086757660],
        ]
    )


@cache
def _table() -> NDArray[np.intp]:
    """(32, 32, 32) index into `COLOURS` of each colour, by its levels of red, green and blue."""
    channel = (np.arange(_LEVELS) + 0.5) / _LEVELS
    rgb = np.stack(np.meshgrid(channel, channel, channel, indexing="ij"), axis=-1)
    lightness, a, b = np.moveaxis(oklab(rgb), -1, 0)
    chroma = np.hypot(a, b)
    first_deg = _BANDS[0].from_deg
    hue_deg = (np.degrees(np.arctan2(b, a)) - first_deg) % 360 + first_deg
    names = np.where(lightness < BLACK_BELOW_L, _index("black"), _index("grey"))
    names[lightness >= WHITE_ABOVE_L] = _index("white")
    coloured = chroma > np.minimum(COLOURED_ABOVE_C, np.maximum(FAINTEST_C, COLOURED_ABOVE_SATURATION * lightness))
    for band in _BANDS:
        inside = coloured & (hue_deg >= band.from_deg)
        names[inside] = _index(band.plain)
        if band.pale is not None:
            names[inside & (lightness >= band.pale[1])] = _index(band.pale[0])
        if band.vivid is not None:
            names[inside & (chroma >= band.vivid[1])] = _index(band.vivid[0])
    return names


def _index(name: str) -> int:
    return COLOURS.index(name)
