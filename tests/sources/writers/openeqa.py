"""OpenEQA's frames in both flavours."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import CV_FROM_GL, Z_UP_FROM_Y_UP, inverse
from recall4d.sources.openeqa import FORMAT
from writers.footage import Footage, numbers, put, writes
from writers.scannet import DEPTH_CAMERA, MILLIMETRES, matrix

HM3D_UNIT_M = 10 / 65535
SQUARE_CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)


@writes(FORMAT, name="openeqa-hm3d", cannot=("colour missing", "masks of another size"), camera=SQUARE_CAMERA)
def write_hm3d(folder: Path, footage: Footage) -> Path:
    history = folder / "hm3d-v0/000-hm3d-BFRyYbPCCPE"
    for k in range(len(footage)):
        put(history / f"{k:06d}-rgb.png", footage.png(k))
        put(history / f"{k:06d}-depth.png", footage.depth_png(k, HM3D_UNIT_M))
        put(history / f"{k:06d}.txt", numbers(footage.pose(k, inverse(Z_UP_FROM_Y_UP), CV_FROM_GL)))
    as_exported = matrix(footage.intrinsics)
    as_exported[1, 1] *= 1.19
    as_exported[:2, 2] += 0.5
    for name in ("intrinsic_color", "intrinsic_depth"):
        put(history / f"{name}.txt", numbers(as_exported))
    return history


@writes(FORMAT, name="openeqa-scannet", cannot=("colour missing", "masks of another size"))
def write_scannet_flavour(folder: Path, footage: Footage) -> Path:
    history = folder / "scannet-v0/002-scannet-scene0709_00"
    for k in range(len(footage)):
        put(history / f"{k:06d}-rgb.png", footage.png(k))
        put(history / f"{k:06d}-depth.png", footage.depth_png(k, MILLIMETRES, DEPTH_CAMERA))
        put(history / f"{k:06d}.txt", numbers(footage.pose(k)))
    for name, values in (
        ("intrinsic_color", matrix(footage.intrinsics)),
        ("intrinsic_depth", matrix(DEPTH_CAMERA)),
        ("extrinsic_color", np.eye(4)),
        ("extrinsic_depth", np.eye(4)),
    ):
        put(history / f"{name}.txt", numbers(values))
    return history
