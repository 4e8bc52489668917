"""The loop with a real model of 135 million weights in this process.

What it answers is poor; that it is asked, held to the form, judged, traced and replayed is what is tested.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recall4d.config import BudgetSettings, LoopSettings
from recall4d.models.llama_cpp import LlamaCppModel, LlamaCppOptions
from recall4d.models.real_calls import real_calls
from recall4d.reasoning.asking import answer_with_model
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.replaying import TracedModel
from recall4d.reasoning.skeleton.trace import Trace
from tests.query.worlds import kitchen

from ..conftest import REPOSITORY

SMALL_MODEL = REPOSITORY / ".venv" / "small-model.gguf"
INQUIRY = Inquiry("Where did the red mug end up?", kitchen())
LOOP = LoopSettings(gate="never", budget=BudgetSettings(rounds=1, calls=3))


@pytest.fixture(scope="module")
def weights() -> Path:
    """The model's file, as `make test` lays it. Missing: fails in CI, skips elsewhere."""
    path = Path(os.environ.get("RECALL4D_SMALL_MODEL", SMALL_MODEL))
    if not path.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI needs the small model at {path}: make test")
        pytest.skip(f"no small model at {path}: make test brings it")
    return path


def test_a_question_is_planned_judged_traced_and_replayed(weights):
    trace = Trace(secrets=())
    with real_calls("local"):
        model = LlamaCppModel(weights, LlamaCppOptions(context_tokens=4096, threads=1))
        answer = answer_with_model(INQUIRY, "model", model, LOOP, trace)
    events = [line["event"] for line in trace.lines]
    assert events[0] == "question"
    assert events[-1] == "answer"
    assert answer.usage.calls >= 1
    assert answer.usage.tokens_out > 0
    assert "plan" in events or "refused" in events, "held to the schema, it writes a plan or one that is refused"

    again = answer_with_model(INQUIRY, "model", TracedModel(trace.lines), LOOP, Trace(secrets=()))
    assert (again.text, again.value, again.stop_reason) == (answer.text, answer.value, answer.stop_reason)
