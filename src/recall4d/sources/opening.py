"""From a path to a `Source`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from recall4d import plugins
from recall4d.errors import RecordingError, UsageError
from recall4d.ports import Source, SourceFormat
from recall4d.records import SourceOptions

DEFAULTS = SourceOptions()
MOST_LOOKED_INTO = 100
"""A folder that is no recording is searched this far for recordings in it: it may hold a hundred thousand files."""


def open_recording(path: Path | str, format_name: str | None = None, options: SourceOptions = DEFAULTS) -> Source:
    """Open a recording of any known format.

    Args:
        path: a folder or file.
        format_name: name of its format; None tells by the names of its files.
        options: what to read differently from the format's own convention.

    Raises:
        RecordingError: nothing there, an empty folder, no known format, or one that cannot read it.
        UsageError: no format has this name, or options that cannot be.
    """
    _check(options)
    path = Path(path)
    formats = tuple(plugins.source_formats())
    if format_name is not None and format_name not in _names(formats):
        raise UsageError(f"unknown recording format {format_name!r}: expected one of {_listed(formats)}")
    if not path.exists():
        raise RecordingError(f"no recording at {path}: there is no such file or folder")
    if path.is_dir() and not any(path.iterdir()):
        raise RecordingError(f"{path} is an empty folder: expected a recording, one of {_listed(formats)}")
    fitting = [each for each in formats if (each.name == format_name if format_name else each.recognises(path))]
    if not fitting:
        raise RecordingError(
            f"{path} is no recording of a known format ({_listed(formats)}): found {_found(path, formats)}"
        )
    if len(fitting) > 1:
        raise RecordingError(f"{path} could be any of {_listed(fitting)}: name its format")
    return fitting[0].open(path, options)


def _check(options: SourceOptions) -> None:
    if options.stride < 1:
        raise UsageError(f"expected a stride of 1 or more, got {options.stride}")
    for name, positive in (("depth unit", options.depth_unit_m), ("rate", options.rate_hz)):
        if positive is not None and not (math.isfinite(positive) and positive > 0):
            raise UsageError(f"expected a positive {name}, got {positive}")
    for name, limit in (("pose gap", options.max_pose_gap_s), ("skew", options.max_skew_s)):
        if not (math.isfinite(limit) and limit >= 0):
            raise UsageError(f"expected a largest {name} of 0 s or more, got {limit}")


def _names(formats: Iterable[SourceFormat]) -> list[str]:
    return [each.name for each in formats]


def _listed(formats: Iterable[SourceFormat]) -> str:
    return ", ".join(_names(formats))


def _found(path: Path, formats: Sequence[SourceFormat], at_most: int = 6) -> str:
    """What is at `path`, and, where a level was skipped, which folders in it are recordings."""
    if path.is_file():
        return f"a single file of {path.stat().st_size} bytes"
    inside = sorted(path.iterdir())
    found = ", ".join(each.name for each in inside[:at_most]) + (", ..." if len(inside) > at_most else "")
    recordings = [each.name for each in inside[:MOST_LOOKED_INTO] if any(fmt.recognises(each) for fmt in formats)]
    return f"{found}; give one of the recordings in it: {', '.join(recordings)}" if recordings else found
