"""`recall4d stats`: how much a memory holds, and what could not be used."""

from __future__ import annotations

from pathlib import Path

import click

from recall4d.cli.options import json_option, memory_argument, print_json


@click.command()
@memory_argument
@json_option
def stats(memory_dir: Path, as_json: bool) -> None:
    """Say how much the memory in DIR holds."""
    from recall4d.api import Memory

    with Memory.open(memory_dir, create=False) as memory:
        document = {"schema": "recall4d.stats/1", **memory.stats()}
    if as_json:
        print_json(document)
        return
    for name, value in document.items():
        if name not in ("schema", "skipped"):
            click.echo(f"{name.replace('_', ' ')}: {value}")
    for agent, reasons in document["skipped"].items():
        for reason, count in reasons.items():
            click.echo(f"skipped frames of {agent}: {count} {reason}")
