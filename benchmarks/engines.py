"""The engines that `benchmarks.retrieval` compares, each through its own public interface, on the same load."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.load import AGENT, DIMENSION, FRAME_ENTRIES, Load, LoadEmbedder
from recall4d.api import Memory
from recall4d.clock import NS_PER_S
from recall4d.memory.maps import keep_map
from recall4d.query.plan import Find, Plan, Point, SemanticKey, SpatialKey, Stamp, TemporalKey

K = 10
"""Rows asked for."""

BUILD_LIMIT_S = 240.0
"""An engine that takes longer to take the load in is measured on what it has by then."""


@dataclass(frozen=True)
class Question:
    """What is asked: any of the three keys.

    Attributes:
        text: whose embedding ranks; None for no semantic key.
        centre, radius_m: where.
        window: when, ns.
    """

    text: str | None = None
    centre: NDArray[np.float64] | None = None
    radius_m: float = 0.0
    window: tuple[int, int] | None = None

    @cached_property
    def plan(self) -> Plan:
        """One step; look-alikes stay together, as other engines have it."""
        spatial: tuple[SpatialKey, ...] = ()
        if self.centre is not None:
            anchor = Point(xyz=tuple(self.centre.tolist()))
            spatial = (SpatialKey(relation="within", anchors=(anchor,), distance_m=self.radius_m),)
        temporal = None
        if self.window is not None:
            after, before = (Stamp(at_ns=end) for end in self.window)
            temporal = TemporalKey(mode="observed", after=after, before=before)
        semantic = None if self.text is None else SemanticKey(texts=(self.text,), min_similarity=-1.0)
        find = Find(name="found", semantic=semantic, spatial=spatial, temporal=temporal, limit=K, diverse=False)
        return Plan(steps=(find,))


class Engine(Protocol):
    """One engine with the load in it.

    Attributes:
        name: for the table.
        n: rows it holds.
    """

    name: str
    n: int

    def ask(self, question: Question) -> list[int]:
        """Rows of the load, best first, at most `K`."""
        ...

    def truth(self, question: Question, rows: Rows) -> list[int]:
        """What it should answer to the question as it understands it."""
        ...


class Rows:
    """The load as columns, for truths and for the plain scan."""

    def __init__(self, load: Load, vectors: NDArray[np.float32], embedder: LoadEmbedder) -> None:
        self.low, self.high = load.low, load.high
        self.centre = (load.low + load.high) / 2
        self.from_ns, self.to_ns = load.from_ns, load.to_ns
        self.vectors = vectors
        self.embed, self._expect = embedder.embed, embedder.expect

    def expect(self, question: Question) -> None:
        """Have what is asked at hand, so that only the answer is timed."""
        if question.text is not None:
            self._expect(question.text)
        assert question.plan

    def query(self, question: Question) -> NDArray[np.float32]:
        return self.embed([question.text or ""])[0]

    def gap_m(self, centre: NDArray[np.float64], rows: Any = slice(None)) -> NDArray[np.float64]:
        apart = np.maximum(np.maximum(self.low[rows] - centre, centre - self.high[rows]), 0.0)
        return np.sqrt((apart * apart).sum(axis=1))

    def near(self, question: Question, gaps: bool, n: int) -> NDArray[np.intp]:
        """Rows that fulfil the spatial and temporal keys; distances to boxes, or else to centres."""
        keep = np.ones(n, dtype=bool)
        if question.window is not None:
            keep &= (self.from_ns[:n] <= question.window[1]) & (self.to_ns[:n] >= question.window[0])
        if question.centre is not None:
            if gaps:
                keep &= self.gap_m(question.centre, slice(n)) <= question.radius_m
            else:
                apart = self.centre[:n] - question.centre
                keep &= (apart * apart).sum(axis=1) <= question.radius_m**2
        return np.flatnonzero(keep)


class PlainScan:
    """numpy float32 over columns in memory: what any engine has to beat; nothing is durable."""

    name = "numpy"

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.n = len(rows.low)

    def ask(self, question: Question) -> list[int]:
        rows = self.rows
        if question.centre is None and question.window is None:
            scores = rows.vectors @ rows.query(question)
            best = np.argpartition(scores, self.n - K)[self.n - K :]
            return best[np.argsort(-scores[best])].tolist()
        near = rows.near(question, True, self.n)
        if question.text is None:
            return near[:K].tolist()
        scores = rows.vectors[near] @ rows.query(question)
        best = np.argpartition(scores, len(near) - K)[len(near) - K :] if len(near) > K else np.arange(len(near))
        return near[best[np.argsort(-scores[best])]].tolist()

    def truth(self, question: Question, rows: Rows) -> list[int]:
        return by_cosine(question, rows, True, self.n)


class Recall4d:
    """This library: `Memory.query` of a plan on a memory in a directory."""

    def __init__(self, load: Load, embedder: LoadEmbedder, directory: Path, approximate: bool = False) -> None:
        self.name = "recall4d, approximate" if approximate else "recall4d"
        self.load, self.n = load, load.n
        self.memory = Memory.open(directory, embedder=embedder, approximate=approximate)

    def warmed(self) -> Recall4d:
        """The same, with the row of each entry at hand for checking answers."""
        self._row_of = {self.load.entry_id(row): row for row in range(self.n)}
        return self

    def ask(self, question: Question) -> list[int]:
        return [self._row_of[entry_id] for entry_id in self.memory.query(question.plan).entry_ids]

    def truth(self, question: Question, rows: Rows) -> list[int]:
        near = rows.near(question, True, self.n)
        if question.text is None and question.centre is None:
            return near.tolist()
        scores = np.ones(len(near))
        if question.text is not None:
            cosines = (rows.vectors[near].astype(np.float64) @ rows.query(question).astype(np.float64)).round(6)
            scores = np.maximum((0.25 * np.maximum(cosines, 0.0)).round(6), 1e-6)
        if question.centre is not None:
            scores = scores * (1.0 / (1.0 + rows.gap_m(question.centre, near))).round(6)
        return near[np.argsort(-scores, kind="stable")[:K]].tolist()


def fill(load: Load, embedder: LoadEmbedder, vectors: NDArray[np.float32], directory: Path) -> float:
    """Write the load, a frame of 20 a commit, each forced to disk; entries a second that the store took."""
    memory = Memory.open(directory, embedder=embedder)
    seconds = 0.0
    for row in range(0, load.n, FRAME_ENTRIES):
        end = min(row + FRAME_ENTRIES, load.n)
        frame, observations = load.frame(row)
        entries, texts = list(load.entries(row, end)), dict(zip(load.texts[row:end], vectors[row:end], strict=True))
        started = time.perf_counter()
        with memory.store.writing() as writer:
            writer.changes(writer.sequence - 1)
            writer.add_frame(frame, observations)
            writer.add_texts(texts)
            writer.put_entries(entries)
            if row == 0:
                keep_map(memory.store, writer, AGENT, np.eye(4))
        seconds += time.perf_counter() - started
    memory.close()
    return load.n / seconds


class LanceDb:
    """LanceDB with an IVF_PQ index, ten times the rows rescored, and scalar indexes for the filters."""

    name = "LanceDB"

    def __init__(self, load: Load, rows: Rows) -> None:
        import lancedb
        import pyarrow as pa

        self._directory = tempfile.TemporaryDirectory()
        self.n = load.n
        table = pa.table(
            {
                "row": np.arange(self.n),
                **{axis: rows.centre[:, i] for i, axis in enumerate("xyz")},
                "start": rows.from_ns,
                "stop": rows.to_ns,
                "vector": pa.FixedSizeListArray.from_arrays(pa.array(rows.vectors.ravel()), DIMENSION),
            }
        )
        self._table = lancedb.connect(self._directory.name).create_table("entries", table)
        self._table.create_index(metric="cosine", vector_column_name="vector")
        for column in ("x", "y", "start"):
            self._table.create_scalar_index(column)
        self._embed = rows.query

    def ask(self, question: Question) -> list[int]:
        where = _where(question)
        if question.text is None:
            return self._table.search().where(where).select(["row"]).limit(K).to_arrow()["row"].to_pylist()
        search = self._table.search(self._embed(question)).distance_type("cosine").refine_factor(10)
        if where:
            search = search.where(where, prefilter=True)
        return search.select(["row", "_distance"]).limit(K).to_arrow()["row"].to_pylist()

    def truth(self, question: Question, rows: Rows) -> list[int]:
        return by_cosine(question, rows, False, self.n)


class SqliteVec:
    """sqlite-vec: a vec0 table of the embeddings, with place and time as metadata columns."""

    name = "sqlite-vec"

    def __init__(self, load: Load, rows: Rows) -> None:
        import apsw  # Python's own sqlite3 is often built without extensions
        import sqlite_vec

        self._directory = tempfile.TemporaryDirectory()
        connection = apsw.Connection(str(Path(self._directory.name) / "entries.sqlite"))
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.execute(
            f"CREATE VIRTUAL TABLE entries USING vec0(vector float[{DIMENSION}] distance_metric=cosine,"
            " x FLOAT, y FLOAT, z FLOAT, start INTEGER, stop INTEGER)"
        )
        self._connection, self._embed, self.n = connection, rows.query, 0
        started = time.monotonic()
        for at in range(0, load.n, 2000):
            end = min(at + 2000, load.n)
            connection.execute("BEGIN")
            connection.executemany(
                "INSERT INTO entries (rowid, vector, x, y, z, start, stop) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (row, rows.vectors[row].tobytes(), *rows.centre[row].tolist(), int(rows.from_ns[row]),
                     int(rows.to_ns[row]))
                    for row in range(at, end)
                ],
            )  # fmt: skip
            connection.execute("COMMIT")
            self.n = end
            if time.monotonic() - started > BUILD_LIMIT_S:
                break

    def ask(self, question: Question) -> list[int]:
        where = _box(question)
        if question.text is None:
            found = self._connection.execute(f"SELECT rowid FROM entries WHERE {' AND '.join(where)} LIMIT {K}")
        else:
            clauses = " AND ".join(["vector MATCH ?", f"k = {K}", *where])
            vector = self._embed(question).tobytes()
            found = self._connection.execute(f"SELECT rowid FROM entries WHERE {clauses}", (vector,))
        return [row for (row,) in found]

    def truth(self, question: Question, rows: Rows) -> list[int]:
        near = np.arange(self.n)
        if question.centre is not None:
            near = near[(np.abs(rows.centre[: self.n] - question.centre) <= question.radius_m).all(axis=1)]
        if question.window is not None:
            near = near[(rows.from_ns[near] <= question.window[1]) & (rows.to_ns[near] >= question.window[0])]
        return _ranked(question, rows, near)


class Emem:
    """The PyPI package emem: its store's search by vector, and its spatial and temporal queries."""

    name = "emem"

    def __init__(self, load: Load, rows: Rows) -> None:
        from emem import SpatioTemporalMemory, SpatioTemporalMemoryConfig

        self._directory = tempfile.TemporaryDirectory()
        home = Path(self._directory.name)
        config = SpatioTemporalMemoryConfig(
            db_path=str(home / "m.db"), hnsw_path=str(home / "m.bin"), hnsw_max_elements=load.n,
            flush_batch_size=FRAME_ENTRIES, flush_interval=1e9,
        )  # fmt: skip
        self._memory = SpatioTemporalMemory(db_path=config.db_path, config=config)
        self._embed, self.n = rows.query, 0
        started = time.monotonic()
        for row in range(load.n):
            x, y, z = rows.centre[row].tolist()
            stamp_s = float(rows.from_ns[row]) / NS_PER_S
            self._memory.add(str(row), x=x, y=y, z=z, timestamp=stamp_s, embedding=rows.vectors[row])
            if (row + 1) % FRAME_ENTRIES == 0:
                self.n = row + 1
                if time.monotonic() - started > BUILD_LIMIT_S:
                    break
        self._memory.save()

    def ask(self, question: Question) -> list[int]:
        store = self._memory.store
        window = None if question.window is None else tuple(end / NS_PER_S for end in question.window)
        if question.text is not None:
            found = store.semantic_search_by_vector(
                self._embed(question), K, time_range=window, spatial_center=question.centre,
                spatial_radius=question.radius_m if question.centre is not None else None,
            )  # fmt: skip
        elif question.centre is not None:
            found = store.spatial_query(question.centre, question.radius_m, time_range=window, n_results=K)
        else:
            found = store.temporal_query(time_range=window, n_results=K)
        return [int(each.text) for each in found if each.text.isdigit()]

    def truth(self, question: Question, rows: Rows) -> list[int]:
        near = np.arange(self.n)
        if question.window is not None:
            # it knows instants, not stretches of time
            near = near[(rows.from_ns[near] >= question.window[0]) & (rows.from_ns[near] <= question.window[1])]
        if question.centre is not None:
            near = near[((rows.centre[near] - question.centre) ** 2).sum(axis=1) <= question.radius_m**2]
        return _ranked(question, rows, near)


