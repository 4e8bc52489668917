"""Spoilt plans and replies by the hundred thousand: no crash, nothing executed, no hang.

python -m benchmarks fuzz --cases 100000
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click
from rich.console import Console
from rich.progress import track

from benchmarks import report
from benchmarks.recordings import DEMO_HOUSE, FirstSeconds, temporary_memory
from benchmarks.report import Figure, Section, at_most
from recall4d.bench.fuzz import MAX_REPORTED, SLOW_S, FuzzReport, fuzz

TOUCHED = "pwned"
"""The file that an obeyed document would leave."""


@click.command()
@click.option("--cases", type=click.IntRange(min=1), default=100_000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def main(cases: int, seed: int) -> None:
    """Mutate plans and replies, send them in, and count how they end."""
    console = Console()
    load_before = os.getloadavg()[0]
    total = FuzzReport()
    with temporary_memory() as memory:
        memory.ingest(FirstSeconds(DEMO_HOUSE, 40.0), agent="alpha")
        snapshot = memory.snapshot()
        batch = 500
        # Stopped early, it reports what it has done.
        with suppress(KeyboardInterrupt):
            for first in track(range(0, cases, batch), console=Console(stderr=True), transient=True):
                part = fuzz(snapshot, min(batch, cases - first), seed=seed * 1_000_000 + first)
                total.outcomes += part.outcomes
                total.crashes += part.crashes
                total.slowest_s = max(total.slowest_s, part.slowest_s)
                total.seconds += part.seconds
    for outcome, count in total.outcomes.most_common():
        console.print(f"{count:>8}  {outcome}", markup=False)
    for number, sent, told in total.crashes[:MAX_REPORTED]:
        console.print(f"case {number}: {sent!r}\n{told}", markup=False, style="red")
    figures = [
        Figure("cases", total.cases),
        Figure("ended in anything but an answer or a sentence", len(total.crashes), "", at_most(0)),
        Figure("executed", float(os.path.exists(TOUCHED)), "", at_most(0)),
        Figure("slowest case", total.slowest_s, "s", at_most(SLOW_S)),
        Figure("cases a second", total.cases / max(total.seconds, 1e-9)),
    ]
    sections = [Section(f"{total.cases} spoilt plans and replies, seed {seed}", figures)]
    report.show(console, sections)
    report.save("fuzz", sections, load_before)
    sys.exit(1 if total.crashes else 0)


if __name__ == "__main__":
    main()
