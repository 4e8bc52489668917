"""From a path to a `Source`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from recall4d import plugins
from recall4d.errors import RecordingError
from recall4d.ports import Source, SourceFormat
from recall4d.records import SourceOptions

DEFAULTS = SourceOptions()


def open_recording(path: Path | str, format_name: str | None = None, options: SourceOptions = DEFAULTS) -> Source:
    """Open a recording of any known format.

    Args:
        path: a folder or file.
        format_name: name of its format; None tells by the names of its files.
        options: what to read differently from the format's own convention.

    Raises:
        RecordingError: nothing there, an empty folder, a format that is not known, or one that cannot read it.
    """
    path = Path(path)
    formats = tuple(plugins.source_formats())
    if format_name is not None and format_name not in _names(formats):
        raise RecordingError(f"unknown recording format {format_name!r}: expected one of {_listed(formats)}")
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


def _names(formats: Iterable[SourceFormat]) -> list[str]:
    return [each.name for each in formats]


def _listed(formats: Iterable[SourceFormat]) -> str:
    return ", ".join(_names(formats))


def _found(path: Path, formats: Iterable[SourceFormat], at_most: int = 6) -> str:
    """What is at `path`, and, where a level was skipped, which folders in it are recordings."""
    if path.is_file():
        return f"a single file of {path.stat().st_size} bytes"
    inside = sorted(path.iterdir())
    found = ", ".join(each.name for each in inside[:at_most]) + (", ..." if len(inside) > at_most else "")
    recordings = [each.name for each in inside if any(fmt.recognises(each) for fmt in formats)]
    return f"{found}; give one of the recordings in it: {', '.join(recordings)}" if recordings else found
