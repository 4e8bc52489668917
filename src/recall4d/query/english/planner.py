"""From a question in English to a plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from recall4d.query.english.anaphora import antecedents, named_in, resolved, told
from recall4d.query.english.asks import ask
from recall4d.query.english.context import Context
from recall4d.query.english.finder import Finder
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.phrases import Clause, Complement, NounPhrase, Period, Unread, Viewpoint, Wh
from recall4d.query.english.reading import Reading, read
from recall4d.query.plan import Plan
from recall4d.records import AnswerType

MAX_NAME = 4
"""Words of a name that may stand alone for a question: "the white mug?"."""

NOT_UNDERSTOOD = (
    "I did not understand the question. Ask where, when, how many or how far something is, was or went, "
    "what is near it, who saw it, or what changed."
)


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
    """

    question: str
    plan: Plan | None
    answer_type: AnswerType = "text"
    unread: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    clarification: str | None = None
    name: str = "it"
    plural: bool = False


def plan_question(question: str, context: Context | None = None) -> Planned:
    """Read a question and plan how to answer it. Never raises for any text."""
    context = context or Context()
    readings = read(question, context.agents)
    clause = main_clause(readings)
    unread = tuple(word for reading in readings for word in reading.unread)
    if clause is None:
        return Planned(question, None, unread=unread, clarification=NOT_UNDERSTOOD)
    unread = (*unread, *_unread_in(clause), *_unused(readings))
    finder = Finder(
        context,
        periods=list(clause.of(Period)),
        viewpoint=next(iter(clause.of(Viewpoint)), None),
    )
    try:
        asked = ask(clause, finder)
        plan = Plan(steps=tuple(finder.steps), ask=asked.ask)
    except UnclearError as error:
        return Planned(question, None, unread=unread, clarification=str(error))
    except ValueError:
        return Planned(question, None, unread=unread, clarification=NOT_UNDERSTOOD)
    return Planned(
        question=question,
        plan=plan,
        answer_type=asked.type,
        unread=tuple(dict.fromkeys(unread)),
        set_aside=tuple(dict.fromkeys(finder.set_aside)),
        name=asked.name,
        plural=asked.plural,
    )


def main_clause(readings: list[Reading]) -> Clause | None:
    """The clause that is asked, with everything that belongs to it and no pronoun left open."""
    at = next((index for index in reversed(range(len(readings))) if readings[index].questions), None)
    if at is None:
        return _without_question(readings)
    reading = readings[at]
    clause = reading.questions[-1]
    loose: tuple[Complement, ...] = (
        *reading.viewpoints,
        *reading.periods,
        *reading.places,
        *reading.alternatives,
        *reading.words,
    )
    clause = replace(clause, complements=(*clause.complements, *loose))
    before = [each for earlier in readings[:at] for each in earlier.statements] + list(reading.statements)
    if before and _is_bare(clause):
        clause = _asked_of(before[-1], clause)
    if _lacks_target(clause):
        clause = _with_target(clause, before)
    referents = [topic for statement in reversed(before) if (topic := told(statement)) is not None and topic.words]
    referents += antecedents(readings[: at + 1])
    topic = next((each for each in (clause.target, clause.subject) if each is not None and each.words), None)
    events = [
        moment.event for period in clause.of(Period) for moment in (period.after, period.before, period) if moment
    ]
    told_of = [event.subject for event in events if event is not None and event.subject is not None]
    subjects = [each for each in (topic, *told_of) if each is not None and each.words]
    within = [*subjects, *reversed(list(named_in(clause)))]
    return resolved(clause, [*referents, *within])  # type: ignore[no-any-return]


def _lacks_target(clause: Clause) -> bool:
    """Where should I look?"""
    seeing = clause.verb is not None and clause.verb.kind == "see"
    return seeing and clause.target is None and not clause.passive


def _with_target(clause: Clause, statements: list[Clause]) -> Clause:
    """I cannot find it; where should I look?"""
    topic = told(statements[-1]) if statements else None
    asker = clause.subject is not None and clause.subject.agent is not None
    return replace(clause, target=topic) if asker and topic is not None and topic.words else clause


def _is_bare(clause: Clause) -> bool:
    """Whether a question leans on the statement before it: "Which?", "When was that?"."""
    subject = clause.subject
    if clause.verb is not None:
        return False
    return (
        subject is None
        or subject == NounPhrase(generic=True)
        or (subject.pronoun == "it" and not clause.complements)
    )


def _asked_of(statement: Clause, question: Clause) -> Clause:
    """A statement with the question word of the question after it."""
    if question.subject is not None and question.subject.pronoun == "it" and statement.verb is None:
        return question
    kept = tuple(each for each in question.complements if each not in statement.complements)
    wh = question.wh
    if wh is not None and wh.kind in ("what", "which") and statement.subject is not None:
        wh = replace(wh, phrase=statement.subject)
    return replace(statement, wh=wh, complements=(*statement.complements, *kept))


def _without_question(readings: list[Reading]) -> Clause | None:
    """A statement or a name alone: "I can't find my keys", "The white mug?" ask where it is."""
    for reading in reversed(readings):
        for statement in reversed(reading.statements):
            topic = told(statement)
            if (
                topic is not None
                and topic.words
                and statement.verb is not None
                and statement.verb.kind in ("see", "need")
            ):
                return Clause(wh=Wh("where"), subject=topic)
    names = [phrase for reading in readings for phrase in reading.phrases if phrase.words]
    alone = len(names) == 1 and not any(reading.unread or reading.statements for reading in readings)
    short = alone and len(names[0].words) <= MAX_NAME
    return Clause(wh=Wh("where"), subject=names[0]) if short else None


def _unused(readings: list[Reading]) -> Iterator[str]:
    """Words of loose phrases and statements beside a question, where no pronoun in it takes them up."""
    for reading in readings:
        leans = any(_has_pronoun(each) or _is_bare(each) or _lacks_target(each) for each in reading.questions)
        if reading.questions and not leans:
            for phrase in (*reading.phrases, *named_in(reading.statements)):
                yield from phrase.words


def _has_pronoun(part: Any) -> bool:
    if isinstance(part, NounPhrase) and part.pronoun is not None:
        return True
    if isinstance(part, tuple):
        return any(map(_has_pronoun, part))
    if is_dataclass(part) and not isinstance(part, type):
        return any(_has_pronoun(getattr(part, each.name)) for each in fields(part))
    return False


def _unread_in(part: Any) -> Iterator[str]:
    """Words reported as unread anywhere in a clause."""
    if isinstance(part, Unread):
        yield part.word
    elif isinstance(part, tuple):
        for each in part:
            yield from _unread_in(each)
    elif is_dataclass(part) and not isinstance(part, type):
        for each in fields(part):
            yield from _unread_in(getattr(part, each.name))
