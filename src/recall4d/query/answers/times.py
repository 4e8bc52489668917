"""When, how long ago, for how long, how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recall4d.clock import Interval, merge_intervals, ns_to_seconds, seconds_to_ns
from recall4d.query.answers.base import Reply, Telling, nothing_found
from recall4d.query.answers.histories import Change, changes
from recall4d.query.answers.naming import called
from recall4d.query.answers.places import by_likelihood, confidence
from recall4d.query.plan import OfStep, StepRef, TimeBetween, Visit
from recall4d.query.result import Row, Window
from recall4d.query.visits import visits_of
from recall4d.records import Sighting
from recall4d.units import format_duration

SIGHTING_GAP_S = 2.0
"""Sightings closer than this are one occasion."""


def when_seen(telling: Telling) -> Reply:
    """The instant of the first or the last sighting."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    seen = [pair for row in rows for pair in _sightings(telling, row)]
    if not seen:
        return nothing_found(telling, telling.ask.step)
    alike = {row.entry for row in rows if row.score >= 0.95 * rows[0].score}
    seen = [(row, each) for row, each in seen if row.entry in alike]
    if telling.ask.detail == "since":
        return _there_since(telling, rows[0])
    if telling.ask.detail == "again":
        return _seen_again(telling, seen)
    if telling.ask.detail == "first":
        row, sighting = min(seen, key=lambda pair: pair[1].from_ns)
        at_ns, word = sighting.from_ns, "first"
    else:
        row, sighting = max(seen, key=lambda pair: pair[1].to_ns)
        at_ns, word = sighting.to_ns, "last"
    text = f"{telling.subject} {telling.verb('was')} {word} seen {telling.clock(at_ns)}, by {sighting.agent}."
    return Reply(text, at_ns, [row], confidence=confidence(row, len(alike)))


def _there_since(telling: Telling, row: Row) -> Reply:
    """Since when it has been where it is: when it was first seen there."""
    began_ns = telling.state(row).interval.from_ns
    if telling.state(row).visibility == "absent":
        return Reply(f"{telling.subject} {telling.verb('is')} gone.", rows=[row])
    return Reply(
        f"{telling.subject} {telling.verb('was')} first seen there {telling.clock(began_ns)}.", began_ns, [row]
    )


def _seen_again(telling: Telling, seen: list[tuple[Row, Sighting]]) -> Reply:
    """The first sighting after the latest time it was gone or was put elsewhere."""
    came_ns = {row.entry: _came_back_ns(telling, row) for row, _ in seen}
    later = [
        (row, each) for row, each in seen if (since := came_ns[row.entry]) is not None and each.from_ns >= since
    ]
    if not later:
        return Reply(f"Memory does not know that {telling.name} came back.", rows=[row for row, _ in seen[:1]])
    row, sighting = min(later, key=lambda pair: pair[1].from_ns)
    text = f"{telling.name.capitalize()} was seen again {telling.clock(sighting.from_ns)}, by {sighting.agent}."
    return Reply(text, sighting.from_ns, [row])


def _came_back_ns(telling: Telling, row: Row) -> int | None:
    """When the latest state began that follows another."""
    states = [each for each in telling.entry(row).states if each.interval.from_ns <= telling.snapshot.now_ns]
    began = [new.interval.from_ns for new in states[1:] if new.visibility != "absent"]
    return max(began, default=None)


