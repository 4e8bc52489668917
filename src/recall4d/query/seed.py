"""Where a step begins: the states that the most selective index leaves, or all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from recall4d.query.bind import Bound
from recall4d.query.columns import Columns
from recall4d.query.keys_space import SpatialFilter
from recall4d.query.keys_text import SemanticFilter
from recall4d.query.keys_time import TemporalFilter, WindowsFilter
from recall4d.query.table import Rows

MIN_STATES = 1024
"""Fewer states are looked at one and all."""

MAX_SHARE = 0.5
"""An index that leaves a larger share of the states is not worth the detour."""


def seed(
    step: Bound,
    columns: Columns,
    temporal: TemporalFilter | WindowsFilter,
    spatial: Sequence[SpatialFilter],
    semantic: SemanticFilter | None,
) -> Rows | None:
    """States, ascending, among which all rows of the step are; None for all states.

    Every key whose index can tell says how many states it would leave; the one that leaves fewest is asked for
    them. All keys are applied to them afterwards, this one too.
    """
    n_states = len(columns.states.entry)
    if step.within is not None:
        return columns.states_of(np.array(sorted(step.within), dtype=np.intp))
    if n_states < MIN_STATES:
        return None
    offers: list[tuple[int, Callable[[], Rows]]] = []
    for key in spatial:
        if (states := key.offer()) is not None:
            offers.append((len(states), lambda states=states: states))  # type: ignore[misc]
    if semantic is not None and (named := semantic.offer()) is not None:
        n_entries, wordings = named
        offers.append((n_entries, lambda: columns.states_of(columns.entries_of(wordings))))
    if (lasting := temporal.offer()) is not None:
        offers.append(lasting)
    n_left, states_left = min(offers, key=lambda offer: offer[0], default=(n_states, None))
    if states_left is None or n_left > MAX_SHARE * n_states:
        return None
    return np.sort(states_left())
