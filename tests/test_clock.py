"""Instants keep their nanoseconds, intervals their ends."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall4d.clock import (
    Interval,
    merge_intervals,
    ns_to_seconds,
    parse_instant,
    seconds_to_ns,
    stamp_unit,
)
from recall4d.errors import UsageError

ORIGIN = 1_760_000_000_000_000_000
instants = st.integers(0, 1000)
intervals = st.builds(lambda a, b: Interval(min(a, b), max(a, b)), instants, instants)


def test_text_keeps_all_nine_digits():
    assert seconds_to_ns("1760000000.123456789") == 1_760_000_000_123_456_789
    assert seconds_to_ns(0.1) == 100_000_000


@given(st.integers(-(10**18), 10**18))
def test_nanoseconds_survive_the_way_through_text(stamp):
    assert seconds_to_ns(f"{stamp // 10**9}.{stamp % 10**9:09d}" if stamp >= 0 else str(stamp // 10**9)) == (
        stamp if stamp >= 0 else stamp // 10**9 * 10**9
    )


@pytest.mark.parametrize("text", ["", "soon", "nan", "inf"])
def test_what_is_no_number_of_seconds_is_refused(text):
    with pytest.raises(ValueError, match="finite number of seconds"):
        seconds_to_ns(text)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("12.5s", ORIGIN + 12_500_000_000),
        ("1760000000000000001", ORIGIN + 1),
        ("2025-10-09T08:53:20Z", ORIGIN),
        ("2025-10-09T10:53:20.5+02:00", ORIGIN + 500_000_000),
    ],
)
def test_instants_as_the_command_line_takes_them(text, instant):
    assert parse_instant(text, ORIGIN) == instant


@pytest.mark.parametrize(("text", "said"), [("2025-10-09T08:53:20", "time zone"), ("noon", "cannot read")])
def test_instants_it_does_not_take(text, said):
    with pytest.raises(UsageError, match=said):
        parse_instant(text, ORIGIN)


@pytest.mark.parametrize(
    ("stamp", "unit"), [(1.76e9, "s"), (1.76e12, "ms"), (1.76e15, "us"), (1.76e18, "ns"), (12.5, "relative")]
)
def test_the_unit_of_a_stamp_is_told_by_its_size(stamp, unit):
    assert stamp_unit(stamp) == unit


@given(st.lists(intervals, max_size=8), instants)
def test_merged_intervals_cover_the_same_instants_and_are_apart(parts, instant):
    merged = merge_intervals(parts)
    assert any(i.contains(instant) for i in merged) == any(i.contains(instant) for i in parts)
    assert all(a.to_ns < b.from_ns for a, b in itertools.pairwise(merged))


@given(intervals, intervals)
def test_overlap_is_mutual_and_means_a_shared_instant(a, b):
    assert a.overlaps(b) == b.overlaps(a) == any(a.contains(t) and b.contains(t) for t in range(1001))


def test_an_interval_still_going_on():
    open_ended = Interval(10, None)
    assert open_ended.contains(10**12)
    assert open_ended.clip(5) is None
    assert open_ended.clip(20) == Interval(10, 20)
    assert open_ended.duration_s(10 + 2_000_000_000) == ns_to_seconds(2_000_000_000) == 2.0
    with pytest.raises(ValueError, match="ends at or after"):
        Interval(2, 1)
