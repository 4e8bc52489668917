"""From looks at a place to the times at which a thing was there: what repeats counts, what does not is a stray."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall4d.memory.presence import Look, findings, hidden_looks, spells, usual_free

NAN = math.nan

SEEN = (True, 0.3, 0.0)
"""A sighting: rays go a third of the way through the box before the thing stops them."""
FREE = (False, 1.0, 0.0)
"""Seen through to the end: nothing there."""
FILLED = (False, 0.3, 0.0)
"""Not recognised, but something stops the rays as it does."""
HIDDEN = (False, 0.0, 1.0)
"""Something is in front."""
HALF_HIDDEN = (False, 0.9, 0.5)
UNCLEAR = (False, NAN, NAN)
"""Too far, out of the image, or not measured."""


def looks(*found, eye_xyz=(0.0, 0.0, 0.0)):
    """One look a second."""
    return [Look(second, "alpha", *each, eye_xyz=eye_xyz) for second, each in enumerate(found)]


def there(*found):
    """The spells as (there, first second, last second)."""
    return [(spell.there, spell.first_ns, spell.last_ns) for spell in spells(looks(*found))]


@pytest.mark.parametrize(
    ("look", "finding"),
    [
        (SEEN, "seen"),
        (FREE, "free"),
        (FILLED, "filled"),
        (HIDDEN, "hidden"),
        (HALF_HIDDEN, None),
        (UNCLEAR, None),
        ((False, 0.6, 0.0), "filled"),  # farther than while it was seen, but not by half of the rest
        ((False, 0.7, 0.0), "free"),
        ((True, NAN, NAN), "seen"),  # seen in part, its box mostly outside the image
    ],
)
def test_what_a_look_says(look, finding):
    assert findings(looks(SEEN, SEEN, look))[2] == finding


def test_seen_all_the_time():
    assert there(SEEN, SEEN, SEEN) == [(True, 0, 2)]


def test_gone_lies_between_the_last_sighting_and_the_first_free_look():
    assert there(SEEN, SEEN, SEEN, UNCLEAR, FREE, FREE, FREE) == [(True, 0, 2), (False, 4, 6)]


@pytest.mark.parametrize("stray", [1, 2])
def test_free_looks_between_sightings_are_strays(stray):
    assert there(SEEN, SEEN, *[FREE] * stray, SEEN, SEEN) == [(True, 0, 3 + stray)]


def test_many_free_looks_between_sightings_are_an_absence():
    assert there(*[SEEN] * 4, *[FREE] * 6, *[SEEN] * 4) == [(True, 0, 3), (False, 4, 9), (True, 10, 13)]


def test_a_single_free_look_at_the_end_is_not_enough():
    assert there(SEEN, SEEN, SEEN, FREE) == [(True, 0, 2)]


def test_a_stray_sighting_in_an_empty_place_does_not_bring_a_thing_back():
    """A segmenter that gives the description to something else for one frame."""
    assert there(*[SEEN] * 4, *[FREE] * 6, SEEN, *[FREE] * 6) == [(True, 0, 3), (False, 4, 16)]


def test_empty_before_it_came():
    assert there(*[FREE] * 4, *[SEEN] * 4) == [(False, 0, 3), (True, 4, 7)]


@pytest.mark.parametrize("silent", [HIDDEN, HALF_HIDDEN, UNCLEAR, FILLED])
def test_what_does_not_see_through_the_place_says_nothing(silent):
    assert there(SEEN, SEEN, *[silent] * 20) == [(True, 0, 1)]


def test_weak_free_looks_need_to_be_more():
    """Rays that go a little farther than usual add up more slowly than rays that meet nothing."""
    weak = (False, 0.72, 0.0)
    n_strong = next(n for n in range(1, 20) if len(there(*[SEEN] * 4, *[FREE] * n)) == 2)
    n_weak = next(n for n in range(1, 20) if len(there(*[SEEN] * 4, *[weak] * n)) == 2)
    assert 1 < n_strong < n_weak


def test_what_is_usual_is_measured_while_the_thing_is_seen():
    bowl = (True, 0.6, 0.0)
    assert usual_free(looks(bowl, bowl, FREE)) == pytest.approx(0.6)
    assert there(bowl, bowl, *[(False, 0.7, 0.0)] * 20) == [(True, 0, 1)]  # a bowl lets that much through
    assert there(bowl, bowl, *[FREE] * 6) == [(True, 0, 1), (False, 2, 7)]


def test_what_rays_pass_through_while_it_is_there_is_never_seen_to_be_gone():
    wire = (True, 0.9, 0.0)
    assert there(wire, wire, *[FREE] * 20) == [(True, 0, 1)]


def test_what_rays_pass_through_from_some_sides_is_never_seen_to_be_gone():
    """A folder of clear plastic on red_kitchen's worktop: measured in front, seen through from the side."""
    clear, opaque = (True, 0.9, 0.0), (True, 0.4, 0.0)
    assert there(*[opaque, clear] * 6, *[FREE] * 20, opaque) == [(True, 0, 32)]


def test_hidden_by_something_new_is_only_said_from_where_the_thing_was_in_view_before():
    here, there_ = (0.0, 0.0, 0.0), (3.0, 0.0, 0.0)
    seen = [Look(0, "alpha", *SEEN, eye_xyz=here), Look(1, "alpha", *SEEN, eye_xyz=here)]
    from_here = Look(2, "alpha", *HIDDEN, eye_xyz=(0.3, 0.0, 0.0))
    from_there = Look(3, "alpha", *HIDDEN, eye_xyz=there_)
    assert hidden_looks([*seen, from_here, from_there]) == [from_here]


any_looks = st.lists(st.sampled_from([SEEN, FREE, FILLED, HIDDEN, HALF_HIDDEN, UNCLEAR]), max_size=30)


@given(any_looks, any_looks)
def test_spells_alternate_are_disjoint_and_rest_on_evidence(before, after):
    found = looks(*before, SEEN, *after)
    history = spells(found)
    what = dict(zip((look.stamp_ns for look in found), findings(found), strict=True))
    for a, b in itertools.pairwise(history):
        assert a.there != b.there
        assert a.last_ns < b.first_ns
    for spell in history:
        assert spell.first_ns <= spell.last_ns
        for stamp in (spell.first_ns, spell.last_ns):
            assert what[stamp] == ("seen" if spell.there else "free")
