"""A cache folder of each test's own, and a server that plays every failure."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from recall4d.models.openai_compatible import OpenAICompatibleModel
from recall4d.models.real_calls import real_calls
from recall4d.records import Capabilities

from .asking import model_at
from .fake_server import FakeServer


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("RECALL4D_BASE_URL", "RECALL4D_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "cache"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A server of this test's own; calls to this machine are allowed while it runs."""
    with real_calls("local"), FakeServer() as running:
        yield running


@pytest.fixture
def model(server) -> OpenAICompatibleModel:
    """A model that knows what its server can do already."""
    ready = model_at(server.url)
    assert ready.capabilities == Capabilities(8, True, 2000, True)
    server.bodies.clear()
    return ready
