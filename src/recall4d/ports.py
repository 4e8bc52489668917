"""What can be exchanged: the Protocols that adapters fulfil. No adapter needs to inherit from anything here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recall4d.records import Description, Detection, Frame, FrameHeader, SourceOptions


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


class Describer(Protocol):
    """Says what an instance is.

    Attributes:
        name: as written on the command line, with its argument.
    """

    name: str

    def describe(
        self, frame: Frame, detections: Sequence[Detection], extents_xyz: NDArray[np.float64]
    ) -> Sequence[Description]:
        """One description a detection.

        `extents_xyz` (n, 3) are their sizes along the world's axes in metres, NaN where unknown.
        """
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
