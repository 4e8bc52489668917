"""The MapAnything adapter against a stand-in that keeps to the documented interface of the package.

The package is not on PyPI and its weights are not here: tested is what the adapter gives to `infer`, and what it
makes of predictions of the documented form. The stand-in knows the true cameras, and predicts them in a frame and a
scale of its own, as the network would.
"""

from __future__ import annotations

import sys
import types
from dataclasses import replace

import numpy as np
import pytest
import torch

from recall4d import plugins
from recall4d.errors import MissingExtraError, UsageError
from recall4d.geometry.camera import Intrinsics, project
from recall4d.geometry.pose import inverse, look_at, pose_from_axis_angle
from recall4d.perception.lift import measured_depth
from recall4d.perception.mappers.level import START
from recall4d.perception.mappers.map_anything import anchored, uncropped
from recall4d.records import DepthImage, Frame, PointCloud

CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)
TARGET_WH = (70, 56)


class StandIn:
    """`mapanything.models.MapAnything`: a wall two metres ahead of every camera, its poses off by a transform."""

    def __init__(self, cameras):
        self.cameras = cameras
        self.windows = []
        self.model_from_world = pose_from_axis_angle([0.3, -0.8, 0.2], [4.0, 5.0, 6.0])
        self.scale = 1.0

    def to(self, device):
        return self

    def eval(self):
        return self

    def infer(self, views, **options):
        assert options["amp_dtype"] in ("fp32", "bf16", "fp16")
        poses = ["camera_poses" in view for view in views]
        assert poses[0] or not any(poses), "the first view must have a pose if any has"
        assert all("intrinsics" in view for view in views if "depth_z" in view), "depth needs a camera"
        self.windows.append(views)
        return [self._prediction(view) for view in views]

    def _prediction(self, view):
        width, height = TARGET_WH
        model_from_camera = self.model_from_world @ self.cameras[int(view["img"][0, 0, 0])]
        model_from_camera[:3, 3] /= self.scale
        small = shrunk(CAMERA, *TARGET_WH)
        return {
            "camera_poses": torch.tensor(model_from_camera[None]),
            "intrinsics": torch.tensor(small.matrix[None]),
            "depth_z": torch.full((1, height, width, 1), 2.0 / self.scale),
            "mask": torch.ones(1, height, width, 1),
        }


def shrunk(camera: Intrinsics, width: int, height: int) -> Intrinsics:
    """Shrunk until it just covers `width` x `height`, then cropped about its middle."""
    scale = max(width / camera.width, height / camera.height)
    left, top = (scale * camera.width - width) / 2, (scale * camera.height - height) / 2
    cx, cy = (camera.cx + 0.5) * scale - 0.5 - left, (camera.cy + 0.5) * scale - 0.5 - top
    return Intrinsics(width, height, camera.fx * scale, camera.fy * scale, cx, cy)


@pytest.fixture
def cameras():
    return [look_at([0.2 * step, 0.05 * step, 1.2], [0.5 + 0.2 * step, 3.0, 1.0]) for step in range(12)]


