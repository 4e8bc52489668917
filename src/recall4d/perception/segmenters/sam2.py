"""`sam2:MODEL`: everything SAM 2 can cut out of an image, without a word of what it is.

`sam2:facebook/sam2.1-hiera-large` is the segmenter of the R4 paper. A grid of points is asked for its masks, as
"Segment Anything" does (Kirillov et al., arXiv 2304.02643, section "automatic mask generation"; SAM 2: Ravi et al.,
arXiv 2408.00714). The model, its image processor and the filter of stable masks are those of transformers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pydantic import Field

from recall4d.perception.arguments import read_argument
from recall4d.perception.segmenters.duplicates import without_duplicates
from recall4d.perception.segmenters.masks import MIN_AREA_PX, in_reading_order
from recall4d.perception.torch_models import TorchOptions, device_of, load, torch_and_transformers
from recall4d.records import Detection, Frame, Mask

BOXES_AT_ONCE = 16
"""Masks are made of so many boxes in one call: their full-size scores take 4 bytes a pixel each."""


class Sam2Options(TorchOptions):
    """Options of the automatic masks.

    Attributes:
        points: points along each side of the grid.
        score: least quality of a mask, as the model estimates it.
        stability: least overlap of the mask with itself when it is cut one logit higher and lower.
        batch: points asked at once; 3 masks of the image's size in 4-byte numbers each.
        crops: layers of enlarged crops that are segmented as well, for small things; 1 means 4 crops more.
    """

    points: int = Field(default=32, ge=1, le=128)
    score: float = Field(default=0.8, ge=0, le=1)
    stability: float = Field(default=0.9, ge=0, le=1)
    batch: int = Field(default=32, ge=1)
    crops: int = Field(default=0, ge=0, le=3)


class Sam2Images:
    """A SAM 2 model for single images."""

    def __init__(self, model: str, options: TorchOptions, purpose: str) -> None:
        """Load it.

        Raises:
            MissingExtraError: torch, torchvision or transformers is not installed.
            ModelError: the model cannot be loaded.
        """
        self._torch, transformers = torch_and_transformers(purpose)
        device = device_of(self._torch, options)
        dtype = getattr(self._torch, options.dtype)
        self._processor: Any = load(model, purpose, lambda: transformers.Sam2Processor.from_pretrained(model))
        loaded = load(model, purpose, lambda: transformers.Sam2Model.from_pretrained(model, dtype=dtype))
        self._model: Any = loaded.to(device).eval()
        self._pipeline: Any = transformers.MaskGenerationPipeline(
            model=self._model, image_processor=self._processor.image_processor, device=device
        )

    def everything(self, rgb: NDArray[np.uint8], options: Sam2Options) -> list[Detection]:
        """All stable masks of an image (h, w, 3), one for each thing, best first.

        Masks leave the model as run lengths, a batch of points at a time; there is never a stack of all of them.
        """
        batches = self._pipeline.preprocess(
            Image.fromarray(rgb),
            points_per_batch=options.batch,
            points_per_crop=options.points,
            crops_n_layers=options.crops,
        )
        return without_duplicates(each for batch in batches for each in self._masks(batch, options))

    def _masks(self, batch: dict[str, Any], options: Sam2Options) -> Iterator[Detection]:
        found = self._pipeline.forward(
            batch, pred_iou_thresh=options.score, stability_score_thresh=options.stability
        )
        for runs, score in zip(found["masks"], found["iou_scores"].float().tolist(), strict=True):
            mask = Mask.from_runs(runs["counts"], *runs["size"])
            if mask is not None and mask.area_px >= MIN_AREA_PX:
                yield Detection(mask, score=min(max(score, 1e-3), 1.0))

    def in_boxes(self, rgb: NDArray[np.uint8], boxes_xyxy: NDArray[np.floating]) -> Iterator[Mask | None]:
        """The mask of the thing in each box (n, 4), pixels; None where there is no pixel of it."""
        for start in range(0, len(boxes_xyxy), BOXES_AT_ONCE):
            boxes = boxes_xyxy[start : start + BOXES_AT_ONCE].tolist()
            inputs = self._processor(images=Image.fromarray(rgb), input_boxes=[boxes], return_tensors="pt")
            inputs = inputs.to(self._model.device)
            inputs["pixel_values"] = inputs["pixel_values"].to(self._model.dtype)
            with self._torch.inference_mode():
                found = self._model(**inputs, multimask_output=False)
            sizes = inputs["original_sizes"]
            masks = self._processor.post_process_masks(found.pred_masks.float().cpu(), sizes)[0]
            yield from (Mask.from_image(mask) for mask in np.asarray(masks[:, 0], dtype=bool))


class Sam2Segmenter:
    """Everything in the image, by single images."""

    def __init__(self, name: str, images: Sam2Images, options: Sam2Options) -> None:
        self.name = name
        self._images = images
        self._options = options

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """Instances without a class name; parts of a thing and masks of several things are left out."""
        return in_reading_order(self._images.everything(frame.rgb, self._options))


def create(argument: str | None) -> Sam2Segmenter:
    """The entry point `sam2`.

    Raises:
        UsageError: no model is named, or an option does not fit.
        MissingExtraError: torch, torchvision or transformers is not installed.
        ModelError: the model cannot be loaded.
    """
    model, options = read_argument("segmenter 'sam2'", argument, Sam2Options)
    return Sam2Segmenter(f"sam2:{argument}", Sam2Images(model, options, "the segmenter 'sam2'"), options)
