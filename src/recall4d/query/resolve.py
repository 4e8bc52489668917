"""What a plan's references mean in one memory: instants, intervals, places, viewpoints.

Two things can go wrong, and they are kept apart. A plan that names what this memory never had (an agent, an entry
id, a frame number) is wrong in its words: `UsageError`. A plan whose reference leads nowhere because of what memory
happens to hold (the earlier step found nothing, the thing never moved, nobody stood anywhere yet) is right, and its
answer is nothing: `UnresolvedError`, which the executors turn into an empty step with a note.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import NS_PER_S, Interval, merge_intervals, ns_to_seconds, parse_instant, seconds_to_ns
from recall4d.errors import GeometryError, UsageError
from recall4d.geometry.region import Path, Region
from recall4d.geometry.relations import Boxes
from recall4d.geometry.viewpoint import Facing
from recall4d.memory.snapshot import Snapshot
from recall4d.query.fronts import own_front
from recall4d.query.plan import (
    EVENTS,
    AgentAt,
    Anchor,
    AtFrame,
    BoxRegion,
    ClockTime,
    Elapsed,
    EntryRef,
    Instant,
    NamedRegion,
    Now,
    OfStep,
    OwnFront,
    PathOf,
    Point,
    Polygon,
    Span,
    SpatialKey,
    Stamp,
    StepRef,
    TemporalKey,
    TimeOfDay,
    Towards,
    Visit,
    WhileSeen,
    WhileSo,
    WorldAxes,
)
from recall4d.query.plan.when import zone_of
from recall4d.query.result import Found, Row, Window
from recall4d.query.spatial import Shape, bounds
from recall4d.query.visits import stays_at, visits_of
from recall4d.records import Entry

MAX_ANY = 100
"""Of the rows of a step any of which will do, so many of the first are tried."""


class UnresolvedError(Exception):
    """A reference that leads nowhere in this memory; the message says why, for a person."""


@dataclass(frozen=True, eq=False, slots=True)
class Place:
    """Where an anchor is: one box, region or path, or the box of an entry at the instant a row is about.

    Attributes:
        entry: the entry it belongs to, which is never related to itself; None for all that is no entry.
        boxes: by time, oldest first.
        from_ns: (n,) when each begins; before the first, the first counts.
    """

    entry: int | None
    boxes: tuple[Shape, ...]
    from_ns: NDArray[np.int64]

    @classmethod
    def fixed(cls, boxes: Shape, entry: int | None = None) -> Place:
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
        row = self.snapshot.row_of(entry_id)
        if row is None:
            raise UsageError(f"no entry is called {entry_id!r} in this memory at this instant")
        return row

    def rows(self, step: str) -> Sequence[Row]:
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
        """The instants a temporal key speaks of, `during` left aside; now alone without one.

        Nothing lies after the snapshot's now. "Before the chair was moved" ends just before that.

        Raises:
            UnresolvedError: an end leads nowhere, or the interval ends before it begins.
        """
        now = self.snapshot.now_ns
        if key is None:
            return Window(now, now)
        after = self.snapshot.origin_ns if key.after is None else self.instant(key.after)
        before = now if key.before is None else min(self.instant(key.before), now)
        if isinstance(key.before, OfStep) and key.before.edge in EVENTS and key.before != key.after:
            before -= 1
        if after > before:
            raise UnresolvedError("the interval ends before it begins, or lies after now")
        return Window(after, before)

    def windows(self, key: TemporalKey | None) -> tuple[Window, ...]:
        """The same with `during`: one or more, in order, apart from each other.

        Raises:
            UnresolvedError: an end leads nowhere, or there was no such time in the interval.
        """
        whole = self.window(key)
        if key is None or key.during is None:
            return (whole,)
        parts = [
            Window(max(each.from_ns, whole.after_ns), min(each.to_ns, whole.before_ns))
            for each in merge_intervals(self.span(key.during))
            if each.to_ns is not None and each.from_ns <= whole.before_ns and each.to_ns >= whole.after_ns
        ]
        if not parts:
            raise UnresolvedError(f"there was no such time: {_SPANS[key.during.kind]}")
        return tuple(parts)

    def span(self, span: Span) -> Iterable[Interval]:
        """The closed intervals up to now in which something was so, in no order."""
        match span:
            case WhileSeen(step=step, which=which, agent=agent):
                who = None if agent is None else self.agent(agent)
                rows = self.rows(step)[: MAX_ANY if which == "any" else 1]
                for entry in dict.fromkeys(row.entry for row in rows):
                    for each in self.snapshot.entries[entry].sightings:
                        if who in (None, each.agent):
                            yield Interval(each.from_ns, each.to_ns)
            case WhileSo(step=step, which=which):
                for row in self.rows(step)[: MAX_ANY if which == "any" else 1]:
                    yield self._lasting(row)
            case Visit():
                yield from self._visits(span)

    def _lasting(self, row: Row) -> Interval:
        """From the first evidence of a row's state until just before that of the next."""
        states = self.snapshot.states
        begins, following = int(states.from_ns[row.state]), row.state + 1
        last = following == len(states.entry) or states.entry[following] != row.entry
        return Interval(begins, max(begins, self.snapshot.now_ns if last else int(states.from_ns[following]) - 1))

    def _visits(self, visit: Visit) -> tuple[Interval, ...]:
        """An agent's visits, or the one of that ordinal.

        Raises:
            UnresolvedError: it made fewer.
        """
        agent = self.agent(visit.agent)
        trajectory = self.snapshot.trajectories[agent]
        if visit.to is None:
            made = visits_of(trajectory)
        else:
            stays = [
                stays_at(
                    trajectory, [place.boxes[at] for at in place.index_at(trajectory.stamps_ns)], visit.distance_m
                )
                for place in self.places(visit.to)
            ]
            made = merge_intervals(each for stay in stays for each in stay)
        if visit.ordinal is None:
            return made
        index = visit.ordinal - 1 if visit.ordinal > 0 else len(made) + visit.ordinal
        if not 0 <= index < len(made):
            raise UnresolvedError(f"agent {agent} was there {len(made)} time(s) up to now")
        return (made[index],)

    def instant(self, instant: Instant) -> int:
        """Nanoseconds on the memory's clock.

        Raises:
            UsageError: the agent has no such frame, or the clock does not show the time of day.
            UnresolvedError: the event it hangs on did not happen.
        """
        match instant:
            case Now(offset_s=offset_s):
                return self.snapshot.now_ns + seconds_to_ns(offset_s)
            case Stamp(at_ns=at_ns):
                return at_ns
            case Elapsed(seconds=seconds):
                return self.snapshot.origin_ns + seconds_to_ns(seconds)
            case ClockTime(at=at):
                return parse_instant(at, self._since_1970(at))
            case TimeOfDay(time=time, zone=zone, days_ago=days_ago):
                zone_ = zone_of(zone)
                today = dt.datetime.fromtimestamp(self._since_1970(time) // NS_PER_S, zone_).date()
                moment = dt.datetime.combine(today - dt.timedelta(days_ago), dt.time.fromisoformat(time), zone_)
                return round(moment.timestamp()) * NS_PER_S
            case AtFrame(number=number, agent=agent):
                return self._frame_stamp(number, self.agent(agent))
            case OfStep(step=step, edge=edge, which=which, offset_s=offset_s):
                row = self.rows(step)[0]
                return edge_of(self.snapshot.entries[row.entry], edge, which) + seconds_to_ns(offset_s)

    def _since_1970(self, written: str) -> int:
        """The snapshot's now, where that counts from 1970."""
        if not self.snapshot.clock.is_wall:
            raise UsageError(
                f"the clock of this memory does not show the time of day, so {written!r} means nothing to it: "
                "give seconds after its first instant, or before now"
            )
        return self.snapshot.now_ns

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
        pose = self.snapshot.trajectories[agent].at_or_before(at_ns)
        if pose is None:
            raise UnresolvedError(f"nothing is known of where agent {agent} was at {self._elapsed(at_ns)}")
        return pose

    def places(self, anchor: Anchor) -> tuple[Place, ...]:
        """Where an anchor is; several where any row of a step will do.

        Raises:
            UsageError: a region that is not in memory, or is none.
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
                    for row in rows[: MAX_ANY if which == "any" else 1]
                )
            case NamedRegion(name=name):
                return (Place.fixed(self._region(name)),)
            case Polygon(corners_xy=corners, z=z):
                try:
                    return (Place.fixed(Region.of(corners, z)),)
                except GeometryError as error:
                    raise UsageError(str(error)) from error
            case BoxRegion(min_xyz=low, max_xyz=high):
                return (Place.fixed(Region.of_box(low, high)),)
            case PathOf():
                return (Place.fixed(self._path(anchor)),)

    def _region(self, name: str) -> Region:
        found = {known.casefold(): region for known, region in self.snapshot.regions.items()}.get(name.casefold())
        if found is None:
            known = ", ".join(self.snapshot.regions) or "none yet"
            raise UsageError(f"no region is called {name!r} in this memory; regions: {known}")
        return found

    def _path(self, path: PathOf) -> Path:
        agent, window = self.agent(path.agent), self.window(TemporalKey(after=path.after, before=path.before))
        trajectory = self.snapshot.trajectories[agent]
        walked = (trajectory.stamps_ns >= window.after_ns) & (trajectory.stamps_ns <= window.before_ns)
        if not walked.any():
            raise UnresolvedError(f"nothing is known of where agent {agent} went in that time")
        return Path.of(trajectory.poses[walked, :3, 3])

    def lens(self, key: SpatialKey) -> Lens:
        """How a key's left, right, front and behind are seen: an agent's own, or from the viewpoint.

        Raises:
            UnresolvedError: the viewpoint leads nowhere.
        """
        anchor = key.anchors[0] if key.anchors else None
        if isinstance(anchor, AgentAt) and (key.viewpoint is None or isinstance(key.viewpoint, OwnFront)):
            return self._agent_lens(anchor, own=True)
        match key.viewpoint:
            case WorldAxes():
                return Lens("the world's axes", None, own=True)
            case OwnFront():
                return self._own_lens(self.places(anchor)[0] if anchor is not None else None)
            case Towards(from_anchor=from_anchor):
                eye = bounds(self.places(from_anchor)[0].boxes[-1]).centre
                ahead = bounds(self.places(anchor)[0].boxes[-1]).centre - eye if anchor is not None else np.zeros(3)
                return Lens(f"from {self._name(from_anchor)}", Facing.towards(eye, ahead[:2]), own=False)
            case AgentAt() as agent_at:
                return self._agent_lens(agent_at, own=False)
            case None:
                return self._agent_lens(AgentAt(), own=False)

    def _agent_lens(self, agent_at: AgentAt, own: bool) -> Lens:
        pose = self.pose(agent_at)
        when = self._elapsed(self.instant(agent_at.at))
        return Lens(f"agent {self.agent(agent_at.agent)} at {when}", Facing.of_pose(pose), own, pose)

    def _own_lens(self, place: Place | None) -> Lens:
        """How the entry at a place sees it: it stands there and faces its own front."""
        if place is None or place.entry is None:
            raise UsageError("only an entry or an agent has a front of its own: name another viewpoint")
        at_ns = self.snapshot.now_ns
        description = self.snapshot.entries[place.entry].description
        known = own_front(self.snapshot, place.entry, at_ns)
        if known is None:
            raise UnresolvedError(f"it is not known which way {description!r} faces")
        front, source = known
        eye = bounds(place.boxes[int(place.index_at(np.asarray(at_ns)))]).centre
        return Lens(f"from the own front of {description}, {source}", Facing.towards(eye, front), own=True)

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
            case NamedRegion(name=name):
                return name
            case Polygon() | BoxRegion() | PathOf():
                return "the middle of " + ("the path" if isinstance(anchor, PathOf) else "the region")

    def _elapsed(self, at_ns: int) -> str:
        return f"{ns_to_seconds(at_ns - self.snapshot.origin_ns):.2f} s"


_SPANS = {
    "seen": "what should have been in view then was not",
    "so": "what should have been so then was not",
    "visit": "nobody was there",
}


def edge_of(entry: Entry, edge: str, which: str = "last") -> int:
    """An instant in an entry's history.

    `appeared` is its first sighting; `moved` the start of a state that has another place than the one before;
    `gone` the start of a state in which it is absent; `returned` the start of one in which it is not any more.

    Args:
        entry: whose.
        edge: what happened.
        which: the first or the last such instant.

    Raises:
        UnresolvedError: it has no such instant.
    """
    if edge in ("first_seen", "appeared"):
        return entry.first_seen_ns
    if edge == "last_seen":
        return entry.last_seen_ns
    pairs = zip(entry.states, entry.states[1:], strict=False)
    if edge == "gone":
        begins = [state.interval.from_ns for state in entry.states if state.visibility == "absent"]
    elif edge == "returned":
        begins = [new.interval.from_ns for old, new in pairs if old.visibility == "absent" != new.visibility]
    else:
        begins = [new.interval.from_ns for old, new in pairs if new.box != old.box]
    if not begins:
        happened = {"gone": "gone", "returned": "come back"}.get(edge, "moved")
        raise UnresolvedError(f"{entry.description!r} has never {happened}")
    return begins[0] if which == "first" else begins[-1]
