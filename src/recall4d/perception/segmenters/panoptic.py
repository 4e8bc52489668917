"""`panoptic:MODEL`: every pixel to an instance of a known class, by Mask2Former and its like.

`panoptic:facebook/mask2former-swin-large-coco-panoptic` (Cheng et al., arXiv 2112.01527). Any model that
transformers lists for universal segmentation and that needs no text does: Mask2Former, MaskFormer, EoMT, DETR;
trained for instances or panoptically. They are what Mask R-CNN was, and kept up. OneFormer wants its task in words,
VidEoMT a whole film: they are refused.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from PIL import Image
from pydantic import Field

from recall4d.errors import UsageError
from recall4d.perception.arguments import read_argument
from recall4d.perception.segmenters.duplicates import without_duplicates
from recall4d.perception.segmenters.masks import MIN_AREA_PX, in_reading_order
from recall4d.perception.segmenters.surface_words import kind_of
from recall4d.perception.torch_models import TorchOptions, device_of, load, torch_and_transformers
from recall4d.records import Detection, Frame, Mask

REFUSED = {"oneformer": "it wants its task in words", "videomt": "it wants a whole film"}


class PanopticOptions(TorchOptions):
    """Options of the panoptic segmenters.

    Attributes:
        score: least score of an instance.
        rest: least share of a mask that must be left when better ones have taken their pixels.
    """

    score: float = Field(default=0.5, gt=0, lt=1)
    rest: float = Field(default=0.8, ge=0, le=1)


class PanopticSegmenter:
    """Runs a universal segmentation model on the colour image."""

    def __init__(self, name: str, model: str, options: PanopticOptions) -> None:
        """Load the model.

        Raises:
            MissingExtraError: torch, torchvision or transformers is not installed.
            ModelError: the model cannot be loaded.
            UsageError: it is one of `REFUSED`.
        """
        purpose = "the segmenter 'panoptic'"
        self.name = name
        self._options = options
        self._torch, transformers = torch_and_transformers(purpose)
        kind = load(model, purpose, lambda: transformers.AutoConfig.from_pretrained(model)).model_type
        if kind in REFUSED:
            raise UsageError(
                f"{model} is a model of kind {kind!r}, and {REFUSED[kind]}: "
                "use one of Mask2Former, MaskFormer, EoMT or DETR"
            )
        processors, models = transformers.AutoImageProcessor, transformers.AutoModelForUniversalSegmentation
        self._processor: Any = load(model, purpose, lambda: processors.from_pretrained(model))
        dtype = getattr(self._torch, options.dtype)
        loaded = load(model, purpose, lambda: models.from_pretrained(model, dtype=dtype))
        self._model: Any = loaded.to(device_of(self._torch, options)).eval()
        # No two instances of a class are to become one; EoMT's processor fuses none unless told to.
        takes = inspect.signature(self._processor.post_process_panoptic_segmentation).parameters
        self._unfused: dict[str, Any] = {"label_ids_to_fuse": set()} if "label_ids_to_fuse" in takes else {}

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """Instances with a class name; walls, floor and ceiling are surfaces."""
        return in_reading_order(without_duplicates(self._detections(frame)))

    def _detections(self, frame: Frame) -> Iterator[Detection]:
        inputs = self._processor(images=Image.fromarray(frame.rgb), return_tensors="pt").to(self._model.device)
        inputs["pixel_values"] = inputs["pixel_values"].to(self._model.dtype)
        with self._torch.inference_mode():
            outputs = self._model(**inputs)
        found = self._processor.post_process_panoptic_segmentation(
            outputs,
            threshold=self._options.score,
            overlap_mask_area_threshold=self._options.rest,
            target_sizes=[frame.rgb.shape[:2]],
            **self._unfused,
        )[0]
        ids = np.asarray(found["segmentation"].cpu())
        for segment in found["segments_info"]:
            mask = Mask.from_image(ids == segment["id"])
            if mask is not None and mask.area_px >= MIN_AREA_PX:
                category = plain_name(self._model.config.id2label[segment["label_id"]])
                yield Detection(mask, category, score=float(segment["score"]), kind=kind_of(category, None))


def plain_name(label: str) -> str:
    """A class name as one says it: COCO's "wall-other-merged" is a wall, ADE's "floor, flooring" a floor."""
    return re.sub(r"-(merged|other|stuff)\b", "", label.split(",")[0]).replace("-", " ").strip()


def create(argument: str | None) -> PanopticSegmenter:
    """The entry point `panoptic`.

    Raises:
        UsageError: no model is named, or an option does not fit.
        MissingExtraError: torch, torchvision or transformers is not installed.
        ModelError: the model cannot be loaded.
    """
    model, options = read_argument("segmenter 'panoptic'", argument, PanopticOptions)
    return PanopticSegmenter(f"panoptic:{argument}", model, options)
