"""Record3D's `.r3d`: a zip of `metadata` (JSON) and `rgbd/{N.jpg, N.depth, N.conf}`.

Source: github.com/marek-simonik/record3d, and the readers in github.com/concept-graphs/concept-graphs
(preprocess_r3d_file.py) and github.com/codekansas/usa. `poses` are [qx qy qz qw tx ty tz], camera-to-world with
OpenGL axes in ARKit's Y-up world. `K` is column-major and belongs to the colour image; `perFrameIntrinsicCoeffs`,
where there are any, are [fx fy cx cy] of each frame. Depth is float32 metres, compressed with LZFSE, of a lower
resolution (192x256 LiDAR, 480x640 TrueDepth); confidence is 0, 1 or 2, and depth of confidence 0 is unknown.

Needs the extra `record3d`, for LZFSE.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, TypeAdapter, ValidationError

from recall4d.clock import seconds_to_ns
from recall4d.errors import FrameError, GeometryError, MissingExtraError, RecordingError
from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats, pose_from_quaternion
from recall4d.ports import Source
from recall4d.records import DepthImage, Frame, FrameHeader, SourceOptions
from recall4d.sources.common import (
    NO_POSE,
    POSE_NOT_A_ROTATION,
    POSE_NOT_FINITE,
    PoseConvention,
    in_order,
    rate_of,
    synthetic_stamp_ns,
)
from recall4d.sources.files import Finite, Positive, PositiveInt, agent_name
from recall4d.sources.image_folder import StoredDepth, assemble
from recall4d.sources.images import COLOUR_MISSING, COLOUR_UNREADABLE, DEPTH_UNREADABLE, decode_colour

RATE_HZ = 30.0
MIN_CONFIDENCE = 1

ScalarT = TypeVar("ScalarT", np.float32, np.uint8)

_BROKEN_ZIP = (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


class _Metadata(BaseModel):
    w: PositiveInt
    h: PositiveInt
    dw: PositiveInt
    dh: PositiveInt
    K: tuple[Finite, Finite, Finite, Finite, Finite, Finite, Finite, Finite, Finite]
    poses: list[tuple[float, float, float, float, float, float, float] | None] = []
    frameTimestamps: list[Finite] = []  # noqa: N815 - as Record3D spells it
    perFrameIntrinsicCoeffs: list[tuple[Positive, Positive, Finite, Finite]] | None = None  # noqa: N815
    fps: Positive | None = None


@dataclass(frozen=True, slots=True)
class Record3dFormat:
    """See the module."""

    name: str = "record3d"

    def recognises(self, path: Path) -> bool:
        """A file *.r3d."""
        return path.suffix.lower() == ".r3d" and path.is_file()

    def open(self, path: Path, options: SourceOptions) -> Source:
        """See `recall4d.ports.SourceFormat`.

        Raises:
            MissingExtraError: LZFSE is not installed.
        """
        decompress = _lzfse()
        try:
            archive = zipfile.ZipFile(path)
        except _BROKEN_ZIP as error:
            raise RecordingError(f"cannot read {path} as a .r3d file, which is a zip: {error}") from error
        metadata = _read_metadata(archive, path)
        names = {name for name in archive.namelist() if name.startswith("rgbd/")}
        numbers = sorted(int(match.group(1)) for name in names if (match := re.fullmatch(r"rgbd/(\d+)\.jpg", name)))
        if not numbers:
            raise RecordingError(f"{path} has no frames: expected rgbd/0.jpg, rgbd/1.jpg, ...")
        shots, notes = _stamped(numbers, metadata, options)
        return Record3dRecording(
            format=self.name,
            agent=agent_name(path),
            notes=notes,
            archive=archive,
            names=frozenset(names),
            shots=shots,
            metadata=metadata,
            intrinsics=tuple(_cameras(metadata, path)),
            depth=StoredDepth(options.depth_unit_m or 1.0, min_confidence=MIN_CONFIDENCE),
            convention=PoseConvention(camera_axes="opengl", up_axis="y").overridden_by(options),
            decompress=decompress,
            stride=options.stride,
        )


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame of the archive."""

    number: int
    stamp_ns: int


