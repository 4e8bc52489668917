"""The recordings that benchmarks read, and memories that vanish after use."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from recall4d import Memory
from recall4d.clock import seconds_to_ns
from recall4d.ports import Source
from recall4d.records import Frame, FrameHeader
from recall4d.sources import open_recording

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
RED_KITCHEN = SHARED / "data" / "red_kitchen"
HOUSE_4D = SHARED / "data" / "house_4d"
DEMO_HOUSE = REPOSITORY / "examples" / "demo_house"
YOLO_SEG = SHARED / "models" / "yolov8n-seg_int8.tflite"


class MissingError(Exception):
    """A file that a benchmark needs is not on this machine."""


def present(path: Path) -> Path:
    """The path, if there is something.

    Raises:
        MissingError: there is not.
    """
    if not path.exists():
        raise MissingError(f"{path} is not on this machine")
    return path


class Borrowed:
    """A `recall4d.ports.Source` that gives the frames of another one."""

    def __init__(self, recording: Path) -> None:
        self.source: Source = open_recording(present(recording))
        self.format, self.agent, self.notes = self.source.format, self.source.agent, self.source.notes

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        return self.source.headers()

    def load(self, header: FrameHeader, agent: str) -> Frame:
        """See `recall4d.ports.Source`."""
        return self.source.load(header, agent)


class FirstSeconds(Borrowed):
    """A recording up to `until_s` after its first frame."""

    def __init__(self, recording: Path, until_s: float) -> None:
        super().__init__(recording)
        self.until_ns = seconds_to_ns(until_s)

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        first_ns: int | None = None
        for header in super().headers():
            first_ns = header.stamp_ns if first_ns is None else first_ns
            if header.stamp_ns - first_ns > self.until_ns:
                return
            yield header


class Repeated(Borrowed):
    """A recording several times over, one second between the last frame and the next first one."""

    def __init__(self, recording: Path, times: int) -> None:
        super().__init__(recording)
        self.times = times

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        headers = list(super().headers())
        lap_ns = headers[-1].stamp_ns - headers[0].stamp_ns + seconds_to_ns(1)
        lap_frames = headers[-1].number + 1
        for lap in range(self.times):
            for header in headers:
                yield replace(
                    header, stamp_ns=header.stamp_ns + lap * lap_ns, number=header.number + lap * lap_frames
                )


@contextmanager
def temporary_memory() -> Iterator[Memory]:
    """A new memory in a temporary directory, on the disk that temporary files lie on."""
    with tempfile.TemporaryDirectory(prefix="recall4d-bench-") as directory, Memory.open(directory) as memory:
        yield memory
