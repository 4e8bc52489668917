"""ScanNet, exported and as a stream: colour and depth of two sizes."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from recall4d.geometry.camera import Intrinsics
from recall4d.sources import scannet, scannet_sens
from writers.footage import Footage, numbers, put, writes

MILLIMETRES = 0.001
DEPTH_CAMERA = Intrinsics(80, 60, 66.0, 65.0, 40.5, 29.0)


def matrix(camera: Intrinsics) -> np.ndarray:
    """As ScanNet writes it, (4, 4)."""
    k = np.eye(4)
    k[:3, :3] = camera.matrix
    return k


@writes(scannet.FORMAT, cannot=("colour missing", "masks of another size"))
def write_scannet(folder: Path, footage: Footage) -> Path:
    for k in range(len(footage)):
        put(folder / f"color/{k}.jpg", footage.jpeg(k))
        put(folder / f"depth/{k}.png", footage.depth_png(k, MILLIMETRES, DEPTH_CAMERA))
        put(folder / f"pose/{k}.txt", numbers(footage.pose(k)))
    for name, values in (
        ("intrinsic_color", matrix(footage.intrinsics)),
        ("intrinsic_depth", matrix(DEPTH_CAMERA)),
        ("extrinsic_color", np.eye(4)),
        ("extrinsic_depth", np.eye(4)),
    ):
        put(folder / f"intrinsic/{name}.txt", numbers(values))
    return folder


@writes(scannet_sens.FORMAT, cannot=("pose missing", "masks of another size"), has_stamps=True)
def write_sens(folder: Path, footage: Footage) -> Path:
    path = folder / "scene0000_00.sens"
    put(path, sens_bytes(footage))
    return path


def sens_bytes(footage: Footage, stamped: bool = True) -> bytes:
    camera, name = footage.intrinsics, b"StructureSensor"
    matrices = (matrix(camera), np.eye(4), matrix(DEPTH_CAMERA), np.eye(4))
    parts = [
        struct.pack("<IQ", 4, len(name)) + name,
        np.stack(matrices).astype("<f4").tobytes(),
        struct.pack("<2i4IfQ", 2, 1, camera.width, camera.height, 80, 60, 1 / MILLIMETRES, len(footage)),
    ]
    for k in range(len(footage)):
        pose, depth = footage.pose(k), footage.depth(k, MILLIMETRES, DEPTH_CAMERA)
        assert pose is not None
        stored = footage.jpeg(k) or b""
        packed = b"" if depth is None else footage.cut(k, "depth truncated", zlib.compress(depth.tobytes()))
        stamp_us = footage.stamp_ns(k) // 1000 if stamped else 0
        parts += [
            pose.astype("<f4").tobytes(),
            struct.pack("<4Q", stamp_us, stamp_us, len(stored), len(packed)),
            stored,
            packed,
        ]
    return b"".join(parts)
