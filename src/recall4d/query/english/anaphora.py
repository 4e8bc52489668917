"""What "it", "the other one" and "there" refer to: things named earlier in the question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from recall4d.query.english.lexicon import ADJECTIVES
from recall4d.query.english.phrases import Clause, Condition, Formerly, NounPhrase, Relation
from recall4d.query.english.reading import Reading

_REFERRING = frozenset({"it", "they", "one", "other"})


def antecedents(readings: list[Reading]) -> list[NounPhrase]:
    """Things that sentences before the last one, and loose phrases, are about, the latest first."""
    found: list[NounPhrase] = []
    for reading in readings:
        for statement in reading.statements:
            found += [topic for topic in (statement.target, statement.subject) if topic is not None and topic.words]
        found += [phrase for phrase in reading.phrases if phrase.words]
        found += [phrase for question in reading.questions[:-1] for phrase in named_in(question)]
    return found[::-1]


def named_in(part: Any) -> Iterator[NounPhrase]:
    """Every noun phrase with a name in a clause or phrase, outermost first."""
    if isinstance(part, NounPhrase) and part.words and part.pronoun is None:
        yield part
    if is_dataclass(part):
        for each in fields(part):
            yield from named_in(getattr(part, each.name))
    elif isinstance(part, tuple):
        for each in part:
            yield from named_in(each)


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
        changed = {
            each.name: new
            for each in fields(part)
            if (new := resolved(old := getattr(part, each.name), referents)) is not old and new != old
        }
        return replace(part, **changed) if changed else part
    return part


def _named(pronoun: NounPhrase, referent: NounPhrase) -> NounPhrase:
    """The referent, narrowed by what is said with the pronoun: "the blue one" of "two red mugs" is a blue mug."""
    words = referent.words
    if pronoun.words:
        words = (*pronoun.words, *(word for word in words if word not in ADJECTIVES))
    kept = tuple(each for each in referent.modifiers if not isinstance(each, Formerly))
    formerly = tuple(each for each in referent.modifiers if isinstance(each, Formerly))
    elsewhere: tuple[Relation, ...] = ()
    if Condition("other") in pronoun.modifiers:
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


def told(clause: Clause) -> NounPhrase | None:
    """What a statement is about, with where it says that it is, or was."""
    topic = clause.target if clause.target is not None and clause.target.words else clause.subject
    if topic is None or (clause.verb is not None and clause.verb.kind not in ("stand", "leave", "see")):
        return topic
    said = [*topic.modifiers, *(each for each in clause.complements if isinstance(each, Relation))]
    if clause.past or clause.negated:
        said = [Formerly(each) if isinstance(each, Relation) else each for each in said]
    return replace(topic, modifiers=tuple(said))
