"""The road in: a recording becomes observations, and observations become entries.

frame -> (`Mapper`) -> `Segmenter` -> detections -> `lift` -> `Describer` -> `Embedder` -> observations -> `Ledger`
-> store. Every frame is one transaction, and a frame known to the store is not read again: an ingest that was
killed goes on where it stopped.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from recall4d.clock import seconds_to_ns
from recall4d.config import AssociationSettings, IngestSettings
from recall4d.errors import FrameError, UsageError
from recall4d.geometry.depth import pack_depth
from recall4d.geometry.pose import inverse, transform
from recall4d.memory.describing import Describing
from recall4d.memory.embedding import embedded, expect_embedder
from recall4d.memory.judged import Judged
from recall4d.memory.ledger import Admission, Ledger
from recall4d.memory.maps import keep_map, world_from_maps
from recall4d.memory.pictures import KeyframeKeeper, save_crop
from recall4d.memory.place import Placed, place
from recall4d.memory.revisions import folded
from recall4d.perception.lift import MIN_IMAGE_SHARE, Lifted, lift, measured_depth
from recall4d.ports import (
    Describer,
    Embedder,
    Judge,
    Mapper,
    Resumable,
    Segmenter,
    Source,
    Store,
    StoredFrame,
    StoreWriter,
)
from recall4d.records import Description, Detection, Frame, FrameHeader, Glimpse, Observation
from recall4d.records.text import one_line

STAGES = ("decode", "segment", "describe", "embed", "lift", "associate", "commit")

NOT_PLACED = "the mapper could not place it"

LOOKAHEAD = 2
"""Frames decoded ahead of the one being worked on, on a thread of their own."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did.

    Attributes:
        agent: whose recording it was taken to be.
        frames_read: frames looked at, known ones left out.
        frames_known: frames that were in memory already: not read again, or taken in by another process meanwhile.
        frames_used: frames whose things went into memory.
        skipped: frames not used, by reason.
        dropped: detections not used, by reason.
        observations, entries_new, entries_updated: what was written.
        seconds: wall time.
        stages: seconds by stage, "map" among them where there is a mapper; decoding runs beside the others.
        descriptions: of a describer that asks a model: how many were "asked", "known" from before, and "failed".
        notes: what the source assumed or repaired.
    """

    agent: str
    frames_read: int
    frames_known: int
    frames_used: int
    skipped: dict[str, int]
    dropped: dict[str, int]
    observations: int
    entries_new: int
    entries_updated: int
    seconds: float
    stages: dict[str, float]
    descriptions: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Tally:
    """Counts while an ingest runs."""

    frames_read: int = 0
    frames_known: int = 0
    frames_used: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    observations: int = 0
    new: set[str] = field(default_factory=set)
    updated: set[str] = field(default_factory=set)
    stages: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    descriptions: Counter[str] = field(default_factory=Counter)
    nested_s: float = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time spent inside for a stage, less what stages inside it count."""
        start, outer_s = time.perf_counter(), self.nested_s
        self.nested_s = 0.0
        try:
            yield
        finally:
            spent_s = time.perf_counter() - start
            self.stages[name] = self.stages.get(name, 0.0) + spent_s - self.nested_s
            self.nested_s = outer_s + spent_s

    def take(self, admission: Admission) -> None:
        self.observations += len(admission.entry_ids)
        self.new = (self.new | admission.new) - admission.retired.keys()
        self.updated = (self.updated | admission.updated) - admission.retired.keys()


