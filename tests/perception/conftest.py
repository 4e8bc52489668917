"""Frames for perception: of the recordings, and made by hand."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.depth import depth_from_raw
from recall4d.records import DepthImage, Frame, Label, StoredMasks

ReadFrame = Callable[[Path, int], Frame]
MakeFrame = Callable[..., Frame]


@pytest.fixture
def read_frame() -> ReadFrame:
    """Reads one frame of a recording in recall4d's folder layout, without the reader under `sources`."""

    def read(folder: Path, number: int) -> Frame:
        settings = json.loads((folder / "intrinsics.json").read_text())
        camera = Intrinsics(**{key: settings[key] for key in ("width", "height", "fx", "fy", "cx", "cy")})
        with (folder / "poses.csv").open() as lines:
            row = next(row for row in csv.reader(lines) if row[0] == str(number))
        beside = folder / "objects.json"
        things = json.loads((beside if beside.exists() else folder.parent / "objects.json").read_text())
        stored_depth = np.asarray(Image.open(folder / f"depth/{number:06d}.png"))
        return Frame(
            agent=folder.name,
            number=number,
            stamp_ns=int(row[1]),
            rgb=np.asarray(Image.open(folder / f"color/{number:06d}.jpg")),
            intrinsics=camera,
            world_from_camera=np.array(row[2:], dtype=np.float64).reshape(4, 4),
            depth=DepthImage(depth_from_raw(stored_depth, settings["depth_scale_m"]), camera),
            masks=StoredMasks(
                np.asarray(Image.open(folder / f"instance/{number:06d}.png")).astype(np.uint16),
                {int(key): Label(thing["category"], thing["description"]) for key, thing in things.items()},
            ),
        )

    return read


@pytest.fixture
def make_frame() -> MakeFrame:
    """Makes a frame of arrays: a grey image of the size of what is given, a level camera one metre up."""

    def make(
        rgb: np.ndarray | None = None,
        z_m: np.ndarray | None = None,
        ids: np.ndarray | None = None,
        labels: dict[int, Label] | None = None,
        world_from_camera: np.ndarray | None = None,
        focal_px: float = 300.0,
    ) -> Frame:
        height, width = next(array.shape[:2] for array in (rgb, z_m, ids) if array is not None)
        camera = Intrinsics(width, height, focal_px, focal_px, (width - 1) / 2, (height - 1) / 2)
        return Frame(
            agent="robot",
            number=7,
            stamp_ns=0,
            rgb=np.full((height, width, 3), 128, np.uint8) if rgb is None else rgb,
            intrinsics=camera,
            world_from_camera=world_from_camera,
            depth=None if z_m is None else DepthImage(z_m.astype(np.float32), camera),
            masks=None if ids is None else StoredMasks(ids, labels or {}),
        )

    return make
