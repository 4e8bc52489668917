"""Short hands for scripted models: what one writes in a reply, and how a question is asked with it."""

from __future__ import annotations

from typing import Any

from recall4d.config import BudgetSettings, LoopSettings
from recall4d.models.scripted import ScriptedModel
from recall4d.reasoning.asking import answer_with_model
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.skeleton.trace import Trace
from recall4d.records import Answer, Capabilities

TEXT_ONLY = Capabilities(json_schema=True)

NEEDS_MEMORY = {"basis": "memory", "answer": "", "confidence": 0}


def find(*texts: str, attributes: tuple[str, ...] = (), name: str = "things", **keys: Any) -> dict[str, Any]:
    """A step in the plan language."""
    semantic = {"texts": list(texts), "attributes": list(attributes)}
    return {"name": name, "semantic": semantic, **keys}


def plan(kind: str, *steps: dict[str, Any], **ask: Any) -> dict[str, Any]:
    """A plan that asks `kind` of its last step."""
    return {"steps": list(steps), "ask": {"kind": kind, "step": steps[-1]["name"], **ask}}


def fits(confidence: int = 90, drop: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
    """The model takes what memory computed."""
    return {"fits": True, "confidence": confidence, "next": "none", "note": "", "drop": list(drop), **more}


def misses(following: str = "search", note: str = "", confidence: int = 90, **more: Any) -> dict[str, Any]:
    """The model does not take it, and says what next."""
    return {"fits": False, "confidence": confidence, "next": following, "note": note, **more}


def settings(*, rounds: int = 3, gate: str = "never", **more: Any) -> LoopSettings:
    """Settings with the whole plan language and, unless asked for, without step 1."""
    budget = BudgetSettings(rounds=rounds, **{k: more.pop(k) for k in ("calls", "tokens", "seconds") if k in more})
    return LoopSettings(budget=budget, gate=gate, form="whole", **more)  # type: ignore[arg-type]


def asked(
    inquiry: Inquiry,
    *replies: Any,
    planner: str = "model",
    loop: LoopSettings | None = None,
    capabilities: Capabilities = TEXT_ONLY,
) -> tuple[Answer, ScriptedModel, Trace]:
    """The answer, the model with what it was asked, and the trace."""
    model = ScriptedModel(replies, capabilities=capabilities)
    trace = Trace(secrets=())
    answered = answer_with_model(inquiry, planner, model, loop or settings(), trace)  # type: ignore[arg-type]
    return answered, model, trace


def prompts(model: ScriptedModel) -> list[str]:
    """The last message of every request."""
    return [request.messages[-1].text for request in model.requests]
