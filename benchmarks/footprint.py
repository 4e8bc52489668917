"""What recall4d costs before it does anything: to import, to install, to open a memory and get a first answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

import recall4d
from benchmarks.recordings import DEMO_HOUSE, Borrowed, temporary_memory
from benchmarks.report import Figure, Section, at_most

ROUNDS = 7

FIRST_ANSWER = """
import sys, time
start = time.perf_counter()
from recall4d import Memory
imported = time.perf_counter()
with Memory.open(sys.argv[1], create=False) as memory:
    memory.ask("where is the teapot?")
    print(imported - start, time.perf_counter() - imported)
"""


def run() -> list[Section]:
    return [_importing(), _first_answer(), _installed()]


def _importing() -> Section:
    package_s, memory_s = _import_s("import recall4d"), _import_s("from recall4d import Memory")
    baseline_s = _import_s("import numpy, scipy.optimize, scipy.spatial")
    return Section(
        f"import, fresh processes, best of {ROUNDS}",
        [
            Figure("import recall4d", 1000 * package_s, "ms", at_most(500)),
            Figure("from recall4d import Memory", 1000 * memory_s, "ms", at_most(500)),
            Figure("baseline: numpy and what is used of scipy", 1000 * baseline_s, "ms"),
            Figure("Memory over baseline", memory_s / baseline_s),
        ],
    )


def _first_answer() -> Section:
    with temporary_memory() as memory:
        memory.ingest(Borrowed(DEMO_HOUSE))
        runs = [_run(FIRST_ANSWER, str(memory.store.directory)) for _ in range(ROUNDS)]
    import_s, answer_s = min((tuple(map(float, each.split())) for each in runs), key=sum)
    return Section(
        f"first answer from a memory of demo_house, fresh processes, best of {ROUNDS}",
        [
            Figure("Memory.open to first answer", 1000 * answer_s, "ms"),
            Figure("import to first answer", 1000 * (import_s + answer_s), "ms"),
        ],
    )


def _installed() -> Section:
    package = Path(recall4d.__file__).parent
    size_mb = {"recall4d": sum(path.stat().st_size for path in package.rglob("*.py")) / 1e6}
    size_mb |= {name: _size_mb(name) for name in sorted(set(_required("recall4d")))}
    largest = sorted(size_mb, key=size_mb.__getitem__, reverse=True)[:6]
    return Section(
        "default install: recall4d and all it requires, no extras, as pip lists their files",
        [
            Figure("size", sum(size_mb.values()), "MB", detail=f"{len(size_mb)} packages"),
            *(Figure(f"of it {name}", size_mb[name], "MB") for name in largest),
        ],
    )


def _import_s(statement: str) -> float:
    timed = f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
    return min(float(_run(timed)) for _ in range(ROUNDS))


def _run(code: str, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, capture_output=True, text=True
    ).stdout


def _required(name: str) -> Iterator[str]:
    """Names of the packages that `name` requires on this system, and of those that they require."""
    for text in distribution(name).requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name.lower()
            yield from _required(requirement.name)


def _size_mb(name: str) -> float:
    files = distribution(name).files or ()
    paths = {Path(str(file.locate())) for file in files}
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6
