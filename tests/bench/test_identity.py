"""Scoring identity: two equal mugs of which one moves, a box put before a toy, and memories that get it wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recall4d.bench.changes import FOREVER_NS, TrueFrame, TrueState, TrueWorld, TrueWorldline
from recall4d.bench.identity import Stop, Track, score_identity, tracks_of, tracks_of_document
from recall4d.cli.documents import entries_document
from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics
from recall4d.synth import Thing

from ..memory.scenes import CUP, TOP_M, S, only, watch

TABLE, DESK, BESIDE, SHELF = (1.0, 2.0, 0.8), (4.0, 2.0, 0.8), (1.25, 2.0, 0.8), (0.0, 0.0, 1.5)
CAMERA = Intrinsics(640, 480, 500.0, 500.0, 319.5, 239.5)


def at(xyz, from_s=0, to_s=None):
    box = None if xyz is None else Box.from_arrays(np.subtract(xyz, 0.05), np.add(xyz, 0.05))
    return TrueState(from_s * S, FOREVER_NS if to_s is None else to_s * S, box)


def line(number, name, *states):
    return TrueWorldline(number, (f"old {name}", name), states)


class Seen(TrueFrame):
    """A frame that shows everything, and looks at every place."""

    def sees(self, thing_id):
        return True

    def looks_at(self, box):
        return True

    def looks_in_vain_at(self, box):
        return False


def world(*lines):
    frames = [Seen("alpha", t * S, {}, np.eye(4), Path(), CAMERA, 0.001) for t in (10, 60, 110)]
    return TrueWorld(lines, tuple(frames))


def track(description, *places, name=None):
    """An entry that is at each of the places in turn; None: it is gone from the one before."""
    stops = []
    for i, place in enumerate(places):
        stops.append(Stop(50 * i * S, places[i - 1] if place is None else place, place is not None))
    return Track(name or f"{description} {places}", description, tuple(stops))


MOVES = line(1, "red mug", at(TABLE, 0, 50), at(DESK, 50))
STAYS = line(2, "red mug", at(BESIDE))
PAIR = world(MOVES, STAYS)
RIGHT = [track("red mug", TABLE, DESK), track("red mug", BESIDE)]


def test_one_entry_before_and_after_is_kept():
    score = score_identity(RIGHT, PAIR)
    assert (score.n_moved, score.kept, score.broken) == (1, 1, ())
    assert (score.n_lookalikes, score.confused) == (1, ())


@pytest.mark.parametrize(
    "tracks",
    [
        pytest.param([track("red mug", TABLE, None), track("red mug", DESK), RIGHT[1]], id="two entries"),
        pytest.param([RIGHT[1]], id="none"),
        pytest.param([track("red mug", DESK, TABLE), RIGHT[1]], id="the other way round"),
        pytest.param([track("white vase", TABLE, DESK), RIGHT[1]], id="of something else"),
    ],
)
def test_a_thing_whose_entry_does_not_come_along_is_broken(tracks):
    score = score_identity(tracks, PAIR)
    assert (score.kept, score.broken) == (0, ("old red mug",))
    assert score.confused == ("old red mug",)


@pytest.mark.parametrize(
    "stayed",
    [
        pytest.param([], id="it has no entry"),
        pytest.param([track("red mug", BESIDE, None)], id="it is held to be gone"),
        pytest.param([track("red mug", BESIDE, SHELF)], id="it is held to have moved"),
        pytest.param([track("red mug", BESIDE), track("red mug", BESIDE, name="again")], id="it has two"),
    ],
)
def test_lookalikes_are_confused_when_the_one_that_stayed_is_wrong(stayed):
    score = score_identity([RIGHT[0], *stayed], PAIR)
    assert score.kept == 1
    assert score.confused == ("old red mug",)


def test_a_thing_without_a_double_is_no_lookalike():
    assert score_identity(RIGHT[:1], world(MOVES)).n_lookalikes == 0


def test_returned_to_its_place_it_is_the_same():
    back = world(line(1, "red mug", at(TABLE, 0, 50), at(None, 50, 100), at(TABLE, 100)))
    assert score_identity([track("red mug", TABLE, None, TABLE)], back).kept == 1
    assert score_identity([track("red mug", TABLE, None), track("red mug", TABLE)], back).kept == 0


def test_what_is_hidden_must_not_be_gone():
    class Covered(Seen):
        def sees(self, thing_id):
            return thing_id == 2 or self.stamp_ns < 50 * S

        def looks_in_vain_at(self, box):
            return True

    toy, box = line(1, "blue toy", at(TABLE)), line(2, "big box", at(None, 0, 50), at(BESIDE, 50))
    frames = tuple(Covered(f.agent, f.stamp_ns, {}, np.eye(4), Path(), CAMERA, 0.001) for f in PAIR.frames)
    hidden = TrueWorld((toy, box), frames)
    assert score_identity([track("blue toy", TABLE)], hidden).lost == ()
    assert score_identity([track("blue toy", TABLE, None)], hidden).lost == ("old blue toy",)
    assert score_identity([], hidden).lost == ("old blue toy",)
    assert score_identity([], hidden).n_hidden == 1


def test_entries_and_their_document_give_the_same_tracks(tmp_path):
    vase = Thing.resting("vase", "white vase", (240, 240, 240), (0.1, 0.1, 0.3), (2.0, 3.3, TOP_M))
    memory = watch(tmp_path, CUP.then(30 * S, (2.4, 3.1, TOP_M)), vase)
    tracks = tracks_of(memory.entries())
    assert tracks_of_document(entries_document(memory.snapshot())) == tracks
    moved = next(each for each in tracks if each.description == "red cup")
    assert [stop.present for stop in moved.stops] == [True, True]
    assert moved.entry_id == only(memory.entries(), "red cup").entry_id
    assert moved.stops[0].from_ns == 0
