"""TUM RGB-D: three streams, none in step with another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from recall4d.sources.tum import FORMAT
from writers.footage import Footage, put, writes

UNIT_M = 1 / 5000
DEPTH_LATE_NS = 7_000_000


def seconds(stamp_ns: int) -> str:
    return f"{stamp_ns // 10**9}.{stamp_ns % 10**9:09d}"


@writes(FORMAT, cannot=("pose mirrored", "masks of another size"), has_stamps=True)
def write_tum(folder: Path, footage: Footage) -> Path:
    colours, depths = ["# timestamp filename"], ["# timestamp filename"]
    poses = ["# timestamp tx ty tz qx qy qz qw"]
    for k in range(len(footage)):
        stamp_ns = footage.stamp_ns(k)
        colours.append(f"{seconds(stamp_ns)} rgb/{seconds(stamp_ns)}.png")
        depths.append(f"{seconds(stamp_ns + DEPTH_LATE_NS)} depth/{seconds(stamp_ns + DEPTH_LATE_NS)}.png")
        put(folder / colours[-1].split()[1], footage.png(k))
        put(folder / depths[-1].split()[1], footage.depth_png(k, UNIT_M))
        pose = footage.pose(k)
        if pose is not None:
            broken = not np.isfinite(pose).all()
            xyzw = np.full(4, np.nan) if broken else Rotation.from_matrix(pose[:3, :3]).as_quat()
            values = " ".join(f"{value:.9f}" for value in (*pose[:3, 3], *xyzw))
            # A sample before and one after: the pose of the frame has to be interpolated.
            poses += [f"{seconds(stamp_ns + off_ns)} {values}" for off_ns in (-30_000_000, 40_000_000)]
    put(folder / "rgb.txt", "\n".join(colours))
    put(folder / "depth.txt", "\n".join(depths))
    put(folder / "groundtruth.txt", "\n".join(poses))
    camera = footage.intrinsics
    put(folder / "calibration.txt", f"{camera.fx} {camera.fy} {camera.cx} {camera.cy}")
    return folder
