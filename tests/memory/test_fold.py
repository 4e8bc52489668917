"""An entry is what its observations add up to, in whatever order and portions they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall4d.config import AssociationSettings
from recall4d.memory.fold import EntryFold, join_sightings, weighted_quantile
from recall4d.memory.place import place
from recall4d.records import Description, Observation, Sighting

SETTINGS = AssociationSettings(max_views=8)


def observed(stamp_s, agent="alpha", text="red cup", at=(0.0, 0.0, 0.0), size=0.1, occluded=False, n_points=400):
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float) - 0.5
    hull = np.resize(corners * size + at, (26, 3)).astype(np.float32)
    return Observation(
        agent, round(stamp_s * 1e9), 0, "cup", Description(text, {"colour": text.split()[0]}), "thing", 1.0,
        np.asarray(at, dtype=float), hull, n_points, 2.0, occluded, False, (10, 10, 30, 30),
    )  # fmt: skip


def folded(observations, entry_id="cup-1"):
    fold = EntryFold(entry_id, SETTINGS)
    for placed in place(observations, np.repeat(np.eye(4)[None], len(observations), axis=0)):
        fold.add(placed)
    return fold


histories = st.lists(
    st.builds(
        observed,
        stamp_s=st.integers(0, 40),
        agent=st.sampled_from(["alpha", "bravo"]),
        text=st.sampled_from(["red cup", "white cup"]),
        at=st.tuples(*[st.integers(-4, 4).map(lambda v: v / 100)] * 3),
        occluded=st.booleans(),
        n_points=st.sampled_from([100, 400]),
    ),
    min_size=1,
    max_size=24,
    unique_by=lambda each: (each.agent, each.stamp_ns),
)


def assert_same(a, b):
    assert a.description == b.description
    assert {(c.agent, c.description): c.n_views for c in a.claims} == {
        (c.agent, c.description): c.n_views for c in b.claims
    }
    assert (a.sightings, a.agents, a.n_observations, a.attributes) == (
        b.sightings,
        b.agents,
        b.n_observations,
        b.attributes,
    )
    assert a.best_view == b.best_view
    assert np.allclose(a.now.box.min_xyz, b.now.box.min_xyz)
    assert np.allclose(a.now.box.max_xyz, b.now.box.max_xyz)
    assert np.allclose(a.now.surface_centroid_xyz, b.now.surface_centroid_xyz)
    assert (a.now.interval, a.now.visibility, a.now.agent) == (b.now.interval, b.now.visibility, b.now.agent)


@given(histories, st.randoms())
def test_the_order_of_observations_does_not_matter(history, random):
    shuffled = list(history)
    random.shuffle(shuffled)
    assert_same(folded(history).entry(), folded(shuffled).entry())


@given(histories, st.integers(0, 24))
def test_folding_in_two_portions_is_folding_at_once(history, cut):
    if not 0 < cut < len(history):
        return
    first, second = folded(history[:cut]), folded(history[cut:])
    first.merge(second)
    assert_same(first.entry(), folded(history).entry())


def test_the_box_is_that_of_all_sides_seen_and_no_outlier_moves_it():
    views = [observed(i, at=(0.0, 0.0, 0.0)) for i in range(30)] + [observed(40, at=(3.0, 0.0, 0.0))]
    box = folded(views).entry().now.box
    assert box.centroid_xyz == pytest.approx((0, 0, 0), abs=0.005)
    assert box.extent_xyz == pytest.approx((0.1, 0.1, 0.1), abs=0.01)


def test_most_views_decide_what_it_is():
    entry = folded([observed(i, text="white cup" if i == 3 else "red cup") for i in range(5)]).entry()
    assert entry.description == "red cup"
    assert entry.attributes == {"colour": "red"}


def test_an_unoccluded_view_outweighs_occluded_ones_and_the_losing_claim_is_kept():
    hidden = [observed(i, agent="alpha", text="red cup", occluded=True) for i in range(3)]
    entry = folded([*hidden, observed(5, agent="bravo", text="white cup")]).entry()
    assert entry.description == "white cup"
    assert [(claim.agent, claim.description, claim.n_unoccluded) for claim in entry.claims] == [
        ("bravo", "white cup", 1),
        ("alpha", "red cup", 0),
    ]


def test_the_last_view_says_whether_it_is_hidden():
    assert folded([observed(0), observed(1, occluded=True)]).entry().now.visibility == "occluded"
    assert folded([observed(0, occluded=True), observed(1)]).entry().now.visibility == "visible"


def test_sightings_of_one_agent_join_over_short_gaps():
    sightings = [Sighting("a", 0, 1), Sighting("a", 10, 12), Sighting("a", 3, 4)]
    assert join_sightings(sightings, max_gap_ns=2) == [Sighting("a", 0, 4), Sighting("a", 10, 12)]


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=20), st.floats(0, 1))
def test_a_quantile_of_equal_weights_lies_within_the_values(values, quantile):
    column = np.array(values)[:, None]
    result = weighted_quantile(column, np.ones(len(values)), quantile)
    assert min(values) - 1e-9 <= result[0] <= max(values) + 1e-9


def test_a_weighted_median():
    values, weights = np.array([[0.0], [1.0], [10.0]]), np.array([1.0, 1.0, 8.0])
    assert weighted_quantile(values, np.ones(3), 0.5)[0] == pytest.approx(1.0)
    assert weighted_quantile(values, weights, 0.5)[0] > 5
