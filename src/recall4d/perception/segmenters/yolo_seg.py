"""`yolo-seg:MODEL`: an exported YOLO-seg model, ONNX or TFLite.

`yolo-seg:model.tflite?score=0.4` sets the least score. Class names come from the model where it carries them. No
weights are shipped: those that Ultralytics publishes are under AGPL-3.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recall4d.errors import InputError, UsageError
from recall4d.perception.segmenters.coco import COCO_80
from recall4d.perception.segmenters.duplicates import without_duplicates
from recall4d.perception.segmenters.masks import in_reading_order, mask_at
from recall4d.perception.segmenters.networks import Network, open_network
from recall4d.perception.segmenters.surface_words import kind_of
from recall4d.perception.segmenters.yolo_decode import PROTOTYPE_STRIDE, Candidates, decode
from recall4d.records import Detection, Frame, Mask

DEFAULT_MIN_SCORE = 0.3
"""Measured with yolov8n-seg in 100 frames of red_kitchen. At 0.3 all cups and chairs and 46 of 47 tables found are
right, and 30 of 39 TVs (eight are a wooden model of a monitor). At 0.2 every twelfth cup is wrong; at 0.4 a fifth
of the chairs and a third of the tables are lost."""

BOX_MARGIN = 0.05
"""Masks are cut at their box, enlarged on each side by this share: quantised models' boxes are a few pixels off."""

_PADDING = 114
"""Grey level around an image that does not fill the input, as in training."""


