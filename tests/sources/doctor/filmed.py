"""Recordings for the doctor: one that is right, and the same one misread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import Floats
from recall4d.ports import Source
from recall4d.records import DepthImage, Frame, FrameHeader
from recall4d.synth import Take, frames, kitchen, tour

START_NS = 1_760_000_000_000_000_000
CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)

HAND_HELD = tour(20, start_ns=START_NS)

PoseChange = Callable[[Floats], Floats]
StampChange = Callable[[int], int]
FrameChange = Callable[[Frame], Frame]


@dataclass
class Filmed:
    """The synthetic kitchen, filmed at 2 Hz.

    Attributes:
        take: the camera's way; by default that of one held by a hand.
        unit_m: of the depth as it is stored.
    """

    take: Take = field(default_factory=lambda: HAND_HELD)
    unit_m: float = 0.001
    format: str = "filmed"
    agent: str | None = None
    notes: tuple[str, ...] = ()

    def headers(self) -> Iterator[FrameHeader]:
        for k, frame in enumerate(self._film):
            yield FrameHeader(frame.number, frame.stamp_ns, frame.world_from_camera, locator=k)

    def load(self, header: FrameHeader, agent: str) -> Frame:
        frame = self._film[header.locator]
        assert frame.depth is not None
        stored = np.rint(frame.depth.z_m / self.unit_m).astype(np.float32)
        depth = replace(frame.depth, z_m=stored * np.float32(self.unit_m))
        return replace(frame, agent=agent, world_from_camera=header.world_from_camera, depth=depth)

    @cached_property
    def _film(self) -> list[Frame]:
        return _hand_held() if self.take is HAND_HELD else list(frames(kitchen(), CAMERA, self.take))


@dataclass
class Misread:
    """A recording with something changed on the way: what a wrong reader, or a broken file, would give.

    Attributes:
        source: the recording as it is.
        pose: what becomes of `world_from_camera`.
        stamp: what becomes of a stamp.
        frame: what becomes of a decoded frame; it may raise.
        keep: which headers, by their place, are there at all.
    """

    source: Source
    pose: PoseChange = lambda pose: pose
    stamp: StampChange = lambda stamp_ns: stamp_ns
    frame: FrameChange = lambda frame: frame
    keep: Callable[[int], bool] = lambda place: True
    format: str = "misread"
    agent: str | None = None
    notes: tuple[str, ...] = field(default=("30 Hz assumed",))

    def headers(self) -> Iterator[FrameHeader]:
        for place, header in enumerate(self.source.headers()):
            pose = header.world_from_camera
            if self.keep(place):
                changed = None if pose is None else self.pose(pose)
                yield replace(
                    header, stamp_ns=self.stamp(header.stamp_ns), world_from_camera=changed, locator=header
                )

    def load(self, header: FrameHeader, agent: str) -> Frame:
        original = header.locator
        assert isinstance(original, FrameHeader)
        return self.frame(replace(self.source.load(original, agent), world_from_camera=header.world_from_camera))


def with_depth(change: Callable[[DepthImage], DepthImage | None]) -> FrameChange:
    """Changes a frame's depth image."""
    return lambda frame: replace(frame, depth=None if frame.depth is None else change(frame.depth))


def depth_times(factor: float) -> FrameChange:
    """Depth read with a unit `factor` times too large."""
    return with_depth(lambda depth: replace(depth, z_m=depth.z_m * np.float32(factor)))


def depth_moved(right: int, down: int) -> FrameChange:
    """Depth that lies some pixels beside its image."""
    return with_depth(lambda depth: replace(depth, z_m=np.roll(depth.z_m, (down, right), axis=(0, 1))))


@cache
def _hand_held() -> list[Frame]:
    return list(frames(kitchen(), CAMERA, HAND_HELD))
