"""Every error recall4d raises on purpose.

```
Recall4dError
├── UsageError               the call's words are off                       exit 2
│   ├── MissingExtraError    an optional dependency is not installed
│   └── RealCallError        a model was called where real calls are switched off
├── InputError               what was given cannot be read                  exit 3
│   ├── RecordingError       a recording as a whole
│   ├── FrameError           one frame: counted with its reason, skipped, never fatal
│   ├── GeometryError        a pose, camera or box that cannot be
│   └── TapeError            a tape of replies: unreadable, or the request is not on it
├── ModelError               a model or its server failed                   exit 4
│   ├── ModelUnavailableError  not reached, too slow, or too busy, after every retry
│   ├── ModelRequestError    the server will not take this request: asking again changes nothing
│   └── ReplyError           a reply came that cannot be used; holds the replies
│       ├── TruncatedReplyError  cut off by the limit of tokens
│       ├── RefusedReplyError    the model refused
│       ├── EmptyReplyError      nothing was written
│       └── MalformedReplyError  not the document that was asked for, asked twice
└── StoreError               the store refused                              exit 5
    ├── NotAMemoryError      the directory holds no memory
    ├── SchemaMismatchError  written by another schema
    └── EmbedderMismatchError  written with another embedder
```

Messages say what was expected, what was found, and what to do. The command line prints the message and
ends with `exit_code`; nothing else in the package catches these except the one place that can act on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar


class Recall4dError(Exception):
    """Base of every error recall4d raises on purpose."""

    exit_code: ClassVar[int] = 1


class UsageError(Recall4dError):
    """The words of a call are off: an unknown name, an unreadable instant, an option that does not fit."""

    exit_code = 2


class MissingExtraError(UsageError):
    """An adapter needs a package that the default install leaves out."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the package {package!r}: pip install 'recall4d[{extra}]'")


class RealCallError(UsageError):
    """A model was called where real calls are switched off, see `recall4d.models.real_calls`.

    No `ModelError`, so that nothing that lives with a failing model takes it for one.
    """


class InputError(Recall4dError):
    """What the caller gave cannot be read."""

    exit_code = 3


class RecordingError(InputError):
    """A recording as a whole cannot be read: missing, empty, foreign or truncated."""


class FrameError(InputError):
    """One frame cannot be used. `reason` is a short fixed phrase, so that skipped frames can be counted by it."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason


class GeometryError(InputError):
    """A pose, camera or box that cannot be: not finite, not a rotation, negative size."""


class TapeError(InputError):
    """A tape of replies cannot be read, or a request is not on it; no `ModelError`, since no model was asked."""


class ModelError(Recall4dError):
    """A model or its server failed."""

    exit_code = 4


class ModelUnavailableError(ModelError):
    """A model was not reached, or was too slow or too busy, after every retry. Later it may answer."""


class ModelRequestError(ModelError):
    """A model will not take this request: its key, its name, pictures, length. Asking again changes nothing."""


class ReplyError(ModelError):
    """A reply came and cannot be used.

    Attributes:
        replies: what the model wrote, each a `records.Reply`, in order; whoever counts tokens finds them here.
    """

    def __init__(self, message: str, replies: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.replies = tuple(replies)


class TruncatedReplyError(ReplyError):
    """A reply was cut off by the limit of tokens."""


class RefusedReplyError(ReplyError):
    """A model refused to answer."""


class EmptyReplyError(ReplyError):
    """A model wrote nothing."""


class MalformedReplyError(ReplyError):
    """Replies were not the document that was asked for, not even after the error had been shown to the model."""


class StoreError(Recall4dError):
    """The store refused: locked for too long, damaged, or not ours."""

    exit_code = 5


class NotAMemoryError(StoreError):
    """The directory holds no memory."""


class SchemaMismatchError(StoreError):
    """The memory was written by another version of the schema."""


class EmbedderMismatchError(StoreError):
    """The memory was written with another embedder; vectors of two embedders cannot be compared."""
