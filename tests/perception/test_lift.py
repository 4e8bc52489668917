"""Masks and measurements become things with a place, whatever measured them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

from recall4d.errors import FrameError
from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics, unproject_image
from recall4d.geometry.pose import inverse, look_at, pose, pose_from_axis_angle, transform
from recall4d.perception.lift import lift, measured_depth
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.records import DepthImage, Mask, PointCloud
from recall4d.synth import Take, Thing, World, frames, render

CAMERA = Intrinsics(320, 240, 260.0, 260.0, 159.5, 119.5)
CRATE = Thing.resting("crate", "green crate", (40, 150, 60), (0.5, 0.4, 0.3), (2.0, 2.0, 0.0))
BOX = CRATE.box_at(0)
EYE = look_at([0.6, 0.5, 1.6], BOX.centroid_xyz)


def film(world, world_from_camera=EYE):
    return next(iter(frames(world, CAMERA, Take("alpha", np.array([0]), world_from_camera[None]))))


def room(*things):
    return World(Box((0, 0, 0), (4, 4, 2.5)), things)


def lifted(frame):
    detections = StoredSegmenter().segment(frame)
    things, _ = lift(frame, detections, measured_depth(frame, max_skew_ns=0))
    return {each.detection.description: each for each in things}


@pytest.fixture
def frame():
    return film(room(CRATE))


def test_the_hull_reaches_the_sides_that_are_seen(frame):
    crate = lifted(frame)["green crate"]
    box = Box.spanning(crate.hull_xyz)
    assert box.min_xyz == pytest.approx(BOX.min_xyz, abs=0.03)
    assert box.max_xyz == pytest.approx(BOX.max_xyz, abs=0.03)
    assert crate.distance_m == pytest.approx(np.linalg.norm(EYE[:3, 3] - crate.surface_centroid_xyz))
    assert not crate.occluded
    assert not crate.truncated


def test_a_cloud_in_the_sensors_own_frame_gives_the_same_as_depth(frame):
    camera_from_sensor = pose_from_axis_angle([0.3, -0.2, 1.0], [0.05, -0.1, 0.2])
    points = unproject_image(frame.depth.z_m, CAMERA).reshape(-1, 3)
    cloud = PointCloud(transform(inverse(camera_from_sensor), points), camera_from_sensor)
    from_depth, from_cloud = (
        lifted(frame)["green crate"],
        lifted(replace(frame, depth=None, cloud=cloud))["green crate"],
    )
    assert from_cloud.hull_xyz == pytest.approx(from_depth.hull_xyz, abs=0.02)
    assert from_cloud.surface_centroid_xyz == pytest.approx(from_depth.surface_centroid_xyz, abs=0.01)


def test_depth_of_half_the_resolution_gives_the_same_place(frame):
    small = CAMERA.scaled_to(160, 120)
    view = render(room(CRATE), small, EYE, 0)
    coarse = lifted(replace(frame, depth=DepthImage(view.depth_m, small)))["green crate"]
    assert coarse.surface_centroid_xyz == pytest.approx(lifted(frame)["green crate"].surface_centroid_xyz, abs=0.02)
    assert not coarse.truncated


def test_depth_of_a_camera_beside_is_registered(frame):
    colour_from_depth = pose(np.eye(3), [0.05, 0.0, 0.0])
    view = render(room(CRATE), CAMERA, EYE @ colour_from_depth, 0)
    beside = lifted(replace(frame, depth=DepthImage(view.depth_m, CAMERA, colour_from_depth)))["green crate"]
    assert Box.spanning(beside.hull_xyz).centroid_xyz == pytest.approx(BOX.centroid_xyz, abs=0.04)


def test_a_mask_drawn_two_pixels_too_wide_does_not_move_the_box(frame):
    detections = StoredSegmenter().segment(frame)
    crate = next(each for each in detections if each.description == "green crate")
    image = crate.mask.to_image(240, 320)
    bled = replace(crate, mask=Mask.from_image(binary_dilation(image, iterations=2)))
    measured = measured_depth(frame, max_skew_ns=0)
    (clean,), _ = lift(frame, [crate], measured)
    (wide,), _ = lift(frame, [bled], measured)
    assert Box.spanning(wide.hull_xyz).centroid_xyz == pytest.approx(
        Box.spanning(clean.hull_xyz).centroid_xyz, abs=0.04
    )


def test_something_in_front_makes_it_occluded():
    # On the line of sight, hiding the crate's left half.
    board = Thing.resting("board", "white board", (240, 240, 240), (0.05, 0.3, 1.2), (1.2, 1.3, 0.0))
    things = lifted(film(room(CRATE, board)))
    assert things["green crate"].occluded
    assert not things["white board"].occluded


def test_a_thing_at_the_edge_of_the_image_is_truncated():
    aside = look_at([0.6, 0.5, 1.6], [3.2, 1.2, 0.2])
    assert lifted(film(room(CRATE), aside))["green crate"].truncated


def test_masks_without_measurement_are_counted(frame):
    z = frame.depth.z_m.copy()
    detections = StoredSegmenter().segment(frame)
    crate = next(each for each in detections if each.description == "green crate")
    z[crate.mask.to_image(240, 320)] = np.nan
    hole = replace(frame, depth=DepthImage(z, CAMERA))
    things, dropped = lift(hole, detections, measured_depth(hole, max_skew_ns=0))
    assert dropped == {"too few measured points": 1}
    assert all(each.detection is not crate for each in things)


def test_masks_of_a_few_pixels_are_counted():
    pebble = Thing.resting("pebble", "grey pebble", (90, 90, 90), (0.03, 0.03, 0.03), (1.0, 3.0, 0.0))
    frame = film(room(CRATE, pebble))
    things, dropped = lift(frame, StoredSegmenter().segment(frame), measured_depth(frame, max_skew_ns=0))
    assert [each.detection.description for each in things] == ["green crate"]
    assert dropped == {"too small in the image": 1}


def test_a_frame_that_measures_nothing_is_refused(frame):
    with pytest.raises(FrameError, match="no depth"):
        measured_depth(replace(frame, depth=None), 0)
    with pytest.raises(FrameError, match="blank"):
        measured_depth(replace(frame, depth=DepthImage(np.full((240, 320), np.nan, np.float32), CAMERA)), 0)
    with pytest.raises(FrameError, match=r"too far from the image in time: 30\.0 ms"):
        measured_depth(replace(frame, depth=replace(frame.depth, stamp_skew_ns=30_000_000)), 20_000_000)
