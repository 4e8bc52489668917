"""Stamps: unit, order, repeats, gaps and pauses."""

from __future__ import annotations

import numpy as np
import pytest

from recall4d.clock import NS_PER_S
from recall4d.sources.doctor.report import Verdict
from recall4d.sources.doctor.stamps import check_stamps
from recall4d.sources.doctor.survey import Survey

START_NS = 1_760_000_000 * NS_PER_S
STEP_NS = 33_333_333


def stamped(*stamps_ns: int) -> Verdict:
    return check_stamps(Survey(stamps_ns, np.full((len(stamps_ns), 4, 4), np.nan), {}))


def camera(n: int = 100, start_ns: int = START_NS, step_ns: int = STEP_NS) -> list[int]:
    return [start_ns + k * step_ns for k in range(n)]


def test_a_camera_at_thirty_hertz() -> None:
    verdict = stamped(*camera())
    assert verdict.level == "ok"
    assert verdict.measured["rate_hz"] == 30


def test_a_camera_that_counts_from_its_start() -> None:
    assert stamped(*camera(start_ns=666_666_660)).level == "ok"


@pytest.mark.parametrize(
    ("read", "why"),
    [
        (lambda ns: ns * NS_PER_S, "multiplied by 10^9"),
        (lambda ns: ns // 1000, "count us since 1970"),
        (lambda ns: ns // 1_000_000, "count ms since 1970"),
        (lambda ns: ns // NS_PER_S, "count s since 1970"),
    ],
)
def test_a_unit_misread_shows_in_the_magnitude(read: object, why: str) -> None:
    assert callable(read)
    verdict = stamped(*map(read, camera()))
    assert verdict.level == "fail"
    assert why in verdict.message


def test_stamps_out_of_order() -> None:
    stamps = camera()
    stamps[10], stamps[11] = stamps[11], stamps[10]
    verdict = stamped(*stamps)
    assert (verdict.level, verdict.measured["out_of_order"]) == ("fail", 1)


def test_stamps_that_repeat() -> None:
    verdict = stamped(*sorted(camera(50) * 2))
    assert verdict.level == "warn"
    assert verdict.measured["repeated"] == 50


def test_all_the_same_stamp_is_none() -> None:
    assert stamped(0, 0, 0).suggest == "--rate 30"


def test_lost_frames_are_a_gap() -> None:
    verdict = stamped(*(camera()[:40] + camera()[70:]))
    assert verdict.level == "warn"
    assert verdict.measured["gaps"] == 1
    assert verdict.measured["longest_gap_s"] == pytest.approx(31 / 30, abs=1e-3)


def test_a_long_pause_parts_two_tours_and_loses_nothing() -> None:
    verdict = stamped(*camera(), *camera(start_ns=START_NS + 120 * NS_PER_S))
    assert verdict.level == "ok"
    assert "in 2 parts" in verdict.message


def test_keyframes_come_irregularly_and_lose_nothing() -> None:
    rng = np.random.default_rng(0)
    steps = (rng.exponential(0.5, 200).clip(0.1, 1.4) * NS_PER_S).astype(int).tolist()
    stamps = [START_NS + sum(steps[:k]) for k in range(len(steps))]
    assert stamped(*stamps).level == "ok"


def test_one_frame() -> None:
    assert stamped(START_NS).level == "warn"
