"""ARKitScenes, Polycam and Record3D: phones with a range sensor, whose depth is small and comes with confidence."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import liblzfse
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial.transform import Rotation

from recall4d.geometry.pose import CV_FROM_GL, Z_UP_FROM_Y_UP, Floats, inverse
from recall4d.sources import arkitscenes, polycam, record3d
from writers.footage import COLOUR_CAMERA, Footage, png16, put, writes

MILLIMETRES = 0.001
DEPTH_CAMERA = COLOUR_CAMERA.scaled_to(80, 60)
VIDEO = "41069021"


def arkit_pose(pose: Floats) -> Floats:
    """(4, 4) camera-to-world as ARKit says it: OpenGL axes, Y up. A broken one stays as it is."""
    return inverse(Z_UP_FROM_Y_UP) @ pose @ CV_FROM_GL if np.isfinite(pose).all() else pose


def with_ghosts(footage: Footage, k: int) -> tuple[NDArray[np.uint16] | None, NDArray[np.uint8]]:
    """Depth (60, 80) in millimetres and its confidence, 0 to 2; what is not to be trusted is wrong."""
    depth = footage.depth(k, MILLIMETRES, DEPTH_CAMERA)
    confidence = np.full((60, 80), 2, dtype=np.uint8)
    confidence[10:20, 30:50] = 0
    if depth is not None and depth.any():
        depth[confidence == 0] = 4321
    return depth, confidence


def axis_angle(pose: Floats) -> str:
    """World-to-camera as a rotation vector and a translation."""
    if not np.isfinite(pose).all():
        return " ".join(map(str, pose.ravel()[:6]))
    stored = inverse(pose)
    numbers = (*Rotation.from_matrix(stored[:3, :3]).as_rotvec(), *stored[:3, 3])
    return " ".join(f"{value:.9f}" for value in numbers)


def quaternion(pose: Floats) -> list[float]:
    """qx qy qz qw tx ty tz."""
    if not np.isfinite(pose).all():
        return pose.ravel()[:7].tolist()
    return [*Rotation.from_matrix(pose[:3, :3]).as_quat().tolist(), *pose[:3, 3].tolist()]


def png8(values: NDArray[np.uint8]) -> bytes:
    file = io.BytesIO()
    Image.fromarray(values).save(file, "PNG")
    return file.getvalue()


def depth_png(footage: Footage, k: int, depth: NDArray[np.uint16] | None) -> bytes | None:
    return None if depth is None else footage.cut(k, "depth truncated", png16(depth))


@writes(polycam.FORMAT, cannot=("masks of another size",), has_stamps=True)
def write_polycam(folder: Path, footage: Footage) -> Path:
    keyframes, camera = folder / "keyframes", footage.intrinsics
    for k in range(len(footage)):
        stamp_us = footage.stamp_ns(k) // 1000
        put(keyframes / f"corrected_images/{stamp_us}.jpg", footage.jpeg(k))
        put(keyframes / f"images/{stamp_us}.jpg", b"distorted")
        depth, confidence = with_ghosts(footage, k)
        put(keyframes / f"depth/{stamp_us}.png", depth_png(footage, k, depth))
        put(keyframes / f"confidence/{stamp_us}.png", png8(np.array([0, 127, 255], dtype=np.uint8)[confidence]))
        pose = footage.pose(k)
        if pose is None:
            continue
        calibration = {name: getattr(camera, name) for name in ("width", "height", "fx", "fy", "cx", "cy")}
        for corrected, shift_m in (("corrected_", 0.0), ("", 0.3)):
            stored = arkit_pose(pose)
            rows = {f"t_{row}{column}": stored[row, column] for row in range(3) for column in range(4)}
            rows["t_13"] += shift_m
            put(keyframes / f"{corrected}cameras/{stamp_us}.json", json.dumps(calibration | rows))
    put(folder / "mesh_info.json", "{}")
    return folder


@writes(arkitscenes.FORMAT, cannot=("pose mirrored", "colour missing", "masks of another size"), has_stamps=True)
def write_arkitscenes(folder: Path, footage: Footage) -> Path:
    frames, camera = folder / VIDEO / f"{VIDEO}_frames", footage.intrinsics
    rows = []
    for k in range(len(footage)):
        seconds = footage.stamp_ns(k) / 1e9
        name = f"{VIDEO}_{seconds:.3f}"
        put(frames / f"lowres_wide/{name}.png", footage.png(k))
        depth, confidence = with_ghosts(footage, k)
        put(frames / f"lowres_depth/{name}.png", depth_png(footage, k, depth))
        put(frames / f"confidence/{name}.png", png8(confidence))
        pincam = f"{camera.width} {camera.height} {camera.fx} {camera.fy} {camera.cx} {camera.cy}"
        put(frames / f"lowres_wide_intrinsics/{VIDEO}_{seconds + 0.001 * (k % 2):.3f}.pincam", pincam)
        pose = footage.pose(k)
        if pose is not None:
            # A sample before and one after: the pose of the frame has to be interpolated.
            rows += [f"{seconds + off_s:.9f} {axis_angle(pose)}" for off_s in (-0.03, 0.04)]
    put(frames / "lowres_wide.traj", "\n".join(rows))
    return frames.parent


@writes(record3d.FORMAT, cannot=("pose mirrored", "colour missing", "masks of another size"), has_stamps=True)
def write_record3d(folder: Path, footage: Footage) -> Path:
    path, camera = folder / "2026-03-01--12-00-00.r3d", footage.intrinsics
    members: dict[str, bytes] = {}
    poses: list[list[float] | None] = []
    for k in range(len(footage)):
        members[f"rgbd/{k}.jpg"] = footage.jpeg(k) or b""
        depth, confidence = with_ghosts(footage, k)
        if depth is not None:
            metres = depth.astype(np.float32) * np.float32(MILLIMETRES)
            metres[depth == 0] = np.nan
            members[f"rgbd/{k}.depth"] = footage.cut(k, "depth truncated", liblzfse.compress(metres.tobytes()))
        members[f"rgbd/{k}.conf"] = liblzfse.compress(confidence.tobytes())
        pose = footage.pose(k)
        poses.append(None if pose is None else quaternion(arkit_pose(pose)))
    metadata = {
        **{"w": camera.width, "h": camera.height, "dw": 80, "dh": 60, "fps": 2, "cameraType": 1},
        "K": [camera.fx, 0, 0, 0, camera.fy, 0, camera.cx, camera.cy, 1],
        "poses": poses,
        "frameTimestamps": [footage.stamp_ns(k) / 1e9 for k in range(len(footage))],
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metadata", json.dumps(metadata))
        for name, content in members.items():
            archive.writestr(name, content)
    return path
