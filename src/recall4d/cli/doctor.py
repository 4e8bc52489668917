"""`recall4d doctor`: is this recording what it seems to be?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from recall4d.cli.options import json_option, print_json, recording_argument, source_options

MARKS = {"ok": ("ok  ", "green"), "warn": ("warn", "yellow"), "fail": ("FAIL", "red")}


@click.command()
@recording_argument
@source_options
@json_option
def doctor(recording: Path, format_name: str | None, as_json: bool, **reading: Any) -> None:
    """Check RECORDING: scale, pose convention, axes, time stamps, alignment; say which flag would mend it."""
    from recall4d.records import SourceOptions
    from recall4d.sources import open_recording
    from recall4d.sources.doctor import examine

    report = examine(open_recording(recording, format_name, SourceOptions(**reading)))
    if as_json:
        print_json(report.to_json())
        return
    click.echo(f"{recording}: {report.format}")
    for verdict in report.verdicts:
        mark, colour = MARKS[verdict.level]
        click.echo(f"{click.style(mark, fg=colour)} {verdict.check}: {verdict.message}")
        if verdict.suggest:
            click.echo(f"     try {click.style(verdict.suggest, bold=True)}")
