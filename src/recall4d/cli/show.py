"""`recall4d show`: a page and a picture to look at."""

from __future__ import annotations

from pathlib import Path

import click

from recall4d.cli.options import json_option, memory_argument, now_option, print_json


@click.command()
@memory_argument
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the files; the memory's own if not given.")
@now_option
@json_option
def show(memory_dir: Path, out: Path | None, now: str | None, as_json: bool) -> None:
    """Write memory.html (a page that needs no network) and memory.png (a plan) for the memory in DIR."""
    from recall4d.api import Memory
    from recall4d.errors import UsageError
    from recall4d.viewer import write_page, write_plan

    with Memory.open(memory_dir, create=False) as memory:
        snapshot = memory.snapshot(now)
    folder = out or memory_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page = write_page(snapshot, memory_dir, folder / "memory.html")
        plan = write_plan(snapshot, folder / "memory.png")
    except OSError as error:
        raise UsageError(
            f"cannot write to {folder}: {error.strerror or error}; name another folder by --out"
        ) from error
    if as_json:
        print_json({"schema": "recall4d.show/1", "page": str(page), "plan": str(plan)})
    else:
        click.echo(f"page: {page}\nplan: {plan}")
