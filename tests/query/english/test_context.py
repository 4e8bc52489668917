import numpy as np

from recall4d.clock import seconds_to_ns
from recall4d.geometry.pose import Trajectory
from recall4d.query.visits import visits_of


def at(*seconds: float) -> Trajectory:
    stamps = np.array([seconds_to_ns(each) for each in seconds], dtype=np.int64)
    return Trajectory(stamps, np.broadcast_to(np.eye(4), (len(stamps), 4, 4)), max_gap_ns=10**9)


def spans(trajectory: Trajectory) -> list[tuple[float, float | None]]:
    return [(each.from_ns / 1e9, each.to_ns / 1e9 if each.to_ns else None) for each in visits_of(trajectory)]


def test_a_long_break_parts_two_visits():
    assert spans(at(0.5, 1, 2, 3, 60, 61, 62)) == [(0.5, 3.0), (60.0, 62.0)]


def test_a_slow_camera_makes_one_visit():
    assert spans(at(1, 16, 31, 46)) == [(1.0, 46.0)]


def test_one_frame_and_none():
    assert spans(at(5)) == [(5.0, 5.0)]
    assert spans(at()) == []
