"""A model of the transformers library, in this process: Gemma 3, Qwen2.5-VL, InternVL3, SmolVLM, or a text model.

Whatever `AutoModelForImageTextToText` or `AutoModelForCausalLM` can load, by the id of a repository or by a folder,
with the chat template that comes with it. Nothing of a repository is run as code.
"""

from __future__ import annotations

import io
import math
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from recall4d.errors import MissingExtraError, ModelError, ModelRequestError, ModelUnavailableError
from recall4d.models.constrained import grammar_tokens, holding_to
from recall4d.models.pictures import MAX_SIDE_PX, fit_pictures
from recall4d.models.real_calls import allowed, check_real_call
from recall4d.models.spec import Options, read_argument, validated
from recall4d.models.wire import said_by_user, without_thought
from recall4d.ports import ChatModel
from recall4d.records import Capabilities, ChatRequest, Message, Reply

MANY_PICTURES = 8
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


class TransformersModel:
    """A model in this process; calls from several threads take turns.

    Attributes:
        name: "transformers:MODEL_ID".
        capabilities: pictures where the model sees; schemas where its tokenizer is a fast one; probabilities
            always.
    """

    def __init__(self, model_id: str, options: TransformersOptions | None = None) -> None:
        """Load the model.

        Raises:
            MissingExtraError: torch or transformers is not installed.
            ModelUnavailableError: it cannot be loaded: no such repository or folder, no network, no chat template.
            RealCallError: real calls are switched off.
        """
        self.name = f"transformers:{model_id}"
        self.options = options or TransformersOptions()
        check_real_call(self.name)
        self._loaded = _load(model_id, self.options)
        self.capabilities = Capabilities(
            max_pictures=MANY_PICTURES if self._loaded.sees else 0,
            json_schema=self._loaded.grammar_tokens is not None,
            context_tokens=self._loaded.context_tokens,
            token_probabilities=True,
        )
        self._lock = threading.Lock()

    def complete(self, request: ChatRequest) -> Reply:
        """One reply.

        Raises:
            ModelRequestError: too long, or pictures for a model that reads text only.
            ModelError: the device has not enough memory.
        """
        (result,) = self.complete_all([request])
        if isinstance(result, ModelError):
            raise result
        return result

    def complete_all(self, requests: Sequence[ChatRequest]) -> list[Reply | ModelError]:
        """A reply to each, in batches of requests with like settings."""
        check_real_call(self.name)
        results: dict[int, Reply | ModelError] = {}
        ready: dict[int, ChatRequest] = {}
        for index, request in enumerate(requests):
            try:
                ready[index] = fit_pictures(
                    request, self.capabilities.max_pictures, model=self.name, max_side_px=self.options.max_side_px
                )
            except ModelError as error:
                results[index] = error
        for indices in _batches(ready, self.options.batch or self._loaded.batch):
            results |= zip(indices, self._batch([ready[index] for index in indices]), strict=True)
        return [results[index] for index in range(len(requests))]

    def _batch(self, requests: Sequence[ChatRequest]) -> Sequence[Reply | ModelError]:
        import torch

        try:
            with self._lock:
                return _generate(self._loaded, requests)
        except torch.OutOfMemoryError:
            torch.cuda.empty_cache()
            if len(requests) == 1:
                return [
                    ModelError(
                        f"{self.name}: out of memory; take a smaller model, dtype=bfloat16 or fewer pictures"
                    )
                ]
        except ModelRequestError as error:
            if len(requests) == 1:
                return [ModelRequestError(f"{self.name}: {error}")]
        return [result for request in requests for result in self._batch([request])]  # each on its own


def create(argument: str | None) -> ChatModel:
    """`transformers:MODEL_ID[?option=value&...]`, see `TransformersOptions`."""
    model_id, options = read_argument("transformers", argument, "transformers:google/gemma-3-4b-it")
    return TransformersModel(model_id, validated("transformers", TransformersOptions, options))


@dataclass(frozen=True)
class _Loaded:
    """A model with what turns messages into its tokens: a processor, or a tokenizer where it reads only.

    Attributes:
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
        return self.processor.tokenizer if self.sees else self.processor


def _load(model_id: str, options: TransformersOptions) -> _Loaded:
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
    ends = list(ends) if isinstance(ends, list | tuple) else [ends]
    return _Loaded(
        model,
        processor,
        sees,
        getattr(text, "max_position_embeddings", None),
        1 if device.type == "cpu" else BATCH_ON_ACCELERATOR,
        ends,
        grammar_tokens(tokenizer, text.vocab_size, ends),
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


def _batches(requests: dict[int, ChatRequest], size: int) -> Iterator[list[int]]:
    """Indices of requests that can be computed together."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, request in requests.items():
        shows = any(message.pictures for message in request.messages)
        groups.setdefault((request.max_tokens, request.temperature, request.seed, shows), []).append(index)
    for indices in groups.values():
        for begin in range(0, len(indices), size):
            yield indices[begin : begin + size]


