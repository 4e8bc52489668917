"""A question with its circumstances: what every way of answering it starts from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recall4d.clock import ns_to_seconds
from recall4d.memory.snapshot import Snapshot
from recall4d.query.answers.choices import options_of
from recall4d.query.serialise import quoted
from recall4d.records import Picture, Report, View
from recall4d.units import format_duration


@dataclass(frozen=True, slots=True)
class PresentView:
    """What the asking agent has before its eyes.

    Attributes:
        picture: as the model gets it.
        source: the file, or the frame, for the trace.
        age_s: how long before the question it was taken; None where that is not known.
    """

    picture: Picture
    source: str
    age_s: float | None = None


@dataclass(frozen=True, slots=True)
class Album:
    """The pictures that memory kept, and where to put what is seen in them.

    Attributes:
        picture: of a view; None where there is none any more.
        report: keeps what a model reports.
    """

    picture: Callable[[View], Picture | None]
    report: Callable[[Report], None]


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question, asked of a memory.

    Attributes:
        question: as asked.
        snapshot: what is known; its now is the time of the question.
        agent: who "I" is; None takes the first agent.
        choices: options of a multiple-choice question.
        view: the present view, where there is one.
        album: what can be looked at again; None where nothing can.
    """

    question: str
    snapshot: Snapshot
    agent: str | None = None
    choices: tuple[str, ...] = ()
    view: PresentView | None = None
    album: Album | None = None

    @property
    def asker(self) -> str | None:
        """Who "I" is."""
        return self.agent or next(iter(self.snapshot.agents), None)

    def who_is_there(self) -> tuple[str, ...]:
        """The agents, in a line for a model; none where there is but one."""
        return (f"Agents: {self._agents()}.",) if len(self.snapshot.agents) > 1 else ()

    def circumstances(self) -> str:
        """Who asks and when, in a line or two for a model."""
        agents = self._agents()
        elapsed_s = max(0.0, ns_to_seconds(self.snapshot.now_ns - self.snapshot.origin_ns))
        said = f"Agents: {agents or 'none'}. Now is {elapsed_s:.1f} s after memory began"
        return f"{said} ({format_duration(elapsed_s)})." if elapsed_s >= 60 else f"{said}."

    def _agents(self) -> str:
        names = (f"{quoted(each)}{' (you, I)' if each == self.asker else ''}" for each in self.snapshot.agents)
        return ", ".join(names)

    def asked(self) -> str:
        """The question and its options, as a model reads them."""
        options = "".join(f"\n{letter}) {text}" for letter, text in self.options())
        return f"Question: {self.question}{options}"

    def options(self) -> tuple[tuple[str, str], ...]:
        """Letters and texts of the options."""
        return options_of(self.choices)
