"""Each thing is described once: a model is asked again only for a much better view, or when the look has changed.

Describing comes before matching, since matching reads descriptions. So which thing a view is of is told without
them (`memory.described`). All that takes lies in `descriptions.jsonl` in the memory's directory: a line for each
reply, flushed to disk before its frame is committed, so that an ingest that was killed asks nothing twice, and one
for what other views added.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from recall4d.errors import StoreError
from recall4d.memory.described import Asked, Seen, Things, View, view_of
from recall4d.perception.describers.appearance import AppearanceDescriber
from recall4d.perception.lift import Lifted
from recall4d.ports import AskingDescriber, Describer
from recall4d.records import Description, Frame

FILE = "descriptions.jsonl"

_LINE: TypeAdapter[Asked | Seen] = TypeAdapter(Asked | Seen)


class Describing:
    """Descriptions of detections, by whatever describer; one that asks a model is asked as seldom as can be."""

    def __init__(self, describer: Describer, directory: Path) -> None:
        self._describer = describer
        self._plain = AppearanceDescriber()
        self._path = directory / FILE
        self._things = Things()
        self._by_content: dict[str, Asked] = {}
        self._asked_in: set[tuple[str, int]] = set()
        self._begun = False
        if isinstance(describer, AskingDescriber):
            for told in _read(self._path):
                if isinstance(told, Seen) or told.describer == describer.name:
                    self._note(told)

    def describe(
        self, frame: Frame, lifted: Sequence[Lifted], map_frame: str | None, counts: Counter[str]
    ) -> list[Description]:
        """One description a detection; where the describer fails, what can be measured.

        Args:
            frame: with a pose.
            lifted: its detections.
            map_frame: the agent in whose own map the poses are; None for the world.
            counts: what was "asked", taken over from before ("known"), and "failed" is counted here.

        Raises:
            ModelError: the model is gone.
            StoreError: the disk refuses a reply.
        """
        if not lifted:
            return []
        if isinstance(self._describer, AskingDescriber):
            found = self._sparingly(self._describer, frame, lifted, map_frame, counts)
        else:
            found = list(self._describer.describe(frame, [each.detection for each in lifted], _extents(lifted)))
        missing = [index for index, each in enumerate(found) if each is None]
        counts["failed"] += len(missing)
        plain = self._plain.describe(
            frame, [lifted[index].detection for index in missing], _extents([lifted[index] for index in missing])
        )
        for index, description in zip(missing, plain, strict=True):
            found[index] = description
        return [each for each in found if each is not None]

    def _sparingly(
        self,
        describer: AskingDescriber,
        frame: Frame,
        lifted: Sequence[Lifted],
        map_frame: str | None,
        counts: Counter[str],
    ) -> list[Description | None]:
        found = [self._given(frame, each) for each in lifted]
        contents: dict[int, str] = {}

        def said_of_picture(index: int) -> Description | None:
            if index not in contents:
                contents[index] = describer.content(frame, lifted[index].detection)
            before = self._by_content.get(contents[index])
            return None if before is None else Description(before.text, before.attributes)

        if (frame.agent, frame.stamp_ns) in self._asked_in:
            # Asked about and not committed: of what was asked, the very replies hold.
            found = [each or said_of_picture(index) for index, each in enumerate(found)]
        open_ = [index for index, each in enumerate(found) if each is None]
        views = {index: view_of(frame, lifted[index], map_frame) for index in open_}
        things = dict(zip(open_, self._things.of(list(views.values())), strict=True))
        news = []
        for index in open_:
            thing, view = things[index], views[index]
            if thing is not None and not thing.needs(view):
                found[index] = Description(thing.best.text, thing.best.attributes)
                news.append(thing.news(view))
            else:
                found[index] = said_of_picture(index)
        self._keep([each for each in news if each is not None])
        counts["known"] += sum(each is not None for each in found)
        open_ = [index for index in open_ if found[index] is None]
        if not open_:
            return found
        counts["asked"] += len(open_)
        chosen = [lifted[index] for index in open_]
        replies = describer.describe(frame, [each.detection for each in chosen], _extents(chosen))
        for index, reply in zip(open_, replies, strict=True):
            found[index] = reply
            if reply is not None:
                thing = things[index]
                key = None if thing is None else thing.key
                asked = _asked(describer.name, contents[index], reply, views[index], frame, key)
                added = None if thing is None else thing.news(views[index])
                self._keep([asked] if added is None else [asked, added])
        return found

    def _given(self, frame: Frame, lifted: Lifted) -> Description | None:
        """The description that came with the detection; no model is asked about that."""
        if lifted.detection.description is None:
            return None
        return self._plain.describe(frame, [lifted.detection], _extents([lifted]))[0]

    def _note(self, told: Asked | Seen) -> None:
        self._things.take(told)
        if isinstance(told, Asked):
            self._by_content[told.content] = told
            if told.frame is not None:
                self._asked_in.add(told.frame)

    def _keep(self, told: Sequence[Asked | Seen]) -> None:
        """Append lines to the file, in one write, so that several writers do not tear each other's lines."""
        if not told:
            return
        for each in told:
            self._note(each)
        # The first line of a process begins a new one: a kill may have torn the last.
        lines = ("" if self._begun else "\n") + "".join(each.model_dump_json() + "\n" for each in told)
        self._begun = True
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                os.write(descriptor, lines.encode())
                if any(isinstance(each, Asked) for each in told):
                    os.fsync(descriptor)  # what views added is cheaply lost
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be written: {error.strerror or error}") from error


def _read(path: Path) -> Iterable[Asked | Seen]:
    """What was kept before; a line torn by a kill is left out."""
    with suppress(FileNotFoundError), path.open("rb") as lines:
        for line in lines:
            with suppress(ValidationError):
                yield _LINE.validate_json(line)


def _asked(describer: str, content: str, reply: Description, view: View, frame: Frame, thing: str | None) -> Asked:
    return Asked(
        describer=describer,
        content=content,
        text=reply.text,
        attributes=reply.attributes,
        map_frame=view.map_frame,
        track=view.track,
        category=view.category,
        kind=view.kind,
        box=view.box,
        colours=view.colours,
        area_px=view.area_px,
        whole=view.whole,
        frame=(frame.agent, frame.stamp_ns),
        thing=thing,
    )


def _extents(lifted: Sequence[Lifted]) -> NDArray[np.float64]:
    """Sizes along the world's axes (n, 3), metres."""
    return np.array([np.ptp(each.hull_xyz, axis=0) for each in lifted]).reshape(-1, 3)
