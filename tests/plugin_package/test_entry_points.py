"""A segmenter of another package is found by its name once that package is installed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from recall4d import plugins
from recall4d.errors import UsageError
from recall4d.geometry.camera import Intrinsics
from recall4d.records import Frame

MODULE = Path(__file__).with_name("whole_image.py")


@pytest.fixture
def other_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs the package as pip would leave it: the module, and a dist-info that names its entry point."""
    shutil.copy(MODULE, tmp_path / "someones_whole_image.py")
    dist_info = tmp_path / "someones_whole_image-1.0.dist-info"
    dist_info.mkdir()
    (dist_info / "METADATA").write_text("Metadata-Version: 2.1\nName: someones-whole-image\nVersion: 1.0\n")
    (dist_info / "entry_points.txt").write_text(
        "[recall4d.segmenters]\nwhole-image = someones_whole_image:create\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "someones_whole_image", raising=False)


@pytest.fixture
def frame() -> Frame:
    return Frame("robot", 0, 0, np.zeros((48, 64, 3), np.uint8), Intrinsics(64, 48, 60, 60, 31.5, 23.5), None)


@pytest.mark.usefixtures("other_package")
def test_the_segmenter_of_another_package_is_used_by_its_name(frame):
    (found,) = plugins.segmenter("whole-image").segment(frame)

    assert (found.category, found.mask.area_px) == ("picture", 48 * 64)


@pytest.mark.usefixtures("other_package")
def test_what_follows_the_colon_is_handed_to_it(frame):
    segmenter = plugins.segmenter("whole-image:painting")

    assert segmenter.name == "whole-image:painting"
    assert segmenter.segment(frame)[0].category == "painting"


@pytest.mark.usefixtures("other_package")
def test_it_is_listed_among_the_others():
    assert {"stored", "whole-image"} <= set(plugins.names("segmenters"))


def test_uninstalled_it_is_unknown_and_the_message_lists_what_there_is():
    with pytest.raises(UsageError, match=r"unknown segmenter 'whole-image': expected one of .*stored"):
        plugins.segmenter("whole-image")


@pytest.mark.parametrize(
    ("find", "spec"),
    [
        (plugins.segmenter, "stored"),
        (plugins.segmenter, "geometric"),
        (plugins.describer, "appearance"),
        (plugins.embedder, "wordllama"),
    ],
)
def test_what_is_shipped_is_found_the_same_way(find, spec):
    assert find(spec).name.startswith(spec)
