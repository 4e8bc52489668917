"""What a question is asked in: who asks, who else there is, and when they were about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from recall4d.clock import Clock, Interval
from recall4d.geometry.pose import Trajectory
from recall4d.memory.snapshot import Snapshot
from recall4d.query.english.phrases import NounPhrase
from recall4d.query.words import standard_words

MIN_BREAK_S = 10.0
"""Two visits are apart by at least this, and by far more than their frames are."""


@dataclass(frozen=True)
class Context:
    """The circumstances of a question.

    Attributes:
        agents: names of all agents.
        asking_agent: who "I" is; None is the first.
        visits: each agent's recording in stretches without a long break, in order.
        clock: what its instants mean.
        surfaces: words for the walls, floors and ceilings that memory holds; what it does not hold narrows nothing.
    """

    agents: tuple[str, ...] = ()
    asking_agent: str | None = None
    visits: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    surfaces: frozenset[str] = frozenset()

    @classmethod
    def of(cls, snapshot: Snapshot, asking_agent: str | None = None) -> Context:
        """The circumstances in which `asking_agent` asks about a snapshot."""
        visits = {agent: visits_of(trajectory) for agent, trajectory in snapshot.trajectories.items()}
        built = [entry for entry in snapshot.entries if entry.kind == "surface"]
        texts = [f"{entry.category or ''} {entry.description}" for entry in built]
        surfaces = frozenset(word for text in texts for word in standard_words(text))
        return cls(snapshot.agents, asking_agent, visits, snapshot.clock, surfaces)

    def holds_surface(self, phrase: NounPhrase) -> bool:
        """Whether memory holds such a wall, floor or ceiling."""
        return bool(phrase.words) and bool(standard_words(phrase.words[-1]) & self.surfaces)

    @property
    def asker(self) -> str | None:
        """The asking agent's name; None where there is no agent."""
        return self.asking_agent or next(iter(self.agents), None)


def visits_of(trajectory: Trajectory) -> tuple[Interval, ...]:
    """A trajectory in stretches without a break.

    A break is `MIN_BREAK_S` or more, and ten times the usual time between frames.
    """
    stamps = trajectory.stamps_ns
    if len(stamps) == 0:
        return ()
    gaps = np.diff(stamps)
    usual = float(np.median(gaps)) if len(gaps) else 0.0
    breaks = np.flatnonzero(gaps >= max(MIN_BREAK_S * 1e9, 10 * usual))
    starts, ends = np.r_[0, breaks + 1], np.r_[breaks, len(stamps) - 1]
    return tuple(Interval(int(stamps[i]), int(stamps[j])) for i, j in zip(starts, ends, strict=True))
