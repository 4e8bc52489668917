"""From a question in English to a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recall4d.query.english.asks import Asked, ask
from recall4d.query.english.context import Context
from recall4d.query.english.discourse import main_clause, unread_words
from recall4d.query.english.finder import Finder
from recall4d.query.english.idle import idle_words
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.options import among_options, split_options
from recall4d.query.english.phrases import Clause, Period, Viewpoint
from recall4d.query.english.reading import read
from recall4d.query.plan import Plan
from recall4d.records import AnswerType

NOT_UNDERSTOOD = (
    "I did not understand the question. Ask where, when, how many or how far something is, was or went, "
    "what is near it, who saw it, or what changed."
)


SEVERAL = "That is more than one question; ask one at a time."


@dataclass(frozen=True)
class Planned:
    """A question, planned.

    Attributes:
        question: as asked.
        plan: None where nothing sensible could be read.
        answer_type: what kind of answer the question wants.
        unread: words that were not understood.
        set_aside: words that were understood and narrow nothing that memory holds ("in the corner").
        clarification: what to say where there is no plan.
        name: what the question is about, as it names it ("red mugs").
        plural: whether it is spoken of in the plural.
        options: of a multiple-choice question; the answer is the letter of one.
    """

    question: str
    plan: Plan | None
    answer_type: AnswerType = "text"
    unread: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    clarification: str | None = None
    name: str = "it"
    plural: bool = False
    options: tuple[str, ...] = ()


def plan_question(question: str, context: Context | None = None, options: Sequence[str] = ()) -> Planned:
    """Read a question and plan how to answer it. Never raises for any text.

    Args:
        question: in English; its options may be written in it: "... (A) the mug (B) the bowl".
        context: who asks, and what memory holds.
        options: of a multiple-choice question, where they are not written in it.
    """
    stem, written = split_options(question)
    options = tuple(options) or written
    planned = _planned(stem, context or Context(), bool(options))
    if options and planned.plan is not None:
        planned = replace(planned, plan=among_options(planned.plan, options))
    return replace(planned, question=question, options=options)


def _planned(question: str, context: Context, choosing: bool) -> Planned:
    readings = read(question, context.agents, context.words)
    if any(len(reading.questions) > 1 for reading in readings):
        return Planned(question, None, unread=unread_words(readings, None), clarification=SEVERAL)
    clause = main_clause(readings, choosing)
    unread = unread_words(readings, clause)
    if clause is None:
        return Planned(question, None, unread=unread, clarification=NOT_UNDERSTOOD)
    try:
        asked, finder = _asked(clause, context)
        plan = _plan(asked, finder)
        unread += idle_words(readings, clause, lambda part: _plan(*_asked(part, context)))
    except UnclearError as error:
        return Planned(question, None, unread=unread, clarification=str(error))
    except ValueError:
        return Planned(question, None, unread=unread, clarification=NOT_UNDERSTOOD)
    return Planned(
        question=question,
        plan=plan,
        answer_type=asked.type,
        unread=unread,
        set_aside=tuple(dict.fromkeys(finder.set_aside)),
        name=asked.name,
        plural=asked.plural,
    )


def _asked(clause: Clause, context: Context) -> tuple[Asked, Finder]:
    """What a clause asks for, and the steps it needs."""
    subject = clause.subject
    finder = Finder(
        context,
        doer=subject.agent if subject is not None and subject.agent is not None else "asker",
        periods=list(clause.of(Period)),
        viewpoint=next(iter(clause.of(Viewpoint)), None),
    )
    return ask(clause, finder), finder


def _plan(asked: Asked, finder: Finder) -> Plan:
    return Plan(steps=tuple(finder.steps), ask=asked.ask, measures=tuple(finder.measures))
