"""Arguments and options that several commands share."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from recall4d.records import SourceOptions

Command = TypeVar("Command", bound=Callable[..., Any])

memory_argument = click.argument("memory_dir", metavar="DIR", type=click.Path(path_type=Path))
recording_argument = click.argument("recording", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
now_option = click.option(
    "--now",
    metavar="INSTANT",
    help="Ask as of this instant: ISO 8601 with a time zone, integer ns, or 12.5s after the first instant.",
)


def source_options(command: Command) -> Command:
    """Options that say how a recording is to be read, gathered into `options: SourceOptions`."""
    for option in (
        click.option("--format", "format_name", help="The recording's format; found out if not given."),
        click.option("--depth-unit", "depth_unit_m", type=float, help="Metres per stored unit of depth."),
        click.option("--pose-direction", type=click.Choice(["world_from_camera", "camera_from_world"])),
        click.option("--camera-axes", type=click.Choice(["opencv", "opengl"])),
        click.option("--up-axis", type=click.Choice(["z", "y", "-y"])),
        click.option("--rate", "rate_hz", type=float, help="Frames a second, for recordings without stamps."),
        click.option("--max-skew", "max_skew_s", type=float, default=SourceOptions().max_skew_s, show_default=True,
                     help="Seconds by which depth or pose may miss the image."),
        click.option("--stride", type=click.IntRange(min=1), default=1, show_default=True,
                     help="Read every so many frames."),
    ):  # fmt: skip
        command = option(command)
    return command


def print_json(document: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(document, ensure_ascii=False, allow_nan=False))


def point(text: str) -> tuple[float, float, float]:
    """Three finite numbers with commas, metres.

    Raises:
        BadParameter: they are not.
    """
    try:
        x, y, z = map(float, text.split(","))
    except ValueError as error:
        raise click.BadParameter(f"expected three numbers like 1.0,0.2,0.8, got {text!r}") from error
    if not math.isfinite(x + y + z):
        raise click.BadParameter(f"expected three finite numbers, got {text!r}")
    return x, y, z
