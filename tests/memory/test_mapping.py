"""Frames without poses are placed on their way in, and a killed ingest goes on in the same map."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from recall4d.errors import FrameError, UsageError
from recall4d.records import FrameHeader
from recall4d.synth import tour

from .films import Film, ingest


class Unposed(Film):
    """A film whose poses were not recorded."""

    def headers(self):
        for header in super().headers():
            yield FrameHeader(header.number, header.stamp_ns, None, "no pose", header.number)

    def load(self, header, agent):
        return replace(super().load(header, agent), world_from_camera=None)


@dataclass
class StepMapper:
    """Joins each frame to the one before, by steps it knows; it forgets everything but that one."""

    steps: dict[int, np.ndarray]
    name: str = "steps"
    overlap: int = 1
    seen: list[int] = field(default_factory=list)
    stop_at: int | None = None
    cannot: tuple[int, ...] = ()

    def place(self, frames):
        last = None
        for frame in frames:
            self.seen.append(frame.number)
            if frame.number == self.stop_at:
                raise RuntimeError("the power went out")
            if frame.world_from_camera is None and frame.number not in self.cannot:
                here = self.steps[frame.number]
                start = here if last is None else last[1] @ np.linalg.inv(self.steps[last[0]]) @ here
                frame = replace(frame, world_from_camera=start)
            if frame.world_from_camera is not None:
                last = (frame.number, frame.world_from_camera)
            yield frame


@pytest.fixture
def steps():
    return dict(enumerate(tour().poses))


def entries(store):
    return {
        entry.description: np.round(entry.now.box.centroid_xyz, 6).tolist() for entry in store.changes().entries
    }


def test_what_is_placed_by_a_mapper_is_where_it_is(tmp_path, steps):
    given, _ = ingest(Film(), tmp_path / "given")
    mapped, report = ingest(Unposed(), tmp_path / "mapped", mapper=StepMapper(steps))

    assert entries(mapped) == entries(given)
    assert report.frames_used == 12
    assert report.stages["map"] >= 0


def test_a_killed_ingest_shows_the_mapper_the_last_frame_again_and_goes_on_in_its_map(tmp_path, steps):
    whole, _ = ingest(Unposed(), tmp_path / "whole", mapper=StepMapper(steps))
    with pytest.raises(RuntimeError, match="power"):
        ingest(Unposed(), tmp_path / "torn", mapper=StepMapper(steps, stop_at=7))
    again = StepMapper(steps)
    torn, report = ingest(Unposed(), tmp_path / "torn", mapper=again)

    assert again.seen[0] == report.frames_known - 1
    assert entries(torn) == entries(whole)


def test_frames_it_cannot_place_are_counted_and_the_others_keep_their_order(tmp_path, steps):
    def spoil(frame):
        if frame.number == 4:
            raise FrameError("colour image unreadable")
        return frame

    store, report = ingest(Unposed(spoil=spoil), tmp_path / "memory", mapper=StepMapper(steps, cannot=(2, 11)))

    assert report.skipped == {"the mapper could not place it": 2, "colour image unreadable": 1}
    assert [number for _, _, number, _ in store.skipped()] == [2, 4, 11]
    assert report.frames_used == 9


def test_frames_that_were_lost_are_tried_again_beside_those_before_them(tmp_path, steps):
    ingest(Unposed(), tmp_path / "memory", mapper=StepMapper(steps, cannot=(5,)))
    again = StepMapper(steps)

    _, report = ingest(Unposed(), tmp_path / "memory", mapper=again)

    assert again.seen == [4, 5]
    assert report.frames_used == 1


def test_a_second_recording_of_the_same_agent_does_not_begin_a_second_map(tmp_path, steps):
    ingest(Unposed(), tmp_path / "memory", mapper=StepMapper(steps))
    later = Unposed(take=tour(n_frames=3, start_ns=10**12))

    with pytest.raises(UsageError, match="take it in as another agent"):
        ingest(later, tmp_path / "memory", mapper=StepMapper(steps))


def test_without_a_mapper_frames_without_poses_are_skipped_unread(tmp_path):
    _, report = ingest(Unposed(), tmp_path / "memory")

    assert report.skipped == {"no pose": 12}
