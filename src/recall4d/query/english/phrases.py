"""What the grammar builds: noun phrases, places, times, viewpoints and clauses, before they become a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from recall4d.query.english.lexicon import Verb

T = TypeVar("T")

# --- when ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Visit:
    """A stretch of an agent's recording without a long break: "my first tour".

    Attributes:
        ordinal: 1 is the first, -1 the last, -2 the one before.
        agent: whose; None is the asking agent's.
    """

    ordinal: int
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant as it was said.

    Attributes:
        kind: how it is given.
        number: seconds ago, seconds elapsed, seconds after the start of a visit, or the frame's number.
        clock: a clock time or date as written.
        visit: for "visit_start" and "visit_end".
        event: for "event", the clause that says what happened.
    """

    kind: Literal["now", "ago", "elapsed", "frame", "clock", "start", "visit_start", "visit_end", "event"]
    number: float = 0.0
    clock: str = ""
    visit: Visit | None = None
    event: Clause | None = None


@dataclass(frozen=True, slots=True)
class Period:
    """A time phrase: between two moments, either of which may be open.

    Attributes:
        kind: "span" has moments; "earlier" is an unnamed time before the present state ("previously");
            "originally" the first state; "always" the whole time; "sofar" everything up to now;
            "during" the time of an event.
        after, before: the moments; equal for an instant.
        event: what went on meanwhile, for "during".
    """

    kind: Literal["span", "earlier", "originally", "always", "sofar", "during"] = "span"
    after: Moment | None = None
    before: Moment | None = None
    event: Clause | None = None


# --- where and what --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Whose left and right.

    Attributes:
        kind: "stand" is where an agent stood, "from" a place one looks from, "facing" something one looks at.
        agent: who stood, for "stand"; None is the asking agent.
        place: the place or the thing.
        at: when, for "stand"; None is when the question is about.
    """

    kind: Literal["stand", "from", "facing"]
    agent: str | None = None
    place: NounPhrase | None = None
    at: Moment | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """Where something is, relative to landmarks: "directly to the left of the sofa".

    Attributes:
        kind: as in the plan language, with "near", "in" (a room or a container) and "from", "to", "through" of
            movements.
        landmarks: one; two for "between"; none where the asking agent is meant ("on my left").
        distance_m: limit for "within" and "beyond".
    """

    kind: str
    landmarks: tuple[NounPhrase, ...] = ()
    directly: bool = False
    negated: bool = False
    distance_m: float | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A superlative or comparative: "nearest to the sofa", "taller than the lamp".

    Attributes:
        kind: as in `lexicon` SUPERLATIVE.
        landmark: nearest to what, where said.
        than: compared with what, where said.
        superlative: the one of all, not the one of two.
    """

    kind: str
    landmark: NounPhrase | None = None
    than: NounPhrase | None = None
    superlative: bool = True


@dataclass(frozen=True, slots=True)
class Feature:
    """What something has, is like or lacks, in words: "with a spiral shell on its cover".

    Attributes:
        words: what.
        kind: "with", "like", "titled", "is" for an adjective said of it, "or" for two to choose from.
    """

    words: tuple[str, ...]
    kind: str = "with"
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """Two places to choose from: "on the sofa or on the table"."""

    places: tuple[Relation, Relation]


@dataclass(frozen=True, slots=True)
class Formerly:
    """Where something was said to have been, in a statement before the question."""

    relation: Relation


@dataclass(frozen=True, slots=True)
class Condition:
    """A state something is in: "gone", "visible", "new", "other"."""

    kind: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word with a fixed meaning in a clause, such as "still" or "apart"."""

    kind: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A word the grammar has no use for; it is reported, never dropped."""

    word: str


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Something that is spoken of.

    Attributes:
        words: its name with adjectives, in order, without determiners: ("red", "mug").
        determiner: as in `lexicon` DET.
        number: how many are said to be.
        plural: whether the noun is in the plural.
        generic: no name, just "thing" or "something".
        pronoun: "it", "they", "one", "other" or "there" instead of a name.
        agent: an agent instead of a thing: its name, "asker" or "anyone".
        modifiers: what narrows it.
        members, joined: "A and B" or "A or B".
        clause: a clause spoken of as a whole ("that").
    """

    words: tuple[str, ...] = ()
    determiner: str | None = None
    number: int | None = None
    plural: bool = False
    generic: bool = False
    pronoun: str | None = None
    agent: str | None = None
    modifiers: tuple[Modifier, ...] = ()
    members: tuple[NounPhrase, ...] = ()
    joined: Literal["and", "or"] | None = None

    @property
    def named(self) -> bool:
        """Whether it says what it is about."""
        return bool(self.words or self.members)


# --- clauses ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wh:
    """The question word, and what it asks for.

    Attributes:
        kind: "where", "when", "who", "what", "which", "how_many", "how_often", "how_far", "how_long",
            "how_long_ago", "size", "way", "side", "attribute", "title", "what_on", "claims" or "polar" (yes or no).
        phrase: the noun it belongs to ("which mug", "how many chairs").
        detail: which size, which attribute, or the relation of "on what".
    """

    kind: str
    phrase: NounPhrase | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement or a question.

    Attributes:
        wh: what is asked; None for a statement.
        subject: of what it is said.
        verb: None for a copula.
        target: the verb's object.
        complements: everything else in it.
        past: whether it is told in the past.
        negated: whether it is denied.
        passive: whether the subject undergoes the verb.
        led_by: the auxiliary before its verb, "be" or "have"; None where the verb itself leads the predicate.
    """

    wh: Wh | None = None
    subject: NounPhrase | None = None
    verb: Verb | None = None
    target: NounPhrase | None = None
    complements: tuple[Complement, ...] = ()
    past: bool = False
    negated: bool = False
    passive: bool = False
    led_by: str | None = None

    def of(self, kind: type[T]) -> tuple[T, ...]:
        """Complements of one kind, in order."""
        return tuple(each for each in self.complements if isinstance(each, kind))


@dataclass(frozen=True, slots=True)
class Sighted:
    """Somebody saw it: "that I saw on my first tour", "seen last by bravo"; or did not, or nobody else did."""

    agent: str | None = None
    periods: tuple[Period, ...] = ()
    order: str | None = None
    negated: bool = False
    only: bool = False


@dataclass(frozen=True, slots=True)
class Except:
    """What is left out: "everything on the table except the mug"."""

    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class Elsewhen:
    """A time at which it was not there: "what is on the table that was not there before"."""

    period: Period


@dataclass(frozen=True, slots=True)
class Happened:
    """A relative clause about a change: "that was moved", "that wandered off to the coffee table"."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class By:
    """Who did it: "by alpha"."""

    agent: str


Modifier = (
    Relation | Ranked | Feature | Formerly | Condition | Period | Viewpoint | Sighted | Except | Elsewhen | Happened
)
Complement = Modifier | Either | Word | Unread | By | NounPhrase
