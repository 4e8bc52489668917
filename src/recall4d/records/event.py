"""What changed, and between which instants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from recall4d.geometry.box import Vec3

EventKind = Literal["appeared", "moved", "gone", "returned", "occluded"]


@dataclass(frozen=True, slots=True)
class Event:
    """A change of an entry. Nobody saw the very instant; it lies between two pieces of evidence.

    Attributes:
        kind: `appeared` only where the place had been seen empty before; `gone` and `returned` are about one place;
            `occluded` is there but hidden by something new.
        entry_id, description: of what.
        after_ns: the last evidence of the old state.
        before_ns: the first evidence of the new one.
        from_xyz, to_xyz: box centres before and after, world frame, where there are such.
        agent: who had the first evidence of the new state.
        confidence: in [0, 1].
    """

    kind: EventKind
    entry_id: str
    description: str
    after_ns: int
    before_ns: int
    from_xyz: Vec3 | None
    to_xyz: Vec3 | None
    agent: str
    confidence: float
