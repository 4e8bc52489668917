"""Doubtful matches: descriptions a little too different for one thing, of boxes that match; a judge decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recall4d import Memory
from recall4d.config import AssociationSettings
from recall4d.errors import ModelError
from recall4d.models.judge import ModelJudge
from recall4d.models.scripted import ScriptedModel
from recall4d.records import Label, StoredMasks

from .films import PlainDescriber, WordEmbedder
from .scenes import CUP, S, Scene, room, visits

DOUBTFUL = AssociationSettings(doubtful_below=0.3)


def called_otherwise_later(frame):
    """On the second visit the red cup is a scarlet one: to a bag of words, half the same."""
    if frame.stamp_ns < 30 * S:
        return frame
    labels = {
        number: Label(None, "scarlet cup") if label.description == "red cup" else label
        for number, label in frame.masks.labels.items()
    }
    return replace(frame, masks=StoredMasks(frame.masks.ids, labels))


def unnamed(frame):
    """Without class names: of one class the description may change anyway."""
    labels = {number: Label(None, label.description) for number, label in frame.masks.labels.items()}
    return replace(frame, masks=StoredMasks(frame.masks.ids, labels))


SCENE = Scene(room(CUP), visits(0, 60), lambda frame: called_otherwise_later(unnamed(frame)))


class Says:
    """A judge that always says the same, and remembers what it was asked."""

    name = "says"

    def __init__(self, same):
        self.answer = same
        self.asked = []

    def same(self, pairs):
        self.asked += pairs
        return [self.answer] * len(pairs)


def cups(directory, judge, settings=DOUBTFUL):
    memory = Memory.open(directory, embedder=WordEmbedder(), association=settings)
    memory.ingest(SCENE, describer=PlainDescriber(), judge=judge)
    return memory, [entry for entry in memory.entries() if "cup" in entry.description]


def test_what_the_judge_takes_to_be_one_thing_is_one(tmp_path):
    judge = Says(True)
    memory, (cup,) = cups(tmp_path, judge)
    assert {claim.description for claim in cup.claims} == {"red cup", "scarlet cup"}
    assert judge.asked == [("red cup", "scarlet cup")]
    assert memory.events() == ()


@pytest.mark.parametrize("judge", [Says(False), None])
def test_without_its_word_they_are_two(tmp_path, judge):
    assert len(cups(tmp_path, judge)[1]) == 2


def test_where_nothing_is_doubtful_nobody_is_asked(tmp_path):
    judge = Says(True)
    assert len(cups(tmp_path, judge, AssociationSettings())[1]) == 2
    assert judge.asked == []


def test_verdicts_are_kept_and_folding_again_asks_nobody(tmp_path):
    memory, before = cups(tmp_path, Says(True))
    report = memory.rebuild()
    assert report.observations_reassigned == 0
    assert [entry for entry in memory.entries() if "cup" in entry.description] == before
    assert memory.store.verdicts() == {("red cup", "scarlet cup"): True}


def test_a_chat_model_as_judge(tmp_path):
    model = ScriptedModel([{"same": True}])
    assert len(cups(tmp_path, ModelJudge(model))[1]) == 1
    (request,) = model.requests
    assert "First view: red cup\nSecond view: scarlet cup" in request.messages[-1].text


def test_where_the_model_fails_what_was_seen_before_is_kept_and_the_rest_can_be_taken_in_later(tmp_path):
    memory = Memory.open(tmp_path, embedder=WordEmbedder(), association=DOUBTFUL)
    with pytest.raises(ModelError, match="no answer"):
        memory.ingest(SCENE, describer=PlainDescriber(), judge=ModelJudge(ScriptedModel([ModelError("no answer")])))
    assert len(memory.store.frames()) == 6
    memory.ingest(SCENE, describer=PlainDescriber(), judge=Says(True))
    assert len(memory.store.frames()) == 12
    assert len([entry for entry in memory.entries() if "cup" in entry.description]) == 1
