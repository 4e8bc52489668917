"""What can be exchanged: the Protocols that adapters fulfil. No adapter needs to inherit from anything here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import ModelError
from recall4d.geometry.camera import Intrinsics
from recall4d.records import (
    Capabilities,
    ChatRequest,
    Description,
    Detection,
    Entry,
    Frame,
    FrameHeader,
    Glimpse,
    Observation,
    Reply,
    Revision,
    SourceOptions,
)


@runtime_checkable
class Source(Protocol):
    """A recording, read frame by frame.

    Attributes:
        format: name of the format ("folder", "tum").
        agent: name of the agent when the recording has one of its own, else None.
        notes: what the reader had to assume or repair ("no time stamps: 30 Hz assumed"), for a person.
    """

    format: str
    agent: str | None
    notes: tuple[str, ...]

    def headers(self) -> Iterator[FrameHeader]:
        """Headers in order of time, without decoding an image. May be called again."""
        ...

    def load(self, header: FrameHeader, agent: str) -> Frame:
        """Decode one frame.

        Raises:
            FrameError: this frame cannot be read; the recording goes on.
        """
        ...


class SourceFormat(Protocol):
    """A recording format: recognises a path and opens it. Found through the entry points `recall4d.sources`."""

    name: str

    def recognises(self, path: Path) -> bool:
        """Whether `path` looks like this format, judged by the names of files alone. Never raises."""
        ...

    def open(self, path: Path, options: SourceOptions) -> Source:
        """Open a recording.

        Raises:
            RecordingError: missing, empty, truncated or not of this format.
        """
        ...


class Segmenter(Protocol):
    """Finds instances in one image.

    Attributes:
        name: as written on the command line, with its argument.
    """

    name: str

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """The instances of one frame; none is a normal result. Masks have the size of the colour image."""
        ...


@runtime_checkable
class Resumable(Protocol):
    """An adapter that carries something from frame to frame, and goes on with it after a kill.

    The ingest keeps `state()` with every committed frame of an agent, in the same transaction, and hands it back
    before the first frame of the next ingest.
    """

    name: str

    def state(self) -> str:
        """What it needs in order to go on after the frame it was given last."""
        ...

    def resume(self, state: str | None) -> None:
        """Go on from a state; None starts a recording anew. A state it cannot read counts as None."""
        ...


class Mapper(Protocol):
    """Gives frames what they lack: a place in the world, and depth.

    Attributes:
        name: as written on the command line, with its argument.
        overlap: how many frames with a place it wants to be given again in front of the first new one, when a
            killed ingest goes on.
    """

    name: str
    overlap: int

    def place(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """The same frames in the same order, of one agent and in order of time, with what they lacked.

        Poses, depth, clouds and intrinsics that came with a frame stay as they are, and the others are found in
        their world. A frame that cannot be placed comes back without a pose. Frames are read no farther ahead
        than a bounded window, and may share nothing with frames before that window but its overlap.
        """
        ...


class Describer(Protocol):
    """Says what an instance is.

    Attributes:
        name: as written on the command line, with its argument.
    """

    name: str

    def describe(
        self, frame: Frame, detections: Sequence[Detection], extents_xyz: NDArray[np.float64]
    ) -> Sequence[Description | None]:
        """One description a detection, None where none could be had: its geometry is kept all the same.

        `extents_xyz` (n, 3) are their sizes along the world's axes in metres, NaN where unknown.
        """
        ...


@runtime_checkable
class AskingDescriber(Describer, Protocol):
    """A describer that asks a model, so that a thing is described once and not in every frame."""

    def content(self, frame: Frame, detection: Detection) -> str:
        """A name of all that the reply depends on; what has the same name is never asked again."""
        ...


class Embedder(Protocol):
    """Turns text into unit vectors.

    Attributes:
        name: kept in the store; vectors of two embedders are never compared.
        dimension: length of a vector.
    """

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) float32 unit vectors."""
        ...


