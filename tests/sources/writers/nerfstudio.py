"""nerfstudio's transforms.json, whose pixel centres lie at half integers."""

from __future__ import annotations

import json
from pathlib import Path

from recall4d.geometry.pose import CV_FROM_GL
from recall4d.sources.nerfstudio import FORMAT
from writers.footage import Footage, put, writes

UNIT_M = 0.0005


@writes(FORMAT, cannot=("colour missing", "masks of another size"))
def write_nerfstudio(folder: Path, footage: Footage) -> Path:
    frames = []
    for k in reversed(range(len(footage))):
        put(folder / f"images/frame_{k:05d}.jpg", footage.jpeg(k))
        put(folder / f"depths/frame_{k:05d}.png", footage.depth_png(k, UNIT_M))
        frame: dict[str, object] = {
            "file_path": f"./images/frame_{k:05d}.jpg",
            "depth_file_path": f"./depths/frame_{k:05d}.png",
        }
        pose = footage.pose(k)
        if pose is not None:
            frame["transform_matrix"] = (pose * CV_FROM_GL.diagonal()).tolist()
        frames.append(frame)
    camera = footage.intrinsics
    transforms = {
        "camera_model": "OPENCV",
        **{"w": camera.width, "h": camera.height, "fl_x": camera.fx, "fl_y": camera.fy},
        **{"cx": camera.cx + 0.5, "cy": camera.cy + 0.5, "k1": 0.0, "k2": 0.0, "p1": 0.0, "p2": 0.0},
        "depth_unit_scale_factor": UNIT_M,
        "frames": frames,
    }
    put(folder / "transforms.json", json.dumps(transforms))
    return folder
