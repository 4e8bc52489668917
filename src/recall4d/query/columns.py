"""Columns that queries scan, and orders in which they need not scan all of them; kept beside a snapshot."""

from __future__ import annotations

from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from recall4d.geometry.relations import Boxes
from recall4d.memory.entry_columns import OPEN_NS, VISIBILITIES, EntryColumns
from recall4d.memory.shelf import code_of
from recall4d.memory.snapshot import Snapshot
from recall4d.query import neighbours
from recall4d.query.grid import Grid
from recall4d.query.neighbours import Neighbours
from recall4d.query.text_index import Codes, TextIndex
from recall4d.query.time_index import TimeIndex
from recall4d.query.vector_scan import VectorScan

Rows = NDArray[np.intp]
Positions = NDArray[np.integer]
Stamps = NDArray[np.int64]


class Columns:
    """What the executor reads, whatever the instant that a snapshot is asked about.

    Attributes:
        entries, agents, states, sightings, approximate: of the snapshot.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.entries = snapshot.columns
        self.agents = snapshot.agents
        self.states = snapshot.states
        self.sightings = snapshot.sightings
        self._vectors = snapshot.vectors
        self._vector_of = snapshot.vector_of
        self._shelf = snapshot.shelf
        self.approximate = snapshot.approximate

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

    @cached_property
    def grid(self) -> Grid:
        """States by where they are."""
        return Grid(self.states.min_xyz, self.states.max_xyz)

    @cached_property
    def lasting(self) -> TimeIndex:
        """States by when they are."""
        return TimeIndex(self.states.from_ns, self.ends_ns)

    def boxes(self, states: Rows) -> Boxes:
        """Boxes (k, 3) of states (k,)."""
        # three times as fast as an index
        return Boxes(self.states.min_xyz.take(states, axis=0), self.states.max_xyz.take(states, axis=0))

    # --- a row a sighting --------------------------------------------------------------------------------------

    @cached_property
    def seen(self) -> TimeIndex:
        """Sightings by when they are."""
        return TimeIndex(self.sightings.from_ns, self.sightings.to_ns)

    def sightings_of(self, entries: Rows) -> tuple[Rows, Rows]:
        """All sightings of entries (k,), and for each the position of its entry."""
        return spread(self.entries.sighting_offsets, entries)

    # --- a row an entry ----------------------------------------------------------------------------------------

    def states_of(self, entries: Rows) -> Rows:
        """All states of entries (k,), in their order."""
        return spread(self.entries.state_offsets, entries)[0]

    @cached_property
    def is_thing(self) -> NDArray[np.bool_]:
        """(n,) things, not surfaces."""
        return np.asarray(self.entries.per_entry[:, 0] == 0)

    @cached_property
    def category_code(self) -> dict[str, int]:
        """A number for each category, case folded; "" for none."""
        return {name: code for code, name in enumerate(dict.fromkeys(self._categories))}

    @cached_property
    def category(self) -> Rows:
        """(n,) code of each entry's category."""
        codes = np.array([self.category_code[name] for name in self._categories], dtype=np.intp)
        return codes[self.entries.text]

    @cached_property
    def _categories(self) -> list[str]:
        """Category of each of the different texts, case folded."""
        strings = self.entries.strings
        named = {
            code: strings[code].casefold() for code in np.unique(self.entries.said[:, 0]).tolist() if code >= 0
        }
        return [named.get(code, "") for code in self.entries.said[:, 0].tolist()]

    @cached_property
    def id_rank(self) -> NDArray[np.int32]:
        """(n,) position of each entry in the order of entry ids."""
        rank = np.empty(len(self.entries), dtype=np.int32)
        rank[self.entries.id_order] = np.arange(len(self.entries), dtype=np.int32)
        return rank

    @cached_property
    def first_seen_ns(self) -> Stamps:
        """(n,) instant of the first sighting."""
        return _of_each(np.minimum, self.sightings.from_ns, self.entries.sighting_offsets)

    @cached_property
    def last_seen_ns(self) -> Stamps:
        """(n,) instant of the last sighting."""
        return _of_each(np.maximum, self.sightings.to_ns, self.entries.sighting_offsets)

    # --- texts -------------------------------------------------------------------------------------------------

    @cached_property
    def texts(self) -> TextIndex:
        """Entries by what their texts say."""
        shelf, code = self._shelf, code_of("query")
        arrays = None if shelf is None else shelf.take("texts", code)
        if arrays is not None:
            return TextIndex.from_arrays(arrays)
        index = TextIndex.of(self.entries)
        if shelf is not None:
            shelf.put("texts", code, index.to_arrays())
        return index

    @cached_property
    def wording(self) -> Codes:
        """(n,) wording of each entry's texts, as numbered by `texts`."""
        return self.texts.of_said[self.entries.text]

    @cached_property
    def scan(self) -> VectorScan:
        """The embeddings of texts."""
        return VectorScan(self._vectors.view(np.ndarray))

    @cached_property
    def neighbours(self) -> Neighbours | None:
        """What proposes similar embeddings without scanning them; None where that was not asked for."""
        if not self.approximate or len(self._vectors) < neighbours.MIN_VECTORS:
            return None
        return Neighbours.of(self._vectors, None if self._shelf is None else self._shelf.folder)

    def vectors_of(self, entries: Rows) -> Positions:
        """Rows of `scan.vectors` of the texts of entries (k,)."""
        return entries if self._vector_of is None else self._vector_of[entries]

    def n_entries_of(self, wordings: Codes) -> int:
        """How many entries have one of the wordings."""
        _, offsets = self._by_wording
        return int((offsets[wordings + 1] - offsets[wordings]).sum())

    def entries_of(self, wordings: Codes) -> Rows:
        """The entries that have one of the wordings, in no order."""
        entries, offsets = self._by_wording
        return entries[spread(offsets, wordings)[0]]

    def entries_of_vectors(self, vectors: Rows) -> Rows:
        """The entries whose text has one of the embeddings, in no order."""
        if self._vector_of is None:
            return vectors
        entries, offsets = self._by_vector
        return entries[spread(offsets, vectors)[0]]

    @cached_property
    def _by_wording(self) -> tuple[Rows, Stamps]:
        return _grouped(self.wording, self.texts.size)

    @cached_property
    def _by_vector(self) -> tuple[Rows, Stamps]:
        assert self._vector_of is not None
        return _grouped(self._vector_of, len(self._vectors))


