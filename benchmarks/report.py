"""What a benchmark says: named figures beside their targets, printed as tables and kept as JSON."""

from __future__ import annotations

import datetime as dt
import json
import math
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from recall4d import __version__

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Target:
    """A limit that a figure should keep: a least value, or a most."""

    limit: float
    is_least: bool

    def is_met(self, value: float) -> bool:
        """Whether `value` keeps the limit; NaN never does."""
        return value >= self.limit if self.is_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.is_least else '≤'} {self.limit:.3g}"


def at_least(limit: float) -> Target:
    return Target(limit, is_least=True)


def at_most(limit: float) -> Target:
    return Target(limit, is_least=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number.

    Attributes:
        name: what was measured.
        value: in `unit`.
        unit: "cm", "fps", "%"; empty for counts and ratios.
        target: what it should reach, where there is something to reach.
        detail: what a person would ask next, such as which things were missed.
    """

    name: str
    value: float
    unit: str = ""
    target: Target | None = None
    detail: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; NaN becomes null."""
        return {
            "name": self.name,
            "value": None if math.isnan(self.value) else self.value,
            "unit": self.unit,
            "target": None if self.target is None else str(self.target),
            "met": None if self.target is None else self.target.is_met(self.value),
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Section:
    """Figures that belong together, such as those of one recording."""

    title: str
    figures: Sequence[Figure]


def show(console: Console, sections: Sequence[Section]) -> None:
    """Print one table a section."""
    for section in sections:
        table = Table(title=section.title, title_justify="left", title_style="bold")
        for heading, justify in (
            ("figure", "left"),
            ("measured", "right"),
            ("target", "right"),
            ("detail", "left"),
        ):
            table.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type]
        for figure in section.figures:
            table.add_row(figure.name, _measured(figure), _target(figure), figure.detail)
        console.print(table)


def save(name: str, sections: Sequence[Section], load_before: float) -> Path:
    """Keep a report as `results/NAME.json`, with the machine it was made on."""
    document = {
        "benchmark": name,
        "machine": machine(load_before),
        "sections": [
            {"title": section.title, "figures": [figure.to_json() for figure in section.figures]}
            for section in sections
        ],
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def machine(load_before: float) -> dict[str, Any]:
    """What a reader needs to judge a speed; a load near or above the cores means that others were at work."""
    return {
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "recall4d": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(terse=True),
        "cores": os.cpu_count(),
        "load_before": round(load_before, 2),
    }


def _measured(figure: Figure) -> str:
    if math.isnan(figure.value):
        return "none"
    is_whole = abs(figure.value) >= 1000 or float(figure.value).is_integer()
    number = f"{figure.value:,.0f}" if is_whole else f"{figure.value:.3g}"
    return f"{number} {figure.unit}".rstrip()


def _target(figure: Figure) -> str:
    if figure.target is None:
        return ""
    if figure.target.is_met(figure.value):
        return f"[green]{figure.target} met[/]"
    return f"[red]{figure.target} missed[/]"
