from __future__ import annotations

import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from recall4d.errors import UsageError
from recall4d.perception.embedders.wordllama import create


@pytest.fixture(scope="module")
def embedder():
    return create(None)


def similarity(embedder, one: str, other: str) -> float:
    a, b = embedder.embed([one, other])
    return float(a @ b)


def test_texts_become_unit_vectors(embedder):
    vectors = embedder.embed(["white mug", "long oak table", "bright red game controller"])

    assert vectors.shape == (3, embedder.dimension) == (3, 256)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_no_texts_are_no_vectors(embedder):
    assert embedder.embed([]).shape == (0, 256)


def test_a_text_without_words_is_like_nothing(embedder):
    assert not embedder.embed([""]).any()


def test_a_text_has_the_same_vector_alone_and_among_others(embedder):
    alone, among = embedder.embed(["cup"])[0], embedder.embed(["a much longer text about tables", "cup"])[1]

    assert np.array_equal(alone, among)


def test_case_does_not_matter(embedder):
    assert similarity(embedder, "Television", "television") == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    ("asked", "meant", "other"),
    [
        ("coffee cup", "plain white mug with coffee in it", "long oak table"),
        ("couch", "large white L-shaped sofa", "white nightstand with drawers"),
        ("television", "wall-mounted flat TV", "black computer keyboard"),
        ("gamepad", "bright red game controller", "glossy red base cupboards"),
        ("power outlet", "double power socket", "chrome mixer tap"),
    ],
)
def test_other_words_for_a_thing_are_nearer_to_it_than_to_another(embedder, asked, meant, other):
    assert similarity(embedder, asked, meant) > similarity(embedder, asked, other)


def test_the_first_text_needs_no_network(monkeypatch):
    def refused(*_args, **_kwargs):
        raise AssertionError("the embedder opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refused)

    assert create(None).embed(["cup"]).any()


def test_threads_may_share_one():
    embedder, texts = create(None), [f"cup number {i}" for i in range(50)]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(embedder.embed, [texts] * 8))

    assert all(np.array_equal(answer, answers[0]) for answer in answers)


def test_nothing_heavy_is_loaded_before_the_first_text():
    code = (
        "import sys; from recall4d.perception.embedders.wordllama import create; create(None);"
        "print(sorted({'wordllama', 'tokenizers', 'safetensors'} & set(sys.modules)))"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"


def test_an_argument_is_refused():
    with pytest.raises(UsageError, match="takes no argument"):
        create("large")
