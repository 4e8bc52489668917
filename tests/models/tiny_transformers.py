"""Models of the transformers library with the architectures of real ones, a few thousand random weights each.

They are saved as repositories are laid out, so that the real loading code loads them. Weights are larger than those
that training starts from: at its usual scale every reply of an untrained model would be the same token.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    Gemma3Config,
    Gemma3ForConditionalGeneration,
    Gemma3ImageProcessor,
    Gemma3Processor,
    GotOcr2ImageProcessor,
    InternVLConfig,
    InternVLForConditionalGeneration,
    InternVLProcessor,
    InternVLVideoProcessor,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen2_5_VLProcessor,
    Qwen2VLImageProcessor,
    Qwen2VLVideoProcessor,
    SmolVLMConfig,
    SmolVLMForConditionalGeneration,
    SmolVLMImageProcessor,
    SmolVLMProcessor,
    SmolVLMVideoProcessor,
)

CONTEXT_TOKENS = 1024
TEXT = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT_TOKENS,
}
TEMPLATE = (
    "{% for message in messages %}<turn>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}"
    "{% if part.type == 'image' %}IMAGE{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}{% endif %}<end>{% endfor %}{% if add_generation_prompt %}<turn>assistant\n{% endif %}"
)


def tokenizer(*special: str, **named: str) -> PreTrainedTokenizerFast:
    """One token a byte, and special ones; `named` ones are attributes too, as `image_token`."""
    tokens = ["<pad>", "<end>", "<turn>", *special, *named.values()]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*tokens, *letters])}
    bytewise = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bytewise.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=bytewise,
        pad_token="<pad>",
        eos_token="<end>",
        additional_special_tokens=["<turn>", *special],
        extra_special_tokens=named,
    )


def save(folder: Path, model: Any, processor: Any) -> Path:
    """A repository of a model with random weights."""
    torch.manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0.0, 0.3)
    model.generation_config.eos_token_id = 1
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def llama(folder: Path) -> Path:
    """A model that reads only."""
    words = tokenizer()
    words.chat_template = TEMPLATE
    return save(folder, LlamaForCausalLM(LlamaConfig(vocab_size=len(words), eos_token_id=1, **TEXT)), words)


def gemma3(folder: Path) -> Path:
    words = tokenizer(boi_token="<boi>", eoi_token="<eoi>", image_token="<image>")
    n_image_tokens = 4
    config = Gemma3Config(
        text_config={**TEXT, "vocab_size": len(words), "head_dim": 8, "sliding_window": 64},
        vision_config={
            "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
            "image_size": 32, "patch_size": 8,
        },
        mm_tokens_per_image=n_image_tokens,
        boi_token_index=words.boi_token_id,
        eoi_token_index=words.eoi_token_id,
        image_token_index=words.image_token_id,
        tie_word_embeddings=False,  # tied and untrained, it would repeat one special token
    )  # fmt: skip
    processor = Gemma3Processor(
        Gemma3ImageProcessor(size={"height": 32, "width": 32}),
        words,
        chat_template=TEMPLATE.replace("IMAGE", "<boi>"),
        image_seq_length=n_image_tokens,
    )
    return save(folder, Gemma3ForConditionalGeneration(config), processor)


def qwen2_5_vl(folder: Path) -> Path:
    words = tokenizer(
        "<|vision_start|>", "<|vision_end|>", image_token="<|image_pad|>", video_token="<|video_pad|>"
    )
    config = Qwen2_5_VLConfig(
        text_config={
            **TEXT,
            "vocab_size": len(words),
            "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 10000.0},
            "bos_token_id": None,
            "eos_token_id": 1,
        },
        vision_config={
            "hidden_size": 32, "out_hidden_size": 32, "intermediate_size": 64, "depth": 2, "num_heads": 4,
            "patch_size": 14, "window_size": 112, "fullatt_block_indexes": [1],
        },
        image_token_id=words.image_token_id,
        video_token_id=words.video_token_id,
        vision_start_token_id=words.convert_tokens_to_ids("<|vision_start|>"),
        vision_end_token_id=words.convert_tokens_to_ids("<|vision_end|>"),
    )  # fmt: skip
    size = {"shortest_edge": 28 * 28, "longest_edge": 112 * 112}
    processor = Qwen2_5_VLProcessor(
        Qwen2VLImageProcessor(size=size),
        words,
        Qwen2VLVideoProcessor(size=size),
        chat_template=TEMPLATE.replace("IMAGE", "<|vision_start|><|image_pad|><|vision_end|>"),
    )
    return save(folder, Qwen2_5_VLForConditionalGeneration(config), processor)


def internvl3(folder: Path) -> Path:
    words = tokenizer(
        start_image_token="<img>",
        end_image_token="</img>",
        context_image_token="<IMG_CONTEXT>",
        video_token="<video>",
    )
    config = InternVLConfig(
        text_config={"model_type": "qwen2", **TEXT, "vocab_size": len(words)},
        vision_config={
            "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
            "image_size": [32, 32], "patch_size": [8, 8],
        },
        image_token_id=words.context_image_token_id,
    )  # fmt: skip
    size = {"height": 32, "width": 32}
    processor = InternVLProcessor(
        GotOcr2ImageProcessor(size=size, crop_to_patches=True, max_patches=4),
        words,
        InternVLVideoProcessor(size=size),
        image_seq_length=4,
        chat_template=TEMPLATE.replace("IMAGE", "<IMG_CONTEXT>\n"),
    )
    return save(folder, InternVLForConditionalGeneration(config), processor)


def smolvlm(folder: Path) -> Path:
    words = tokenizer(
        fake_image_token="<fake_token_around_image>",
        image_token="<image>",
        end_of_utterance_token="<end_of_utterance>",
        global_image_token="<global-img>",
        video_token="<video>",
    )
    config = SmolVLMConfig(
        text_config={"model_type": "llama", **TEXT, "vocab_size": len(words), "pad_token_id": 0},
        vision_config={
            "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
            "image_size": 32, "patch_size": 8,
        },
        image_token_id=words.image_token_id,
        scale_factor=2,
        pad_token_id=0,
    )  # fmt: skip
    sizes = {"size": {"longest_edge": 64}, "max_image_size": {"longest_edge": 32}}
    processor = SmolVLMProcessor(
        SmolVLMImageProcessor(**sizes),
        words,
        SmolVLMVideoProcessor(**sizes),
        image_seq_len=4,
        chat_template=TEMPLATE.replace("IMAGE", "<image>"),
    )
    return save(folder, SmolVLMForConditionalGeneration(config), processor)


FAMILIES = {"gemma3": gemma3, "qwen2_5_vl": qwen2_5_vl, "internvl3": internvl3, "smolvlm": smolvlm}
