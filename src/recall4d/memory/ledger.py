"""The working set of a writer: every entry, ready to be matched and folded further.

The ledger is the one place in `memory` that holds state. It can be thrown away at any moment and read again from
the store's observations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from recall4d.config import AssociationSettings
from recall4d.memory.associate import Affinity, Boxes, affinity, allowed, assign, nearest, twins
from recall4d.memory.fold import EntryFold
from recall4d.memory.judged import Judged
from recall4d.memory.place import Placed
from recall4d.records import Entry, Observation

TWIN_CONTAINMENT = 0.3
"""Two entries that were never seen apart and share this much of the smaller box are one thing seen in two parts."""

PART_CONTAINMENT = 0.8
"""An entry that lies this much inside another of the same description is a part of it, even if seen beside it."""

REACH_M = 2.0
"""Entries farther than this from everything in the frame are not compared with it."""


@dataclass(slots=True)
class Admission:
    """What one frame changed.

    Attributes:
        entry_ids: for each observation, the entry it is taken to be of.
        new, updated: ids of entries, disjoint.
        retired: ids of entries folded into others, with the other's id.
        known: descriptions of those of the retired that were entries before this frame.
    """

    entry_ids: list[str]
    new: set[str] = field(default_factory=set)
    updated: set[str] = field(default_factory=set)
    retired: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)


class Ledger:
    """All entries of one map, being folded.

    Attributes:
        map_frame: the agent whose own map it is; None is the world. Maps are never mixed.
        vectors: embedding of every description in use.
    """

    def __init__(
        self, settings: AssociationSettings, map_frame: str | None = None, judged: Judged | None = None
    ) -> None:
        self.map_frame = map_frame
        self._judged = judged or Judged({})
        self._settings = settings
        self._folds: dict[str, EntryFold] = {}
        self._row_of: dict[str, int] = {}
        self._ids: list[str | None] = []
        self._boxes: Boxes | None = None
        self._rivals: dict[str, set[str]] = {}
        self._class_codes: dict[str, int] = {}
        self.vectors: dict[str, NDArray[np.float32]] = {}

    def __len__(self) -> int:
        return len(self._folds)

    def entries(self) -> list[Entry]:
        """Every entry in its latest form."""
        return [fold.entry() for fold in self._folds.values()]

    def entry(self, entry_id: str) -> Entry:
        """An entry in its latest form."""
        return self._folds[entry_id].entry()

    def fold(self, entry_id: str) -> EntryFold:
        """An entry being folded."""
        return self._folds[entry_id]

    def load(self, placed: Iterable[tuple[str, Placed]], retired: Mapping[str, str] = MappingProxyType({})) -> None:
        """Fold in what was concluded elsewhere: after opening everything, then what another process added.

        Args:
            placed: (entry id, observation) not known here.
            retired: entries folded into others, with the other's id.
        """
        for entry_id in retired.keys() & self._folds.keys():
            self._merge(retired[entry_id], entry_id)
        seen_in: dict[str, set[tuple[str, int]]] = {}
        for entry_id, each in placed:
            self._opened(entry_id).add(each)
            seen_in.setdefault(entry_id, set()).add((each.observation.agent, each.observation.stamp_ns))
        self._refresh(seen_in)
        self._note_rivals(list(seen_in), lambda a, b: not seen_in[a].isdisjoint(seen_in[b]))

    def admit(self, placed: Sequence[Placed]) -> Admission:
        """Match the observations of one frame and fold them in.

        The embedding of every description must be in `vectors`.
        """
        if not placed:
            return Admission([])
        seen = self._rows_of(placed)
        folds_parts = self._settings.rule == "assignment"
        group = _grouped(seen, self._settings) if folds_parts else np.arange(len(seen))
        leaders = [i for i in range(len(placed)) if group[i] == i]
        texts = [placed[leader].observation.description.text for leader in leaders]
        entry_ids: list[str] = [""] * len(placed)
        admission = Admission(entry_ids)
        for leader, entry_id in zip(leaders, self._match(seen.rows(np.array(leaders)), texts), strict=True):
            if entry_id is None:
                entry_id = self._name(placed[leader].observation)
                self._opened(entry_id)
                admission.new.add(entry_id)
            for member in np.flatnonzero(group == leader):
                entry_ids[member] = entry_id
        for entry_id, each in zip(entry_ids, placed, strict=True):
            self._folds[entry_id].add(each)
        touched = list(dict.fromkeys(entry_ids))
        self._refresh(touched)
        if folds_parts:
            self._note_rivals(touched)
            self._fold_twins(touched, admission)
        admission.updated = {admission.retired.get(each, each) for each in touched} - admission.new
        return admission

    def ask_about(self, placed: Sequence[Placed]) -> None:
        """Have the judge decide what would be doubtful about a frame now, so that `admit` need not wait for it.

        Raises:
            ModelError: the judge says nothing.
        """
        if self._settings.doubtful_below > 0 and placed and self._boxes is not None:
            self._match(self._rows_of(placed), [each.observation.description.text for each in placed])

    def _fit(self, a: Boxes, b: Boxes, texts: Sequence[str], others: Sequence[str]) -> Affinity:
        """How well rows fit, with the doubtful ones judged by their texts."""
        fit = affinity(a, b, self._settings)
        if self._settings.doubtful_below == 0:
            return allowed(fit, np.zeros_like(fit.doubtful))
        rows, columns = np.nonzero(fit.doubtful)
        pairs = [(texts[i], others[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)]
        same = np.zeros_like(fit.doubtful)
        same[rows, columns] = self._judged.same(pairs)
        return allowed(fit, same)

    def _match(self, seen: Boxes, texts: Sequence[str]) -> list[str | None]:
        """The entry of each observation; None for a thing not in memory."""
        if self._boxes is None:
            return [None] * len(seen)
        rows = _near(self._boxes, seen, REACH_M)
        if len(rows) == 0:
            return [None] * len(seen)
        ids = [self._ids[row] for row in rows.tolist()]
        known = [self._folds[each].text if each is not None else "" for each in ids]
        fit = self._fit(seen, self._boxes.rows(rows), texts, known)
        assigned = nearest(fit, self._settings) if self._settings.rule == "published" else assign(fit)
        return [None if column < 0 else self._ids[rows[column]] for column in assigned]

    def _note_rivals(self, entry_ids: list[str], together: Callable[[str, str], bool] = lambda a, b: True) -> None:
        """Entries seen apart in one frame are not one thing, however alike.

        Args:
            entry_ids: of one frame, or of many.
            together: whether two of them were ever in one frame.
        """
        if not entry_ids:
            return
        rows = self._boxes_of(entry_ids)
        texts = self._texts_of(entry_ids)
        for i, j in twins(self._fit(rows, rows, texts, texts), min_containment=0.0):
            a, b = entry_ids[i], entry_ids[j]
            if together(a, b):
                self._rivals.setdefault(a, set()).add(b)
                self._rivals.setdefault(b, set()).add(a)

    def _fold_twins(self, touched: list[str], admission: Admission) -> None:
        """Fold together entries that turn out to be one thing, seen in parts until now."""
        assert self._boxes is not None, "something was touched, so there is something"
        ours = self._boxes_of(touched)
        # What shares nothing with any of them, margins included, is no part of them.
        rows = _near(self._boxes, ours, 2 * self._settings.margin_m)
        named = [(row, self._ids[row]) for row in rows.tolist()]
        others = [each for _, each in named if each is not None]
        theirs = self._boxes.rows(np.array([row for row, each in named if each is not None], dtype=np.intp))
        fit = self._fit(ours, theirs, *map(self._texts_of, (touched, others)))
        same = fit.may_match & (fit.containment >= TWIN_CONTAINMENT)
        for i, j in zip(*np.nonzero(same), strict=True):
            a, b = admission.retired.get(touched[i], touched[i]), admission.retired.get(others[j], others[j])
            is_part = fit.containment[i, j] >= PART_CONTAINMENT and fit.similarity[i, j] >= self._settings.delta
            apart = b in self._rivals.get(a, ()) and not is_part
            if a == b or apart:
                continue
            older, younger = sorted((a, b), key=lambda each: (_first_seen(self._folds[each]), each))
            if younger not in admission.new:
                admission.known[younger] = self._folds[younger].text
            self._merge(older, younger)
            admission.new.discard(younger)
            admission.retired = {k: older if v == younger else v for k, v in admission.retired.items()}
            admission.retired[younger] = older
        admission.entry_ids[:] = [admission.retired.get(each, each) for each in admission.entry_ids]

    def _opened(self, entry_id: str) -> EntryFold:
        """An entry being folded, begun if there is none yet."""
        if entry_id not in self._folds:
            self._folds[entry_id] = EntryFold(entry_id, self._settings, self.map_frame)
        return self._folds[entry_id]

    def _merge(self, entry_id: str, gone: str) -> None:
        """Fold an entry into another one."""
        self._opened(entry_id).merge(self._folds[gone])
        self._rivals.setdefault(entry_id, set()).update(self._rivals.pop(gone, ()))
        self._drop(gone)
        self._refresh([entry_id])

    def _rows_of(self, placed: Sequence[Placed]) -> Boxes:
        return Boxes(
            min_xyz=np.stack([each.min_xyz for each in placed]),
            max_xyz=np.stack([each.max_xyz for each in placed]),
            vectors=np.stack([self.vectors[each.observation.description.text] for each in placed]),
            category=np.array([self._class_code(each.observation.category) for each in placed]),
            partial=np.array([each.partial for each in placed]),
            surface=np.array([each.observation.kind == "surface" for each in placed]),
        )

    def _texts_of(self, entry_ids: Sequence[str]) -> list[str]:
        return [self._folds[each].text for each in entry_ids]

    def _boxes_of(self, entry_ids: Sequence[str]) -> Boxes:
        assert self._boxes is not None, "asked for an entry before there was one"
        return self._boxes.rows(np.array([self._row_of[each] for each in entry_ids], dtype=np.intp))

    def _refresh(self, entry_ids: Iterable[str]) -> None:
        """Bring the columns up to date with the folds."""
        for entry_id in entry_ids:
            fold = self._folds[entry_id]
            low, high = fold.box()
            vector = self.vectors[fold.text]
            if self._boxes is None:
                self._boxes = _empty_boxes(64, len(vector))
            row = self._row_of.get(entry_id)
            if row is None:
                row = self._row_of[entry_id] = len(self._ids)
                self._ids.append(entry_id)
                if row >= len(self._boxes):
                    self._boxes = _grown(self._boxes)
            boxes = self._boxes
            boxes.min_xyz[row], boxes.max_xyz[row], boxes.vectors[row] = low, high, vector
            boxes.category[row] = self._class_code(fold.category)
            boxes.partial[row], boxes.surface[row] = not fold.has_whole_view, fold.kind == "surface"

    def _class_code(self, category: str | None) -> int:
        return -1 if category is None else self._class_codes.setdefault(category, len(self._class_codes))

    def _drop(self, entry_id: str) -> None:
        self._folds.pop(entry_id, None)
        row = self._row_of.pop(entry_id, None)
        if row is not None and self._boxes is not None:
            self._ids[row] = None
            self._boxes.min_xyz[row], self._boxes.max_xyz[row] = np.inf, -np.inf

    def _name(self, observation: Observation) -> str:
        """A name that is the same in every run: what it looks like and a digest of its first observation."""
        word = re.sub(r"[^a-z0-9]+", "-", (observation.category or observation.kind).lower()).strip("-") or "thing"
        source = f"{observation.agent}|{observation.stamp_ns}|{observation.index}".encode()
        digest = blake2b(source, digest_size=16).hexdigest()
        length = 6
        while f"{word}-{digest[:length]}" in self._folds:
            length += 1
        return f"{word}-{digest[:length]}"


def _grouped(seen: Boxes, settings: AssociationSettings) -> NDArray[np.intp]:
    """For each observation of one frame, the first one of the same thing: segmenters mask some things twice."""
    group = np.arange(len(seen))
    fit = affinity(seen, seen, settings)
    doubled = replace(fit, may_match=fit.may_match & (fit.similarity >= settings.delta))
    for i, j in twins(doubled, PART_CONTAINMENT):
        group[group == group[j]] = group[i]
    return group


def _near(boxes: Boxes, seen: Boxes, reach_m: float) -> NDArray[np.intp]:
    """Rows of the boxes at most `reach_m` from the space that `seen` take up together."""
    low, high = seen.min_xyz.min(axis=0) - reach_m, seen.max_xyz.max(axis=0) + reach_m
    rows = np.flatnonzero((boxes.min_xyz[:, 0] <= high[0]) & (boxes.max_xyz[:, 0] >= low[0]))
    near = ((boxes.min_xyz[rows] <= high) & (boxes.max_xyz[rows] >= low)).all(axis=1)
    return np.asarray(rows[near])


def _first_seen(fold: EntryFold) -> int:
    return min(sightings[0].from_ns for sightings in fold.sightings.values())


def _empty_boxes(n: int, dimension: int) -> Boxes:
    far = np.full((n, 3), np.inf)
    return Boxes(
        min_xyz=far,
        max_xyz=-far,
        vectors=np.zeros((n, dimension), dtype=np.float32),
        category=np.full(n, -1, dtype=np.intp),
        partial=np.zeros(n, dtype=bool),
        surface=np.zeros(n, dtype=bool),
    )


def _grown(boxes: Boxes) -> Boxes:
    more = _empty_boxes(len(boxes), boxes.vectors.shape[1])
    return Boxes(
        np.concatenate([boxes.min_xyz, more.min_xyz]),
        np.concatenate([boxes.max_xyz, more.max_xyz]),
        np.concatenate([boxes.vectors, more.vectors]),
        np.concatenate([boxes.category, more.category]),
        np.concatenate([boxes.partial, more.partial]),
        np.concatenate([boxes.surface, more.surface]),
    )
