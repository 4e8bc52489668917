"""A stay: one thing at one place, with everything that any frame found there.

What follows from its looks alone is concluded once and kept: of five hundred stays a frame looks at thirty, and
what is known of the others has not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import Interval
from recall4d.memory.presence import Finding, Look, Spell, findings, hidden_looks, spells
from recall4d.records import Entry, State, Visibility

MIN_HIDDEN = 2
"""A thing is hidden when so many looks found it so."""


@dataclass(frozen=True, eq=False)
class Stay:
    """One thing at one place.

    Attributes:
        entry: what was folded there, with one state.
        looks: what every frame that looked there found, in order of time.
        vector: (d,) unit embedding of its description.
    """

    entry: Entry
    looks: Sequence[Look]
    vector: NDArray[np.float32]

    @cached_property
    def found(self) -> list[Finding | None]:
        """What each look found."""
        return findings(self.looks)

    @cached_property
    def history(self) -> list[Spell]:
        """The spells of the place; one of being there always, however short it was."""
        history = spells(self.looks, self.found)
        if any(spell.there for spell in history):
            return history
        seen = [look.stamp_ns for look in self.looks if look.seen]
        there = Spell(True, min(seen), max(seen))
        free = [look.stamp_ns for look, what in zip(self.looks, self.found, strict=True) if what == "free"]
        earlier, later = [t for t in free if t < there.first_ns], [t for t in free if t > there.last_ns]
        return [
            *([Spell(False, earlier[0], earlier[-1])] if earlier else []),
            there,
            *([Spell(False, later[0], later[-1])] if later else []),
        ]

    @cached_property
    def hidden(self) -> list[Look]:
        """See `presence.hidden_looks`."""
        return hidden_looks(self.looks, self.found)

    @cached_property
    def seen_ns(self) -> tuple[int, int]:
        """Instants of the first and the last sighting, strays included."""
        seen = [look.stamp_ns for look in self.looks if look.seen]
        return seen[0], seen[-1]

    @cached_property
    def arrived_ns(self) -> int:
        """The first evidence of its being there."""
        return next(spell.first_ns for spell in self.history if spell.there)

    @cached_property
    def left_ns(self) -> int:
        """The last evidence of its being there; it may be there still."""
        return next(spell.last_ns for spell in reversed(self.history) if spell.there)

    @property
    def ended(self) -> bool:
        """Whether its place was seen empty since, repeatedly."""
        return not self.history[-1].there

    @cached_property
    def was_empty_before(self) -> bool:
        """Whether its place was seen empty, twice, before the thing was first seen there."""
        first_seen = next(i for i, look in enumerate(self.looks) if look.seen)
        return self.found[:first_seen].count("free") >= 2

    @cached_property
    def glimpsed_empty_ns(self) -> int | None:
        """First instant after its last sighting at which its place was seen empty; None if it never was."""
        last_seen = max(i for i, look in enumerate(self.looks) if look.seen)
        later = zip(self.looks[last_seen + 1 :], self.found[last_seen + 1 :], strict=True)
        return next((look.stamp_ns for look, what in later if what == "free"), None)

    @cached_property
    def parts(self) -> list[tuple[int, Visibility]]:
        """What became of it here: from when it was there, and how it was last, or absent."""
        first = next(i for i, spell in enumerate(self.history) if spell.there)
        return [
            (spell.first_ns, self._visibility(spell) if spell.there else "absent") for spell in self.history[first:]
        ]

    @cached_property
    def alone(self) -> Entry:
        """The entry, where it was never anywhere else."""
        return replace(self.entry, states=states_of([(*part, self) for part in self.parts]))

    def _visibility(self, spell: Spell) -> Visibility:
        """How it was at the end of a spell of being there: as last seen, or hidden by something new since."""
        is_last = spell.last_ns == self.seen_ns[1]
        return "occluded" if is_last and len(self.hidden) >= MIN_HIDDEN else self.entry.now.visibility


def states_of(parts: Sequence[tuple[int, Visibility, Stay]]) -> tuple[State, ...]:
    """States in a row, each until the next begins: (from when, how, where)."""
    parts = sorted(parts, key=lambda part: part[0])
    ends = [part[0] for part in parts[1:]]
    return tuple(
        replace(stay.entry.now, interval=Interval(start, end), visibility=visibility)
        for (start, visibility, stay), end in zip(parts, [*ends, None], strict=True)
    )
