"""Speed of retrieval: three keys, alone and together, beside a plain scan and three other engines.

`python -m benchmarks retrieval --n 100000 --n 1000000`. Everything runs on one BLAS thread, on the same load, in
the same run; judge by the ratio to numpy, since other work on the machine moves all figures alike. Other engines
need their packages (`pip install lancedb sqlite-vec apsw emem`) and are left out where they are missing.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
import numpy as np
from rich.console import Console
from threadpoolctl import threadpool_limits

from benchmarks import report
from benchmarks.engines import OTHERS, Engine, K, PlainScan, Question, Recall4d, Rows, fill
from benchmarks.load import Load, LoadEmbedder
from benchmarks.report import Figure, Section, Target, at_least, at_most
from benchmarks.retrieval_chart import write_times
from recall4d.store.vector_file import vector_file_name

N_QUESTIONS = 200
N_SLOW = 40
"""Questions asked of engines that take long."""

SMALL, LARGE = 100_000, 1_000_000

TARGETS_MS: dict[str, tuple[float, float]] = {
    "three keys, selective": (0.3, 0.6),
    "three keys, unselective": (1.5, 5.0),
    "radius alone": (0.2, 1.0),
    "interval alone": (0.2, 1.0),
}
"""p50 at 100,000 and at 1,000,000 entries."""


@dataclass(frozen=True)
class Timing:
    """One kind of question asked of one engine.

    Attributes:
        p50_ms, p95_ms: of the time of an answer.
        cpu_ms: median processor time of an answer, all threads; what is left of p50 on a busy machine.
        recall: share of the true first ten that it gave; 1 for questions without a ranking, if all rows fit.
    """

    p50_ms: float
    p95_ms: float
    cpu_ms: float
    recall: float


@dataclass(frozen=True)
class Costs:
    """What one size costs beside answers.

    Attributes:
        evidence_ms: median time to write ten rows out.
        upserts: entries a second that the store took, 20 a commit.
        concluding_s, opening_s: to open and answer a first query, with everything to conclude and with nothing.
        bytes_kept, bytes_indexed: files of the memory without and with the approximate index.
        fact_bytes: what observations and frames take of it.
        indexing_s: to build the approximate index.
    """

    evidence_ms: float
    upserts: float
    concluding_s: float
    opening_s: float
    bytes_kept: dict[str, int]
    fact_bytes: int
    bytes_indexed: dict[str, int] = field(default_factory=dict)
    indexing_s: float = 0.0


def kinds(load: Load) -> dict[str, Callable[[int], Question]]:
    """What is asked, about a row of the load."""

    def window(row: int, share: float) -> tuple[int, int]:
        width = int(load.n * share)
        first = min(max(row - width // 2, 0), load.n - 1 - width)
        return int(load.from_ns[first]), int(load.from_ns[first + width])

    def text(row: int) -> str:
        return f"asked-{row}"

    return {
        "semantic alone": lambda row: Question(text(row)),
        "semantic + 2 m": lambda row: Question(text(row), load.low[row], 2.0),
        "semantic + 1 % of time": lambda row: Question(text(row), window=window(row, 0.01)),
        "three keys, selective": lambda row: Question(text(row), load.low[row], 2.0, window(row, 0.01)),
        "three keys, unselective": lambda row: Question(text(row), load.low[row], 20.0, window(row, 0.5)),
        "radius alone": lambda row: Question(None, load.low[row], 2.0),
        "interval alone": lambda row: Question(None, window=window(row, 0.01)),
    }


def measured(engine: Engine, rows: Rows, load: Load, n_questions: int) -> dict[str, Timing]:
    """Every kind of question asked of an engine."""
    found = {}
    for name, ask in kinds(load).items():
        asked = np.random.default_rng(99).integers(engine.n, size=n_questions)
        questions = [ask(int(row)) for row in asked]
        for question in questions:
            rows.expect(question)
        for question in questions[:3]:
            engine.ask(question)
        times, cpu, recalls = [], [], []
        for number, question in enumerate(questions):
            started, before = time.perf_counter(), time.process_time()
            answer = engine.ask(question)
            cpu.append(1e3 * (time.process_time() - before))
            times.append(1e3 * (time.perf_counter() - started))
            if number < N_SLOW:
                recalls.append(_recall(question, answer, engine.truth(question, rows)))
        found[name] = Timing(
            *np.percentile(times, (50, 95)).tolist(), float(np.median(cpu)), float(np.mean(recalls))
        )
    return found


def _evidence_ms(engine: Recall4d, load: Load) -> float:
    """Median time to write ten rows out as evidence, once they are found."""
    ask, times = kinds(load)["three keys, selective"], []
    for row in np.random.default_rng(98).integers(engine.n, size=N_QUESTIONS):
        found = engine.memory.query(ask(int(row)).plan)
        started = time.perf_counter()
        assert len(found.rows) <= K
        times.append(1e3 * (time.perf_counter() - started))
    return float(np.median(times))


def _recall(question: Question, answer: Sequence[int], truth: Sequence[int]) -> float:
    if question.text is None and question.centre is None:
        # any ten of those that fit
        return float(set(answer) <= set(truth)) if answer else float(not truth)
    if question.text is None:
        return 1.0
    return len(set(answer) & set(truth[:K])) / max(min(K, len(truth)), 1)


def run_one(n: int, others: bool, approximate: bool, directory: Path) -> Iterator[Section]:
    """All measurements at one size."""
    load, embedder = Load(n), LoadEmbedder()
    vectors = embedder.embed(load.texts)
    # what is scanned is what is kept: numbers in half precision
    rows = Rows(load, vectors.astype(np.float16).astype(np.float32), embedder)
    home = directory / f"memory-{n}"
    upserts = fill(load, embedder, vectors, home)
    started = time.perf_counter()
    engine = Recall4d(load, embedder, home)
    engine.memory.query(semantic="nothing of the kind", limit=1)
    concluding_s = time.perf_counter() - started
    engine.memory.close()

    started = time.perf_counter()
    engine = Recall4d(load, embedder, home)
    engine.memory.query(near=load.low[n // 2].tolist(), radius_m=2.0, limit=K)
    opening_s = time.perf_counter() - started
    timings = {engine.name: measured(engine.warmed(), rows, load, N_QUESTIONS)}
    evidence_ms = _evidence_ms(engine, load)
    engine.memory.close()
    costs = Costs(evidence_ms, upserts, concluding_s, opening_s, _bytes(home), _fact_bytes(home))
    if approximate:
        nearly = Recall4d(load, embedder, home, approximate=True).warmed()
        started = time.perf_counter()
        nearly.ask(Question("asked-0"))
        costs = replace(costs, indexing_s=time.perf_counter() - started, bytes_indexed=_bytes(home))
        timings[nearly.name] = measured(nearly, rows, load, N_QUESTIONS)
        nearly.memory.close()
    plain = PlainScan(rows)
    timings[plain.name] = measured(plain, rows, load, N_SLOW)
    sizes: dict[str, int] = {}
    for other in OTHERS if others else ():
        try:
            built = other(load, rows)
        except ImportError:
            continue
        timings[built.name], sizes[built.name] = measured(built, rows, load, N_SLOW), built.n
    yield Section(f"recall4d, {n:,} entries", list(_figures(n, timings, costs)))
    yield Section(
        f"p50 in ms (p95; recall@10 where below 0.995), {n:,} entries",
        [
            Figure(f"{name}: {kind}", timing.p50_ms, "ms", detail=_detail(timing, sizes.get(name), n))
            for kind in kinds(load)
            for name, timing in ((name, found[kind]) for name, found in timings.items())
        ],
    )
    write_times(f"One answer, {n:,} entries", timings, report.RESULTS / f"retrieval_{n}.png")


def _figures(n: int, timings: dict[str, dict[str, Timing]], costs: Costs) -> Iterator[Figure]:
    ours, scan = timings["recall4d"], timings["numpy"]
    large = n >= LARGE
    for kind, limits in TARGETS_MS.items():
        yield Figure(kind, ours[kind].p50_ms, "ms", _at(n, at_most(limits[large])), _spread(ours[kind]))
    yield Figure("ten rows written out as evidence, on top", costs.evidence_ms, "ms")
    our_ms, scan_ms = ours["semantic alone"].p50_ms, scan["semantic alone"].p50_ms
    said = f"{our_ms:.2f} ms, scan {scan_ms:.2f} ms"
    yield Figure("semantic alone, exact, times the numpy scan", our_ms / scan_ms, "", at_most(1.1), said)
    if (nearly := timings.get("recall4d, approximate")) is not None:
        found, limit = nearly["semantic alone"], at_most(5.0) if large else None
        yield Figure("semantic alone, approximate", found.p50_ms, "ms", limit, _spread(found))
        yield Figure("recall@10 of it", found.recall, "", at_least(0.99))
        yield Figure("building its index", costs.indexing_s, "s")
    yield Figure(
        "durable upserts, 20 a commit", costs.upserts, "entries/s", _at(n, at_least(2000 if large else 2500))
    )
    yield Figure("open and answer the first query", costs.opening_s, "s", _at(n, at_most(3.0 if large else 0.5)))
    yield Figure("the same, with everything still to be concluded", costs.concluding_s, "s")
    kept = costs.bytes_kept
    total = sum(kept.values()) - costs.fact_bytes
    filed = kept.get(vector_file_name(), 0)
    columns = sum(size for name, size in kept.items() if name.startswith("columns"))
    parts = {"embeddings": filed, "columns": columns, "rows and texts": total - filed - columns}
    beside = {
        "facts": costs.fact_bytes,
        "approximate index": max(sum(costs.bytes_indexed.values()) - sum(kept.values()), 0),
    }
    said, left_out = (
        ", ".join(f"{name} {size / n:.0f}" for name, size in each.items()) for each in (parts, beside)
    )
    yield Figure("bytes on disk an entry", total / n, "", at_most(2000), f"{said}; not in it: {left_out}")


def _at(n: int, target: Target) -> Target | None:
    """Targets are for two sizes."""
    return target if n in (SMALL, LARGE) else None


def _bytes(home: Path) -> dict[str, int]:
    return {str(path.relative_to(home)): path.stat().st_size for path in home.rglob("*") if path.is_file()}


def _fact_bytes(home: Path) -> int:
    """What observations and frames take: facts, of which an entry may have one or thousands."""
    import sqlite3

    with sqlite3.connect(home / "memory.sqlite") as connection:
        query = "SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'observations%' OR name LIKE '%frames%'"
        return int(connection.execute(query).fetchone()[0] or 0)


def _spread(timing: Timing) -> str:
    return f"p95 {timing.p95_ms:.2f} ms, CPU {timing.cpu_ms:.2f} ms"


def _detail(timing: Timing, held: int | None, n: int) -> str:
    said = [f"p95 {timing.p95_ms:.2f}", f"CPU {timing.cpu_ms:.2f}"]
    if timing.recall < 0.995:
        said.append(f"recall {timing.recall:.2f}")
    if held is not None and held < n:
        said.append(f"on the {held:,} entries taken in within the time")
    return ", ".join(said)


@click.command(help="Measure retrieval beside a plain scan and other engines.")
@click.option("--n", "sizes", type=click.IntRange(min=1000), multiple=True, default=(SMALL,), show_default=True)
@click.option("--others/--alone", default=True, help="Other engines too, where their packages are installed.")
@click.option("--approximate/--exact", default=True, help="The approximate index too (needs the extra fast).")
@click.option(
    "--directory", type=click.Path(path_type=Path), help="Where memories are built; else a temporary one."
)
def main(sizes: tuple[int, ...], others: bool, approximate: bool, directory: Path | None) -> None:
    console, load_before = Console(), os.getloadavg()[0]
    home = directory or Path(tempfile.mkdtemp(prefix="recall4d-retrieval-"))
    sections: list[Section] = []
    try:
        with threadpool_limits(1):
            for n in sizes:
                sections += run_one(n, others, approximate, home)
    finally:
        if directory is None:
            shutil.rmtree(home, ignore_errors=True)
    report.show(console, sections)
    path = report.save("retrieval", sections, load_before)
    console.print(f"load before {load_before:.1f} on {os.cpu_count()} cores; written to {os.path.relpath(path)}")
