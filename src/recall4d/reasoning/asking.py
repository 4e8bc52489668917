"""The ways of answering a question: by the grammar, by a model in a loop, by both, and two to compare with.

- `english`: the symbolic planner alone, see `query.english`.
- `model`: the loop of R4, see `r4.loop`.
- `hybrid`: the symbolic planner; the loop where it says that it did not understand, beginning with the plan it
  could make, if any. Where it understood, its answer stands, an abstention too. Words that the model passes over as
  well make an abstention.
- `no-memory`: the model alone. `one-shot`: the model with evidence given all at once. For comparison.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Literal, get_args

from recall4d.config import LoopSettings
from recall4d.errors import ModelError
from recall4d.ports import ChatModel
from recall4d.query.english import Context, Planned
from recall4d.query.evidence import evidence_json
from recall4d.query.keys_form import Known
from recall4d.reasoning.closed_book import answer_at_once
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.leftover import leftover
from recall4d.reasoning.prompts import prompt, prompt_lines
from recall4d.reasoning.r4.answering import nothing_known
from recall4d.reasoning.r4.forms import PlanForm, WholeLanguage
from recall4d.reasoning.r4.loop import reason
from recall4d.reasoning.r4.question_form import FlatForm
from recall4d.reasoning.skeleton.budget import Meter
from recall4d.reasoning.skeleton.trace import SCHEMA, Trace
from recall4d.reasoning.skeleton.watched import WatchedModel, silent
from recall4d.reasoning.symbolic import by_grammar
from recall4d.records import Answer

Planner = Literal["english", "model", "hybrid", "no-memory", "one-shot"]
PLANNERS: tuple[Planner, ...] = get_args(Planner)

NOT_UNDERSTOOD = ("not understood", "words not understood")
"""Stop reasons of the symbolic planner after which the model is asked."""


def understood(answered: Answer) -> bool:
    """Whether the symbolic planner read the whole question; then its answer, or its abstention, is sound."""
    return answered.stop_reason not in NOT_UNDERSTOOD


def answer_with_model(
    inquiry: Inquiry,
    planner: Planner,
    model: ChatModel,
    settings: LoopSettings,
    trace: Trace,
    progress: Callable[[str], None] = silent,
    as_of_ns: int | None = None,
) -> Answer:
    """Answer a question; a model is asked where the planner calls for it.

    A model that fails in the middle is no reason to say nothing: what the symbolic planner answers, or what the
    rounds so far computed, is given, and the stop reason says so.

    Args:
        inquiry: the question and its circumstances.
        planner: the way of answering.
        model: what may be asked.
        settings: of the loop.
        trace: is written to; its path becomes the answer's.
        progress: told in a few words what is being done.
        as_of_ns: what bounds the snapshot's knowledge if not its now; for the trace.

    Raises:
        ModelError: the model failed, and without it there is no answer.
    """
    watched = WatchedModel(model, Meter(settings.budget), trace, progress)
    read, symbolic = by_grammar(inquiry)
    trace.write("question", **_heading(inquiry, planner, model, settings), as_of_ns=as_of_ns)
    try:
        answered = _answered(inquiry, planner, watched, settings, read, symbolic)
    except ModelError as error:
        trace.write("failed", why=str(error))
        answered = without_model(inquiry, planner, error)
    answered = replace(answered, usage=watched.meter.usage(), trace=None if trace.path is None else str(trace.path))
    trace.write("answer", **answer_line(answered))
    return answered


def without_model(inquiry: Inquiry, planner: Planner, error: ModelError) -> Answer:
    """What can be said though the model failed: the symbolic planner's answer, if it read the whole question.

    Raises:
        ModelError: it did not, or a model's own answer was asked for.
    """
    _, symbolic = by_grammar(inquiry)
    if planner in ("no-memory", "one-shot") or not understood(symbolic):
        raise error
    return replace(symbolic, stop_reason=f"model failed: {error}")


def answer_line(answered: Answer) -> dict[str, object]:
    """An answer as it stands in a trace."""
    document = asdict(replace(answered, evidence=(), trace=None))
    document["evidence"] = evidence_json(answered.evidence)
    return document


def form_of(settings: LoopSettings, inquiry: Inquiry | None = None) -> PlanForm:
    """The form in which the model writes plans about a memory."""
    if settings.form == "whole":
        return WholeLanguage()
    if inquiry is None:
        return FlatForm()
    snapshot = inquiry.snapshot
    surfaces = Context.of(snapshot).surfaces
    return FlatForm(Known(snapshot.agents, tuple(snapshot.regions), surfaces=surfaces, asker=inquiry.asker))


def fingerprint(settings: LoopSettings) -> str:
    """All that a model's replies depend on besides the question: prompts, forms and settings."""
    kept = settings.model_dump(mode="json", exclude={"trace", "keys"})
    keys = sorted(settings.keys)
    form = form_of(settings)
    return json.dumps(
        [kept, keys, prompt("r4"), prompt("closed_book"), prompt_lines("examples.jsonl"), form.manual, form.schema]
    )


def _answered(
    inquiry: Inquiry,
    planner: Planner,
    model: WatchedModel,
    settings: LoopSettings,
    read: Planned,
    symbolic: Answer,
) -> Answer:
    match planner:
        case "english":
            return symbolic
        case "no-memory" | "one-shot":
            return answer_at_once(inquiry, model, settings, with_evidence=planner == "one-shot")
        case "model":
            return reason(inquiry, model, form_of(settings, inquiry), settings)[0]
        case "hybrid":
            if understood(symbolic):
                return symbolic
            first = None if read.plan is None else replace(read, unread=())
            answered, _ = reason(inquiry, model, form_of(settings, inquiry), settings, first)
            if answered.abstained and answered.stop_reason == "no valid plan":
                return replace(symbolic, stop_reason=answered.stop_reason, rounds=answered.rounds)
            return _to_the_question(replace(answered, unread=read.unread), inquiry)


def _to_the_question(answered: Answer, inquiry: Inquiry) -> Answer:
    """What the model answered, unless it passes over words that the grammar could not read either."""
    if answered.abstained or answered.stop_reason not in ("answered", "nothing new retrieved"):
        return answered
    if not (words := leftover(answered.unread, answered, inquiry.snapshot)):
        return answered
    said = ", ".join(map(repr, words))
    nothing = nothing_known(
        inquiry, f"Neither the planner nor the model took up {said}; without that: {answered.text}"
    )
    return replace(
        nothing,
        stop_reason="words not understood",
        plan=answered.plan,
        evidence=answered.evidence,
        rounds=answered.rounds,
        unread=answered.unread,
    )


def _heading(inquiry: Inquiry, planner: Planner, model: ChatModel, settings: LoopSettings) -> dict[str, object]:
    view = inquiry.view
    return {
        "schema": SCHEMA,
        "question": inquiry.question,
        "now_ns": inquiry.snapshot.now_ns,
        "agent": inquiry.agent,
        "choices": list(inquiry.choices),
        "n_reports": len(inquiry.snapshot.reports),
        "view": None
        if view is None
        else {
            "source": view.source,
            "label": view.picture.label,
            "age_s": view.age_s,
        },
        "planner": planner,
        "model": model.name,
        "capabilities": asdict(model.capabilities),
        "settings": settings.model_dump(mode="json"),
    }
