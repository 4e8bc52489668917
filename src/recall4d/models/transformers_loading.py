"""Loading a model of transformers with what turns messages into its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from recall4d.errors import MissingExtraError, ModelUnavailableError
from recall4d.models.constrained import grammar_tokens
from recall4d.models.pictures import MAX_SIDE_PX
from recall4d.models.real_calls import allowed
from recall4d.models.spec import Options

BATCH_ON_ACCELERATOR = 8
"""On a processor a batch takes as long as its parts one by one, and padding comes on top: there it is 1."""


class TransformersOptions(Options):
    """Options of `transformers:MODEL_ID?...`.

    Attributes:
        device: "auto" takes CUDA, else Apple's GPU, else the processor.
        dtype: "auto" is bfloat16 where the device computes in it, float16 on an older CUDA device, float32 on a
            processor.
        batch: requests computed at once; 0 lets the device decide.
        revision: branch, tag or commit of the repository.
        max_side_px: longest side of a picture shown.
    """

    device: str = "auto"
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    batch: int = Field(default=0, ge=0, le=256)
    revision: str = "main"
    max_side_px: int = Field(default=MAX_SIDE_PX, ge=32)


@dataclass(frozen=True)
class Loaded:
    """A model with what turns messages into its tokens: a processor, or a tokenizer where it reads only.

    Attributes:
        sees: whether it takes pictures.
        context_tokens: of prompt and reply together; None where its configuration does not say.
        batch: how many requests it is best given at once.
        ends: tokens that end a reply.
        grammar_tokens: what holds it to a schema, see `models.constrained`.
    """

    model: Any
    processor: Any
    sees: bool
    context_tokens: int | None
    batch: int
    ends: list[int]
    grammar_tokens: Any | None

    @property
    def tokenizer(self) -> Any:
        """Its tokenizer, which the processor holds where there is one."""
        return self.processor.tokenizer if self.sees else self.processor


def load(model_id: str, options: TransformersOptions) -> Loaded:
    """Load a model by the id of its repository, or from a folder.

    Raises:
        MissingExtraError: torch or transformers is not installed.
        ModelUnavailableError: no such repository, folder or device, no network, no chat template.
    """
    try:
        import torch
        from transformers import (
            AutoConfig,
            AutoModelForCausalLM,
            AutoModelForImageTextToText,
            AutoProcessor,
            AutoTokenizer,
        )
        from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING
    except ImportError as error:
        raise MissingExtraError("transformers", "transformers", "running a model of transformers") from error
    device = _device(torch, options.device)
    from_hub: dict[str, Any] = {"revision": options.revision, "local_files_only": allowed() != "any"}
    if Path(model_id).is_dir():
        from_hub = {"local_files_only": True}
    try:
        config = AutoConfig.from_pretrained(model_id, **from_hub)
        sees = type(config) in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING
        processor = (AutoProcessor if sees else AutoTokenizer).from_pretrained(model_id, **from_hub)
        factory = AutoModelForImageTextToText if sees else AutoModelForCausalLM
        model = factory.from_pretrained(model_id, dtype=_dtype(torch, options.dtype, device), **from_hub)
        model = model.to(device).eval()
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        told = " ".join(str(error).split())[:400]
        raise ModelUnavailableError(f"cannot load {model_id}: {told}") from error
    if not processor.chat_template:
        raise ModelUnavailableError(f"{model_id} has no chat template: take the model tuned for conversation")
    tokenizer = processor.tokenizer if sees else processor
    tokenizer.padding_side = "left"  # replies continue their prompts
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    text = config.get_text_config()
    ends = model.generation_config.eos_token_id or tokenizer.eos_token_id
    ends = [each for each in (ends if isinstance(ends, list | tuple) else [ends]) if each is not None]
    return Loaded(
        model,
        processor,
        sees,
        getattr(text, "max_position_embeddings", None),
        1 if device.type == "cpu" else BATCH_ON_ACCELERATOR,
        ends,
        grammar_tokens(tokenizer, max(text.vocab_size, len(tokenizer)), ends),
    )


def _device(torch: Any, wanted: str) -> Any:
    if wanted != "auto":
        try:
            return torch.device(wanted)
        except RuntimeError as error:
            raise ModelUnavailableError(f"no device {wanted!r}: expected auto, cpu, cuda, cuda:1 or mps") from error
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def _dtype(torch: Any, wanted: str, device: Any) -> Any:
    if wanted != "auto":
        return getattr(torch, wanted)
    if device.type == "cpu":
        return torch.float32
    if device.type == "cuda" and not torch.cuda.is_bf16_supported():
        return torch.float16
    return torch.bfloat16
