"""Take the facts of one memory into another: frames, observations, pictures, skips and maps.

Entries are conclusions, so they are not merged: everything is folded again, and comes out as if one memory had seen
it all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recall4d.config import AssociationSettings
from recall4d.errors import StoreError, UsageError
from recall4d.geometry.pose import inverse
from recall4d.memory.maps import keep_map, world_from_maps
from recall4d.memory.pictures import crop_path, write_picture
from recall4d.memory.rebuild import rebuild
from recall4d.memory.reports import FACT as REPORTS
from recall4d.memory.reports import reports_of, take_reports
from recall4d.ports import Store, StoredFrame, StoredObservation, StoreWriter
from recall4d.records import Glimpse

Pose = NDArray[np.float64]
Maps = Mapping[str, Pose | None]
FrameName = tuple[str, int]

SAME_WORLD_M = 0.1
"""Worlds said to be one may differ by this much where an agent that both know shows how they lie."""


@dataclass(frozen=True, slots=True)
class MergeReport:
    """What a merge did.

    Attributes:
        frames_added: frames of the other memory that were not known.
        frames_known: frames of the other memory that were: the same (agent, stamp) is one frame.
        observations_added: in the added frames.
        skips_added: frames that the other memory could not use and this one had not heard of.
        pictures_added: keyframes and crops.
        agents_added: agents that were not known.
        agents_apart: agents of the other memory whose map is not aligned with this memory's world.
        entries_before, entries_after: how many entries there were and are.
    """

    frames_added: int
    frames_known: int
    observations_added: int
    skips_added: int
    pictures_added: int
    agents_added: tuple[str, ...]
    agents_apart: tuple[str, ...]
    entries_before: int
    entries_after: int


def merge(store: Store, other: Store, settings: AssociationSettings, same_world: bool = False) -> MergeReport:
    """Take in all that another memory holds, as one transaction; the other memory is only read.

    An agent that both know is one agent, with one map. Where both know how that map lies in their worlds, they know
    how the worlds lie to each other, and all agents of the other world come into this one. Otherwise the map of a
    new agent is its own until it is aligned.

    Args:
        store: takes in.
        other: what is taken in; its vectors must be of the same embedder.
        settings: of the memory that takes in.
        same_world: the two worlds are one.

    Raises:
        UsageError: the worlds are said to be one, and an agent that both know shows that they are not.
        StoreError: one of the two cannot be read, or the disk refuses; nothing is taken in.
    """
    with other.reading():
        frames, observations = other.frames(), _by_frame(other.observations())
        glimpses: dict[FrameName, list[Glimpse]] = {}
        for each in other.glimpses():
            glimpses.setdefault((each.agent, each.stamp_ns), []).append(each)
        n_pictures = _copy_pictures(store, other, frames, observations)
        with store.writing() as writer:
            before = writer.changes(0).entries
            ours, theirs = world_from_maps(store), world_from_maps(other)
            maps = merged_maps(ours, theirs, same_world)
            n_moved = _keep_maps(store, writer, ours, maps)
            added = set[FrameName]()
            for frame in frames:
                moved = _moved(frame, theirs[frame.agent], maps[frame.agent])
                complete = replace(moved, depth=other.depth(*_name(frame)), image=_kept_image(store, frame))
                rows = observations.get(_name(frame), ())
                placed = [(row.observation, row.entry_id) for row in rows]
                if writer.add_frame(complete, placed, glimpses.get(_name(frame), ())):
                    added.add(_name(frame))
            writer.add_texts(
                other.vectors({row.observation.description.text for row in chain(*observations.values())})
            )
            writer.add_verdicts(other.verdicts())
            if reports := reports_of(other.fact(REPORTS)):
                take_reports(store, writer, reports)
            n_skips = _add_skips(store, other, writer, added)
            n_entries = rebuild(store, writer, settings).entries_after if added or n_moved else len(before)
    return MergeReport(
        frames_added=len(added),
        frames_known=len(frames) - len(added),
        observations_added=sum(len(observations.get(name, ())) for name in added),
        skips_added=n_skips,
        pictures_added=n_pictures,
        agents_added=tuple(agent for agent in theirs if agent not in ours),
        agents_apart=tuple(agent for agent in theirs if maps[agent] is None),
        entries_before=len(before),
        entries_after=n_entries,
    )


def merged_maps(ours: Maps, theirs: Maps, same_world: bool = False) -> dict[str, Pose | None]:
    """For each agent of either memory, (4, 4) from its own map to our world; None where that is not known.

    What we know of an agent stays. The rest follows from how the worlds lie to each other, if that is known.

    Raises:
        UsageError: see `merge`.
    """
    link = _world_from_theirs(ours, theirs)
    if same_world and link is not None and not np.allclose(link, np.eye(4), rtol=0.0, atol=SAME_WORLD_M):
        apart_m = float(np.linalg.norm(link[:3, 3]))
        raise UsageError(
            f"the worlds of the two memories are not the same: by an agent that both know, their origins lie "
            f"{apart_m:.2f} m apart and may be turned; merge without saying that they are one"
        )
    if link is None and same_world:
        link = np.eye(4)
    maps = dict(ours)
    for agent, their_world_from_map in theirs.items():
        if maps.get(agent) is None:
            maps[agent] = None if link is None or their_world_from_map is None else link @ their_world_from_map
    return maps


def _world_from_theirs(ours: Maps, theirs: Maps) -> Pose | None:
    """(4, 4) from their world to ours, by the first agent that lies in both; an empty memory has no world yet."""
    if not ours:
        return np.eye(4)
    for agent, world_from_map in ours.items():
        their_world_from_map = theirs.get(agent)
        if world_from_map is not None and their_world_from_map is not None:
            return np.asarray(world_from_map @ inverse(their_world_from_map))
    return None


def _keep_maps(store: Store, writer: StoreWriter, ours: Maps, maps: Maps) -> int:
    """Keep the agents' maps, and bring those that were our own into the world; how many frames that moved."""
    poses: dict[FrameName, Pose] = {}
    for agent, world_from_map in maps.items():
        if agent in ours and (ours[agent] is not None or world_from_map is None):
            continue
        keep_map(store, writer, agent, world_from_map)
        poses |= {
            _name(frame): _moved(frame, None, world_from_map).world_from_camera
            for frame in store.frames()
            if frame.agent == agent
        }
    return writer.move_frames(poses)


