"""What is not meant where a question asks for things by their place alone."""

from __future__ import annotations

from collections.abc import Sequence

from recall4d.query.plan import SpatialKey, StepRef

_ASIDE = frozenset(("left", "right", "front", "behind", "between", "nearest"))


def keys_of_the_unnamed(keys: Sequence[SpatialKey]) -> list[SpatialKey]:
    """Further keys for a step that finds things by these, whatever they are.

    What is left of the mug, or nearest to it? Not the table it stands on. What is above the table? Not what stands
    on it, though that is above it, too.
    """
    asked = [key for key in keys if not key.negated]
    beside = [
        place for key in asked if key.relation in _ASIDE for place in key.anchors if isinstance(place, StepRef)
    ]
    return [
        *(SpatialKey(relation="under", anchors=(place,), negated=True) for place in dict.fromkeys(beside)),
        *(SpatialKey(relation="on", anchors=key.anchors, negated=True) for key in asked if key.relation == "above"),
    ]
