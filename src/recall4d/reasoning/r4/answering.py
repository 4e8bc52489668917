"""The end of the loop: from the last verdict, or from what the rounds computed, to a typed answer.

Typed values are always computed by memory. What the model says in its own words becomes a text; a number in it that
no evidence supports is named in the answer and costs it confidence, and where a number is what was asked for, the
computed one is given or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recall4d.query.answer import answer
from recall4d.query.serialise import evidence_text
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.numbers import numbers_in, unsupported_numbers
from recall4d.reasoning.r4.answerability import Assessment
from recall4d.reasoning.r4.judging import Verdict
from recall4d.reasoning.r4.rounds import Round
from recall4d.reasoning.skeleton.stops import StopReason
from recall4d.records import Answer

UNJUDGED = 0.5
"""What is left of the confidence in an answer that the model has not accepted."""

UNSUPPORTED = 0.25
"""What is left of the confidence in an answer with a number that no evidence supports."""

DOUBT = 0.4
"""Below it the words of a plan hardly fit what was found, or fit two things as well."""

NUMERIC = ("count", "distance", "duration", "time", "direction", "position")
"""Types of answers whose value is a number or several."""


def accepted(found: Round, verdict: Verdict, inquiry: Inquiry) -> Answer:
    """What memory computed, without the rows that the model ruled out."""
    computed = found.computed
    if verdict.drop:
        again = answer(found.planned, inquiry.snapshot, inquiry.agent, inquiry.choices, without=verdict.drop)
        # An answer that fits and rests on nothing contradicts itself: then nothing is left out.
        computed = _saying_what_is_left_out(again, found, verdict) if again.evidence else computed
    if inquiry.choices and computed.value is None and verdict.option is not None:
        return in_own_words(found, verdict, inquiry)
    stop: StopReason = "memory does not hold the answer" if computed.abstained else "answered"
    return ended(computed, stop, found.number, verdict.confidence)


def _saying_what_is_left_out(again: Answer, found: Round, verdict: Verdict) -> Answer:
    """The answer computed without some rows; a reader must see that the model took them out."""
    names = [each.description for each in found.evidence if each.entry_id in verdict.drop]
    if again.abstained or not names:
        return again
    return replace(again, text=f"{again.text} Left out by the model: {', '.join(dict.fromkeys(names))}.")


def in_own_words(found: Round, verdict: Verdict, inquiry: Inquiry) -> Answer:
    """The model's words, as far as the evidence supports them."""
    computed = found.computed
    if verdict.option is not None:
        text = dict(inquiry.options())[verdict.option]
        chosen = replace(
            computed,
            type="choice",
            value=verdict.option,
            unit=None,
            text=f"{verdict.option}: {text}.",
            abstained=False,
        )
        return ended(chosen, "answered", found.number, verdict.confidence)
    said = verdict.note
    # What a model reported earlier is no evidence for what a model says now.
    observed = [replace(each, reports=()) for each in found.evidence]
    shown = evidence_text(observed, inquiry.snapshot.now_ns, 100_000)
    stray = unsupported_numbers(said, (inquiry.question, computed.text, shown))
    if computed.type in NUMERIC and (stray or numbers_in(said)):
        # The model may choose among numbers that memory computed; it may not bring one of its own.
        stop: StopReason = "memory does not hold the answer" if computed.abstained else "answered"
        flagged = replace(computed, unsupported=stray)
        return ended(flagged, stop, found.number, verdict.confidence * (UNSUPPORTED if stray else UNJUDGED))
    own = replace(computed, type="text", value=said, unit=None, text=said, abstained=False, unsupported=stray)
    return ended(own, "answered", found.number, verdict.confidence * (UNSUPPORTED if stray else 1.0))


def without_memory(assessment: Assessment, inquiry: Inquiry, nothing: Answer) -> Answer:
    """An answer from the present view or from knowledge of the world."""
    letters = dict(inquiry.options())
    if assessment.answer in letters:
        chosen = replace(
            nothing,
            type="choice",
            value=assessment.answer,
            text=f"{assessment.answer}: {letters[assessment.answer]}.",
        )
        answered = replace(chosen, abstained=False, look_next=None)
        return ended(answered, "answered without memory", 0, assessment.confidence)
    said = {"yes": True, "no": False}.get(assessment.answer.lower().strip(". "))
    told = replace(
        nothing,
        type="text" if said is None else "yesno",
        value=assessment.answer if said is None else said,
        text=assessment.answer,
        abstained=False,
        look_next=None,
        # What is seen is evidence, and what is known of the world in general is not.
        unsupported=()
        if assessment.basis == "view"
        else unsupported_numbers(assessment.answer, (inquiry.question,)),
    )
    share = UNSUPPORTED if told.unsupported else 1.0
    return ended(told, "answered without memory", 0, assessment.confidence * share)


def best_of(rounds: Sequence[Round], stop: StopReason, nothing: Answer) -> Answer:
    """The latest answer that a round computed and that the model did not reject, else the abstention.

    Args:
        rounds: so far.
        stop: why there is no further one.
        nothing: what is said where no round computed an answer.
    """
    n = rounds[-1].number if rounds else 0
    for each in reversed(rounds):
        if not each.computed.abstained and not each.rejected:
            return ended(each.computed, stop, n, UNJUDGED)
    if rounds and rounds[-1].computed.abstained:
        return ended(rounds[-1].computed, stop, n, 1.0)
    return replace(nothing, stop_reason=stop, rounds=n)


def is_doubtful(computed: Answer) -> bool:
    """Whether the words fit what was found so poorly, or fit so many things, that a reader should look."""
    return computed.confidence is not None and computed.confidence < DOUBT


def ended(computed: Answer, stop: str, rounds: int, share: float) -> Answer:
    """An answer with its stop reason, its rounds, and a share of its confidence."""
    own = 1.0 if computed.confidence is None else computed.confidence
    confidence = None if computed.abstained else round(own * share, 3)
    return replace(computed, stop_reason=stop, rounds=rounds, confidence=confidence)


def nothing_known(inquiry: Inquiry, text: str) -> Answer:
    """An abstention without a plan."""
    return Answer(
        question=inquiry.question,
        now_ns=inquiry.snapshot.now_ns,
        type="choice" if inquiry.choices else "text",
        text=text,
        value=None,
        stop_reason="memory does not hold the answer",
        abstained=True,
        look_next="Look at the place that the question is about.",
        rounds=0,
    )
