"""Which stretches of time meet an interval, without looking at all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

Stamps = NDArray[np.int64]

BLOCK = 256
"""Stretches a zone: of each zone the latest end is known."""


class TimeIndex:
    """Stretches of time, both ends inside, in the order in which they begin, with a zone map over their ends."""

    def __init__(self, from_ns: Stamps, to_ns: Stamps) -> None:
        order = np.argsort(from_ns, kind="stable")
        self._rows = order
        self._from_ns = from_ns[order]
        self._to_ns = to_ns[order]
        zones = np.arange(0, len(order), BLOCK)
        self._latest_ns = np.maximum.reduceat(self._to_ns, zones) if len(order) else self._to_ns

    def meeting(self, after_ns: int, before_ns: int) -> NDArray[np.intp]:
        """Rows of the stretches that share an instant with `after_ns`..`before_ns`, in no order."""
        return self.offer(after_ns, before_ns)[1]()

    def offer(self, after_ns: int, before_ns: int) -> tuple[int, Callable[[], NDArray[np.intp]]]:
        """How many stretches `meeting` would look at, and what looks at them."""
        n_begun = int(self._from_ns.searchsorted(before_ns, side="right"))
        zones = np.flatnonzero(self._latest_ns[: -(-n_begun // BLOCK)] >= after_ns)
        return min(BLOCK * len(zones), n_begun), partial(self._in_zones, zones, n_begun, after_ns)

    def _in_zones(self, zones: NDArray[np.intp], n_begun: int, after_ns: int) -> NDArray[np.intp]:
        if len(zones) == 0:
            return np.zeros(0, dtype=np.intp)
        first, last = int(zones[0]), int(zones[-1])
        if last - first + 1 == len(zones):
            span = slice(first * BLOCK, min((last + 1) * BLOCK, n_begun))
            return np.asarray(self._rows[span][self._to_ns[span] >= after_ns])
        at = (zones[:, None] * BLOCK + np.arange(BLOCK)).ravel()
        at = at[at < n_begun]
        return np.asarray(self._rows[at[self._to_ns[at] >= after_ns]])
