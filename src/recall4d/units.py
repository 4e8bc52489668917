"""Lengths and durations as people write them. Inside recall4d a length is metres and an angle is radians."""

from __future__ import annotations

import re

METRES_PER_UNIT = {
    "m": 1.0, "metre": 1.0, "metres": 1.0, "meter": 1.0, "meters": 1.0,
    "cm": 0.01, "centimetre": 0.01, "centimetres": 0.01, "centimeter": 0.01, "centimeters": 0.01,
    "mm": 0.001, "millimetre": 0.001, "millimetres": 0.001, "millimeter": 0.001, "millimeters": 0.001,
    "ft": 0.3048, "foot": 0.3048, "feet": 0.3048,
    "in": 0.0254, "inch": 0.0254, "inches": 0.0254,
    "yd": 0.9144, "yard": 0.9144, "yards": 0.9144,
    "km": 1000.0, "kilometre": 1000.0, "kilometres": 1000.0, "kilometer": 1000.0, "kilometers": 1000.0,
}  # fmt: skip
SECONDS_PER_UNIT = {
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0,
    "ms": 0.001, "millisecond": 0.001, "milliseconds": 0.001,
    "min": 60.0, "mins": 60.0, "minute": 60.0, "minutes": 60.0,
    "h": 3600.0, "hr": 3600.0, "hrs": 3600.0, "hour": 3600.0, "hours": 3600.0,
    "day": 86400.0, "days": 86400.0,
}  # fmt: skip

_QUANTITY = re.compile(r"\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


def parse_length_m(text: str) -> float | None:
    """Metres in a length such as ``"6 feet"``, ``"80cm"`` or ``"1.5"`` (metres); None if it is not a length."""
    return _parse(text, METRES_PER_UNIT, default_unit="m")


def parse_duration_s(text: str) -> float | None:
    """Seconds in a duration such as ``"2 min"``, ``"12.5s"`` or ``"30"`` (seconds); None if it is not one."""
    return _parse(text, SECONDS_PER_UNIT, default_unit="s")


def _parse(text: str, factors: dict[str, float], default_unit: str) -> float | None:
    match = _QUANTITY.fullmatch(text)
    if match is None:
        return None
    factor = factors.get(match.group(2).lower() or default_unit)
    return None if factor is None else float(match.group(1)) * factor


def format_length(length_m: float) -> str:
    """A length for a person: ``"35 cm"`` below one metre, ``"1.27 m"`` above."""
    return f"{length_m * 100:.0f} cm" if abs(length_m) < 0.995 else f"{length_m:.2f} m"


def format_duration(duration_s: float) -> str:
    """A duration for a person: ``"12.5 s"``, ``"2 min 5 s"`` or ``"1 h 3 min"``."""
    if abs(duration_s) < 59.95:
        return f"{duration_s:.1f} s"
    minutes, seconds = divmod(round(abs(duration_s)), 60)
    sign = "-" if duration_s < 0 else ""
    if minutes < 60:
        return f"{sign}{minutes} min {seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours} h {minutes} min"