def by_cosine(question: Question, rows: Rows, gaps: bool, n: int) -> list[int]:
    """What fulfils the keys, most alike first."""
    return _ranked(question, rows, rows.near(question, gaps, n))


def _ranked(question: Question, rows: Rows, near: NDArray[np.intp]) -> list[int]:
    if question.text is None:
        return near.tolist()
    scores = rows.vectors[near] @ rows.query(question)
    return near[np.argsort(-scores, kind="stable")[:K]].tolist()


def _box(question: Question) -> list[str]:
    """A question's keys as conditions on columns; a radius as the cube around it."""
    found = []
    if question.centre is not None:
        for axis, value in zip("xyz", question.centre.tolist(), strict=True):
            found += [f"{axis} >= {value - question.radius_m}", f"{axis} <= {value + question.radius_m}"]
    if question.window is not None:
        found += [f"start <= {question.window[1]}", f"stop >= {question.window[0]}"]
    return found


def _where(question: Question) -> str:
    """The same with the ball itself."""
    found = _box(question)
    if question.centre is not None:
        x, y, z = question.centre.tolist()
        ball = f"(x-({x}))*(x-({x}))+(y-({y}))*(y-({y}))+(z-({z}))*(z-({z}))"
        found.append(f"{ball} <= {question.radius_m**2}")
    return " AND ".join(found)


OTHERS: tuple[Callable[[Load, Rows], Engine], ...] = (LanceDb, SqliteVec, Emem)
"""Engines that need a package of their own."""