@dataclass(frozen=True, slots=True)
class Letterbox:
    """How an image was fitted into the network's input: input = image * scale + offset, in pixel edges."""

    image_wh: tuple[int, int]
    scale: float
    offset_xy: tuple[int, int]

    @classmethod
    def fit(cls, image_wh: tuple[int, int], input_wh: tuple[int, int]) -> Letterbox:
        """Centred, as large as fits, its shape kept."""
        scale = min(input_wh[0] / image_wh[0], input_wh[1] / image_wh[1])
        x, y = ((outer - round(inner * scale)) // 2 for inner, outer in zip(image_wh, input_wh, strict=True))
        return cls(image_wh, scale, (x, y))

    def apply(self, rgb: NDArray[np.uint8], input_wh: tuple[int, int]) -> NDArray[np.float32]:
        """The (h, w, 3) network input in [0, 1]."""
        width, height = (round(side * self.scale) for side in self.image_wh)
        fitted = Image.fromarray(rgb)
        if fitted.size != (width, height):
            fitted = fitted.resize((width, height), Image.Resampling.BILINEAR)
        canvas = Image.new("RGB", input_wh, (_PADDING,) * 3)
        canvas.paste(fitted, self.offset_xy)
        return np.asarray(canvas, dtype=np.float32) / np.float32(255)

    def to_image(self, box_xyxy: NDArray[np.float32]) -> tuple[int, int, int, int]:
        """Whole pixels of the image for a box of the input: left, top, right, bottom, the last two exclusive."""
        offset, limit = np.tile(self.offset_xy, 2), np.tile(self.image_wh, 2)
        left, top, right, bottom = np.rint(np.clip((box_xyxy - offset) / self.scale, 0, limit)).astype(int).tolist()
        return left, top, right, bottom

    def to_input(self, pixels_xyxy: tuple[int, int, int, int]) -> NDArray[np.float64]:
        """The (4,) place in the input of a rectangle of the image."""
        return np.asarray(np.array(pixels_xyxy) * self.scale + np.tile(self.offset_xy, 2), dtype=np.float64)


class YoloSegSegmenter:
    """Runs an exported YOLO-seg model on the colour image."""

    def __init__(self, network: Network, name: str, min_score: float = DEFAULT_MIN_SCORE) -> None:
        self.name = name
        self._network = network
        self._min_score = min_score
        self._names = _class_names(network.metadata)
        self._end_to_end = bool(network.metadata.get("end2end"))
        width, height = network.input_wh
        self._candidates(np.zeros((height, width, 3), dtype=np.float32))  # a wrong model is refused now, not later

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """Instances with a class name, where it is known, and a score."""
        letterbox = Letterbox.fit((frame.rgb.shape[1], frame.rgb.shape[0]), self._network.input_wh)
        candidates = self._candidates(letterbox.apply(frame.rgb, self._network.input_wh))
        return in_reading_order(without_duplicates(self._detections(candidates, letterbox)))

    def _candidates(self, image: NDArray[np.float32]) -> Candidates:
        return decode(
            self._network.run(image),
            self._network.input_wh,
            self._network.channels_first,
            n_classes=len(self._names) or None,
            end_to_end=self._end_to_end,
            min_score=self._min_score,
        )

    def _detections(self, candidates: Candidates, letterbox: Letterbox) -> Iterator[Detection]:
        names = self._names or (dict(enumerate(COCO_80)) if candidates.n_classes == len(COCO_80) else {})
        for index, number in enumerate(candidates.classes.tolist()):
            rectangle = letterbox.to_image(_enlarged(candidates.boxes_xyxy[index]))
            mask = _mask(candidates.mask_logits[index], rectangle, letterbox)
            if mask is not None:
                category, score = names.get(number), float(candidates.scores[index])
                yield Detection(mask, category, score=score, kind=kind_of(category, None))


def create(argument: str | None) -> YoloSegSegmenter:
    """The entry point `yolo-seg`.

    Raises:
        UsageError: no model is named, or an option is not `score=` a number in (0, 1).
        InputError: no such file, or not a YOLO-seg export.
        MissingExtraError: the runtime for the model is not installed.
    """
    path, min_score = _read_argument(argument)
    network = open_network(path)
    try:
        return YoloSegSegmenter(network, f"yolo-seg:{argument}", min_score)
    except InputError as error:
        raise InputError(f"{path} is {error}") from error


def _read_argument(argument: str | None) -> tuple[Path, float]:
    """Path and least score of `PATH` or `PATH?score=0.4`."""
    if argument is None:
        raise UsageError("the segmenter 'yolo-seg' needs a model: --segmenter yolo-seg:MODEL.onnx or MODEL.tflite")
    path, _, query = argument.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    written = options.pop("score", str(DEFAULT_MIN_SCORE))
    try:
        min_score = float(written)
    except ValueError:
        min_score = np.nan
    if options or not 0 < min_score < 1:
        raise UsageError(f"expected yolo-seg:MODEL or yolo-seg:MODEL?score=S with S between 0 and 1, got {query!r}")
    return Path(path), min_score


def _class_names(metadata: Mapping[str, Any]) -> dict[int, str]:
    """Class number to name as the exporter writes it, a dictionary or a list; empty where it does not."""
    names = metadata.get("names")
    if isinstance(names, Mapping):
        return {int(number): str(name) for number, name in names.items()}
    return dict(enumerate(map(str, names))) if isinstance(names, list) else {}


def _enlarged(box_xyxy: NDArray[np.float32]) -> NDArray[np.float32]:
    margin = BOX_MARGIN * np.tile(box_xyxy[2:] - box_xyxy[:2], 2)
    return np.asarray(box_xyxy + margin * [-1, -1, 1, 1], dtype=np.float32)


def _mask(logits: NDArray[np.float32], rectangle: tuple[int, int, int, int], letterbox: Letterbox) -> Mask | None:
    """The mask inside a rectangle (left, top, right, bottom) of the image, enlarged before it is cut at zero."""
    left, top, right, bottom = rectangle
    if left >= right or top >= bottom:
        return None
    place = letterbox.to_input(rectangle) / PROTOTYPE_STRIDE
    enlarged = Image.fromarray(logits).resize((right - left, bottom - top), Image.Resampling.BILINEAR, tuple(place))
    return mask_at(top, left, np.asarray(enlarged) > 0)
