"""An asked clause, sorted by what its parts mean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from recall4d.query.english.grammar.places import SIDE_PAIRS
from recall4d.query.english.instants import UnclearError
from recall4d.query.english.phrases import (
    By,
    Clause,
    Complement,
    Condition,
    Elsewhen,
    Feature,
    Formerly,
    Happened,
    Modifier,
    NounPhrase,
    Period,
    Ranked,
    Relation,
    Sighted,
    Wh,
    Word,
)
from recall4d.query.plan import Ask, History, Rank
from recall4d.records import AnswerType

CHANGES = frozenset({"move", "touch", "appear", "vanish", "change"})
"""Classes of verbs that tell of a change."""

CHANGE_OF_VERB = {"move": "moved", "touch": "moved", "appear": "appeared", "vanish": "gone", "change": "changed"}
CHANGE_OF_STATE = {
    "new": "appeared", "gone": "gone", "displaced": "moved", "different": "changed", "moving": "moving",
    "moved": "moved",
}  # fmt: skip
_HISTORIES: tuple[History, ...] = get_args(History)
_RANKS: tuple[Rank, ...] = get_args(Rank)


_OF_STEPS = frozenset({"more", "seen_first", "seen_last"})
"""Comparisons that a step of the plan makes, not the answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be reported.

    Attributes:
        ask: for the plan.
        type: of the answer.
        name: what it is about, as the question calls it.
        plural: whether it is spoken of in the plural.
    """

    ask: Ask
    type: AnswerType
    name: str = "thing"
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A clause sorted by what its parts mean.

    Attributes:
        clause: as read.
        wh: its question word.
        topic: what it is about: what was seen, put or moved, else the subject.
        seer: who saw it, if that is said.
        places: relations and features said of the topic in the clause.
        states: kinds of the conditions said of it.
        words: fixed words in it.
    """

    clause: Clause
    wh: Wh
    topic: NounPhrase
    seer: str | None
    places: tuple[Relation | Feature, ...]
    states: frozenset[str]
    words: frozenset[str]

    @property
    def verb(self) -> str | None:
        """The class of its verb; None for a copula."""
        return None if self.clause.verb is None else self.clause.verb.kind

    @property
    def ranked(self) -> Ranked | None:
        """A superlative or comparative said of the topic."""
        return next(iter(self.clause.of(Ranked)), None)

    @property
    def order(self) -> Literal["first", "last"] | None:
        """First or last."""
        return "first" if "first" in self.words else "last" if "last" in self.words else None

    @property
    def alternatives(self) -> tuple[NounPhrase, ...]:
        """The things a question lets one choose from: "..., the mug or the bowl?"."""
        for phrase in (*self.clause.of(NounPhrase), self.topic, self.clause.subject):
            if phrase is not None and phrase.joined is not None:
                return phrase.members
        return ()

    def narrowing(self, but: tuple[str, ...] = ()) -> tuple[Modifier, ...]:
        """What the clause says of the place of its topic; not where it went to or came from."""
        skipped = (*but, *SIDE_PAIRS, *(("from", "to", "through") if self.verb in CHANGES else ()))
        return tuple(each for each in self.places if not (isinstance(each, Relation) and each.kind in skipped))

    @property
    def before_my_eyes(self) -> bool:
        """Whether something is said to have moved in view: "right in front of me", "by itself"."""
        if "moving" in self.states or "moving" in conditions(self.topic):
            return True
        watched = "visible" in self.states or any(map(is_watching, self.clause.of(Period)))
        return self.verb == "move" and (watched or "alone" in self.words or any(map(is_by_agent, self.places)))


def said(clause: Clause) -> Said:
    """Sort an asked clause."""
    wh = clause.wh
    assert wh is not None
    subject, target = _seeing(clause.subject, clause), clause.target
    seer = next((each.agent for each in clause.of(By)), None)
    topic = subject or target or NounPhrase(generic=True)
    if (
        subject is not None
        and subject.members
        and all(each.agent for each in subject.members)
        and target is not None
    ):
        topic = target
    elif subject is not None and subject.agent is not None and target is not None:
        topic = target
        saw = clause.verb is not None and clause.verb.kind == "see" and clause.past
        seer = subject.agent if saw else None
    elif wh.kind == "who" and target is not None:
        topic = target
    if seer is not None and subject is not None and Condition("only") in subject.modifiers:
        topic = replace(topic, modifiers=(*topic.modifiers, Sighted(seer, only=True)))
        clause = replace(clause, target=topic)
    topic, clause = _elsewhen(topic, clause)
    return Said(
        clause=replace(clause, subject=subject),
        wh=wh,
        topic=topic,
        seer=seer,
        places=tuple(each for each in clause.complements if isinstance(each, Relation | Feature)),
        states=frozenset(each.kind for each in clause.of(Condition) if not each.negated),
        words=frozenset(each.kind for each in clause.of(Word)),
    )


