"""Images kept beside the store: keyframes, and a crop of every entry's best view."""

from __future__ import annotations

import io
import os
import re
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recall4d.config import IngestSettings
from recall4d.errors import StoreError
from recall4d.geometry.pose import inverse, rotation_angle_rad
from recall4d.memory.place import Placed
from recall4d.records import Frame, Observation

CROP_MARGIN = 0.15
"""Share of its size by which a crop reaches beyond the mask, so that a person sees where it is."""

JPEG_QUALITY = 85


class KeyframeKeeper:
    """Decides which frames are kept as images: those that look from somewhere else than the last one kept."""

    def __init__(self, directory: Path, settings: IngestSettings, n_kept: int) -> None:
        self._directory = directory
        self._settings = settings
        self._n_kept = n_kept
        self._last: NDArray[np.float64] | None = None

    def keep(self, frame: Frame) -> str | None:
        """Write the frame's image if it is a keyframe; its path inside the directory, or None."""
        assert frame.world_from_camera is not None, "frames without a pose are not kept"
        if self._n_kept >= self._settings.keep_frames or not self._is_elsewhere(frame.world_from_camera):
            return None
        self._last = frame.world_from_camera
        self._n_kept += 1
        path = f"keyframes/{_file_name(frame.agent)}-{frame.stamp_ns}.jpg"
        write_picture(self._directory / path, frame.jpeg or _encoded(frame.rgb))
        return path

    def _is_elsewhere(self, world_from_camera: NDArray[np.float64]) -> bool:
        if self._last is None:
            return True
        moved = inverse(self._last) @ world_from_camera
        turned_deg = np.degrees(rotation_angle_rad(moved))
        distance_m = float(np.linalg.norm(moved[:3, 3]))
        return distance_m >= self._settings.keyframe_distance_m or turned_deg >= self._settings.keyframe_angle_deg


def crop_path(observation: Observation) -> str:
    """Where the crop of an observation lies inside the memory's directory, if it was ever an entry's best view."""
    return f"crops/{_file_name(observation.agent)}-{observation.stamp_ns}-{observation.index}.jpg"


def save_crop(directory: Path, frame: Frame, placed: Placed, longest_px: int) -> None:
    """Write the part of the frame that shows an observation."""
    top, left, bottom, right = placed.observation.rectangle
    margin = int(CROP_MARGIN * max(bottom - top, right - left)) + 4
    height, width = frame.rgb.shape[:2]
    part = frame.rgb[
        max(0, top - margin) : min(height, bottom + margin), max(0, left - margin) : min(width, right + margin)
    ]
    image = Image.fromarray(part)
    image.thumbnail((longest_px, longest_px))
    write_picture(directory / crop_path(placed.observation), _encoded(np.asarray(image)))


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name)


def _encoded(rgb: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, "JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue()


def write_picture(path: Path, content: bytes) -> None:
    """Write a picture whole or not at all, also where two writers write the same one.

    Raises:
        StoreError: the disk refuses.
    """
    part = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
