"""`Memory`: what people hold. Open, ingest, ask, query."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from recall4d import plugins
from recall4d.clock import ns_to_seconds, parse_instant
from recall4d.config import AssociationSettings, IngestSettings, LoopSettings
from recall4d.errors import EmbedderMismatchError, FrameError, GeometryError, UsageError
from recall4d.geometry.pose import checked_pose
from recall4d.geometry.region import Region
from recall4d.memory.agents import AgentAlignment, align_agents, move_agent
from recall4d.memory.embedding import EMBEDDER, EMBEDDER_SPEC, embedder_mark
from recall4d.memory.ingest import Ingester, IngestReport
from recall4d.memory.knowledge import Knowledge
from recall4d.memory.maps import world_from_maps
from recall4d.memory.merge import MergeReport, merge
from recall4d.memory.rebuild import RebuildReport, rebuild, reindex
from recall4d.memory.regions import forget_region, name_region
from recall4d.memory.snapshot import Snapshot
from recall4d.memory.space import Space, space_of
from recall4d.ports import ChatModel, Describer, Embedder, Judge, Mapper, Segmenter, Source, Store
from recall4d.query import neighbours
from recall4d.query.plan import Plan
from recall4d.query.plan.faults import fault_sentence
from recall4d.query.plan_text import read_plan
from recall4d.query.retrieve import Retrieval, known_at_ns, plan_of_keys, retrieve
from recall4d.records import Answer, Entry, Event, FrameHeader, Revision, SourceOptions
from recall4d.sources import open_recording
from recall4d.store.sqlite import SqliteStore
from recall4d.units import format_duration

if TYPE_CHECKING:
    from recall4d.reasoning.replaying import Replayed

DEFAULT_EMBEDDER = "wordllama"
DEFAULT_DESCRIBER = "appearance"

MAX_INSTANT_NS = 2**62
"""146 years: differences of two instants still fit into 64 bits."""


class Memory:
    """A 4D memory in a directory.

    ```python
    from recall4d import Memory

    memory = Memory.open("kitchen-memory")
    memory.ingest("recordings/kitchen")
    print(memory.ask("where is the white cup?").text)
    for row in memory.query(semantic="cup", near=(1.0, 0.2, 0.8), radius_m=1.5).rows:
        print(row.description, row.centroid_xyz)
    ```

    Attributes:
        store: where it is kept.
        embedder: what turns its texts into vectors.
        approximate: whether similar texts are found by an index that misses a few.
    """

    def __init__(
        self, store: Store, embedder: Embedder, association: AssociationSettings, approximate: bool = False
    ) -> None:
        self.store = store
        self.approximate = approximate
        self.embedder = embedder
        self.association = association
        self._knowledge = Knowledge(store, embedder, association, approximate)

    @classmethod
    def open(
        cls,
        directory: str | Path,
        *,
        create: bool = True,
        embedder: str | Embedder | None = None,
        association: AssociationSettings | None = None,
        approximate: bool = False,
    ) -> Self:
        """Open the memory in `directory`, making a new one if there is none and `create` is True.

        Args:
            directory: where the memory lies.
            create: False refuses a directory without a memory.
            embedder: name or instance; None takes the one the memory was written with.
            association: when two observations are of one thing; None takes what the memory was written with.
            approximate: find similar texts by an HNSW index, for millions of entries: of the ten most alike one may
                be missed now and then, but whatever other keys leave is never lost.

        Raises:
            MissingExtraError: `approximate`, and usearch is not installed.
            NotAMemoryError: no memory there and `create` is False, or the file is something else.
            SchemaMismatchError: another version of recall4d wrote it.
            EmbedderMismatchError: it was written with another embedder.
            UsageError: it was written with other association settings.
        """
        if approximate:
            neighbours.require()
        store = SqliteStore.open(Path(directory), create=create)
        try:
            chosen = embedder or store.fact(EMBEDDER_SPEC) or DEFAULT_EMBEDDER
            instance = plugins.embedder(chosen) if isinstance(chosen, str) else chosen
            settings = _claim(store, instance, chosen if isinstance(chosen, str) else None, association)
        except BaseException:
            store.close()
            raise
        return cls(store, instance, settings, approximate)

    def ingest(
        self,
        recording: str | Path | Source,
        *,
        agent: str | None = None,
        shares_world: bool = False,
        segmenter: str | Segmenter | None = None,
        describer: str | Describer = DEFAULT_DESCRIBER,
        mapper: str | Mapper | None = None,
        format: str | None = None,
        options: SourceOptions | None = None,
        settings: IngestSettings | None = None,
        judge: Judge | None = None,
        on_frame: Callable[[FrameHeader], None] = lambda header: None,
    ) -> IngestReport:
        """Take a recording in. Frames already in memory are left alone: a killed ingest goes on where it stopped.

        Args:
            recording: path, or an open source.
            agent: who made it, not empty; None takes the name the recording gives, else "camera".
            shares_world: a new agent's poses are in the world frame already; else its map is its own, and its
                entries stay apart until `align`. The first agent's map is the world.
            segmenter: name or instance; None takes the recording's own masks where it has them, else "geometric".
            describer: name or instance.
            mapper: what finds poses and depth for frames without; None uses those that came with the recording.
            format: the recording's format; None finds out.
            options: what to read differently from the format's own convention.
            settings: thresholds; None takes the defaults.
            judge: asked about doubtful matches, where the memory's `AssociationSettings.doubtful_below` says that
                there are any; None leaves two things two.
            on_frame: called after every frame.

        Raises:
            ModelError: the judge failed; every frame before is kept.
            RecordingError: the recording cannot be read.
            UsageError: an agent without a name, an unknown segmenter or describer, or masks asked for that are not
                there.
            StoreError: the store refused; every frame before is kept.
        """
        if agent is not None and not agent.strip():
            raise UsageError("an agent's name cannot be empty: give one, or none to take the recording's")
        source = (
            open_recording(
                recording, format, replace(options or SourceOptions(), without_poses=mapper not in (None, "given"))
            )
            if isinstance(recording, str | Path)
            else recording
        )
        chosen = segmenter if segmenter is not None else _default_segmenter(source)
        ingester = Ingester(
            self.store,
            plugins.segmenter(chosen) if isinstance(chosen, str) else chosen,
            plugins.describer(describer) if isinstance(describer, str) else describer,
            self.embedder,
            self.association,
            settings or IngestSettings(),
            plugins.mapper(mapper) if isinstance(mapper, str) else mapper,
            judge,
        )
        return ingester.ingest(source, agent or source.agent or "camera", shares_world, on_frame)

    def keep(self) -> None:
        """Keep on disk what follows from what has been observed, if concluding it takes more than a second.

        Questions do so, too; after this, the first one of whoever opens the memory next need not.
        """
        self._knowledge.keep()

    def ask(
        self,
        question: str,
        *,
        now: int | str | None = None,
        as_of: int | str | None = None,
        agent: str | None = None,
        choices: Sequence[str] = (),
        planner: str = "english",
        model: str | ChatModel | None = None,
        image: str | Path | None = None,
        frame: int | str | None = None,
        loop: LoopSettings | None = None,
        progress: Callable[[str], None] = lambda text: None,
    ) -> Answer:
        """Answer a question in English from what had been observed up to `now`.

        Args:
            question: in plain English.
            now: the instant it is asked at (ns, or text as on the command line); None is the last instant.
            as_of: what may be known is bounded by this instant instead of `now`.
            agent: who "I" is; None is the first agent.
            choices: options of a multiple-choice question.
            planner: "english" asks no model; "model" asks it in a loop; "hybrid" where English is not understood.
                See `reasoning.asking` for these and for the two that are there to be compared with.
            model: name or instance; needed by every planner but "english".
            image: a picture of the present view.
            frame: instant of the present view: the agent's last keyframe at or before it. Without `image` and
                `frame` the agent's last keyframe is shown if it was taken just before `now`.
            loop: budget and settings of the loop; None takes the defaults.
            progress: told in a few words what is being done, for models that take their time.

        Raises:
            UsageError: an instant cannot be read, there is no such agent or planner, or no model is given.
            InputError: the image cannot be read.
            ModelError: the model failed, and nothing can be answered without it.
        """
        # Imported here: a third of what starting a program costs, and one that only writes or queries needs none.
        from recall4d.query.answer import answer
        from recall4d.query.english import Context, plan_question

        started = time.perf_counter()
        snapshot = self.snapshot(now, as_of)
        _check_agent(snapshot, agent)
        if planner == "english":
            planned = plan_question(question, Context.of(snapshot, agent), choices)
            known_ns = None if planned.plan is None else known_at_ns(planned.plan, snapshot, agent)
            if known_ns is not None:
                snapshot = self._knowledge.snapshot(known_ns).at(snapshot.now_ns)
            answered = answer(planned, snapshot, agent, choices)
        else:
            if model is None:
                raise UsageError(f"the planner {planner!r} needs a model: give one, such as openai:NAME")
            from recall4d.reasoning.entrance import ModelAsking, ask_model

            asking = ModelAsking(
                planner=planner,
                model=plugins.chat_model(model) if isinstance(model, str) else model,
                image=None if image is None else Path(image),
                frame_ns=self.instant(frame),
                as_of_ns=self.instant(as_of),
                settings=loop or LoopSettings(),
                progress=progress,
            )
            answered = ask_model(asking, question, self.store, snapshot, agent, choices)
        text = answered.text
        origin_ns = self._knowledge.origin_ns()
        if snapshot.now_ns < origin_ns:
            later = format_duration(ns_to_seconds(origin_ns - snapshot.now_ns))
            text = f"Nothing had been observed by then: memory begins {later} later."
        if snapshot.left_out:
            text += f" What {' and '.join(snapshot.left_out)} saw is left out: not aligned with the world yet."
        return replace(answered, text=text, usage=replace(answered.usage, seconds=time.perf_counter() - started))

    def replay(self, trace: str | Path) -> Replayed:
        """Answer the question of a trace again, without a model: with the replies that are in the trace.

        Args:
            trace: path of the file.

        Raises:
            UsageError: no such file.
            InputError: it is no trace, or one that ends without an answer.
        """
        from recall4d.reasoning.entrance import replay
        from recall4d.reasoning.skeleton.trace import read_trace

        lines = read_trace(Path(trace))
        snapshot = self.snapshot(lines[0]["now_ns"], lines[0]["as_of_ns"])
        return replay(lines, self.store, snapshot)

    def query(
        self,
        plan: Plan | str | None = None,
        *,
        semantic: str | None = None,
        near: Sequence[float] | None = None,
        radius_m: float | None = None,
        between: tuple[int | str | None, int | str | None] | None = None,
        limit: int | None = None,
        now: int | str | None = None,
        as_of: int | str | None = None,
        agent: str | None = None,
    ) -> Retrieval:
        """Run a plan, or one step of the three keys given as words.

        Args:
            plan: a whole plan, also as text or JSON (docs/plan-language.md); the keys must then be left out.
            semantic: what it is.
            near: x, y, z in the world frame, metres.
            radius_m: how near; None ranks by distance.
            between: only what was observed from the first to the second instant; None leaves an end open.
            limit: at most so many rows.
            now, as_of, agent: see `ask`.

        Raises:
            UsageError: a plan and keys, no key at all, an instant or agent that cannot be read.
            InputError: a text that is no plan.
        """
        plan = read_plan(plan) if isinstance(plan, str) else plan
        snapshot = self.snapshot(now, as_of)
        _check_agent(snapshot, agent)
        keys = (semantic, near, radius_m, between, limit)
        if plan is not None and any(key is not None for key in keys):
            raise UsageError("give a plan or keys, not both")
        if plan is None:
            if semantic is None and near is None and between is None:
                raise UsageError("a query needs a key: semantic, near or between")
            ends = between or (None, None)
            instants = self.instant(ends[0]), self.instant(ends[1])
            try:
                plan = plan_of_keys(semantic, near, radius_m, instants, limit)
            except ValidationError as error:
                raise UsageError(f"no such query: {fault_sentence(error)}") from error
        known_ns = known_at_ns(plan, snapshot, agent)
        if known_ns is not None:
            snapshot = self._knowledge.snapshot(known_ns).at(snapshot.now_ns)
        return retrieve(plan, snapshot, agent)

    def snapshot(self, now: int | str | None = None, as_of: int | str | None = None) -> Snapshot:
        """What is known, and the instant it is asked at.

        Args:
            now: ns, or text as on the command line; by default the last instant.
            as_of: bounds what is known, by default `now`.
        """
        now_ns = self.instant(now)
        known = self._knowledge.snapshot(now_ns if as_of is None else self.instant(as_of))
        return known if now_ns is None else known.at(now_ns)

    def entries(self, now: int | str | None = None) -> Sequence[Entry]:
        """The entries known at an instant, in order of first sight."""
        return self.snapshot(now).entries

    def events(
        self, since: int | str | None = None, until: int | str | None = None, as_of: int | str | None = None
    ) -> tuple[Event, ...]:
        """What changed, in order: events whose first evidence lies after `since` and up to `until`.

        Args:
            since, until: by default the memory's first and last instant.
            as_of: what may be known is bounded by this instant instead of `until`.
        """
        snapshot = self.snapshot(until, as_of)
        from_ns = self.instant(since)
        return tuple(
            event
            for event in snapshot.events
            if (from_ns is None or event.before_ns > from_ns) and event.before_ns <= snapshot.now_ns
        )

    def regions(self) -> Mapping[str, Region]:
        """The regions that have been named, by name."""
        return self.snapshot().regions

    def name_region(
        self, name: str, corners_xy: Sequence[Sequence[float]], z: tuple[float, float] | None = None
    ) -> None:
        """Give a part of the floor plan a name, for plans and questions: "in the kitchen".

        Args:
            name: of the region; one of the same name is replaced.
            corners_xy: (n, 2) corners in order, world frame, metres.
            z: lower and upper end, metres; None is from floor to sky.

        Raises:
            UsageError: the name is empty or too long, or the corners enclose nothing.
        """
        try:
            region = Region.of(np.asarray(corners_xy, dtype=np.float64), z)
        except GeometryError as error:
            raise UsageError(str(error)) from error
        name_region(self.store, name, region)

    def forget_region(self, name: str) -> None:
        """Drop a named region.

        Raises:
            UsageError: there is none of that name.
        """
        forget_region(self.store, name)

    def revisions(self, since: int | str | None = None, until: int | str | None = None) -> tuple[Revision, ...]:
        """What memory came to think otherwise of in that time: entries that are one thing, and one that is two.

        Args:
            since, until: by default the memory's first and last instant.
        """
        from_ns, to_ns = self.instant(since), self.instant(until)
        return tuple(
            each
            for each in self.store.revisions()
            if (from_ns is None or each.at_ns > from_ns) and (to_ns is None or each.at_ns <= to_ns)
        )

    def align(self, given: Mapping[str, NDArray[np.float64]] | None = None) -> dict[str, AgentAlignment]:
        """Bring agents whose map is their own into the world, by what both saw; refuse where that is too little.

        Args:
            given: `world_from_map` (4, 4) of agents for which it is known; the others' are estimated.

        Raises:
            UsageError: a transform is given for an agent that is not in memory or is in the world already.
            GeometryError: a given transform is none.
        """
        for agent, transform in (given or {}).items():
            if world_from_maps(self.store).get(agent, transform) is not None:
                raise UsageError(f"{agent!r} has no map of its own in memory that could be moved")
            move_agent(self.store, agent, checked_pose(transform), self.association)
        return align_agents(self.store, self.association)

    def rebuild(self, association: AssociationSettings | None = None) -> RebuildReport:
        """Match and fold all observations again, without an image or a model.

        Args:
            association: with these settings, which the memory keeps from then on; None takes its own.
        """
        settings = association or self.association
        with self.store.writing() as writer:
            report = rebuild(self.store, writer, settings)
            writer.set_fact("association", settings.model_dump_json())
        self.association = settings
        self._knowledge = Knowledge(self.store, self.embedder, settings, self.approximate)
        return report

    def reindex(self, embedder: str | Embedder) -> RebuildReport:
        """Embed every description again, by another embedder, and fold everything again by what it finds alike.

        What comes out is what an ingest with that embedder would have given. No image is read. Whoever else has the
        memory open must open it again.

        Args:
            embedder: name or instance; the memory keeps it from then on.

        Raises:
            UsageError: no such embedder.
            StoreError: the store refuses; then nothing has changed.
        """
        instance = plugins.embedder(embedder) if isinstance(embedder, str) else embedder
        spec = embedder if isinstance(embedder, str) else ""
        report = reindex(self.store, instance, spec, self.association)
        self.embedder = instance
        self._knowledge = Knowledge(self.store, instance, self.association, self.approximate)
        return report

    def reanchor(self, agent: str, poses: Mapping[int, NDArray[np.float64]]) -> RebuildReport:
        """Hang the observations of an agent on a corrected trajectory, and fold everything again.

        Args:
            agent: whose frames.
            poses: `map_from_camera` (4, 4) by stamp in ns, in the frame that the agent's recording came in.

        Raises:
            UsageError: no such agent, or none of the stamps is of one of its frames.
        """
        with self.store.writing() as writer:
            maps = world_from_maps(self.store)
            if agent not in maps:
                raise UsageError(f"no agent {agent!r} in memory: expected one of {', '.join(maps)}")
            world_from_map = maps[agent]
            moved = {
                (agent, stamp): pose if world_from_map is None else world_from_map @ pose
                for stamp, pose in poses.items()
            }
            if writer.move_frames(moved) == 0:
                raise UsageError(f"none of the {len(poses)} corrected poses has the stamp of a frame of {agent!r}")
            return rebuild(self.store, writer, self.association)

    def merge(self, other_directory: str | Path, same_world: bool = False) -> MergeReport:
        """Take in all that another memory holds, as if this one had seen it too; the other one is only read.

        The same (agent, stamp) is one frame, so that merging again changes nothing. The map of an agent that is new
        here is its own until `align`, unless the worlds are known to be one or an agent that both know links them.

        Args:
            other_directory: where the other memory lies.
            same_world: the worlds of the two memories are one.

        Raises:
            NotAMemoryError: there is none.
            EmbedderMismatchError: it was written with another embedder.
            UsageError: it is this very memory, or the worlds are said to be one and are not.
            StoreError: the disk refuses; nothing is taken in.
        """
        directory = Path(other_directory)
        if directory.resolve() == self.store.directory.resolve():
            raise UsageError(f"{directory} is the memory that should take it in: name another one")
        other = SqliteStore.open(directory)
        try:
            ours, theirs = self.store.fact(EMBEDDER), other.fact(EMBEDDER)
            if theirs not in (ours, None):
                raise EmbedderMismatchError(
                    f"the memory in {directory} was written with the embedder {theirs}, the one in "
                    f"{self.store.directory} with {ours}: bring one to the other's with `recall4d reindex`"
                )
            return merge(self.store, other, self.association, same_world)
        finally:
            other.close()

    def space(self, now: int | str | None = None) -> Space:
        """What of the space is free, occupied or was never seen, from the depth of every frame up to an instant."""
        return space_of(self.store, self.instant(now))

    def stats(self) -> dict[str, Any]:
        """How much the memory holds: counts, sizes on disk, and the frames that could not be used."""
        snapshot = self.snapshot()
        sizes = _sizes(self.store.directory)
        return {
            "agents": list(snapshot.agents),
            "agents_not_aligned": list(snapshot.left_out),
            "frames": sum(len(track.stamps_ns) for track in snapshot.trajectories.values()),
            "observations": sum(entry.n_observations for entry in snapshot.entries),
            "entries": len(snapshot.entries),
            "surfaces": sum(entry.kind == "surface" for entry in snapshot.entries),
            "events": len(snapshot.events),
            "origin_ns": snapshot.origin_ns,
            "latest_ns": snapshot.now_ns,
            "embedder": self.store.fact(EMBEDDER),
            "keyframes": sum(path.parts[0] == "keyframes" for path in sizes),
            "crops": sum(path.parts[0] == "crops" for path in sizes),
            "bytes": sum(sizes.values()),
            "skipped": self.store.skips(),
        }

    def instant(self, text: int | str | None) -> int | None:
        """An instant as the command line takes it, in ns; None and ns pass through.

        Raises:
            UsageError: cannot be read, or no clock counts so far.
        """
        if text is None:
            return None
        instant_ns = text if isinstance(text, int) else parse_instant(text, self._knowledge.origin_ns())
        if abs(instant_ns) > MAX_INSTANT_NS:
            raise UsageError(f"the instant {instant_ns} ns is more than 146 years from the clock's zero")
        return instant_ns

    def close(self) -> None:
        """Release the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: tuple[type[BaseException], BaseException, TracebackType]) -> None:
        self.close()


