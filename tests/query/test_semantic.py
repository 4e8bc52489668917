"""What matches a phrase, and what does not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import worlds
from phrases import HELD_OUT, PHRASES
from worlds import box, entry, snapshot, state, trajectory

from recall4d.memory.snapshot import Snapshot
from recall4d.perception.embedders import wordllama
from recall4d.query.plan import SemanticKey
from recall4d.query.semantic import scores_reference


def memory(*things: tuple[str | None, str]) -> Snapshot:
    """A memory of things by category and description."""
    where = [state(0.0, None, box((0.0, 0.0, 0.0), (0.1, 0.1, 0.1)))]
    entries = [
        entry(f"e{index}", category, text, where, [("alpha", 0.0, 1.0)])
        for index, (category, text) in enumerate(things)
    ]
    return snapshot(entries, {"alpha": trajectory([(0.0, (0, -1, 1), (0, 0, 1))])}, now_s=1.0)


def matches(memory: Snapshot, *texts: str, **more: object) -> list[str]:
    """Descriptions that match, best first."""
    scores = scores_reference(SemanticKey(texts=texts, **more), memory)  # type: ignore[arg-type]
    ranked = sorted(range(len(scores)), key=lambda row: -scores[row])
    return [memory.entries[row].description for row in ranked if scores[row] > 0]


MUGS = memory(
    ("cup", "plain white mug with coffee in it"),
    ("cup", "tapered dark-red mug"),
    ("bowl", "plain red bowl"),
    ("table", "low wooden coffee table"),
    ("tv", "flat TV"),
    ("cabinet", "low TV cabinet"),
    ("fruit", "single yellow banana"),
)


def test_synonyms_plurals_and_general_words_match() -> None:
    assert matches(MUGS, "televisions") == ["flat TV"]
    assert set(matches(MUGS, "cups")) == {"plain white mug with coffee in it", "tapered dark-red mug"}
    assert matches(MUGS, "food") == ["single yellow banana"]


def test_the_head_noun_decides() -> None:
    assert matches(MUGS, "coffee table") == ["low wooden coffee table"]
    assert matches(MUGS, "red mug") == ["tapered dark-red mug"]
    assert matches(MUGS, "TV cabinet") == ["low TV cabinet"]


def test_a_colour_that_nothing_has_matches_nothing() -> None:
    assert matches(MUGS, "green mug") == []
    assert matches(MUGS, "blue TV") == []


def test_nothing_like_it_is_a_possible_result() -> None:
    assert matches(MUGS, "microwave") == []
    assert matches(MUGS, "dining table") == []


def test_a_part_answers_only_where_nothing_bears_the_name() -> None:
    computer, keyboard = ("computer", "silver computer with keyboard"), ("keyboard", "black keyboard")
    assert matches(memory(computer), "keyboard") == ["silver computer with keyboard"]
    assert matches(memory(computer, keyboard), "keyboard") == ["black keyboard"]


def test_any_of_several_phrasings_will_do() -> None:
    assert matches(MUGS, "microwave", "banana") == ["single yellow banana"]


def test_attributes_must_be_said_and_without_must_not() -> None:
    assert matches(MUGS, "mug", attributes=["red"]) == ["tapered dark-red mug"]
    assert matches(MUGS, "mug", attributes=["crimson"]) == ["tapered dark-red mug"]
    assert matches(MUGS, "mug", without=["red"]) == ["plain white mug with coffee in it"]
    assert matches(MUGS, "mug", attributes=["wooden"]) == []


def test_a_similarity_in_the_plan_replaces_the_test_of_words() -> None:
    assert matches(MUGS, "flat TV", min_similarity=0.99) == ["flat TV"]
    assert len(matches(MUGS, "flat TV", min_similarity=-1.0)) == 7


def test_without_a_match_in_words_the_embedding_decides() -> None:
    odd = memory((None, "gizmo flurb"), (None, "something else"))
    assert matches(odd, "flurb gizmo") == ["gizmo flurb"]


# --- calibration -----------------------------------------------------------------------------------------------


def precision_and_recall(
    phrases: Mapping[str, Mapping[str, str]], find: Callable[[str], Path]
) -> tuple[float, float]:
    """Over pairs of phrase and thing, in all recordings."""
    right = said = wanted = 0
    for recording, table in phrases.items():
        things = json.loads(find(f"data/{recording}/objects.json").read_text())
        base = memory(*((each["category"], each["description"]) for each in things.values()))
        embed = wordllama.create(None).embed
        real = replace(base, vectors=embed([each.description for each in base.entries]), embed=embed)
        for phrase, ids in table.items():
            scores = scores_reference(SemanticKey(texts=(phrase,)), real)
            got = {id_ for id_, score in zip(things, scores, strict=True) if score > 0}
            right, said, wanted = right + len(got & set(ids.split())), said + len(got), wanted + len(ids.split())
    return right / said, right / wanted


def test_precision_and_recall_are_as_documented(shared: Callable[[str], Path]) -> None:
    precision, recall = precision_and_recall(PHRASES, shared)
    assert precision >= 0.98
    assert recall >= 0.98
    precision, recall = precision_and_recall(HELD_OUT, shared)
    assert precision >= 0.90
    assert recall >= 0.97


@pytest.mark.parametrize("text", ["", "the", "something"])
def test_words_that_say_nothing_match_everything(text: str) -> None:
    assert len(matches(MUGS, text)) == 7


def test_an_empty_memory_matches_nothing() -> None:
    assert scores_reference(SemanticKey(texts=("mug",)), memory()) == []
    assert worlds.embed([]).shape == (0, worlds.DIMENSION)
