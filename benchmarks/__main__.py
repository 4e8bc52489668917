"""`python -m benchmarks [name ...]`: run some or all benchmarks, print tables, keep JSON in benchmarks/results/.

Those of `WITH_OPTIONS` have options of their own and are run alone: `python -m benchmarks loop --help`.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click
from rich.console import Console

from benchmarks import report
from benchmarks.recordings import MissingError

NAMES = (
    "entries", "ingest_speed", "ingest_memory", "yolo", "segmenters", "questions", "ablation", "footprint",
    "events", "noise",
)  # fmt: skip


WITH_OPTIONS = ("loop", "fuzz", "retrieval")


@click.command(
    help=f"Measure recall4d. NAMES are of: {', '.join(NAMES)}; all of them if none is given. "
    f"With options of their own: {', '.join(WITH_OPTIONS)}."
)
@click.argument("names", nargs=-1, type=click.Choice(NAMES))
def main(names: tuple[str, ...]) -> None:
    console = Console()
    for name in names or NAMES:
        console.rule(name)
        load_before = os.getloadavg()[0]
        try:
            sections = import_module(f"benchmarks.{name}").run()
        except MissingError as error:
            console.print(f"skipped: {error}")
            continue
        report.show(console, sections)
        path = report.save(name, sections, load_before)
        console.print(
            f"load before {load_before:.1f} on {os.cpu_count()} cores; written to {os.path.relpath(path)}"
        )


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] in WITH_OPTIONS:
        import_module(f"benchmarks.{sys.argv[1]}").main(sys.argv[2:], prog_name=f"benchmarks {sys.argv[1]}")
    else:
        main()