def _sizes(directory: Path) -> dict[Path, int]:
    """Bytes of every file below a directory, by its path inside; what a writer removes meanwhile is left out."""
    sizes = {}
    for path in directory.rglob("*"):
        with suppress(FileNotFoundError):
            if path.is_file():
                sizes[path.relative_to(directory)] = path.stat().st_size
    return sizes


def _check_agent(snapshot: Snapshot, agent: str | None) -> None:
    if agent is not None and agent not in snapshot.agents:
        raise UsageError(f"no agent {agent!r} in memory at that time: expected one of {', '.join(snapshot.agents)}")


def _claim(
    store: Store, embedder: Embedder, spec: str | None, asked: AssociationSettings | None
) -> AssociationSettings:
    """Keep with a new memory what it is written with; refuse anything else for an old one."""
    own = embedder_mark(embedder)
    if store.fact(EMBEDDER) is None or store.fact("association") is None:
        with store.writing() as writer:
            # Asked again inside the transaction: of two who make a memory at once, one is first.
            if store.fact(EMBEDDER) is None:
                writer.set_fact(EMBEDDER, own)
                if spec is not None:
                    writer.set_fact(EMBEDDER_SPEC, spec)
            if store.fact("association") is None:
                writer.set_fact("association", (asked or AssociationSettings()).model_dump_json())
    if (kept := store.fact(EMBEDDER)) != own:
        raise EmbedderMismatchError(
            f"the memory in {store.directory} was written with the embedder {kept}, not {own}: "
            "open it without naming an embedder, or bring it to this one with `recall4d reindex`"
        )
    settings = AssociationSettings.model_validate_json(store.fact("association") or "{}")
    if asked is not None and asked != settings:
        raise UsageError(
            f"the memory in {store.directory} was written with other association settings ({settings}): "
            "open it without naming any, or ingest into a new memory"
        )
    return settings


def _default_segmenter(source: Source) -> str:
    """The recording's own masks where it brings them, else the segmenter that needs no model."""
    for header in source.headers():
        try:
            return "geometric" if source.load(header, "camera").masks is None else "stored"
        except FrameError:
            continue
    return "geometric"
