"""ScanNet's `.sens` stream, version 4.

Source: github.com/ScanNet/ScanNet, SensReader/c++/src/sensorData.h; Dai et al., CVPR 2017. Little-endian: a header
with both cameras, then a frame after the other: camera-to-world (16 float32, -inf where tracking was lost), two
stamps in microseconds (often 0), two sizes, colour (JPEG, PNG or raw), depth (zlib or raw uint16, divided by
depth_shift for metres).

Opening walks over the frames' heads and skips their images, so that any frame can then be read by itself.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import seconds_to_ns
from recall4d.errors import FrameError, GeometryError, RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats
from recall4d.ports import Source
from recall4d.records import DepthImage, Frame, FrameHeader, SourceOptions
from recall4d.sources.common import PoseConvention, in_order, rate_of, synthetic_stamp_ns
from recall4d.sources.files import agent_name
from recall4d.sources.image_folder import StoredDepth, assemble
from recall4d.sources.images import COLOUR_MISSING, COLOUR_UNREADABLE, DEPTH_UNREADABLE, Colour, decode_colour
from recall4d.sources.scannet import RATE_HZ, rig_of

VERSION = 4
NS_PER_US = 1000
COLOUR_CODINGS = {0: "raw", 1: "png", 2: "jpeg"}
DEPTH_CODINGS = {0: "raw", 1: "zlib"}

_MATRICES = struct.Struct("<64f")
_LAYOUT = struct.Struct("<2i4IfQ")
_FRAME = struct.Struct("<16f4Q")


@dataclass(frozen=True, slots=True)
class SensFormat:
    """See the module."""

    name: str = "scannet-sens"

    def recognises(self, path: Path) -> bool:
        """A file *.sens."""
        return path.suffix.lower() == ".sens" and path.is_file()

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`."""
        try:
            with path.open("rb") as file:
                head = _read_head(file, path)
                frames = tuple(_walk(file, head.n_frames))
        except OSError as error:
            raise RecordingError(f"cannot read {path}: {error.strerror}") from error
        if not frames:
            raise RecordingError(f"{path} has no frames: expected {head.n_frames}, the file ends before the first")
        tracked_from_colour, colour_from_depth, notes = rig_of(head.extrinsic_colour, head.extrinsic_depth)
        if missing := head.n_frames - len(frames):
            notes += (f"the file is cut short: {missing} of {head.n_frames} frames left out",)
        frames, stamp_notes = _stamped(frames, options)
        max_skew_ns = seconds_to_ns(options.max_skew_s)
        if late := sum(abs(frame.depth_skew_ns) > max_skew_ns for frame in frames):
            notes += (f"{late} depth images are more than {options.max_skew_s:g} s from their colour: left out",)
        colour_size, depth_size = head.colour_size, head.depth_size
        try:
            intrinsics = Intrinsics.from_matrix(head.intrinsic_colour, *colour_size)
            depth_intrinsics = Intrinsics.from_matrix(head.intrinsic_depth, *depth_size)
        except GeometryError as error:
            raise RecordingError(f"{path}: its header holds no camera: {error}") from error
        if not 0 < head.depth_shift < float("inf"):
            raise RecordingError(f"{path}: expected a positive depth_shift in its header, got {head.depth_shift}")
        unit_m = options.depth_unit_m or 1 / head.depth_shift
        return SensRecording(
            format=self.name,
            agent=agent_name(path),
            notes=notes + stamp_notes,
            path=path,
            head=head,
            frames=frames,
            intrinsics=intrinsics,
            depth=StoredDepth(unit_m, intrinsics=depth_intrinsics, colour_from_depth=colour_from_depth),
            convention=PoseConvention(tracked_from_colour=tracked_from_colour).overridden_by(options),
            max_skew_ns=max_skew_ns,
            stride=options.stride,
        )


class Head(NamedTuple):
    """The file's header: matrices are (4, 4), sizes (width, height)."""

    intrinsic_colour: Floats
    extrinsic_colour: Floats
    intrinsic_depth: Floats
    extrinsic_depth: Floats
    colour_coding: str
    depth_coding: str
    colour_size: tuple[int, int]
    depth_size: tuple[int, int]
    depth_shift: float
    n_frames: int


@dataclass(frozen=True, slots=True, eq=False)
class StoredFrame:
    """A frame's head: where its images start and how long they are, bytes."""

    number: int
    stamp_ns: int
    depth_skew_ns: int
    pose: NDArray[np.float32]
    offset: int
    colour_bytes: int
    depth_bytes: int