class Ingester:
    """Takes recordings into one store. After an error the store is whole but the ledger is not: make a new one."""

    def __init__(
        self,
        store: Store,
        segmenter: Segmenter,
        describer: Describer,
        embedder: Embedder,
        association: AssociationSettings,
        settings: IngestSettings,
        mapper: Mapper | None = None,
        judge: Judge | None = None,
    ) -> None:
        self._store = store
        self._segmenter = segmenter
        self._mapper = mapper
        self._describing = Describing(describer, store.directory)
        self._embedder = embedder
        self._settings = settings
        self._association = association
        self._world_from_map: NDArray[np.float64] | None = None
        self._judged = Judged(store.verdicts(), judge)
        self._ledger = Ledger(association, judged=self._judged)
        self._known = (0, 0)

    def ingest(
        self,
        source: Source,
        agent: str,
        shares_world: bool = False,
        on_frame: Callable[[FrameHeader], None] = lambda header: None,
    ) -> IngestReport:
        """Take in a recording; frames already in memory are left alone.

        Args:
            source: the recording.
            agent: who made it. The same (agent, stamp) twice is one frame.
            shares_world: the poses of an agent new to the memory are in the world frame already; else its map is
                its own, and its entries stay apart until it is aligned. The first agent's map is the world.
            on_frame: called after every frame, for a progress bar.

        Raises:
            StoreError: the store refused; every frame before is committed.
            ModelError: the judge of doubtful matches failed; every frame before is committed.
        """
        start = time.perf_counter()
        tally = _Tally()
        self._enter_map(agent, self._claim_map(agent, shares_world))
        known = self._store.stamps(agent)
        n_kept = sum(each.image is not None for each in self._store.frames())
        keyframes = KeyframeKeeper(self._store.directory, self._settings, n_kept)
        if isinstance(self._segmenter, Resumable):
            self._segmenter.resume(self._store.fact(_segmenter_fact(self._segmenter, agent)))
        # The products here are small: more than one BLAS thread costs more in waiting than it gains.
        with threadpool_limits(limits=1, user_api="blas"):
            for header, frame in self._placed(source, agent, known, tally):
                tally.frames_read += 1
                try:
                    if isinstance(frame, FrameError):
                        raise frame
                    self._take(_in_world(frame, self._world_from_map), keyframes, tally)
                except FrameError as error:
                    self._skip(agent, (header.stamp_ns, header.number, error.reason), tally)
                on_frame(header)
        return IngestReport(
            agent=agent,
            frames_read=tally.frames_read,
            frames_known=tally.frames_known,
            frames_used=tally.frames_used,
            skipped=dict(tally.skipped),
            dropped=dict(tally.dropped),
            observations=tally.observations,
            entries_new=len(tally.new),
            entries_updated=len(tally.updated - tally.new),
            seconds=time.perf_counter() - start,
            stages=tally.stages,
            descriptions=dict(+tally.descriptions),
            notes=source.notes,
        )

    def _claim_map(self, agent: str, shares_world: bool) -> NDArray[np.float64] | None:
        """The agent's transform to the world, None while not known; a new agent is noted."""
        with self._store.writing() as writer:
            maps = world_from_maps(self._store)
            if agent not in maps:
                maps[agent] = np.eye(4) if shares_world or not maps else None
                keep_map(self._store, writer, agent, maps[agent])
        return maps[agent]

    def _enter_map(self, agent: str, world_from_map: NDArray[np.float64] | None) -> None:
        """Match with the entries of the world, or of the agent's own map while that is not aligned."""
        self._world_from_map = world_from_map
        self._start_over(None if world_from_map is not None else agent)

    def _start_over(self, map_frame: str | None) -> None:
        """Forget every entry, to read them all again."""
        vectors = self._ledger.vectors
        self._ledger = Ledger(self._association, map_frame, self._judged)
        self._ledger.vectors = vectors
        self._known = (0, 0)

    def _unknown(self, source: Source, known: set[int], tally: _Tally, n_before: int = 0) -> Iterator[FrameHeader]:
        """Headers of new frames, and of the last `n_before` known ones in front of each."""
        before: deque[FrameHeader] = deque(maxlen=n_before)
        for header in source.headers():
            if header.stamp_ns in known:
                tally.frames_known += 1
                before.append(header)
            else:
                yield from before
                before.clear()
                yield header

    def _placed(
        self, source: Source, agent: str, known: set[int], tally: _Tally
    ) -> Iterator[tuple[FrameHeader, Frame | FrameError]]:
        """Headers of new frames in order, each with its frame, or why there is none."""
        if self._mapper is not None:
            yield from self._mapped(self._mapper, source, agent, known, tally)
            return
        for header, future in _ahead(source, agent, self._unknown(source, known, tally), tally):
            yield header, _outcome(future)

    def _mapped(
        self, mapper: Mapper, source: Source, agent: str, known: set[int], tally: _Tally
    ) -> Iterator[tuple[FrameHeader, Frame | FrameError]]:
        """The same, placed by the mapper, which sees some known frames again to go on from.

        Raises:
            UsageError: the mapper would have to begin a second map for an agent that has one.
        """
        map_from_world = np.eye(4) if self._world_from_map is None else inverse(self._world_from_map)
        stored = {each.stamp_ns: each for each in self._store.frames() if each.agent == agent}
        waiting: deque[tuple[FrameHeader, FrameError | None]] = deque()

        def read() -> Iterator[Frame]:
            has_place = not stored
            headers = self._unknown(source, known, tally, mapper.overlap)
            for header, future in _ahead(source, agent, headers, tally, without_pose=True):
                frame = _outcome(future)
                again = stored.get(header.stamp_ns)
                if again is None:
                    waiting.append((header, frame if isinstance(frame, FrameError) else None))
                if isinstance(frame, FrameError):
                    continue
                if again is not None:
                    frame = replace(frame, world_from_camera=map_from_world @ again.world_from_camera)
                has_place = has_place or frame.world_from_camera is not None
                if not has_place:
                    raise UsageError(
                        f"{agent!r} has a map in memory, and this recording holds no frame of it that "
                        f"{mapper.name} could go on from: take it in as another agent (--agent), then align"
                    )
                yield frame

        placed = mapper.place(read())
        while True:
            with tally.stage("map"):
                frame = next(placed, None)
            if frame is not None and frame.stamp_ns in stored:
                continue
            while waiting and (frame is None or waiting[0][0].stamp_ns != frame.stamp_ns):
                header, error = waiting.popleft()
                yield header, error or FrameError(NOT_PLACED)
            if frame is None:
                return
            header, _ = waiting.popleft()
            yield header, frame if frame.world_from_camera is not None else FrameError(NOT_PLACED)

    def _take(self, frame: Frame, keyframes: KeyframeKeeper, tally: _Tally) -> None:
        """One frame, from detections to commit; where nothing was measured, what there is of it is kept.

        Raises:
            FrameError: it has no place in the world.
        """
        if frame.world_from_camera is None:
            raise FrameError("no pose")
        if frame.pose_confidence is not None and frame.pose_confidence < self._settings.min_pose_confidence:
            raise FrameError("pose not trusted", f"confidence {frame.pose_confidence:.2f}")
        stored = StoredFrame(
            frame.agent,
            frame.stamp_ns,
            frame.number,
            frame.world_from_camera,
            frame.intrinsics,
            image=keyframes.keep(frame),
        )
        try:
            with tally.stage("lift"):
                measured = measured_depth(frame, seconds_to_ns(self._settings.max_skew_s))
                stored = replace(stored, depth=pack_depth(measured.z_m))
            with tally.stage("segment"):
                detections = [_plain(each) for each in self._segmenter.segment(frame)]
        except FrameError as error:
            self._skip(frame.agent, (frame.stamp_ns, frame.number, error.reason), tally, stored)
            return
        with tally.stage("lift"):
            lifted, dropped = lift(frame, detections, measured)
        tally.dropped += dropped
        with tally.stage("describe"):
            map_frame = self._ledger.map_frame
            described = self._describing.describe(frame, lifted, map_frame, tally.descriptions)
            descriptions = [_plain_description(each) for each in described]
        with tally.stage("embed"):
            self._embed([each.text for each in descriptions])
        observations = [
            _observation(frame, index, each, description)
            for index, (each, description) in enumerate(zip(lifted, descriptions, strict=True))
        ]
        with tally.stage("associate"):
            # A model may take its time: as much as can be is asked before others have to wait.
            poses = np.repeat(stored.world_from_camera[None], len(observations), axis=0)
            self._ledger.ask_about(place(observations, poses))
        with tally.stage("commit"), self._store.writing() as writer:
            if writer.holds(frame.agent, frame.stamp_ns):
                tally.frames_known += 1
                return
            # What others committed meanwhile must be known before matching, or two agents insert the same thing.
            stored = self._catch_up(stored)
            self._follow(writer)
            placed = place(observations, np.repeat(stored.world_from_camera[None], len(observations), axis=0))
            with tally.stage("associate"):
                admission = self._ledger.admit(placed)
            self._commit(writer, frame, stored, placed, admission, _glimpses(frame, detections, lifted))
        tally.take(admission)
        tally.frames_used += 1

    def _skip(
        self, agent: str, skip: tuple[int, int, str], tally: _Tally, stored: StoredFrame | None = None
    ) -> None:
        """Count a frame that cannot be used, and keep what there is of it in the same transaction.

        Args:
            agent: whose frame.
            skip: (stamp_ns, number, reason).
            tally: where it is counted.
            stored: the frame without observations, if it has a place in the world.
        """
        with self._store.writing() as writer:
            if writer.holds(agent, skip[0]):
                tally.frames_known += 1
                return
            if stored is not None:
                writer.add_frame(self._catch_up(stored), [])
            writer.add_skips(agent, [skip])
        tally.skipped[skip[2]] += 1

    def _catch_up(self, stored: StoredFrame) -> StoredFrame:
        """The frame where its agent's map lies now: another process may have moved the map since it was placed."""
        before, now = self._world_from_map, world_from_maps(self._store)[stored.agent]
        if now is None or (before is not None and np.array_equal(before, now)):
            return stored
        self._enter_map(stored.agent, now)
        map_from_camera = stored.world_from_camera if before is None else inverse(before) @ stored.world_from_camera
        return replace(stored, world_from_camera=now @ map_from_camera)

    def _embed(self, texts: Sequence[str]) -> None:
        """Make sure the ledger has the embedding of every text; what the store holds is not embedded again."""
        wanted = set(texts) - self._ledger.vectors.keys()
        if not wanted:
            return
        self._ledger.vectors |= self._store.vectors(wanted)
        missing = sorted(wanted - self._ledger.vectors.keys())
        if missing:
            self._ledger.vectors |= embedded(self._embedder, missing)

    def _follow(self, writer: StoreWriter) -> None:
        """Bring the ledger up to what the store holds: what others committed since, or everything if need be."""
        changes = writer.changes(self._known[1])
        if changes.reassigned:
            expect_embedder(self._store, self._embedder)
        if changes.reassigned and self._known != (0, 0):
            self._start_over(self._ledger.map_frame)
            changes = writer.changes(0)
        if changes.entries or changes.retired:
            mine = [entry.entry_id for entry in changes.entries if entry.map_frame == self._ledger.map_frame]
            rows = self._store.observations(entry_ids=mine, since=self._known[0])
            self._embed([row.observation.description.text for row in rows])
            poses = np.stack([row.world_from_camera for row in rows]) if rows else np.zeros((0, 4, 4))
            placed = place([row.observation for row in rows], poses)
            ids = [row.entry_id for row in rows]
            self._ledger.load(zip(ids, placed, strict=True), changes.retired)

    def _commit(
        self,
        writer: StoreWriter,
        frame: Frame,
        stored: StoredFrame,
        placed: Sequence[Placed],
        admission: Admission,
        glimpses: Sequence[Glimpse],
    ) -> None:
        touched = sorted(admission.new | admission.updated)
        here = {id(each) for each in placed}
        for entry_id in touched:
            fold = self._ledger.fold(entry_id)
            if fold.best is not None and id(fold.best) in here:
                directory, longest_px = self._store.directory, self._settings.crop_px
                save_crop(directory, frame, fold.best, longest_px)
        observations = [each.observation for each in placed]
        texts = {each.description.text for each in observations}
        writer.add_texts({text: self._ledger.vectors[text] for text in texts})
        for entry_id, into in admission.retired.items():
            writer.retire(entry_id, into)
        writer.add_verdicts(self._judged.new)
        writer.add_revisions(folded(admission.known, admission.retired, frame.stamp_ns, frame.agent))
        writer.add_frame(stored, list(zip(observations, admission.entry_ids, strict=True)), glimpses)
        writer.put_entries([self._ledger.entry(entry_id) for entry_id in touched])
        if isinstance(self._segmenter, Resumable):
            writer.set_fact(_segmenter_fact(self._segmenter, frame.agent), self._segmenter.state())
        self._known = self._store.version()


