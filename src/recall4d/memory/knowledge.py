"""What is known at an instant: snapshots of a store, kept up to date with what writers commit."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import Clock, seconds_to_ns, stamp_unit
from recall4d.config import AssociationSettings
from recall4d.geometry.pose import Trajectory
from recall4d.memory.embedding import expect_embedder
from recall4d.memory.fold import EntryFold
from recall4d.memory.glimpses import GlimpseBook
from recall4d.memory.kept import keep, kept
from recall4d.memory.lookbook import LookBook
from recall4d.memory.maps import world_from_maps
from recall4d.memory.place import place
from recall4d.memory.presence import Look
from recall4d.memory.regions import FACT as REGIONS
from recall4d.memory.regions import regions_of
from recall4d.memory.reports import FACT as REPORTS
from recall4d.memory.reports import reports_of
from recall4d.memory.snapshot import Snapshot
from recall4d.memory.space import Space, space_of
from recall4d.memory.stay import Stay
from recall4d.memory.worldline import STREAM_GAP_S, worldlines
from recall4d.ports import Changes, Embedder, FilesVectors, Store, StoredFrame, StoredObservation
from recall4d.records import Entry, Glimpse

KEEP_AFTER_S, KEEP_SHARE = 1.0, 20.0
"""What took longer than this to conclude is kept on disk, by who may write there, for a twentieth of the time."""

N_SNAPSHOTS = 16
"""Snapshots kept for questions asked about the same moment."""

N_SPACES = 2
"""Spaces kept likewise; one takes some megabytes."""


class Knowledge:
    """Reads a store; a mirror of its entries that follows other processes' commits."""

    def __init__(
        self, store: Store, embedder: Embedder, settings: AssociationSettings, approximate: bool = False
    ) -> None:
        self._approximate = approximate
        self._store = store
        self._embedder = embedder
        self._settings = settings
        self._places: dict[str, Entry] = {}
        self._seen: dict[str, set[tuple[str, int]]] = {}
        self._stays: dict[str, Stay] = {}
        self._lookbook = LookBook(store)
        self._glimpses: list[Glimpse] = []
        self._glimpse_book = GlimpseBook(self._lookbook.depth)
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._frames: list[StoredFrame] = []
        self._sequence = 0
        self._version: tuple[int, int] | None = None
        self._pulse: tuple[int, int] | None = None
        self._loaded: tuple[int, int] | None = None
        self._kept: Snapshot | None = None
        self._concluded: Snapshot | None = None
        self._unkept: str | None = None
        self._keep_again_s = 0.0
        self._told: tuple[str | None, str | None] = (None, None)
        self._snapshots: OrderedDict[int | None, Snapshot] = OrderedDict()
        self._spaces: OrderedDict[int, Space] = OrderedDict()

    def origin_ns(self) -> int:
        """The memory's first instant; 0 for an empty memory."""
        self._follow()
        if self._kept is not None:
            return self._kept.origin_ns
        return self._frames[0].stamp_ns if self._frames else 0

    def latest_ns(self) -> int:
        """The memory's last instant; 0 for an empty memory."""
        self._follow()
        if self._kept is not None:
            return self._kept.now_ns
        return self._frames[-1].stamp_ns if self._frames else 0

    def keep(self) -> None:
        """Keep what is known on disk, if concluding it takes time: who opens the memory next finds it concluded."""
        with self._store.reading():
            self._current(None)
        if self._unkept is not None:
            self._keep(self._unkept)

    def snapshot(self, now_ns: int | None = None) -> Snapshot:
        """What is known at `now_ns`, by default at the memory's last instant.

        At or after the last instant this is the mirror; before it, entries are folded again from what had been
        observed by then. Which observation is of which entry is as concluded today.
        """
        latest = self._snapshots.get(None)
        if now_ns is None and latest is not None and self._unkept is None and self._pulse == self._store.pulse():
            return latest
        # Of one moment: a frame without what it showed, or the other way round, would be a half frame.
        with self._store.reading():
            pulse = self._store.pulse()
            found = self._current(now_ns)
            self._pulse = pulse
        if self._unkept is not None and time.monotonic() > self._keep_again_s:
            self._keep(self._unkept)
            return self.snapshot(now_ns)
        return found if now_ns is None else found.at(now_ns)

    def _current(self, now_ns: int | None) -> Snapshot:
        self._follow()
        told = self._store.fact(REGIONS), self._store.fact(REPORTS)
        if told != self._told:
            self._told = told
            self._snapshots.clear()
        asked = None if now_ns is None or now_ns >= self.latest_ns() else now_ns
        if asked not in self._snapshots:
            self._snapshots[asked] = self._latest() if asked is None else self._earlier(asked)
            if len(self._snapshots) > N_SNAPSHOTS:
                self._snapshots.popitem(last=False)
        self._snapshots.move_to_end(asked)
        return self._snapshots[asked]

    def _follow(self) -> None:
        version = self._store.version()
        if version == self._version:
            return
        self._snapshots.clear()
        self._spaces.clear()
        self._kept = self._concluded = self._unkept = None
        self._version = version
        # What was kept is of use to who has read nothing yet; who follows a writer has less to conclude.
        if self._loaded is None and (mark := self._mark()) is not None:
            self._kept = kept(self._store, mark, self._embedder.embed)
        if self._kept is None:
            self._load()

    def _load(self) -> None:
        """Read what was written since the last time; everything at first."""
        if self._loaded == self._version:
            return
        changes = self._store.changes(self._sequence)
        if changes.reassigned:
            expect_embedder(self._store, self._embedder)
        for entry_id in changes.retired:
            self._places.pop(entry_id, None)
        self._places |= {entry.entry_id: entry for entry in changes.entries}
        self._sequence = changes.sequence
        self._follow_frames(changes)
        self._loaded = self._version

    def _mark(self) -> str | None:
        """What a snapshot of the store's present version is concluded from; None where the store cannot say."""
        if not isinstance(self._store, FilesVectors):
            return None
        stamp = self._store.fingerprint()
        maps = sorted(
            (name, None if m is None else m.tobytes()) for name, m in world_from_maps(self._store).items()
        )
        parts = (stamp, maps, self._settings.model_dump_json(), self._embedder.name, self._embedder.dimension)
        return blake2b(repr(parts).encode(), digest_size=16).hexdigest()

    def _follow_frames(self, changes: Changes) -> None:
        """Read the new frames, and which entry was seen in which of them; all again if old ones may differ."""
        since = 0 if self._loaded is None or changes.reassigned else self._loaded[0]
        known = [] if since == 0 else self._frames
        self._glimpses = ([] if since == 0 else self._glimpses) + self._store.glimpses(since)
        self._frames = sorted(known + self._store.frames(since), key=lambda each: (each.stamp_ns, each.agent))
        if changes.retired:
            since = 0
        if since == 0:
            self._seen = {}
        for entry_id, agent, stamp_ns in self._store.sighted(since):
            self._seen.setdefault(entry_id, set()).add((agent, stamp_ns))

    def _shared(self, until_ns: int) -> tuple[list[StoredFrame], tuple[str, ...]]:
        """Frames up to an instant of the agents whose map is aligned with the world, and the agents left out."""
        aligned = {agent for agent, transform in world_from_maps(self._store).items() if transform is not None}
        frames = [frame for frame in self._frames if frame.stamp_ns <= until_ns]
        agents = dict.fromkeys(frame.agent for frame in frames)
        return [f for f in frames if f.agent in aligned], tuple(a for a in agents if a not in aligned)

    def _latest(self) -> Snapshot:
        """What is known at the last instant: as kept on disk, or concluded, and kept if that took long."""
        known = self._kept
        if known is None:
            started = time.monotonic()
            known = self._mirror()
            self._concluded = known
            self._unkept = self._mark() if time.monotonic() - started > KEEP_AFTER_S else None
        return replace(
            known,
            regions=regions_of(self._told[0]),
            reports=reports_of(self._told[1]),
            survey=known.survey or partial(self._space, known.now_ns),
            approximate=self._approximate,
        )

    def _keep(self, mark: str) -> None:
        """Keep what was concluded last on disk, and go on with it as it lies there."""
        started = time.monotonic()
        if self._concluded is not None:
            self._kept = keep(self._store, mark, self._concluded)
            self._snapshots.pop(None, None)
        self._unkept = None
        self._keep_again_s = time.monotonic() + KEEP_SHARE * (time.monotonic() - started)

    def _mirror(self) -> Snapshot:
        places = [entry for entry in self._places.values() if entry.map_frame is None]
        return self._snapshot(places, self._lookbook, self._seen, self.latest_ns())

    def _earlier(self, now_ns: int) -> Snapshot:
        self._load()
        agents = {frame.agent for frame in self._shared(now_ns)[0]}
        rows = [row for row in self._store.observations(until_ns=now_ns) if row.observation.agent in agents]
        seen: dict[str, set[tuple[str, int]]] = {}
        for row in rows:
            seen.setdefault(row.entry_id, set()).add((row.observation.agent, row.observation.stamp_ns))
        return self._snapshot(self._folded(rows), LookBook(self._store), seen, now_ns)

    def _folded(self, rows: Sequence[StoredObservation]) -> list[Entry]:
        if not rows:
            return []
        placed = place([row.observation for row in rows], np.stack([row.world_from_camera for row in rows]))
        folds: dict[str, EntryFold] = {}
        for row, each in zip(rows, placed, strict=True):
            if row.entry_id not in folds:
                folds[row.entry_id] = EntryFold(row.entry_id, self._settings)
            folds[row.entry_id].add(each)
        return [fold.entry() for fold in folds.values()]

    def _snapshot(
        self,
        places: Sequence[Entry],
        lookbook: LookBook,
        seen: Mapping[str, set[tuple[str, int]]],
        now_ns: int,
    ) -> Snapshot:
        frames, left_out = self._shared(now_ns)
        vectors = self._vectors_of([place.description for place in places])
        looks = lookbook.looks(places, frames, seen)
        stays = [self._stay(*each) for each in zip(places, looks, vectors, strict=True)]
        frames_ns = np.array([frame.stamp_ns for frame in frames], dtype=np.int64)
        entries, events = worldlines(stays, now_ns, frames_ns)
        max_gap_ns = seconds_to_ns(self._settings.sighting_gap_s)
        entries = self._glimpse_book.with_glimpses(entries, self._glimpses, frames, max_gap_ns)
        ordered = tuple(sorted(entries, key=lambda entry: (entry.first_seen_ns, entry.entry_id)))
        return Snapshot(
            now_ns=now_ns,
            origin_ns=self._frames[0].stamp_ns if self._frames else now_ns,
            clock=Clock(is_wall=stamp_unit(now_ns) == "ns"),
            entries=ordered,
            events=tuple(events),
            left_out=left_out,
            regions=regions_of(self._told[0]),
            reports=reports_of(self._told[1]),
            survey=partial(self._space, now_ns),
            vectors=self._vectors_of([entry.description for entry in ordered]),
            trajectories=_trajectories(frames),
            frame_numbers={
                agent: np.array([frame.number for frame in frames if frame.agent == agent], dtype=np.int64)
                for agent in dict.fromkeys(frame.agent for frame in frames)
            },
            embed=self._embedder.embed,
        )

    def _space(self, until_ns: int) -> Space:
        """What was known of the space at an instant."""
        if until_ns not in self._spaces:
            self._spaces[until_ns] = space_of(self._store, until_ns)
            if len(self._spaces) > N_SPACES:
                self._spaces.popitem(last=False)
        return self._spaces[until_ns]

    def _stay(self, place: Entry, looks: list[Look], vector: NDArray[np.float32]) -> Stay:
        """The stay, with what was concluded about it before if nothing was found there since."""
        known = self._stays.get(place.entry_id)
        if known is None or known.entry is not place or known.looks is not looks:
            known = self._stays[place.entry_id] = Stay(place, looks, vector)
        return known

    def _vectors_of(self, texts: Sequence[str]) -> NDArray[np.float32]:
        missing = set(texts) - self._vectors.keys()
        self._vectors |= self._store.vectors(missing)
        if not texts:
            return np.zeros((0, self._embedder.dimension), dtype=np.float32)
        return np.stack([self._vectors[text] for text in texts])


def _trajectories(frames: Sequence[StoredFrame]) -> Mapping[str, Trajectory]:
    by_agent: dict[str, list[StoredFrame]] = {}
    for frame in frames:
        by_agent.setdefault(frame.agent, []).append(frame)
    return {
        agent: Trajectory(
            stamps_ns=np.array([frame.stamp_ns for frame in own], dtype=np.int64),
            poses=np.stack([frame.world_from_camera for frame in own]),
            max_gap_ns=seconds_to_ns(STREAM_GAP_S),
        )
        for agent, own in by_agent.items()
    }
