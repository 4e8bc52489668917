"""Embeddings that moved from the database into their file: each stays with its own text, whatever is killed."""

import os
from contextlib import suppress

import numpy as np
import pytest

from recall4d.errors import StoreError
from recall4d.store import sqlite
from recall4d.store.sqlite import SqliteStore
from recall4d.store.vector_file import vector_file_name

FILE_NAME = vector_file_name()


def vector(text):
    dice = np.random.default_rng(len(text) * 1000 + sum(map(ord, text)))
    return dice.normal(size=8).astype(np.float16).astype(np.float32)


def add(store, texts):
    with store.writing() as writer:
        writer.add_texts({text: vector(text) for text in texts})


def assert_right(store, texts):
    found = store.vectors(texts)
    assert found.keys() == set(texts)
    for text in texts:
        assert np.array_equal(found[text], vector(text)), text


@pytest.fixture
def few_at_once(monkeypatch):
    monkeypatch.setattr(sqlite, "FOLD_AT", 4)


@pytest.mark.usefixtures("few_at_once")
def test_vectors_move_into_their_file_and_stay_the_same(tmp_path):
    store = SqliteStore.open(tmp_path, create=True)
    texts = [f"cup {n}" for n in range(11)]
    for text in texts:
        add(store, [text, "cup 0"])
    assert (tmp_path / FILE_NAME).stat().st_size == 8 * 8 * 2
    for reader in (store, SqliteStore.open(tmp_path)):
        assert_right(reader, texts)


def test_half_precision_is_all_that_is_kept(tmp_path):
    store = SqliteStore.open(tmp_path, create=True)
    unit = np.full(3, 3**-0.5, dtype=np.float32)
    with store.writing() as writer:
        writer.add_texts({"a": unit})
    found = store.vectors(["a"])["a"]
    assert found.dtype == np.float32
    assert 0 < np.abs(found - unit).max() < 3e-4
    vectors, slots = store.vector_slots(["a"])
    assert np.array_equal(vectors[slots][0].astype(np.float32), found), "in the file as in the database"


def test_queries_get_every_vector_by_its_slot(tmp_path):
    store = SqliteStore.open(tmp_path, create=True)
    texts = [f"cup {n}" for n in range(5)]
    add(store, texts)
    add(store, ["pan"])
    vectors, slots = store.vector_slots([*texts, "pan"])
    assert np.array_equal(vectors[slots], np.stack([vector(text) for text in (*texts, "pan")]))
    add(store, ["lid"])
    again, more = store.vector_slots(["lid", "cup 3"])
    assert np.array_equal(again[more], np.stack([vector("lid"), vector("cup 3")]))
    assert more[1] == slots[3], "a slot once given stays"


@pytest.mark.usefixtures("few_at_once")
def test_a_writer_that_dies_after_the_file_and_before_the_commit_leaves_slots_that_nobody_names(tmp_path):
    store = SqliteStore.open(tmp_path, create=True)
    add(store, ["a", "bb", "ccc"])
    with suppress(KeyboardInterrupt), store.writing() as writer:
        writer.add_texts({text: vector(text) for text in ("lost", "gone")})
        store._give_slots()
        raise KeyboardInterrupt
    assert (tmp_path / FILE_NAME).stat().st_size == 5 * 8 * 2
    assert store.vectors(["lost", "gone"]) == {}
    add(store, ["other", "more", "yet more"])
    assert_right(SqliteStore.open(tmp_path), ["a", "bb", "ccc", "other", "more", "yet more"])


@pytest.mark.usefixtures("few_at_once")
def test_a_slot_torn_in_the_middle_is_left_behind(tmp_path):
    store = SqliteStore.open(tmp_path, create=True)
    add(store, ["a", "bb", "ccc", "dddd"])
    with (tmp_path / FILE_NAME).open("ab") as file:
        file.write(b"torn!")
    add(store, ["e", "ff", "ggg", "hhhh"])
    assert_right(SqliteStore.open(tmp_path), ["a", "bb", "ccc", "dddd", "e", "ff", "ggg", "hhhh"])


@pytest.mark.usefixtures("few_at_once")
@pytest.mark.parametrize("harm", ["damaged", "shorter", "missing"])
def test_a_vector_file_that_does_not_hold_what_was_committed_is_refused(tmp_path, harm):
    store = SqliteStore.open(tmp_path, create=True)
    add(store, ["a", "bb", "ccc", "dddd"])
    store.close()
    path = tmp_path / FILE_NAME
    if harm == "damaged":
        content = bytearray(path.read_bytes())
        content[5] ^= 1
        path.write_bytes(content)
    elif harm == "shorter":
        os.truncate(path, 50)
    else:
        path.unlink()
    with pytest.raises(StoreError, match="does not hold the embedding"):
        SqliteStore.open(tmp_path).vectors(["a", "bb", "ccc", "dddd"])


def test_a_vector_of_another_length_is_refused(tmp_path):
    store = SqliteStore.open(tmp_path, create=True)
    add(store, ["a"])
    store.vector_slots(["a"])
    with store.writing() as writer:
        writer.add_texts({"short": np.zeros(3, dtype=np.float32)})
    with pytest.raises(StoreError, match="expected embeddings of 8 numbers"):
        store.vector_slots(["short"])


@pytest.mark.usefixtures("few_at_once")
def test_embeddings_of_another_length_take_the_place_of_all(tmp_path):
    store = SqliteStore.open(tmp_path, create=True)
    reader = SqliteStore.open(tmp_path)
    add(store, ["a", "bb", "ccc", "dddd"])
    assert_right(reader, ["a"])
    with store.writing() as writer:
        writer.replace_texts({text: np.full(3, len(text), dtype=np.float32) for text in ("a", "bb", "ccc", "dddd")})
    for each in (store, reader):
        vectors, slots = each.vector_slots(["bb", "dddd"])
        assert vectors[slots].tolist() == [[2.0] * 3, [4.0] * 3]
        assert each.vectors(["a"])["a"].tolist() == [1.0] * 3
    assert [path.name for path in tmp_path.glob("*.f16")] == [vector_file_name(1)]
