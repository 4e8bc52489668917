"""A short recording, a memory of it, and the command line as a program meets it."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from recall4d.cli.main import run

DEMO_HOUSE = Path(__file__).resolve().parents[2] / "examples" / "demo_house"
FRAMES = range(0, 72, 5)


@dataclass(frozen=True)
class Ended:
    """How a call of the command line ended."""

    code: int
    out: str
    err: str


Recall4d = Callable[..., Ended]


@pytest.fixture
def recall4d(monkeypatch) -> Recall4d:
    """Calls the command line, in this process; an error that it does not handle fails the test."""

    def call(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["recall4d", *map(str, arguments)])
        out, err, code = io.StringIO(), io.StringIO(), 0
        with redirect_stdout(out), redirect_stderr(err):
            try:
                run()
            except SystemExit as end:
                code = int(end.code or 0)
        return Ended(code, out.getvalue(), err.getvalue())

    return call


@pytest.fixture(scope="session")
def short_recording(tmp_path_factory) -> Path:
    """Fifteen frames of the demo house, over both of its tours. Not to be changed: see `recording`."""
    folder = tmp_path_factory.mktemp("recordings") / "house"
    for kind, suffix in (("color", "jpg"), ("depth", "png"), ("instance", "png")):
        (folder / kind).mkdir(parents=True)
        for number in FRAMES:
            shutil.copy(DEMO_HOUSE / kind / f"{number:06d}.{suffix}", folder / kind)
    lines = (DEMO_HOUSE / "poses.csv").read_text().splitlines()
    kept = [line for line in lines[1:] if int(line.split(",")[0]) in FRAMES]
    (folder / "poses.csv").write_text("\n".join([lines[0], *kept]) + "\n")
    for name in ("intrinsics.json", "objects.json"):
        shutil.copy(DEMO_HOUSE / name, folder)
    return folder


@pytest.fixture
def recording(short_recording, tmp_path) -> Path:
    """A recording of this test's own, to be spoilt."""
    return Path(shutil.copytree(short_recording, tmp_path / "house"))


@pytest.fixture(scope="session")
def ingested(short_recording, tmp_path_factory) -> Path:
    """A memory of the short recording. Not to be changed: see `memory`."""
    from recall4d import Memory

    directory = tmp_path_factory.mktemp("memories") / "house"
    with Memory.open(directory) as memory:
        memory.ingest(short_recording)
    return directory


@pytest.fixture
def memory(ingested, tmp_path) -> Path:
    """A memory of this test's own."""
    return Path(shutil.copytree(ingested, tmp_path / "memory"))
