"""Columns that queries scan, derived once from a snapshot and kept beside it."""

from __future__ import annotations

from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.relations import Boxes
from recall4d.memory.snapshot import OPEN_NS, VISIBILITIES, Snapshot
from recall4d.query.text_index import TextIndex
from recall4d.records import Entry

Rows = NDArray[np.intp]
Stamps = NDArray[np.int64]


class Columns:
    """What the executor reads. Refers to a snapshot's parts, never to the snapshot, so that both can be dropped.

    Attributes:
        entries, agents, states, sightings: of the snapshot.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.entries = snapshot.entries
        self.agents = snapshot.agents
        self.states = snapshot.states
        self.sightings = snapshot.sightings

    # --- a row a state -----------------------------------------------------------------------------------------

    @cached_property
    def ends_ns(self) -> Stamps:
        """(m,) the last instant of each state: just before the next begins, `OPEN_NS` for the last of an entry."""
        ends = np.full(len(self.states.entry), OPEN_NS, dtype=np.int64)
        followed = np.flatnonzero(self.states.entry[1:] == self.states.entry[:-1])
        ends[followed] = self.states.from_ns[followed + 1] - 1
        return ends

    @cached_property
    def absent(self) -> NDArray[np.bool_]:
        """(m,) states in which the entry is gone."""
        return np.asarray(self.states.visibility == VISIBILITIES.index("absent"))

    def boxes(self, states: Rows) -> Boxes:
        """Boxes (k, 3) of states (k,)."""
        return Boxes(self.states.min_xyz[states], self.states.max_xyz[states])

    # --- a row an entry ----------------------------------------------------------------------------------------

    @cached_property
    def state_offsets(self) -> Rows:
        """(n + 1,) where the states of each entry begin among all states."""
        entries = np.arange(len(self.entries) + 1)
        return np.asarray(np.searchsorted(self.states.entry, entries))

    @cached_property
    def is_thing(self) -> NDArray[np.bool_]:
        """(n,) things, not surfaces."""
        return np.array([entry.kind == "thing" for entry in self.entries], dtype=bool)

    @cached_property
    def category_code(self) -> dict[str, int]:
        """A number for each category, case folded; "" for none."""
        return {name: code for code, name in enumerate(dict.fromkeys(map(_category, self.entries)))}

    @cached_property
    def category(self) -> Rows:
        """(n,) code of each entry's category."""
        return np.array([self.category_code[_category(entry)] for entry in self.entries], dtype=np.intp)

    @cached_property
    def id_rank(self) -> Rows:
        """(n,) position of each entry in the order of entry ids."""
        ids = [entry.entry_id for entry in self.entries]
        rank = np.empty(len(ids), dtype=np.intp)
        rank[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        return rank

    @cached_property
    def first_seen_ns(self) -> Stamps:
        """(n,) instant of the first sighting."""
        return self._of_sightings(np.minimum, self.sightings.from_ns, OPEN_NS)

    @cached_property
    def last_seen_ns(self) -> Stamps:
        """(n,) instant of the last sighting."""
        return self._of_sightings(np.maximum, self.sightings.to_ns, -OPEN_NS)

    @cached_property
    def texts(self) -> TextIndex:
        """Entries by what their texts say."""
        return TextIndex(self.entries)

    def _of_sightings(self, extreme: np.ufunc, stamps: Stamps, start: int) -> Stamps:
        found = np.full(len(self.entries), start, dtype=np.int64)
        extreme.at(found, self.sightings.entry, stamps)
        return found


def _category(entry: Entry) -> str:
    return (entry.category or "").casefold()


_KEPT: WeakKeyDictionary[Snapshot, Columns] = WeakKeyDictionary()


def columns_of(snapshot: Snapshot) -> Columns:
    """The columns of a snapshot, made on first use and dropped with it."""
    columns = _KEPT.get(snapshot)
    if columns is None:
        columns = _KEPT[snapshot] = Columns(snapshot)
    return columns
