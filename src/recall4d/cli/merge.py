"""`recall4d merge`: one memory takes in another."""

from __future__ import annotations

from pathlib import Path

import click

from recall4d.cli.options import json_option, memory_argument, print_json


@click.command()
@memory_argument
@click.argument("other_dir", metavar="OTHER", type=click.Path(path_type=Path))
@click.option("--same-world", is_flag=True, help="The worlds of the two memories are one.")
@json_option
def merge(memory_dir: Path, other_dir: Path, same_world: bool, as_json: bool) -> None:
    """Take all that the memory in OTHER holds into the memory in DIR; OTHER stays as it is."""
    from recall4d.api import Memory
    from recall4d.cli.documents import merge_document

    with Memory.open(memory_dir, create=False) as memory:
        report = memory.merge(other_dir, same_world)
    if as_json:
        print_json(merge_document(report))
        return
    known = f" ({report.frames_known} known already)" if report.frames_known else ""
    click.echo(
        f"{report.frames_added} frames taken in{known}, {report.observations_added} observations, "
        f"{report.pictures_added} pictures: {report.entries_before} entries before, {report.entries_after} after"
    )
    for agent in report.agents_apart:
        click.echo(f"the map of {agent} is its own: bring it into this world with `recall4d align {memory_dir}`")
