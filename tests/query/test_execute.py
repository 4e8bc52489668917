"""The executor returns what the reference says, row for row.

`RECALL4D_PLANS=20000` compares so many random plans.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import pytest
import worlds
from random_memories import RELATIONS, Dice

from recall4d.query import columns as columns_module
from recall4d.query import execute as execute_module
from recall4d.query import seed, vector_scan
from recall4d.query.execute import execute
from recall4d.query.plan import Find, Plan, Point, SemanticKey, SpatialKey, StepRef
from recall4d.query.reference import execute_reference

N_PLANS = int(os.environ.get("RECALL4D_PLANS", "2000"))
PLANS_PER_MEMORY = 10


@pytest.fixture
def everything_at_once(monkeypatch):
    """Indexes, compact copies and short cuts come into play only in large memories; here they do in small ones."""
    for module in (seed, execute_module):
        monkeypatch.setattr(module, "MIN_STATES", 0)
        monkeypatch.setattr(module, "MAX_SHARE", 1.0)
    monkeypatch.setattr(execute_module, "SHORT", 1)
    monkeypatch.setattr(execute_module, "FIRST_ALIKE", 3)
    monkeypatch.setattr(vector_scan, "MIN_COPIED", 4)
    monkeypatch.setattr(vector_scan, "SCANS_BEFORE_COPY", 1)


@pytest.mark.parametrize("part", range(4))
def test_rows_order_and_scores_are_those_of_the_reference(part):
    for number in range(part, N_PLANS // PLANS_PER_MEMORY, 8):
        compare(number)


@pytest.mark.parametrize("part", range(4, 8))
@pytest.mark.usefixtures("everything_at_once")
def test_so_they_are_when_everything_that_makes_large_memories_fast_is_used(part):
    for number in range(part, N_PLANS // PLANS_PER_MEMORY, 8):
        compare(number)


def compare(number):
    dice = Dice(number)
    memory = dice.memory()
    for _ in range(PLANS_PER_MEMORY):
        plan = dice.plan(memory)
        asking = dice.of(None, *memory.agents)
        expected, found = execute_reference(plan, memory, asking), execute(plan, memory, asking)
        assert found.steps == expected.steps, (number, plan.model_dump_json(exclude_defaults=True))
        assert found.measured == expected.measured, (number, plan.model_dump_json(exclude_defaults=True))


@pytest.mark.usefixtures("everything_at_once")
def test_rows_ranked_by_likeness_are_found_among_the_most_alike_entries():
    explained = set()
    for number in range(60):
        dice = Dice(number)
        memory = dice.memory()
        semantic = SemanticKey(texts=(dice.of("piano", "red mug"),), min_similarity=dice.of(-0.5, 0.25))
        near = SpatialKey(relation="beyond", anchors=(Point(xyz=(0.0, 0.0, 0.0)),), distance_m=dice.of(0.0, 0.5))
        spatial = dice.of((), (near,))
        find = Find(name="most_alike", semantic=semantic, spatial=spatial, limit=dice.of(1, 3), diverse=False)
        plan = Plan(steps=(find,))
        result = execute(plan, memory)
        assert result.steps == execute_reference(plan, memory).steps, number
        explained |= {line.key for line in result.explain}
    assert {"most alike", "semantic cosine"} <= explained


@pytest.mark.usefixtures("everything_at_once")
def test_what_is_nearest_is_found_around_the_place(monkeypatch):
    """In small memories the grid finds all, whatever the reach: rows beyond it are dropped here."""
    monkeypatch.setattr(columns_module, "Grid", Exact)
    reaches = set()
    for number in range(60):
        dice = Dice(number)
        memory = dice.memory()
        place = Point(xyz=(dice.of(0.0, 1.0, 3.0), 1.0, dice.of(0.5, 4.0)))
        near = SpatialKey(relation="nearest", anchors=(place,))
        plan = Plan(steps=(Find(name="nearest", spatial=(near,), limit=dice.of(1, 3), kinds="both"),))
        result = execute(plan, memory)
        assert result.steps == execute_reference(plan, memory).steps, number
        reaches |= {line.rows_out for line in result.explain if line.key == "indexes"}
    assert len(reaches) > 2


@dataclass(frozen=True)
class Exact:
    """A grid that finds the boxes that meet a place in plan, and no other."""

    low: np.ndarray
    high: np.ndarray

    def meeting(self, low, high):
        return np.flatnonzero(((self.low <= high) & (self.high >= low))[:, :2].all(axis=1))


def test_random_plans_ask_for_something() -> None:
    """The comparison is worth something: most plans find rows, and every key narrows some of the time."""
    found, narrowed, measured = 0, set(), set()
    for number in range(N_PLANS // PLANS_PER_MEMORY):
        dice = Dice(number)
        memory = dice.memory()
        for _ in range(PLANS_PER_MEMORY):
            result = execute(dice.plan(memory), memory)
            found += any(step.rows for step in result.steps.values())
            narrowed |= {line.key for line in result.explain if 0 < line.rows_out < line.rows_in}
            measured |= {each.kind for each in result.measured if each.value}
    assert found > 0.45 * N_PLANS
    assert {"temporal existed", "temporal observed", "semantic words", "semantic cosine"} <= narrowed
    assert {"temporal existed during", "temporal observed during"} <= narrowed
    assert measured == {"count", "duration", "earliest", "latest", "distance", "time_between"}
    assert len({f"spatial {relation}" for relation in RELATIONS} - narrowed) <= 2


def test_the_key_that_narrows_most_for_its_price_goes_first() -> None:
    table = Find(name="table", semantic=SemanticKey(texts=("table",)))
    mugs = Find(
        name="mugs",
        semantic=SemanticKey(texts=("mug",)),
        spatial=(SpatialKey(relation="on", anchors=(StepRef(step="table"),)),),
    )
    lines = [line for line in execute(Plan(steps=(table, mugs)), worlds.kitchen()).explain if line.step == "mugs"]
    keys = [line.key for line in lines]
    assert keys.index("semantic words") < keys.index("spatial on")
    assert [line.rows_in for line in lines[1:]] == [line.rows_out for line in lines[:-1]]
    assert lines[-1].rows_out == 1
