"""`recall4d align`: bring agents' maps together."""

from __future__ import annotations

from pathlib import Path

import click

from recall4d.cli.options import json_option, memory_argument, print_json


@click.command()
@memory_argument
@json_option
def align(memory_dir: Path, as_json: bool) -> None:
    """Estimate, from what both saw, how the agents' own maps lie in the world of DIR; refuse where unsure."""
    from recall4d.api import Memory
    from recall4d.cli.documents import alignment_document

    with Memory.open(memory_dir, create=False) as memory:
        alignments = memory.align()
    if as_json:
        print_json(alignment_document(alignments))
        return
    for agent, each in alignments.items():
        mark = click.style("aligned", fg="green") if each.accepted else click.style("left apart", fg="yellow")
        click.echo(f"{agent}: {mark}: {each.why}")
