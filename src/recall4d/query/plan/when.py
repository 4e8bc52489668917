"""The temporal key: instants, intervals, and intervals that other things make."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from recall4d.clock import parse_instant
from recall4d.errors import UsageError
from recall4d.query.plan.base import MAX_NS, Metres, Name, Part, Seconds, StepName

if TYPE_CHECKING:
    from recall4d.query.plan.where import Place


class Now(Part):
    """`offset_s` seconds after the time of the question: -12 is "12 seconds ago"."""

    kind: Literal["now"] = "now"
    offset_s: Seconds = 0.0


class Stamp(Part):
    """An instant in nanoseconds on the memory's clock."""

    kind: Literal["stamp"] = "stamp"
    at_ns: int = Field(ge=-MAX_NS, le=MAX_NS)


class Elapsed(Part):
    """Seconds after the memory's first instant."""

    kind: Literal["elapsed"] = "elapsed"
    seconds: Seconds


class ClockTime(Part):
    """A date and time of day, ISO 8601 with a time zone; for memories whose clock counts from 1970."""

    kind: Literal["clock"] = "clock"
    at: str = Field(max_length=40)

    @field_validator("at")
    @classmethod
    def _check(cls, at: str) -> str:
        try:
            parse_instant(at if "-" in at else "", 0)
        except UsageError as error:
            raise ValueError(f"expected ISO 8601 with a time zone like 2026-03-01T12:00Z, got {at!r}") from error
        return at


class TimeOfDay(Part):
    """A time of day in a time zone, on the day of the question there or `days_ago` days before.

    The day is that of the zone: at 00:30 in Berlin "today at 23:00" is 22.5 hours ahead, whatever UTC says.
    """

    kind: Literal["time_of_day"] = "time_of_day"
    time: str = Field(max_length=8)
    zone: str = Field(max_length=64)
    days_ago: int = Field(default=0, ge=0, le=40_000)

    @field_validator("time")
    @classmethod
    def _check_time(cls, time: str) -> str:
        try:
            read = dt.time.fromisoformat(time)
        except ValueError as error:
            raise ValueError(f"expected a time like 08:30 or 08:30:15, got {time!r}") from error
        if read.tzinfo is not None or read.microsecond:
            raise ValueError(f"expected a time like 08:30 or 08:30:15, got {time!r}")
        return time

    @field_validator("zone")
    @classmethod
    def _check_zone(cls, zone: str) -> str:
        zone_of(zone)
        return zone


class AtFrame(Part):
    """The instant of the source's own frame number; of `agent`, or of the asking agent."""

    kind: Literal["frame"] = "frame"
    number: int = Field(ge=0, le=MAX_NS)
    agent: Name | None = None


Edge = Literal["first_seen", "last_seen", "moved", "gone", "appeared", "returned"]
EVENTS = ("moved", "gone", "appeared", "returned")


class OfStep(Part):
    """An instant in the history of an earlier step's best row: "when the chair was moved".

    Attributes:
        step: which step.
        edge: what happened then. An interval that ends with one of `EVENTS` ends just before it.
        which: of several, the first or the last.
        offset_s: seconds after it.
    """

    kind: Literal["of_step"] = "of_step"
    step: StepName
    edge: Edge = "first_seen"
    which: Literal["first", "last"] = "last"
    offset_s: Seconds = 0.0


Instant = Annotated[Now | Stamp | Elapsed | ClockTime | TimeOfDay | AtFrame | OfStep, Field(discriminator="kind")]


# --- intervals that something makes ----------------------------------------------------------------------------


class WhileSeen(Part):
    """While an earlier step's best row, or any of its rows, was in view: of `agent`, or of anybody."""

    kind: Literal["seen"] = "seen"
    step: StepName
    which: Literal["best", "any"] = "best"
    agent: Name | None = None


class WhileSo(Part):
    """While an earlier step's rows were as it found them: "while the mug was on the counter"."""

    kind: Literal["so"] = "so"
    step: StepName
    which: Literal["best", "any"] = "best"


class Visit(Part):
    """While an agent was at a place: "the last time I passed the kitchen"; or made a recording without a break.

    Attributes:
        agent: who; None is the asking agent.
        to: where; None is a stretch of its recording without a long break.
        distance_m: how near counts as there, in plan; inside a region needs none.
        ordinal: 1 is the first such time, -1 the last; None any of them.
    """

    kind: Literal["visit"] = "visit"
    agent: Name | None = None
    to: Place | None = None
    distance_m: Metres = 2.0
    ordinal: int | None = Field(default=None, ge=-1000, le=1000)

    @field_validator("ordinal")
    @classmethod
    def _check(cls, ordinal: int | None) -> int | None:
        if ordinal == 0:
            raise ValueError("visits are counted from 1, or from -1 backwards; there is no visit 0")
        return ordinal


Span = Annotated[WhileSeen | WhileSo | Visit, Field(discriminator="kind")]


class TemporalKey(Part):
    """Rows of an interval, both ends inside; an open end reaches to the memory's first instant or to now.

    `existed` keeps the state an entry was in during the interval, seen or not; `observed` keeps entries that were
    in view during it. The two are different questions. `during` keeps only the part of the interval in which
    something else was so.
    """

    mode: Literal["existed", "observed"] = "existed"
    after: Instant | None = None
    before: Instant | None = None
    during: Span | None = None


def zone_of(name: str) -> dt.tzinfo:
    """A time zone: "Z", an offset such as "+01:00", or a name such as "Europe/Berlin".

    Raises:
        ValueError: there is none of that name.
    """
    if name == "Z":
        return dt.UTC
    try:
        if name[:1] in ("+", "-"):
            read = dt.datetime.fromisoformat(f"2000-01-01T00:00{name}").tzinfo
            assert read is not None
            return read
        return ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError) as error:
        raise ValueError(f"expected a time zone like Z, +01:00 or Europe/Berlin, got {name!r}") from error
