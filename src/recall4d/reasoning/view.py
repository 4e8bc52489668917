"""The present view: a picture that is given, or the asking agent's last keyframe."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from recall4d.clock import ns_to_seconds, seconds_to_ns
from recall4d.errors import InputError, UsageError
from recall4d.memory.snapshot import Snapshot
from recall4d.ports import Store, StoredFrame
from recall4d.reasoning.inquiry import PresentView
from recall4d.records import Picture

PRESENT_S = 5.0
"""A keyframe older than this is no present view, unless it is asked for."""

_MEDIA_TYPES = {"JPEG": "image/jpeg", "PNG": "image/png"}


def view_of_file(path: Path) -> PresentView:
    """The picture in a file; what is neither JPEG nor PNG is encoded anew.

    Raises:
        InputError: it is missing or no picture.
    """
    return PresentView(picture_of(path, path.name), str(path.resolve()))


def view_of_frame(store: Store, snapshot: Snapshot, agent: str | None, at_ns: int) -> PresentView:
    """The last keyframe of the agent at or before an instant.

    Raises:
        UsageError: it has none.
        InputError: its file is missing.
    """
    frame = _last_keyframe(store, agent, min(at_ns, snapshot.now_ns))
    if frame is None:
        raise UsageError(f"no keyframe of {agent!r} is kept at or before that instant")
    return _view(store, frame, snapshot)


def present_view(store: Store, snapshot: Snapshot, agent: str | None) -> PresentView | None:
    """The agent's last keyframe, if it was taken just before the question and its file is there."""
    frame = _last_keyframe(store, agent, snapshot.now_ns)
    if frame is None or snapshot.now_ns - frame.stamp_ns > seconds_to_ns(PRESENT_S):
        return None
    try:
        return _view(store, frame, snapshot)
    except InputError:
        return None


def picture_of(path: Path, label: str) -> Picture:
    """A picture as it goes to a model.

    Raises:
        InputError: the file is missing or no picture.
    """
    try:
        encoded = path.read_bytes()
        with Image.open(io.BytesIO(encoded)) as image:
            media_type = _MEDIA_TYPES.get(image.format or "")
            if media_type is not None:
                image.load()  # verify() does not see that a JPEG breaks off
                return Picture(encoded, media_type, label)
            buffer = io.BytesIO()
            image.convert("RGB").save(buffer, "JPEG", quality=90)
    except (OSError, SyntaxError, ValueError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise InputError(f"{path} is no picture that can be read: {error}") from error
    return Picture(buffer.getvalue(), "image/jpeg", label)


def _last_keyframe(store: Store, agent: str | None, at_ns: int) -> StoredFrame | None:
    kept = [each for each in store.frames() if each.agent == agent and each.image and each.stamp_ns <= at_ns]
    return kept[-1] if kept else None


def _view(store: Store, frame: StoredFrame, snapshot: Snapshot) -> PresentView:
    assert frame.image is not None
    label = f"frame {frame.number} of {frame.agent}"
    age_s = ns_to_seconds(snapshot.now_ns - frame.stamp_ns)
    return PresentView(picture_of(store.directory / frame.image, label), frame.image, age_s)
