"""The house stands: layers import downwards only, and nothing heavy is imported at the door."""

import subprocess
import sys

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from .conftest import REPOSITORY

HEAVY = ("torch", "transformers", "pydantic", "scipy", "PIL", "wordllama", "tokenizers", "onnxruntime", "rich")


def test_each_layer_imports_only_from_layers_below_it(monkeypatch):
    monkeypatch.chdir(REPOSITORY)
    assert lint_imports(no_cache=True) == EXIT_STATUS_SUCCESS


def test_importing_the_package_loads_nothing_heavy():
    code = f"import sys, recall4d; print([m for m in {HEAVY!r} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
