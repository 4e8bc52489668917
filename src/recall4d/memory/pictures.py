"""Images kept beside the store: keyframes, and a crop of every entry's best view."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recall4d.config import IngestSettings
from recall4d.geometry.pose import inverse, rotation_angle_rad
from recall4d.memory.place import Placed
from recall4d.records import Frame

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
        _write(self._directory / path, frame.jpeg or _encoded(frame.rgb))
        return path

    def _is_elsewhere(self, world_from_camera: NDArray[np.float64]) -> bool:
        if self._last is None:
            return True
        moved = inverse(self._last) @ world_from_camera
        turned_deg = np.degrees(rotation_angle_rad(moved))
        distance_m = float(np.linalg.norm(moved[:3, 3]))
        return distance_m >= self._settings.keyframe_distance_m or turned_deg >= self._settings.keyframe_angle_deg


def save_crop(directory: Path, entry_id: str, frame: Frame, placed: Placed, longest_px: int) -> str:
    """Write the part of the frame that shows an entry; its path inside the directory."""
    top, left, bottom, right = placed.observation.rectangle
    margin = int(CROP_MARGIN * max(bottom - top, right - left)) + 4
    height, width = frame.rgb.shape[:2]
    part = frame.rgb[
        max(0, top - margin) : min(height, bottom + margin), max(0, left - margin) : min(width, right + margin)
    ]
    image = Image.fromarray(part)
    image.thumbnail((longest_px, longest_px))
    path = f"crops/{_file_name(entry_id)}-{frame.stamp_ns}.jpg"
    _write(directory / path, _encoded(np.asarray(image)))
    return path


def crops_of(directory: Path, until_ns: int | None = None) -> Mapping[str, str]:
    """Path of the latest crop of every entry, inside the directory, taken up to and including `until_ns`."""
    latest: dict[str, tuple[int, str]] = defaultdict(lambda: (-1, ""))
    for path in (directory / "crops").glob("*.jpg"):
        entry_id, _, stamp = path.stem.rpartition("-")
        if stamp.isdigit() and (until_ns is None or int(stamp) <= until_ns):
            latest[entry_id] = max(latest[entry_id], (int(stamp), f"crops/{path.name}"))
    return {entry_id: path for entry_id, (_, path) in latest.items()}


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name)


def _encoded(rgb: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, "JPEG", quality=JPEG_QUALITY)
    return buffer.getvalue()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(content)
    part.replace(path)
