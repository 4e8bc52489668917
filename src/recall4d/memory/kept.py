"""What is known, kept on disk as it is scanned, so that opening a large memory reads nothing row by row.

A file `columns/known.arrays` holds the last snapshot that was worth keeping, with a mark of what it was concluded
from: the store's version, its last rows, the maps, the settings, and the code that concludes. Where any of that
differs, or the file is torn, it is as if it were not there. Embeddings stay in the store's own file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import Clock
from recall4d.errors import StoreError
from recall4d.geometry.pose import Trajectory
from recall4d.memory.entry_columns import Arrays, EntryColumns
from recall4d.memory.shelf import FOLDER, Shelf, code_of
from recall4d.memory.snapshot import Snapshot
from recall4d.ports import FilesVectors, Store
from recall4d.records import Event

_EVENTS = "events"


def conclusions_code() -> str:
    """The code whose conclusions a kept snapshot holds."""
    return code_of("memory", "geometry", "clock.py", "records")


def keep(store: Store, mark: str, snapshot: Snapshot) -> Snapshot:
    """Keep a snapshot of a store's last instant; returns it as the next reader will get it, or as it was.

    Args:
        store: what it was concluded from.
        mark: of the version it was concluded from.
        snapshot: without regions.
    """
    if not isinstance(store, FilesVectors):
        return snapshot
    columns = snapshot.columns
    strings = columns.strings.all()
    texts = [strings[code] for code in columns.said[:, 1].tolist()]
    try:
        vectors, slots = store.vector_slots(texts)
    except StoreError:
        return snapshot  # a disk that may only be read
    tracks = list(snapshot.trajectories.items())
    arrays = {
        **columns.to_arrays(),
        "slots": slots,
        "stamps_ns": _joined([track.stamps_ns for _, track in tracks], np.zeros(0, dtype=np.int64)),
        "poses": _joined([track.poses for _, track in tracks], np.zeros((0, 4, 4))),
        "numbers": _joined([snapshot.frame_numbers[agent] for agent, _ in tracks], np.zeros(0, dtype=np.int64)),
        _EVENTS: np.frombuffer(json.dumps([asdict(each) for each in snapshot.events]).encode(), dtype=np.uint8),
        "frame": np.frombuffer(
            json.dumps(
                {
                    "now_ns": snapshot.now_ns,
                    "origin_ns": snapshot.origin_ns,
                    "is_wall": snapshot.clock.is_wall,
                    "left_out": snapshot.left_out,
                    "tracks": [(agent, len(track.stamps_ns), track.max_gap_ns) for agent, track in tracks],
                }
            ).encode(),
            dtype=np.uint8,
        ),
    }
    shelf = Shelf(store.directory / FOLDER, mark)
    shelf.put("known", conclusions_code(), arrays)
    return _snapshot(arrays, columns, vectors, shelf, snapshot.embed)


def kept(store: Store, mark: str, embed: Callable[[Sequence[str]], NDArray[np.float32]]) -> Snapshot | None:
    """The snapshot kept of this version of a store; None where there is none to be trusted."""
    if not isinstance(store, FilesVectors):
        return None
    shelf = Shelf(store.directory / FOLDER, mark)
    arrays = shelf.take("known", conclusions_code())
    if arrays is None:
        return None
    vectors = store.filed_vectors()
    if len(arrays["slots"]) and int(arrays["slots"].max()) >= len(vectors):
        return None
    return _snapshot(arrays, EntryColumns.from_arrays(arrays), vectors, shelf, embed)


def _snapshot(
    arrays: Arrays,
    columns: EntryColumns,
    vectors: NDArray[np.float16],
    shelf: Shelf,
    embed: Callable[[Sequence[str]], NDArray[np.float32]],
) -> Snapshot:
    about = json.loads(arrays["frame"].tobytes())
    ends = np.cumsum([0, *(length for _, length, _ in about["tracks"])]).tolist()
    spans = [slice(start, end) for start, end in pairwise(ends)]
    tracks = list(zip(about["tracks"], spans, strict=True))
    return Snapshot(
        now_ns=about["now_ns"],
        origin_ns=about["origin_ns"],
        clock=Clock(is_wall=about["is_wall"]),
        entries=columns,
        events=tuple(_event(each) for each in json.loads(arrays[_EVENTS].tobytes())),
        left_out=tuple(about["left_out"]),
        vectors=vectors,
        vector_of=arrays["slots"][columns.text],
        trajectories={
            agent: Trajectory(arrays["stamps_ns"][span], arrays["poses"][span], max_gap_ns)
            for (agent, _, max_gap_ns), span in tracks
        },
        frame_numbers={agent: arrays["numbers"][span] for (agent, _, _), span in tracks},
        embed=embed,
        shelf=shelf,
    )


def _event(fields: dict[str, Any]) -> Event:
    places = {name: fields[name] and tuple(fields[name]) for name in ("from_xyz", "to_xyz")}
    return Event(**{**fields, **places})


def _joined(parts: list[NDArray[Any]], none: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else none
