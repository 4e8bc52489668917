"""A thing is described once, and a kill makes nobody say it again."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from recall4d.geometry.camera import Intrinsics
from recall4d.geometry.pose import pose
from recall4d.memory.describing import FILE, Describing
from recall4d.models.scripted import ScriptedModel
from recall4d.perception.describers.chat import ChatDescriber
from recall4d.perception.lift import MeasuredDepth, lift
from recall4d.perception.segmenters.stored import StoredSegmenter
from recall4d.records import Detection, Frame, Mask, Reply
from recall4d.store.sqlite import SqliteStore

from .films import Film, ingest

CAMERA = Intrinsics(160, 120, 130.0, 130.0, 79.5, 59.5)


def view(colour=(200, 30, 30), at=(50, 70), size=(20, 16), z_m=1.0, category="cup", **more):
    """A frame with one thing in it, lifted."""
    rgb = np.full((120, 160, 3), 90, np.uint8)
    (top, left), (height, width) = at, size
    rgb[top : top + height, left : left + width] = colour
    depth = np.full((120, 160), 3.0, np.float32)
    depth[top : top + height, left : left + width] = z_m
    frame = Frame("alpha", 0, 0, rgb, CAMERA, pose(np.eye(3), [0, 0, 0]))
    detection = Detection(Mask(top, left, np.ones(size, bool)), category, **more)
    (lifted,), _ = lift(frame, [detection], MeasuredDepth(depth, 1.0))
    return frame, lifted


@pytest.fixture
def model():
    numbers = iter(range(1, 100))
    return ScriptedModel(lambda request: f"thing number {next(numbers)}")


@pytest.fixture
def describing(model, tmp_path):
    return Describing(ChatDescriber("chat:scripted", model), tmp_path)


def say(describing, frame, lifted, map_frame=None, counts=None):
    (said,) = describing.describe(frame, [lifted], map_frame, Counter() if counts is None else counts)
    return said.text


def test_a_thing_seen_again_is_not_asked_again(describing, model):
    assert say(describing, *view()) == "thing number 1"
    assert say(describing, *view(at=(50, 71))) == "thing number 1"
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ({"colour": (30, 30, 200)}, 2),
        ({"category": "bowl"}, 2),
        ({"at": (50, 20), "colour": (200, 32, 30)}, 2),
        ({"size": (60, 48), "at": (30, 54)}, 2),
        ({"size": (24, 18), "at": (48, 69)}, 1),
        ({"colour": (190, 40, 35)}, 1),
    ],
    ids=["another look", "another class", "another place", "a much better view", "a better view", "another light"],
)
def test_it_is_asked_again_only_where_something_else_is_seen(describing, model, change, asked):
    say(describing, *view())
    say(describing, *view(**change))

    assert len(model.requests) == asked


def test_a_view_of_the_whole_is_asked_after_one_that_was_cut_off(describing, model):
    say(describing, *view(at=(50, 0)))
    frame, lifted = view(at=(50, 0))
    say(describing, frame, replace(lifted, truncated=False))

    assert [lifted.truncated, len(model.requests)] == [True, 1], "the same picture is never asked twice"
    say(describing, *view(at=(44, 10), size=(32, 26)))
    assert len(model.requests) == 2


def test_what_was_once_seen_well_is_not_asked_about_however_near_one_comes(describing, model):
    frame, lifted = view(at=(30, 50), size=(52, 50))
    say(describing, frame, replace(lifted, truncated=True))
    say(describing, *view(at=(6, 26), size=(104, 100)))

    assert len(model.requests) == 1


def test_views_of_parts_that_hang_together_are_of_one_thing(describing, model):
    for left in (0, 20, 40, 60):
        frame, lifted = view(at=(50, left), size=(20, 24))
        say(describing, frame, replace(lifted, truncated=True))

    assert len(model.requests) == 1


def test_two_alike_side_by_side_are_two_things(describing, model):
    frame, first = view(at=(50, 60))
    second = view(at=(50, 74))[1]
    one, other = describing.describe(frame, [first, second], None, Counter())

    assert one.text != other.text
    frame, third = view(at=(50, 61))
    assert say(describing, frame, third) == one.text


def test_a_look_that_changes_by_and_by_is_the_same_thing(describing, model):
    for colour in ((200, 30, 30), (200, 110, 30), (200, 190, 30), (190, 220, 30)):
        say(describing, *view(colour=colour))
    assert len(model.requests) < 4


def test_what_is_carried_is_known_by_its_track(describing, model):
    say(describing, *view(track=3))
    say(describing, *view(at=(50, 20), track=3))
    say(describing, *view(at=(50, 20), track=4))

    assert len(model.requests) == 1, "the place where it was carried to is known by then"


def test_the_same_place_in_two_maps_is_two_places(describing, model):
    frame, lifted = view()
    say(describing, frame, lifted, map_frame=None)
    frame.rgb[51, 71] = 0
    say(describing, frame, lifted, map_frame="bravo")

    assert len(model.requests) == 2


def test_a_new_process_asks_nothing_that_was_asked_before(describing, model, tmp_path):
    say(describing, *view())
    with (tmp_path / FILE).open("a") as kept:
        kept.write('{"describer": "chat:scr')
    counts: Counter[str] = Counter()

    again = Describing(ChatDescriber("chat:scripted", model), tmp_path)

    assert say(again, *view(at=(50, 71)), counts=counts) == "thing number 1"
    assert +counts == {"known": 1}
    assert say(again, *view(category="bowl")) == "thing number 2"
    last = Describing(ChatDescriber("chat:scripted", model), tmp_path)
    assert say(last, *view(category="bowl")) == "thing number 2", "a torn line does not spoil the next"


def test_another_model_is_asked_for_itself(describing, model, tmp_path):
    say(describing, *view())
    other = Describing(ChatDescriber("chat:other", ScriptedModel(["red cup"])), tmp_path)

    assert say(other, *view()) == "red cup"


def test_a_failure_keeps_the_geometry_is_counted_and_is_asked_again(tmp_path):
    model = ScriptedModel([Reply("", "empty"), "red mug"])
    describing = Describing(ChatDescriber("chat:scripted", model), tmp_path)
    counts: Counter[str] = Counter()

    assert say(describing, *view(), counts=counts) == "flat red cup", "what can be measured"
    assert +counts == {"asked": 1, "failed": 1}
    assert say(describing, *view(), counts=counts) == "red mug"


def test_a_description_that_came_with_the_recording_is_kept(describing, model):
    assert say(describing, *view(description="the mug of Ada")) == "the mug of Ada"
    assert model.requests == []


class Unlabelled:
    """The stored masks without what is said of them."""

    name = "unlabelled"

    def __init__(self, n_frames=None):
        self._stored = StoredSegmenter()
        self._left = n_frames

    def segment(self, frame):
        if self._left is not None:
            if self._left == 0:
                raise RuntimeError("the power went out")
            self._left -= 1
        return [replace(each, description=None) for each in self._stored.segment(frame)]


def described_kitchen(directory, model, n_frames=None):
    describer = ChatDescriber("chat:scripted", model)
    return ingest(Film(), directory, segmenter=Unlabelled(n_frames), describer=describer)


def colour_in(request):
    """A model that sees: it names the picture by its bytes, so that other pictures get other names."""
    return f"thing like {zlib.crc32(request.messages[-1].pictures[0].encoded) % 997}"


def test_an_ingest_asks_about_once_a_thing_and_a_killed_one_repeats_no_call(tmp_path):
    whole = ScriptedModel(colour_in)
    store, report = described_kitchen(tmp_path / "whole", whole)
    assert report.descriptions["asked"] == len(whole.requests)
    assert report.observations > 4 * len(whole.requests)

    torn = ScriptedModel(colour_in)
    with pytest.raises(RuntimeError, match="power"):
        described_kitchen(tmp_path / "torn", torn, n_frames=5)
    n_before = len(torn.requests)
    resumed, rest = described_kitchen(tmp_path / "torn", torn)

    assert n_before > 0
    assert [each.messages for each in torn.requests] == [each.messages for each in whole.requests]
    assert rest.descriptions["asked"] == len(whole.requests) - n_before
    assert resumed.changes().entries == store.changes().entries


def test_the_descriptions_lie_in_the_memory(tmp_path):
    described_kitchen(tmp_path / "memory", ScriptedModel(colour_in))

    assert (tmp_path / "memory" / FILE).read_bytes().count(b"\n") > 3
    SqliteStore.open(tmp_path / "memory").close()
