"""`recall4d query`: the three keys, or a plan, without a question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recall4d.cli.options import json_option, memory_argument, now_option, point, print_json

if TYPE_CHECKING:
    from recall4d.query.plan import Plan
    from recall4d.query.retrieve import Retrieval
    from recall4d.records import Evidence


def _print_schema(context: click.Context, option: click.Parameter, asked: bool) -> None:
    """Print the JSON schema of a plan, or of the form for small models, and end."""
    if not asked or context.resilient_parsing:
        return
    from recall4d.query.keys_form import KeysForm
    from recall4d.query.plan import Plan

    print_json((KeysForm if option.name == "keys_schema" else Plan).model_json_schema())
    context.exit()


@click.command()
@memory_argument
@click.argument("plan_text", metavar="[PLAN]", required=False)
@click.option("--semantic", help="What it is, in words.")
@click.option("--near", metavar="X,Y,Z", help="A place in the world frame, metres.")
@click.option(
    "--radius", "radius_m", type=click.FloatRange(min=0), help="How near, metres; else ranked by distance."
)
@click.option("--between", nargs=2, metavar="FROM TO", help="Observed from one instant to the other.")
@click.option("--plan", "plan_file", type=click.Path(path_type=Path), help="A file with a plan, as text or JSON.")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many rows.")
@click.option("--agent", help='Who "I" is; the first agent if not given.')
@click.option("--explain", is_flag=True, help="Show the plan, and how the rows were narrowed down.")
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON schema of a plan and end.",
)
@click.option(
    "--keys-schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print that of the flat form for small models and end.",
)
@now_option
@json_option
def query(
    memory_dir: Path,
    plan_text: str | None,
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
    """Find what the memory in DIR holds by what it is, where it is and when it was seen.

    Give keys as options, or a whole PLAN: 't: "table" | m: "mug"; on t'. docs/plan-language.md says how.
    """  # fmt: skip
    from recall4d.api import Memory
    from recall4d.cli.documents import rows_document

    if plan_text is not None and plan_file is not None:
        raise click.UsageError("give a plan or --plan FILE, not both")
    plan = _read(plan_file) if plan_file is not None else None if plan_text is None else _written(plan_text)
    with Memory.open(memory_dir, create=False) as memory:
        found = memory.query(
            plan,
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
        click.echo(_row(row))
    for each in found.measured:
        click.echo(f"{each.kind}: {'unknown' if each.value is None else f'{each.value} {each.unit}'}")
    if explain:
        _explain(found)
    for line in (found.note, found.viewpoint and f"seen by {found.viewpoint}"):
        if line:
            click.echo(line, err=True)
    left_out = f", {found.n_left_out} more left out" if found.n_left_out else ""
    click.echo(f"{len(found.rows)} rows{left_out}", err=True)


def _row(row: Evidence) -> str:
    where = " ".join(f"{value:.2f}" for value in row.centroid_xyz)
    away = "" if row.distance_m is None else f", {row.distance_m:.2f} m away"
    parts = " ".join(f"{name} {part:.2f}" for name, part in row.parts.items())
    scored = f"{row.score:.2f}" + (f" ({parts})" if parts else "")
    return f"{scored}  {row.description} [{row.entry_id}] at ({where}){away}, {row.visibility}"


def _explain(found: Retrieval) -> None:
    """The plan as text, and a table of what each key left."""
    from recall4d.query.plan_text import text_of_plan

    click.echo(text_of_plan(found.plan))
    lines = [("step", "key", "rows in", "rows out", "ms")]
    for each in found.explain:
        counts = str(each.rows_in), str(each.rows_out), f"{each.seconds * 1e3:.2f}"
        lines.append((each.step, each.key + (f": {each.note}" if each.note else ""), *counts))
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    for line in lines:
        names = "  ".join(cell.ljust(width) for cell, width in zip(line[:2], widths[:2], strict=True))
        click.echo(
            f"  {names}  " + "  ".join(cell.rjust(width) for cell, width in zip(line[2:], widths[2:], strict=True))
        )


def _written(text: str) -> Plan:
    """The plan in the call's own words."""
    from recall4d.errors import InputError, UsageError
    from recall4d.query.plan_text import read_plan

    try:
        return read_plan(text)
    except InputError as error:
        raise UsageError(str(error)) from error


def _read(path: Path) -> str:
    from recall4d.errors import InputError

    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read the plan in {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} holds no plan: it is not text in UTF-8") from error