def _elsewhen(topic: NounPhrase, clause: Clause) -> tuple[NounPhrase, Clause]:
    """What is on the table that was not there before? It is the topic that was not there, not the table."""
    found: list[Elsewhen] = []

    def without(complement: Complement) -> Complement:
        if not isinstance(complement, Relation):
            return complement
        marks = []
        for mark in complement.landmarks:
            found.extend(each for each in mark.modifiers if isinstance(each, Elsewhen))
            marks.append(replace(mark, modifiers=tuple(e for e in mark.modifiers if not isinstance(e, Elsewhen))))
        return replace(complement, landmarks=tuple(marks))

    complements = tuple(map(without, clause.complements))
    if not found:
        return topic, clause
    return replace(topic, modifiers=(*topic.modifiers, *found)), replace(clause, complements=complements)


def _seeing(subject: NounPhrase | None, clause: Clause) -> NounPhrase | None:
    """A camera that sees something is the asking agent; one that is seen is a thing."""
    sees = clause.verb is not None and clause.verb.kind == "see" and not clause.passive
    camera = subject is not None and subject.words == ("camera",) and subject.determiner in ("the", "this", "my")
    return NounPhrase(agent="asker") if sees and camera and clause.target is not None else subject


def with_history(ask: Ask, phrase: NounPhrase) -> Ask:
    """`ask` for those entries only that have the history, or the superlative, that a noun phrase names."""
    only = tuple(sorted(each for each in _HISTORIES if each in conditions(phrase)))
    ranked = next(
        (each for each in phrase.modifiers if isinstance(each, Ranked) and each.kind not in _OF_STEPS), None
    )
    check_measured(ranked if ranked is not None and ranked.kind not in ("leftmost", "rightmost") else None)
    rank = ranked.kind if ranked is not None and ranked.kind in _RANKS else ask.rank
    return ask.model_copy(update={"only": ask.only or only, "rank": rank})


def check_measured(ranked: Ranked | None) -> None:
    """Refuse a comparison of what memory does not measure.

    Raises:
        UnclearError: it compares weight, age, price or the like.
    """
    if ranked is not None and ranked.kind not in _RANKS:
        raise UnclearError("Memory holds places, sizes and times; it does not hold what is compared here.")


def conditions(phrase: NounPhrase) -> frozenset[str]:
    """States that a noun phrase asks for: "the missing mug", "the chair that was moved"."""
    found = {each.kind for each in phrase.modifiers if isinstance(each, Condition)}
    for each in phrase.modifiers:
        if isinstance(each, Happened) and each.clause.verb is not None:
            verb = each.clause.verb
            rolls = verb.kind == "move" and verb.form == "ing"
            found.add("moving" if rolls else "new" if verb.kind == "appear" else "moved")
    return frozenset(found)


def is_watching(period: Period) -> bool:
    """While I was looking."""
    event = period.event
    if event is None or event.verb is None or event.subject is None or event.target is not None:
        return False
    return event.verb.kind == "see" and event.subject.agent is not None


def is_by_agent(modifier: Modifier) -> bool:
    """In front of me."""
    return isinstance(modifier, Relation) and any(each.agent is not None for each in modifier.landmarks)


def is_indefinite(phrase: NounPhrase) -> bool:
    """Whether any such thing will do."""
    return phrase.determiner in (None, "a", "any", "no") or phrase.generic or phrase.plural


def name_of(phrase: NounPhrase) -> str:
    """What a question calls a thing, without article: "red mug"."""
    if phrase.agent is not None:
        return phrase.agent
    features = [each for each in phrase.modifiers if isinstance(each, Feature) and each.words and each.kind != "is"]
    words = (*phrase.words, "thing") if phrase.generic else phrase.words
    return " ".join((*words, *(" ".join((each.kind, *each.words)) for each in features))) or "thing"


def left_behind(phrase: NounPhrase) -> NounPhrase:
    """A thing that went: where it is said to be, it was. "Where did the mug on the table go?"."""
    modifiers = tuple(Formerly(each) if isinstance(each, Relation) else each for each in phrase.modifiers)
    return replace(phrase, modifiers=modifiers)
