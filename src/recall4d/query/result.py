"""What running a plan returns: rows, and how they were narrowed down."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Window:
    """Instants from `after_ns` to `before_ns`, both inside."""

    after_ns: int
    before_ns: int


@dataclass(frozen=True, slots=True)
class Row:
    """An entry in one of its states, about one instant.

    Attributes:
        entry: row in `Snapshot.entries`.
        state: row in `Snapshot.states`.
        at_ns: the instant it is about, inside the state: the latest of the step's interval at which it holds
            (`existed`) or was in view (`observed`); the snapshot's now without a temporal key.
        score: product of the parts, in [0, 1]; 1 for a step without keys.
        parts: score of each key that was given: "semantic", "spatial", "temporal".
        distance_m: between its box and the first spatial key's anchor, or the asking agent where there is none.
        bearing_deg: of its centre, 0 ahead, right positive, in (-180, 180]; seen by the first viewpoint that the
            step names, or by the asking agent now. None where nobody's pose is known.
    """

    entry: int
    state: int
    at_ns: int
    score: float
    parts: Mapping[str, float]
    distance_m: float | None = None
    bearing_deg: float | None = None


class LateRows(Sequence[Row]):
    """Rows that are written out when one is first looked at: who asks for their number or their entries need not.

    Attributes:
        entry: (k,) of each row.
    """

    def __init__(self, entry: NDArray[np.intp], write: Callable[[], tuple[Row, ...]]) -> None:
        self.entry = entry
        self._write = write

    @cached_property
    def _written(self) -> tuple[Row, ...]:
        return self._write()

    def __len__(self) -> int:
        return len(self.entry)

    @overload
    def __getitem__(self, at: int) -> Row: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Row, ...]: ...

    def __getitem__(self, at: int | slice) -> Row | tuple[Row, ...]:
        return self._written[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._written == tuple(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """One line of an explanation: a key, and what it left.

    Attributes:
        step: name of the step.
        key: which key ("temporal", "semantic", "spatial on", "order and limit", ...).
        rows_in, rows_out: states before and after.
        seconds: how long it took.
        note: why nothing could be left, where the reason is what memory holds.
    """

    step: str
    key: str
    rows_in: int
    rows_out: int
    seconds: float
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of one step, in its order.

    Attributes:
        rows: at most the step's limit.
        viewpoint: whose left, right, front and behind were used, for a person; None where none was.
        note: why there are no rows, where a reference could not be resolved in this memory.
        windows: the instants the step was about, in order.
    """

    rows: Sequence[Row] = ()
    viewpoint: str | None = None
    note: str | None = None
    windows: tuple[Window, ...] = ()

    @property
    def entries(self) -> tuple[int, ...]:
        """Rows in `Snapshot.entries`, each once, in order."""
        rows = self.rows
        return tuple(dict.fromkeys(rows.entry.tolist() if isinstance(rows, LateRows) else (r.entry for r in rows)))


@dataclass(frozen=True, slots=True)
class Measured:
    """A number computed from rows.

    Attributes:
        kind: as planned.
        value: a count, seconds, metres, or an instant in ns; None where there were no rows to compute it from.
        unit: "entries", "s", "m" or "ns".
    """

    kind: str
    value: int | float | None
    unit: Literal["entries", "s", "m", "ns"]


@dataclass(frozen=True, slots=True)
class Result:
    """What every step of a plan found, in the order of the steps, and the plan's measures in theirs."""

    steps: Mapping[str, Found] = field(default_factory=dict)
    explain: tuple[Narrowing, ...] = ()
    measured: tuple[Measured, ...] = ()

    @property
    def last(self) -> Found:
        """What the last step found; nothing for a plan without steps."""
        return list(self.steps.values())[-1] if self.steps else Found()

    def without(self, step: str | None, entries: Collection[int]) -> Result:
        """The same, but for rows of these entries in one step."""
        if step is None or step not in self.steps:
            return self
        found = self.steps[step]
        kept = replace(found, rows=tuple(row for row in found.rows if row.entry not in entries))
        return replace(self, steps={**self.steps, step: kept})
