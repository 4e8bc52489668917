"""Two agents, each with a map of its own: apart until what both saw brings them together, and refused otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recall4d import Memory
from recall4d.geometry.pose import inverse, pose_from_axis_angle
from recall4d.synth import Thing, World

from .films import PlainDescriber
from .scenes import CUP, CUP_XYZ, ROOM, TOP_M, S, Scene, kinds, off_m, only, remember, room, visits

BRAVO_FROM_WORLD = pose_from_axis_angle((0.0, 0.0, np.radians(37.0)), (3.4, -1.7, 0.2))
"""Bravo started elsewhere, facing elsewhere."""

THINGS = (
    CUP,
    Thing.resting("bottle", "green bottle", (30, 160, 30), (0.15, 0.15, 0.3), (2.6, 3.2, TOP_M)),
    Thing.resting("book", "thick blue book", (40, 40, 200), (0.3, 0.3, 0.1), (2.1, 3.0, TOP_M)),
    Thing.resting("box", "brown box", (120, 90, 50), (0.3, 0.3, 0.3), (0.3, 2.3, 0.5)),
    Thing.resting("ball", "orange ball", (240, 140, 20), (0.25, 0.25, 0.25), (3.3, 2.2, 0.0)),
    Thing.resting("crate", "black crate", (30, 30, 30), (0.4, 0.4, 0.3), (1.3, 1.9, 0.0)),
)


def in_bravos_map(take):
    return replace(take, agent="bravo", reported=BRAVO_FROM_WORLD @ take.poses)


def alpha_and_bravo(directory, alphas=THINGS, bravos=THINGS) -> Memory:
    """Alpha films at 0 s, bravo at 60 s in a map of its own; each sees its own things."""
    return remember(
        directory,
        Scene(room(*alphas), visits(0, n_frames=8)),
        Scene(room(*bravos), in_bravos_map(visits(60, n_frames=8))),
        shares_world=False,
    )


def test_until_it_is_aligned_nothing_of_bravos_is_shared_and_the_answer_says_so(tmp_path):
    memory = alpha_and_bravo(tmp_path)
    snapshot = memory.snapshot()
    assert snapshot.left_out == ("bravo",)
    assert {agent for entry in snapshot.entries for agent in entry.agents} == {"alpha"}
    kept = [entry for entry in memory.store.changes().entries if entry.map_frame == "bravo"]
    assert len(kept) >= len(THINGS)


def test_what_both_saw_brings_bravo_into_the_world(tmp_path):
    memory = alpha_and_bravo(tmp_path)
    found = memory.align()["bravo"]
    assert found.accepted, found.why
    assert found.n_inliers >= 6
    off = found.world_from_map @ BRAVO_FROM_WORLD
    assert np.linalg.norm(off[:3, 3]) < 0.05
    assert np.degrees(np.arccos((np.trace(off[:3, :3]) - 1) / 2)) < 1.0

    snapshot = memory.snapshot()
    assert snapshot.left_out == ()
    assert len({entry.description for entry in snapshot.entries}) == len(snapshot.entries)
    for thing in THINGS:
        entry = only(snapshot.entries, thing.description)
        assert entry.agents == ("alpha", "bravo")
        assert off_m(entry, thing, 60) < 0.05 + thing.size_xyz[1] / 2
    assert memory.events() == ()


def test_bravo_sees_what_changed_since_alpha_was_there(tmp_path):
    moved = CUP.then(30 * S, (1.7, 3.4, TOP_M))
    memory = alpha_and_bravo(tmp_path, bravos=(moved, *THINGS[1:]))
    assert memory.align()["bravo"].accepted
    (event,) = memory.events()
    assert (event.kind, event.description, event.agent) == ("moved", "red cup", "bravo")
    assert (event.after_ns, event.before_ns) == (3.5 * S, 60 * S)


def test_a_given_transform_does_what_an_estimated_one_does(tmp_path):
    memory = alpha_and_bravo(tmp_path)
    assert memory.align({"bravo": inverse(BRAVO_FROM_WORLD)})["bravo"].accepted
    assert memory.snapshot().left_out == ()
    for thing in THINGS:
        assert only(memory.entries(), thing.description).agents == ("alpha", "bravo")


def test_what_bravo_films_once_it_is_aligned_is_in_the_world_at_once(tmp_path):
    memory = alpha_and_bravo(tmp_path)
    assert memory.align()["bravo"].accepted
    gone = (CUP.then(90 * S, None), *THINGS[1:])
    memory.ingest(Scene(room(*gone), in_bravos_map(visits(120))), describer=PlainDescriber())
    assert kinds(memory.events()) == [("gone", "red cup")]


def elsewhere(*texts):
    """Other things in other places."""
    places = [
        (1.5, 3.1, TOP_M),
        (2.6, 3.3, TOP_M),
        (3.3, 2.6, 0.0),
        (0.3, 2.5, 0.5),
        (2.0, 2.0, 0.0),
        (1.1, 2.2, 0.0),
    ]
    return [
        Thing.resting("thing", text, (90, 90, 90), (0.25, 0.25, 0.25), xyz)
        for text, xyz in zip(texts, places, strict=False)
    ]


@pytest.mark.parametrize(
    "bravos",
    [
        pytest.param(
            elsewhere("pink lamp", "striped vase", "old radio", "tin can", "wool hat"), id="nothing alike"
        ),
        pytest.param(elsewhere(*[thing.description for thing in THINGS[::-1]]), id="alike but placed otherwise"),
        pytest.param(THINGS[:2], id="too little"),
    ],
)
def test_thin_evidence_is_refused_with_a_reason_and_nothing_is_mixed(tmp_path, bravos):
    memory = alpha_and_bravo(tmp_path, bravos=bravos)
    before = memory.entries()
    found = memory.align()["bravo"]
    assert not found.accepted
    assert found.why
    assert memory.entries() == before
    assert memory.snapshot().left_out == ("bravo",)


def test_what_fits_two_ways_is_refused(tmp_path):
    """Four pairs of chairs, those of a pair opposite each other: half a turn fits as well."""
    ring = [
        Thing.resting(
            "chair", f"{colour} chair", (140, 100, 60), (0.3, 0.3, 0.4), (2 + way * x, 2.6 + way * y, 0.0)
        )
        for colour, x, y in (("red", 0.9, 0.2), ("blue", 0.2, 0.8), ("green", 0.8, -0.6), ("white", 0.3, -0.4))
        for way in (1, -1)
    ]
    bare = World(ROOM, tuple(ring))
    memory = remember(
        tmp_path,
        Scene(bare, visits(0, n_frames=8)),
        Scene(bare, in_bravos_map(visits(60, n_frames=8))),
        shares_world=False,
    )
    assert len(memory.entries()) == len(ring)
    found = memory.align()["bravo"]
    assert not found.accepted
    assert "could be either" in found.why


def test_agents_said_to_share_the_world_share_it_from_the_start(tmp_path):
    memory = remember(
        tmp_path,
        Scene(room(CUP), visits(0)),
        Scene(room(CUP.then(30 * S, None)), visits(60, agent="bravo")),
        shares_world=True,
    )
    (event,) = memory.events()
    assert (event.kind, event.agent) == ("gone", "bravo")
    assert event.from_xyz == pytest.approx(np.add(CUP_XYZ, (0, 0, 0.08)), abs=0.03)
