"""Regions are kept with the memory, and plans and other processes find them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall4d import Memory
from recall4d.errors import UsageError

CORNERS = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]


def test_a_region_is_kept_replaced_and_forgotten(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory") as memory, Memory.open(tmp_path / "memory") as other:
        assert dict(other.regions()) == {}
        memory.name_region("work  shop", CORNERS)
        assert other.regions()["work shop"].corners_xy.tolist() == [list(each) for each in CORNERS]
        memory.name_region("work shop", CORNERS[:3], (0.0, 2.5))
        region = other.regions()["work shop"]
        assert (len(region.corners_xy), region.low_z, region.high_z) == (3, 0.0, 2.5)
        memory.forget_region("work shop")
        assert dict(other.regions()) == {}


def test_what_is_no_region_is_refused(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory") as memory:
        with pytest.raises(UsageError, match="its corners lie on one line"):
            memory.name_region("line", [(0, 0), (1, 1), (2, 2)])
        with pytest.raises(UsageError, match="1 to 80 characters"):
            memory.name_region(" ", CORNERS)
        with pytest.raises(UsageError, match="no region is called 'attic'"):
            memory.forget_region("attic")