@dataclass(kw_only=True, eq=False)
class Record3dRecording:
    """A `recall4d.ports.Source` over a `.r3d` file, which stays open; frames are read from it one at a time.

    Attributes:
        names: of the archive's members below rgbd/.
        shots: by stamp, strictly increasing.
        intrinsics: of the colour camera: one, or one a frame by its number.
        decompress: LZFSE.
    """

    format: str
    agent: str | None
    notes: tuple[str, ...]
    archive: zipfile.ZipFile
    names: frozenset[str]
    shots: tuple[Shot, ...]
    metadata: _Metadata
    intrinsics: tuple[Intrinsics, ...]
    depth: StoredDepth
    convention: PoseConvention
    decompress: Callable[[bytes], bytes]
    stride: int = 1

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        poses = self.metadata.poses
        for shot in self.shots[:: self.stride]:
            given = poses[shot.number] if shot.number < len(poses) else None
            world_from_camera, why_no_pose = self.convention.read(_stored_pose(given))
            yield FrameHeader(shot.number, shot.stamp_ns, world_from_camera, why_no_pose, shot)

    def load(self, header: FrameHeader, agent: str) -> Frame:
        """See `recall4d.ports.Source`."""
        stem = f"rgbd/{header.number}"
        encoded = self._member(f"{stem}.jpg", COLOUR_UNREADABLE)
        if encoded is None:
            raise FrameError(COLOUR_MISSING, stem)
        colour = decode_colour(encoded, f"{self.archive.filename} {stem}.jpg")
        intrinsics = self.intrinsics[min(header.number, len(self.intrinsics) - 1)]
        return assemble(header, agent, colour, intrinsics, self._depth(stem, intrinsics))

    def _depth(self, stem: str, intrinsics: Intrinsics) -> DepthImage | None:
        z_m = self._array(f"{stem}.depth", np.float32)
        if z_m is None:
            return None
        return self.depth.image(z_m, intrinsics, confidence=self._array(f"{stem}.conf", np.uint8))

    def _array(self, name: str, dtype: type[ScalarT]) -> NDArray[ScalarT] | None:
        """The (dh, dw) values of a member; None where there is no such member."""
        stored = self._member(name, DEPTH_UNREADABLE)
        if stored is None:
            return None
        height, width = self.metadata.dh, self.metadata.dw
        n_bytes = height * width * np.dtype(dtype).itemsize
        if len(stored) != n_bytes:
            stored = self.decompress(stored)
        if len(stored) != n_bytes:
            raise FrameError(DEPTH_UNREADABLE, f"{name}: {len(stored)} bytes for {width}x{height} pixels")
        return np.frombuffer(stored, dtype=dtype).reshape(height, width)

    def _member(self, name: str, unreadable: str) -> bytes | None:
        if name not in self.names:
            return None
        try:
            return self.archive.read(name)
        except _BROKEN_ZIP as error:
            raise FrameError(unreadable, f"{self.archive.filename} {name}: {error}") from error


def _lzfse() -> Callable[[bytes], bytes]:
    """Decompression that returns nothing for what is not LZFSE, so that its length is wrong.

    Raises:
        MissingExtraError: see `Record3dFormat.open`.
    """
    try:
        import liblzfse
    except ImportError as error:
        raise MissingExtraError("pyliblzfse", "record3d", "reading the depth of a .r3d file") from error

    def decompress(stored: bytes) -> bytes:
        try:
            return bytes(liblzfse.decompress(stored))
        except liblzfse.error:
            return b""

    return decompress


def _read_metadata(archive: zipfile.ZipFile, path: Path) -> _Metadata:
    try:
        return TypeAdapter(_Metadata).validate_json(archive.read("metadata"))
    except KeyError as error:
        raise RecordingError(f"{path} has no member 'metadata': it is no .r3d file of Record3D") from error
    except _BROKEN_ZIP as error:
        raise RecordingError(f"{path}: cannot read its metadata: {error}") from error
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the whole"
        raise RecordingError(
            f"{path}: metadata: {where}: {fault['msg']}, got {repr(fault['input'])[:80]}"
        ) from error


def _cameras(metadata: _Metadata, path: Path) -> Iterator[Intrinsics]:
    try:
        if metadata.perFrameIntrinsicCoeffs:
            for fx, fy, cx, cy in metadata.perFrameIntrinsicCoeffs:
                yield Intrinsics(metadata.w, metadata.h, fx, fy, cx, cy)
        else:
            matrix = np.array(metadata.K).reshape(3, 3).T
            yield Intrinsics.from_matrix(matrix, metadata.w, metadata.h)
    except GeometryError as error:
        raise RecordingError(f"{path}: metadata: {error}") from error


def _stored_pose(given: tuple[float, ...] | None) -> Floats | str:
    if given is None:
        return NO_POSE
    if not np.isfinite(given).all():
        return POSE_NOT_FINITE
    try:
        return pose_from_quaternion(given[:4], given[4:])
    except GeometryError:
        return POSE_NOT_A_ROTATION


def _stamped(
    numbers: list[int], metadata: _Metadata, options: SourceOptions
) -> tuple[tuple[Shot, ...], tuple[str, ...]]:
    """Frames by stamp, and notes; where a frame has no stamp none is used, and the frame rate is."""
    stamps_s = metadata.frameTimestamps
    if numbers[-1] < len(stamps_s):
        return in_order(Shot(number, seconds_to_ns(stamps_s[number])) for number in numbers)
    rate_hz, note = rate_of(options, metadata.fps or RATE_HZ)
    return tuple(Shot(number, synthetic_stamp_ns(number, rate_hz)) for number in numbers), (note,)


FORMAT = Record3dFormat()
