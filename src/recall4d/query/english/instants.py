"""Times as said become temporal keys of the plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recall4d.clock import ns_to_seconds, parse_instant, seconds_to_ns
from recall4d.errors import UsageError
from recall4d.query.english.context import Context
from recall4d.query.english.phrases import Clause, Moment, Period, Visit
from recall4d.query.plan import AtFrame, Elapsed, Instant, Now, OfStep, Span, Stamp, TemporalKey, TimeOfDay

MARGIN_S = 0.25
"""Half the width of "at 12.5 s" when it is asked what was in view: frames are that far apart, or closer."""


class UnclearError(Exception):
    """The question cannot be planned; the message is what to say to the person."""


@dataclass(frozen=True)
class Times:
    """Reads times in one context.

    Attributes:
        context: who asks, and the visits.
        of_event: the instant of an event told as a clause; it may add steps to the plan.
        span_of: when what is told as a clause went on, where something else in memory says so.
        during: first and last instant of what is told as a clause, where it does not; of what was observed then,
            or of what is known to have happened by then.
    """

    context: Context
    of_event: Callable[[Clause], Instant]
    span_of: Callable[[Clause], Span | None]
    during: Callable[[Clause, bool], tuple[Instant, Instant]]

    def key(self, periods: Sequence[Period], observed: bool = False) -> TemporalKey | None:
        """One temporal key for all periods; None where they say nothing that narrows.

        Args:
            periods: later ones fill the ends that earlier ones leave open.
            observed: keep what was in view then rather than what was so.
        """
        after: Instant | None = None
        before: Instant | None = None
        during: Span | None = None
        for period in periods:
            if period.kind == "span":
                after = after or self._bound(period.after)
                before = before or self._bound(period.before)
            elif period.kind == "during" and period.event is not None:
                span = self.span_of(period.event)
                if span is None:
                    start, end = self.during(period.event, observed)
                    after, before = after or start, before or end
                elif during is not None:
                    raise UnclearError("I can find what was so during one thing at a time.")
                during = during or span
            elif period.kind == "originally" and self.context.visits.get(self.context.asker or ""):
                first = self.visit(Visit(1))
                after, before = after or Stamp(at_ns=first[0]), before or Stamp(at_ns=first[1])
            elif period.kind == "always":
                after = after or Elapsed(seconds=0.0)
        if after is None and before is None and during is None:
            return None
        if observed and after == before and after is not None:
            after, before = _widened(after, -MARGIN_S), _widened(after, MARGIN_S)
        return TemporalKey(mode="observed" if observed else "existed", after=after, before=before, during=during)

    def _bound(self, moment: Moment | None) -> Instant | None:
        return None if moment is None else self.instant(moment)

    def instant(self, moment: Moment) -> Instant:
        """The plan's instant for a moment.

        Raises:
            UnclearError: there was no such visit, or the clock does not know such a time.
        """
        match moment.kind:
            case "now":
                return Now()
            case "ago":
                return Now(offset_s=-moment.number)
            case "elapsed":
                return Elapsed(seconds=moment.number)
            case "frame":
                return AtFrame(number=int(moment.number))
            case "start":
                return Elapsed(seconds=0.0)
            case "clock":
                return self._clock(moment.clock)
            case "visit_start" | "visit_end":
                return self._visit(moment)
            case "event":
                assert moment.event is not None
                at = self.of_event(moment.event)
                return at.model_copy(update={"offset_s": moment.number}) if isinstance(at, OfStep) else at

    def _visit(self, moment: Moment) -> Stamp:
        assert moment.visit is not None
        interval = self.visit(moment.visit)
        at_ns = interval[0] if moment.kind == "visit_start" else interval[1]
        return Stamp(at_ns=at_ns + seconds_to_ns(moment.number))

    def visit(self, visit: Visit) -> tuple[int, int]:
        """First and last instant of a visit.

        Raises:
            UnclearError: the agent made fewer visits.
        """
        agent = visit.agent if visit.agent in self.context.visits else self.context.asker
        made = self.context.visits.get(agent or "", ())
        index = visit.ordinal - 1 if visit.ordinal > 0 else len(made) + visit.ordinal
        if not 0 <= index < len(made):
            times = {0: "no visit", 1: "one visit"}.get(len(made), f"{len(made)} visits")
            raise UnclearError(f"{agent or 'Nobody'} has made {times} up to this time.")
        interval = made[index]
        return interval.from_ns, interval.from_ns if interval.to_ns is None else interval.to_ns

    def _recorded_s(self) -> float:
        """From the first instant of any visit to the last one of any."""
        made = [each for visits in self.context.visits.values() for each in visits]
        ends = [each.from_ns if each.to_ns is None else each.to_ns for each in made]
        return ns_to_seconds(max(ends) - min(each.from_ns for each in made)) if made else 0.0

    def _clock(self, written: str) -> Instant:
        if written.endswith(" Z"):
            time = written.removesuffix(" Z")
            return TimeOfDay(time=time if len(time.partition(":")[0]) == 2 else f"0{time}", zone="Z")
        elapsed_s = _as_elapsed(written)
        if elapsed_s is not None and elapsed_s <= self._recorded_s():
            return Elapsed(seconds=elapsed_s)
        if not self.context.clock.is_wall:
            raise UnclearError(
                f"The clock of this memory does not show the time of day, so {written} means nothing to it; "
                "say how many seconds ago, or after the start."
            )
        try:
            return Stamp(at_ns=parse_instant(written, 0))
        except UsageError as error:
            raise UnclearError(
                f"The time {written} needs a date and a time zone, as 2026-03-01T12:00Z has."
            ) from error


def _as_elapsed(written: str) -> float | None:
    """Minutes and seconds into a recording: "1:05", not "08:53"; None for anything else."""
    minutes, colon, seconds = written.partition(":")
    shown = colon and minutes.isdigit() and seconds.isdigit() and len(seconds) == 2 and int(seconds) < 60
    return 60.0 * int(minutes) + int(seconds) if shown and not (len(minutes) == 2 and minutes[0] == "0") else None


def _widened(instant: Instant, by_s: float) -> Instant:
    """The instant moved by some seconds, where its kind has room for that."""
    match instant:
        case Now(offset_s=offset_s):
            return Now(offset_s=min(offset_s + by_s, 0.0))
        case Elapsed(seconds=seconds):
            return Elapsed(seconds=max(seconds + by_s, 0.0))
        case _:
            return instant
