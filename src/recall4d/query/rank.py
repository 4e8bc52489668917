"""The order of rows: as a step wants it, ties settled the same way every time.

Rows by score, and limited, are spread: of ten chairs and an armchair that fit nearly as well, the armchair is among
the first. Greedy, after Carbonell and Goldstein 1998 ("The use of MMR, diversity-based reranking"): next comes the
row whose score, less what its likeness to a row before costs it, is best. No row gives way to one with less than
`1 - LIKENESS_COST` of its score.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from recall4d.query.bind import Bound
from recall4d.query.columns import Columns
from recall4d.query.spatial import rounded
from recall4d.query.table import Floats, Table

LIKENESS_COST = 0.3
"""What a row that is just like an earlier one loses of its score."""

FEW = 256
"""So many rows are sorted sooner than the first of them are picked out."""

POOL = 50
"""At least so many of the best rows are looked at, or four times the limit."""


def first_rows(
    table: Table, columns: Columns, scores: Floats, by: tuple[NDArray[np.generic], ...], limit: int | None
) -> NDArray[np.intp]:
    """Positions of the first `limit` rows by ascending keys `by`; ties by score, entry id, latest state."""
    keys = (*by, -scores, columns.id_rank[table.entry], -table.state)
    if limit is None or len(table) <= max(2 * limit, FEW):
        return np.asarray(np.lexsort(keys[::-1])[:limit])
    sure, tied, wanted = list[NDArray[np.intp]](), np.arange(len(table)), limit
    for key in keys:
        if len(tied) <= wanted:
            break
        values = key if len(tied) == len(key) else key[tied]
        last = np.partition(values, wanted - 1)[wanted - 1]
        sure.append(tied[values < last])
        tied = tied[values == last]
        wanted -= len(sure[-1])
    chosen = np.concatenate([*sure, tied])
    return np.asarray(chosen[np.lexsort([key[chosen] for key in keys[::-1]])][:limit])


def rank_keys(
    step: Bound, table: Table, columns: Columns, distances: Callable[[], tuple[Floats, Floats]]
) -> tuple[NDArray[np.generic], ...]:
    """What rows are sorted by, before ties; smaller comes first.

    Args:
        step: whose order it is.
        table: the rows.
        columns: of the snapshot.
        distances: gives (k,) between boxes and between centres, where they are needed.
    """
    order = step.order
    match order:
        case "score":
            return ()
        case "distance":
            return distances()
        case "farthest":
            gaps, centres = distances()
            return np.where(np.isinf(gaps), np.inf, -gaps), np.where(np.isinf(gaps), 0.0, -centres)
        case "first_seen":
            return (_seen(step, columns)[0][table.entry],)
        case "last_seen" if step.observed:
            return (-table.at_ns,)
        case "last_seen":
            return (-_seen(step, columns)[1][table.entry],)
        case "latest_first":
            return (-columns.states.from_ns[table.state],)
        case "largest" | "smallest":
            boxes = columns.boxes(table.state)
            volume = rounded(np.prod(boxes.high - boxes.low, axis=-1))
            return (-volume if order == "largest" else volume,)
        case "highest" | "lowest":
            top = columns.boxes(table.state).high[:, 2]
            return (-top if order == "highest" else top,)


def _seen(step: Bound, columns: Columns) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(n,), (n,) first and last sighting of each entry by the step's agent, or by anybody."""
    if step.agent is None:
        return columns.first_seen_ns, columns.last_seen_ns
    sightings, n = columns.sightings, len(columns.entries)
    theirs = sightings.agent == columns.agents.index(step.agent)
    first = np.full(n, np.iinfo(np.int64).max, dtype=np.int64)
    last = np.full(n, np.iinfo(np.int64).min + 1, dtype=np.int64)
    np.minimum.at(first, sightings.entry[theirs], sightings.from_ns[theirs])
    np.maximum.at(last, sightings.entry[theirs], sightings.to_ns[theirs])
    return first, last


def spread(scores: Floats, entry: NDArray[np.intp], vectors: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Positions of `limit` rows, best first, look-alikes apart.

    Args:
        scores: (k,) in the order without spreading.
        entry: (k,) their entries: states of one thing are just like each other.
        vectors: (k, d) unit vectors of their texts.
        limit: how many.
    """
    if len(scores) < 2:
        return np.arange(len(scores))
    exact = vectors.astype(np.float64)
    likeness = np.maximum(rounded(exact @ exact.T), 0.0)
    likeness[entry[:, None] == entry] = 1.0
    nearest = np.zeros(len(scores))
    taken = np.zeros(len(scores))
    chosen: list[int] = []
    for _ in range(min(limit, len(scores))):
        row = int((scores * (1.0 - LIKENESS_COST * nearest) - taken).argmax())
        chosen.append(row)
        taken[row] = np.inf
        np.maximum(nearest, likeness[row], out=nearest)
    return np.array(chosen, dtype=np.intp)
