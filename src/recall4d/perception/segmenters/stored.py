"""`stored`: the instance masks that came with the recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from recall4d.errors import FrameError, UsageError
from recall4d.perception.segmenters.masks import in_reading_order
from recall4d.perception.segmenters.surface_words import kind_of
from recall4d.records import Detection, Frame, Label, Mask

_NO_LABEL = Label()


@dataclass(frozen=True, slots=True)
class StoredSegmenter:
    """Gives back the masks of the frame, with what its labels say.

    An id names a mask inside one image and nothing else: it is not passed on, and any renumbering of the ids
    gives the same detections in the same order.
    """

    name: str = "stored"

    def segment(self, frame: Frame) -> Sequence[Detection]:
        """One detection an id; an id in several pieces, cut by something in front, stays one.

        Raises:
            UsageError: the recording has no masks.
            FrameError: the masks are not of the colour image's size.
        """
        stored = frame.masks
        if stored is None:
            raise UsageError(
                f"the segmenter 'stored' needs masks, and frame {frame.number} of {frame.agent!r} came without: "
                "use --segmenter yolo-seg:MODEL (an exported YOLO-seg model) or --segmenter geometric (no model)"
            )
        if stored.ids.shape != frame.rgb.shape[:2]:
            expected, found = ("x".join(map(str, shape[1::-1])) for shape in (frame.rgb.shape, stored.ids.shape))
            raise FrameError("masks of another size", f"expected {expected} as the colour image, got {found}")
        return in_reading_order(
            _detection(mask, stored.labels.get(number, _NO_LABEL)) for number, mask in _masks(stored.ids)
        )


def create(argument: str | None) -> StoredSegmenter:
    """The entry point `stored`.

    Raises:
        UsageError: an argument was given.
    """
    if argument is not None:
        raise UsageError(f"the segmenter 'stored' takes no argument, got {argument!r}")
    return StoredSegmenter()


def _detection(mask: Mask, label: Label) -> Detection:
    kind = kind_of(label.category, label.description)
    return Detection(mask, label.category, label.description, kind=kind)


def _masks(ids: NDArray[np.unsignedinteger]) -> Iterator[tuple[int, Mask]]:
    """Each id but 0, with its mask."""
    numbers, places = _compacted(ids) if ids.dtype.itemsize > 2 else (None, ids)
    for place, rectangle in enumerate(ndimage.find_objects(places), start=1):
        if rectangle is None:
            continue
        rows, columns = rectangle
        mask = Mask(rows.start, columns.start, places[rectangle] == place)
        yield place if numbers is None else int(numbers[place]), mask


def _compacted(ids: NDArray[np.unsignedinteger]) -> tuple[NDArray[np.unsignedinteger], NDArray[np.intp]]:
    """Numbers (n,) with 0 first, and the image (h, w) with each id replaced by its place among the numbers.

    `find_objects` works through every integer up to the largest, which 32-bit ids make too many.
    """
    numbers, places = np.unique(np.append(ids, ids.dtype.type(0)), return_inverse=True)
    return numbers, places[:-1].reshape(ids.shape)
