"""Entries as columns: laid out for scanning, written to disk as they are, taken apart again one row at a time.

A million entries are a million Python objects only if somebody looks at all of them. A query scans arrays, and the
few rows that it returns become `Entry` records when they leave.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import Interval
from recall4d.geometry.box import Box
from recall4d.records import Claim, Entry, Sighting, State, View

OPEN_NS = np.iinfo(np.int64).max
"""`to_ns` of an interval still going on, in a column of int64."""

VISIBILITIES = ("visible", "occluded", "absent", "unknown")
"""Codes of the `visibility` column."""

KINDS = ("thing", "surface")
MOTIONS = ("static", "movable", "moving")

N_DECODED = 4096
"""Entries kept once taken apart: the same few are looked at again and again."""

Arrays = Mapping[str, NDArray[Any]]


class Strings(Sequence[str]):
    """Texts in one buffer: `data` holds them in UTF-8, `offsets` (n + 1,) where each begins.

    Lone surrogates, which hostile JSON may bring, are kept as they are.
    """

    def __init__(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        self.data = data
        self.offsets = offsets

    @classmethod
    def of(cls, texts: Iterable[str]) -> Strings:
        """Lay texts out."""
        encoded = [text.encode(errors="surrogatepass") for text in texts]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(each) for each in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...

    @overload
    def __getitem__(self, row: slice) -> list[str]: ...

    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)} texts")
        start, end = self.offsets[row : row + 2].tolist()
        return self.data[start:end].tobytes().decode(errors="surrogatepass")

    def take(self, rows: NDArray[np.integer]) -> list[str]:
        """The texts of rows (k,); faster than one by one."""
        starts, ends = self.offsets[rows].tolist(), self.offsets[rows + 1].tolist()
        return [
            self.data[start:end].tobytes().decode(errors="surrogatepass")
            for start, end in zip(starts, ends, strict=True)
        ]

    def all(self) -> list[str]:
        """Every text; faster than one by one."""
        whole, ends = self.data.tobytes(), self.offsets.tolist()
        return [whole[start:end].decode(errors="surrogatepass") for start, end in pairwise(ends)]


@dataclass(frozen=True, eq=False, slots=True)
class StateColumns:
    """One row a state, all entries, ordered by entry and time.

    Attributes:
        entry: (m,) row of the entry in `Snapshot.entries`.
        from_ns, to_ns: (m,) int64; `OPEN_NS` while it lasts.
        min_xyz, max_xyz, centroid_xyz: (m, 3) float64, world frame, metres.
        visibility: (m,) uint8, code into `VISIBILITIES`.
    """

    entry: NDArray[np.intp]
    from_ns: NDArray[np.int64]
    to_ns: NDArray[np.int64]
    min_xyz: NDArray[np.float64]
    max_xyz: NDArray[np.float64]
    visibility: NDArray[np.uint8]

    @property
    def centroid_xyz(self) -> NDArray[np.float64]:
        """(m, 3) box centres."""
        return (self.min_xyz + self.max_xyz) / 2


@dataclass(frozen=True, eq=False, slots=True)
class SightingColumns:
    """One row a sighting, all entries, ordered by entry and time.

    Attributes:
        entry: (k,) row of the entry in `Snapshot.entries`.
        agent: (k,) index into `Snapshot.agents`.
        from_ns, to_ns: (k,) int64, both ends inside.
    """

    entry: NDArray[np.intp]
    agent: NDArray[np.int32]
    from_ns: NDArray[np.int64]
    to_ns: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EntryColumns(Sequence[Entry]):
    """Entries, all fields of them, as arrays; as a sequence it is the entries themselves, made when asked for.

    Attributes:
        agents: names; the codes of every column of agents.
        ids: (n,) entry ids.
        id_order: (n,) rows in the order of their ids.
        strings: every other text, each once; the code -1 stands for None.
        said: (t, 3) the different texts of entries: codes of category, description and attributes (as JSON).
        text: (n,) which of `said` each entry has.
        per_entry: (n, 6) kind, motion, n_observations, map_frame's code, and the best view's agent (-1 for no view)
            and crop.
        view_stamp_ns, view_rectangle: (n,) and (n, 4) of the best view.
        state_offsets, sighting_offsets, claim_offsets, agent_offsets, alike_offsets: (n + 1,) where the rows of
            each entry begin in what follows.
        states, sightings: see there.
        state_agent, state_surface_xyz: (m,) and (m, 3).
        claim_codes: (c, 4) agent, description, n_views, n_unoccluded.
        claim_nearest_m, claim_last_ns: (c,).
        entry_agents, alike: codes of the agents that saw it, and of the ids that may be the same thing.
    """

    agents: tuple[str, ...]
    ids: Strings
    id_order: NDArray[np.int32]
    strings: Strings
    said: NDArray[np.int32]
    text: NDArray[np.int32]
    per_entry: NDArray[np.int32]
    view_stamp_ns: NDArray[np.int64]
    view_rectangle: NDArray[np.int32]
    state_offsets: NDArray[np.int64]
    sighting_offsets: NDArray[np.int64]
    claim_offsets: NDArray[np.int64]
    agent_offsets: NDArray[np.int64]
    alike_offsets: NDArray[np.int64]
    states: StateColumns
    sightings: SightingColumns
    state_agent: NDArray[np.int32]
    state_surface_xyz: NDArray[np.float64]
    claim_codes: NDArray[np.int32]
    claim_nearest_m: NDArray[np.float64]
    claim_last_ns: NDArray[np.int64]
    entry_agents: NDArray[np.int32]
    alike: NDArray[np.int32]

    # --- entries to columns ------------------------------------------------------------------------------------

    @classmethod
    def of(cls, entries: Sequence[Entry], agents: Sequence[str]) -> EntryColumns:
        """Lay entries out.

        Args:
            entries: in the order of their rows.
            agents: get the first codes, in this order.
        """
        codes, names = _Codes(), _Codes(agents)
        said: dict[tuple[int, int, int], int] = {}
        text, per_entry, stamps, rectangles = [], [], [], []
        states: list[State] = []
        sightings: list[Sighting] = []
        claims: list[Claim] = []
        counts = list[list[int]]()
        entry_agents, alike = list[int](), list[int]()
        for each in entries:
            attributes = json.dumps(each.attributes, ensure_ascii=False) if each.attributes else "{}"
            triple = codes[each.category], codes[each.description], codes[attributes]
            text.append(said.setdefault(triple, len(said)))
            view = each.best_view
            seen_by, crop = (-1, -1) if view is None else (names[view.agent], codes[view.crop])
            kind, motion = KINDS.index(each.kind), MOTIONS.index(each.motion)
            per_entry.append((kind, motion, each.n_observations, codes[each.map_frame], seen_by, crop))
            stamps.append(0 if view is None else view.stamp_ns)
            rectangles.append((0, 0, 0, 0) if view is None else view.rectangle)
            states += each.states
            sightings += each.sightings
            claims += each.claims
            entry_agents += [names[agent] for agent in each.agents]
            alike += [codes[other] for other in each.possibly_same_as]
            parts = each.states, each.sightings, each.claims, each.agents, each.possibly_same_as
            counts.append([len(part) for part in parts])
        ends = np.zeros((len(counts) + 1, 5), dtype=np.int64)
        np.cumsum(np.array(counts, dtype=np.int64).reshape(-1, 5), axis=0, out=ends[1:])
        state_offsets, sighting_offsets, claim_offsets, agent_offsets, alike_offsets = ends.T.copy()
        return cls(
            ids=Strings.of(each.entry_id for each in entries),
            id_order=np.array(sorted(range(len(entries)), key=lambda row: entries[row].entry_id), dtype=np.int32),
            said=_ints(list(said), 3),
            text=np.array(text, dtype=np.int32),
            per_entry=_ints(per_entry, 6),
            view_stamp_ns=np.array(stamps, dtype=np.int64),
            view_rectangle=_ints(rectangles, 4),
            state_offsets=state_offsets,
            sighting_offsets=sighting_offsets,
            claim_offsets=claim_offsets,
            agent_offsets=agent_offsets,
            alike_offsets=alike_offsets,
            states=StateColumns(
                entry=_owners(state_offsets),
                from_ns=np.array([each.interval.from_ns for each in states], dtype=np.int64),
                to_ns=np.array(
                    [OPEN_NS if each.interval.to_ns is None else each.interval.to_ns for each in states],
                    dtype=np.int64,
                ),
                min_xyz=np.array([each.box.min_xyz for each in states], dtype=np.float64).reshape(-1, 3),
                max_xyz=np.array([each.box.max_xyz for each in states], dtype=np.float64).reshape(-1, 3),
                visibility=np.array([VISIBILITIES.index(each.visibility) for each in states], dtype=np.uint8),
            ),
            sightings=SightingColumns(
                entry=_owners(sighting_offsets),
                agent=np.array([names[each.agent] for each in sightings], dtype=np.int32),
                from_ns=np.array([each.from_ns for each in sightings], dtype=np.int64),
                to_ns=np.array([each.to_ns for each in sightings], dtype=np.int64),
            ),
            state_agent=np.array([names[each.agent] for each in states], dtype=np.int32),
            state_surface_xyz=np.array([each.surface_centroid_xyz for each in states]).reshape(-1, 3),
            claim_codes=_ints(
                [(names[c.agent], codes[c.description], c.n_views, c.n_unoccluded) for c in claims], 4
            ),
            claim_nearest_m=np.array([each.nearest_m for each in claims], dtype=np.float64),
            claim_last_ns=np.array([each.last_ns for each in claims], dtype=np.int64),
            entry_agents=np.array(entry_agents, dtype=np.int32),
            alike=np.array(alike, dtype=np.int32),
            agents=tuple(names.texts),
            strings=Strings.of(codes.texts),
        )

    # --- columns to entries ------------------------------------------------------------------------------------

    @cached_property
    def _decoded(self) -> dict[int, Entry]:
        return {}

    def __len__(self) -> int:
        return len(self.text)

    def __iter__(self) -> Iterator[Entry]:
        return (self._entry(row) for row in range(len(self)))

    @overload
    def __getitem__(self, row: int) -> Entry: ...

    @overload
    def __getitem__(self, row: slice) -> tuple[Entry, ...]: ...

    def __getitem__(self, row: int | slice) -> Entry | tuple[Entry, ...]:
        if isinstance(row, slice):
            return tuple(self[each] for each in range(*row.indices(len(self))))
        if row < 0:
            row += len(self)
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)} entries")
        found = self._decoded.get(row)
        if found is None:
            if len(self._decoded) >= N_DECODED:
                self._decoded.clear()
            found = self._decoded[row] = self._entry(row)
        return found

    def _entry(self, row: int) -> Entry:
        kind, motion, n_observations, map_frame, seen_by, crop = self.per_entry[row].tolist()
        category, description, attributes = self.said[self.text[row]].tolist()
        view = None
        if seen_by >= 0:
            rectangle = tuple(self.view_rectangle[row].tolist())
            view = View(self.agents[seen_by], int(self.view_stamp_ns[row]), rectangle, self._text(crop))
        return Entry(
            entry_id=self.ids[row],
            category=self._text(category),
            description=self.strings[description],
            kind=KINDS[kind],  # type: ignore[arg-type]
            motion=MOTIONS[motion],  # type: ignore[arg-type]
            attributes=json.loads(self.strings[attributes]),
            n_observations=n_observations,
            agents=tuple(
                self.agents[code] for code in self.entry_agents[self._rows(self.agent_offsets, row)].tolist()
            ),
            states=self._states(self._rows(self.state_offsets, row)),
            sightings=self._sightings(self._rows(self.sighting_offsets, row)),
            best_view=view,
            possibly_same_as=tuple(
                self.strings[code] for code in self.alike[self._rows(self.alike_offsets, row)].tolist()
            ),
            map_frame=self._text(map_frame),
            claims=self._claims(self._rows(self.claim_offsets, row)),
        )

    def descriptions(self, rows: NDArray[np.integer]) -> list[str]:
        """The descriptions of entries (k,), without making the entries."""
        return self.strings.take(self.said[self.text[rows], 1])

    def best_views(self, rows: NDArray[np.integer]) -> list[View | None]:
        """The best views of entries (k,), without making the entries."""
        columns = (self.per_entry[rows, 4:], self.view_stamp_ns[rows], self.view_rectangle[rows])
        return [
            None if agent < 0 else View(self.agents[agent], stamp_ns, tuple(rectangle), self._text(crop))
            for (agent, crop), stamp_ns, rectangle in zip(*(each.tolist() for each in columns), strict=True)
        ]

    def _states(self, rows: slice) -> tuple[State, ...]:
        states = self.states
        return tuple(
            State(
                Interval(from_ns, None if to_ns == OPEN_NS else to_ns),
                Box(tuple(low), tuple(high)),
                tuple(surface),
                VISIBILITIES[visibility],  # type: ignore[arg-type]
                self.agents[agent],
            )
            for from_ns, to_ns, low, high, surface, visibility, agent in zip(
                states.from_ns[rows].tolist(),
                states.to_ns[rows].tolist(),
                states.min_xyz[rows].tolist(),
                states.max_xyz[rows].tolist(),
                self.state_surface_xyz[rows].tolist(),
                states.visibility[rows].tolist(),
                self.state_agent[rows].tolist(),
                strict=True,
            )
        )

    def _sightings(self, rows: slice) -> tuple[Sighting, ...]:
        agents, starts, ends = (
            column[rows].tolist() for column in (self.sightings.agent, self.sightings.from_ns, self.sightings.to_ns)
        )
        return tuple(
            Sighting(self.agents[agent], from_ns, to_ns)
            for agent, from_ns, to_ns in zip(agents, starts, ends, strict=True)
        )

    def _claims(self, rows: slice) -> tuple[Claim, ...]:
        columns = (column[rows].tolist() for column in (self.claim_codes, self.claim_nearest_m, self.claim_last_ns))
        return tuple(
            Claim(self.agents[agent], self.strings[said], n_views, n_unoccluded, nearest_m, last_ns)
            for (agent, said, n_views, n_unoccluded), nearest_m, last_ns in zip(*columns, strict=True)
        )

    def _rows(self, offsets: NDArray[np.int64], row: int) -> slice:
        start, end = offsets[row : row + 2].tolist()
        return slice(start, end)

    def _text(self, code: int) -> str | None:
        return None if code < 0 else self.strings[code]

    def row_of(self, entry_id: str) -> int | None:
        """The row of an entry; None where there is none of that id."""
        at = bisect_left(self.id_order, entry_id, key=lambda row: self.ids[int(row)])
        row = int(self.id_order[at]) if at < len(self) else -1
        return row if row >= 0 and self.ids[row] == entry_id else None

    # --- on disk -----------------------------------------------------------------------------------------------

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Everything by name, as `store.arrays` writes it."""
        agents = Strings.of(self.agents)
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            **{name: np.diff(getattr(self, name)) for name in _OFFSETS},
            **{f"per_entry.{at}": column for at, column in enumerate(self.per_entry.T)},
            **{f"claim_codes.{at}": column for at, column in enumerate(self.claim_codes.T)},
            **{f"states.{name}": getattr(self.states, name) for name in StateColumns.__slots__[1:]},
            **{f"sightings.{name}": getattr(self.sightings, name) for name in SightingColumns.__slots__[1:]},
            **{
                f"{name}.{part}": column
                for name, each in (("agents", agents), ("ids", self.ids), ("strings", self.strings))
                for part, column in (("data", each.data), ("lengths", np.diff(each.offsets)))
            },
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> EntryColumns:
        """What `to_arrays` gave."""
        agents, ids, strings = (
            Strings(arrays[f"{name}.data"], _ends(arrays[f"{name}.lengths"]))
            for name in ("agents", "ids", "strings")
        )
        offsets: dict[str, Any] = {name: _ends(arrays[name]) for name in _OFFSETS}
        return cls(
            agents=tuple(agents),
            ids=ids,
            strings=strings,
            states=StateColumns(
                _owners(offsets["state_offsets"]),
                *(arrays[f"states.{name}"] for name in StateColumns.__slots__[1:]),
            ),
            sightings=SightingColumns(
                _owners(offsets["sighting_offsets"]),
                *(arrays[f"sightings.{name}"] for name in SightingColumns.__slots__[1:]),
            ),
            per_entry=np.stack([arrays[f"per_entry.{at}"] for at in range(6)], axis=1),
            claim_codes=np.stack([arrays[f"claim_codes.{at}"] for at in range(4)], axis=1),
            **offsets,
            **{name: arrays[name] for name in _PLAIN},
        )


_OFFSETS = tuple(name for name in EntryColumns.__dataclass_fields__ if name.endswith("_offsets"))

_PLAIN = tuple(
    name
    for name in EntryColumns.__dataclass_fields__
    if name not in (*_OFFSETS, "agents", "ids", "strings", "states", "sightings", "per_entry", "claim_codes")
)


class _Codes:
    """Numbers for texts, in the order in which they are first asked for; -1 for None."""

    def __init__(self, first: Sequence[str] = ()) -> None:
        self.texts: dict[str, int] = {text: code for code, text in enumerate(first)}

    def __getitem__(self, text: str | None) -> int:
        return -1 if text is None else self.texts.setdefault(text, len(self.texts))


def _ends(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Offsets (n + 1,) of rows of these lengths (n,)."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _owners(offsets: NDArray[np.int64]) -> NDArray[np.intp]:
    """The entry of each row that begins at offsets (n + 1,)."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.intp), np.diff(offsets))


def _ints(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.int32]:
    return np.array(rows, dtype=np.int32).reshape(-1, width)
