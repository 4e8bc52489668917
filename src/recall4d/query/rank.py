"""The order of rows: as a step wants it, ties settled the same way every time.

Rows by score, and limited, are spread: of ten chairs and an armchair that fit nearly as well, the armchair is among
the first. Greedy, after Carbonell and Goldstein 1998 ("The use of MMR, diversity-based reranking"): next comes the
row whose score, less what its likeness to a row before costs it, is best. No row gives way to one with less than
`1 - LIKENESS_COST` of its score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recall4d.query.columns import Columns
from recall4d.query.plan import Order
from recall4d.query.spatial import rounded
from recall4d.query.table import Floats, Table

LIKENESS_COST = 0.3
"""What a row that is just like an earlier one loses of its score."""

POOL = 50
"""At least so many of the best rows are looked at, or four times the limit."""


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
        case "farthest":
            gaps, centres = distances
            return np.where(np.isinf(gaps), np.inf, -gaps), np.where(np.isinf(gaps), 0.0, -centres)
        case "first_seen":
            return (columns.first_seen_ns[table.entry],)
        case "last_seen":
            return (-columns.last_seen_ns[table.entry],)
        case "latest_first":
            return (-columns.states.from_ns[table.state],)
        case "largest" | "smallest":
            boxes = columns.boxes(table.state)
            volume = rounded(np.prod(boxes.high - boxes.low, axis=-1))
            return (-volume if order == "largest" else volume,)
        case "highest" | "lowest":
            top = columns.boxes(table.state).high[:, 2]
            return (-top if order == "highest" else top,)


def spread(scores: Floats, entry: NDArray[np.intp], vectors: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Positions of `limit` rows, best first, look-alikes apart.

    Args:
        scores: (k,) in the order without spreading.
        entry: (k,) rows of `vectors`, the same for states of one thing.
        vectors: (n, d) unit vectors.
        limit: how many.
    """
    pool = vectors[entry].astype(np.float64)
    free = np.ones(len(scores), dtype=bool)
    nearest = np.zeros(len(scores))
    chosen: list[int] = []
    while free.any() and len(chosen) < limit:
        left = np.where(free, scores * (1.0 - LIKENESS_COST * nearest), -np.inf)
        row = int(np.argmax(left))
        chosen.append(row)
        free[row] = False
        likeness = np.where(entry == entry[row], 1.0, np.maximum(rounded(pool @ pool[row]), 0.0))
        nearest = np.maximum(nearest, likeness)
    return np.array(chosen, dtype=np.intp)
