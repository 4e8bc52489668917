"""Approximate search finds nearly all of the most alike entries, and loses none that another key wants."""

from dataclasses import replace

import numpy as np
import pytest
from worlds import box, entry, snapshot, state, trajectory

from recall4d.errors import MissingExtraError
from recall4d.query import neighbours
from recall4d.query.execute import execute
from recall4d.query.neighbours import Neighbours
from recall4d.query.plan import Find, Plan, SemanticKey

N, DIMENSION = 1500, 32


@pytest.fixture(autouse=True)
def even_for_few(monkeypatch):
    monkeypatch.setattr(neighbours, "MIN_VECTORS", 100)


@pytest.fixture(scope="module")
def vectors():
    random = np.random.default_rng(3)
    centres = random.normal(size=(40, DIMENSION))
    found = centres[random.integers(40, size=N)] + 0.7 * random.normal(size=(N, DIMENSION))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def memories(vectors):
    """The same memory, exact and approximate; every 300th entry is a rarity."""
    here = state(0, None, box((0, 0, 0), (1, 1, 1)))
    entries = [
        entry(f"e{n:04d}", "rarity" if n % 300 == 7 else "thing", "thing", [here], [("alpha", 0, 1)])
        for n in range(N)
    ]
    memory = snapshot(entries, {"alpha": trajectory([(0.0, (3, 0, 1), (0, 0, 1))])}, 1.0)
    exact = replace(memory, vectors=vectors, embed=lambda texts: vectors[[5]])
    return exact, replace(exact, approximate=True)


def find(**keys):
    key = SemanticKey(texts=("qqq",), min_similarity=-1.0)
    return Plan(steps=(Find(name="found", semantic=key, kinds="both", limit=5, diverse=False, **keys),))


def test_most_of_the_most_alike_are_found_with_their_exact_scores(memories):
    exact, approximate = (execute(find(), memory) for memory in memories)
    assert "most alike, nearly" in {line.key for line in approximate.explain}
    scores = {row.entry: row.score for row in exact.last.rows}
    found = [row for row in approximate.last.rows if row.entry in scores]
    assert len(found) >= 4
    assert all(row.score == scores[row.entry] for row in found)


def test_whatever_a_rare_key_wants_is_found(memories):
    exact, approximate = (execute(find(category="rarity"), memory) for memory in memories)
    assert approximate.last == exact.last
    assert len(exact.last.rows) == 5


def test_the_graph_is_kept_and_grows(vectors, tmp_path):
    first = Neighbours.of(vectors[:1000], tmp_path)
    assert first.n == 1000
    grown = Neighbours.of(vectors, tmp_path)
    for row in (3, 1400):
        rows = grown.nearest(vectors[row].astype(np.float64), 5)
        assert row in rows
    kept = (tmp_path / neighbours.FILE_NAME).read_bytes()
    assert Neighbours.of(vectors, tmp_path).n == N
    assert (tmp_path / neighbours.FILE_NAME).read_bytes() == kept


@pytest.mark.parametrize("harm", ["damaged", "missing", "of other vectors"])
def test_a_graph_that_cannot_be_trusted_is_built_anew(vectors, tmp_path, harm):
    Neighbours.of(vectors, tmp_path)
    path = tmp_path / neighbours.FILE_NAME
    if harm == "damaged":
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 255
        path.write_bytes(content)
    elif harm == "missing":
        path.unlink()
    else:
        vectors = np.roll(vectors, 1, axis=1)
    rows = Neighbours.of(vectors, tmp_path).nearest(vectors[11].astype(np.float64), 3)
    assert 11 in rows


def test_without_usearch_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(neighbours, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    with pytest.raises(MissingExtraError, match="recall4d\\[fast\\]"):
        neighbours.require()
