"""Each thing is described once: a model is asked again only for a much better view, or when the look has changed.

Describing comes before matching, since matching reads descriptions. So what a thing was called is looked up by
where it is: what was asked before is kept with the place, the size of the view and the colours seen. All of it lies
in `descriptions.jsonl` in the memory's directory, a line written and flushed for each reply before its frame is
committed, so that an ingest that was killed asks nothing twice.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from recall4d.errors import StoreError
from recall4d.perception.describers.appearance import AppearanceDescriber, pixels_of
from recall4d.perception.describers.colours import colour_shares
from recall4d.perception.lift import Lifted
from recall4d.ports import AskingDescriber, Describer
from recall4d.records import Description, Frame

FILE = "descriptions.jsonl"

BETTER = 4.0
"""A view with so many times the pixels is much better."""

CHANGED = 1.0
"""The look has changed when the shares of colours differ by more than this, of at most 2. In red_kitchen 14 % of
the later views of a thing differ more from its first one, and 70 % of two things of one class."""

SAME_PLACE = 0.3
SAME_SIZE = 2.5
"""Two boxes hold the same thing when this share of the smaller lies in the larger, grown by `MARGIN_M`, and their
longest edges differ by no more than this factor: a cup lies wholly in the box of its table."""

MARGIN_M = 0.02

PART_INSIDE, PART_CHANGED = 0.7, 0.8
"""A box of which one sees a part only, hidden or cut off, may be of any size: then this share of it must lie in the
larger one, and the colours must differ by less than this. In red_kitchen all this asks 337 times for 6281
observations of 71 descriptions; 1.7 % of the observations are called what a neighbour is called, such as a book."""


class Asked(BaseModel):
    """One reply, and of what view it was.

    Attributes:
        describer: who gave it.
        content: name of all it depended on.
        text, attributes: the description.
        map_frame: the agent in whose own map the box is; None for the world.
        track: number of the segmenter's track with the agent it belongs to, or None.
        category: as the segmenter named the thing.
        box: (6,) least and greatest corner, metres.
        colours: shares of `colours.COLOURS`.
        area_px: of the mask.
        whole: nothing hid a part of it.
    """

    describer: str
    content: str
    text: str
    attributes: dict[str, str]
    map_frame: str | None
    track: tuple[str, int] | None
    category: str | None
    box: tuple[float, float, float, float, float, float]
    colours: tuple[float, ...]
    area_px: int
    whole: bool


@dataclass(frozen=True, slots=True)
class _View:
    """What a reply of this moment would be kept with."""

    map_frame: str | None
    track: tuple[str, int] | None
    category: str | None
    box: tuple[float, ...]
    colours: tuple[float, ...]
    area_px: int
    whole: bool


class Describing:
    """Descriptions of detections, by whatever describer; one that asks a model is asked as seldom as can be."""

    def __init__(self, describer: Describer, directory: Path) -> None:
        self._describer = describer
        self._plain = AppearanceDescriber()
        self._path = directory / FILE
        self._asked: list[Asked] = []
        self._boxes = np.zeros((0, 2, 3))
        self._by_content: dict[str, Asked] = {}
        self._by_track: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        self._begun = False
        if isinstance(describer, AskingDescriber):
            for asked in _read(self._path):
                if asked.describer == describer.name:
                    self._note(asked)

    def describe(
        self, frame: Frame, lifted: Sequence[Lifted], map_frame: str | None, counts: Counter[str]
    ) -> list[Description]:
        """One description a detection; where the describer fails, what can be measured.

        Args:
            frame: with a pose.
            lifted: its detections.
            map_frame: the agent in whose own map the poses are; None for the world.
            counts: what was "asked", taken over from before ("known"), and "failed" is counted here.

        Raises:
            ModelError: the model is gone.
            StoreError: the disk refuses a reply.
        """
        if not lifted:
            return []
        if isinstance(self._describer, AskingDescriber):
            found = self._sparingly(self._describer, frame, lifted, map_frame, counts)
        else:
            found = list(self._describer.describe(frame, [each.detection for each in lifted], _extents(lifted)))
        missing = [index for index, each in enumerate(found) if each is None]
        counts["failed"] += len(missing)
        plain = self._plain.describe(
            frame, [lifted[index].detection for index in missing], _extents([lifted[index] for index in missing])
        )
        for index, description in zip(missing, plain, strict=True):
            found[index] = description
        return [each for each in found if each is not None]

    def _sparingly(
        self,
        describer: AskingDescriber,
        frame: Frame,
        lifted: Sequence[Lifted],
        map_frame: str | None,
        counts: Counter[str],
    ) -> list[Description | None]:
        views = [_view(frame, each, map_frame) for each in lifted]
        found: list[Description | None] = [
            self._given(frame, each) or _as_before(view, self._same(view))
            for view, each in zip(views, lifted, strict=True)
        ]
        contents: dict[int, str] = {}
        for index, each in enumerate(lifted):
            if found[index] is None:
                contents[index] = describer.content(frame, each.detection)
                if (before := self._by_content.get(contents[index])) is not None:
                    found[index] = Description(before.text, before.attributes)
        counts["known"] += sum(each is not None for each in found)
        open_ = [index for index in contents if found[index] is None]
        if not open_:
            return found
        chosen = [lifted[index] for index in open_]
        counts["asked"] += len(open_)
        replies = describer.describe(frame, [each.detection for each in chosen], _extents(chosen))
        for index, reply in zip(open_, replies, strict=True):
            found[index] = reply
            if reply is not None:
                self._keep(_asked(describer.name, contents[index], reply, views[index]))
        return found

    def _given(self, frame: Frame, lifted: Lifted) -> Description | None:
        """The description that came with the detection; no model is asked about that."""
        if lifted.detection.description is None:
            return None
        return self._plain.describe(frame, [lifted.detection], _extents([lifted]))[0]

    def _same(self, view: _View) -> list[Asked]:
        """What was asked before of the thing in view, by its track or its place."""
        if len(self._boxes) < len(self._asked):
            self._boxes = np.array([each.box for each in self._asked]).reshape(-1, 2, 3)
        same_size, part, ours_is_smaller = _places(self._boxes, np.reshape(view.box, (2, 3)))
        near = [int(index) for index in np.flatnonzero(same_size | part)]
        tracked = [] if view.track is None else self._by_track[view.track]
        found = []
        for index in sorted({*near, *tracked}):
            asked = self._asked[index]
            if (asked.category, asked.map_frame) != (view.category, view.map_frame):
                continue
            cut_off = not (view.whole if ours_is_smaller[index] else asked.whole)
            if (
                same_size[index]
                or index in tracked
                or (cut_off and _difference(asked.colours, view.colours) <= PART_CHANGED)
            ):
                found.append(asked)
        return found

    def _note(self, asked: Asked) -> None:
        if asked.track is not None:
            self._by_track[asked.track].append(len(self._asked))
        self._asked.append(asked)
        self._by_content[asked.content] = asked

    def _keep(self, asked: Asked) -> None:
        """Append the reply to the file, in one write, so that several writers do not tear each other's lines."""
        self._note(asked)
        # The first line of a process begins a new one: a kill may have torn the last.
        line = ("" if self._begun else "\n") + asked.model_dump_json() + "\n"
        self._begun = True
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                os.write(descriptor, line.encode())
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be written: {error.strerror or error}") from error