def _segmenter_fact(segmenter: Resumable, agent: str) -> str:
    """The name under which the store keeps what a segmenter goes on with."""
    return f"segmenter {segmenter.name} of {agent}"


def _outcome(future: Future[Frame]) -> Frame | FrameError:
    try:
        return future.result()
    except FrameError as error:
        return error


def _ahead(
    source: Source, agent: str, headers: Iterator[FrameHeader], tally: _Tally, without_pose: bool = False
) -> Iterator[tuple[FrameHeader, Future[Frame]]]:
    """Headers with their frames, decoded a few frames ahead on another thread."""

    def load(header: FrameHeader) -> Frame:
        if header.world_from_camera is None and not without_pose:
            raise FrameError(header.why_no_pose or "no pose")
        start = time.perf_counter()
        try:
            return source.load(header, agent)
        finally:
            tally.stages["decode"] += time.perf_counter() - start

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="decode") as pool:
        waiting: deque[tuple[FrameHeader, Future[Frame]]] = deque()
        for header in headers:
            waiting.append((header, pool.submit(load, header)))
            if len(waiting) > LOOKAHEAD:
                yield waiting.popleft()
        yield from waiting


def _in_world(frame: Frame, world_from_map: NDArray[np.float64] | None) -> Frame:
    """The frame with its pose in the world, or in its agent's own map while that is not aligned."""
    if world_from_map is None or frame.world_from_camera is None:
        return frame
    return replace(frame, world_from_camera=world_from_map @ frame.world_from_camera)


