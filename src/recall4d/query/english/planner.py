"""From a question in English to a plan."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from recall4d.query.english.asks import Asked, ask
from recall4d.query.english.context import Context
from recall4d.query.english.discourse import main_clause, unread_words
from recall4d.query.english.finder import Finder
from recall4d.query.english.grammar.visits import KNEW
from recall4d.query.english.idle import idle_words
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.lexicon.sets import words
from recall4d.query.english.names import NO_NAMES
from recall4d.query.english.options import among_options, split_options
from recall4d.query.english.phrases import Clause, Period, Viewpoint
from recall4d.query.english.reading import read
from recall4d.query.plan import Instant, OfStep, Plan
from recall4d.records import AnswerType

NOT_UNDERSTOOD = (
    "I did not understand the question. Ask where, when, how many or how far something is, was or went, "
    "what is near it, who saw it, or what changed."
)


SEVERAL = "That is more than one question; ask one at a time."


_OF_ONE_THING = frozenset(
    {
        "where", "when_seen", "since_seen", "seen_for", "times_seen", "who_saw", "direction", "moved_distance",
        "height", "size", "attribute", "on_what", "still_there", "side",
    }
)  # fmt: skip
"""Asks that are about a thing the question names."""


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
        asked, finder, known_at = _asked(clause, context)
        plan = _plan(asked, finder, known_at)
        _check_topic(plan)
        unread += idle_words(readings, clause, lambda part: _plan(*_asked(part, context)))
        unread += unnamed_words(plan, question, context.words)
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


def unnamed_words(plan: Plan, question: str, held: Collection[str]) -> tuple[str, ...]:
    """Words that were read as names of things and name none, and words for what no memory of things can tell.

    Args:
        plan: what the question was read as.
        question: as asked.
        held: words of what memory holds; a thing may be called so.
    """
    named = {word for step in plan.steps if step.semantic for text in step.semantic.texts for word in text.split()}
    asked = re.findall(r"[^\W\d_]+", question.lower())
    wrong = [word for word in asked if word in NO_NAMES and word in named and word not in held]
    wrong += _BEYOND.findall(question.lower())
    if plan.ask.kind == "visits" and asked[:1] and asked[0] in _MODAL:
        wrong.append(asked[0])
    return tuple(dict.fromkeys(wrong))


_BEYOND = re.compile(r"\b(?:steals?|stole|stolen|stealing|belong(?:s|ed)? to)\b")
"""Who has a right to a thing is not seen."""

_MODAL = words("can could may might should")
"""Of somebody's being there: what one may do is not what one did."""


def _asked(clause: Clause, context: Context) -> tuple[Asked, Finder, Instant | None]:
    """What a clause asks for, the steps it needs, and as of when it wants to know."""
    known_at = None
    if KNEW in clause.complements:
        known_at = _known_at(clause, context)
        clause = _without_times(clause)
    subject = clause.subject
    finder = Finder(
        context,
        doer=subject.agent if subject is not None and subject.agent is not None else "asker",
        periods=list(clause.of(Period)),
        viewpoint=next(iter(clause.of(Viewpoint)), None),
    )
    return ask(clause, finder), finder, known_at


def _check_topic(plan: Plan) -> None:
    """Refuse a plan about one certain thing that does not say which.

    Raises:
        UnclearError: its step finds whatever memory holds.
    """
    step = next((each for each in plan.steps if each.name == plan.ask.step), None)
    if step is None or plan.ask.kind not in _OF_ONE_THING or plan.ask.only or plan.ask.rank is not None:
        return
    if step.semantic is None and not step.spatial and step.within_step is None and step.order == "score":
        raise UnclearError("I cannot tell what is asked about.")


def _known_at(clause: Clause, context: Context) -> Instant:
    """The instant as of which a question wants to know: "what did you know at 60 s?"."""
    subject = clause.subject
    times = (*clause.of(Period), *(() if subject is None else subject.modifiers))
    ends = [each.before or each.after for each in times if isinstance(each, Period)]
    known = [Finder(context).times.instant(each) for each in ends if each is not None]
    if len(known) != 1 or isinstance(known[0], OfStep):
        raise UnclearError("I cannot tell as of when it is to be known; give the time in seconds.")
    return known[0]


def _without_times(clause: Clause) -> Clause:
    """The question of what was known, without the time at which."""
    subject = clause.subject
    if subject is not None:
        kept = tuple(each for each in subject.modifiers if not isinstance(each, Period))
        subject = replace(subject, modifiers=kept)
    told = tuple(each for each in clause.complements if each != KNEW and not isinstance(each, Period))
    return replace(clause, subject=subject, complements=told)


def _plan(asked: Asked, finder: Finder, known_at: Instant | None) -> Plan:
    return Plan(steps=tuple(finder.steps), ask=asked.ask, measures=tuple(finder.measures), known_at=known_at)
