"""Temporal keys, and the plain column filters beside them: agent, presence, kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recall4d.memory.snapshot import VISIBILITIES
from recall4d.query.bind import Bound
from recall4d.query.columns import Columns, changes
from recall4d.query.table import Flags, Rows, Table

_NEVER = np.iinfo(np.int64).min


class TemporalFilter:
    """States that meet the window, about its latest instant at which they hold or were in view."""

    stage = 0
    cost = 3.0

    def __init__(self, step: Bound, columns: Columns) -> None:
        self.name = "temporal " + ("observed" if step.observed else "existed") if step.timed else "temporal now"
        self.share = 0.5
        self._step = step
        self._columns = columns
        agents = columns.agents
        self._agent = None if step.agent is None else agents.index(step.agent)

    def apply(self, table: Table) -> Table:
        """Narrow to the window; sets `at_ns`."""
        from_ns = self._columns.states.from_ns[table.state]
        ends_ns = self._columns.ends_ns[table.state]
        window = self._step.window
        table = table.about(np.minimum(ends_ns, window.before_ns))
        starts_ns = np.maximum(from_ns, window.after_ns)
        meets = starts_ns <= table.at_ns
        if self._step.observed:
            last_seen = self._last_seen_ns(table, starts_ns)
            return table.about(last_seen).kept(meets & (last_seen >= starts_ns))
        table = table.kept(meets)
        if self._step.agent is None:
            return table
        return table.kept(seen_by(self._step.agent, window.before_ns, table, self._columns))

    def offer(self) -> tuple[int, Callable[[], Rows]] | None:
        """At most how many states can meet the window, and what finds them; None where nearly all do."""
        window = self._step.window
        if not self._step.timed:
            return None
        if self._step.observed:
            at_most, sightings = self._columns.seen.offer(window.after_ns, window.before_ns)
            return at_most, lambda: self._states_seen(sightings())
        return self._columns.lasting.offer(window.after_ns, window.before_ns)

    def _states_seen(self, sightings: Rows) -> Rows:
        """All states of the entries of sightings."""
        # in the order of entries, as sightings lie
        entries = self._columns.sightings.entry[np.sort(sightings)]
        return self._columns.states_of(entries[changes(entries)])

    def _last_seen_ns(self, table: Table, starts_ns: NDArray[np.int64]) -> NDArray[np.int64]:
        """(k,) the last instant in `starts_ns`..`at_ns` at which each row was in view; the least int if never."""
        sightings = self._columns.sightings
        sighting, row = self._columns.sightings_of(table.entry)
        seen_to = np.minimum(sightings.to_ns[sighting], table.at_ns[row])
        shared = np.maximum(sightings.from_ns[sighting], starts_ns[row]) <= seen_to
        if self._agent is not None:
            shared &= sightings.agent[sighting] == self._agent
        if len(sighting) == len(table):
            # one of each row
            return np.where(shared, seen_to, _NEVER)
        last = np.full(len(table), _NEVER)
        row, seen_to = row[shared], seen_to[shared]
        if len(row):
            # sightings of a row are neighbours
            first = np.flatnonzero(changes(row))
            last[row[first]] = np.maximum.reduceat(seen_to, first)
        return last


class WindowsFilter:
    """States that meet any of several windows, about the latest such instant."""

    stage = 0
    cost = 3.0

    def __init__(self, step: Bound, columns: Columns) -> None:
        self._each = [TemporalFilter(replace(step, windows=(window,)), columns) for window in step.windows]
        self.name, self.share = f"{self._each[0].name} during", self._each[0].share

    def apply(self, table: Table) -> Table:
        """Narrow to the windows; sets `at_ns`."""
        latest = np.full(len(table), _NEVER)
        for window in self._each:
            met = window.apply(table)
            at = np.searchsorted(table.state, met.state)
            latest[at] = np.maximum(latest[at], met.at_ns)
        return table.about(latest).kept(latest > _NEVER)

    def offer(self) -> tuple[int, Callable[[], Rows]] | None:
        """See `TemporalFilter.offer`."""
        offers = [offer for each in self._each if (offer := each.offer()) is not None]
        if len(offers) < len(self._each):
            return None
        return sum(n for n, _ in offers), lambda: np.unique(np.concatenate([states() for _, states in offers]))


class PlainFilter:
    """What one column says: kind, category, there or gone, visibility, in which earlier step, unseen by whom."""

    name = "kinds and presence"
    stage = 0
    share = 0.8
    cost = 1.0

    def __init__(self, step: Bound, columns: Columns) -> None:
        self._step = step
        self._columns = columns

    def apply(self, table: Table) -> Table:
        """Narrow to what the step says."""
        step, columns = self._step, self._columns
        keep = np.ones(len(table), dtype=bool)
        if step.kinds != "both":
            keep &= columns.is_thing[table.entry] == (step.kinds == "things")
        if step.presence != "any":
            keep &= columns.absent[table.state] == (step.presence == "gone")
        if step.visibility:
            codes = [code for code, name in enumerate(VISIBILITIES) if name in step.visibility]
            keep &= np.isin(columns.states.visibility[table.state], codes)
        if step.category is not None:
            keep &= columns.category[table.entry] == columns.category_code.get(step.category, -1)
        if step.without:
            keep &= ~np.isin(table.entry, list(step.without))
        if step.not_agent is not None:
            keep &= ~seen_by(step.not_agent, step.window.before_ns, table, columns)
        return table.kept(keep)


def seen_by(agent: str, until_ns: int, table: Table, columns: Columns) -> Flags:
    """(k,) rows of entries that an agent had seen up to an instant."""
    sightings = columns.sightings
    sighting, row = columns.sightings_of(table.entry)
    theirs = (sightings.agent[sighting] == columns.agents.index(agent)) & (sightings.from_ns[sighting] <= until_ns)
    seen = np.zeros(len(table), dtype=bool)
    seen[row[theirs]] = True
    return seen
