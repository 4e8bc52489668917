"""What a question may want: one word of the model's form each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one word of the form asks for.

    Attributes:
        told: what the manual says of it.
        kind, detail: of the plan's ask.
        present: without a time, only what is not known to be gone is meant.
    """

    told: str
    kind: str
    detail: str | None = None
    present: bool = False


WANTED: Mapping[str, Wanted] = {
    "where": Wanted("where is it, where was it", "where"),
    "where_before": Wanted("where was it before it moved", "where", "before"),
    "on_what": Wanted("what does it stand or lie on", "on_what"),
    "which": Wanted("which one, what thing is it", "which", present=True),
    "list": Wanted("what things are there", "list", present=True),
    "count": Wanted("how many", "count", present=True),
    "exists": Wanted("yes or no: is it there, was it there", "exists", present=True),
    "still_there": Wanted("yes or no: is it still where it was", "still_there"),
    "always_there": Wanted("yes or no: was it there the whole time", "still_there", "always"),
    "distance": Wanted(
        "how far apart the things of the last two steps are, or how far the only one is from me", "distance"
    ),
    "height": Wanted("how high, how tall", "height", "height"),
    "width": Wanted("how wide", "size", "width"),
    "length": Wanted("how long it is in metres", "size", "length"),
    "direction": Wanted("which way from me", "direction"),
    "left_or_right": Wanted("is the first step's thing left or right of the second's", "side", "left_right"),
    "when_first_seen": Wanted("when first seen, first noticed", "when_seen", "first"),
    "when_last_seen": Wanted("when last seen, last in view", "when_seen", "last"),
    "how_long_ago": Wanted("how long ago seen", "since_seen", "last"),
    "how_long_seen": Wanted("for how long it was in view", "seen_for"),
    "when_moved": Wanted("when was it moved", "when_moved", "moved"),
    "has_moved": Wanted("yes or no: was it moved", "has_changed", "moved"),
    "moved_by": Wanted("how far was it moved", "moved_distance"),
    "what_moved": Wanted("which of the things were moved", "what_changed", "moved"),
    "what_is_gone": Wanted("which of the things were taken away", "what_changed", "gone"),
    "what_is_new": Wanted("which of the things are new", "what_changed", "appeared"),
    "colour": Wanted("what colour", "attribute", "colour"),
    "material": Wanted("made of what", "attribute", "material"),
    "words_on_it": Wanted("what is written on it, what title", "attribute", "title"),
    "description": Wanted("what does it look like", "attribute", "description"),
    "who_saw": Wanted("who saw it", "who_saw"),
    "who_saw_first": Wanted("who saw it first", "who_saw", "first"),
    "who_saw_last": Wanted("who saw it last", "who_saw", "last"),
    "seen_first": Wanted("which of the things of two steps was seen first", "compare_seen", "first"),
    "nearer": Wanted("which of two steps' things is nearer to the third's", "compare_distance", "nearest"),
    "farther": Wanted("which of two steps' things is farther from the third's", "compare_distance", "farthest"),
    "taller": Wanted("which of two steps' things is taller", "compare_size", "tallest"),
    "larger": Wanted("which of two steps' things is bigger", "compare_size", "largest"),
    "smaller": Wanted("which of two steps' things is smaller", "compare_size", "smallest"),
    "higher": Wanted("which of two steps' things is higher up", "compare_size", "highest"),
    "lower": Wanted("which of two steps' things is lower down", "compare_size", "lowest"),
}
"""The words, in the manual's order."""

LANDMARKED = ("nearer", "farther")
"""Words about two steps' things and a third's."""

SIDED = "left_or_right"

PAIRED = ("seen_first", SIDED, *LANDMARKED, "taller", "larger", "smaller", "higher", "lower")
"""Words about two steps' things."""

STAYING = ("still_there", "always_there")
"""Words about a thing and the place where it was."""

CHANGES = ("when_moved", "has_moved", "moved_by", "what_moved", "what_is_gone", "what_is_new")
"""Words about what happened to things."""
