"""Ground truth of a two-second recording: a cup that moves away, a plate that stays."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

from recall4d.bench.truth import MIN_PIXELS, things_of

CUP, PLATE = 7, 300
START_NS = 1_760_000_000_000_000_000

LABELS = {
    str(CUP): {"category": "cup", "description": "red cup"},
    str(PLATE): {"category": None, "description": "blue plate"},
}


def annotated(label, **more):
    corners = {"box_min_xyz": [0, 0, 0], "box_max_xyz": [1, 2, 3], "truncated": False, "part_hidden": False}
    return {**label, **corners, **more}


def state(t_start_s, x, *, present=True, **more):
    corners = {"box_min_xyz": [x, 0, 0], "box_max_xyz": [x + 1, 1, 1]}
    return {"t_start_s": t_start_s, "present": present, **corners, **more}


def image(**pixels):
    """An image in which each id covers so many pixels."""
    flat = np.zeros(40 * 30, dtype=np.uint16)
    start = 0
    for name, n in pixels.items():
        flat[start : start + n] = {"cup": CUP, "plate": PLATE}[name]
        start += n
    return flat.reshape(30, 40)


FILM = [
    image(cup=MIN_PIXELS, plate=MIN_PIXELS),
    image(cup=MIN_PIXELS - 1, plate=400),
    image(plate=400),
]


def write(folder, labels, film=FILM, *, shared_folder=None, truth=None):
    """A recording of one frame a second; labels and truth lie in it, or in `shared_folder`."""
    (folder / "instance").mkdir(parents=True)
    lines = ["frame,stamp_ns"]
    for number, ids in enumerate(film):
        Image.fromarray(ids).save(folder / "instance" / f"{number:06d}.png")
        lines.append(f"{number},{START_NS + number * 1_000_000_000}")
    (folder / "poses.csv").write_text("\n".join(lines) + "\n")
    place = shared_folder or folder
    (place / "objects.json").write_text(json.dumps(labels))
    if truth is not None:
        (place / "truth.json").write_text(json.dumps({"objects": truth}))
    return folder


def by_id(things):
    return {each.thing_id: each for each in things}


def test_annotated_boxes_come_with_category_and_description(tmp_path):
    things = by_id(things_of(write(tmp_path / "walk", {key: annotated(each) for key, each in LABELS.items()})))
    assert things.keys() == {CUP, PLATE}
    assert (things[CUP].category, things[CUP].description) == ("cup", "red cup")
    assert things[PLATE].category is None
    assert things[CUP].box.extent_xyz == (1, 2, 3)


@pytest.mark.parametrize("mark", ["truncated", "part_hidden"])
def test_what_is_cut_off_or_hidden_is_not_whole(tmp_path, mark):
    labels = {str(CUP): annotated(LABELS[str(CUP)], **{mark: True}), str(PLATE): annotated(LABELS[str(PLATE)])}
    things = by_id(things_of(write(tmp_path / "walk", labels)))
    assert not things[CUP].whole
    assert things[PLATE].whole


def test_a_thing_is_seen_in_the_frames_that_show_enough_of_it(tmp_path):
    things = by_id(things_of(write(tmp_path / "walk", {key: annotated(each) for key, each in LABELS.items()})))
    assert things[CUP].frames_seen == 1
    assert things[PLATE].frames_seen == 3


def test_only_frames_up_to_the_moment_count(tmp_path):
    walk = write(tmp_path / "walk", {key: annotated(each) for key, each in LABELS.items()})
    assert by_id(things_of(walk, until_s=1.0))[PLATE].frames_seen == 2


STATES = {
    str(CUP): {"states": [state(0.0, 0), state(1.0, 0, moving=True), state(2.0, 5)]},
    str(PLATE): {"states": [state(0.0, 8), state(1.5, 8, present=False)]},
}


@pytest.mark.parametrize(
    ("until_s", "expected"),
    [
        (0.5, {CUP: (0, 0, 0), PLATE: (8, 0, 0)}),
        (1.2, {PLATE: (8, 0, 0)}),  # the cup is on its way
        (None, {CUP: (5, 0, 0)}),  # the plate is gone
    ],
)
def test_exact_states_are_those_at_the_moment(tmp_path, until_s, expected):
    things = by_id(things_of(write(tmp_path / "walk", LABELS, truth=STATES), until_s))
    assert {thing_id: each.box.min_xyz for thing_id, each in things.items()} == expected
    assert all(each.whole for each in things.values())


def test_labels_and_states_may_lie_one_level_up(tmp_path):
    write(tmp_path / "bravo", LABELS, shared_folder=tmp_path, truth=STATES)
    assert by_id(things_of(tmp_path / "bravo"))[CUP].box.min_xyz == (5, 0, 0)
