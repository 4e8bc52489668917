"""Poses from frame to frame, on a textured room whose poses are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recall4d import plugins
from recall4d.errors import UsageError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import inverse, look_at, pose, rotation_angle_rad
from recall4d.perception.mappers.level import START
from recall4d.records import DepthImage, Frame, SourceOptions
from recall4d.sources import open_recording

CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)


def corner_frame(number: int, world_from_camera: np.ndarray) -> Frame:
    """A corner of a room, rendered exactly: floor z = 0, walls x = 3 and y = 3, each with a texture of its own."""
    rows, columns = np.mgrid[:120, :160]
    rays = np.stack(
        [(columns - CAMERA.cx) / CAMERA.fx, (rows - CAMERA.cy) / CAMERA.fy, np.ones(rows.shape)], axis=-1
    )
    rays = rays @ world_from_camera[:3, :3].T
    eye = world_from_camera[:3, 3]
    with np.errstate(divide="ignore"):
        lengths = np.stack(
            [(3 - eye[0]) / rays[..., 0], (3 - eye[1]) / rays[..., 1], -eye[2] / rays[..., 2]], axis=-1
        )
    lengths[lengths <= 0] = np.inf
    wall, z_m = lengths.argmin(axis=-1), lengths.min(axis=-1)
    points = eye + rays * z_m[..., None]
    u = np.choose(wall, [points[..., 1], points[..., 0], points[..., 0]])
    v = np.choose(wall, [points[..., 2], points[..., 2], points[..., 1]])
    grey = 128 + 50 * np.sin(9 * u + 2 * wall) * np.sin(11 * v) + 40 * np.sin(23 * u + 17 * v + wall)
    rgb = np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, axis=-1)
    return Frame("alpha", number, number, rgb, CAMERA, None, DepthImage(z_m.astype(np.float32), CAMERA))


def walk(n: int) -> list[np.ndarray]:
    return [look_at([0.03 * step, 0.02 * step, 1.4], [2.5, 2.2 + 0.02 * step, 0.8]) for step in range(n)]


def off_m_and_deg(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    moved = inverse(a) @ b
    return float(np.linalg.norm(moved[:3, 3])), float(np.degrees(rotation_angle_rad(moved)))


@pytest.fixture(scope="module")
def mapper():
    return plugins.mapper("odometry")


def test_a_walk_is_retraced_from_where_it_begins(mapper):
    truth = walk(8)

    placed = list(mapper.place(corner_frame(number, true) for number, true in enumerate(truth)))

    assert (placed[0].world_from_camera == START).all()
    for frame, true in zip(placed, truth, strict=True):
        off_m, off_deg = off_m_and_deg(inverse(truth[0]) @ true, inverse(START) @ frame.world_from_camera)
        assert off_m < 0.02
        assert off_deg < 0.5


def test_given_poses_are_kept_and_the_others_are_joined_to_them(mapper):
    truth = walk(5)
    frames = [corner_frame(number, true) for number, true in enumerate(truth)]
    frames[0] = replace(frames[0], world_from_camera=truth[0])
    frames[3] = replace(frames[3], world_from_camera=truth[3])

    placed = list(mapper.place(frames))

    assert (placed[3].world_from_camera == truth[3]).all()
    assert all(
        off_m_and_deg(each.world_from_camera, true)[0] < 0.02 for each, true in zip(placed, truth, strict=True)
    )


def test_a_frame_that_fits_nowhere_has_no_pose_and_the_next_is_joined_across_it(mapper):
    truth = walk(3)
    frames = [corner_frame(number, true) for number, true in enumerate(truth)]
    elsewhere = np.random.default_rng(0)
    frames[1] = replace(
        frames[1],
        rgb=elsewhere.integers(0, 255, (120, 160, 3), dtype=np.uint8),
        depth=DepthImage(elsewhere.uniform(0.5, 5, (120, 160)).astype(np.float32), CAMERA),
    )

    first, lost, found = mapper.place(frames)

    assert lost.world_from_camera is None
    off_m, _ = off_m_and_deg(
        inverse(truth[0]) @ truth[2], inverse(first.world_from_camera) @ found.world_from_camera
    )
    assert off_m < 0.02


def test_a_frame_without_depth_cannot_be_placed(mapper):
    (frame,) = mapper.place([replace(corner_frame(0, walk(1)[0]), depth=None)])

    assert frame.world_from_camera is None


def test_a_step_too_wide_for_dense_odometry_is_taken_by_features(mapper):
    near, far = look_at([0.0, 0.0, 1.4], [2.5, 2.2, 0.8]), look_at([0.5, 0.2, 1.5], [2.5, 2.4, 0.8])

    first, second = mapper.place([corner_frame(0, near), corner_frame(1, far)])

    if second.world_from_camera is not None:
        off_m, _ = off_m_and_deg(inverse(near) @ far, inverse(first.world_from_camera) @ second.world_from_camera)
        assert off_m < 0.05, "no motion is better than a wrong one"


def test_red_kitchen_with_its_poses_withheld_is_retraced(mapper, shared):
    """Against the refined trajectory, over the first 30 frames, five seconds."""
    folder = shared("data/red_kitchen")
    rows = np.loadtxt(folder / "poses_refined.csv", delimiter=",", skiprows=1)[:30, 2:18].reshape(-1, 4, 4)
    source = open_recording(folder, None, SourceOptions())
    headers = list(source.headers())[:30]
    frames = (replace(source.load(header, "alpha"), world_from_camera=None) for header in headers)

    placed = [frame.world_from_camera for frame in mapper.place(frames)]

    offs = [
        off_m_and_deg(inverse(rows[0]) @ true, inverse(placed[0]) @ found)[0]
        for true, found in zip(rows, placed, strict=True)
    ]
    assert max(offs) < 0.06


def test_it_takes_no_argument():
    with pytest.raises(UsageError, match="takes no argument"):
        plugins.mapper("odometry:fast")


def test_given_gives_back_what_it_is_given():
    frame = replace(corner_frame(0, walk(1)[0]), world_from_camera=pose(np.eye(3), [1, 2, 3]))

    assert list(plugins.mapper("given").place([frame])) == [frame]