def when_moved(telling: Telling) -> Reply:
    """Between which instants it moved, went or came."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    happened = _happened(telling, rows)
    if happened is None:
        return Reply(
            f"Memory does not know that {telling.name} {_DONE[telling.ask.detail or 'moved']}.", rows=rows[:1]
        )
    row, change = happened
    verb = _DID.get(change.kind, "changed")
    text = (
        f"{telling.subject} {verb} between {telling.elapsed(change.after_ns)} and "
        f"{telling.elapsed(change.before_ns)}, {telling.since(change.before_ns)}."
    )
    return Reply(text, [change.after_ns, change.before_ns], [row])


_DID = {"moved": "was moved", "gone": "went", "appeared": "came", "returned": "came back"}
_DONE = {
    "moved": "moved",
    "gone": "went",
    "appeared": "came",
    "returned": "came back",
    "changed": "changed",
    "moving": "moved",
}


def _happened(telling: Telling, rows: list[Row]) -> tuple[Row, Change] | None:
    """The latest change of the kind that is asked for, of the likeliest entry that has one."""
    wanted = telling.ask.detail
    for row in rows:
        found = changes(telling.snapshot, telling.entry(row))
        found = [each for each in found if _between_places(telling, row, each)]
        fitting = [each for each in found if wanted in ("changed", None, each.kind)]
        if wanted in ("moved", "moving") and not fitting:
            fitting = [each for each in found if each.kind == "appeared"] if telling.ask.only else []
        if fitting:
            return row, fitting[-1]
    return None


def _between_places(telling: Telling, row: Row, change: Change) -> bool:
    """Whether a change began and ended where it is asked about: `among` finds it where it was, `other` after."""
    ends = [(step, change.old) for step in telling.ask.among]
    if telling.ask.other is not None:
        ends.append((telling.ask.other, change.new))
    there = {
        step: [telling.state(each) for each in telling.found(step).rows if each.entry == row.entry]
        for step, _ in ends
    }
    return all(state in there[step] for step, state in ends)


def compare_times(telling: Telling) -> Reply:
    """Whether one event was before, or after, another; nothing where what was seen does not tell."""
    between = next((each for each in telling.plan.measures if isinstance(each, TimeBetween)), None)
    if between is None or not isinstance(between.first, OfStep) or not isinstance(between.second, OfStep):
        return Reply("The plan names no two events to compare: give a measure of the time between them.")
    dated: list[tuple[Row, Change]] = []
    for instant in (between.first, between.second):
        rows = by_likelihood(telling, telling.rows(instant.step))
        if not rows:
            return nothing_found(telling, instant.step)
        found = [each for each in changes(telling.snapshot, telling.entry(rows[0])) if each.kind == instant.edge]
        if not found:
            name = called(telling.entry(rows[0]))
            return Reply(f"Memory does not know that the {name} {_DONE[instant.edge]}.", rows=rows[:1])
        dated.append((rows[0], found[-1]))
    said = "; ".join(
        f"the {called(telling.entry(row))} {_DID[each.kind]} between {telling.elapsed(each.after_ns)} and "
        f"{telling.elapsed(each.before_ns)}"
        for row, each in dated
    )
    (_, first), (_, second) = dated
    rows = [row for row, _ in dated]
    if first.before_ns > second.after_ns and second.before_ns > first.after_ns:
        return Reply(f"Memory cannot tell which was first: {said}.", rows=rows)
    yes = (first.before_ns <= second.after_ns) == (telling.ask.detail == "before")
    return Reply(f"{'Yes' if yes else 'No'}: {said}.", yes, rows)


def since_seen(telling: Telling) -> Reply:
    """How long ago."""
    if telling.ask.detail == "placed":
        return _since_placed(telling)
    dated = (
        when_moved(telling)
        if telling.ask.detail in ("moved", "gone", "appeared", "changed")
        else when_seen(telling)
    )
    if dated.value is None:
        return dated
    at_ns = dated.value[1] if isinstance(dated.value, list) else dated.value
    seconds = ns_to_seconds(telling.snapshot.now_ns - at_ns)
    return Reply(dated.text, round(seconds, 3), dated.rows, "s", confidence=dated.confidence)


def _since_placed(telling: Telling) -> Reply:
    """How long it has been where it is: since it was first seen there."""
    rows = by_likelihood(telling, telling.settled(telling.ask.step))
    if not rows:
        return nothing_found(telling, telling.ask.step)
    if telling.state(rows[0]).visibility == "absent":
        last = telling.clock(telling.entry(rows[0]).last_seen_ns)
        return Reply(
            f"{telling.subject} {telling.verb('is')} gone: when it went is not known; last seen {last}.",
            rows=rows[:1],
        )
    began = telling.state(rows[0]).interval.from_ns
    seconds = ns_to_seconds(rows[0].at_ns - began)
    text = f"{telling.subject} {telling.verb('has')} been there for {format_duration(seconds)}, "
    return Reply(f"{text}first seen there {telling.clock(began)}.", round(seconds, 3), rows[:1], "s")


def seen_for(telling: Telling) -> Reply:
    """For how long it was in view, all sightings together."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    seen = [each for row in rows[:1] for _, each in _sightings(telling, row)]
    if not seen:
        return nothing_found(telling, telling.ask.step)
    intervals = merge_intervals(Interval(each.from_ns, each.to_ns) for each in seen)
    seconds = sum(each.duration_s(telling.snapshot.now_ns) for each in intervals)
    times = "once" if len(intervals) == 1 else f"in {len(intervals)} stretches"
    text = f"{telling.subject} {telling.verb('was')} in view for {format_duration(seconds)}, {times}."
    return Reply(text, round(seconds, 3), rows[:1], "s")


def times_seen(telling: Telling) -> Reply:
    """On how many occasions it was in view, or changed."""
    rows = by_likelihood(telling, telling.rows(telling.ask.step))
    if telling.ask.detail is not None and rows:
        found = [
            each for each in changes(telling.snapshot, telling.entry(rows[0])) if each.kind == telling.ask.detail
        ]
        text = f"As far as memory knows, {telling.name} {_DONE[telling.ask.detail]} {_times(len(found))}."
        return Reply(text, len(found), rows[:1])
    seen = [each for row in rows[:1] for _, each in _sightings(telling, row)]
    if not seen:
        return nothing_found(telling, telling.ask.step)
    gap_ns = seconds_to_ns(SIGHTING_GAP_S)
    occasions = merge_intervals((Interval(each.from_ns, each.to_ns) for each in seen), max_gap_ns=gap_ns)
    n = len(occasions)
    return Reply(f"{telling.subject} {telling.verb('was')} in view {_times(n)}.", n, rows[:1])


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n} times")


