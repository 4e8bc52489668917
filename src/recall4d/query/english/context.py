"""What a question is asked in: who asks, who else there is, and when they were about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from recall4d.clock import Clock, Interval
from recall4d.memory.snapshot import Snapshot
from recall4d.query.english.phrases import NounPhrase
from recall4d.query.morphology import singular
from recall4d.query.visits import visits_of
from recall4d.query.words import standard_words

_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Context:
    """The circumstances of a question.

    Attributes:
        agents: names of all agents.
        asking_agent: who "I" is; None is the first.
        visits: each agent's recording in stretches without a long break, in order.
        clock: what its instants mean.
        words: all words said of what memory holds, singular and lower case.
        regions: names that people gave to parts of the floor plan.
        surfaces: words for the walls, floors and ceilings that memory holds; what it does not hold narrows nothing.
    """

    agents: tuple[str, ...] = ()
    asking_agent: str | None = None
    visits: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    surfaces: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    regions: tuple[str, ...] = ()

    @classmethod
    def of(cls, snapshot: Snapshot, asking_agent: str | None = None) -> Context:
        """The circumstances in which `asking_agent` asks about a snapshot."""
        visits = {agent: visits_of(trajectory) for agent, trajectory in snapshot.trajectories.items()}
        built = [entry for entry in snapshot.entries if entry.kind == "surface"]
        texts = [f"{entry.category or ''} {entry.description}" for entry in built]
        surfaces = frozenset(word for text in texts for word in standard_words(text))
        regions = tuple(snapshot.regions)
        return cls(snapshot.agents, asking_agent, visits, snapshot.clock, surfaces, _words_of(snapshot), regions)

    def holds_surface(self, phrase: NounPhrase) -> bool:
        """Whether memory holds such a wall, floor or ceiling."""
        return bool(phrase.words) and bool(standard_words(phrase.words[-1]) & self.surfaces)

    @property
    def asker(self) -> str | None:
        """The asking agent's name; None where there is no agent."""
        return self.asking_agent or next(iter(self.agents), None)


def _words_of(snapshot: Snapshot) -> frozenset[str]:
    """Words of descriptions, singular; those of categories stand in them as a rule."""
    descriptions = {f"{entry.category or ''} {entry.description}" for entry in snapshot.entries}
    return frozenset(singular(word) for text in descriptions for word in _WORD.findall(text.lower()))
