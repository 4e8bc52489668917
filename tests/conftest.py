"""Fixtures for every test."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"

os.environ["HF_HUB_OFFLINE"] = "1"  # read when the hub's client is imported: no test may fetch weights
os.environ["RECALL4D_REAL_CALLS"] = (
    "none"  # no test asks a model that it has not started: recall4d.models.real_calls
)

settings.register_profile("recall4d", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("recall4d")


@pytest.fixture
def demo_house() -> Path:
    """The bundled recording."""
    return REPOSITORY / "examples" / "demo_house"


@pytest.fixture
def shared() -> Callable[[str], Path]:
    """Path of something below ../shared, which the project may not ship. Missing: fails in CI, skips elsewhere."""

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            if os.environ.get("CI") == "true":
                pytest.fail(f"CI needs ../shared/{name}")
            pytest.skip(f"../shared/{name} is not on this machine")
        return path

    return find
