"""Which views are of one thing, told before anything is matched: by track, by place and by look.

A thing's box grows with every view of it, as an entry's does, and its looks are all that it was seen to look like:
of a thing cut off at the edge of the image, another part is seen next. In one frame a thing is seen once, so views
and things are assigned one to one, as in `memory.associate`; but there is no description yet to compare.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from recall4d.perception.describers.appearance import pixels_of
from recall4d.perception.describers.colours import colour_shares
from recall4d.perception.lift import Lifted
from recall4d.records import Frame, Kind

Floats = NDArray[np.float64]
Corners = tuple[float, float, float, float, float, float]
"""Least and greatest corner, metres."""

GOOD_PX = 2500
"""A view with so many pixels of a thing is good: no later one says so much more that it pays to ask again."""

BETTER, WHOLE_BETTER = 8.0, 2.0
"""So many times the pixels are a much better view; the second where it shows all of what was cut off before."""

CHANGED = 1.2
"""The look has changed when the shares of colours differ by more than this, of at most 2, from all that it was."""

PART_CHANGED, BESIDE_CHANGED = 0.8, 0.5
"""The same where one saw a part only, lying in the rest of the thing, or beside it."""

SAME_PLACE, SAME_SIZE = 0.3, 2.5
"""Two boxes hold the same thing when this share of the smaller lies in the larger, grown by `MARGIN_M`, and their
longest edges differ by no more than this factor: a cup lies wholly in the box of its table."""

PART_INSIDE = 0.7
"""What one sees a part of, hidden or cut off, may be of any size; this share of its box lies in the other."""

MARGIN_M, BESIDE_M, SURFACE_BESIDE_M = 0.02, 0.05, 0.3
"""What was cut off may go on so far from where it ended; a wall or a floor comes in patches farther apart."""

NEW_LOOK, MAX_LOOKS = 0.5, 8
"""Looks are kept that differ by more than this from those that are, and no more than so many of a thing."""

GROWN_SHARE = 0.1
"""A box that grew by less than this share of its longest edge is not worth a line in a file."""


class Asked(BaseModel):
    """One reply, and of what view it was.

    Attributes:
        describer: who gave it.
        content: name of all it depended on.
        text, attributes: the description.
        map_frame: the agent in whose own map the box is; None for the world.
        track: number of the segmenter's track with the agent it belongs to, or None.
        category, kind: as the segmenter named the thing.
        box: of the view.
        colours: shares of `colours.COLOURS`.
        area_px: of the mask.
        whole: nothing hid a part of it.
        frame: agent and stamp.
        thing: `content` of the first reply about the same thing; None for this one.
    """

    describer: str
    content: str
    text: str
    attributes: dict[str, str]
    map_frame: str | None
    track: tuple[str, int] | None
    category: str | None
    kind: Kind = "thing"
    box: Corners
    colours: tuple[float, ...]
    area_px: int
    whole: bool
    frame: tuple[str, int] | None = None
    thing: str | None = None


class Seen(BaseModel):
    """What a view added to what is known of a thing, without anybody being asked.

    Attributes:
        thing: `content` of the first reply about it.
        box: of the thing, from now on.
        look: colours that it was not known by; None for none.
        track: another track of it; None for none.
        whole: nothing hid a part of it.
    """

    thing: str
    box: Corners
    look: tuple[float, ...] | None = None
    track: tuple[str, int] | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """What of a view tells which thing it is of; fields as in `Asked`."""

    map_frame: str | None
    track: tuple[str, int] | None
    category: str | None
    kind: Kind
    box: Corners
    colours: tuple[float, ...]
    area_px: int
    whole: bool


@dataclass(slots=True)
class Thing:
    """A thing with a description.

    Attributes:
        key: `content` of the first reply.
        best: the last reply, which is of the best view that anybody was asked about.
        box: (2, 3) corners of all views together, or where it was carried to.
        looks: colours that it was seen to have.
        tracks: it is known by.
        whole: it was seen with nothing hidden.
    """

    key: str
    best: Asked
    box: Floats
    looks: list[tuple[float, ...]]
    tracks: set[tuple[str, int]]
    whole: bool

    def needs(self, view: View) -> bool:
        """Whether so much more is seen of it now that it is asked about again."""
        if self.best.area_px >= GOOD_PX:
            return False
        uncovers = view.whole and not self.best.whole
        return view.area_px >= (WHOLE_BETTER if uncovers else BETTER) * self.best.area_px

    def differs(self, colours: Sequence[float]) -> float:
        """How far its looks are from these colours, in [0, 2]."""
        return min(float(np.abs(np.subtract(look, colours)).sum()) for look in self.looks)

    def news(self, view: View) -> Seen | None:
        """What a view of it adds, None if not worth keeping."""
        ours = np.reshape(view.box, (2, 3))
        if _beside_m(self.box[None], ours)[0] > SURFACE_BESIDE_M:
            box = ours  # it was carried
        else:
            box = np.stack([np.minimum(self.box[0], ours[0]), np.maximum(self.box[1], ours[1])])
        step_m = GROWN_SHARE * float(np.ptp(self.box, axis=0).max()) + MARGIN_M
        is_new = len(self.looks) < MAX_LOOKS and self.differs(view.colours) > NEW_LOOK
        track = view.track if view.track not in self.tracks else None
        whole = view.whole and not self.whole
        if not (is_new or whole or track or (np.abs(box - self.box) > step_m).any()):
            return None
        corners: Corners = tuple(map(float, box.ravel()))  # type: ignore[assignment]
        return Seen(thing=self.key, box=corners, look=view.colours if is_new else None, track=track, whole=whole)


@dataclass(slots=True)
class Things:
    """All things with a description."""

    _things: dict[str, Thing] = field(default_factory=dict)
    _keys: list[str] = field(default_factory=list)
    _row_of: dict[str, int] = field(default_factory=dict)
    _boxes: Floats = field(default_factory=lambda: np.zeros((16, 2, 3)))
    _by_track: defaultdict[tuple[str, int], set[int]] = field(default_factory=lambda: defaultdict(set))

    def take(self, told: Asked | Seen) -> None:
        """Take in a reply, or what a view added to a thing; nothing, if its line was torn and it is not known."""
        key = told.thing or (told.content if isinstance(told, Asked) else "")
        thing = self._things.get(key)
        corners = np.reshape(told.box, (2, 3)).astype(np.float64)
        if isinstance(told, Seen):
            if thing is None:
                return
            thing.box = corners
            thing.whole |= told.whole
            thing.looks += [told.look] if told.look is not None else []
        elif thing is None:
            thing = self._things[key] = Thing(key, told, corners, [told.colours], set(), told.whole)
            self._row_of[key] = len(self._keys)
            self._keys.append(key)
        else:
            thing.best = told
        row = self._row_of[key]
        if row >= len(self._boxes):
            self._boxes = np.concatenate([self._boxes, np.zeros_like(self._boxes)])
        self._boxes[row] = thing.box
        if told.track is not None:
            thing.tracks.add(told.track)
            self._by_track[told.track].add(row)

    def of(self, views: Sequence[View]) -> list[Thing | None]:
        """The thing that each view of one frame is of; None for one not seen before, or one that looks changed."""
        from scipy.optimize import linear_sum_assignment

        found: list[Thing | None] = [None] * len(views)
        fits = [self._fits(view) for view in views]
        rows = sorted({row for fit in fits for row in fit})
        if not rows:
            return found
        column = {row: i for i, row in enumerate(rows)}
        gain = np.zeros((len(views), len(rows)))
        for i, fit in enumerate(fits):
            for row, how_well in fit.items():
                gain[i, column[row]] = how_well
        for i, j in zip(*linear_sum_assignment(gain, maximize=True), strict=True):
            if gain[i, j] > 0:
                found[i] = self._things[self._keys[rows[j]]]
        return found

    def _fits(self, view: View) -> dict[int, float]:
        """Rows of the things that a view may be of, and how well it fits, above 0."""
        ours = np.reshape(view.box, (2, 3)).astype(np.float64)
        boxes = self._boxes[: len(self._keys)]
        near = np.flatnonzero(_beside_m(boxes, ours) <= SURFACE_BESIDE_M)
        followed = set() if view.track is None else self._by_track[view.track]
        rows = np.array(sorted({*near.tolist(), *followed}), dtype=np.intp)
        share, iou, same_size, is_inner = _overlaps(boxes[rows], ours)
        beside_m = _beside_m(boxes[rows], ours)
        fits = {}
        for i, row in enumerate(rows.tolist()):
            thing = self._things[self._keys[row]]
            if _sort_of(thing.best) != _sort_of(view):
                continue
            tracked = view.track is not None and view.track in thing.tracks
            cut_off = not (view.whole if is_inner[i] else thing.whole)
            if tracked or (share[i] >= SAME_PLACE and same_size[i]):
                limit = CHANGED
            elif view.kind == "surface" or _is_part(view, share[i], cut_off):
                limit = PART_CHANGED
            elif not view.whole and beside_m[i] <= BESIDE_M:
                limit = BESIDE_CHANGED
            else:
                continue
            differs = thing.differs(view.colours)
            if differs <= limit:
                fits[row] = 2.0 + share[i] + iou[i] - 0.5 * differs + 0.2 * same_size[i]
        return fits


def view_of(frame: Frame, lifted: Lifted, map_frame: str | None) -> View:
    """What of a detection tells which thing it is of.

    Args:
        frame: that shows it.
        lifted: the detection.
        map_frame: the agent in whose own map the pose is; None for the world.
    """
    detection = lifted.detection
    low, high = lifted.hull_xyz.min(axis=0), lifted.hull_xyz.max(axis=0)
    corners: Corners = (*low.tolist(), *high.tolist())
    return View(
        map_frame=map_frame,
        track=None if detection.track is None else (frame.agent, detection.track),
        category=detection.category,
        kind=detection.kind,
        box=corners,
        colours=tuple(colour_shares(pixels_of(frame, detection.mask)).tolist()),
        area_px=detection.mask.area_px,
        whole=not (lifted.occluded or lifted.truncated),
    )


def _is_part(view: View, share: float, cut_off: bool) -> bool:
    """Whether a view may show a part of a thing.

    Args:
        view: that one.
        share: of the smaller of the two boxes that lies in the larger.
        cut_off: whether of the smaller a part only is seen.
    """
    return share >= (PART_INSIDE if view.whole else SAME_PLACE) and (cut_off or not view.whole)


def _sort_of(each: Asked | View) -> tuple[str | None, Kind, str | None]:
    return each.category, each.kind, each.map_frame


def _beside_m(boxes: Floats, box: Floats) -> Floats:
    """Distance (n,) of boxes (n, 2, 3) to a box (2, 3); 0 where they share something."""
    between = np.maximum(boxes[:, 0] - box[1], box[0] - boxes[:, 1])
    return np.asarray(np.linalg.norm(np.maximum(between, 0.0), axis=1))


def _overlaps(boxes: Floats, box: Floats) -> tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """How boxes (n, 2, 3) and a box (2, 3) share their room.

    Returns:
        the share of the smaller in the larger; the share of both together; whether they are of about one size;
        whether `box` is the smaller.
    """
    grow = np.array([[-MARGIN_M], [MARGIN_M]])
    a, b = boxes + grow, box + grow
    shared = np.prod(np.clip(np.minimum(a[:, 1], b[1]) - np.maximum(a[:, 0], b[0]), 0, None), axis=1)
    theirs, ours = np.prod(a[:, 1] - a[:, 0], axis=1), float(np.prod(b[1] - b[0]))
    edges, edge = np.max(a[:, 1] - a[:, 0], axis=1), float(np.max(b[1] - b[0]))
    same_size = np.maximum(edges, edge) <= SAME_SIZE * np.minimum(edges, edge)
    return shared / np.minimum(theirs, ours), shared / (theirs + ours - shared), same_size, ours < theirs
