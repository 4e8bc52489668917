"""recall4d's own format."""

from __future__ import annotations

import json
from pathlib import Path

from recall4d.sources.folder import FORMAT
from recall4d.synth import kitchen
from writers.footage import Footage, put, writes

MILLIMETRES = 0.001


@writes(FORMAT, cannot=("pose missing",), has_stamps=True)
def write_folder(folder: Path, footage: Footage) -> Path:
    rows = ["frame,stamp_ns," + ",".join(f"m{row}{column}" for row in range(4) for column in range(4))]
    for k in range(len(footage)):
        put(folder / f"color/{k:06d}.jpg", footage.jpeg(k))
        put(folder / f"depth/{k:06d}.png", footage.depth_png(k, MILLIMETRES))
        put(folder / f"instance/{k:06d}.png", footage.ids_png(k))
        pose = footage.pose(k)
        assert pose is not None
        rows.append(f"{k},{footage.stamp_ns(k)}," + ",".join(f"{value:.9f}" for value in pose.ravel()))
    put(folder / "poses.csv", "\n".join(rows) + "\n")
    camera = footage.intrinsics
    calibration = {name: getattr(camera, name) for name in ("width", "height", "fx", "fy", "cx", "cy")}
    put(folder / "intrinsics.json", json.dumps({**calibration, "depth_scale_m": MILLIMETRES}))
    said = {
        i: {"category": label.category, "description": label.description} for i, label in kitchen().labels.items()
    }
    put(folder / "objects.json", json.dumps(said))
    return folder
