"""Folding everything again from the facts gives what folding on the way in gave, whatever happened and when."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from recall4d import Memory
from recall4d.synth import Stay, Thing

from .films import PlainDescriber
from .scenes import TOP_M, S, Scene, kinds, remember, room, visits

PLACES = [
    *((x, y, TOP_M) for x in (1.4, 2.0, 2.6) for y in (3.0, 3.4)),  # on the table
    *((0.3, y, 0.5) for y in (2.0, 2.4, 2.8)),  # on the shelf
    *((x, 2.2, 0.0) for x in (1.2, 1.9, 2.6)),  # on the floor
]
KINDS = [
    ("cup", "red cup", (0.14, 0.14, 0.16)),
    ("cup", "red cup", (0.14, 0.14, 0.16)),
    ("bottle", "green bottle", (0.12, 0.12, 0.3)),
    ("book", "thick blue book", (0.3, 0.25, 0.1)),
    ("box", "brown box", (0.3, 0.3, 0.25)),
]

SLOW = settings(max_examples=10, phases=[Phase.explicit, Phase.generate])
"""Every example is filmed and taken in: few of them, and no search for a smaller one."""

TOLERANCE_M = 0.005
"""Boxes may differ by what the order of sums leaves, and by which views a bounded sample keeps."""


@st.composite
def histories(draw):
    """Things that are put elsewhere or taken away at times, never two in one place; and who came when."""
    n_things = draw(st.integers(1, len(KINDS)))
    places = draw(st.permutations(PLACES))
    things = []
    for i, (category, text, size_xyz) in enumerate(KINDS[:n_things]):
        thing = Thing.resting(category, text, (100, 100, 100), size_xyz, places[i])
        for change_s in sorted(draw(st.sets(st.sampled_from([15, 35]), max_size=2))):
            thing = thing.then(change_s * S, draw(st.sampled_from([None, places[i], places[n_things + i]])))
        things.append(thing)
    starts = st.sets(st.sampled_from([0, 20, 40]), min_size=1).map(sorted)
    return things, draw(starts), draw(starts)


def told(memory: Memory):
    """What a user sees of a memory, in a fixed order and without the names of entries."""
    entries = sorted(
        (
            entry.description,
            entry.n_observations,
            entry.agents,
            tuple((s.agent, s.from_ns, s.to_ns) for s in entry.sightings),
            tuple((s.visibility, s.interval.from_ns) for s in entry.states),
            entry.motion,
        )
        for entry in memory.entries()
    )
    return entries, sorted((e.kind, e.description, e.after_ns, e.before_ns, e.agent) for e in memory.events())


def boxes(memory: Memory):
    """(n, 6) corners of the entries' boxes, in a fixed order."""
    rows = [(e.description, *e.now.box.min_xyz, *e.now.box.max_xyz, *e.sightings) for e in memory.entries()]
    rows.sort(key=lambda row: (row[0], row[7:][0].from_ns, np.round(row[1:7], 2).tolist()))
    return np.array([row[1:7] for row in rows])


@given(histories())
@SLOW
def test_rebuilding_changes_nothing(history):
    """Alpha's visits go in first, then bravo's, which lie between them; rebuilding takes all in order of time."""
    things, alphas, bravos = history
    directory = Path(tempfile.mkdtemp())
    try:
        world = room(*things)
        bravo = visits(*[start + 6 for start in bravos], n_frames=4, agent="bravo")
        memory = remember(directory, Scene(world, visits(*alphas, n_frames=4)), Scene(world, bravo))
        before, before_boxes = told(memory), boxes(memory)
        report = memory.rebuild()
        assert report.observations == sum(entry.n_observations for entry in memory.entries())
        assert told(memory) == before
        assert boxes(memory) == pytest.approx(before_boxes, abs=TOLERANCE_M)
    finally:
        shutil.rmtree(directory)


@given(histories())
@SLOW
def test_it_does_not_matter_who_came_in_first(history):
    things, alphas, bravos = history
    directory = Path(tempfile.mkdtemp())
    try:
        world = room(*things)
        alpha = Scene(world, visits(*alphas, n_frames=4))
        bravo = Scene(world, visits(*[start + 6 for start in bravos], n_frames=4, agent="bravo"))
        one = remember(directory / "one", alpha, bravo)
        other = remember(directory / "other", bravo, alpha)
        assert told(one) == told(other)
        assert boxes(one) == pytest.approx(boxes(other), abs=TOLERANCE_M)
    finally:
        shutil.rmtree(directory)


def test_twice_is_as_good_as_once(tmp_path):
    things = [Thing.resting(*KINDS[0][:2], (200, 0, 0), KINDS[0][2], PLACES[0]).then(30 * S, PLACES[3])]
    memory = remember(tmp_path, Scene(room(*things), visits(0, 60)))
    memory.rebuild()
    once, events = memory.entries(), memory.events()
    report = memory.rebuild()
    assert memory.entries() == once
    assert memory.events() == events
    assert report.observations_reassigned == 0
    assert report.entries_before == report.entries_after


def test_an_ingest_after_a_rebuild_goes_on_as_if_there_had_been_none(tmp_path):
    cup = Thing("cup", "red cup", (200, 0, 0), (0.14, 0.14, 0.16), (Stay(0, PLACES[0]), Stay(30 * S, PLACES[3])))
    first, second = Scene(room(cup), visits(0)), Scene(room(cup), visits(60))
    plain = remember(tmp_path / "plain", first, second)
    rebuilt = remember(tmp_path / "rebuilt", first)
    rebuilt.rebuild()
    rebuilt.ingest(second, describer=PlainDescriber())
    assert told(rebuilt) == told(plain)
    assert kinds(rebuilt.events()) == [("moved", "red cup")]
