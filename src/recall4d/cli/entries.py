"""`recall4d entries`: what is in memory."""

from __future__ import annotations

from pathlib import Path

import click

from recall4d.cli.options import json_option, memory_argument, now_option, print_json


@click.command()
@memory_argument
@now_option
@json_option
def entries(memory_dir: Path, now: str | None, as_json: bool) -> None:
    """List what the memory in DIR holds."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from recall4d.api import Memory
    from recall4d.cli.documents import entries_document
    from recall4d.clock import ns_to_seconds

    with Memory.open(memory_dir, create=False) as memory:
        snapshot = memory.snapshot(now)
    if as_json:
        print_json(entries_document(snapshot))
        return
    table = Table("id", "description", "x y z (m)", "size (m)", "seen (s)", "times", "is", "by", box=None)
    for entry in snapshot.entries:
        box = entry.now.box
        first_s, last_s = (
            ns_to_seconds(instant - snapshot.origin_ns) for instant in (entry.first_seen_ns, entry.last_seen_ns)
        )
        table.add_row(
            entry.entry_id,
            Text(entry.description),
            " ".join(f"{value:.2f}" for value in box.centroid_xyz),
            " ".join(f"{value:.2f}" for value in box.extent_xyz),
            f"{first_s:.1f}-{last_s:.1f}",
            str(entry.n_observations),
            entry.now.visibility,
            Text(", ".join(entry.agents)),
        )
    console = Console()
    # A pipe has no width: lines are whole there, for grep.
    (console if console.is_terminal else Console(width=200)).print(table)
    click.echo(f"{len(snapshot.entries)} entries")
