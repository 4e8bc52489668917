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
from typing import Any, Literal

from recall4d.errors import ModelError, ModelRequestError
from recall4d.models.constrained import holding_to
from recall4d.models.pictures import fit_pictures
from recall4d.models.real_calls import check_real_call
from recall4d.models.spec import read_argument, validated
from recall4d.models.transformers_loading import Loaded, TransformersOptions, load
from recall4d.models.wire import said_by_user, without_thought
from recall4d.ports import ChatModel
from recall4d.records import Capabilities, ChatRequest, Message, Reply

MANY_PICTURES = 8


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
        self._loaded = load(model_id, self.options)
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


def _batches(requests: dict[int, ChatRequest], size: int) -> Iterator[list[int]]:
    """Indices of requests that can be computed together."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, request in requests.items():
        shows = any(message.pictures for message in request.messages)
        groups.setdefault((request.max_tokens, request.temperature, request.seed, shows), []).append(index)
    for indices in groups.values():
        for begin in range(0, len(indices), size):
            yield indices[begin : begin + size]


def _generate(loaded: Loaded, requests: Sequence[ChatRequest]) -> list[Reply]:
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
        eos_token_id=loaded.ends or None,
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


def _reply(loaded: Loaded, written: Any, ends: Any, log_probabilities: Any, n_in: int, seconds: float) -> Reply:
    import torch

    ending = torch.isin(written, ends).nonzero()
    n_out = int(ending[0]) + 1 if len(ending) else len(written)
    text = without_thought(loaded.tokenizer.decode(written[:n_out], skip_special_tokens=True)).strip()
    confidence = min(math.exp(float(log_probabilities[:n_out].mean())), 1.0)
    outcome: Literal["done", "length", "empty"] = "done" if text else "empty"
    if not len(ending):
        outcome = "length"
    return Reply(text, outcome, n_in, n_out, seconds, confidence)


def _inputs(loaded: Loaded, requests: Sequence[ChatRequest]) -> Any:
    from jinja2.exceptions import TemplateError

    conversations = [request.messages for request in requests]
    try:
        return _tokenized(loaded, conversations)
    except TemplateError:  # "System role not supported"
        return _tokenized(loaded, [said_by_user(messages) for messages in conversations])


def _tokenized(loaded: Loaded, conversations: Sequence[tuple[Message, ...]]) -> Any:
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
