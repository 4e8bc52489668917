"""Progress bars, on standard error, only where a person looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from recall4d.ports import Source
from recall4d.records import FrameHeader


@contextmanager
def frame_bar(source: Source, title: str) -> Iterator[Callable[[FrameHeader], None]]:
    """A bar over the frames of a recording; call what it gives after every frame."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=sum(1 for _ in source.headers()))
        yield lambda header: progress.advance(task)


@contextmanager
def thinking() -> Iterator[Callable[[str], None]]:
    """A line that says what a slow model is being asked; call what it gives whenever that changes."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status("starting") as status:
        yield status.update
