"""Lengths and durations as people write them."""

import pytest

from recall4d.units import format_duration, format_length, parse_duration_s, parse_length_m


@pytest.mark.parametrize(
    ("text", "metres"), [("6 feet", 1.8288), ("80cm", 0.8), ("1.5", 1.5), ("2 yards", 1.8288), ("1e3 mm", 1.0)]
)
def test_lengths(text, metres):
    assert parse_length_m(text) == pytest.approx(metres)


@pytest.mark.parametrize(("text", "seconds"), [("2 min", 120), ("12.5s", 12.5), ("30", 30), ("1 hour", 3600)])
def test_durations(text, seconds):
    assert parse_duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "six feet", "2 parsecs", "m"])
def test_what_is_neither(text):
    assert parse_length_m(text) is None
    assert parse_duration_s(text) is None


def test_for_a_person():
    assert format_length(0.35) == "35 cm"
    assert format_length(1.268) == "1.27 m"
    assert format_duration(12.49) == "12.5 s"
    assert format_duration(125) == "2 min 5 s"
    assert format_duration(3780) == "1 h 3 min"
