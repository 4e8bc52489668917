"""The order of rows: as a step wants it, ties settled the same way every time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recall4d.query.bind import Order
from recall4d.query.columns import Columns
from recall4d.query.table import Floats, Table


def first_rows(
    table: Table, columns: Columns, scores: Floats, by: tuple[NDArray[np.generic], ...], limit: int | None
) -> NDArray[np.intp]:
    """Positions of the first `limit` rows by ascending keys `by`; ties by score, entry id, latest state."""
    tie = (-scores, columns.id_rank[table.entry], -table.state)
    return np.lexsort((*tie[::-1], *by[::-1]))[:limit]


def rank_keys(
    order: Order, table: Table, columns: Columns, distances: tuple[Floats, Floats]
) -> tuple[NDArray[np.generic], ...]:
    """What rows are sorted by, before ties; smaller comes first.

    Args:
        order: as the step wants it.
        table: the rows.
        columns: of the snapshot.
        distances: (k,) between boxes and between centres.
    """
    match order:
        case "score":
            return ()
        case "distance":
            return distances
        case "first_seen":
            return (columns.first_seen_ns[table.entry],)
        case "last_seen":
            return (-columns.last_seen_ns[table.entry],)
        case "latest_first":
            return (-columns.states.from_ns[table.state],)