def _read(path: Path) -> list[Asked]:
    """What was asked before; a line torn by a kill is left out."""
    asked = []
    with suppress(FileNotFoundError), path.open("rb") as lines:
        for line in lines:
            with suppress(ValidationError):
                asked.append(Asked.model_validate_json(line))
    return asked


def _asked(describer: str, content: str, reply: Description, view: _View) -> Asked:
    return Asked(
        describer=describer,
        content=content,
        text=reply.text,
        attributes=reply.attributes,
        map_frame=view.map_frame,
        track=view.track,
        category=view.category,
        box=(*map(float, view.box),),  # type: ignore[arg-type]
        colours=view.colours,
        area_px=view.area_px,
        whole=view.whole,
    )


def _view(frame: Frame, lifted: Lifted, map_frame: str | None) -> _View:
    detection = lifted.detection
    low, high = lifted.hull_xyz.min(axis=0), lifted.hull_xyz.max(axis=0)
    return _View(
        map_frame=map_frame,
        track=None if detection.track is None else (frame.agent, detection.track),
        category=detection.category,
        box=(*low.tolist(), *high.tolist()),
        colours=tuple(colour_shares(pixels_of(frame, detection.mask)).tolist()),
        area_px=detection.mask.area_px,
        whole=not (lifted.occluded or lifted.truncated),
    )


def _as_before(view: _View, same: Sequence[Asked]) -> Description | None:
    """The description of the best view of the same thing that was asked before; None if it must be asked."""
    alike = [each for each in same if _difference(each.colours, view.colours) <= CHANGED]
    if not alike:
        return None
    best = max(alike, key=lambda each: (each.whole, each.area_px))
    most_px = max(each.area_px for each in same)
    if view.area_px > BETTER * most_px or (view.whole and not best.whole and view.area_px >= most_px):
        return None
    return Description(best.text, best.attributes)


def _places(
    boxes: NDArray[np.float64], box: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of the boxes (n, 2, 3), least and greatest corner, lie where `box` (2, 3) lies.

    Returns:
        which share enough of their room and are of about its size; where the smaller of the two lies mostly in the
        larger; where `box` is the smaller.
    """
    grow = np.array([[-MARGIN_M], [MARGIN_M]])
    a, b = boxes + grow, box + grow
    shared = np.prod(np.clip(np.minimum(a[:, 1], b[1]) - np.maximum(a[:, 0], b[0]), 0, None), axis=1)
    theirs, ours = np.prod(a[:, 1] - a[:, 0], axis=1), np.prod(b[1] - b[0])
    smaller = np.minimum(theirs, ours)
    edges, edge = np.max(a[:, 1] - a[:, 0], axis=1), np.max(b[1] - b[0])
    alike = np.maximum(edges, edge) <= SAME_SIZE * np.minimum(edges, edge)
    return (shared >= SAME_PLACE * smaller) & alike, shared >= PART_INSIDE * smaller, ours < theirs


def _difference(a: Sequence[float], b: Sequence[float]) -> float:
    return float(np.abs(np.subtract(a, b)).sum())


def _extents(lifted: Sequence[Lifted]) -> NDArray[np.float64]:
    """Sizes along the world's axes (n, 3), metres."""
    return np.array([np.ptp(each.hull_xyz, axis=0) for each in lifted]).reshape(-1, 3)