@dataclass(kw_only=True, eq=False)
class SensRecording:
    """A `recall4d.ports.Source` over a `.sens` file."""

    format: str
    agent: str | None
    notes: tuple[str, ...]
    path: Path
    head: Head
    frames: tuple[StoredFrame, ...]
    intrinsics: Intrinsics
    depth: StoredDepth
    convention: PoseConvention
    max_skew_ns: int
    stride: int = 1

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        for frame in self.frames[:: self.stride]:
            world_from_camera, why_no_pose = self.convention.read(frame.pose)
            yield FrameHeader(frame.number, frame.stamp_ns, world_from_camera, why_no_pose, frame)

    def load(self, header: FrameHeader, agent: str) -> Frame:
        """See `recall4d.ports.Source`."""
        frame = header.locator
        assert isinstance(frame, StoredFrame), "a header goes back to the source it came from"
        name = f"{self.path} frame {frame.number}"
        try:
            with self.path.open("rb") as file:
                file.seek(frame.offset)
                colour_bytes, depth_bytes = file.read(frame.colour_bytes), file.read(frame.depth_bytes)
        except OSError as error:
            raise FrameError(COLOUR_UNREADABLE, f"{name}: {error.strerror}") from error
        return assemble(
            header, agent, self._colour(colour_bytes, name), self.intrinsics, self._depth(frame, depth_bytes, name)
        )

    def _colour(self, stored: bytes, name: str) -> Colour:
        if not stored:
            raise FrameError(COLOUR_MISSING, name)
        if self.head.colour_coding != "raw":
            return decode_colour(stored, name)
        width, height = self.head.colour_size
        if len(stored) != width * height * 3:
            raise FrameError(COLOUR_UNREADABLE, f"{name}: {len(stored)} bytes for {width}x{height} pixels")
        return Colour(np.frombuffer(stored, dtype=np.uint8).reshape(height, width, 3), None)

    def _depth(self, frame: StoredFrame, stored: bytes, name: str) -> DepthImage | None:
        if not stored or abs(frame.depth_skew_ns) > self.max_skew_ns:
            return None
        width, height = self.head.depth_size
        n_bytes = width * height * 2
        raw = stored
        if self.head.depth_coding == "zlib":
            try:
                # A byte more than expected is enough to notice a foreign payload, and bounds what it unfolds to.
                raw = zlib.decompressobj().decompress(stored, n_bytes + 1)
            except zlib.error as error:
                raise FrameError(DEPTH_UNREADABLE, f"{name}: {error}") from error
        if len(raw) != n_bytes:
            raise FrameError(DEPTH_UNREADABLE, f"{name}: {len(raw)} bytes for {width}x{height} pixels")
        values = np.frombuffer(raw, dtype="<u2").reshape(height, width)
        return self.depth.image(values, self.intrinsics, frame.depth_skew_ns)


def _read_head(file: BinaryIO, path: Path) -> Head:
    """The header.

    Raises:
        RecordingError: of another version, of a coding that is not known, or cut short.
    """
    try:
        (version,) = struct.unpack("<I", file.read(4))
        if version != VERSION:
            raise RecordingError(f"{path}: expected a .sens file of version {VERSION}, got version {version}")
        (name_bytes,) = struct.unpack("<Q", file.read(8))
        file.seek(name_bytes, 1)
        matrices = np.array(_MATRICES.unpack(file.read(_MATRICES.size))).reshape(4, 4, 4)
        colour_coding, depth_coding, cw, ch, dw, dh, depth_shift, n_frames = _LAYOUT.unpack(file.read(_LAYOUT.size))
    except (struct.error, OverflowError, ValueError, OSError) as error:
        raise RecordingError(
            f"{path}: the file ends inside its header: it is cut short, or no .sens file"
        ) from error
    if colour_coding not in COLOUR_CODINGS or depth_coding not in DEPTH_CODINGS:
        raise RecordingError(
            f"{path}: expected colour coding {COLOUR_CODINGS} and depth coding {DEPTH_CODINGS}, "
            f"got {colour_coding} and {depth_coding}"
        )
    return Head(
        intrinsic_colour=matrices[0],
        extrinsic_colour=matrices[1],
        intrinsic_depth=matrices[2],
        extrinsic_depth=matrices[3],
        colour_coding=COLOUR_CODINGS[colour_coding],
        depth_coding=DEPTH_CODINGS[depth_coding],
        colour_size=(cw, ch),
        depth_size=(dw, dh),
        depth_shift=depth_shift,
        n_frames=n_frames,
    )


def _walk(file: BinaryIO, n_frames: int) -> Iterator[StoredFrame]:
    """The heads of the frames that are wholly there."""
    start = file.tell()
    end = file.seek(0, 2)
    file.seek(start)
    for number in range(n_frames):
        head = file.read(_FRAME.size)
        if len(head) < _FRAME.size:
            return
        *pose, colour_us, depth_us, colour_bytes, depth_bytes = _FRAME.unpack(head)
        offset = file.tell()
        if offset + colour_bytes + depth_bytes > end:
            return
        file.seek(offset + colour_bytes + depth_bytes)
        yield StoredFrame(
            number=number,
            stamp_ns=colour_us * NS_PER_US,
            depth_skew_ns=(depth_us - colour_us) * NS_PER_US if colour_us and depth_us else 0,
            pose=np.array(pose, dtype=np.float32).reshape(4, 4),
            offset=offset,
            colour_bytes=colour_bytes,
            depth_bytes=depth_bytes,
        )


def _stamped(
    frames: tuple[StoredFrame, ...], options: SourceOptions
) -> tuple[tuple[StoredFrame, ...], tuple[str, ...]]:
    """The frames by stamp; where all stamps are the same there are none, and 30 Hz is assumed."""
    if len({frame.stamp_ns for frame in frames}) > 1:
        return in_order(frames)
    rate_hz, note = rate_of(options, RATE_HZ)
    return tuple(replace(each, stamp_ns=synthetic_stamp_ns(each.number, rate_hz)) for each in frames), (note,)


FORMAT = SensFormat()
