"""What the less common parts of the plan language mean, on the kitchen. Both executors are held to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from worlds import box, entry, kitchen, ns, state

from recall4d.clock import Clock
from recall4d.errors import InputError, UsageError
from recall4d.geometry.region import Region
from recall4d.memory.snapshot import Snapshot
from recall4d.query.execute import execute
from recall4d.query.plan import Plan
from recall4d.query.plan.faults import plan_of_json
from recall4d.query.reference import execute_reference
from recall4d.query.result import Result

LEFT_HALF = Region.of([(-3.0, -3.0), (-0.2, -3.0), (-0.2, 3.0), (-3.0, 3.0)])
WALL = entry("w01", "wall", "white wall", [state(0, None, box((-3, 0, 1.2), (0.1, 6, 2.4)))], [("alpha", 0, 29)],
             kind="surface")  # fmt: skip
KITCHEN = kitchen()
KITCHEN = replace(
    KITCHEN,
    regions={"Left half": LEFT_HALF},
    clock=Clock("host", is_wall=True),
    entries=(*KITCHEN.entries, WALL),
    vectors=KITCHEN.embed([each.description for each in (*KITCHEN.entries, WALL)]),
)

TABLE = {"name": "table", "semantic": {"texts": ["table"]}}
RED = {"name": "red", "semantic": {"texts": ["red mug"]}}
KETTLE = {"name": "kettle", "semantic": {"texts": ["kettle"]}}

Run = Callable[..., Result]


@pytest.fixture(params=[execute_reference, execute], ids=["reference", "executor"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs steps on the kitchen."""

    def run_steps(*steps: dict[str, object], memory: Snapshot = KITCHEN, **more: object) -> Result:
        result: Result = request.param(Plan.model_validate({"steps": steps, **more}), memory)
        return result

    return run_steps


def ids(result: Result) -> list[str]:
    return [KITCHEN.entries[row.entry].entry_id for row in result.last.rows]


def things(**keys: object) -> dict[str, object]:
    return {"name": "things", **keys}


def test_a_named_region_holds_what_has_its_centre_there(run: Run) -> None:
    inside = {"relation": "inside", "anchors": [{"kind": "region", "name": "left half"}]}
    assert set(ids(run(things(spatial=[inside])))) == {"e05", "e06", "e07"}
    outside = {"relation": "inside", "anchors": [{"kind": "region", "name": "left half"}], "negated": True}
    assert set(ids(run(things(spatial=[outside])))) == {"e01", "e02", "e03", "e04", "e08", "e09", "e10"}
    with pytest.raises(UsageError, match="no region is called 'attic' in this memory; regions: Left half"):
        run(things(spatial=[{"relation": "inside", "anchors": [{"kind": "region", "name": "attic"}]}]))


def test_a_drawn_region_has_a_height_and_a_distance(run: Run) -> None:
    corners = [(0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 1.0)]
    low = {"kind": "polygon", "corners_xy": corners, "z": (0.0, 0.5)}
    assert ids(run(things(spatial=[{"relation": "inside", "anchors": [low]}]))) == ["e01", "e10"]
    near = {"relation": "within", "anchors": [low], "distance_m": 0.4}
    rows = {row.entry: row.distance_m for row in run(things(spatial=[near])).last.rows}
    assert rows[KITCHEN.row_of("e02")] == pytest.approx(0.3)  # on the table, 30 cm above the region's ceiling
    flat = {"kind": "polygon", "corners_xy": [(0, 0), (1, 0), (2, 0)]}
    with pytest.raises(UsageError, match="needs an area"):
        run(things(spatial=[{"relation": "inside", "anchors": [flat]}]))


def test_along_the_path_of_an_agent(run: Run) -> None:
    along = {"relation": "along", "anchors": [{"kind": "path", "agent": "bravo"}], "distance_m": 2.0}
    assert set(ids(run(things(spatial=[along])))) == {"e03", "e04", "e05"}  # bravo stood beyond the counter
    early = {"kind": "path", "agent": "bravo", "before": {"kind": "elapsed", "seconds": 9}}
    never = {"relation": "along", "anchors": [early]}
    assert run(things(spatial=[never])).last.note == "nothing is known of where agent bravo went in that time"


def test_in_the_direction_an_agent_faced(run: Run) -> None:
    alpha = {"kind": "agent", "agent": "alpha", "at": {"kind": "elapsed", "seconds": 10}}
    ahead = {"relation": "facing", "viewpoint": alpha}
    assert "e04" in ids(run(things(spatial=[ahead])))
    assert "e06" not in ids(run(things(spatial=[ahead])))
    to_the_left = {"relation": "facing", "viewpoint": alpha, "bearing_deg": -50.0}
    assert ids(run(things(spatial=[to_the_left]))) == ["e06", "e07"]


