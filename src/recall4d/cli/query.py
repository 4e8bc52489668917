"""`recall4d query`: the three keys, without a question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recall4d.cli.options import json_option, memory_argument, now_option, point, print_json

if TYPE_CHECKING:
    from recall4d.query.plan import Plan


@click.command()
@memory_argument
@click.option("--semantic", help="What it is, in words.")
@click.option("--near", metavar="X,Y,Z", help="A place in the world frame, metres.")
@click.option(
    "--radius", "radius_m", type=click.FloatRange(min=0), help="How near, metres; else ranked by distance."
)
@click.option("--between", nargs=2, metavar="FROM TO", help="Observed from one instant to the other.")
@click.option("--plan", "plan_file", type=click.Path(path_type=Path), help="A whole plan as JSON, instead of keys.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many rows.")
@click.option("--agent", help='Who "I" is; the first agent if not given.')
@click.option("--explain", is_flag=True, help="Show how the rows were narrowed down.")
@now_option
@json_option
def query(
    memory_dir: Path,
    semantic: str | None,
    near: str | None,
    radius_m: float | None,
    between: tuple[str, str] | None,
    plan_file: Path | None,
    limit: int | None,
    agent: str | None,
    explain: bool,
    now: str | None,
    as_json: bool,
) -> None:
    """Find what the memory in DIR holds by what it is, where it is and when it was seen."""
    from recall4d.api import Memory
    from recall4d.cli.documents import rows_document

    with Memory.open(memory_dir, create=False) as memory:
        found = memory.query(
            None if plan_file is None else _plan(plan_file),
            semantic=semantic,
            near=None if near is None else point(near),
            radius_m=radius_m,
            between=between,
            limit=limit,
            now=now,
            agent=agent,
        )
    if as_json:
        print_json(rows_document(found))
        return
    for row in found.rows:
        where = " ".join(f"{value:.2f}" for value in row.centroid_xyz)
        away = "" if row.distance_m is None else f", {row.distance_m:.2f} m away"
        click.echo(f"{row.score:.2f}  {row.description} [{row.entry_id}] at ({where}){away}, {row.visibility}")
    if explain:
        for line in found.explain:
            click.echo(
                f"  {line.step} {line.key}: {line.rows_in} -> {line.rows_out} in {line.seconds * 1e3:.2f} ms"
            )
    click.echo(f"{len(found.rows)} rows", err=True)


def _plan(path: Path) -> Plan:
    from pydantic import ValidationError

    from recall4d.errors import InputError
    from recall4d.query.plan import Plan

    try:
        return Plan.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read the plan in {path}: {error.strerror}") from error
    except ValidationError as error:
        reasons = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:3])
        raise InputError(f"{path} holds no plan: {reasons}") from error
