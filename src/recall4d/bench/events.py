"""How well reported changes agree with what really changed.

Any system can be scored that writes the document of `recall4d diff --json`:

```python
changes = read_world(Path("house_4d")).changes()
score = score_events(events_of_document(json.loads(text)), changes)
print(score.f1, score.missed, score.false)
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from recall4d.bench.changes import TrueChange
from recall4d.bench.entries import REACH_M
from recall4d.clock import NS_PER_S
from recall4d.geometry.box import Vec3, vec3
from recall4d.records import Event

SLACK_NS = NS_PER_S // 10
"""Instants that are to lie about the true one may miss it by so much: a shutter's time, or a sampled truth."""


@dataclass(frozen=True, slots=True)
class EventScore:
    """Reported events against true changes.

    Attributes:
        n_asked: changes that cameras could have known.
        precision: share of the reported events that are right; 1 where none was reported.
        recall: share of the changes asked for that were reported right; 1 where none was asked for.
        missed: changes asked for that no event tells.
        false: events that tell of no change, and second ones of the same change.
        mistimed: changes told right, but between instants that the true one does not lie between. They count as
            missed and as false.
        beyond: changes told right though no camera saw enough to be sure; they count as nothing.
    """

    n_asked: int
    precision: float
    recall: float
    missed: tuple[str, ...]
    false: tuple[str, ...]
    mistimed: tuple[str, ...]
    beyond: tuple[str, ...]

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.precision * self.recall / max(self.precision + self.recall, 1e-9)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {**asdict(self), "f1": self.f1}


def events_of_document(document: Mapping[str, Any]) -> list[Event]:
    """The events of a `recall4d.diff/1` document; fields it may have beyond them are left out."""
    return [
        Event(
            kind=row["kind"],
            entry_id=row["entry_id"],
            description=row["description"],
            after_ns=row["after_ns"],
            before_ns=row["before_ns"],
            from_xyz=None if row["from_xyz"] is None else vec3(row["from_xyz"]),
            to_xyz=None if row["to_xyz"] is None else vec3(row["to_xyz"]),
            agent=row["agent"],
            confidence=row["confidence"],
        )
        for row in document["events"]
    ]


def score_events(events: Sequence[Event], changes: Sequence[TrueChange]) -> EventScore:
    """Compare reported events with true changes.

    An event tells a change when it is of the same kind, its places are the true ones (see `places_fit`), its
    description fits (see `words_fit`) and the true instant lies between its own. Each tells one change.
    """
    told = list(events)
    asked, unasked = [each for each in changes if each.asked], [each for each in changes if not each.asked]
    pairs = _matched(told, asked)
    right = {i: j for i, j in pairs.items() if _instants_fit(told[i], asked[j])}
    others = [event for i, event in enumerate(told) if i not in pairs]
    beyond = {i: j for i, j in _matched(others, unasked).items() if _instants_fit(others[i], unasked[j])}
    n_judged = len(told) - len(beyond)
    return EventScore(
        n_asked=len(asked),
        precision=len(right) / n_judged if n_judged else 1.0,
        recall=len(right) / len(asked) if asked else 1.0,
        missed=tuple(_told(each) for j, each in enumerate(asked) if j not in pairs.values()),
        false=tuple(f"{each.kind}: {each.description}" for i, each in enumerate(others) if i not in beyond),
        mistimed=tuple(_told(asked[j]) for i, j in pairs.items() if i not in right),
        beyond=tuple(_told(unasked[j]) for j in beyond.values()),
    )


def places_fit(reported_xyz: Vec3, true_xyz: Vec3, size_m: float) -> bool:
    """Whether a place is the true one of a thing with this diagonal: as near as an entry has to be."""
    return _off(reported_xyz, true_xyz, size_m) < 1.0


def words_fit(description: str, words: Sequence[str]) -> bool:
    """Whether a description can be of a thing called so: all words of one name occur in it, or the reverse."""
    said = set(description.lower().split())
    return any(said >= set(each.lower().split()) or said <= set(each.lower().split()) for each in words)


def _matched(events: Sequence[Event], changes: Sequence[TrueChange]) -> dict[int, int]:
    """Rows of the events that tell a change, instants aside, with the row of that change."""
    if not events or not changes:
        return {}
    never = 1e6
    cost = np.full((len(events), len(changes)), never)
    for i, event in enumerate(events):
        for j, change in enumerate(changes):
            off = _event_off(event, change)
            if event.kind == change.kind and words_fit(event.description, change.words) and off < 1.0:
                cost[i, j] = off + (0.0 if _instants_fit(event, change) else 10.0)
    rows, columns = linear_sum_assignment(cost)
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if cost[i, j] < never}


def _event_off(event: Event, change: TrueChange) -> float:
    """How far off its places are, the worse of the two, over the reach; infinite where a true place is not told."""
    off = 0.0
    for told, true in ((event.from_xyz, change.from_xyz), (event.to_xyz, change.to_xyz)):
        if true is not None:
            off = max(off, float("inf") if told is None else _off(told, true, change.size_m))
    return off


def _off(told_xyz: Vec3, true_xyz: Vec3, size_m: float) -> float:
    return float(np.linalg.norm(np.subtract(told_xyz, true_xyz))) / (REACH_M + size_m / 4)


def _instants_fit(event: Event, change: TrueChange) -> bool:
    """Whether the change lies between the event's instants; one that takes time need not lie there as a whole."""
    return event.after_ns <= change.ended_ns + SLACK_NS and event.before_ns >= change.began_ns - SLACK_NS


def _told(change: TrueChange) -> str:
    return f"{change.kind}: {change.words[0]}"