def test_a_sofa_against_a_wall_has_a_front_of_its_own(run: Run) -> None:
    sofa = {"name": "sofa", "semantic": {"texts": ["sofa"]}}
    front = {"relation": "front", "anchors": [{"kind": "step", "step": "sofa"}], "viewpoint": {"kind": "own"}}
    found = run(sofa, things(spatial=[front], kinds="things"))
    assert {"e01", "e02"} <= set(ids(found))
    assert found.last.viewpoint == (
        "from the own front of grey two-seat sofa, away from w01, the wall it stands against"
    )
    table = {"relation": "front", "anchors": [{"kind": "step", "step": "table"}], "viewpoint": {"kind": "own"}}
    assert run(TABLE, things(spatial=[table])).last.note == (
        "it is not known which way 'long oak table with square legs' faces"
    )


def test_before_it_was_moved_ends_just_before(run: Run) -> None:
    moved = {"kind": "of_step", "step": "red", "edge": "moved"}
    before = run(RED, things(within_step="red", temporal={"before": moved}))
    assert [row.at_ns for row in before.last.rows] == [ns(65) - 1]
    after = run(RED, things(within_step="red", temporal={"after": moved}))
    assert [row.at_ns for row in after.last.rows] == [ns(100)]


def test_while_something_was_in_view_and_while_it_was_so(run: Run) -> None:
    seen = {"mode": "observed", "during": {"kind": "seen", "step": "kettle"}}
    assert set(ids(run(KETTLE, things(temporal=seen)))) == {
        "e01", "e02", "e03", "e04", "e05", "e06", "e07", "e08", "e09"
    }  # fmt: skip
    on_table = {
        **RED,
        "spatial": [{"relation": "on", "anchors": [{"kind": "step", "step": "table"}]}],
        "temporal": {"before": {"kind": "now"}},
    }
    so = {"mode": "observed", "during": {"kind": "so", "step": "red"}}
    assert "e10" not in ids(run(TABLE, on_table, things(temporal=so)))  # the box came when the mug had gone
    late = {"after": {"kind": "elapsed", "seconds": 90}, "during": {"kind": "seen", "step": "kettle"}}
    empty = run(KETTLE, things(temporal=late))
    assert empty.last.note == "there was no such time: what should have been in view then was not"


def test_visits_of_an_agent_and_visits_to_a_place(run: Run) -> None:
    second = {"mode": "observed", "during": {"kind": "visit", "agent": "bravo", "ordinal": 1}}
    assert "e10" in ids(run(things(temporal=second)))
    table = {"kind": "step", "step": "table"}
    near = {"kind": "visit", "agent": "alpha", "to": table, "distance_m": 1.7, "ordinal": -1}
    assert "e09" in ids(run(TABLE, things(temporal={"mode": "observed", "during": near})))
    far = {"kind": "visit", "agent": "alpha", "to": table, "distance_m": 1.0}
    missed = run(TABLE, things(temporal={"during": far}))
    assert missed.last.note == "there was no such time: nobody was there"
    third = run(things(temporal={"during": {"kind": "visit", "agent": "alpha", "ordinal": 3}}))
    assert third.last.note == "agent alpha was there 1 time(s) up to now"


def test_the_time_of_day_is_that_of_its_zone(run: Run) -> None:
    """The memory begins on 2025-10-09 at 08:53:20 UTC, which is 10:53:20 in Berlin."""
    berlin = {"kind": "time_of_day", "time": "10:54:25", "zone": "Europe/Berlin"}
    utc = {"kind": "clock", "at": "2025-10-09T08:54:25Z"}
    for instant in (berlin, utc):
        (row,) = run(RED, things(within_step="red", temporal={"after": instant, "before": instant})).last.rows
        assert row.at_ns == ns(65)
    days = {"first": {**berlin, "days_ago": 1}, "second": berlin, "kind": "time_between"}
    assert run(RED, measures=[days]).measured[0].value == 86_400.0
    with pytest.raises(UsageError, match="does not show the time of day"):
        run(things(temporal={"before": utc}), memory=replace(KITCHEN, clock=Clock()))


def test_midnight_belongs_to_the_day_that_begins() -> None:
    late = replace(
        KITCHEN, now_ns=1_760_049_000_000_000_000
    )  # 2025-10-10, 00:30 in Berlin, 22:30 UTC the day before
    midnight = {"kind": "time_of_day", "time": "00:00", "zone": "Europe/Berlin"}
    since = {"kind": "time_between", "first": midnight, "second": {"kind": "now"}}
    assert execute(Plan.model_validate({"steps": [], "measures": [since]}), late).measured[0].value == 1800.0


