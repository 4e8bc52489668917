"""Models of the published architectures, a few hundred kilobytes each, built from configs with random weights.

What they say means nothing. That real loading code finds its weights, feeds them and reads their replies is what
tests see by them.
"""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

import torch
import transformers

SIDE = 128
"""Side of the image that the SAM 2 models take."""

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] . , coffee mug chair plant cup red the a".split()


def prepare() -> None:
    """The same weights every time; one thread, since these models are smaller than the cost of a second."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def _sam2_parts() -> dict[str, Any]:
    backbone = transformers.Sam2HieraDetConfig(
        hidden_size=16,
        num_attention_heads=1,
        blocks_per_stage=[1, 1, 2, 1],
        embed_dim_per_stage=[16, 32, 64, 128],
        num_attention_heads_per_stage=[1, 2, 4, 8],
        image_size=[SIDE, SIDE],
        window_size_per_stage=[8, 4, 4, 4],
        global_attention_blocks=[3],
    )
    return {
        "vision_config": transformers.Sam2VisionConfig(
            backbone_config=backbone,
            backbone_channel_list=[128, 64, 32, 16],
            backbone_feature_sizes=[[32, 32], [16, 16], [8, 8]],
            fpn_hidden_size=128,
        ),
        "prompt_encoder_config": {"hidden_size": 128, "image_size": SIDE, "mask_input_channels": 8},
        "mask_decoder_config": {
            "hidden_size": 128,
            "mlp_dim": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "iou_head_hidden_dim": 32,
        },
    }


def write_sam2_video(folder: Path) -> Path:
    """A checkpoint as SAM 2.1's: of a video model, which loads as an image model too."""
    prepare()
    config = transformers.Sam2VideoConfig(
        **_sam2_parts(),
        num_maskmem=3,
        image_size=SIDE,
        memory_attention_hidden_size=128,
        memory_attention_num_layers=1,
        memory_attention_feed_forward_hidden_size=32,
        memory_attention_rope_feat_sizes=[8, 8],
        memory_encoder_hidden_size=128,
        mask_downsampler_embed_dim=128,
        memory_fuser_embed_dim=128,
        memory_fuser_intermediate_dim=32,
        memory_fuser_num_layers=1,
    )
    transformers.Sam2VideoModel(config).save_pretrained(folder)
    size = {"height": SIDE, "width": SIDE}
    transformers.Sam2VideoProcessor(
        transformers.Sam2ImageProcessor(size=size, mask_size={"height": SIDE // 4, "width": SIDE // 4}),
        transformers.Sam2VideoVideoProcessor(size=size),
        target_size=SIDE,
    ).save_pretrained(folder)
    return folder


def bert_tokenizer(folder: Path) -> Any:
    """A WordPiece tokenizer that knows `WORDS`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    return transformers.BertTokenizer(vocab=str(folder / "vocab.txt"))


def write_grounding_dino(folder: Path) -> Path:
    """Grounding DINO, six queries."""
    prepare()
    text = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
    )
    config = transformers.GroundingDinoConfig(
        backbone_config=_swin(["stage2", "stage3", "stage4"]),
        text_config=text.to_dict(),
        d_model=32,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        num_queries=6,
        max_text_len=64,
    )
    transformers.GroundingDinoForObjectDetection(config).save_pretrained(folder)
    images = transformers.GroundingDinoImageProcessor(size={"shortest_edge": 64, "longest_edge": 96})
    transformers.GroundingDinoProcessor(images, bert_tokenizer(folder)).save_pretrained(folder)
    return folder


def write_owlv2(folder: Path) -> Path:
    """OWLv2, sixteen patches, its tokenizer by letters."""
    prepare()
    folder.mkdir(parents=True, exist_ok=True)
    letters = [*string.ascii_lowercase, *(f"{each}</w>" for each in string.ascii_lowercase)]
    vocabulary = {each: number for number, each in enumerate([*letters, "<|startoftext|>", "<|endoftext|>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = transformers.CLIPTokenizer(
        vocab=str(folder / "vocab.json"),
        merges=str(folder / "merges.txt"),
        pad_token="<|endoftext|>",
        model_max_length=16,
    )
    small = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    n = len(vocabulary)
    config = transformers.Owlv2Config(
        text_config={
            **small,
            "vocab_size": n,
            "max_position_embeddings": 16,
            "pad_token_id": n - 1,
            "bos_token_id": n - 2,
            "eos_token_id": n - 1,
        },
        vision_config={**small, "image_size": 64, "patch_size": 16},
        projection_dim=16,
    )
    transformers.Owlv2ForObjectDetection(config).save_pretrained(folder)
    images = transformers.Owlv2ImageProcessor(size={"height": 64, "width": 64})
    transformers.Owlv2Processor(images, tokenizer).save_pretrained(folder)
    return folder


def write_mask2former(folder: Path) -> Path:
    """Mask2Former, six queries, labels as COCO's and ADE's checkpoints write them."""
    prepare()
    config = transformers.Mask2FormerConfig(
        backbone_config=_swin(["stage1", "stage2", "stage3", "stage4"]),
        feature_size=32,
        mask_feature_size=32,
        hidden_dim=32,
        encoder_feedforward_dim=16,
        encoder_layers=1,
        decoder_layers=2,
        num_attention_heads=2,
        dim_feedforward=16,
        num_queries=6,
        id2label={0: "cup", 1: "wall-other-merged", 2: "floor, flooring"},
    )
    model = transformers.Mask2FormerForUniversalSegmentation(config)
    _make_certain(model.class_predictor)
    model.save_pretrained(folder)
    transformers.Mask2FormerImageProcessor(size={"height": 64, "width": 64}).save_pretrained(folder)
    return folder


def write_detr_panoptic(folder: Path) -> Path:
    """DETR with its mask head, six queries."""
    prepare()
    backbone = transformers.ResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 16, 32, 64],
        depths=[1, 1, 1, 1],
        out_features=["stage1", "stage2", "stage3", "stage4"],
    )
    config = transformers.DetrConfig(
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone=None,
        backbone_config=backbone,
        d_model=64,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        num_queries=6,
        id2label={0: "cup", 1: "wall-other-merged", 2: "floor, flooring"},
    )
    model = transformers.DetrForSegmentation(config)
    _make_certain(model.detr.class_labels_classifier)
    model.save_pretrained(folder)
    transformers.DetrImageProcessor(size={"shortest_edge": 64, "longest_edge": 96}).save_pretrained(folder)
    return folder


def write_eomt(folder: Path) -> Path:
    """EoMT, six queries, padded to a square as its panoptic checkpoints are."""
    prepare()
    config = transformers.EomtConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        mlp_ratio=2,
        image_size=64,
        patch_size=8,
        num_blocks=1,
        num_upscale_blocks=1,
        num_register_tokens=1,
        num_queries=6,
        id2label={0: "cup", 1: "wall-other-merged", 2: "floor, flooring"},
    )
    model = transformers.EomtForUniversalSegmentation(config)
    _make_certain(model.class_predictor)
    model.save_pretrained(folder)
    size = {"shortest_edge": 64, "longest_edge": 64}
    transformers.EomtImageProcessor(size=size, do_pad=True).save_pretrained(folder)
    return folder


def _make_certain(classes: Any) -> None:
    """Random weights are sure of nothing, and a panoptic result holds only what a model is sure of."""
    with torch.no_grad():
        classes.weight *= 200


def _swin(stages: list[str]) -> Any:
    return transformers.SwinConfig(
        image_size=64,
        embed_dim=8,
        depths=[1, 1, 1, 1],
        num_heads=[1, 2, 2, 2],
        window_size=4,
        out_features=stages,
    )
