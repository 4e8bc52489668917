"""What memory concludes from observations: one entry a thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from recall4d.clock import Interval
from recall4d.geometry.box import Box, Vec3
from recall4d.records.detection import Kind

Visibility = Literal["visible", "occluded", "absent", "unknown"]
Motion = Literal["static", "movable", "moving"]


@dataclass(frozen=True, slots=True)
class State:
    """An interval in which an entry stayed where it was.

    Attributes:
        interval: from the first evidence of the state to the first evidence of the next; open while it lasts.
        box: in the world frame, fused over its views.
        surface_centroid_xyz: mean of the seen surface points, world frame (the paper's centroid).
        visibility: at the end of the interval, or now.
        agent: whose view counts most in it.
    """

    interval: Interval
    box: Box
    surface_centroid_xyz: Vec3
    visibility: Visibility
    agent: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """A stretch of time in which one agent kept seeing an entry; short gaps are closed."""

    agent: str
    from_ns: int
    to_ns: int

    def clip(self, latest_ns: int) -> Sighting | None:
        """The part up to and including `latest_ns`; None when nothing is left."""
        if latest_ns < self.from_ns:
            return None
        return Sighting(self.agent, self.from_ns, min(self.to_ns, latest_ns))


@dataclass(frozen=True, slots=True)
class Claim:
    """What one agent says a thing is. Claims that lost are kept: an answer can say who saw what.

    Attributes:
        agent, description: who says what.
        n_views, n_unoccluded: on how many views it rests, and how many of them nothing hid.
        nearest_m: from how near.
        last_ns: when last.
    """

    agent: str
    description: str
    n_views: int
    n_unoccluded: int
    nearest_m: float
    last_ns: int


@dataclass(frozen=True, slots=True)
class View:
    """The best look at an entry: a frame, and the rectangle of the entry in it.

    Attributes:
        agent, stamp_ns: names the frame.
        rectangle: (top, left, bottom, right) in the colour image, pixels.
        crop: path of the saved image inside the memory's directory, or None.
    """

    agent: str
    stamp_ns: int
    rectangle: tuple[int, int, int, int]
    crop: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing in memory: the paper's {SEM, SPA, TEM, AID, VIS}.

    Attributes:
        entry_id: stable name inside this memory.
        category: class name agreed on by its observations, or None.
        description: SEM, text of its best view.
        attributes: named attributes.
        kind: thing or surface.
        motion: static, movable (has moved) or moving (moves now), inferred from its states.
        states: SPA and VIS over TEM: its worldline, oldest first, disjoint, never empty.
        sightings: who had it in view and when, by start, never empty; stretches of one agent are disjoint.
        n_observations: how many facts it rests on.
        agents: AID, who saw it, in order of first sight.
        best_view: for the crop.
        possibly_same_as: ids of entries that may be the same thing.
        map_frame: the agent in whose own map its places are given; None is the world.
        claims: what each agent says it is, the most credible first; `description` is that of the first.
    """

    entry_id: str
    category: str | None
    description: str
    kind: Kind
    states: tuple[State, ...]
    sightings: tuple[Sighting, ...]
    n_observations: int
    agents: tuple[str, ...]
    attributes: dict[str, str] = field(default_factory=dict)
    motion: Motion = "static"
    best_view: View | None = None
    possibly_same_as: tuple[str, ...] = ()
    map_frame: str | None = None
    claims: tuple[Claim, ...] = ()

    @property
    def now(self) -> State:
        """Its latest state."""
        return self.states[-1]

    @property
    def first_seen_ns(self) -> int:
        """Instant of its first observation."""
        return self.sightings[0].from_ns

    @property
    def last_seen_ns(self) -> int:
        """Instant of its last observation."""
        return max(sighting.to_ns for sighting in self.sightings)

    @property
    def present(self) -> bool:
        """Whether memory holds that it is still where it was last known to be."""
        return self.now.visibility != "absent"

    def state_at(self, instant_ns: int) -> State | None:
        """The state that holds at `instant_ns`; None before its first."""
        earlier = [state for state in self.states if state.interval.from_ns <= instant_ns]
        return earlier[-1] if earlier else None

    def last_seen_before(self, instant_ns: int) -> int | None:
        """The last instant at or before `instant_ns` at which it was in view; None before its first."""
        seen = [part.to_ns for each in self.sightings if (part := each.clip(instant_ns)) is not None]
        return max(seen) if seen else None