class ChatModel(Protocol):
    """A frozen language or vision-language model. May be called from several threads.

    Attributes:
        name: as written on the command line, with its argument.
    """

    name: str

    @property
    def capabilities(self) -> Capabilities:
        """What it can take; a model behind a server may be asked for it here.

        Raises:
            ModelError: its server failed.
        """
        ...

    def complete(self, request: ChatRequest) -> Reply:
        """One reply.

        Raises:
            ModelError: the model or its server failed, or cannot take the request (pictures, length).
        """
        ...

    def complete_all(self, requests: Sequence[ChatRequest]) -> Sequence[Reply | ModelError]:
        """A reply to each request, in order, as many at once as pays. What failed is an error in its place."""
        ...


class Judge(Protocol):
    """Says whether two descriptions are of one thing, where their similarity leaves it open.

    Its verdicts are kept with the memory, so that folding again asks nothing.

    Attributes:
        name: as written on the command line, with its argument.
    """

    name: str

    def same(self, pairs: Sequence[tuple[str, str]]) -> Sequence[bool]:
        """Of each pair of descriptions, of things seen at one place and about one size: are they one thing?

        Raises:
            ModelError: no verdict is to be had.
        """
        ...


@dataclass(frozen=True, eq=False, slots=True)
class StoredFrame:
    """What is kept of a committed frame.

    Attributes:
        agent, stamp_ns: its name.
        number: the source's own frame number.
        world_from_camera: (4, 4), the current version.
        intrinsics: of the colour image.
        image: path of the kept keyframe inside the memory's directory, or None.
        depth: a small copy of what was measured, see `geometry.depth.pack_depth`; given when a frame is added, and
            read back with `Store.depth`.
    """

    agent: str
    stamp_ns: int
    number: int
    world_from_camera: NDArray[np.float64]
    intrinsics: Intrinsics
    image: str | None = None
    depth: bytes | None = None


@dataclass(frozen=True, eq=False, slots=True)
class StoredObservation:
    """A fact, the pose it hangs on, and the entry it is taken to be of (a conclusion)."""

    observation: Observation
    world_from_camera: NDArray[np.float64]
    entry_id: str


@dataclass(frozen=True, eq=False, slots=True)
class Changes:
    """What changed in a store since some point.

    Attributes:
        entries: written since, in their latest form.
        retired: ids of entries folded into another one, with the other's id.
        sequence: give it back next time.
        reassigned: whether everything was concluded anew since; then nothing known before holds.
    """

    entries: Sequence[Entry]
    retired: Mapping[str, str]
    sequence: int
    reassigned: bool = False