def _generate(loaded: _Loaded, requests: Sequence[ChatRequest]) -> list[Reply]:
    """Replies to requests with the same settings.

    Raises:
        ModelRequestError: the prompts and their replies do not fit the context, or a schema cannot be enforced.
    """
    import torch
    from transformers import GenerationConfig

    begun = time.monotonic()
    settings, model = requests[0], loaded.model
    inputs = _inputs(loaded, requests)
    inputs = inputs.to(model.device, dtype=model.dtype) if loaded.sees else inputs.to(model.device)
    n_prompt = inputs["input_ids"].shape[1]
    if loaded.context_tokens is not None and n_prompt + settings.max_tokens > loaded.context_tokens:
        raise ModelRequestError(
            f"too long for the model: {n_prompt} tokens and a reply of {settings.max_tokens} in a context of "
            f"{loaded.context_tokens}"
        )
    samples = settings.temperature > 0
    generation = GenerationConfig(
        max_new_tokens=settings.max_tokens,
        do_sample=samples,
        temperature=settings.temperature if samples else None,
        top_k=0 if samples else None,
        pad_token_id=loaded.tokenizer.pad_token_id,
        bos_token_id=loaded.tokenizer.bos_token_id,
        eos_token_id=loaded.ends,
    )
    chosen = _chosen_log_probabilities()
    steps = [chosen]
    schemas = [request.json_schema for request in requests]
    if loaded.grammar_tokens is not None and any(schemas):
        steps = [holding_to(schemas, loaded.grammar_tokens, n_prompt, loaded.ends), chosen]
    with torch.inference_mode(), torch.random.fork_rng(enabled=samples):
        if samples:
            torch.manual_seed(settings.seed)
        tokens = model.generate(**inputs, generation_config=generation, logits_processor=steps)
    written = tokens[:, n_prompt:]
    chosen.settle(tokens)
    seconds = (time.monotonic() - begun) / len(requests)
    ends = torch.as_tensor(loaded.ends, device=written.device)
    n_in = inputs["attention_mask"].sum(dim=1).tolist()
    log_probabilities = torch.stack(chosen.settled, dim=1)
    return [
        _reply(loaded, written[row], ends, log_probabilities[row], int(n_in[row]), seconds)
        for row in range(len(requests))
    ]


def _reply(loaded: _Loaded, written: Any, ends: Any, log_probabilities: Any, n_in: int, seconds: float) -> Reply:
    import torch

    ending = torch.isin(written, ends).nonzero()
    n_out = int(ending[0]) + 1 if len(ending) else len(written)
    text = without_thought(loaded.tokenizer.decode(written[:n_out], skip_special_tokens=True)).strip()
    confidence = min(math.exp(float(log_probabilities[:n_out].mean())), 1.0)
    outcome: Literal["done", "length", "empty"] = "done" if text else "empty"
    if not len(ending):
        outcome = "length"
    return Reply(text, outcome, n_in, n_out, seconds, confidence)


def _inputs(loaded: _Loaded, requests: Sequence[ChatRequest]) -> Any:
    from jinja2.exceptions import TemplateError

    conversations = [request.messages for request in requests]
    try:
        return _tokenized(loaded, conversations)
    except TemplateError:  # "System role not supported"
        return _tokenized(loaded, [said_by_user(messages) for messages in conversations])


def _tokenized(loaded: _Loaded, conversations: Sequence[tuple[Message, ...]]) -> Any:
    return loaded.processor.apply_chat_template(
        [[_turn(message, loaded.sees) for message in messages] for messages in conversations],
        add_generation_prompt=True,
        tokenize=True,
        return_dict=True,
        return_tensors="pt",
        **({"processor_kwargs": {"padding": True}} if loaded.sees else {"padding": True}),
    )


def _turn(message: Message, sees: bool) -> dict[str, Any]:
    if not sees:
        return {"role": message.role, "content": message.text}
    from PIL import Image

    pictures = [Image.open(io.BytesIO(picture.encoded)).convert("RGB") for picture in message.pictures]
    images = [{"type": "image", "image": picture} for picture in pictures]
    return {"role": message.role, "content": [*images, {"type": "text", "text": message.text}]}


def _chosen_log_probabilities() -> Any:
    """A step of generation that notes how probable each chosen token was; it keeps one distribution at a time."""
    import torch
    from transformers import LogitsProcessor

    class Chosen(LogitsProcessor):  # type: ignore[misc]
        def __init__(self) -> None:
            self.settled: list[Any] = []
            self.pending: Any = None

        def __call__(self, tokens: Any, scores: Any) -> Any:
            self.settle(tokens)
            self.pending = torch.log_softmax(scores.float(), dim=-1)
            return scores

        def settle(self, tokens: Any) -> None:
            if self.pending is not None:
                self.settled.append(self.pending.gather(1, tokens[:, -1:])[:, 0].cpu())

    return Chosen()
