"""The readers on recordings that no code of ours wrote, and on the bundled one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from recall4d.geometry.depth import register_depth
from recall4d.geometry.pose import inverse
from recall4d.records import SourceOptions
from recall4d.sources import folder, seven_scenes

OPTIONS = SourceOptions()
Shared = Callable[[str], Path]


def test_the_bundled_recording(demo_house: Path) -> None:
    source = folder.FORMAT.open(demo_house, OPTIONS)
    headers = list(source.headers())
    assert (source.agent, len(headers), source.notes) == ("demo_house", 72, ())
    assert all(header.world_from_camera is not None for header in headers)
    frame = source.load(headers[0], "alpha")
    assert frame.rgb.shape == (480, 640, 3)
    assert frame.jpeg is not None
    assert frame.depth is not None
    assert 0.3 < np.nanmedian(frame.depth.z_m) < 10
    assert frame.masks is not None
    assert {int(i) for i in np.unique(frame.masks.ids)} - {0} <= set(frame.masks.labels)


@pytest.mark.parametrize("agent", ["alpha", "bravo"])
def test_two_agents_share_one_list_of_things(shared: Shared, agent: str) -> None:
    source = folder.FORMAT.open(shared(f"data/house_4d/{agent}"), OPTIONS)
    masks = source.load(next(source.headers()), agent).masks
    assert source.agent == agent
    assert masks is not None
    assert masks.labels[3].category == "bed"


def test_original_frames_registered_here_equal_the_registered_ones(
    shared: Shared,
) -> None:
    raw = seven_scenes.FORMAT.open(shared("data/red_kitchen_raw"), OPTIONS)
    registered = folder.FORMAT.open(shared("data/red_kitchen"), OPTIONS)
    registered_headers = {header.number: header for header in registered.headers()}
    compared = [header for header in raw.headers() if header.number in registered_headers]
    assert [header.number for header in compared] == [20, 275]
    for header in compared:
        frame, expected = raw.load(header, "a"), registered.load(registered_headers[header.number], "a")
        assert frame.depth is not None
        assert expected.depth is not None
        depth = register_depth(
            frame.depth.z_m, frame.depth.intrinsics, frame.intrinsics, frame.depth.colour_from_depth
        )
        both = np.isfinite(depth) & np.isfinite(expected.depth.z_m)
        assert both.mean() > 0.99 * np.isfinite(expected.depth.z_m).mean()
        assert np.quantile(np.abs(depth - expected.depth.z_m)[both], 0.999) < 1e-3
        assert frame.jpeg == expected.jpeg


def test_original_poses_are_the_colour_cameras(shared: Shared) -> None:
    raw = seven_scenes.FORMAT.open(shared("data/red_kitchen_raw"), OPTIONS)
    measured = json.loads((shared("data/red_kitchen") / "calibration.json").read_text())
    up_is_minus_y = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
    world_from_ours = np.array(measured["world_from_7scenes"]) @ inverse(up_is_minus_y)
    registered = folder.FORMAT.open(shared("data/red_kitchen"), OPTIONS)
    expected = {header.number: header.world_from_camera for header in registered.headers()}
    for header in raw.headers():
        if header.number in expected:
            assert header.world_from_camera is not None
            assert world_from_ours @ header.world_from_camera == pytest.approx(expected[header.number], abs=1e-5)
