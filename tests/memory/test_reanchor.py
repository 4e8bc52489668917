"""A map that moves: observations hang on frames, so a corrected trajectory moves them without any image."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recall4d.errors import UsageError
from recall4d.geometry.pose import inverse, pose_from_axis_angle
from recall4d.synth import Take

from .scenes import CUP, TOP_M, S, Scene, kinds, off_m, only, remember, room, visits


def drifting(take: Take, metres: float, degrees: float) -> Take:
    """The take as a tracker reports it that loses this much in the course of it, evenly."""
    share = np.linspace(0.0, 1.0, len(take.stamps_ns))
    off = [pose_from_axis_angle((0, 0, np.radians(s * degrees)), (s * metres, -s * metres / 2, 0.0)) for s in share]
    return replace(take, reported=np.stack(off) @ take.poses)


def corrected(take: Take) -> dict[int, np.ndarray]:
    """The true poses by stamp."""
    return dict(zip(take.stamps_ns.tolist(), take.poses, strict=True))


def test_after_a_correction_everything_is_where_it_is_and_nothing_moved(tmp_path):
    """A jump in the middle, as after a lost track: the cup seems to have gone half a metre to the side."""
    take = visits(0, 60)
    wrong = take.poses.copy()
    wrong[6:, 0, 3] += 0.5
    memory = remember(tmp_path, Scene(room(CUP), replace(take, reported=wrong)))
    assert ("moved", "red cup") in kinds(memory.events())

    report = memory.reanchor("alpha", corrected(take))
    assert report.observations_reassigned > 0
    assert report.observations == 3 * 12
    assert off_m(only(memory.entries(), "red cup"), CUP, 0) < 0.02
    assert len(memory.entries()) == 3
    assert memory.events() == ()


def test_a_slow_drift_is_taken_back(tmp_path):
    take = drifting(visits(0, 20, 40, n_frames=8), metres=0.6, degrees=6.0)
    memory = remember(tmp_path, Scene(room(CUP), take))
    assert off_m(only(memory.entries(), "red cup"), CUP, 0) > 0.1
    memory.reanchor("alpha", corrected(take))
    assert off_m(only(memory.entries(), "red cup"), CUP, 0) < 0.02


def test_it_is_as_if_the_recording_had_come_with_these_poses(tmp_path):
    cup = CUP.then(30 * S, (2.5, 3.1, TOP_M))
    take = drifting(visits(0, 60), metres=0.4, degrees=5.0)
    drifted, exact = (
        remember(tmp_path / "drifted", Scene(room(cup), take)),
        remember(tmp_path / "exact", Scene(room(cup), replace(take, reported=None))),
    )
    drifted.reanchor("alpha", corrected(take))
    assert kinds(drifted.events()) == kinds(exact.events()) == [("moved", "red cup")]
    for entry, expected in zip(drifted.entries(), exact.entries(), strict=True):
        assert (entry.entry_id, entry.sightings) == (expected.entry_id, expected.sightings)
        # A hull is exact along the axes it was taken in; turned, it may lose a little.
        assert entry.now.box.centroid_xyz == pytest.approx(expected.now.box.centroid_xyz, abs=0.01)


def test_no_image_is_read(tmp_path):
    """The pictures that the memory keeps are gone, and the recording was never on disk."""
    take = drifting(visits(0, n_frames=8), metres=0.3, degrees=3.0)
    memory = remember(tmp_path, Scene(room(CUP), take))
    pictures = list(tmp_path.rglob("*.jpg"))
    assert pictures
    for path in pictures:
        path.unlink()
    memory.reanchor("alpha", corrected(take))
    assert off_m(only(memory.entries(), "red cup"), CUP, 0) < 0.02


def test_frames_that_no_correction_is_given_for_stay_where_they_are(tmp_path):
    take = visits(0, 60)
    wrong = take.poses.copy()
    wrong[6:, 0, 3] += 0.5
    memory = remember(tmp_path, Scene(room(CUP), replace(take, reported=wrong)))
    memory.reanchor("alpha", dict(list(corrected(take).items())[6:]))
    assert off_m(only(memory.entries(), "red cup"), CUP, 0) < 0.02
    assert memory.events() == ()


def test_poses_are_in_the_frame_that_the_agents_recording_came_in(tmp_path):
    """Bravo's map lies elsewhere; once aligned, corrections of its trajectory are still given in its own map."""
    bravo_from_world = pose_from_axis_angle((0, 0, np.radians(50.0)), (5.0, 1.0, 0.0))
    take = visits(60, n_frames=8, agent="bravo")
    own = bravo_from_world @ take.poses
    memory = remember(
        tmp_path,
        Scene(room(CUP), visits(0, n_frames=8)),
        Scene(room(CUP), replace(take, reported=own)),
        shares_world=False,
    )
    memory.align({"bravo": inverse(bravo_from_world)})
    before = memory.entries()
    assert only(before, "red cup").agents == ("alpha", "bravo")
    memory.reanchor("bravo", dict(zip(take.stamps_ns.tolist(), own, strict=True)))
    for entry, same in zip(memory.entries(), before, strict=True):
        assert entry.entry_id == same.entry_id
        assert entry.now.box.centroid_xyz == pytest.approx(same.now.box.centroid_xyz, abs=1e-6)


def test_a_correction_is_for_a_known_agent_and_known_frames(tmp_path):
    memory = remember(tmp_path, Scene(room(CUP), visits(0)))
    with pytest.raises(UsageError, match="alpha"):
        memory.reanchor("charlie", {0: np.eye(4)})
    with pytest.raises(UsageError, match="stamp"):
        memory.reanchor("alpha", {123: np.eye(4)})
