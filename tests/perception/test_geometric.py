from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest

from recall4d.errors import UsageError
from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import look_at, pose
from recall4d.perception.segmenters.geometric import create
from recall4d.perception.segmenters.masks import shared_px
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.records import DepthImage, Detection, Frame, Mask, PointCloud
from recall4d.synth import Take, Thing, World, frames

CAMERA = Intrinsics(320, 240, 260.0, 260.0, 159.5, 119.5)
WORLD = World(
    room=Box((0.0, 0.0, 0.0), (4.0, 4.0, 2.4)),
    things=(
        Thing.resting("table", "table", (150, 100, 50), (1.4, 0.9, 0.75), (2.0, 2.2, 0.0)),
        Thing.resting("mug", "mug", (240, 240, 240), (0.09, 0.09, 0.10), (1.75, 2.0, 0.75)),
        Thing.resting("box", "box", (60, 60, 200), (0.25, 0.2, 0.18), (2.3, 2.3, 0.75)),
        Thing.resting("tin", "tin", (200, 60, 60), (0.1, 0.1, 0.12), (2.3, 2.3, 0.93)),
    ),
)
EYE = look_at([2.0, 0.5, 1.6], [2.0, 2.4, 0.6])


def seen_from(world_from_camera: np.ndarray) -> Frame:
    (frame,) = frames(WORLD, CAMERA, Take("robot", np.array([0]), world_from_camera[None]))
    return with_noise(frame)


@pytest.fixture(scope="module")
def table_scene() -> Frame:
    """A table with a mug and a box on it, and a tin on the box, in the middle of a room."""
    return seen_from(EYE)


def with_noise(frame: Frame) -> Frame:
    """Noise that grows with the square of the distance, as a Kinect has, and holes in one pixel of fifty."""
    z = frame.depth.z_m
    rng = np.random.default_rng(0)
    noisy = (z + 0.0012 * z**2 * rng.standard_normal(z.shape)).astype(np.float32)
    noisy[rng.random(z.shape) < 0.02] = np.nan
    return dataclasses.replace(frame, depth=dataclasses.replace(frame.depth, z_m=noisy))


def iou(a: Mask, b: Mask) -> float:
    shared = shared_px(a, b)
    return shared / (a.area_px + b.area_px - shared)


def best_match(frame: Frame, found: Sequence[Detection], name: str) -> tuple[float, Detection]:
    """The detection that fits best over the thing called `name`, and how well (IoU)."""
    (thing,) = [each for each in StoredSegmenter().segment(frame) if each.category == name]
    best = max(found, key=lambda each: iou(each.mask, thing.mask))
    return iou(best.mask, thing.mask), best


def test_things_stand_out_from_the_table_they_stand_on(table_scene):
    found = create(None).segment(table_scene)

    for name in ("mug", "box"):
        fit, match = best_match(table_scene, found, name)
        assert fit > 0.7
        assert (match.kind, match.category, match.description) == ("thing", None, None)


def test_the_room_is_surfaces_and_the_table_top_is_a_thing(table_scene):
    found = create(None).segment(table_scene)

    fit, table = best_match(table_scene, found, "table")
    assert fit > 0.5
    assert table.kind == "thing"
    surfaces = [each for each in found if each.kind == "surface"]
    assert len(surfaces) >= 3  # the floor, and walls beside and behind the table
    room = table_scene.masks.ids == 0
    assert all(room[surface.mask.to_image(*room.shape)].mean() > 0.9 for surface in surfaces)


def test_a_crease_parts_a_tin_from_the_box_it_stands_on(table_scene):
    found = create(None).segment(table_scene)

    assert best_match(table_scene, found, "tin")[0] > 0.5
    assert best_match(table_scene, found, "tin")[1] is not best_match(table_scene, found, "box")[1]


def test_a_table_that_fills_the_view_is_no_floor():
    frame = seen_from(look_at([2.0, 1.9, 1.35], [2.0, 2.15, 0.75]))

    fit, table = best_match(frame, create(None).segment(frame), "table")

    assert (fit > 0.7, table.kind) == (True, "thing")


def test_two_frames_alike_are_segmented_alike(table_scene):
    first, second = (create(None).segment(table_scene) for _ in range(2))

    assert [each.mask.rectangle for each in first] == [each.mask.rectangle for each in second]


def test_masks_have_the_size_of_the_colour_image_whatever_the_size_of_the_depth(table_scene):
    large_colour = dataclasses.replace(
        table_scene, rgb=np.zeros((480, 640, 3), np.uint8), intrinsics=CAMERA.scaled_to(640, 480)
    )

    _, mug = best_match(table_scene, create(None).segment(table_scene), "mug")
    large = create(None).segment(large_colour)

    enlarged = Mask(2 * mug.mask.top, 2 * mug.mask.left, mug.mask.patch.repeat(2, axis=0).repeat(2, axis=1))
    assert max(iou(each.mask, enlarged) for each in large) > 0.8


def test_depth_of_a_camera_beside_the_colour_camera_lands_on_the_same_things(table_scene):
    colour_from_depth = pose(np.eye(3), [0.05, 0.0, 0.0])
    depth = DepthImage(seen_from(EYE @ colour_from_depth).depth.z_m, CAMERA, colour_from_depth)

    found = create(None).segment(dataclasses.replace(table_scene, depth=depth))

    assert best_match(table_scene, found, "box")[0] > 0.6


def test_without_a_pose_the_camera_counts_as_level(table_scene):
    found = create(None).segment(dataclasses.replace(table_scene, world_from_camera=None))

    assert best_match(table_scene, found, "mug")[0] > 0.7


@pytest.mark.parametrize("z_m", [np.nan, 2.0])
def test_blank_depth_has_no_things(make_frame, z_m):
    frame = make_frame(z_m=np.full((120, 160), z_m))

    assert [each for each in create(None).segment(frame) if each.kind == "thing"] == []


def test_a_frame_without_depth_has_no_detections(make_frame):
    assert list(create(None).segment(make_frame(rgb=np.zeros((60, 80, 3), np.uint8)))) == []


def test_a_point_cloud_is_refused_with_what_to_use_instead(make_frame):
    frame = make_frame(rgb=np.zeros((60, 80, 3), np.uint8))
    cloud = PointCloud(np.zeros((4, 3)), np.eye(4))

    with pytest.raises(UsageError, match="needs depth images"):
        create(None).segment(dataclasses.replace(frame, cloud=cloud))


def test_in_the_real_kitchen_both_cups_stand_out_and_no_table_is_a_floor(shared, read_frame):
    kitchen, n_cups, n_found = shared("data/red_kitchen"), 0, 0

    for number in (240, 520, 620, 960):
        frame = read_frame(kitchen, number)
        found = create(None).segment(frame)
        for thing in StoredSegmenter().segment(frame):
            if thing.category == "cup":
                n_cups += 1
                n_found += max(iou(each.mask, thing.mask) for each in found) > 0.5
            if thing.category == "dining table":
                assert not any(each.kind == "surface" and iou(each.mask, thing.mask) > 0.1 for each in found)

    assert n_cups >= 6
    assert n_found >= 0.75 * n_cups
