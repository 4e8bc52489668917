"""`recall4d map`: the space that a memory knows, in cells."""

from __future__ import annotations

from pathlib import Path

import click

from recall4d.cli.options import json_option, memory_argument, now_option, point, print_json


@click.command("map")
@memory_argument
@click.option("--ply", type=click.Path(path_type=Path), help="Write the occupied cells there, as a point cloud.")
@click.option("--at", metavar="X,Y,Z", help="Say what is at a place in the world frame, metres.")
@now_option
@json_option
def map_command(memory_dir: Path, ply: Path | None, at: str | None, now: str | None, as_json: bool) -> None:
    """Say how much of the space the memory in DIR has seen, and what of it is free or occupied."""
    from recall4d.api import Memory
    from recall4d.errors import UsageError
    from recall4d.geometry.voxels import STATES

    place = None if at is None else point(at)
    with Memory.open(memory_dir, create=False) as memory:
        space = memory.space(now)
    if ply is not None:
        try:
            space.export_ply(ply)
        except OSError as error:
            raise UsageError(
                f"cannot write {ply}: {error.strerror or error}; name another file by --ply"
            ) from error
    extent, cells = space.grid.extent, space.counts()
    state = None if place is None else STATES[space.state_at(place)[0]]
    floor_m = space.grid.floor_height_m()
    if as_json:
        print_json(
            {
                "schema": "recall4d.map/1",
                "world": "right-handed, Z up, metres",
                "frames": space.n_frames,
                "edge_m": space.grid.edge_m,
                "box_min_xyz": None if extent is None else [round(value, 6) for value in extent.min_xyz],
                "box_max_xyz": None if extent is None else [round(value, 6) for value in extent.max_xyz],
                "cells": cells,
                "floor_height_m": floor_m,
                "at": None if place is None else {"xyz": list(place), "state": state},
                "ply": None if ply is None else str(ply),
            }
        )
        return
    if place is not None:
        click.echo(
            f"at ({' '.join(f'{value:.2f}' for value in place)}): {'never seen' if state == 'unseen' else state}"
        )
        return
    if extent is None:
        click.echo("no depth in memory: nothing is known of the space")
        return
    click.echo(f"cells of {space.grid.edge_m:.2f} m from {space.n_frames} frames: " + _listed(cells))
    click.echo(f"extent: {' x '.join(f'{value:.1f}' for value in extent.extent_xyz)} m")
    if floor_m is not None:
        click.echo(f"floor: at {floor_m:.2f} m")
    if ply is not None:
        click.echo(f"ply: {ply}")


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in reversed(counts.items()))
