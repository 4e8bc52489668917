"""`sam2-video:MODEL`: SAM 2 follows what it has cut out from frame to frame, in windows of bounded length.

A window begins with automatic masks, as `sam2` makes them; SAM 2's memory then propagates them (Ravi et al., arXiv
2408.00714). After `window` frames it begins anew, so that memory stays flat however long the recording is, and so
that things which came into view are found. A mask of the new window goes on with the number of the propagated mask
it agrees with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PIL import Image
from pydantic import BaseModel, Field, ValidationError
from scipy.optimize import linear_sum_assignment

from recall4d.perception.arguments import read_argument
from recall4d.perception.segmenters.masks import MIN_AREA_PX, in_reading_order, shared_px
from recall4d.perception.segmenters.sam2 import Sam2Images, Sam2Options
from recall4d.perception.torch_models import device_of, load, torch_and_transformers
from recall4d.records import Detection, Frame, Mask

SAME_TRACK_IOU = 0.5
"""A mask that shares more with a propagated one is the same instance."""


class Sam2VideoOptions(Sam2Options):
    """Options of the propagation, beside those of the automatic masks.

    Attributes:
        window: frames from one set of automatic masks to the next.
        things: at most so many instances are followed, the best first; each takes a pass of its own.
    """

    window: int = Field(default=8, ge=1)
    things: int = Field(default=64, ge=1)


class _State(BaseModel):
    """What goes on after a kill: the last masks by number, as run lengths, and the next number."""

    height: int
    width: int
    next_track: int
    runs: dict[int, list[int]]


class Sam2VideoSegmenter:
    """Follows instances through the frames of one agent, given in order of time. A `recall4d.ports.Resumable`.

    SAM 2's own memory, hundreds of megabytes, dies with the process. What is kept are the last masks and their
    numbers: the first frame after a kill begins a window, as every few frames do anyway, and numbers go on.
    """

    def __init__(self, name: str, model: str, options: Sam2VideoOptions) -> None:
        """Load the model, for single images and for video.

        Raises:
            MissingExtraError: torch, torchvision or transformers is not installed.
            ModelError: the model cannot be loaded.
        """
        purpose = "the segmenter 'sam2-video'"
        self.name = name
        self._options = options
        self._images = Sam2Images(model, options, purpose)
        self._torch, transformers = torch_and_transformers(purpose)
        self._device = device_of(self._torch, options)
        self._dtype = getattr(self._torch, options.dtype)
        self._processor: Any = load(model, purpose, lambda: transformers.Sam2VideoProcessor.from_pretrained(model))
        loaded = load(model, purpose, lambda: transformers.Sam2VideoModel.from_pretrained(model, dtype=self._dtype))
        self._model: Any = loaded.to(self._device).eval()
        self._session: Any = None
        self._n_in_window = 0
        self._size: tuple[int, ...] = (0, 0)
        self._last: dict[int, Mask] = {}
        self._next_track = 0

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """Instances without a class name, with the number of their track."""
        size = frame.rgb.shape[:2]
        if size != self._size:
            self._size, self._last, self._session = size, {}, None
        pixels = self._pixels(frame)
        found = [] if self._session is None else self._propagate(pixels)
        if self._session is None or self._n_in_window >= self._options.window:
            last = {each.track: each.mask for each in found if each.track is not None} or self._last
            found = self._begin_window(frame, pixels, last)
        self._n_in_window += 1
        self._last = {each.track: each.mask for each in found if each.track is not None}
        return in_reading_order(found)

    def state(self) -> str:
        """See `recall4d.ports.Resumable`."""
        height, width = self._size
        runs = {track: mask.to_runs(height, width) for track, mask in self._last.items()}
        return _State(height=height, width=width, next_track=self._next_track, runs=runs).model_dump_json()

    def resume(self, state: str | None) -> None:
        """See `recall4d.ports.Resumable`."""
        self._session, self._n_in_window = None, 0
        self._size, self._last, self._next_track = (0, 0), {}, 0
        if state is None:
            return
        try:
            kept = _State.model_validate_json(state)
            masks = {track: Mask.from_runs(runs, kept.height, kept.width) for track, runs in kept.runs.items()}
        except (ValidationError, ValueError):
            return
        self._size, self._next_track = (kept.height, kept.width), kept.next_track
        self._last = {track: mask for track, mask in masks.items() if mask is not None}

    def _pixels(self, frame: Frame) -> Any:
        """The frame as the model takes it, (1, 3, h, w)."""
        inputs = self._processor(images=Image.fromarray(frame.rgb), return_tensors="pt")
        return inputs["pixel_values"].to(self._device, self._dtype)

    def _begin_window(self, frame: Frame, pixels: Any, last: Mapping[int, Mask]) -> list[Detection]:
        """Automatic masks with their numbers, given to a new session."""
        everything = self._images.everything(frame.rgb, self._options)[: self._options.things]
        tracks = _continued(everything, last)
        for index in range(len(everything)):
            if index not in tracks:
                tracks[index], self._next_track = self._next_track, self._next_track + 1
        found = [replace(each, track=tracks[index]) for index, each in enumerate(everything)]
        self._session, self._n_in_window = None, 0
        if found:
            height, width = frame.rgb.shape[:2]
            self._session = self._processor.init_video_session(inference_device=self._device, dtype=self._dtype)
            self._processor.add_inputs_to_inference_session(
                self._session,
                frame_idx=0,
                obj_ids=[each.track for each in found],
                input_masks=[each.mask.to_image(height, width) for each in found],
            )
            self._step(pixels)
        return found

    def _propagate(self, pixels: Any) -> list[Detection]:
        """The instances of the session in the next frame; those out of sight are left out."""
        height, width = self._size
        step = self._step(pixels)
        found = []
        for track, logits, visible in zip(
            step.object_ids,
            step.pred_masks,
            step.object_score_logits.float().sigmoid().flatten().tolist(),
            strict=True,
        ):
            if visible < 0.5:
                continue
            full = self._processor.post_process_masks([logits[None].float()], [[height, width]])[0]
            mask = Mask.from_image(np.asarray(full[0, 0].cpu(), dtype=bool))
            if mask is not None and mask.area_px >= MIN_AREA_PX:
                found.append(Detection(mask, score=visible, track=track))
        return found

    def _step(self, pixels: Any) -> Any:
        """Run the session on its next frame, and drop from it what later frames do not read."""
        session = self._session
        with self._torch.inference_mode():
            step = self._model(inference_session=session, frame=pixels)
        session.processed_frames[step.frame_idx] = session.processed_frames[step.frame_idx][..., :0]
        for index in range(session.get_obj_num()):
            session.mask_inputs_per_obj[index].clear()
            for outputs in session.output_dict_per_obj[index].values():
                outputs.get(step.frame_idx, {}).pop("high_res_masks", None)
        return step


def create(argument: str | None) -> Sam2VideoSegmenter:
    """The entry point `sam2-video`.

    Raises:
        UsageError: no model is named, or an option does not fit.
        MissingExtraError: torch, torchvision or transformers is not installed.
        ModelError: the model cannot be loaded.
    """
    model, options = read_argument("segmenter 'sam2-video'", argument, Sam2VideoOptions)
    return Sam2VideoSegmenter(f"sam2-video:{argument}", model, options)


def _continued(found: Sequence[Detection], last: Mapping[int, Mask]) -> dict[int, int]:
    """The number of the last mask that each of the found ones agrees with, by its index; one to one."""
    if not found or not last:
        return {}
    tracks = list(last)
    overlap = np.array([[_iou(each.mask, last[track]) for track in tracks] for each in found])
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    return {
        int(row): tracks[column]
        for row, column in zip(rows, columns, strict=True)
        if overlap[row, column] > SAME_TRACK_IOU
    }


def _iou(a: Mask, b: Mask) -> float:
    shared = shared_px(a, b)
    return shared / (a.area_px + b.area_px - shared)
