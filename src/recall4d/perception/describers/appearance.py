"""`appearance`: label, colour and size in words, without a model: "small red cup"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import UsageError
from recall4d.perception.describers.colours import COLOURS, colour_name
from recall4d.perception.describers.sizes import shape_word, size_word
from recall4d.records import Description, Detection, Frame, Mask

N_PIXELS = 400
"""About so many pixels of a mask are looked at: more do not change the name of its colour."""

_COLOUR_WORDS = re.compile(
    rf"\b({'|'.join(COLOURS)}|gray|silver|gold|golden|cream|tan|cyan|turquoise|navy|violet|magenta|maroon)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AppearanceDescriber:
    """Says what can be measured: a colour by name, and size and shape from the extents."""

    name: str = "appearance"

    def describe(
        self, frame: Frame, detections: Sequence[Detection], extents_xyz: NDArray[np.float64]
    ) -> Sequence[Description]:
        """A description that came with the detection is kept, and only gains attributes.

        Where its words name a colour, no colour is added: who described it looked closer than a mean of pixels.
        """
        return [
            _describe(frame, detection, extent) for detection, extent in zip(detections, extents_xyz, strict=True)
        ]


def create(argument: str | None) -> AppearanceDescriber:
    """The entry point `appearance`.

    Raises:
        UsageError: an argument was given.
    """
    if argument is not None:
        raise UsageError(f"the describer 'appearance' takes no argument, got {argument!r}")
    return AppearanceDescriber()


def _describe(frame: Frame, detection: Detection, extent_xyz: NDArray[np.float64]) -> Description:
    attributes: dict[str, str | None] = {}
    if detection.kind == "thing":  # of a wall, what is seen says little about its size
        attributes = {"size": size_word(extent_xyz), "shape": shape_word(extent_xyz)}
    if detection.description is None or not _COLOUR_WORDS.search(detection.description):
        attributes["colour"] = colour_name(pixels_of(frame, detection.mask))
    said = {name: word for name, word in attributes.items() if word is not None}
    return Description(detection.description or _text(detection, said), said)


def _text(detection: Detection, said: dict[str, str]) -> str:
    """As in "small red cup": a medium size goes without saying, and a shape says more than a size."""
    noun = detection.category or detection.kind
    build = said.get("shape", said.get("size", "medium"))
    return " ".join([*([] if build == "medium" else [build]), said["colour"], noun])


def pixels_of(frame: Frame, mask: Mask) -> NDArray[np.uint8]:
    """About `N_PIXELS` (n, 3) of a mask, spread evenly."""
    step = max(1, int(np.sqrt(mask.area_px / N_PIXELS)))
    patch = mask.patch[::step, ::step]
    if not patch.any():
        step, patch = 1, mask.patch
    top, left, bottom, right = mask.rectangle
    return np.asarray(frame.rgb[top:bottom:step, left:right:step][patch])
