"""Instants and intervals.

An instant is an ``int``: nanoseconds on a named clock. Integers, because a float of seconds since 1970 has
lost its nanoseconds, and because equal instants must compare equal after any round trip.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from recall4d.errors import UsageError

NS_PER_S = 1_000_000_000

_AFTER_ORIGIN = re.compile(r"([+-]?\d+(?:\.\d+)?)s")


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock that stamps instants.

    Attributes:
        name: who keeps it ("camera", "robot host").
        is_wall: True when its instants count from 1970-01-01T00:00Z, so that words like "at noon" mean something.
    """

    name: str = "recording"
    is_wall: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """The instants `from_ns` <= t <= `to_ns`; `to_ns` None means still going on.

    Closed at both ends: an observation is a point, and the interval of a single observation holds that point.
    """

    from_ns: int
    to_ns: int | None

    def __post_init__(self) -> None:
        if self.to_ns is not None and self.to_ns < self.from_ns:
            raise ValueError(f"an interval ends at or after its start; got {self.from_ns}..{self.to_ns}")

    def contains(self, instant_ns: int) -> bool:
        """Whether `instant_ns` lies inside."""
        return self.from_ns <= instant_ns and (self.to_ns is None or instant_ns <= self.to_ns)

    def overlaps(self, other: Interval) -> bool:
        """Whether the two share an instant."""
        starts_in_time = self.to_ns is None or other.from_ns <= self.to_ns
        return starts_in_time and (other.to_ns is None or self.from_ns <= other.to_ns)

    def clip(self, latest_ns: int) -> Interval | None:
        """The part up to and including `latest_ns`; None when nothing is left."""
        if latest_ns < self.from_ns:
            return None
        return Interval(self.from_ns, latest_ns if self.to_ns is None else min(self.to_ns, latest_ns))

    def duration_s(self, now_ns: int) -> float:
        """Length in seconds; an interval still going on is measured up to `now_ns`."""
        return ns_to_seconds((now_ns if self.to_ns is None else self.to_ns) - self.from_ns)


def merge_intervals(intervals: Iterable[Interval], max_gap_ns: int = 0) -> tuple[Interval, ...]:
    """Sorted, disjoint intervals covering the same instants; gaps up to `max_gap_ns` are closed."""
    merged: list[Interval] = []
    for interval in sorted(intervals, key=lambda each: each.from_ns):
        last = merged[-1] if merged else None
        if last is None or (last.to_ns is not None and interval.from_ns > last.to_ns + max_gap_ns):
            merged.append(interval)
        elif last.to_ns is not None and (interval.to_ns is None or interval.to_ns > last.to_ns):
            merged[-1] = Interval(last.from_ns, interval.to_ns)
    return tuple(merged)


def seconds_to_ns(seconds: float | str | Decimal) -> int:
    """Nanoseconds of a number of seconds, exact to the last digit written.

    Give text where the source is text: ``"1760000000.123456789"`` keeps all nine digits, the float does not.
    A float is read by its shortest decimal form, so that ``seconds_to_ns(0.1)`` is 100,000,000.

    Raises:
        ValueError: `seconds` is not a finite number.
    """
    try:
        value = Decimal(seconds.strip() if isinstance(seconds, str) else str(seconds))
        return int((value * NS_PER_S).to_integral_value())
    except (InvalidOperation, OverflowError, ValueError) as error:
        raise ValueError(f"expected a finite number of seconds, got {seconds!r}") from error


def ns_to_seconds(duration_ns: int) -> float:
    """Seconds of a duration in nanoseconds. For durations and display; never for storing an instant."""
    return duration_ns / NS_PER_S


def parse_instant(text: str, origin_ns: int) -> int:
    """An instant as the command line takes it.

    Args:
        text: integer nanoseconds (``"1760000000000000000"``), seconds after the memory's first instant
            (``"12.5s"``), or ISO 8601 with a time zone (``"2026-03-01T12:00:00+01:00"``).
        origin_ns: the memory's first instant.

    Raises:
        UsageError: `text` is none of these, or is a wall-clock time without a time zone.
    """
    text = text.strip()
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    if match := _AFTER_ORIGIN.fullmatch(text):
        return origin_ns + seconds_to_ns(match.group(1))
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"cannot read the instant {text!r}: expected ISO 8601 with a time zone, integer nanoseconds, "
            "or seconds after the memory's first instant such as 12.5s"
        ) from error
    if moment.tzinfo is None:
        raise UsageError(f"the time {text!r} has no time zone: add Z or an offset such as +01:00")
    since_epoch = moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    return (since_epoch.days * 86400 + since_epoch.seconds) * NS_PER_S + since_epoch.microseconds * 1000


def stamp_unit(stamp: float) -> str:
    """The unit in which a stamp since 1970 is most likely written: "s", "ms", "us", "ns", or "relative".

    Read off the magnitude: the years 1990 to 2100 do not overlap between units. Anything smaller counts from
    some start of its own and is called "relative".
    """
    for unit, per_second in (("s", 1e0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
        if 6.3e8 <= abs(stamp) / per_second <= 4.1e9:
            return unit
    return "relative"