def _moved(frame: StoredFrame, before: Pose | None, now: Pose | None) -> StoredFrame:
    """A frame placed by its agent's map in one world, or apart for None, as it is placed by that map in another."""
    map_from_camera = frame.world_from_camera if before is None else inverse(before) @ frame.world_from_camera
    return replace(frame, world_from_camera=map_from_camera if now is None else now @ map_from_camera)


def _copy_pictures(
    store: Store,
    other: Store,
    frames: Iterable[StoredFrame],
    observations: Mapping[FrameName, list[StoredObservation]],
) -> int:
    """Copy the pictures of frames that are not known here; how many there were. Known frames have their own."""
    known = {_name(frame) for frame in store.frames()}
    n_copied = 0
    for frame in frames:
        if _name(frame) in known:
            continue
        paths = [crop_path(row.observation) for row in observations.get(_name(frame), ())]
        for path in [frame.image, *paths] if frame.image is not None else paths:
            n_copied += _copy_picture(other.directory / path, store.directory / path)
    return n_copied


def _copy_picture(source: Path, target: Path) -> bool:
    """Whether there was a picture to copy: only best views have a crop, and a person may have tidied up."""
    try:
        content = source.read_bytes()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{source} cannot be read: {error.strerror or error}") from error
    write_picture(target, content)
    return True


def _kept_image(store: Store, frame: StoredFrame) -> str | None:
    return frame.image if frame.image is not None and (store.directory / frame.image).is_file() else None


def _add_skips(store: Store, other: Store, writer: StoreWriter, added: set[FrameName]) -> int:
    """Keep why the other memory could not use frames, unless this one could; how many are new."""
    known = set(store.skipped())
    new = [
        (agent, stamp_ns, number, reason)
        for agent, stamp_ns, number, reason in other.skipped()
        if (agent, stamp_ns, number, reason) not in known
        and ((agent, stamp_ns) in added or not writer.holds(agent, stamp_ns))
    ]
    for agent, stamp_ns, number, reason in new:
        writer.add_skips(agent, [(stamp_ns, number, reason)])
    return len(new)


def _by_frame(rows: Iterable[StoredObservation]) -> dict[FrameName, list[StoredObservation]]:
    def name(row: StoredObservation) -> FrameName:
        return row.observation.agent, row.observation.stamp_ns

    return {key: list(group) for key, group in groupby(rows, key=name)}


def _name(frame: StoredFrame) -> FrameName:
    return frame.agent, frame.stamp_ns