def _plain(detection: Detection) -> Detection:
    """The detection with its names on one line; an empty one is none."""
    names = (detection.category, detection.description)
    if not any(names):
        return detection
    category, description = (one_line(name) or None if name is not None else None for name in names)
    return replace(detection, category=category, description=description)


def _plain_description(description: Description) -> Description:
    attributes = {one_line(name): one_line(each) for name, each in description.attributes.items()}
    return Description(one_line(description.text) or "thing", attributes)


def _glimpses(frame: Frame, detections: Sequence[Detection], lifted: Sequence[Lifted]) -> list[Glimpse]:
    """The things with a name that got no place, but for specks, which say nothing of what they are."""
    placed = {id(each.detection) for each in lifted}
    return [
        Glimpse(frame.agent, frame.stamp_ns, each.category, each.description, each.mask.rectangle)
        for each in detections
        if id(each) not in placed
        and each.mask.area_px >= MIN_IMAGE_SHARE * frame.rgb.shape[0] * frame.rgb.shape[1]
        and each.kind == "thing"
        and (each.category is not None or each.description is not None)
    ]


def _observation(frame: Frame, index: int, lifted: Lifted, description: Description) -> Observation:
    assert frame.world_from_camera is not None, "lifted with a pose"
    camera_from_world = inverse(frame.world_from_camera)
    detection = lifted.detection
    return Observation(
        agent=frame.agent,
        stamp_ns=frame.stamp_ns,
        index=index,
        category=detection.category,
        description=description,
        kind=detection.kind,
        score=detection.score,
        surface_centroid_camera=transform(camera_from_world, lifted.surface_centroid_xyz),
        hull_camera=transform(camera_from_world, lifted.hull_xyz).astype(np.float32),
        n_points=lifted.n_points,
        distance_m=lifted.distance_m,
        occluded=lifted.occluded,
        truncated=lifted.truncated,
        rectangle=detection.mask.rectangle,
    )
