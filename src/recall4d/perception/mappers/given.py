"""`given`: the poses and the depth that came with the recording, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recall4d.errors import UsageError
from recall4d.records import Frame


class GivenMapper:
    """Gives every frame back as it is."""

    name = "given"
    overlap = 0

    def place(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """See `recall4d.ports.Mapper`."""
        yield from frames


def create(argument: str | None) -> GivenMapper:
    """The entry point `given`.

    Raises:
        UsageError: an argument was given.
    """
    if argument is not None:
        raise UsageError(f"the mapper 'given' takes no argument, got {argument!r}")
    return GivenMapper()
