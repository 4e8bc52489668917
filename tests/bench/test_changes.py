"""What really changed, and who could have known: a two-minute recording of one frame a second, drawn by code.

The camera looks along y at a wall 4 m away; things are boxes before it.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

from recall4d.bench.changes import SEEN_PX, read_world

EPOCH_NS = 1_760_000_000_000_000_000
CAMERA = {"width": 80, "height": 60, "fx": 60.0, "fy": 60.0, "cx": 39.5, "cy": 29.5, "depth_scale_m": 0.001}
POSE = [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 1]
"""At (0, 0, 1): x right, y ahead, z up."""

LEFT, MIDDLE, RIGHT = (-1.0, 2.5, 1.0), (0.0, 2.5, 1.0), (1.0, 2.5, 1.0)


def state(t_start_s, t_end_s, centre, size=0.6, **more):
    """A stretch of a thing's life at a place, or away (None)."""
    times = {"t_start_s": t_start_s, "t_end_s": t_end_s, "present": centre is not None, **more}
    if centre is None or more:
        return times
    low, high = np.subtract(centre, size / 2).tolist(), np.add(centre, size / 2).tolist()
    return {**times, "centroid_xyz": list(centre), "box_min_xyz": low, "box_max_xyz": high}


def write(folder, looks, depth_m=4.0, **things):
    """A recording of `things`, lists of states by name.

    `looks` gives what each frame shows, as pixels by name, by its second; `depth_m` is that of every pixel.
    """
    ids = {name: number for number, name in enumerate(things, start=1)}
    frames = [
        {
            "frame": second,
            "stamp_ns": EPOCH_NS + second * 10**9,
            "visible_px": {str(ids[name]): n for name, n in seen.items()},
            "true_camera_to_alpha_world": POSE,
        }
        for second, seen in looks.items()
    ]
    objects = {str(ids[name]): {"name": name, "states": states} for name, states in things.items()}
    labels = {str(i): {"category": name.split()[-1], "description": f"{name} with dots"} for name, i in ids.items()}
    (folder / "depth").mkdir(parents=True)
    for second in looks:
        image = np.full((60, 80), round(depth_m * 1000), dtype=np.uint16)
        Image.fromarray(image).save(folder / "depth" / f"{second:06d}.png")
    truth = {"epoch_ns": EPOCH_NS, "objects": objects, "frames": {"alpha": frames}}
    (folder / "truth.json").write_text(json.dumps(truth))
    (folder / "objects.json").write_text(json.dumps(labels))
    (folder / "intrinsics.json").write_text(json.dumps(CAMERA))
    return read_world(folder)


def told(world):
    """Changes as (kind, first word, asked, began, ended)."""
    return [
        (c.kind, c.words[0].split()[0], c.asked, (c.began_ns - EPOCH_NS) / 1e9, (c.ended_ns - EPOCH_NS) / 1e9)
        for c in world.changes()
    ]


SEEN = {"red cup": SEEN_PX}
NOT_SEEN = {"red cup": SEEN_PX - 1}


def test_a_move_that_was_seen_from_both_sides_is_asked_for(tmp_path):
    states = [state(0, 50, LEFT), state(50, None, RIGHT)]
    (change,) = write(tmp_path, {10: SEEN, 60: SEEN}, **{"red cup": states}).changes()
    assert (change.kind, change.asked) == ("moved", True)
    assert change.from_xyz == pytest.approx(LEFT)
    assert change.to_xyz == pytest.approx(RIGHT)
    assert change.words == ("red cup with dots", "red cup", "cup")


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        pytest.param({10: SEEN}, [("moved", False)], id="nobody looked afterwards"),
        pytest.param({10: NOT_SEEN, 60: SEEN}, [("moved", False)], id="too little of it showed before"),
        pytest.param({10: SEEN, 60: NOT_SEEN}, [("moved", False)], id="too little of it showed after"),
    ],
)
def test_a_move_that_nobody_could_know_is_not_asked_for(tmp_path, looks, expected):
    world = write(tmp_path, looks, **{"red cup": [state(0, 50, LEFT), state(50, None, RIGHT)]})
    assert [(change.kind, change.asked) for change in world.changes()] == expected


def test_a_move_whose_old_place_stayed_hidden_is_not_asked_for(tmp_path):
    """It may as well be another cup."""
    states = [state(0, 50, (0.0, 6.0, 1.0)), state(50, None, RIGHT)]
    world = write(tmp_path, {10: SEEN, 60: SEEN}, **{"red cup": states})  # the wall is in front of y = 6
    assert told(world) == [("moved", "red", False, 50, 50)]


def test_what_rolls_in_view_changes_from_when_it_leaves_to_when_it_rests(tmp_path):
    states = [state(0, 3, LEFT), state(3, 7, LEFT, moving=True), state(7, None, RIGHT)]
    world = write(tmp_path, {1: SEEN, 9: SEEN}, **{"red cup": states})
    assert told(world) == [("moved", "red", True, 3, 7)]