def spread(offsets: Stamps, groups: NDArray[np.integer]) -> tuple[Rows, Rows]:
    """The members of groups (k,), which lie from `offsets[group]` on; and for each the position of its group."""
    starts = offsets[groups]
    counts = offsets[groups + 1] - starts
    if len(groups) and int(counts.min()) == 1 == int(counts.max()):
        return starts, np.arange(len(groups))
    owner = np.repeat(np.arange(len(groups)), counts)
    before = np.cumsum(counts) - counts
    return np.arange(len(owner)) + (starts - before)[owner], owner


def changes(values: NDArray[np.integer]) -> NDArray[np.bool_]:
    """(k,) whether each value is another than the one before."""
    changed = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


def _grouped(codes: NDArray[np.integer], n_codes: int) -> tuple[Rows, Stamps]:
    """Rows by their code, and where those of each code begin (n_codes + 1,)."""
    offsets = np.zeros(n_codes + 1, dtype=np.int64)
    np.cumsum(np.bincount(codes, minlength=n_codes), out=offsets[1:])
    return np.argsort(codes, kind="stable"), offsets


def _of_each(extreme: np.ufunc, stamps: Stamps, offsets: Stamps) -> Stamps:
    """The extreme of the stamps of each entry; every entry has some."""
    return np.asarray(extreme.reduceat(stamps, offsets[:-1])) if len(offsets) > 1 else stamps[:0]


_KEPT: WeakKeyDictionary[EntryColumns, Columns] = WeakKeyDictionary()


def columns_of(snapshot: Snapshot) -> Columns:
    """The columns of a snapshot, made on first use and dropped with its entries."""
    columns = _KEPT.get(snapshot.columns)
    if columns is None:
        columns = _KEPT[snapshot.columns] = Columns(snapshot)
    return columns
