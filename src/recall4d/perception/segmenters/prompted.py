"""`grounding-dino:MODEL?prompt=...` and `owlv2:MODEL?prompt=...`: detectors that look for what they are told.

`grounding-dino:IDEA-Research/grounding-dino-base?prompt=coffee mug,chair,plant` finds these three, with these
categories (Grounding DINO: Liu et al., arXiv 2303.05499; OWLv2: Minderer et al., arXiv 2306.09683; both as in
transformers). With `&masks=facebook/sam2.1-hiera-large` SAM 2 cuts the boxes to masks, else depth does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from PIL import Image
from pydantic import Field, field_validator

from recall4d.perception.arguments import read_argument
from recall4d.perception.segmenters.boxes import BoxCutter, masks_of_boxes
from recall4d.perception.segmenters.duplicates import without_duplicates
from recall4d.perception.segmenters.masks import MIN_AREA_PX, in_reading_order
from recall4d.perception.segmenters.sam2 import Sam2Images
from recall4d.perception.segmenters.surface_words import kind_of
from recall4d.perception.torch_models import TorchOptions, device_of, load, torch_and_transformers
from recall4d.records import Detection, Frame

Kind = Literal["grounding-dino", "owlv2"]


class PromptedOptions(TorchOptions):
    """Options of the prompted detectors.

    Attributes:
        prompt: what to look for, with commas.
        score: least score of a detection.
        text_score: Grounding DINO only: least score of a word that names the detection.
        masks: a SAM 2 model that cuts boxes to masks; by default depth does.
    """

    prompt: tuple[str, ...] = Field(min_length=1)
    score: float = Field(default=0.3, gt=0, lt=1)
    text_score: float = Field(default=0.25, gt=0, lt=1)
    masks: str = ""

    @field_validator("prompt", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(each.strip().lower() for each in value.split(",") if each.strip())


class PromptedSegmenter:
    """Runs a text-prompted detector on the colour image."""

    def __init__(self, kind: Kind, name: str, model: str, options: PromptedOptions) -> None:
        """Load the model.

        Raises:
            MissingExtraError: torch, torchvision or transformers is not installed.
            ModelError: the model cannot be loaded.
        """
        purpose = f"the segmenter {kind!r}"
        self.name = name
        self._kind = kind
        self._options = options
        self._torch, transformers = torch_and_transformers(purpose)
        self._processor: Any = load(model, purpose, lambda: transformers.AutoProcessor.from_pretrained(model))
        detectors = transformers.AutoModelForZeroShotObjectDetection
        dtype = getattr(self._torch, options.dtype)
        loaded = load(model, purpose, lambda: detectors.from_pretrained(model, dtype=dtype))
        self._model: Any = loaded.to(device_of(self._torch, options)).eval()
        self._cutter: BoxCutter | None = Sam2Images(options.masks, options, purpose) if options.masks else None

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """Instances of what the prompt names, with its words as their category."""
        return in_reading_order(without_duplicates(self._detections(frame)))

    def _detections(self, frame: Frame) -> Iterator[Detection]:
        prompt = list(self._options.prompt)
        inputs = self._processor(images=Image.fromarray(frame.rgb), text=[prompt], return_tensors="pt")
        inputs = inputs.to(self._model.device)
        inputs["pixel_values"] = inputs["pixel_values"].to(self._model.dtype)
        with self._torch.inference_mode():
            outputs = self._model(**inputs)
        found = self._read(outputs, inputs, frame.rgb.shape[:2])
        boxes = np.asarray(found["boxes"].float().cpu(), dtype=np.float64).reshape(-1, 4)
        masks = masks_of_boxes(frame, boxes, self._cutter)
        for mask, score, said in zip(masks, found["scores"].float().tolist(), found["text_labels"], strict=True):
            if mask is not None and mask.area_px >= MIN_AREA_PX:
                category = prompted_name(said, self._options.prompt)
                yield Detection(mask, category, score=min(max(score, 1e-3), 1.0), kind=kind_of(category, None))

    def _read(self, outputs: Any, inputs: Any, size: tuple[int, ...]) -> Any:
        """Boxes in pixels, scores and words of the detections."""
        read = self._processor.post_process_grounded_object_detection
        if self._kind == "grounding-dino":
            return read(
                outputs,
                inputs["input_ids"],
                threshold=self._options.score,
                text_threshold=self._options.text_score,
                target_sizes=[size],
            )[0]
        prompts = [list(self._options.prompt)]
        return read(outputs, threshold=self._options.score, target_sizes=[size], text_labels=prompts)[0]


def prompted_name(said: str, prompt: Sequence[str]) -> str | None:
    """Which of the prompts a detection is of: Grounding DINO names it with whichever of their words scored.

    The prompt that shares most of its words with them, the earlier one of equals; None where none shares any.
    """
    words = set(said.lower().split())
    shares = [len(words & set(each.split())) / len(each.split()) for each in prompt]
    best = int(np.argmax(shares))
    return prompt[best] if shares[best] > 0 else None


def create_grounding_dino(argument: str | None) -> PromptedSegmenter:
    """The entry point `grounding-dino`, see `create`."""
    return create("grounding-dino", argument)


def create_owlv2(argument: str | None) -> PromptedSegmenter:
    """The entry point `owlv2`, see `create`."""
    return create("owlv2", argument)


def create(kind: Kind, argument: str | None) -> PromptedSegmenter:
    """A prompted segmenter of either kind.

    Raises:
        UsageError: no model or no prompt is named, or an option does not fit.
        MissingExtraError: torch, torchvision or transformers is not installed.
        ModelError: the model cannot be loaded.
    """
    model, options = read_argument(f"segmenter {kind!r}", argument, PromptedOptions)
    return PromptedSegmenter(kind, f"{kind}:{argument}", model, options)
