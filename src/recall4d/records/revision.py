"""What memory came to think otherwise of: which entries are one thing, and which are two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RevisionKind = Literal["merged", "split"]


@dataclass(frozen=True, slots=True)
class Revision:
    """A change of mind about who is who. Nothing happened in the world: `Event` tells what did.

    Attributes:
        kind: `merged`: `entry_id` turned out to be a part, or another view, of `other_id`, which goes on for both;
            `split`: `entry_id` turned out to be two things, and `other_id` is the second.
        entry_id: the entry that was known before.
        other_id: the entry that goes on for it, or beside it.
        description: of the entry that was known before.
        at_ns: the last evidence that memory had when it concluded so.
        agent: whose evidence that was; None where everything was concluded anew, by `rebuild`, `reanchor`, `align`
            or `merge`.
    """

    kind: RevisionKind
    entry_id: str
    other_id: str
    description: str
    at_ns: int
    agent: str | None