def test_filters_on_category_visibility_and_who_has_not_seen_it(run: Run) -> None:
    assert ids(run(things(category="CUP"))) == ["e02", "e03"]
    assert ids(run(things(visibility=["absent"]))) == ["e05"]
    assert ids(run(things(not_agent="alpha"))) == ["e10"]
    assert set(ids(run(things(not_agent="bravo")))) == {"e05", "e07", "e09"}
    cups = {"name": "cups", "category": "cup"}
    assert "e02" not in ids(run(cups, things(except_step="cups")))


def test_the_largest_the_highest_the_farthest(run: Run) -> None:
    assert ids(run(things(order="smallest", limit=1))) == ["e09"]
    assert ids(run(things(order="highest", limit=1))) == ["e05"]
    near_table = {"relation": "within", "anchors": [{"kind": "step", "step": "table"}], "distance_m": 5.0}
    assert ids(run(TABLE, things(spatial=[near_table], order="farthest", limit=1))) == ["e03"]


def test_a_distance_limits_every_relation(run: Run) -> None:
    left = {"relation": "left", "anchors": [{"kind": "step", "step": "table"}], "viewpoint": {"kind": "world"}}
    assert "e06" in ids(run(TABLE, things(spatial=[left])))
    assert "e06" not in ids(run(TABLE, things(spatial=[{**left, "distance_m": 0.5}])))


def test_look_alikes_make_way_for_others_that_fit_nearly_as_well(run: Run) -> None:
    where = [state(0, None, box((i, 0, 0), (0.1, 0.1, 0.1))) for i in range(5)]
    cups = [entry(f"c{i}", "cup", "plain white cup", [each], [("alpha", 0, 1)]) for i, each in enumerate(where)]
    other = entry("d0", "cup", "tall red cup", [state(0, None, box((9, 0, 0), (0.1,) * 3))], [("alpha", 0, 1)])
    texts = [each.description for each in (*cups, other)]
    memory = replace(KITCHEN, entries=(*cups, other), vectors=KITCHEN.embed(texts))
    found = run(things(semantic={"texts": ["cup"]}, limit=2), memory=memory)
    assert [memory.entries[row.entry].entry_id for row in found.last.rows] == ["c0", "d0"]
    plain = run(things(semantic={"texts": ["cup"]}, limit=2, diverse=False), memory=memory)
    assert [memory.entries[row.entry].entry_id for row in plain.last.rows] == ["c0", "c1"]


def test_measures_have_a_type(run: Run) -> None:
    measures = [
        {"kind": "count", "step": "things"},
        {"kind": "duration", "step": "kettle"},
        {"kind": "earliest", "step": "kettle"},
        {"kind": "latest", "step": "kettle"},
        {"kind": "distance", "step": "kettle", "other": "table"},
        {"kind": "time_between", "first": {"kind": "of_step", "step": "kettle", "edge": "gone"},
         "second": {"kind": "of_step", "step": "red", "edge": "moved"}},
    ]  # fmt: skip
    measured = run(KETTLE, TABLE, RED, things(category="cup"), measures=measures).measured
    assert [(each.kind, each.value, each.unit) for each in measured] == [
        ("count", 2, "entries"),
        ("duration", 15.0, "s"),
        ("earliest", ns(3), "ns"),
        ("latest", ns(18), "ns"),
        ("distance", pytest.approx(2.344, abs=1e-3), "m"),
        ("time_between", -1.0, "s"),
    ]


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"steps": [{"name": "a", "limit": 1_000_000}]}, "steps.0.limit: at most 1000 rows"),
        ({"steps": [{"name": f"s{i}"} for i in range(17)]}, "steps: at most 16 steps"),
        ({"steps": [{"name": "a", "within_step": "b"}, {"name": "b", "within_step": "a"}]}, "not an earlier step"),
        ({"steps": [{"name": "a", "within_step": "a"}]}, "step 'a' refers to 'a', which is not an earlier step"),
        (
            '{"steps": [{"name": "a", "spatial": [{"relation": "within", "distance_m": Infinity, '
            '"anchors": [{"kind": "point", "xyz": [0, 0, 0]}]}]}]}',
            "distance_m",
        ),
        ({"steps": [{"name": "a", "temporal": {"before": {"kind": "now", "offset_s": -1e300}}}]}, "offset_s"),
        ({"steps": [{"name": "a", "colour": "red"}]}, "steps.0.colour: extra inputs are not permitted"),
        ({"steps": [], "known_at": {"kind": "of_step", "step": "a"}}, "known at a time"),
        ("{", "EOF"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_is_refused_with_a_sentence(document: dict[str, object] | str, sentence: str) -> None:
    with pytest.raises(InputError, match="this is no plan: ") as refused:
        plan_of_json(document)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
