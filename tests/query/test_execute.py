"""The executor returns what the reference says, row for row."""

from __future__ import annotations

import pytest
import worlds
from random_memories import RELATIONS, Dice

from recall4d.query.execute import execute
from recall4d.query.plan import Find, Plan, SemanticKey, SpatialKey, StepRef
from recall4d.query.reference import execute_reference

N_PLANS = 2000
PLANS_PER_MEMORY = 10


@pytest.mark.parametrize("seed", range(N_PLANS // PLANS_PER_MEMORY))
def test_rows_order_and_scores_are_those_of_the_reference(seed: int) -> None:
    dice = Dice(seed)
    memory = dice.memory()
    for _ in range(PLANS_PER_MEMORY):
        plan = dice.plan(memory)
        asking = dice.of(None, *memory.agents)
        expected, found = execute_reference(plan, memory, asking), execute(plan, memory, asking)
        assert found.steps == expected.steps, plan.model_dump_json(exclude_defaults=True)
        assert found.measured == expected.measured, plan.model_dump_json(exclude_defaults=True)


def test_random_plans_ask_for_something() -> None:
    """The comparison is worth something: most plans find rows, and every key narrows some of the time."""
    found, narrowed, measured = 0, set(), set()
    for seed in range(N_PLANS // PLANS_PER_MEMORY):
        dice = Dice(seed)
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
