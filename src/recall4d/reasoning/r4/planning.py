"""Step 2, first half: from a question to a plan, knowing what earlier plans found."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from recall4d.config import LoopSettings
from recall4d.query.english import Planned
from recall4d.query.plan import Find, Plan
from recall4d.query.serialise import quoted
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.r4.examples import Example
from recall4d.reasoning.r4.forms import PlanForm
from recall4d.reasoning.r4.rounds import Round
from recall4d.reasoning.skeleton.forms import Form, fill
from recall4d.reasoning.skeleton.watched import WatchedModel
from recall4d.reasoning.typed import planned_of
from recall4d.records import Message

MAX_TOKENS = 320

AGAIN_TEMPERATURE = 0.6
"""Of every plan but the first: the likeliest one again is mostly the same one again."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What was tried before: rounds that were run, and what was wrong with plans that could not be."""

    rounds: tuple[Round, ...] = ()
    faults: tuple[str, ...] = ()


def propose(
    inquiry: Inquiry,
    earlier: Earlier,
    form: PlanForm,
    system: Message,
    model: WatchedModel,
    settings: LoopSettings,
) -> tuple[Planned, Any]:
    """A plan, and the document it was written as.

    A plan that is not valid goes back once, with what is wrong.

    Raises:
        UnreadableReplyError: the second one is not valid either.
        ModelError: the model failed.
        BudgetSpentError: nothing is left to ask with.
    """
    wanted = Form(form.schema, lambda document: (form.plan(document, inquiry.question), document), MAX_TOKENS)
    shown = [turn for each in form.examples(inquiry.question, settings.examples) for turn in _turns(each)]
    messages = (system, *shown, Message("user", _request(inquiry, earlier)))
    tries = len(earlier.rounds) + len(earlier.faults)
    (plan, written), _ = fill(model, messages, wanted, AGAIN_TEMPERATURE if tries else 0.0, seed=tries)
    return planned_of(inquiry.question, with_keys(plan, settings.keys)), written


def with_keys(plan: Plan, keys: Collection[str]) -> Plan:
    """The plan without the keys that are not among `keys`; the paper's ablation A1 to A8."""
    off: dict[str, Any] = {} if "semantic" in keys else {"semantic": None}
    off |= {} if "spatial" in keys else {"spatial": ()}
    off |= {} if "temporal" in keys else {"temporal": None}
    if not off:
        return plan
    steps: list[Find] = [step.model_copy(update=off) for step in plan.steps]
    return plan.model_copy(update={"steps": tuple(steps)})


def _turns(example: Example) -> tuple[Message, Message]:
    """An example as if it had been asked and replied to: so a small model follows it best."""
    reply = json.dumps(example.form, separators=(",", ":"))
    return Message("user", f"Task plan.\nQuestion: {example.question}"), Message("assistant", reply)


def _request(inquiry: Inquiry, earlier: Earlier) -> str:
    lines = ["Task plan.", *inquiry.who_is_there(), inquiry.asked()]
    for each in earlier.rounds:
        lines.append(f"Query {each.number} was {json.dumps(each.written, separators=(',', ':'))}")
        lines.append(each.told())
    if earlier.faults:
        lines.append(f"A query could not be used: {quoted(earlier.faults[-1])}. Write a simpler one.")
    elif earlier.rounds:
        lines.append("Write another query: other words, a wider radius or interval, or one step after another.")
    return "\n".join(lines)
