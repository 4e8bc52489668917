"""Where a question that a model helps to answer comes in: present view, trace, planner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from recall4d.config import LoopSettings
from recall4d.errors import InputError, ModelError, TapeError, UsageError
from recall4d.memory.reports import add_reports
from recall4d.memory.snapshot import Snapshot
from recall4d.ports import ChatModel, Store
from recall4d.reasoning.asking import (
    PLANNERS,
    Planner,
    answer_with_model,
    understood,
    without_model,
)
from recall4d.reasoning.inquiry import Album, Inquiry, PresentView
from recall4d.reasoning.replaying import Replayed, TracedModel, answer_of, compared, settings_of
from recall4d.reasoning.skeleton.trace import Json, Trace
from recall4d.reasoning.skeleton.watched import silent
from recall4d.reasoning.symbolic import by_grammar
from recall4d.reasoning.view import picture_of, present_view, view_of_file, view_of_frame
from recall4d.records import Answer, Picture, View


@dataclass(frozen=True)
class ModelAsking:
    """How a question is to be answered with a model.

    Attributes:
        planner: one of `asking.PLANNERS`.
        model: what may be asked.
        image: a picture of the present view.
        frame_ns: the present view is the agent's last keyframe at or before this instant.
        as_of_ns: what bounds the snapshot's knowledge if not its now; for the trace.
        settings: of the loop.
        progress: told in a few words what is being done.
        trace: where to write; None opens a new file in the memory's directory if the settings say so.
    """

    planner: str
    model: ChatModel
    image: Path | None = None
    frame_ns: int | None = None
    as_of_ns: int | None = None
    settings: LoopSettings = field(default_factory=LoopSettings)
    progress: Callable[[str], None] = silent
    trace: Trace | None = None


def ask_model(
    asking: ModelAsking,
    question: str,
    store: Store,
    snapshot: Snapshot,
    agent: str | None,
    choices: Sequence[str] = (),
) -> Answer:
    """Answer a question.

    Raises:
        UsageError: no such planner, an image and a frame, or no keyframe at that instant.
        InputError: the image cannot be read.
        ModelError: the model failed, and nothing can be answered without it.
    """
    if asking.image is not None and asking.frame_ns is not None:
        raise UsageError("give an image or a frame as the present view, not both")
    inquiry = Inquiry(question, snapshot, agent, tuple(choices))
    if asking.planner == "hybrid" and asking.image is None and asking.frame_ns is None:
        _, symbolic = by_grammar(inquiry)
        if understood(symbolic):  # and a server that is down is no reason not to say it
            return symbolic
    planner = _checked(asking.planner)
    try:
        view = _view(asking, store, snapshot, inquiry.asker)
    except ModelError as error:
        return without_model(inquiry, planner, error)
    album = Album(partial(_kept_picture, store), lambda report: add_reports(store, [report]))
    return _traced(asking, replace(inquiry, view=view, album=album), store)


def replay(lines: Sequence[Json], store: Store, snapshot: Snapshot) -> Replayed:
    """Answer the question of a trace again, with the replies that are in it.

    Args:
        lines: of the trace, by `read_trace`.
        store: of the memory.
        snapshot: what is known at the trace's `now_ns`, or by its `as_of_ns`.

    Raises:
        InputError: the trace ends without an answer, or a picture it was asked with is missing.
    """
    recorded, heading = answer_of(lines), lines[0]
    asking = ModelAsking(
        planner=heading["planner"],
        model=TracedModel(lines),
        as_of_ns=heading["as_of_ns"],
        settings=settings_of(lines),
        trace=Trace(),
    )
    seen = heading["view"]
    view = None
    if seen is not None:
        path = store.directory / seen["source"]
        view = PresentView(picture_of(path, seen["label"]), seen["source"], seen["age_s"])
    album = Album(partial(_kept_picture, store), lambda report: None)
    # What was seen in pictures since, by this very question above all, was not known when it was asked.
    snapshot = replace(snapshot, reports=snapshot.reports[: heading["n_reports"]])
    inquiry = Inquiry(heading["question"], snapshot, heading["agent"], tuple(heading["choices"]), view, album)
    try:
        answered = _traced(asking, inquiry, store)
    except TapeError as error:
        return Replayed(False, (str(error),), None)
    assert asking.trace is not None
    return compared(recorded, answered, asking.trace)


def _traced(asking: ModelAsking, inquiry: Inquiry, store: Store) -> Answer:
    trace = asking.trace
    if trace is None:
        trace = Trace.in_memory_of(store.directory) if asking.settings.trace else Trace()
    return answer_with_model(
        inquiry,
        _checked(asking.planner),
        asking.model,
        asking.settings,
        trace,
        asking.progress,
        asking.as_of_ns,
    )


def _kept_picture(store: Store, view: View) -> Picture | None:
    """The crop of a view, if it was kept and is there."""
    if view.crop is None:
        return None
    try:
        return picture_of(store.directory / view.crop, f"view at {view.stamp_ns} of {view.agent}")
    except InputError:
        return None


def _checked(planner: str) -> Planner:
    if planner not in PLANNERS:
        raise UsageError(f"unknown planner {planner!r}: expected one of {', '.join(PLANNERS)}")
    return planner


def _view(asking: ModelAsking, store: Store, snapshot: Snapshot, agent: str | None) -> PresentView | None:
    """What was given is refused by a model that takes no pictures; what was only there is not shown to it."""
    takes_pictures = asking.model.capabilities.max_pictures > 0
    if (asking.image is not None or asking.frame_ns is not None) and not takes_pictures:
        raise UsageError(f"{asking.model.name} takes no pictures: leave out the image or the frame")
    if asking.image is not None:
        return view_of_file(asking.image)
    if asking.frame_ns is not None:
        return view_of_frame(store, snapshot, agent, asking.frame_ns)
    return present_view(store, snapshot, agent) if takes_pictures else None
