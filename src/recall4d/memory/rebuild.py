"""Fold everything again from the observations: after a map moved, an agent was aligned, or memories were merged.

No image is read and no model asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from recall4d.config import AssociationSettings
from recall4d.memory.embedding import EMBEDDER, EMBEDDER_SPEC, embedded, embedder_mark
from recall4d.memory.judged import Judged
from recall4d.memory.ledger import Ledger
from recall4d.memory.maps import world_from_maps
from recall4d.memory.place import place
from recall4d.memory.revisions import concluded_anew
from recall4d.ports import Embedder, Store, StoredObservation, StoreWriter

TEXTS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """What a rebuild did.

    Attributes:
        observations: how many were folded.
        entries_before, entries_after: how many entries there were and are.
        observations_reassigned: how many are of another entry now.
    """

    observations: int
    entries_before: int
    entries_after: int
    observations_reassigned: int


def rebuild(store: Store, writer: StoreWriter, settings: AssociationSettings) -> RebuildReport:
    """Match and fold all observations again, in order of time; write the entries that come out, and what became
    of those there were.
    """
    rows = store.observations()
    before = writer.changes(0).entries
    ledgers = fold_again(rows, _ledgers(store, rows, settings))
    entry_ids = {_name(row): ledgers.entry_ids[_name(row)] for row in rows}
    writer.reassign(entry_ids)
    entries = [entry for ledger in ledgers.ledgers.values() for entry in ledger.entries()]
    writer.put_entries(entries)
    was = {_name(row): row.entry_id for row in rows}
    latest_ns = rows[-1].observation.stamp_ns if rows else 0
    writer.add_revisions(concluded_anew(before, was, entry_ids, latest_ns))
    return RebuildReport(
        observations=len(rows),
        entries_before=len(before),
        entries_after=len(entries),
        observations_reassigned=sum(row.entry_id != entry_ids[_name(row)] for row in rows),
    )


def reindex(store: Store, embedder: Embedder, spec: str, settings: AssociationSettings) -> RebuildReport:
    """Embed every description again, by another embedder, and fold everything again by what it finds alike.

    Args:
        store: of the memory.
        embedder: whose vectors it has from then on.
        spec: its name as on the command line; empty where it has none.
        settings: of the memory.
    """
    # Before the transaction: a model may take minutes, and others are to go on writing meanwhile.
    vectors = _embedded(store, embedder, {})
    with store.writing() as writer:
        writer.replace_texts(_embedded(store, embedder, vectors))
        writer.set_fact(EMBEDDER, embedder_mark(embedder))
        writer.set_fact(EMBEDDER_SPEC, spec)
        return rebuild(store, writer, settings)


def _embedded(
    store: Store, embedder: Embedder, known: Mapping[str, NDArray[np.float32]]
) -> dict[str, NDArray[np.float32]]:
    """The embeddings of every description in the store; those not known are made."""
    vectors = dict(known)
    texts = sorted({row.observation.description.text for row in store.observations()} - known.keys())
    for first in range(0, len(texts), TEXTS_AT_ONCE):
        some = texts[first : first + TEXTS_AT_ONCE]
        vectors |= embedded(embedder, some)
    return vectors


@dataclass(frozen=True, slots=True)
class FoldedAgain:
    """Ledgers by map frame, and the entry of every observation, named by (agent, stamp, index)."""

    ledgers: Mapping[str | None, Ledger]
    entry_ids: Mapping[tuple[str, int, int], str]


def fold_again(rows: Iterable[StoredObservation], ledgers: Mapping[str, Ledger]) -> FoldedAgain:
    """Admit observations frame by frame to the ledger of their agent's map."""
    entry_ids: dict[tuple[str, int, int], str] = {}
    retired: dict[str, str] = {}
    for (agent, _), group in groupby(rows, key=lambda row: (row.observation.agent, row.observation.stamp_ns)):
        frame = list(group)
        poses = np.stack([row.world_from_camera for row in frame])
        admission = ledgers[agent].admit(place([row.observation for row in frame], poses))
        retired |= admission.retired
        entry_ids |= {_name(row): each for row, each in zip(frame, admission.entry_ids, strict=True)}
    by_map = {ledger.map_frame: ledger for ledger in ledgers.values()}
    return FoldedAgain(by_map, {name: _survivor(each, retired) for name, each in entry_ids.items()})


def _ledgers(store: Store, rows: Iterable[StoredObservation], settings: AssociationSettings) -> dict[str, Ledger]:
    """One ledger for the world, shared by the agents in it, and one for each agent that is not."""
    vectors: dict[str, NDArray[np.float32]] = store.vectors({row.observation.description.text for row in rows})
    judged = Judged(store.verdicts())
    world = Ledger(settings, judged=judged)
    ledgers = {
        agent: world if world_from_map is not None else Ledger(settings, agent, judged)
        for agent, world_from_map in world_from_maps(store).items()
    }
    for ledger in ledgers.values():
        ledger.vectors |= vectors
    return ledgers


def _survivor(entry_id: str, retired: Mapping[str, str]) -> str:
    while entry_id in retired:
        entry_id = retired[entry_id]
    return entry_id


def _name(row: StoredObservation) -> tuple[str, int, int]:
    return row.observation.agent, row.observation.stamp_ns, row.observation.index
