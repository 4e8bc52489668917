"""From a planned question to an answer with evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from recall4d.errors import UsageError
from recall4d.memory.snapshot import Snapshot
from recall4d.query.answers import amounts, claims, comparisons, lists, places, times, truths
from recall4d.query.answers.base import Reply, Telling
from recall4d.query.answers.choices import choose
from recall4d.query.english import Planned
from recall4d.query.evidence import evidence_of, why_found
from recall4d.query.execute import execute
from recall4d.query.plan import Plan
from recall4d.query.result import Row
from recall4d.records import Answer, Evidence

_ANSWERS: dict[str, Callable[[Telling], Reply]] = {
    "rows": lists.list_rows,
    "which": lists.which,
    "list": lists.list_rows,
    "in_view": lists.in_view,
    "what_changed": lists.what_changed,
    "where": places.where,
    "on_what": places.on_what,
    "agent_place": places.agent_place,
    "direction": places.direction,
    "side": places.side,
    "when_seen": times.when_seen,
    "when_moved": times.when_moved,
    "since_seen": times.since_seen,
    "seen_for": times.seen_for,
    "away_for": times.away_for,
    "times_seen": times.times_seen,
    "visits": times.visits,
    "count": amounts.count,
    "distance": amounts.distance,
    "moved_distance": amounts.moved_distance,
    "height": amounts.height,
    "size": amounts.size,
    "exists": truths.exists,
    "still_there": truths.still_there,
    "has_changed": truths.has_changed,
    "compare_distance": comparisons.compare_distance,
    "compare_size": comparisons.compare_size,
    "compare_seen": comparisons.compare_seen,
    "compare_times": times.compare_times,
    "who_saw": comparisons.who_saw,
    "seen_by": comparisons.seen_by,
    "looked": places.looked,
    "who_says": claims.who_says,
    "says": claims.says,
    "agree": claims.agree,
    "disagree": claims.disagree,
    "attribute": comparisons.attribute,
}

_STEPLESS = ("away_for", "looked")
"""Asks that are about no step."""

MAX_EVIDENCE = 20

MAX_UNREAD = 5
"""Words that a refusal repeats."""


def answer(
    planned: Planned,
    snapshot: Snapshot,
    asking_agent: str | None = None,
    choices: Sequence[str] = (),
    without: Collection[str] = (),
) -> Answer:
    """Answer a planned question from a snapshot.

    Args:
        planned: by `plan_question`.
        snapshot: what is known; its now is the time of the question.
        asking_agent: who "I" is; None takes the first agent.
        choices: options of a multiple-choice question; the answer is then the letter of one.
        without: ids of entries that are not what is asked about, whatever the plan finds.
    """
    if planned.plan is None:
        text = planned.clarification or "The question was not understood."
        return _finished(planned, snapshot, Reply(text), "not understood", ())
    plan = _about_a_step(planned.plan)
    planned = replace(planned, plan=plan)
    agent = asking_agent or next(iter(snapshot.agents), None)
    try:
        result = execute(plan, snapshot, asking_agent)
    except UsageError as error:
        return _finished(planned, snapshot, Reply(f"{_capital(str(error))}."), "not in memory", ())
    if without:
        ruled_out = {row for each in without if (row := snapshot.row_of(each)) is not None}
        result = result.without(plan.ask.step, ruled_out)
    telling = Telling(planned, plan, snapshot, result, agent)
    tell = _ANSWERS.get(plan.ask.kind)
    if planned.unread:
        words = ", ".join(repr(word) for word in planned.unread[:MAX_UNREAD])
        words += " and more" if len(planned.unread) > MAX_UNREAD else ""
        reply = Reply(f"I could not read {words}, so an answer might be to another question.")
        return _finished(planned, snapshot, reply, "words not understood", ())
    if tell is None:
        reply = Reply(f"Memory does not know {plan.ask.detail or 'that'}.")
        return _finished(planned, snapshot, reply, "not in memory", ())
    if not plan.steps and plan.ask.kind not in _STEPLESS:
        return _finished(
            planned, snapshot, Reply("The plan looks for nothing: it has no step."), "not in memory", ()
        )
    reply = tell(telling)
    options = choices or planned.options
    if options:
        reply = choose(reply, options)
    stop = "memory does not hold the answer" if reply.abstained else "answered"
    return _finished(planned, snapshot, reply, stop, _evidence(telling, reply.rows))


def _about_a_step(plan: Plan) -> Plan:
    """The plan with an ask about its last step, where it does not say about which."""
    if plan.ask.step is not None or not plan.steps:
        return plan
    return plan.model_copy(update={"ask": plan.ask.model_copy(update={"step": plan.steps[-1].name})})


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _finished(
    planned: Planned, snapshot: Snapshot, reply: Reply, stop_reason: str, evidence: tuple[Evidence, ...]
) -> Answer:
    entry_ids = tuple(dict.fromkeys(snapshot.entries[row.entry].entry_id for row in reply.rows))
    return Answer(
        question=planned.question,
        now_ns=snapshot.now_ns,
        type=reply.type or planned.answer_type,
        text=reply.text,
        value=reply.value,
        unit=reply.unit,
        abstained=reply.abstained,
        confidence=reply.confidence,
        entry_ids=entry_ids,
        viewpoint=reply.viewpoint,
        unread=(*planned.unread, *planned.set_aside),
        look_next=reply.look_next,
        plan={} if planned.plan is None else planned.plan.model_dump(mode="json"),
        evidence=evidence,
        stop_reason=stop_reason,
    )


def _evidence(telling: Telling, rows: Sequence[Row]) -> tuple[Evidence, ...]:
    """The rows behind an answer, each with what brought it in."""
    found: list[Evidence] = []
    for row in rows[:MAX_EVIDENCE]:
        step = next((step for step in reversed(telling.plan.steps) if row in telling.found(step.name).rows), None)
        why = "around it" if step is None else why_found(step, telling.plan, telling.result, telling.snapshot)
        found += evidence_of([row], telling.snapshot, why, telling.agent)
    return tuple(found)
