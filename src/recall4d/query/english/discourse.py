"""Which clause is asked, and what its pronouns stand for: "it", "the other one", "Which?" after a statement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from recall4d.query.english.lexicon import ADJECTIVES
from recall4d.query.english.lexicon.sets import words
from recall4d.query.english.phrases import (
    Clause,
    Complement,
    Condition,
    Except,
    Formerly,
    NounPhrase,
    Period,
    Relation,
    Unread,
    Wh,
    Word,
)
from recall4d.query.english.reading import Reading

MAX_NAME = 4
"""Words of a name that may stand alone for a question: "the white mug?"."""

_OF_TIMES = words(
    "before after when while since until during first last second minute hour ago earlier later then now never not "
    "no without except only if unless yesterday today round tour visit frame between"
)

_REFERRING = frozenset({"it", "they", "one", "other"})

# --- the asked clause ------------------------------------------------------------------------------------------


def main_clause(readings: list[Reading], choosing: bool = False) -> Clause | None:
    """The clause that is asked, with everything that belongs to it and no pronoun left open.

    Args:
        readings: of the sentences, in order.
        choosing: options are given; "which of these" is any thing, to be chosen from those.
    """
    at = next((index for index in reversed(range(len(readings))) if readings[index].questions), None)
    if at is None:
        return _without_question(readings)
    reading = readings[at]
    unmeasured = next((each for each in reading.questions if each.wh == Wh("size", detail="unmeasured")), None)
    clause = _with_loose(unmeasured or reading.questions[-1], reading)
    if choosing and clause.wh is not None and clause.wh.phrase == NounPhrase(pronoun="they"):
        anything = NounPhrase(generic=True)
        clause = replace(clause, wh=replace(clause.wh, phrase=anything), subject=anything)
    statements = [each for earlier in readings[:at] for each in earlier.statements] + list(reading.statements)
    if statements and _is_bare(clause):
        clause = _asked_of(statements[-1], clause)
    clause = _at_that_time(clause, readings[:at])
    if statements and _lacks_target(clause):
        clause = _with_target(clause, statements[-1])
    topics = [topic for statement in reversed(statements) if (topic := told(statement)) is not None and topic.words]
    if _lacks_goal(clause) and (named := [*topics, *_named_before(readings[: at + 1])]):
        clause = replace(clause, target=named[0])
    referents = [*topics, *_named_before(readings[: at + 1]), *_named_within(clause)]
    return resolved(clause, referents)  # type: ignore[no-any-return]


def unread_words(readings: list[Reading], clause: Clause | None) -> tuple[str, ...]:
    """Words that no part of the plan comes from: left over, unknown, or in phrases that nothing takes up."""
    at = next((index for index in reversed(range(len(readings))) if readings[index].questions), 0)
    telling = [reading for reading in readings[:at] if not _matters(reading)]
    unread = [word for reading in readings if reading not in telling for word in reading.unread]
    if clause is not None:
        unread += [part.word for part in parts(clause) if isinstance(part, Unread)]
        unread += [word for reading in readings for phrase in _loose_phrases(reading) for word in phrase.words]
    return tuple(dict.fromkeys(unread))


def _matters(reading: Reading) -> bool:
    """Whether words left unread in a sentence before the question may change what is asked: times, numbers."""
    times = any(word.lower() in _OF_TIMES or any(map(str.isdigit, word)) for word in reading.unread)
    return times or bool(reading.periods or reading.viewpoints)


def _with_loose(clause: Clause, reading: Reading) -> Clause:
    """A question with the times, places and alternatives that stand beside it in its sentence."""
    loose: tuple[Complement, ...] = (
        *reading.viewpoints,
        *reading.periods,
        *reading.places,
        *reading.alternatives,
        *reading.words,
    )
    return replace(clause, complements=(*clause.complements, *loose))


def _loose_phrases(reading: Reading) -> Iterator[NounPhrase]:
    """Names beside a question that does not lean on anything outside itself."""
    leans = any(_has_pronoun(each) or _is_bare(each) or _lacks_target(each) for each in reading.questions)
    if reading.questions and not leans:
        yield from reading.phrases
        yield from named_in(reading.statements)


def _has_pronoun(clause: Clause) -> bool:
    return any(isinstance(part, NounPhrase) and part.pronoun is not None for part in parts(clause))


def _is_bare(clause: Clause) -> bool:
    """Whether a question leans on the statement before it: "Which?", "When was that?"."""
    subject = clause.subject
    if clause.verb is not None:
        return False
    if subject is None or subject == NounPhrase(generic=True):
        placed = clause.wh is not None and clause.wh.kind in ("what", "which", "who") and clause.of(Relation)
        return not placed
    return subject.pronoun == "it" and not clause.complements


def _asked_of(statement: Clause, question: Clause) -> Clause:
    """A statement with the question word of the question after it."""
    if question.subject is not None and question.subject.pronoun == "it" and statement.verb is None:
        return question
    kept = tuple(each for each in question.complements if each not in statement.complements)
    wh = question.wh
    if wh is not None and wh.kind in ("what", "which") and statement.subject is not None:
        wh = replace(wh, phrase=statement.subject)
    return replace(statement, wh=wh, complements=(*statement.complements, *kept))


def _at_that_time(clause: Clause, before: list[Reading]) -> Clause:
    """A question about "then", or in the past at no other time, is about the time a sentence before it tells."""
    times = [(*each.periods, *(when for told in each.statements for when in told.of(Period))) for each in before]
    told = next((each for each in reversed(times) if each), ())
    dates = clause.wh is not None and clause.wh.kind in ("when", "how_long", "how_long_ago", "how_often", "visit")
    unsaid = clause.past and not dates and not any(isinstance(each, Period) for each in parts(clause))
    if not told or not (unsaid or Word("then") in clause.complements):
        return clause
    kept = tuple(each for each in clause.complements if each != Word("then"))
    return replace(clause, complements=(*kept, *told))


def _lacks_target(clause: Clause) -> bool:
    """Where should I look?"""
    seeing = clause.verb is not None and clause.verb.kind == "see"
    return seeing and clause.target is None and not clause.passive


def _lacks_goal(clause: Clause) -> bool:
    """Which way do I have to turn?"""
    asker = clause.subject is not None and clause.subject.agent is not None
    way = clause.wh is not None and clause.wh.kind == "way"
    landmarks = any(each.landmarks for each in clause.of(Relation))
    return asker and way and clause.verb is not None and clause.target is None and not landmarks


def _with_target(clause: Clause, statement: Clause) -> Clause:
    """I cannot find it; where should I look?"""
    topic = told(statement)
    asker = clause.subject is not None and clause.subject.agent is not None
    return replace(clause, target=topic) if asker and topic is not None and topic.words else clause


def _without_question(readings: list[Reading]) -> Clause | None:
    """A statement or a name alone: "I can't find my keys", "The white mug?" ask where it is."""
    for statement in reversed([each for reading in readings for each in reading.statements]):
        topic = told(statement)
        sought = statement.verb is not None and statement.verb.kind in ("see", "need")
        if sought and topic is not None and topic.words:
            return Clause(wh=Wh("where"), subject=topic)
    told_of = [each.event for reading in readings for each in reading.periods if each.kind == "during"]
    if len(told_of) == 1 and told_of[0] is not None and not any(reading.unread for reading in readings):
        return replace(told_of[0], wh=Wh("when"))  # "(remind me) when I saw it"
    names = [phrase for reading in readings for phrase in reading.phrases if phrase.words]
    alone = len(names) == 1 and not any(reading.unread or reading.statements for reading in readings)
    return Clause(wh=Wh("where"), subject=names[0]) if alone and len(names[0].words) <= MAX_NAME else None


# --- what may be referred to -----------------------------------------------------------------------------------


def told(clause: Clause) -> NounPhrase | None:
    """What a statement is about, with where it says that it is, or was."""
    topic = clause.target if clause.target is not None and clause.target.words else clause.subject
    if topic is not None and topic.agent is not None:  # "I want to sit down on the sofa" is about the sofa
        topic = next((each.landmarks[0] for each in clause.of(Relation) if each.landmarks), topic)
        return topic
    if topic is None or (clause.verb is not None and clause.verb.kind not in ("stand", "leave", "see")):
        return topic
    said = [*topic.modifiers, *clause.of(Relation)]
    if clause.past or clause.negated:
        said = [Formerly(each) if isinstance(each, Relation) else each for each in said]
    return replace(topic, modifiers=tuple(said))


def _named_before(readings: list[Reading]) -> list[NounPhrase]:
    """Things named in statements, loose phrases and earlier questions, the latest first."""
    found: list[NounPhrase] = []
    for reading in readings:
        for statement in reading.statements:
            found += [topic for topic in (statement.target, statement.subject) if topic is not None and topic.words]
        found += [phrase for phrase in reading.phrases if phrase.words]
        found += [phrase for question in reading.questions[:-1] for phrase in named_in(question)]
    return found[::-1]


def _named_within(clause: Clause) -> list[NounPhrase]:
    """Things named in the question itself: its topic, what its events are about, then the latest first."""
    topic = next((each for each in (clause.target, clause.subject) if each is not None and each.words), None)
    times = [each for part in clause.of(Period) for each in (part.after, part.before, part)]
    events = [each.event for each in times if each is not None]
    subjects = [topic, *(_undergoing(event) for event in events if event is not None)]
    return [*(each for each in subjects if each is not None and each.words), *reversed(list(named_in(clause)))]


def _undergoing(event: Clause) -> NounPhrase | None:
    """What an event happened to: what an agent did something to, or what did something."""
    by_agent = event.subject is not None and event.subject.agent is not None
    return event.target if by_agent else event.subject


def named_in(part: Any) -> Iterator[NounPhrase]:
    """Every noun phrase with a name in a clause or phrase, outermost first."""
    return (each for each in parts(part) if isinstance(each, NounPhrase) and each.words and each.pronoun is None)


def parts(part: Any) -> Iterator[Any]:
    """A phrase or clause and everything in it, at any depth, outermost first."""
    if isinstance(part, tuple):
        for each in part:
            yield from parts(each)
    elif is_dataclass(part) and not isinstance(part, type):
        yield part
        for each in fields(part):
            yield from parts(getattr(part, each.name))


# --- pronouns --------------------------------------------------------------------------------------------------


def resolved(part: Any, referents: list[NounPhrase]) -> Any:
    """A copy of a clause or phrase with every pronoun replaced by what it refers to.

    Args:
        part: where the pronouns are.
        referents: what they may refer to, likeliest first.
    """
    if isinstance(part, NounPhrase) and part.pronoun in _REFERRING:
        if not referents:
            return part
        named = _named(part, referents[0])
        return replace(named, modifiers=resolved(named.modifiers, referents[1:]))
    if isinstance(part, tuple):
        return tuple(resolved(each, referents) for each in part)
    if is_dataclass(part) and not isinstance(part, type):
        values = {each.name: getattr(part, each.name) for each in fields(part)}
        changed = {name: new for name, old in values.items() if (new := resolved(old, referents)) != old}
        return replace(part, **changed) if changed else part
    return part


def _named(pronoun: NounPhrase, referent: NounPhrase) -> NounPhrase:
    """The referent, narrowed by what is said with the pronoun: "the blue one" of "two red mugs" is a blue mug."""
    words = referent.words
    if pronoun.words:
        words = (*pronoun.words, *(word for word in words if word not in ADJECTIVES))
    kept = tuple(each for each in referent.modifiers if not isinstance(each, Formerly | Except))
    elsewhere: tuple[Relation, ...] = ()
    if Condition("other") in pronoun.modifiers:
        formerly = [each for each in referent.modifiers if isinstance(each, Formerly)]
        elsewhere = tuple(replace(each.relation, negated=not each.relation.negated) for each in formerly)
    own = tuple(each for each in pronoun.modifiers if each != Condition("other"))
    many = pronoun.pronoun == "they"
    return replace(
        referent,
        words=words,
        determiner="the",
        number=referent.number if many else None,
        plural=referent.plural and many,
        modifiers=(*kept, *own, *elsewhere),
    )
