"""Scoring events: changes of a mug, a book and a box, and reports that tell them, miss them or make them up."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from recall4d.bench.changes import TrueChange
from recall4d.bench.events import SLACK_NS, events_of_document, places_fit, score_events, words_fit
from recall4d.cli.documents import diff_document
from recall4d.records import Event

S = 1_000_000_000
TABLE, DESK, SHELF = (1.0, 2.0, 0.8), (4.0, 2.0, 0.8), (0.0, 0.0, 1.5)


def change(kind, name, from_xyz, to_xyz, at_s, *, until_s=None, asked=True, size_m=0.15):
    ended_s = at_s if until_s is None else until_s
    words = (f"old {name}", name, name.split()[-1])
    return TrueChange(1, kind, words, at_s * S, ended_s * S, from_xyz, to_xyz, size_m, asked)


def event(kind, description, from_xyz, to_xyz, after_s, before_s):
    return Event(
        kind, "entry", description, round(after_s * S), round(before_s * S), from_xyz, to_xyz, "alpha", 0.9
    )


MOVED = change("moved", "red mug", TABLE, DESK, 50)
GONE = change("gone", "blue book", SHELF, None, 60)
CAME = change("appeared", "big box", None, DESK, 70)
CHANGES = [MOVED, GONE, CAME]

TOLD = [
    event("moved", "old red mug", TABLE, DESK, 40, 80),
    event("gone", "old blue book", SHELF, None, 40, 80),
    event("appeared", "old big box", None, DESK, 40, 80),
]


def test_everything_told_and_nothing_else_is_perfect():
    score = score_events(TOLD, CHANGES)
    assert (score.precision, score.recall, score.f1, score.n_asked) == (1, 1, pytest.approx(1), 3)
    assert score.missed == score.false == score.mistimed == score.beyond == ()


def test_nothing_told_is_all_missed():
    score = score_events([], CHANGES)
    assert (score.recall, score.f1) == (0, pytest.approx(0))
    assert score.missed == ("moved: old red mug", "gone: old blue book", "appeared: old big box")


def test_where_nothing_happened_silence_is_right_and_words_are_wrong():
    assert score_events([], []).f1 == pytest.approx(1)
    score = score_events(TOLD[:1], [])
    assert score.precision == 0
    assert score.false == ("moved: old red mug",)


def test_a_made_up_event_lowers_precision():
    score = score_events([*TOLD, event("gone", "white vase", TABLE, None, 40, 80)], CHANGES)
    assert (score.precision, score.recall) == (0.75, 1)
    assert score.false == ("gone: white vase",)


def test_the_same_change_told_twice_is_told_once_too_often():
    score = score_events([*TOLD, TOLD[0]], CHANGES)
    assert score.precision == 0.75
    assert score.recall == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "gone", "to_xyz": None},  # half of the truth
        {"from_xyz": SHELF},
        {"to_xyz": SHELF},
        {"to_xyz": None},
        {"description": "white vase"},
    ],
)
def test_another_kind_place_or_thing_tells_nothing(wrong):
    score = score_events([replace(TOLD[0], **wrong)], [MOVED])
    assert score.missed == ("moved: old red mug",)
    assert len(score.false) == 1
    assert score.f1 == pytest.approx(0)


@pytest.mark.parametrize(
    ("after_s", "before_s", "right"),
    [
        (40, 80, True),
        (50, 80, True),
        (40, 50, True),
        (50 + 0.9 * SLACK_NS / S, 80, True),
        (50 + 1.1 * SLACK_NS / S, 80, False),
        (40, 50 - 1.1 * SLACK_NS / S, False),
        (60, 80, False),
        (20, 40, False),
    ],
)
def test_the_true_instant_lies_between_those_told(after_s, before_s, right):
    score = score_events([event("moved", "old red mug", TABLE, DESK, after_s, before_s)], [MOVED])
    assert score.recall == right
    assert score.precision == right
    assert score.mistimed == (() if right else ("moved: old red mug",))
    assert score.missed == score.false == ()


def test_a_motion_that_takes_time_is_met_anywhere_in_it():
    rolling = change("moved", "red ball", TABLE, DESK, 10, until_s=20)
    for after_s, before_s, right in ((12, 13, True), (5, 11, True), (19, 25, True), (21, 30, False), (2, 8, False)):
        assert score_events([event("moved", "red ball", TABLE, DESK, after_s, before_s)], [rolling]).recall == right


def test_what_nobody_could_know_is_neither_missed_nor_false():
    unknown = replace(CAME, asked=False)
    silent, guessed = score_events(TOLD[:2], [MOVED, GONE, unknown]), score_events(TOLD, [MOVED, GONE, unknown])
    assert silent.n_asked == guessed.n_asked == 2
    assert silent.f1 == guessed.f1 == pytest.approx(1)
    assert guessed.beyond == ("appeared: old big box",)
    assert silent.beyond == ()


def test_two_like_moves_are_told_apart_by_their_instants():
    there, back = MOVED, change("moved", "red mug", DESK, TABLE, 90)
    again = change("moved", "red mug", TABLE, DESK, 130)
    told = [
        event("moved", "red mug", TABLE, DESK, 120, 140),
        event("moved", "red mug", DESK, TABLE, 80, 100),
        event("moved", "red mug", TABLE, DESK, 40, 60),
    ]
    assert score_events(told, [there, back, again]).f1 == pytest.approx(1)


def test_a_place_may_be_off_by_as_much_as_an_entrys_may():
    near, far = (TABLE[0] + 0.15, *TABLE[1:]), (TABLE[0] + 0.25, *TABLE[1:])
    assert places_fit(near, TABLE, size_m=0.15)
    assert not places_fit(far, TABLE, size_m=0.15)
    assert places_fit(far, TABLE, size_m=1.0)  # of a large thing only parts are seen


@pytest.mark.parametrize(
    ("description", "fits"),
    [
        ("tapered dark-red mug", True),
        ("a red mug on the table", True),
        ("mug", True),
        ("mug tapered", True),
        ("blue cup", False),
        ("mugshot", False),
    ],
)
def test_words_of_a_thing(description, fits):
    assert words_fit(description, ("tapered dark-red mug", "red mug", "mug")) == fits


def test_the_document_of_the_command_line_is_read_back():
    text = json.dumps({**diff_document(TOLD), "made by": "anyone"})
    assert events_of_document(json.loads(text)) == TOLD


def test_a_score_is_plain_json():
    document = json.loads(json.dumps(score_events(TOLD[:2], CHANGES).to_json()))
    assert document["recall"] == pytest.approx(2 / 3)
    assert document["f1"] == pytest.approx(0.8)
    assert document["missed"] == ["appeared: old big box"]
