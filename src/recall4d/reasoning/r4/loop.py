"""The loop of R4 (CVPR 2026): answerability first; then plan, retrieve, judge, until a stop reason holds.

1. Can it be answered from the present view and knowledge? If the model is sure enough, that is the answer.
2. Else the model writes a plan in the three keys, as the retrieval manual in the system prompt says. Memory runs it
   and computes an answer of the type that the plan asks for. The model sees the evidence and the computed answer:
   it accepts, answers in its own words, gives up, or writes the next plan, knowing what earlier ones found.
3. Where that ends without an answer, and it may look again, it is shown the pictures behind the evidence.

The model chooses; memory computes. No number in a typed answer is the model's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recall4d.config import LoopSettings
from recall4d.errors import UsageError
from recall4d.query.english import Planned
from recall4d.query.evidence import evidence_json, explain_json
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.prompts import prompt
from recall4d.reasoning.r4.answerability import assess
from recall4d.reasoning.r4.answering import (
    accepted,
    best_of,
    ended,
    in_own_words,
    is_doubtful,
    nothing_known,
    without_memory,
)
from recall4d.reasoning.r4.forms import PlanForm
from recall4d.reasoning.r4.judging import judge
from recall4d.reasoning.r4.looking import answer_of, look, report_of, worth_looking_at
from recall4d.reasoning.r4.planning import Earlier, propose
from recall4d.reasoning.r4.rounds import Round, run_round
from recall4d.reasoning.skeleton.forms import UnreadableReplyError
from recall4d.reasoning.skeleton.stops import BudgetSpentError
from recall4d.reasoning.skeleton.watched import WatchedModel
from recall4d.reasoning.symbolic import by_grammar
from recall4d.records import Answer, Message

MAX_FAULTS = 2
"""Rounds in which the model may fail to write a plan, each of which it is asked for twice."""

GAVE_UP = "Memory does not hold the answer, as far as the model could find."


def system_message(form: PlanForm) -> Message:
    """What every call begins with, the same for all: a server keeps it in its prefix cache."""
    return Message("system", prompt("r4").replace("{manual}", form.manual))


def reason(
    inquiry: Inquiry,
    model: WatchedModel,
    form: PlanForm,
    settings: LoopSettings,
    first: Planned | None = None,
) -> tuple[Answer, tuple[Round, ...]]:
    """Answer a question; the answer's `stop_reason` says why the loop ended.

    Args:
        inquiry: the question.
        model: what is asked.
        form: how it writes plans.
        settings: budget, and what the loop may do.
        first: a plan to begin with instead of asking for one.

    Raises:
        ModelError: the model failed; what was known by then is in its trace.
    """
    loop = _Loop(inquiry, model, form, settings)
    nothing = nothing_known(inquiry, GAVE_UP)
    try:
        answered = (None if first else loop.gate(nothing)) or loop.rounds_until_answered(first, nothing)
        answered = loop.looked_again(answered) or answered
    except BudgetSpentError as spent:
        answered = best_of(loop.rounds, spent.reason, nothing)
    return answered, tuple(loop.rounds)


class _Loop:
    """One question on its way: the rounds so far."""

    def __init__(self, inquiry: Inquiry, model: WatchedModel, form: PlanForm, settings: LoopSettings) -> None:
        self.inquiry = inquiry
        self.model = model
        self.form = form
        self.settings = settings
        self.system = system_message(form)
        self.rounds: list[Round] = []
        self.faults: list[str] = []

    def gate(self, nothing: Answer) -> Answer | None:
        """Step 1; None where memory is needed."""
        gate = self.settings.gate
        if gate == "never" or (gate == "view" and self.inquiry.view is None):
            return None
        assessment = assess(self.inquiry, self.system, self.model.to("is memory needed"), self.settings.samples)
        self.model.trace.write(
            "assessed", basis=assessment.basis, answer=assessment.answer, confidence=assessment.confidence
        )
        if assessment.basis == "memory" or assessment.confidence < self.settings.min_confidence:
            return None
        if assessment.basis == "knowledge" and self._is_about_memory():
            return None
        return without_memory(assessment, self.inquiry, nothing)

    def _is_about_memory(self) -> bool:
        """Whether memory answers the question: then it is about this place, whatever the model says of it."""
        _, symbolic = by_grammar(self.inquiry)
        return bool(symbolic.evidence) and not symbolic.abstained

    def rounds_until_answered(self, first: Planned | None, nothing: Answer) -> Answer:
        """Step 2."""
        for number in range(1, self.settings.budget.rounds + 1):
            try:
                found = self._retrieve(number, first if number == 1 else None)
            except UnreadableReplyError as error:
                self.model.trace.write("refused", round=number, why=str(error))
                self.faults.append(str(error))
                if len(self.faults) == MAX_FAULTS:
                    return best_of(self.rounds, "no valid plan", nothing)
                continue
            if self._known(found) is not None:
                found = self._widened(number) or found
            if (known := self._known(found)) is not None:
                # Found by another plan it speaks for itself; by the same one it is as refused as it was.
                again = replace(found, rejected=known.rejected if found.plan == known.plan else "")
                return best_of([*self.rounds, again], "nothing new retrieved", nothing)
            self.rounds.append(found)
            if found.computed.abstained and not found.evidence:
                continue
            if not self._needs_judging(found):
                return ended(found.computed, "answered", number, 1.0)
            judged = self._judged(found)
            if judged is not None:
                return judged
        return best_of(self.rounds, "budget of rounds spent", nothing)

    def looked_again(self, answered: Answer) -> Answer | None:
        """Step 3; None where there is nothing to look at, or nothing to be seen in it."""
        album, n = self.inquiry.album, min(self.settings.look_again, self.model.capabilities.max_pictures)
        if album is None or n == 0 or answered.stop_reason in ("answered", "answered without memory"):
            return None
        shown = worth_looking_at(self.rounds, album, n)
        if not shown:
            return None
        try:
            sight = look(self.inquiry, shown, self.model.to(f"looking again at {len(shown)} pictures"))
        except UnreadableReplyError as error:
            self.model.trace.write("refused", round=answered.rounds, why=str(error))
            return None
        row = None if sight.picture is None else shown[sight.picture][0]
        entry_id = None if row is None else row.entry_id
        self.model.trace.write("looked", entry_id=entry_id, said=sight.said, confidence=sight.confidence)
        if row is None:
            return None
        album.report(report_of(sight, row, self.inquiry, self.model.name))
        return answer_of(sight, row, answered, self.inquiry)

    def _retrieve(self, number: int, given: Planned | None) -> Round:
        """A plan, run."""
        written: Any = None
        if given is None:
            model = self.model.to("planning", number)
            earlier = Earlier(tuple(self.rounds), tuple(self.faults))
            given, written = propose(self.inquiry, earlier, self.form, self.system, model, self.settings)
        assert given.plan is not None
        self.model.trace.write("plan", round=number, written=written, plan=given.plan.model_dump(mode="json"))
        return self._run(number, given, written)

    def _run(self, number: int, given: Planned, written: Any) -> Round:
        try:
            found = run_round(number, given, written, self.inquiry)
        except UsageError as error:
            raise UnreadableReplyError(str(error)) from error
        self.model.trace.write(
            "rows",
            round=number,
            rows=evidence_json(found.evidence),
            explain=explain_json(found.found.explain),
            computed={"type": found.computed.type, "value": found.computed.value, "text": found.computed.text},
        )
        return found

    def _known(self, found: Round) -> Round | None:
        """The earlier round that found the same."""
        return next((each for each in self.rounds if each.signature() == found.signature()), None)

    def _widened(self, number: int) -> Round | None:
        """The first plan with a key less that finds something; None where the last round has none."""
        last = self.rounds[-1]
        if not last.wider:
            return None
        left_out, _, plan = last.wider[0]
        self.model.trace.write("widened", round=number, left_out=left_out, plan=plan.model_dump(mode="json"))
        return self._run(number, replace(last.planned, plan=plan), last.written)

    def _needs_judging(self, found: Round) -> bool:
        when = self.settings.judge
        if when == "always" or found.computed.abstained:
            return True
        half_read = found.written is None  # by the grammar, from a question with words it did not understand
        return when == "doubt" and (found.number > 1 or half_read or is_doubtful(found.computed))

    def _judged(self, found: Round) -> Answer | None:
        """The answer after this round; None where the model wants another one."""
        model = self.model.to(f"judging {len(found.evidence)} rows", found.number)
        try:
            verdict = judge(self.inquiry, found, self.system, model, self.settings.evidence_tokens)
        except UnreadableReplyError as error:
            self.model.trace.write("refused", round=found.number, why=str(error))
            if found.written is None:
                # The grammar read a part of the question only, and nobody says that the answer fits the whole.
                self.rounds[-1] = replace(found, rejected="not judged")
            return None
        self.model.trace.write(
            "verdict",
            round=found.number,
            ruling=verdict.ruling,
            note=verdict.note,
            option=verdict.option,
            drop=list(verdict.drop),
            confidence=verdict.confidence,
        )
        if verdict.ruling == "accept":
            return accepted(found, verdict, self.inquiry)
        if verdict.ruling == "answer":
            return in_own_words(found, verdict, self.inquiry)
        # One plan that leads nowhere does not show that none would.
        if verdict.ruling == "unknown" and (found.computed.abstained or found.number > 1):
            text = f"Memory does not hold the answer. {found.computed.text}"
            nothing = nothing_known(self.inquiry, text)
            return replace(nothing, plan=found.computed.plan, evidence=found.evidence, rounds=found.number)
        self.rounds[-1] = replace(found, rejected=verdict.note or "another query may do better")
        return None
