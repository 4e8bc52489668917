from __future__ import annotations

import base64
import hashlib
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from small_worlds import ORIGIN_NS, at_s, entry, snapshot, state, walk

from recall4d.viewer import document, write_page
from recall4d.viewer.crops import CropBudget

HOSTILE = (
    """</script><script>alert("1")</script><!-- {{script}} ' " & \\ </SCRIPT > ]]> \u2028 """
    "\ud800"  # Half of a pair: not even UTF-8 can write it.
)


class Page(HTMLParser):
    """A page as a browser takes it apart: elements, and the text of each script, style and title."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text = path.read_text(encoding="utf-8")
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inner: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self.open: str | None = None
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.open = tag
        if tag in self.inner:
            self.inner[tag].append("")

    def handle_data(self, data: str) -> None:
        if self.open in self.inner:
            self.inner[self.open][-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.open = None

    @property
    def memory(self) -> Any:
        return json.loads(self.inner["script"][0])


def write(tmp_path: Path, *entries: Any, **options: Any) -> Page:
    path = options.pop("path", None)
    return Page(write_page(snapshot(*entries, path=path), tmp_path, tmp_path / "page.html", **options))


def save_crop(directory: Path, name: str = "crops/cup.jpg", side: int = 600) -> str:
    (directory / name).parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (side, side // 2), "red").save(directory / name)
    return name


def test_the_page_needs_nothing_from_outside(tmp_path):
    page = write(tmp_path, entry("e1", crop=save_crop(tmp_path)), path=walk(0, 1, 2))

    assert "http://" not in page.text
    assert "https://" not in page.text
    for _, attributes in page.elements:
        for name in ("src", "href", "srcset", "action"):
            assert (attributes.get(name) or "data:").startswith("data:")
    assert "@import" not in page.inner["style"][0]
    assert "url(" not in page.inner["style"][0]


def test_the_page_admits_its_own_script_and_no_other(tmp_path):
    page = write(tmp_path, entry("e1"))
    digest = base64.b64encode(hashlib.sha256(page.inner["script"][1].encode()).digest()).decode()
    policies = [a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]

    assert len(policies) == 1
    assert "default-src 'none'" in policies[0]
    assert f"script-src 'sha256-{digest}'" in policies[0]


def test_a_hostile_description_stays_text(tmp_path):
    told = entry(HOSTILE, category=HOSTILE, description=HOSTILE)
    page = write(tmp_path, told, title=HOSTILE)
    plain = write(tmp_path, entry("e1"))

    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    assert page.inner["script"][1] == plain.inner["script"][1]
    assert page.memory["entries"][0]["description"] == HOSTILE
    assert page.memory["entries"][0]["id"] == HOSTILE
    assert page.inner["title"][0] == HOSTILE.replace("\ud800", "?")


def test_instants_count_from_the_memorys_first(tmp_path):
    cup = entry("e1", state(1, 4, (0.0, 0.0, 0.5)), state(4, None, (2.0, 0.0, 0.5)), seen_s=[(1, 2.5), (4, 9)])
    memory = write(tmp_path, cup).memory

    assert memory["origin_ms"] == ORIGIN_NS // 1_000_000
    assert memory["span_ms"] == 10_000
    [told] = memory["entries"]
    assert [place[0] for place in told["places"]] == [1000, 4000]
    assert told["places"][1][2:8] == [1.9, -0.1, 0.4, 2.1, 0.1, 0.6]
    assert told["changes"] == [["moved", 4000, [0.0, 0.0, 0.5], [2.0, 0.0, 0.5]]]
    assert told["sightings"] == [[0, 1000, 2500], [0, 4000, 9000]]


def test_a_gap_in_the_poses_is_a_gap_in_the_path(tmp_path):
    memory = write(tmp_path, path=walk(0, 1, 2, 8, 9)).memory

    [alpha] = memory["agents"]
    assert [run["at"] for run in alpha["runs"]] == [[0, 1000, 2000], [8000, 9000]]
    assert alpha["runs"][1]["xyz"][0] == [3.0, 0.0, 1.5]
    assert alpha["runs"][1]["forward"][0] == [1.0, 0.0, 0.0]
    assert alpha["hold_ms"] == 1000


def test_an_empty_memory_makes_a_page(tmp_path):
    page = write(tmp_path)

    assert page.memory["entries"] == []
    assert page.memory["bounds"] == [[-1.0, -1.0, 0.0], [1.0, 1.0, 2.0]]
    assert page.memory["left_out"] == []


def test_crops_are_scaled_down_and_embedded(tmp_path):
    page = write(tmp_path, entry("e1", crop=save_crop(tmp_path)), crop_budget=CropBudget(side_px=64))

    kind, _, encoded = page.memory["entries"][0]["crop"].partition(",")
    assert kind == "data:image/jpeg;base64"
    with Image.open(io.BytesIO(base64.b64decode(encoded))) as image:
        assert image.size == (64, 32)


def test_what_is_left_out_is_said(tmp_path):
    crop = save_crop(tmp_path / "memory")
    save_crop(tmp_path, "outside.jpg")
    entries = [
        entry("seen twice", crop=crop, n_observations=2),
        entry("seen often", crop=crop, n_observations=9),
        entry("missing", crop="crops/missing.jpg", n_observations=20),
        entry("outside", crop="../outside.jpg", n_observations=20),
        entry("none"),
    ]
    page = Page(
        write_page(snapshot(*entries), tmp_path / "memory", tmp_path / "page.html", crop_budget=CropBudget(count=1))
    )

    assert [told["id"] for told in page.memory["entries"] if told["crop"]] == ["seen often"]
    assert page.memory["left_out"] == [
        "1 entry has no picture here, to keep the page small.",
        "2 pictures could not be read from the memory's directory.",
    ]


def test_a_large_memory_is_cut_to_what_was_observed_most(tmp_path, monkeypatch):
    monkeypatch.setattr(document, "MAX_ENTRIES", 2)
    page = write(tmp_path, *(entry(f"e{n}", n_observations=n) for n in (3, 1, 2)))

    assert [told["id"] for told in page.memory["entries"]] == ["e3", "e2"]
    assert page.memory["left_out"] == ["1 entry is left out: only the 2 most observed fit."]


def test_long_histories_are_thinned_without_losing_their_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(document, "MAX_STRETCHES", 3)
    monkeypatch.setattr(document, "MAX_POSES", 4)
    seen = [(0, 0.1), (0.2, 0.3), (2, 2.1), (2.2, 2.3), (5, 5.1), (5.2, 9)]
    memory = write(tmp_path, entry("e1", seen_s=seen), path=walk(*range(10))).memory

    assert memory["entries"][0]["sightings"] == [[0, 0, 300], [0, 2000, 2300], [0, 5000, 9000]]
    assert memory["agents"][0]["runs"][0]["at"] == [0, 3000, 6000, 9000]
    assert len(memory["left_out"]) == 2


@pytest.mark.parametrize("n", [1, 100, 2000])
def test_pages_of_any_size_are_written(tmp_path, n):
    page = write(tmp_path, *(entry(f"e{k}", state(0, None, (float(k % 40), k / 40, 0.5))) for k in range(n)))

    assert len(page.memory["entries"]) == n
    assert page.memory["entries"][-1]["first_seen"] == (at_s(0) - ORIGIN_NS) // 1_000_000
