"""What every frame found at every place: the same whether it is asked for after every frame or once at the end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recall4d import Memory
from recall4d.memory.lookbook import LookBook

from .films import PlainDescriber, WordEmbedder
from .scenes import CUP, TOP_M, S, Scene, each_frame, remember, room, visits


def looks(book, store):
    """Looks by entry id, as `book` finds them now."""
    seen = {}
    for entry_id, agent, stamp_ns in store.sighted():
        seen.setdefault(entry_id, set()).add((agent, stamp_ns))
    entries = store.changes().entries
    found = book.looks(entries, store.frames(), seen)
    # NaN is not equal to itself, and a look without a finding has two.
    return {entry.entry_id: [repr(look) for look in each] for entry, each in zip(entries, found, strict=True)}


def noisy(frame, rng):
    z_m = frame.depth.z_m + 0.02 * rng.standard_normal(frame.depth.z_m.shape, dtype=np.float32)
    return replace(frame, depth=replace(frame.depth, z_m=z_m))


SCENE = Scene(room(CUP, CUP.then(30 * S, (2.4, 3.1, TOP_M))), visits(0, 60), each_frame(noisy))


def test_asking_after_every_frame_finds_what_asking_once_does(tmp_path):
    """Noise moves the boxes a little with every view, and what old frames show of them changes with them."""
    memory = Memory.open(tmp_path, embedder=WordEmbedder())
    asked_often = LookBook(memory.store)
    memory.ingest(SCENE, describer=PlainDescriber(), on_frame=lambda header: looks(asked_often, memory.store))
    assert looks(asked_often, memory.store) == looks(LookBook(memory.store), memory.store)


def test_a_trajectory_that_moved_is_looked_along_anew(tmp_path):
    take = SCENE.take
    shifted = take.poses.copy()
    shifted[:, 0, 3] += 0.02
    memory = remember(tmp_path, SCENE)
    book = LookBook(memory.store)
    before = looks(book, memory.store)
    memory.reanchor("alpha", dict(zip(take.stamps_ns.tolist(), shifted, strict=True)))
    after = looks(book, memory.store)
    assert after == looks(LookBook(memory.store), memory.store)
    assert after != before


def test_every_frame_that_looked_at_a_place_is_there_in_order_with_where_it_stood(tmp_path):
    memory = remember(tmp_path, Scene(room(CUP), visits(0, 60)))
    entries, frames = memory.store.changes().entries, memory.store.frames()
    found = LookBook(memory.store).looks(entries, frames, {})
    for each in found:
        stamps = [look.stamp_ns for look in each]
        assert stamps == sorted(stamps)
    cup = next(each for entry, each in zip(entries, found, strict=True) if entry.description == "red cup")
    assert [look.stamp_ns for look in cup] == [frame.stamp_ns for frame in frames]
    assert [look.eye_xyz for look in cup] == [tuple(frame.world_from_camera[:3, 3]) for frame in frames]
    assert not any(look.seen for look in cup)
