"""What a plan's references mean in one memory: instants, intervals, places, viewpoints.

Two things can go wrong, and they are kept apart. A plan that names what this memory never had (an agent, an entry
id, a frame number) is wrong in its words: `UsageError`. A plan whose reference leads nowhere because of what memory
happens to hold (the earlier step found nothing, the thing never moved, nobody stood anywhere yet) is right, and its
answer is nothing: `UnresolvedError`, which the executors turn into an empty step with a note.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import ns_to_seconds, seconds_to_ns
from recall4d.errors import UsageError
from recall4d.geometry.relations import Boxes
from recall4d.geometry.viewpoint import Facing
from recall4d.memory.snapshot import Snapshot
from recall4d.query.plan import (
    AgentAt,
    Anchor,
    AtFrame,
    Elapsed,
    EntryRef,
    Instant,
    Now,
    OfStep,
    Point,
    SpatialKey,
    Stamp,
    StepRef,
    TemporalKey,
    Towards,
    WorldAxes,
)
from recall4d.query.result import Found, Row
from recall4d.records import Entry


class UnresolvedError(Exception):
    """A reference that leads nowhere in this memory; the message says why, for a person."""


@dataclass(frozen=True, slots=True)
class Window:
    """Instants from `after_ns` to `before_ns`, both inside."""

    after_ns: int
    before_ns: int


@dataclass(frozen=True, eq=False, slots=True)
class Place:
    """Where an anchor is: one box, or the box of an entry at the instant a row is about.

    Attributes:
        entry: the entry it belongs to, which is never related to itself; None for points and agents.
        boxes: by time, oldest first.
        from_ns: (n,) when each begins; before the first, the first counts.
    """

    entry: int | None
    boxes: tuple[Boxes, ...]
    from_ns: NDArray[np.int64]

    @classmethod
    def fixed(cls, boxes: Boxes, entry: int | None = None) -> Place:
        """A place that stays."""
        return cls(entry, (boxes,), np.zeros(1, dtype=np.int64))

    def index_at(self, at_ns: NDArray[np.int64]) -> NDArray[np.intp]:
        """Which of `boxes` holds at each instant."""
        return np.maximum(np.searchsorted(self.from_ns, at_ns, side="right") - 1, 0)


@dataclass(frozen=True, slots=True)
class Lens:
    """How left, right, front and behind are seen.

    Attributes:
        text: for a person.
        facing: where one stands and looks; None for the world's axes.
        own: the anchor's own axes rather than a viewer's.
        world_from_camera: (4, 4) where it is a camera's.
    """

    text: str
    facing: Facing | None
    own: bool
    world_from_camera: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Scope:
    """What references are resolved against.

    Attributes:
        snapshot: the memory.
        me: the asking agent; None where nobody ever saw anything.
        found: the steps so far.
    """

    snapshot: Snapshot
    me: str | None
    found: Mapping[str, Found]

    @classmethod
    def of(cls, snapshot: Snapshot, asking_agent: str | None, found: Mapping[str, Found]) -> Scope:
        """With the first agent where none is named.

        Raises:
            UsageError: no such agent.
        """
        first = next(iter(snapshot.agents), None)
        scope = cls(snapshot, first, found)
        return scope if asking_agent is None else cls(snapshot, scope.agent(asking_agent), found)

    def agent(self, name: str | None) -> str:
        """The agent of that name, or the asking one.

        Raises:
            UsageError: no such agent.
            UnresolvedError: nobody ever saw anything.
        """
        if name is None:
            if self.me is None:
                raise UnresolvedError("no agent has seen anything yet")
            return self.me
        if name not in self.snapshot.agents:
            known = ", ".join(self.snapshot.agents) or "none yet"
            raise UsageError(f"no agent is called {name!r} in this memory; agents: {known}")
        return name

    def entry(self, entry_id: str) -> int:
        """The row of an entry.

        Raises:
            UsageError: no such entry.
        """
        row = self.snapshot.row_of.get(entry_id)
        if row is None:
            raise UsageError(f"no entry is called {entry_id!r} in this memory at this instant")
        return row

    def rows(self, step: str) -> tuple[Row, ...]:
        """The rows of an earlier step, never none.

        Raises:
            UnresolvedError: it found nothing.
        """
        rows = self.found[step].rows
        if not rows:
            raise UnresolvedError(f"step {step!r} found nothing")
        return rows

    # --- when --------------------------------------------------------------------------------------------------

    def window(self, key: TemporalKey | None) -> Window:
        """The instants a temporal key speaks of; now alone without one. Nothing lies after the snapshot's now.

        Raises:
            UnresolvedError: an end leads nowhere, or the interval ends before it begins.
        """
        now = self.snapshot.now_ns
        if key is None:
            return Window(now, now)
        after = self.snapshot.origin_ns if key.after is None else self.instant(key.after)
        before = now if key.before is None else min(self.instant(key.before), now)
        if after > before:
            raise UnresolvedError("the interval ends before it begins, or lies after now")
        return Window(after, before)

    def instant(self, instant: Instant) -> int:
        """Nanoseconds on the memory's clock."""
        match instant:
            case Now(offset_s=offset_s):
                return self.snapshot.now_ns + seconds_to_ns(offset_s)
            case Stamp(at_ns=at_ns):
                return at_ns
            case Elapsed(seconds=seconds):
                return self.snapshot.origin_ns + seconds_to_ns(seconds)
            case AtFrame(number=number, agent=agent):
                return self._frame_stamp(number, self.agent(agent))
            case OfStep(step=step, edge=edge):
                row = self.rows(step)[0]
                return edge_of(self.snapshot.entries[row.entry], edge)

    def _frame_stamp(self, number: int, agent: str) -> int:
        """The instant of a frame; a frame that was read past takes the instant of the last one before it."""
        numbers = self.snapshot.frame_numbers[agent]
        known = np.flatnonzero(numbers <= number)
        if len(known) == 0 or number > numbers.max():
            extent = f"{numbers.min()} to {numbers.max()}" if len(numbers) else "none"
            raise UsageError(f"agent {agent} has no frame {number} up to this instant; its frames: {extent}")
        latest = known[numbers[known] == numbers[known].max()][-1]
        return int(self.snapshot.trajectories[agent].stamps_ns[latest])

    # --- where -------------------------------------------------------------------------------------------------

    def pose(self, agent_at: AgentAt) -> NDArray[np.float64]:
        """`world_from_camera` of an agent at an instant: interpolated, or else its last one before.

        Raises:
            UnresolvedError: the agent was nowhere yet.
        """
        agent, at_ns = self.agent(agent_at.agent), self.instant(agent_at.at)
        trajectory = self.snapshot.trajectories[agent]
        pose = trajectory.at(at_ns)
        if pose is None and (latest := trajectory.latest(at_ns)) is not None:
            pose = latest[1]
        if pose is None:
            raise UnresolvedError(f"nothing is known of where agent {agent} was at {self._elapsed(at_ns)}")
        return pose

    def places(self, anchor: Anchor) -> tuple[Place, ...]:
        """Where an anchor is; several where any row of a step will do.

        Raises:
            UnresolvedError: it leads nowhere.
        """
        match anchor:
            case Point(xyz=xyz):
                return (Place.fixed(Boxes.point(xyz)),)
            case AgentAt():
                return (Place.fixed(Boxes.point(self.pose(anchor)[:3, 3])),)
            case EntryRef(entry_id=entry_id):
                row = self.entry(entry_id)
                states = self.snapshot.entries[row].states
                begins = np.array([state.interval.from_ns for state in states], dtype=np.int64)
                return (Place(row, tuple(Boxes.of(state.box) for state in states), begins),)
            case StepRef(step=step, which=which):
                rows = self.rows(step)
                states_ = self.snapshot.states
                return tuple(
                    Place.fixed(Boxes(states_.min_xyz[row.state], states_.max_xyz[row.state]), row.entry)
                    for row in (rows if which == "any" else rows[:1])
                )

    def lens(self, key: SpatialKey) -> Lens:
        """How a key's left, right, front and behind are seen: an agent's own, or from the viewpoint.

        Raises:
            UnresolvedError: the viewpoint leads nowhere.
        """
        anchor = key.anchors[0] if key.anchors else None
        if isinstance(anchor, AgentAt) and key.viewpoint is None:
            return self._agent_lens(anchor, own=True)
        match key.viewpoint:
            case WorldAxes():
                return Lens("the world's axes", None, own=True)
            case Towards(from_anchor=from_anchor):
                eye = self.places(from_anchor)[0].boxes[-1].centre
                ahead = self.places(anchor)[0].boxes[-1].centre - eye if anchor is not None else np.zeros(3)
                return Lens(f"from {self._name(from_anchor)}", Facing.towards(eye, ahead[:2]), own=False)
            case AgentAt() as agent_at:
                return self._agent_lens(agent_at, own=False)
            case None:
                return self._agent_lens(AgentAt(), own=False)

    def _agent_lens(self, agent_at: AgentAt, own: bool) -> Lens:
        pose = self.pose(agent_at)
        when = self._elapsed(self.instant(agent_at.at))
        return Lens(f"agent {self.agent(agent_at.agent)} at {when}", Facing.of_pose(pose), own, pose)

    def _name(self, anchor: Anchor) -> str:
        match anchor:
            case Point(xyz=xyz):
                return "({:.2f}, {:.2f}, {:.2f})".format(*xyz)
            case AgentAt():
                return self._agent_lens(anchor, own=True).text
            case EntryRef(entry_id=entry_id):
                return self.snapshot.entries[self.entry(entry_id)].description
            case StepRef(step=step):
                return self.snapshot.entries[self.rows(step)[0].entry].description

    def _elapsed(self, at_ns: int) -> str:
        return f"{ns_to_seconds(at_ns - self.snapshot.origin_ns):.2f} s"


def edge_of(entry: Entry, edge: str) -> int:
    """An instant in an entry's history.

    `appeared` is its first sighting; `moved` the start of the last state that has another place than the one
    before; `gone` the start of the last state in which it is absent.

    Raises:
        UnresolvedError: it has no such instant.
    """
    if edge in ("first_seen", "appeared"):
        return entry.first_seen_ns
    if edge == "last_seen":
        return entry.last_seen_ns
    if edge == "gone":
        begins = [state.interval.from_ns for state in entry.states if state.visibility == "absent"]
    else:
        pairs = zip(entry.states, entry.states[1:], strict=False)
        begins = [new.interval.from_ns for old, new in pairs if new.box != old.box]
    if not begins:
        raise UnresolvedError(f"{entry.description!r} has never {'gone' if edge == 'gone' else 'moved'}")
    return begins[-1]
