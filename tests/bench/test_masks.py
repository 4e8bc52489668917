from __future__ import annotations

import numpy as np
import pytest

from recall4d.bench.masks import MaskTally, things_found
from recall4d.geometry.box import Box
from recall4d.records import Detection, Mask


def square(top, left, side=20, kind="thing"):
    return Detection(Mask(top, left, np.ones((side, side), bool)), kind=kind)


def test_masks_are_matched_once_and_by_overlap():
    tally = MaskTally()
    tally.add([square(0, 0), square(1, 0), square(50, 50)], [square(0, 0), square(100, 100)])

    assert (tally.n_given, tally.n_true, tally.overlaps) == (3, 2, [1.0])
    assert tally.recall == 1 / 2
    assert tally.precision == 1 / 3


def test_a_mask_that_overlaps_too_little_is_not_found():
    tally = MaskTally()
    tally.add([square(0, 10)], [square(0, 0)])

    assert tally.overlaps == []
    assert np.isnan(tally.mean_iou)


def test_surfaces_and_specks_are_not_asked_for():
    tally = MaskTally()
    tally.add(
        [square(0, 0, kind="surface"), square(0, 0, side=9)], [square(0, 0, kind="surface"), square(0, 0, side=9)]
    )

    assert (tally.n_given, tally.n_true) == (0, 0)
    assert tally.recall == 0


@pytest.mark.parametrize(("shift_m", "found"), [(0.0, 2), (0.05, 2), (0.5, 1)])
def test_a_thing_is_found_by_one_entry_at_its_place(shift_m, found):
    things = [Box((0, 0, 0), (0.2, 0.2, 0.2)), Box((1, 0, 0), (1.2, 0.2, 0.2))]
    entries = [
        Box((0, 0, 0), (0.2, 0.2, 0.2)),
        Box((0, 0, 0), (0.2, 0.2, 0.2)),
        Box((1 + shift_m, 0, 0), (1.2 + shift_m, 0.2, 0.2)),
    ]

    assert things_found(things, entries) == found
