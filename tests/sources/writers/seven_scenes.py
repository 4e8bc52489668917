"""7-Scenes: a depth camera that is not the colour camera, whose poses are stored, in a world with y down."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from recall4d.geometry.pose import inverse
from recall4d.sources.seven_scenes import COLOUR_CAMERA, COLOUR_FROM_DEPTH, DEPTH_CAMERA, FORMAT
from writers.footage import Footage, numbers, png16, put, writes

MILLIMETRES = 0.001
WORLD_FROM_7SCENES = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])


@writes(FORMAT, cannot=("colour missing", "masks of another size"), camera=COLOUR_CAMERA.scaled_to(160, 120))
def write_seven_scenes(folder: Path, footage: Footage) -> Path:
    camera = DEPTH_CAMERA.scaled_to(160, 120)
    for k in range(len(footage)):
        stem = f"frame-{k:06d}"
        put(folder / f"{stem}.color.png", footage.png(k))
        depth = footage.depth(k, MILLIMETRES, camera, COLOUR_FROM_DEPTH)
        if depth is not None:
            invalid = np.where(depth == 0, np.uint16(65535), depth)
            put(folder / f"{stem}.depth.png", footage.cut(k, "depth truncated", png16(invalid)))
        put(folder / f"{stem}.pose.txt", numbers(footage.pose(k, inverse(WORLD_FROM_7SCENES), COLOUR_FROM_DEPTH)))
    return folder
