"""`recall4d regions`: parts of the floor plan that have a name."""

from __future__ import annotations

import math
from pathlib import Path

import click

from recall4d.cli.options import json_option, memory_argument, print_json


@click.command()
@memory_argument
@click.option("--add", metavar="NAME", help="Name a region; needs --corners.")
@click.option("--corners", metavar="'X,Y X,Y X,Y ...'", help="Its corners in order, world frame, metres.")
@click.option("--height", metavar="LOW HIGH", nargs=2, type=float, help="Its lower and upper end, metres.")
@click.option("--remove", metavar="NAME", help="Forget a region.")
@json_option
def regions(
    memory_dir: Path,
    add: str | None,
    corners: str | None,
    height: tuple[float, float] | None,
    remove: str | None,
    as_json: bool,
) -> None:
    """List, name and forget regions of the memory in DIR, for "what is in the workshop?" and plans."""
    from recall4d.api import Memory

    if (add is None) != (corners is None):
        raise click.UsageError("--add NAME and --corners go together")
    with Memory.open(memory_dir, create=False) as memory:
        if remove is not None:
            memory.forget_region(remove)
        if add is not None and corners is not None:
            memory.name_region(add, _corners(corners), height)
        known = memory.regions()
    if as_json:
        document = [
            {
                "name": name,
                "corners_xy": region.corners_xy.tolist(),
                "z": [end if math.isfinite(end) else None for end in (region.low_z, region.high_z)],
            }
            for name, region in known.items()
        ]
        print_json({"schema": "recall4d.regions/1", "regions": document})
        return
    for name, region in known.items():
        click.echo(f"{name}: " + " ".join(f"{x:g},{y:g}" for x, y in region.corners_xy.tolist()))
    click.echo(f"{len(known)} regions", err=True)


def _corners(text: str) -> list[tuple[float, float]]:
    try:
        pairs = [tuple(map(float, pair.split(","))) for pair in text.split()]
    except ValueError as error:
        raise click.BadParameter(f"expected corners like '0,0 3,0 3,2', got {text!r}") from error
    if not all(len(pair) == 2 and all(map(math.isfinite, pair)) for pair in pairs):
        raise click.BadParameter(f"expected corners like '0,0 3,0 3,2', got {text!r}")
    return [(x, y) for x, y in pairs]
