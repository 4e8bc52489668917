"""Stored images to arrays: colour, depth, instance ids and point clouds.

Files are read by Python and decoded from memory, so that any path the system can name works. What cannot be
decoded is a `FrameError` whose reason is one of the constants below; its detail names the file.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recall4d.errors import FrameError

COLOUR_MISSING = "colour image missing"
COLOUR_UNREADABLE = "colour image unreadable"
DEPTH_UNREADABLE = "depth image unreadable"
MASKS_UNREADABLE = "mask image unreadable"
CLOUD_UNREADABLE = "point cloud unreadable"

_BROKEN = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, Image.DecompressionBombError)
_COLOUR_MODES = ("RGB", "RGBA", "RGBX", "L", "LA", "P", "1", "CMYK", "YCbCr")
_DEPTH_MODES = ("I;16", "I;16B", "I;16L", "I")
_ID_MODES = ("L", "P", *_DEPTH_MODES)


class Colour(NamedTuple):
    """A decoded colour image.

    Attributes:
        rgb: (h, w, 3) uint8.
        jpeg: the bytes as stored, when they are a JPEG.
    """

    rgb: NDArray[np.uint8]
    jpeg: bytes | None


def decode_colour(encoded: bytes, name: str) -> Colour:
    """A colour image of any common format.

    Args:
        encoded: the file's bytes.
        name: what to call it in an error.

    Raises:
        FrameError: `COLOUR_UNREADABLE`.
    """
    try:
        with Image.open(io.BytesIO(encoded)) as image:
            _expect_mode(image, _COLOUR_MODES, "an 8-bit colour image")
            rgb = np.asarray(image if image.mode == "RGB" else image.convert("RGB"))
            return Colour(rgb, encoded if image.format == "JPEG" else None)
    except _BROKEN as error:
        raise FrameError(COLOUR_UNREADABLE, f"{name}: {error}") from error


def decode_depth(encoded: bytes, name: str) -> NDArray[np.integer]:
    """Stored depth (h, w), as integers in the recording's own unit. An 8-bit image is no depth and is refused.

    Raises:
        FrameError: `DEPTH_UNREADABLE`.
    """
    return _decode_integers(encoded, name, _DEPTH_MODES, "a 16-bit grey image", DEPTH_UNREADABLE)


def decode_ids(encoded: bytes, name: str) -> NDArray[np.unsignedinteger]:
    """Instance ids (h, w), uint8 or uint16; 0 is none.

    Raises:
        FrameError: `MASKS_UNREADABLE`.
    """
    ids = _decode_integers(encoded, name, _ID_MODES, "an 8- or 16-bit grey image", MASKS_UNREADABLE)
    return ids if ids.dtype == np.uint8 else ids.astype(np.uint16, copy=False)


def read_colour(path: Path) -> Colour:
    """The colour image at `path`.

    Raises:
        FrameError: `COLOUR_MISSING` or `COLOUR_UNREADABLE`.
    """
    encoded = _read(path, COLOUR_UNREADABLE)
    if encoded is None:
        raise FrameError(COLOUR_MISSING, str(path))
    return decode_colour(encoded, str(path))


def read_depth(path: Path) -> NDArray[np.integer] | None:
    """The stored depth at `path`, see `decode_depth`; None when there is no such file."""
    encoded = _read(path, DEPTH_UNREADABLE)
    return None if encoded is None else decode_depth(encoded, str(path))


def read_ids(path: Path) -> NDArray[np.unsignedinteger] | None:
    """The instance ids at `path`, see `decode_ids`; None when there is no such file."""
    encoded = _read(path, MASKS_UNREADABLE)
    return None if encoded is None else decode_ids(encoded, str(path))


def read_cloud(path: Path) -> NDArray[np.floating] | None:
    """The points (n, 3) of a NumPy file at `path`; None when there is no such file.

    Raises:
        FrameError: `CLOUD_UNREADABLE`.
    """
    encoded = _read(path, CLOUD_UNREADABLE)
    if encoded is None:
        return None
    try:
        points = np.load(io.BytesIO(encoded), allow_pickle=False)
        if points.ndim != 2 or points.shape[1] != 3 or not np.issubdtype(points.dtype, np.floating):
            raise ValueError(f"expected floats of shape (n, 3), got {points.dtype} {points.shape}")
    except _BROKEN as error:
        raise FrameError(CLOUD_UNREADABLE, f"{path}: {error}") from error
    return np.asarray(points)


def first_image_size(paths: Iterable[Path]) -> tuple[int, int] | None:
    """(width, height) of the first readable image, from its header alone; None when there is none."""
    for path in paths:
        try:
            with path.open("rb") as file, Image.open(file) as image:
                return image.size
        except _BROKEN:
            continue
    return None


def _read(path: Path, unreadable: str) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FrameError(unreadable, str(error)) from error


def _decode_integers(
    encoded: bytes, name: str, modes: Collection[str], expected: str, unreadable: str
) -> NDArray[np.unsignedinteger]:
    try:
        with Image.open(io.BytesIO(encoded)) as image:
            _expect_mode(image, modes, expected)
            return np.asarray(image)
    except _BROKEN as error:
        raise FrameError(unreadable, f"{name}: {error}") from error


def _expect_mode(image: Image.Image, modes: Collection[str], expected: str) -> None:
    if image.mode not in modes:
        raise ValueError(f"expected {expected}, got {image.format} of mode {image.mode}")
