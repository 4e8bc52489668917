"""Every block of the README runs, in order, as a newcomer would run it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import REPOSITORY

BLOCK = re.compile(r"^```(bash|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks():
    return BLOCK.findall((REPOSITORY / "README.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory):
    """A folder that looks like the checkout, with this environment's commands first on the path."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "examples").symlink_to(REPOSITORY / "examples")
    return folder


def run(command, folder):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )


def test_the_first_block_names_the_two_commands_of_the_makefile():
    language, text = blocks()[0]
    assert language == "bash"
    assert [line.split("#")[0].strip() for line in text.splitlines()] == ["make demo", "make test"]


@pytest.mark.parametrize("number", range(1, len(blocks())))
def test_block_runs(number, newcomer):
    language, text = blocks()[number]
    if language == "bash":
        # The install is what runs this test; `make demo` and `make test` are what CI itself calls.
        lines = [line for line in text.splitlines() if not line.startswith("pip install")]
        result = run(["bash", "-euo", "pipefail", "-c", "\n".join(lines)], newcomer)
    else:
        result = run([sys.executable, "-c", text], newcomer)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()


def test_the_answers_shown_are_the_answers_given(newcomer):
    shown = re.search(
        r"^\? (Where is the blue book\?)\n(.*?)\n", (REPOSITORY / "README.md").read_text(), re.MULTILINE
    )
    result = run(["recall4d", "ask", "house-memory", shown.group(1)], newcomer)
    assert result.stdout.splitlines()[0] == shown.group(2)
