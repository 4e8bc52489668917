"""What a plan means, shown on a kitchen that can be kept in mind. Both executors are held to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from worlds import box, entry, kitchen, ns, snapshot, state, trajectory

from recall4d.errors import UsageError
from recall4d.query.execute import execute
from recall4d.query.plan import (
    AgentAt,
    AtFrame,
    Elapsed,
    EntryRef,
    Find,
    Now,
    OfStep,
    Plan,
    Point,
    SemanticKey,
    SpatialKey,
    StepRef,
    TemporalKey,
    Towards,
    WorldAxes,
)
from recall4d.query.reference import execute_reference
from recall4d.query.result import Found, Result

KITCHEN = kitchen()
TABLE = Find(name="table", semantic=SemanticKey(texts=("table",)))
ON_TABLE = SpatialKey(relation="on", anchors=(StepRef(step="table"),))
ALPHA_AT_10_S = AgentAt(agent="alpha", at=Elapsed(seconds=10))

Run = Callable[..., Result]


@pytest.fixture(params=[execute_reference, execute], ids=["reference", "executor"])
def run(request: pytest.FixtureRequest) -> Callable[..., Found]:
    """Runs steps on the kitchen; gives what the last one found."""

    def run_steps(*steps: Find, agent: str | None = None) -> Found:
        result: Result = request.param(Plan(steps=steps), KITCHEN, agent)
        return result.last

    return run_steps


def ids(found: Found) -> list[str]:
    return [KITCHEN.entries[row.entry].entry_id for row in found.rows]


def things(**keys: object) -> Find:
    return Find(name="things", **keys)  # type: ignore[arg-type]


def during(after_s: float, before_s: float, mode: str = "existed") -> TemporalKey:
    return TemporalKey(mode=mode, after=Elapsed(seconds=after_s), before=Elapsed(seconds=before_s))  # type: ignore[arg-type]


# --- when ------------------------------------------------------------------------------------------------------


def test_without_a_temporal_key_everything_is_in_its_latest_state(run: Callable[..., Found]) -> None:
    red = run(things(semantic=SemanticKey(texts=("red mug",))))
    (row,) = red.rows
    assert row.at_ns == KITCHEN.now_ns
    assert KITCHEN.states.min_xyz[row.state][1] > 2.0  # on the counter by now


def test_an_instant_keeps_the_state_of_that_time(run: Callable[..., Found]) -> None:
    (row,) = run(things(semantic=SemanticKey(texts=("red mug",)), temporal=during(10, 10))).rows
    assert KITCHEN.states.min_xyz[row.state][1] < 0.0  # on the table then
    assert row.at_ns == ns(10)


def test_an_interval_has_a_row_for_every_state_in_it_latest_first(run: Callable[..., Found]) -> None:
    rows = run(things(semantic=SemanticKey(texts=("red mug",)), temporal=during(0, 80))).rows
    assert [row.at_ns for row in rows] == [ns(80), ns(65) - 1]


def test_existing_and_being_seen_are_different_questions(run: Callable[..., Found]) -> None:
    book = SemanticKey(texts=("book",))
    assert ids(run(things(semantic=book, temporal=during(40, 50)))) == ["e07"]
    assert ids(run(things(semantic=book, temporal=during(40, 50, "observed")))) == []
    (row,) = run(things(semantic=book, temporal=during(10, 50, "observed"))).rows
    assert row.at_ns == ns(12)  # when it was last in view


def test_nothing_exists_before_it_was_first_seen(run: Callable[..., Found]) -> None:
    assert "e10" not in ids(run(things(temporal=during(0, 69))))
    assert "e10" in ids(run(things(temporal=during(0, 70))))


def test_an_event_of_an_earlier_step_is_an_instant(run: Callable[..., Found]) -> None:
    red = Find(name="red", semantic=SemanticKey(texts=("red mug",)))
    until = TemporalKey(before=OfStep(step="red", edge="moved"))
    after = TemporalKey(after=OfStep(step="red", edge="moved"), mode="observed")
    assert "e10" not in ids(run(red, things(temporal=until)))
    assert "e07" not in ids(run(red, things(temporal=after)))


def test_a_frame_number_is_an_instant_and_a_skipped_one_takes_the_last_before(run: Callable[..., Found]) -> None:
    for number in (100, 104):
        at = AtFrame(number=number, agent="alpha")
        (row,) = run(things(semantic=SemanticKey(texts=("table",)), temporal=TemporalKey(after=at, before=at))).rows
        assert row.at_ns == ns(10)


# --- who, there or gone ----------------------------------------------------------------------------------------


def test_presence_is_that_of_the_state(run: Callable[..., Found]) -> None:
    kettle = SemanticKey(texts=("kettle",))
    assert ids(run(things(semantic=kettle, presence="present"))) == []
    assert ids(run(things(semantic=kettle, presence="gone"))) == ["e05"]
    assert ids(run(things(semantic=kettle, presence="present", temporal=during(10, 10)))) == ["e05"]


def test_an_agent_knows_only_what_it_has_seen(run: Callable[..., Found]) -> None:
    assert "e10" not in ids(run(things(agent="alpha")))
    assert "e07" not in ids(run(things(agent="bravo")))
    red = SemanticKey(texts=("red mug",))
    assert ids(run(things(semantic=red, agent="bravo", temporal=during(0, 64)))) == []
    assert ids(run(things(semantic=red, agent="bravo", temporal=during(0, 65)))) == ["e03", "e03"]


# --- where -----------------------------------------------------------------------------------------------------


def test_on_the_table_now_and_then(run: Callable[..., Found]) -> None:
    assert set(ids(run(TABLE, things(spatial=(ON_TABLE,))))) == {"e02", "e08", "e09"}
    assert "e03" in ids(run(TABLE, things(spatial=(ON_TABLE,), temporal=during(10, 10))))


def test_what_stands_on_a_table_inside_the_box_of_a_corner_sofa_is_not_on_the_sofa() -> None:
    corner = entry(
        "e01", "sofa", "corner sofa", [state(0, None, box((0, 0, 0.4), (2.4, 2.4, 0.8)))], [("alpha", 0, 1)]
    )
    low = entry(
        "e02", "table", "low table", [state(0, None, box((0.5, 0.5, 0.2), (0.8, 0.6, 0.4)))], [("alpha", 0, 1)]
    )
    cup = entry("e03", "cup", "cup", [state(0, None, box((0.5, 0.5, 0.45), (0.1, 0.1, 0.1)))], [("alpha", 0, 1)])
    book = entry(
        "e04", "book", "book", [state(0, None, box((-0.8, 0.5, 0.47), (0.2, 0.2, 0.04)))], [("alpha", 0, 1)]
    )
    memory = snapshot([corner, low, cup, book], {"alpha": trajectory([(0.0, (0, -3, 1), (0, 0, 1))])}, now_s=2.0)
    on_sofa = things(spatial=(SpatialKey(relation="on", anchors=(EntryRef(entry_id="e01"),)),))
    for run_on in (execute, execute_reference):
        (row,) = run_on(Plan(steps=(on_sofa,)), memory, None).last.rows
        assert memory.entries[row.entry].entry_id == "e04"


def test_negation_leaves_out_the_anchor_itself(run: Callable[..., Found]) -> None:
    off = run(TABLE, things(spatial=(ON_TABLE.model_copy(update={"negated": True}),)))
    assert set(ids(off)) == {"e03", "e04", "e05", "e06", "e07", "e10"}


def test_any_of_a_steps_rows_will_do(run: Callable[..., Found]) -> None:
    mugs = Find(name="mugs", semantic=SemanticKey(texts=("mug",)))
    near = {
        which: SpatialKey(relation="within", anchors=(StepRef(step="mugs", which=which),), distance_m=0.5)
        for which in ("best", "any")
    }
    assert "e04" in ids(run(mugs, things(spatial=(near["any"],))))
    best = run(mugs, things(spatial=(near["best"],)))
    assert len(best.rows) < len(run(mugs, things(spatial=(near["any"],))).rows)


def test_nearest_ranks_by_distance_between_boxes(run: Callable[..., Found]) -> None:
    nearest = SpatialKey(relation="nearest", anchors=(EntryRef(entry_id="e05"),))
    found = run(things(spatial=(nearest,), limit=2))
    assert ids(found) == ["e04", "e03"]
    assert found.rows[0].distance_m == pytest.approx(0.0, abs=0.01)


def test_left_is_seen_from_the_viewpoint_and_the_answer_says_which(run: Callable[..., Found]) -> None:
    def left_of_bowl(viewpoint: object) -> Found:
        left = SpatialKey(relation="left", anchors=(EntryRef(entry_id="e08"),), viewpoint=viewpoint)  # type: ignore[arg-type]
        mugs = SemanticKey(texts=("mug",))
        return run(things(semantic=mugs, spatial=(left,), temporal=during(10, 10)))

    from_south = left_of_bowl(ALPHA_AT_10_S)
    from_north = left_of_bowl(AgentAt(agent="bravo", at=Elapsed(seconds=70)))
    assert ids(from_south) == ["e03"]
    assert from_south.viewpoint == "agent alpha at 10.00 s"
    assert ids(from_north) == ["e02"]
    assert ids(left_of_bowl(WorldAxes())) == ["e03"]
    assert ids(left_of_bowl(Towards(from_anchor=Point(xyz=(0.0, 3.0, 1.0))))) == ["e02"]


def test_ones_own_left_needs_no_other_viewpoint(run: Callable[..., Found]) -> None:
    mine = SpatialKey(relation="left", anchors=(ALPHA_AT_10_S,))
    assert "e06" in ids(run(things(spatial=(mine,))))


def test_directly_is_the_next_one_after_all_other_keys(run: Callable[..., Found]) -> None:
    right = SpatialKey(
        relation="right", anchors=(EntryRef(entry_id="e03"),), viewpoint=ALPHA_AT_10_S, directly=True
    )
    found = run(TABLE, things(spatial=(right, ON_TABLE), temporal=during(10, 10)))
    assert ids(found) in (["e08"], ["e09"])
    only_mugs = run(
        TABLE, things(semantic=SemanticKey(texts=("mug",)), spatial=(right, ON_TABLE), temporal=during(10, 10))
    )
    assert ids(only_mugs) == ["e02"]


def test_what_an_agent_has_in_view(run: Callable[..., Found]) -> None:
    view = SpatialKey(relation="in_view", viewpoint=ALPHA_AT_10_S)
    assert "e02" in ids(run(things(spatial=(view,))))
    with pytest.raises(ValueError, match="needs the viewpoint of an agent, got 'world'"):
        SpatialKey(relation="in_view", viewpoint=WorldAxes())


def test_a_step_can_be_narrowed_further(run: Callable[..., Found]) -> None:
    mugs = Find(name="mugs", semantic=SemanticKey(texts=("mug",)))
    assert ids(run(TABLE, mugs, things(within_step="mugs", spatial=(ON_TABLE,)))) == ["e02"]


def test_rows_carry_distance_and_bearing_from_the_asking_agent(run: Callable[..., Found]) -> None:
    sofa = things(semantic=SemanticKey(texts=("sofa",)))
    (from_alpha,) = run(sofa, agent="alpha").rows
    (from_bravo,) = run(sofa, agent="bravo").rows
    assert from_alpha.bearing_deg is not None
    assert from_alpha.bearing_deg < 0  # alpha last looked north, the sofa is to the west
    assert from_bravo.bearing_deg is not None
    assert from_bravo.bearing_deg > 0
    assert from_alpha.distance_m == pytest.approx(2.4, abs=0.1)


# --- order, and what cannot be ---------------------------------------------------------------------------------


def test_orders(run: Callable[..., Found]) -> None:
    mugs_and_box = SemanticKey(texts=("mug", "cardboard box"))
    first = run(things(semantic=mugs_and_box, order="first_seen", limit=1))
    last = run(things(semantic=SemanticKey(texts=("book", "cardboard box")), order="last_seen", limit=1))
    history = run(things(semantic=SemanticKey(texts=("red mug",)), order="latest_first", temporal=TemporalKey()))
    assert ids(first) != ["e10"]
    assert ids(last) == ["e10"]
    assert history.rows[0].state > history.rows[1].state


def test_ties_are_settled_by_entry_id(run: Callable[..., Found]) -> None:
    assert ids(run(things())) == sorted(ids(run(things())))


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"agent": "charlie"}, "no agent is called 'charlie'"),
        (
            {"spatial": (SpatialKey(relation="on", anchors=(EntryRef(entry_id="e99"),)),)},
            "no entry is called 'e99'",
        ),
        ({"temporal": TemporalKey(after=AtFrame(number=9000, agent="alpha"))}, "no frame 9000"),
    ],
)
def test_names_that_do_not_exist_are_errors(
    run: Callable[..., Found], keys: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        run(things(**keys))


@pytest.mark.parametrize(
    ("keys", "note"),
    [
        ({"spatial": (SpatialKey(relation="on", anchors=(StepRef(step="piano"),)),)}, "'piano' found nothing"),
        ({"temporal": TemporalKey(after=OfStep(step="piano"))}, "'piano' found nothing"),
        ({"temporal": TemporalKey(after=OfStep(step="sofa", edge="moved"))}, "has never moved"),
        ({"temporal": during(50, 40)}, "ends before it begins"),
        ({"temporal": TemporalKey(after=Now(offset_s=5))}, "lies after now"),
        (
            {"spatial": (SpatialKey(relation="left", anchors=(AgentAt(at=Elapsed(seconds=-5)),)),)},
            "nothing is known",
        ),
    ],
)
def test_references_that_lead_nowhere_find_nothing_and_say_why(
    run: Callable[..., Found], keys: dict[str, object], note: str
) -> None:
    piano = Find(name="piano", semantic=SemanticKey(texts=("piano",)))
    sofa = Find(name="sofa", semantic=SemanticKey(texts=("sofa",)))
    found = run(piano, sofa, things(**keys))
    assert found.rows == ()
    assert found.note is not None
    assert note in found.note


def test_an_empty_memory_answers_every_plan_with_nothing() -> None:
    empty = snapshot([], {}, now_s=0.0)
    steps = (
        TABLE,
        things(spatial=(ON_TABLE,)),
        Find(name="mine", spatial=(SpatialKey(relation="left", anchors=(AgentAt(),)),)),
    )
    for run_on in (execute, execute_reference):
        result = run_on(Plan(steps=steps), empty, None)
        assert [found.rows for found in result.steps.values()] == [(), (), ()]
    assert execute(Plan(steps=()), empty).last == Found()
