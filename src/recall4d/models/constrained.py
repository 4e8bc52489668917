"""Holding a model of transformers to a JSON schema while it writes, through the library llguidance.

At each step the tokens that cannot go on with a document that fits are taken out of the choice. What is held to it
is written as `json.dumps` writes: no room for a small model to fill with spaces until its limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from recall4d.errors import ModelRequestError
from recall4d.models.schema import bare

_WRITING: Any = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}

# Members of a union are told apart by a field that must be written; what else is not known of a schema is left to
# the check of the reply.
_LENIENT: Any = {"coerce_one_of": True, "lenient": True}


def grammar_tokens(tokenizer: Any, n_vocabulary: int, ends: Sequence[int]) -> Any | None:
    """What llguidance needs to know of a tokenizer, made once; None where it is not installed or cannot read it.

    Args:
        tokenizer: a fast tokenizer of transformers.
        n_vocabulary: width of the model's output, which may be larger than the tokenizer's.
        ends: tokens that end a reply.
    """
    try:
        import llguidance.hf
    except ImportError:
        return None
    if not ends or not getattr(tokenizer, "is_fast", False):
        return None
    try:
        return llguidance.hf.from_tokenizer(tokenizer, n_vocab=n_vocabulary, eos_token=list(ends))
    except (ValueError, RuntimeError):  # a kind of tokenizer that it does not know
        return None


def holding_to(schemas: Sequence[Mapping[str, Any] | None], tokens: Any, n_prompt: int, ends: Sequence[int]) -> Any:
    """A step of generation that holds each row to its schema, if it has one.

    Raises:
        ModelRequestError: a schema that cannot be enforced.
    """
    import torch
    from llguidance import LLMatcher
    from transformers import LogitsProcessor

    matchers = [None if schema is None else LLMatcher(tokens, _grammar(schema)) for schema in schemas]
    for matcher in matchers:
        if matcher is not None and matcher.is_error():
            raise ModelRequestError(f"the schema cannot be enforced: {matcher.get_error()}")

    class Held(LogitsProcessor):  # type: ignore[misc]
        def __call__(self, written: Any, scores: Any) -> Any:
            allowed = torch.ones_like(scores, dtype=torch.bool)
            for row, matcher in enumerate(matchers):
                if matcher is None:
                    continue
                if written.shape[1] > n_prompt and not matcher.is_stopped():
                    matcher.consume_token(int(written[row, -1]))
                allowed[row] = False
                if matcher.is_stopped():  # the document is whole
                    allowed[row, list(ends)] = True
                    continue
                bits = np.frombuffer(matcher.compute_bitmask(), dtype=np.uint8)
                choice = np.unpackbits(bits, bitorder="little").astype(bool)[: scores.shape[1]]
                allowed[row, : len(choice)] = torch.from_numpy(choice).to(scores.device)
            return scores.masked_fill(~allowed, float("-inf"))

    return Held()


def _grammar(schema: Mapping[str, Any]) -> str:
    from llguidance import LLMatcher

    try:
        return str(
            LLMatcher.grammar_from_json_schema(json.dumps(bare(schema)), defaults=_WRITING, overrides=_LENIENT)
        )
    except ValueError as error:
        raise ModelRequestError(f"the schema cannot be enforced: {error}") from error