def test_gone_and_returned_are_known_if_the_place_was_looked_at_in_between(tmp_path):
    states = [state(0, 50, LEFT), state(50, 90, None), state(90, None, LEFT)]
    known = write(tmp_path / "known", {10: SEEN, 70: {}, 95: SEEN}, **{"red cup": states})
    assert told(known) == [("gone", "red", True, 50, 50), ("returned", "red", True, 90, 90)]
    unknown = write(tmp_path / "unknown", {10: SEEN, 95: SEEN}, **{"red cup": states})
    assert told(unknown) == [("gone", "red", False, 50, 50), ("returned", "red", False, 90, 90)]


def test_appeared_is_known_if_its_place_had_been_seen_empty(tmp_path):
    states = [state(0, 50, None), state(50, None, LEFT)]
    assert told(write(tmp_path / "a", {10: {}, 60: SEEN}, **{"red cup": states})) == [
        ("appeared", "red", True, 50, 50)
    ]
    assert told(write(tmp_path / "b", {60: SEEN}, **{"red cup": states})) == [("appeared", "red", False, 50, 50)]


def test_between_two_moves_that_nobody_saw_apart_there_is_one(tmp_path):
    states = [state(0, 20, LEFT), state(20, 40, MIDDLE), state(40, None, RIGHT)]
    world = write(tmp_path, {10: SEEN, 60: SEEN}, **{"red cup": states})
    asked = [change for change in world.changes() if change.asked]
    assert [(c.kind, c.from_xyz, c.to_xyz) for c in asked] == [("moved", LEFT, RIGHT)]
    assert (asked[0].began_ns - EPOCH_NS, asked[0].ended_ns - EPOCH_NS) == (20 * 10**9, 40 * 10**9)


def test_hidden_by_what_was_put_before_it(tmp_path):
    """The box is put down at 50 s, and the camera then measures its front, 1.5 m away."""
    things = {
        "red cup": [state(0, None, MIDDLE)],
        "big box": [state(0, 50, None), state(50, None, (0.0, 1.8, 1.0))],
    }
    world = write(tmp_path, {60: {"big box": 900}}, depth_m=1.5, **things)
    before = write(tmp_path / "before", {10: SEEN}, **things)
    both = type(world)(world.worldlines, (*before.frames, *world.frames))
    assert [line.words[1] for line in both.hidden()] == ["red cup"]
    assert ("occluded", "red", True, 50, 50) in told(both)
    assert not before.hidden()  # nobody has been there since


def test_out_of_view_is_not_hidden(tmp_path):
    things = {
        "red cup": [state(0, None, (0.0, -2.5, 1.0))],  # behind the camera
        "big box": [state(0, 50, None), state(50, None, (0.0, -1.5, 1.0))],
    }
    assert not write(tmp_path, {10: SEEN, 60: {"big box": 900}}, **things).hidden()


def test_only_the_agents_asked_about_count(tmp_path):
    world = write(tmp_path, {10: SEEN, 60: SEEN}, **{"red cup": [state(0, 50, LEFT), state(50, None, RIGHT)]})
    assert [frame.agent for frame in world.frames] == ["alpha", "alpha"]
    assert not any(change.asked for change in read_world(tmp_path, agents=["bravo"]).changes())


@pytest.mark.parametrize(("depth_m", "looked_at"), [(4.0, True), (2.9, True), (1.0, False)])
def test_a_place_is_looked_at_unless_something_is_in_front(tmp_path, depth_m, looked_at):
    world = write(tmp_path, {0: {}}, depth_m=depth_m, cup=[state(0, None, MIDDLE)])
    assert world.frames[0].looks_at(world.worldlines[0].states[0].box) == looked_at
    assert world.frames[0].looks_in_vain_at(world.worldlines[0].states[0].box) == (not looked_at)


def test_the_recordings_truth_is_read_as_its_event_list_tells_it(shared):
    """House_4d lists its events: what is derived from states and looks are the same things, kinds and instants."""
    folder = shared("data/house_4d")
    truth = json.loads((folder / "truth.json").read_text())
    kinds = {"move": "moved", "move_in_view": "moved", "remove": "gone", "place": "appeared", "return": "returned"}
    listed = {(kinds[e["kind"]], e["object_id"], round(1e3 * e["t_s"])) for e in truth["events"]}
    changes = [change for change in read_world(folder).changes() if change.kind != "occluded"]
    derived = {(c.kind, c.thing_id, round((c.began_ns - truth["epoch_ns"]) / 1e6)) for c in changes}
    assert derived == listed
    assert [change.words[1] for change in changes if not change.asked] == ["Rubik's cube"]
    assert [line.words[1] for line in read_world(folder).hidden()] == ["blue toy box"]