@pytest.fixture
def network(cameras, monkeypatch):
    stand_in = StandIn(cameras)
    models, image, utils, package = (types.ModuleType(name) for name in ("models", "image", "utils", "mapanything"))
    models.MapAnything = types.SimpleNamespace(from_pretrained=lambda name: stand_in)
    image.preprocess_inputs = lambda views: views
    for name, module in {
        "mapanything": package,
        "mapanything.models": models,
        "mapanything.utils": utils,
        "mapanything.utils.image": image,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    return stand_in


def frames(n, assumed=False):
    """Images whose first pixel says which camera took them."""
    return [
        Frame("a", k, k, np.full((120, 160, 3), k, np.uint8), CAMERA, None, intrinsics_assumed=assumed)
        for k in range(n)
    ]


def near(a, b):
    return np.allclose(a, b, atol=1e-5)


def test_images_alone_get_poses_and_depth_in_one_world_across_windows(network, cameras):
    placed = list(plugins.mapper("map-anything:any?window=5&overlap=2").place(frames(12)))

    assert [len(views) for views in network.windows] == [5, 5, 5, 3]
    world_from_true = START @ inverse(cameras[0])
    assert all(
        near(each.world_from_camera, world_from_true @ true) for each, true in zip(placed, cameras, strict=True)
    )
    assert "camera_poses" not in network.windows[0][0]
    assert all("camera_poses" in view for view in network.windows[1][:2]), "later windows hang on earlier ones"


def test_what_was_predicted_is_depth_of_the_colour_camera(network):
    (frame, *_) = plugins.mapper("map-anything:any?window=5&overlap=2").place(frames(3))

    z_m = measured_depth(frame, 0).z_m
    assert np.nanmin(z_m) == np.nanmax(z_m) == 2.0
    assert np.isfinite(z_m).mean() > 0.1
    assert frame.intrinsics == CAMERA, "a camera that is known is kept"


def test_given_poses_and_depth_stay_and_give_the_scale(network, cameras):
    network.scale = 1.25
    given = frames(4)
    given[1] = replace(given[1], world_from_camera=cameras[1])
    given[3] = replace(
        given[3], world_from_camera=cameras[3], depth=DepthImage(np.full((120, 160), 1.5, np.float32), CAMERA)
    )

    placed = list(plugins.mapper("map-anything:any?window=5&overlap=2").place(given))

    assert placed[1].world_from_camera is cameras[1]
    assert placed[3].depth is given[3].depth
    assert near(placed[2].world_from_camera, cameras[2])
    assert np.nanmax(placed[2].depth.z_m) == pytest.approx(2.0)
    first = network.windows[0][0]
    assert "camera_poses" in first
    assert any("depth_z" in view for view in network.windows[0])


def test_a_point_cloud_given_with_an_image_takes_the_place_of_depth(network):
    cloud = PointCloud(np.array([[0.0, 0.0, 1.0]]), np.eye(4))
    given = [replace(each, cloud=cloud) for each in frames(2)]

    placed = list(plugins.mapper("map-anything:any?window=5&overlap=2").place(given))

    assert all(each.depth is None and each.cloud is cloud for each in placed)
    assert np.nanmax(measured_depth(placed[0], 0).z_m) == 1.0


def test_an_assumed_camera_is_replaced_by_the_one_found(network):
    wrong = replace(frames(1)[0], intrinsics=Intrinsics(160, 120, 60.0, 60.0, 79.5, 59.5), intrinsics_assumed=True)

    (placed,) = plugins.mapper("map-anything:any?window=5&overlap=2").place([wrong])

    assert not placed.intrinsics_assumed
    assert near(placed.intrinsics.matrix, CAMERA.matrix)
    assert "intrinsics" not in network.windows[0][0]


def test_uncropping_undoes_shrinking_and_cropping():
    again = uncropped(shrunk(CAMERA, 70, 56), 160, 120)

    assert near(again.matrix, CAMERA.matrix)
    pixels, _ = project([0.0, 0.0, 1.0], again)
    assert near(pixels, [CAMERA.cx, CAMERA.cy])


def test_cameras_at_one_place_do_not_make_a_scale(cameras):
    turned = {k: pose_from_axis_angle([0, 0, 0.1 * k], [1, 1, 1]) for k in range(3)}

    _, scale = anchored({k: pose_from_axis_angle([0, 0, 0.1 * k], [1e-3 * k, 0, 0]) for k in range(3)}, turned)

    assert scale == 1.0


@pytest.mark.usefixtures("network")
def test_a_window_must_hold_more_than_its_overlap():
    with pytest.raises(UsageError, match="overlap must be smaller than window"):
        plugins.mapper("map-anything:any?window=4&overlap=4")


def test_without_the_package_it_says_where_it_is_to_be_had(monkeypatch):
    monkeypatch.setitem(sys.modules, "mapanything", None)
    with pytest.raises(MissingExtraError, match=r"github.com/facebookresearch/map-anything"):
        plugins.mapper("map-anything")
