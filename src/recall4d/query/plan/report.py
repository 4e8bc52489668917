"""What to report: the ask that an answer is made of, and numbers that are computed from rows."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from recall4d.query.plan.base import Part, StepName, Text
from recall4d.query.plan.when import Instant

History = Literal["moved", "gone", "new", "moving", "hidden", "visible"]
"""`moved` had another place before, `new` was not where it is before it was first seen, `moving` moved in view."""

Rank = Literal[
    "nearest", "farthest", "highest", "lowest", "largest", "smallest", "tallest", "shortest", "widest", "narrowest",
    "longest",
]  # fmt: skip


class Ask(Part):
    """What to report about the rows of one step, or of two.

    Attributes:
        kind: what is asked; the answerer has one function for each.
        step: the rows asked about.
        other: the second step of a comparison or a distance, or the same things at the place that is asked about.
            For `when_moved`, the thing where it came to.
        among: further steps of a comparison; for `when_moved`, the thing where it was before.
        detail: a word that narrows the kind: an attribute's name, "first" or "last", "farthest" or "nearest"; of
            `looked`, "ever" (was the place ever seen?) or "unseen" (what of it was not?); of `who_says`, what is
            said; of `says`, `agree` and `disagree`, the agents meant, with commas; of `seen_by`,
            "and", "or" or "no" (none of them saw it), where each step finds the thing for one agent.
        only: of the rows, only entries with such a history.
        rank: of the rows, the one that is most so.
    """

    kind: Literal[
        "rows", "which", "where", "list", "count", "exists", "still_there", "when_seen", "when_moved", "since_seen",
        "distance", "moved_distance", "height", "size", "direction", "side", "attribute", "compare_distance",
        "compare_seen", "compare_size", "compare_times", "who_saw", "on_what", "what_changed", "has_changed",
        "in_view", "visits", "seen_for", "away_for", "times_seen", "agent_place", "looked", "who_says", "says",
        "agree", "disagree", "seen_by", "unknown",
    ]  # fmt: skip
    step: StepName | None = None
    other: StepName | None = None
    among: tuple[StepName, ...] = Field(default=(), max_length=16)
    detail: Text | None = None
    only: tuple[History, ...] = Field(default=(), max_length=6)
    rank: Rank | None = None


class OfRows(Part):
    """A number of the rows of one step.

    `count`: how many different entries. `duration`: seconds in which any of them was in view, inside the step's
    interval and by its agent; times that overlap count once. `earliest`, `latest`: the first and the last such
    instant.
    """

    kind: Literal["count", "duration", "earliest", "latest"]
    step: StepName


class DistanceOf(Part):
    """Metres between the box centres of the best rows of two steps, that of one entry only once."""

    kind: Literal["distance"] = "distance"
    step: StepName
    other: StepName


class TimeBetween(Part):
    """Seconds from the first instant to the second; negative where the second is the earlier one."""

    kind: Literal["time_between"] = "time_between"
    first: Instant
    second: Instant


Measure = Annotated[OfRows | DistanceOf | TimeBetween, Field(discriminator="kind")]
