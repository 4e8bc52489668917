"""Replica as rendered for NICE-SLAM."""

from __future__ import annotations

import json
from pathlib import Path

from recall4d.sources.replica import FORMAT
from writers.footage import Footage, put, writes

UNITS_PER_METRE = 6553.5


@writes(FORMAT, cannot=("colour missing", "pose missing", "masks of another size"))
def write_replica(folder: Path, footage: Footage) -> Path:
    rows = []
    for k in range(len(footage)):
        put(folder / f"room0/results/frame{k:06d}.jpg", footage.jpeg(k))
        put(folder / f"room0/results/depth{k:06d}.png", footage.depth_png(k, 1 / UNITS_PER_METRE))
        pose = footage.pose(k)
        assert pose is not None
        rows.append(" ".join(f"{value:.9f}" for value in pose.ravel()))
    put(folder / "room0/traj.txt", "\n".join(rows))
    camera = footage.intrinsics
    calibration = {"w": camera.width, "h": camera.height}
    calibration |= {name: getattr(camera, name) for name in ("fx", "fy", "cx", "cy")}
    put(folder / "cam_params.json", json.dumps({"camera": {**calibration, "scale": UNITS_PER_METRE}}))
    return folder / "room0"
