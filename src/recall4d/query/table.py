"""Rows in the making, as columns, and what a key is to the executor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recall4d.query.columns import Columns

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """Candidate rows.

    Attributes:
        state: (k,) rows in `Snapshot.states`, ascending.
        entry: (k,) rows in `Snapshot.entries`.
        at_ns: (k,) the instants the rows are about.
        scores: (k,) for each spatial key that has been applied, by its place in the step.
    """

    state: NDArray[np.intp]
    entry: NDArray[np.intp]
    at_ns: NDArray[np.int64]
    scores: Mapping[int, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.state)

    @classmethod
    def of_states(cls, columns: Columns, at_ns: int, state: Rows | None = None) -> Table:
        """Some states, ascending, or all of them, about one instant."""
        if state is None:
            state = np.arange(len(columns.states.entry))
            return cls(state, columns.states.entry, np.full(len(state), at_ns, dtype=np.int64))
        return cls(state, columns.states.entry[state], np.full(len(state), at_ns, dtype=np.int64))

    def kept(self, keep: Flags | NDArray[np.intp]) -> Table:
        """The rows under a mask, or at positions."""
        if keep.dtype == np.bool_:
            (keep,) = keep.nonzero()  # a mask is read anew for every column, positions are not
            if len(keep) == len(self):
                return self
        scores = {key: score[keep] for key, score in self.scores.items()}
        return Table(self.state[keep], self.entry[keep], self.at_ns[keep], scores)

    def about(self, at_ns: NDArray[np.int64]) -> Table:
        """The same rows about other instants."""
        return Table(self.state, self.entry, at_ns, self.scores)

    def scored(self, key: int, scores: Floats) -> Table:
        """The rows with a score above 0, and the score."""
        return Table(self.state, self.entry, self.at_ns, {**self.scores, key: scores}).kept(scores > 0.0)


class KeyFilter(Protocol):
    """A key, ready to narrow a table.

    Attributes:
        name: for an explanation.
        stage: 0 reads a column, 1 computes for every row; stages run in order.
        share: estimate of the rows it leaves, in [0, 1].
        cost: estimate of its price a row, relative to comparing two numbers.
    """

    name: str
    stage: int
    share: float
    cost: float

    def apply(self, table: Table) -> Table:
        """The rows that fulfil it."""
        ...


def worth(key: KeyFilter) -> tuple[int, float]:
    """Sorts keys so that what narrows most for its price goes first.

    Independent filters cost least in the order of price over share removed (Hellerstein 1994, "Practical predicate
    placement").
    """
    return key.stage, key.cost / max(1.0 - key.share, 1e-6)
