"""`recall4d align`: bring agents' maps together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recall4d.cli.options import json_option, memory_argument, print_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@click.command()
@memory_argument
@click.option("--agent", help="Whose transform is given.")
@click.option("--world-from-map", metavar="16 NUMBERS", help="Row-major, with commas; else it is estimated.")
@json_option
def align(memory_dir: Path, agent: str | None, world_from_map: str | None, as_json: bool) -> None:
    """Estimate, from what both saw, how the agents' own maps lie in the world of DIR; refuse where unsure."""
    from recall4d.api import Memory
    from recall4d.cli.documents import alignment_document

    if (agent is None) != (world_from_map is None):
        raise click.UsageError("--agent and --world-from-map go together")
    given = {} if agent is None or world_from_map is None else {agent: _matrix(world_from_map)}
    with Memory.open(memory_dir, create=False) as memory:
        alignments = memory.align(given)
    if as_json:
        print_json(alignment_document(alignments))
        return
    for agent, each in alignments.items():
        mark = click.style("aligned", fg="green") if each.accepted else click.style("left apart", fg="yellow")
        click.echo(f"{agent}: {mark}: {each.why}")


def _matrix(text: str) -> NDArray[np.float64]:
    import numpy as np

    try:
        return np.array([float(number) for number in text.split(",")]).reshape(4, 4)
    except ValueError as error:
        raise click.BadParameter(f"expected 16 numbers with commas, got {text!r}") from error
