"""A synthetic recording before it is written, and the faults it may be given."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats
from recall4d.ports import SourceFormat
from recall4d.synth import Take, View, kitchen, render, tour

COLOUR_CAMERA = Intrinsics(160, 120, 130.0, 131.0, 78.5, 61.0)
"""Not centred and not square, so that nothing may be guessed."""

IDENTITY = np.eye(4)

Fault = Literal[
    "colour missing",
    "colour truncated",
    "depth missing",
    "depth truncated",
    "depth blank",
    "pose missing",
    "pose nan",
    "pose inf",
    "pose mirrored",
    "masks of another size",
]
FAULTS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True)
class Footage:
    """The kitchen filmed; frames are numbered from 0.

    Attributes:
        take: the camera's true way.
        faults: what is wrong, by frame.
        intrinsics: of the colour camera.
    """

    take: Take = field(default_factory=lambda: tour(5, start_ns=1_760_000_000_123_000_000))
    faults: dict[int, Fault] = field(default_factory=dict)
    intrinsics: Intrinsics = COLOUR_CAMERA

    def __len__(self) -> int:
        return len(self.take.stamps_ns)

    def stamp_ns(self, k: int) -> int:
        return int(self.take.stamps_ns[k])

    def true_pose(self, k: int) -> Floats:
        """The colour camera's `world_from_camera` (4, 4), OpenCV axes, Z up."""
        return np.asarray(self.take.poses[k])

    def pose(
        self, k: int, native_from_world: Floats = IDENTITY, colour_from_native: Floats = IDENTITY
    ) -> Floats | None:
        """The pose to write: the true one in the format's own convention, or as its fault says.

        Args:
            k: the frame.
            native_from_world: to the format's world axes.
            colour_from_native: from the format's camera axes, or from the camera whose poses it keeps.

        Returns:
            (4, 4), or None: leave it out.
        """
        native = native_from_world @ self.true_pose(k) @ colour_from_native
        match self.faults.get(k):
            case "pose missing":
                return None
            case "pose nan":
                return np.full((4, 4), np.nan)
            case "pose inf":
                return np.full((4, 4), -np.inf)
            case "pose mirrored":
                return native @ np.diag([1.0, -1.0, 1.0, 1.0])
        return native

    def view(self, k: int, intrinsics: Intrinsics | None = None, colour_from_camera: Floats | None = None) -> View:
        """What a camera on the rig sees; the colour camera, unless told otherwise."""
        world_from_camera = self.true_pose(k) @ (IDENTITY if colour_from_camera is None else colour_from_camera)
        return _view(intrinsics or self.intrinsics, world_from_camera.tobytes())

    def jpeg(self, k: int) -> bytes | None:
        """The colour image to write; None: leave it out."""
        return self._colour(k, "JPEG", quality=95)

    def png(self, k: int) -> bytes | None:
        """The colour image to write; None: leave it out."""
        return self._colour(k, "PNG")

    def depth(
        self, k: int, unit_m: float, intrinsics: Intrinsics | None = None, colour_from_depth: Floats | None = None
    ) -> NDArray[np.uint16] | None:
        """Depth in stored units, 0 unknown, of a depth camera on the rig; None: leave it out."""
        if self.faults.get(k) == "depth missing":
            return None
        depth_m = self.view(k, intrinsics, colour_from_depth).depth_m
        raw = np.rint(np.nan_to_num(depth_m) / unit_m).astype(np.uint16)
        return raw * np.uint16(self.faults.get(k) != "depth blank")

    def depth_png(
        self, k: int, unit_m: float, intrinsics: Intrinsics | None = None, colour_from_depth: Floats | None = None
    ) -> bytes | None:
        """`depth` as a 16-bit PNG."""
        raw = self.depth(k, unit_m, intrinsics, colour_from_depth)
        return None if raw is None else self.cut(k, "depth truncated", png16(raw))

    def ids_png(self, k: int) -> bytes:
        """The instance ids as a 16-bit PNG."""
        ids = self.view(k).ids
        return png16(ids[::2, ::2] if self.faults.get(k) == "masks of another size" else ids)

    def cut(self, k: int, fault: Fault, encoded: bytes) -> bytes:
        """`encoded`, or its first half if frame `k` has that fault."""
        return encoded[: len(encoded) // 2] if self.faults.get(k) == fault else encoded

    def _colour(self, k: int, format: str, **how: int) -> bytes | None:
        if self.faults.get(k) == "colour missing":
            return None
        file = io.BytesIO()
        Image.fromarray(self.view(k).rgb).save(file, format, **how)
        return self.cut(k, "colour truncated", file.getvalue())


@dataclass(frozen=True)
class Writer:
    """A way to write footage.

    Attributes:
        format: that must read it.
        write: (an empty folder, footage) -> what to open.
        cannot: faults that the format has no way to hold.
        has_stamps: the format keeps stamps; if not, they are made up.
        camera: a colour camera that the format can describe.
    """

    format: SourceFormat
    write: Callable[[Path, Footage], Path]
    cannot: frozenset[Fault] = frozenset()
    has_stamps: bool = False
    camera: Intrinsics = COLOUR_CAMERA

    def footage(self, faults: dict[int, Fault] | None = None) -> Footage:
        """Footage by a camera that the format can describe."""
        return Footage(faults=faults or {}, intrinsics=self.camera)

    @property
    def faults(self) -> list[Fault]:
        return [fault for fault in FAULTS if fault not in self.cannot]


registered: dict[str, Writer] = {}


def writes(
    format: SourceFormat,
    *,
    name: str | None = None,
    cannot: tuple[Fault, ...] = ("masks of another size",),
    has_stamps: bool = False,
    camera: Intrinsics = COLOUR_CAMERA,
) -> Callable[[Callable[[Path, Footage], Path]], Callable[[Path, Footage], Path]]:
    """Registers the writer of a format, or of one flavour of it with a `name` of its own."""

    def register(write: Callable[[Path, Footage], Path]) -> Callable[[Path, Footage], Path]:
        registered[name or format.name] = Writer(format, write, frozenset(cannot), has_stamps, camera)
        return write

    return register


def put(path: Path, content: bytes | str | None) -> None:
    """Writes a file and the folders above it; None leaves it out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def png16(values: NDArray[np.uint16]) -> bytes:
    """A 16-bit grey PNG."""
    file = io.BytesIO()
    Image.fromarray(values).save(file, "PNG")
    return file.getvalue()


def numbers(matrix: Floats | None, separator: str = " ") -> str | None:
    """A matrix as text, row by row; None stays None."""
    if matrix is None:
        return None
    return "\n".join(separator.join(f"{value:.9f}" for value in row) for row in matrix) + "\n"


@cache
def _view(intrinsics: Intrinsics, world_from_camera: bytes) -> View:
    return render(kitchen(), intrinsics, np.frombuffer(world_from_camera).reshape(4, 4))