class StoreWriter(Protocol):
    """One transaction: all of it is committed, or none.

    Attributes:
        sequence: what the entries written in it will be numbered with, see `Changes`.
    """

    sequence: int

    def changes(self, since: int) -> Changes:
        """Like `Store.changes`, seen from inside the transaction: nobody else writes until it ends."""
        ...

    def holds(self, agent: str, stamp_ns: int) -> bool:
        """Whether a frame is committed; nobody else can add it until the transaction ends."""
        ...

    def add_frame(
        self,
        frame: StoredFrame,
        observations: Sequence[tuple[Observation, str]],
        glimpses: Sequence[Glimpse] = (),
    ) -> bool:
        """Append a frame, its observations with their entry ids, and what it showed without a place.

        False, and nothing done, if it is known.
        """
        ...

    def add_skips(self, agent: str, skips: Iterable[tuple[int, int, str]]) -> None:
        """Keep (stamp_ns, number, reason) of frames that could not be used."""
        ...

    def add_texts(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep embeddings of texts, in half precision; known texts are left alone."""
        ...

    def replace_texts(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Forget every kept embedding, and keep these; they may have another length."""
        ...

    def add_verdicts(self, verdicts: Mapping[tuple[str, str], bool]) -> None:
        """Keep what a `Judge` said of pairs of descriptions, each in alphabetical order."""
        ...

    def put_entries(self, entries: Iterable[Entry]) -> None:
        """Write entries, new or changed."""
        ...

    def retire(self, entry_id: str, into: str) -> None:
        """Fold one entry into another: its observations become the other's."""
        ...

    def add_revisions(self, revisions: Iterable[Revision]) -> None:
        """Append to what memory came to think otherwise of."""
        ...

    def reassign(self, entry_ids: Mapping[tuple[str, int, int], str]) -> None:
        """Conclude anew which entry each observation, named by (agent, stamp, index), is of.

        Every entry there was is retired, into "" for none; write those there are now.
        """
        ...

    def move_frames(self, poses: Mapping[tuple[str, int], NDArray[np.float64]]) -> int:
        """Give frames, named by (agent, stamp), another `world_from_camera`; how many of them are known."""
        ...

    def set_fact(self, name: str, value: str) -> None:
        """Keep a named fact with the rest of the transaction."""
        ...


@runtime_checkable
class FilesVectors(Protocol):
    """A store that keeps embeddings in an array that queries can read as it is, beside which more can be kept."""

    def fingerprint(self) -> str:
        """What tells the store's present content from any other with the same `version`."""
        ...

    def vector_slots(self, texts: Sequence[str]) -> tuple[NDArray[np.float16], NDArray[np.int64]]:
        """(t, d) all embeddings, and (n,) which of them are those of the texts, all of which must be known."""
        ...

    def filed_vectors(self) -> NDArray[np.float16]:
        """(t, d) embeddings as above; slots once given stay."""
        ...


class Store(Protocol):
    """Where a memory is kept. `store.conformance` says what every store must do.

    Attributes:
        directory: of the memory; images lie below it.
    """

    directory: Path

    def fact(self, name: str) -> str | None:
        """A named fact about the whole memory, such as the embedder's name."""
        ...

    def set_fact(self, name: str, value: str) -> None:
        """Keep a named fact."""
        ...

    def writing(self) -> AbstractContextManager[StoreWriter]:
        """Open a transaction.

        Raises:
            StoreError: another writer holds the store for too long, or the disk refuses.
        """
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Read everything inside as of one moment, whatever others commit meanwhile.

        Inside a transaction of one's own it changes nothing: there one reads what one has written.
        """
        ...

    def version(self) -> tuple[int, int]:
        """Two numbers, of frames and of entries' `sequence`, that grow with every commit of such; cheap to ask."""
        ...

    def pulse(self) -> tuple[int, int]:
        """Two numbers, other than before once anybody has committed anything, even a fact; the cheapest to ask."""
        ...

    def changes(self, since: int = 0) -> Changes:
        """Entries written since `since`; everything for 0."""
        ...

    def stamps(self, agent: str) -> set[int]:
        """Stamps of the agent's committed frames."""
        ...

    def frames(self, since: int = 0) -> list[StoredFrame]:
        """Committed frames in order of time; those committed after `version` gave this number of frames."""
        ...

    def depth(self, agent: str, stamp_ns: int) -> bytes | None:
        """The small copy of a frame's depth; None where nothing was measured."""
        ...

    def sighted(self, since: int = 0) -> list[tuple[str, str, int]]:
        """(entry id, agent, stamp) of every observation in `frames(since)`, in order of time."""
        ...

    def glimpses(self, since: int = 0) -> list[Glimpse]:
        """What frames written after a version's first number showed without a place, by stamp and agent."""
        ...

    def observations(
        self, until_ns: int | None = None, entry_ids: Iterable[str] | None = None, since: int = 0
    ) -> list[StoredObservation]:
        """Observations in order of time.

        Args:
            until_ns: up to and including this instant.
            entry_ids: of these entries; None for all.
            since: of frames committed after `version` gave this number of frames.
        """
        ...

    def verdicts(self) -> dict[tuple[str, str], bool]:
        """What a `Judge` said of pairs of descriptions."""
        ...

    def revisions(self) -> list[Revision]:
        """What memory came to think otherwise of, in the order in which it did."""
        ...

    def vectors(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Kept embeddings of those of the texts that have one, as half precision has left them."""
        ...

    def add_skips(self, agent: str, skips: Iterable[tuple[int, int, str]]) -> None:
        """Keep (stamp_ns, number, reason) of frames that could not be used."""
        ...

    def skipped(self) -> list[tuple[str, int, int, str]]:
        """(agent, stamp_ns, number, reason) of frames that could not be used, in order of time."""
        ...

    def skips(self) -> dict[str, dict[str, int]]:
        """Counts of unusable frames by agent and reason."""
        ...

    def close(self) -> None:
        """Release the store; it is complete at any time without this."""
        ...
