"""`map-anything`: poses and depth in metres from images alone, or from images and whatever else is known.

MapAnything (Keetha et al., arXiv 2509.13414) is the map of the R4 paper. Its package is not on PyPI: install it
from github.com/facebookresearch/map-anything, whose readme documents the calls made here (`preprocess_inputs`,
`infer`). `map-anything:facebook/map-anything-apache` are the weights with a free licence.

A recording goes through it in windows. Each window takes over the last frames of the one before, with their poses,
so that all windows lie in one world; poses that came with the recording anchor it in theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from recall4d.errors import MissingExtraError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats, checked_pose, pose
from recall4d.perception.arguments import read_argument
from recall4d.perception.mappers.level import START
from recall4d.perception.torch_models import TorchOptions, device_of, load
from recall4d.records import DepthImage, Frame

PURPOSE = "the mapper 'map-anything'"
DEFAULT_MODEL = "facebook/map-anything"

MIN_SPREAD_M = 0.1
"""Known camera places nearer together than this do not correct the scale."""


class MapAnythingOptions(TorchOptions):
    """Options of the mapper.

    Attributes:
        window: images given to the model at once; memory grows with it.
        overlap: of them, how many are taken over from the window before.
        batch: images whose depth is decoded at once; 1 takes the least memory.
    """

    window: int = Field(default=24, ge=2)
    overlap: int = Field(default=6, ge=1)
    batch: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _some_are_new(self) -> MapAnythingOptions:
        if self.overlap >= self.window:
            raise ValueError(f"overlap must be smaller than window, which is {self.window}")
        return self


class MapAnythingMapper:
    """Runs MapAnything over windows of a recording."""

    def __init__(self, name: str, model: str, options: MapAnythingOptions) -> None:
        """Load the model.

        Raises:
            MissingExtraError: the package mapanything or torch is not installed.
            ModelError: the model cannot be loaded.
        """
        self.name = name
        self.overlap = options.overlap
        self._options = options
        try:
            import torch
            from mapanything.models import MapAnything
            from mapanything.utils.image import preprocess_inputs
        except ImportError as error:
            raise MissingExtraError(
                "mapanything (pip install git+https://github.com/facebookresearch/map-anything)",
                "transformers",
                PURPOSE,
            ) from error
        self._torch: Any = torch
        self._preprocess: Any = preprocess_inputs
        loaded = load(model, PURPOSE, lambda: MapAnything.from_pretrained(model))
        self._model: Any = loaded.to(device_of(torch, options)).eval()

    def place(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """See `recall4d.ports.Mapper`."""
        rest = iter(frames)
        before: list[Frame] = []
        while new := list(islice(rest, self._options.window - len(before))):
            placed = self._window([*before, *new])
            yield from placed[len(before) :]
            before = [each for each in placed if each.world_from_camera is not None][-self._options.overlap :]

    def _window(self, frames: Sequence[Frame]) -> list[Frame]:
        """The frames of one window with what they lacked."""
        # The model wants a view with a pose first, if any view has one.
        order = sorted(range(len(frames)), key=lambda index: frames[index].world_from_camera is None)
        views = self._preprocess([self._view(frames[index]) for index in order])
        with self._torch.inference_mode():
            predictions = self._model.infer(
                views,
                memory_efficient_inference=True,
                minibatch_size=self._options.batch,
                use_amp=self._options.dtype != "float32",
                amp_dtype={"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}[self._options.dtype],
                apply_mask=True,
                mask_edges=True,
            )
        found = {index: _numbers(prediction) for index, prediction in zip(order, predictions, strict=True)}
        anchors = {index: each.world_from_camera for index, each in enumerate(frames)}
        known = {index: anchor for index, anchor in anchors.items() if anchor is not None}
        if not known:
            known = {0: START}
        world_from_model, scale = anchored({index: found[index]["camera_poses"] for index in known}, known)
        return [
            _completed(frame, found[index], _moved(found[index]["camera_poses"], world_from_model, scale), scale)
            for index, frame in enumerate(frames)
        ]

    def _view(self, frame: Frame) -> dict[str, Any]:
        """What is known of a frame, as the model takes it: metres, OpenCV axes."""
        view: dict[str, Any] = {"img": frame.rgb}
        if not frame.intrinsics_assumed:
            view["intrinsics"] = frame.intrinsics.matrix.astype(np.float32)
            if frame.depth is not None and frame.depth.intrinsics == frame.intrinsics:
                view["depth_z"] = np.nan_to_num(frame.depth.z_m, nan=0.0)
        if frame.world_from_camera is not None:
            view["camera_poses"] = frame.world_from_camera.astype(np.float32)
        if len(view) > 1:
            view["is_metric_scale"] = self._torch.tensor([True])
        return view


def create(argument: str | None) -> MapAnythingMapper:
    """The entry point `map-anything`.

    Raises:
        UsageError: an option does not fit.
        MissingExtraError: the package mapanything or torch is not installed.
        ModelError: the model cannot be loaded.
    """
    model, options = read_argument("mapper 'map-anything'", argument, MapAnythingOptions, DEFAULT_MODEL)
    name = "map-anything" if argument is None else f"map-anything:{argument}"
    return MapAnythingMapper(name, model, options)


def anchored(
    model_from_camera: Mapping[int, Floats], world_from_camera: Mapping[int, Floats]
) -> tuple[Floats, float]:
    """`world_from_model` and the scale that bring predicted poses onto known ones of the same frames.

    Rotations are averaged (chordal mean, by singular values); the scale is that of the camera places about their
    mean (Horn, JOSA A 4(4), 1987), and 1 where they lie too near together to tell.

    Args:
        model_from_camera: predicted poses (4, 4) by frame.
        world_from_camera: known poses (4, 4) of the same frames, at least one.
    """
    both = [(model_from_camera[index], world_from_camera[index]) for index in world_from_camera]
    left, _, right = np.linalg.svd(sum(known[:3, :3] @ predicted[:3, :3].T for predicted, known in both))
    turn = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right
    predicted_xyz = np.array([predicted[:3, 3] for predicted, _ in both])
    known_xyz = np.array([known[:3, 3] for _, known in both])
    spreads = [
        float(np.sqrt(np.mean(np.sum((xyz - xyz.mean(axis=0)) ** 2, axis=1)))) for xyz in (known_xyz, predicted_xyz)
    ]
    scale = spreads[0] / spreads[1] if min(spreads) > MIN_SPREAD_M else 1.0
    return pose(turn, known_xyz.mean(axis=0) - scale * turn @ predicted_xyz.mean(axis=0)), scale


def _moved(model_from_camera: Floats, world_from_model: Floats, scale: float) -> Floats:
    scaled = model_from_camera.copy()
    scaled[:3, 3] *= scale
    return checked_pose(world_from_model @ scaled)


def _completed(frame: Frame, found: Mapping[str, NDArray[Any]], world_from_camera: Floats, scale: float) -> Frame:
    """The frame with what it lacked; what it came with stays."""
    height, width = found["depth_z"].shape
    predicted = Intrinsics.from_matrix(found["intrinsics"], width, height)
    if frame.world_from_camera is None:
        frame = replace(frame, world_from_camera=world_from_camera)
    if frame.intrinsics_assumed:
        frame = replace(frame, intrinsics=uncropped(predicted, *frame.rgb.shape[1::-1]), intrinsics_assumed=False)
    if frame.depth is None and frame.cloud is None:
        z_m = np.where(found["mask"], scale * found["depth_z"], np.nan).astype(np.float32)
        z_m[~(z_m > 0)] = np.nan
        frame = replace(frame, depth=DepthImage(z_m, predicted))
    return frame


def uncropped(camera: Intrinsics, width: int, height: int) -> Intrinsics:
    """The camera of an image of `width` x `height` that was shrunk and cropped about its middle to the camera's."""
    scale = max(camera.width / width, camera.height / height)
    left, top = (scale * width - camera.width) / 2, (scale * height - camera.height) / 2
    cx, cy = (camera.cx + left + 0.5) / scale - 0.5, (camera.cy + top + 0.5) / scale - 0.5
    return Intrinsics(width, height, camera.fx / scale, camera.fy / scale, cx, cy)


def _numbers(prediction: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """What is read of one view's prediction, without its batch of one."""

    def read(name: str) -> NDArray[Any]:
        return np.asarray(prediction[name][0].float().cpu())

    return {
        "camera_poses": read("camera_poses").astype(np.float64),
        "intrinsics": read("intrinsics").astype(np.float64),
        "depth_z": read("depth_z")[..., 0],
        "mask": read("mask")[..., 0] > 0.5,
    }
