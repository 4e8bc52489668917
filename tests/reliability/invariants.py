"""What is true of a memory at every moment, whoever writes to it and whoever was killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from recall4d.ports import Store
from recall4d.records import Entry

FrameName = tuple[str, int]

TOLERANCE_M = 1e-6
"""The same observations add up to the same box but for rounding: sums are taken in another order."""


def broken(store: Store, expected: Mapping[FrameName, int] | None = None) -> list[str]:
    """What is wrong with a memory as of one moment; nothing for a whole one.

    Args:
        store: the memory.
        expected: how many observations each frame brings, where that is known.
    """
    with store.reading():
        frames, rows, entries = store.frames(), store.observations(), store.changes().entries
        skips = {(agent, stamp_ns) for agent, stamp_ns, _, _ in store.skipped()}
        texts = store.vectors({row.observation.description.text for row in rows})
    observed = Counter(row.entry_id for row in rows)
    found = Counter((row.observation.agent, row.observation.stamp_ns) for row in rows)
    wrong = [f"entry {each} of an observation does not exist" for each in observed.keys() - _ids(entries)]
    for entry in entries:
        if entry.n_observations != observed[entry.entry_id]:
            wrong.append(f"{entry.entry_id} rests on {entry.n_observations}, not on {observed[entry.entry_id]}")
        if entry.best_view is None or not (store.directory / str(entry.best_view.crop)).is_file():
            wrong.append(f"{entry.entry_id} has no crop")
    wrong += [f"no vector of {r.observation.description.text!r}" for r in rows if _text(r) not in texts]
    for frame in frames:
        name = frame.agent, frame.stamp_ns
        if expected is not None and found[name] != expected[name]:
            wrong.append(f"frame {name} has {found[name]} observations, expected {expected[name]}")
        if store.depth(*name) is None and name not in skips:
            wrong.append(f"frame {name} measured nothing and is not counted as skipped")
        if frame.image is not None and not (store.directory / frame.image).is_file():
            wrong.append(f"frame {name} names a picture that is not there")
    return wrong


def assert_alike(entries: list[Entry], expected: list[Entry]) -> None:
    """The same things at the same places (to `TOLERANCE_M`), seen as often and by the same agents.

    Ids are left out: an entry is named for its first observation, and which one comes first is the writers' race.
    """
    assert [_looks(each) for each in _sorted(entries)] == [_looks(each) for each in _sorted(expected)]
    for a, b in zip(_sorted(entries), _sorted(expected), strict=True):
        corners = [np.concatenate([each.now.box.min_xyz, each.now.box.max_xyz]) for each in (a, b)]
        np.testing.assert_allclose(corners[0], corners[1], atol=TOLERANCE_M, err_msg=a.description)


def _sorted(entries: list[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda each: (each.description, each.map_frame or "", each.now.box.min_xyz))


def _looks(entry: Entry) -> tuple[object, ...]:
    return entry.description, entry.n_observations, entry.sightings, entry.map_frame, entry.best_view


def _ids(entries: list[Entry]) -> set[str]:
    return {entry.entry_id for entry in entries}


def _text(row) -> str:
    return row.observation.description.text