def visits(telling: Telling) -> Reply:
    """When, how often, or for how long an agent was at a place: the windows of the step are its visits."""
    found = telling.found(telling.ask.step)
    key = telling.step(telling.ask.step or "").temporal
    span = None if key is None else key.during
    who = (span.agent if isinstance(span, Visit) else None) or telling.agent or "nobody"
    if isinstance(span, Visit) and span.to is None:
        return _recorded(telling, who, found.windows)
    if telling.ask.detail == "ever":
        if (
            not found.windows
            and isinstance(span, Visit)
            and isinstance(span.to, StepRef)
            and span.to.which == "any"
        ):
            return Reply(f"Memory cannot say: {who} was never seen right by what is there.")
        last_ns = found.windows[-1].before_ns if found.windows else None
        said = (
            f"No, as far as memory knows {who} was not there"
            if last_ns is None
            else (f"Yes: {who} was last there {telling.clock(last_ns)}")
        )
        return Reply(f"{said}.", last_ns is not None)
    if telling.ask.detail == "count":
        return Reply(f"{who} was there {_times(len(found.windows))}.", len(found.windows))
    if not found.windows:
        return Reply(f"As far as memory knows, {who} was never there.")
    first, last = found.windows[0], found.windows[-1]
    match telling.ask.detail:
        case "duration":
            seconds = sum(ns_to_seconds(each.before_ns - each.after_ns) for each in found.windows)
            text = f"{who} was there for {format_duration(seconds)}, {_times(len(found.windows))}."
            return Reply(text, round(seconds, 3), unit="s")
        case "left":
            return Reply(f"{who} was last there {telling.clock(last.before_ns)}.", last.before_ns)
        case "first":
            return Reply(f"{who} first came there {telling.clock(first.after_ns)}.", first.after_ns)
    text = f"{who} was last there from {telling.elapsed(last.after_ns)} to {telling.elapsed(last.before_ns)}."
    return Reply(text, [last.after_ns, last.before_ns])


def _recorded(telling: Telling, who: str, windows: Sequence[Window]) -> Reply:
    """When an agent's visit began or ended, how long it was; how many there were."""
    if telling.ask.detail == "count":
        visits = f"{len(windows)} visit{'' if len(windows) == 1 else 's'}"
        return Reply(f"{who} has made {visits}.", len(windows))
    if not windows:
        return Reply(f"{who} has made no such visit.")
    window = windows[0]
    match telling.ask.detail:
        case "duration":
            seconds = ns_to_seconds(window.before_ns - window.after_ns)
            return Reply(f"It lasted {format_duration(seconds)}.", round(seconds, 3), unit="s")
        case "left":
            return Reply(f"It ended {telling.clock(window.before_ns)}.", window.before_ns)
    return Reply(f"It began {telling.clock(window.after_ns)}.", window.after_ns)


def away_for(telling: Telling) -> Reply:
    """How long an agent recorded nothing between its visits."""
    agent = telling.ask.detail or telling.agent
    trajectory = telling.snapshot.trajectories.get(agent or "")
    visits = () if trajectory is None else visits_of(trajectory)
    if len(visits) < 2:
        return Reply(f"{agent or 'Nobody'} has made no second visit: memory knows of no absence.")
    gap_ns = visits[-1].from_ns - (visits[-2].to_ns or visits[-2].from_ns)
    seconds = ns_to_seconds(gap_ns)
    return Reply(f"{agent} was away for {format_duration(seconds)}.", round(seconds, 3), unit="s")


def _within(sighting: Sighting, telling: Telling, row: Row) -> Sighting | None:
    """The part of a sighting in which its entry was in the state that the row is about."""
    interval = telling.state(row).interval
    ends_ns = sighting.to_ns if interval.to_ns is None else min(sighting.to_ns, interval.to_ns)
    starts_ns = max(sighting.from_ns, interval.from_ns)
    return replace(sighting, from_ns=starts_ns, to_ns=ends_ns) if starts_ns <= ends_ns else None


def _sightings(telling: Telling, row: Row) -> list[tuple[Row, Sighting]]:
    """Sightings of a row's entry, by the agent and inside the interval that the step asks for."""
    step = telling.step(telling.ask.step or "")
    entry = telling.entry(row)
    found = [(row, each) for each in entry.sightings if step.agent in (None, each.agent)]
    if step.spatial:
        found = [(row, part) for _, each in found if (part := _within(each, telling, row)) is not None]
    if step.temporal is None or step.temporal.before is None:
        return found
    clipped = [(row, part) for _, each in found if (part := each.clip(row.at_ns)) is not None]
    return clipped
