"""Temporal keys, and the plain column filters beside them: agent, presence, kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recall4d.memory.snapshot import VISIBILITIES
from recall4d.query.bind import Bound
from recall4d.query.columns import Columns
from recall4d.query.table import Flags, Table


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
        if self._agent is not None:
            meets = meets & self._had_seen()[table.entry]
        return table.kept(meets)

    def _had_seen(self) -> Flags:
        """(n,) entries that the agent had seen by the end of the window."""
        sightings = self._columns.sightings
        theirs = (sightings.agent == self._agent) & (sightings.from_ns <= self._step.window.before_ns)
        seen = np.zeros(len(self._columns.entries), dtype=bool)
        seen[sightings.entry[theirs]] = True
        return seen

    def _last_seen_ns(self, table: Table, starts_ns: NDArray[np.int64]) -> NDArray[np.int64]:
        """(k,) the last instant in `starts_ns`..`at_ns` at which each row was in view; the least int if never."""
        sightings, window = self._columns.sightings, self._step.window
        relevant = (sightings.from_ns <= window.before_ns) & (sightings.to_ns >= window.after_ns)
        if self._agent is not None:
            relevant &= sightings.agent == self._agent
        sighting = np.flatnonzero(relevant)
        # rows of an entry are neighbours: every sighting is paired with each of them
        first = np.searchsorted(table.entry, sightings.entry[sighting], side="left")
        count = np.searchsorted(table.entry, sightings.entry[sighting], side="right") - first
        sighting = np.repeat(sighting, count)
        row = np.repeat(first - np.cumsum(count) + count, count) + np.arange(len(sighting))
        seen_to = np.minimum(sightings.to_ns[sighting], table.at_ns[row])
        shared = np.maximum(sightings.from_ns[sighting], starts_ns[row]) <= seen_to
        last = np.full(len(table), np.iinfo(np.int64).min, dtype=np.int64)
        np.maximum.at(last, row[shared], seen_to[shared])
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
        latest = np.full(len(table), np.iinfo(np.int64).min, dtype=np.int64)
        for window in self._each:
            met = window.apply(table)
            at = np.searchsorted(table.state, met.state)
            latest[at] = np.maximum(latest[at], met.at_ns)
        return table.about(latest).kept(latest > np.iinfo(np.int64).min)


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
            sightings, code = columns.sightings, columns.agents.index(step.not_agent)
            theirs = (sightings.agent == code) & (sightings.from_ns <= step.window.before_ns)
            keep &= ~np.isin(table.entry, sightings.entry[theirs])
        return table.kept(keep)
