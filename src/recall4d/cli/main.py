"""`recall4d`: the group of commands, and the one place where errors become exit codes."""

from __future__ import annotations

import sys

import click

from recall4d.cli.align import align
from recall4d.cli.ask import ask
from recall4d.cli.diff import diff
from recall4d.cli.doctor import doctor
from recall4d.cli.entries import entries
from recall4d.cli.ingest import ingest
from recall4d.cli.map import map_command
from recall4d.cli.merge import merge
from recall4d.cli.model import model
from recall4d.cli.query import query
from recall4d.cli.rebuild import reanchor, rebuild, reindex
from recall4d.cli.regions import regions
from recall4d.cli.show import show
from recall4d.cli.stats import stats
from recall4d.cli.trace import trace
from recall4d.errors import Recall4dError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="recall4d")
def main() -> None:
    """A metric memory of what was where, when, and who saw it."""


for command in (
    ingest,
    ask,
    query,
    entries,
    diff,
    show,
    doctor,
    stats,
    align,
    map_command,
    merge,
    model,
    rebuild,
    reanchor,
    reindex,
    regions,
    trace,
):
    main.add_command(command)


def run() -> None:
    """Entry point: prints one sentence for an error and ends with its exit code, see `recall4d.errors`."""
    try:
        main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("recall4d: interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except Recall4dError as error:
        click.echo(f"recall4d: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
