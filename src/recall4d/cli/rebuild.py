"""`recall4d rebuild`, `reindex` and `reanchor`: fold everything again, without an image or a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recall4d.cli.options import json_option, memory_argument, print_json

if TYPE_CHECKING:
    from recall4d.memory.rebuild import RebuildReport


@click.command()
@memory_argument
@click.option("--epsilon", "epsilon_m", type=click.FloatRange(min=0, min_open=True), help="Metres.")
@click.option("--delta", type=click.FloatRange(-1, 1), help="Cosine similarity.")
@click.option("--rule", type=click.Choice(["assignment", "published"]), help="`published`: the paper's rule alone.")
@json_option
def rebuild(memory_dir: Path, as_json: bool, **thresholds: Any) -> None:
    """Match and fold all observations of DIR again, with the thresholds given from then on."""
    from recall4d.api import Memory

    changed = {name: value for name, value in thresholds.items() if value is not None}
    with Memory.open(memory_dir, create=False) as memory:
        _print("rebuild", memory.rebuild(memory.association.model_copy(update=changed)), as_json)


@click.command()
@memory_argument
@click.option("--embedder", required=True, help="wordllama, or minilm:DIRECTORY and the like; kept from then on.")
@json_option
def reindex(memory_dir: Path, embedder: str, as_json: bool) -> None:
    """Embed all descriptions of DIR again, by another embedder, and fold everything again."""
    from contextlib import closing

    from recall4d import plugins
    from recall4d.config import AssociationSettings
    from recall4d.memory.rebuild import reindex as embed_again
    from recall4d.store.sqlite import SqliteStore

    # The store alone: the embedder that the memory was written with may not be installed any more.
    with closing(SqliteStore.open(memory_dir)) as store:
        settings = AssociationSettings.model_validate_json(store.fact("association") or "{}")
        _print("reindex", embed_again(store, plugins.embedder(embedder), embedder, settings), as_json)


@click.command()
@memory_argument
@click.option("--poses", required=True, type=click.Path(path_type=Path), help="frame, stamp_ns, m00..m33 as CSV.")
@click.option("--agent", help="Whose trajectory; the only agent if not given.")
@json_option
def reanchor(memory_dir: Path, poses: Path, agent: str | None, as_json: bool) -> None:
    """Hang the observations of DIR on a corrected trajectory."""
    from recall4d.api import Memory
    from recall4d.errors import GeometryError, InputError, UsageError
    from recall4d.geometry.pose import checked_pose
    from recall4d.sources.folder import read_poses

    if not poses.is_file():
        raise InputError(f"no corrected poses at {poses}")
    rows, unreadable = read_poses(poses)
    if unreadable:
        click.echo(f"note: {unreadable} lines of {poses} are no poses and were left out", err=True)
    try:
        corrected = {line.stamp_ns: checked_pose(line.matrix) for line in rows}
    except GeometryError as error:
        raise InputError(f"the poses in {poses} cannot be used: {error}") from error
    with Memory.open(memory_dir, create=False) as memory:
        agents = memory.snapshot().agents
        if agent is None and len(agents) != 1:
            raise UsageError(f"name the agent whose poses these are: --agent, one of {', '.join(agents)}")
        _print("reanchor", memory.reanchor(agent or agents[0], corrected), as_json)


def _print(name: str, report: RebuildReport, as_json: bool) -> None:
    from recall4d.cli.documents import rebuild_document

    if as_json:
        print_json(rebuild_document(name, report))
        return
    click.echo(
        f"{report.observations} observations folded again: {report.entries_before} entries before, "
        f"{report.entries_after} after, {report.observations_reassigned} observations reassigned"
    )
