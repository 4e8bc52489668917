"""The definition of correct: a plan run by plain loops over entries and their states.

Slow, and meant to be read. `execute` must return the same rows, in the same order, with the same scores. What a
plan means, step by step:

- **When.** Without a temporal key a step is about the snapshot's now, and every entry is in its latest state. With
  one, there is a row for every state that meets the interval: by lasting into it (`existed`: a state lasts until
  the next begins, seen or not), or by being in view in it (`observed`: a sighting, the state and the interval share
  an instant). A row is about one instant, `at_ns`: the latest such.
- **Who, what kind, there or gone.** `agent` keeps entries which that agent had seen by the end of the interval;
  with `observed`, only its own sightings count. `presence` looks at the row's state: gone is absent.
- **What.** See `semantic`: a function of the entries' texts alone, whatever the other keys.
- **Where.** Relations hold between the row's box, of its own state, and the anchor's: of the anchor entry's state
  at the row's `at_ns`, or of the state in which an earlier step found it. An entry is never related to itself.
  Negation keeps rows for which no anchor holds. What is on something by a seat or shelf inside its box is not if it
  stands on top of a third thing there.
- **The next one.** `directly` picks one row in that direction, after all other keys have narrowed.
- **Order.** As the step says; by distance where `nearest` is asked for. First and last seen are so by the step's
  agent, and last seen in its intervals where it wants what was observed. Ties by score, by entry id, and with the
  latest state first. Of limited rows by score, those that look like one before lose up to `rank.LIKENESS_COST` of
  their score, so that others come between.
- **Measures.** Of the rows that are left: see `report`.

References that lead nowhere give an empty step with a note; names that do not exist are errors (see `resolve`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from recall4d.geometry.relations import HELD_INSIDE, Boxes, centre_distance_m, held_by_another
from recall4d.memory.snapshot import OPEN_NS, VISIBILITIES, Snapshot
from recall4d.query import semantic, spatial
from recall4d.query.bind import Bound, BoundKey, bind
from recall4d.query.measure import measured_reference
from recall4d.query.plan import Plan
from recall4d.query.rank import LIKENESS_COST, POOL
from recall4d.query.resolve import Place, Scope, UnresolvedError
from recall4d.query.result import Found, Narrowing, Result, Row, Window
from recall4d.query.spatial import Shape, bounds
from recall4d.records import Entry, Sighting


@dataclass(frozen=True)
class Candidate:
    """A row in the making.

    Attributes:
        row: what is known of it.
        boxes: its box.
        centre_m: between centres, where `row.distance_m` is between boxes; settles ties.
    """

    row: Row
    boxes: Boxes
    centre_m: float = 0.0


Candidates = list[Candidate]


def execute_reference(plan: Plan, snapshot: Snapshot, asking_agent: str | None = None) -> Result:
    """Run `plan` on `snapshot`, slowly.

    Args:
        plan: validated steps.
        snapshot: what is known.
        asking_agent: who "I" is; None takes the first agent.

    Raises:
        UsageError: the plan names an agent, a frame number or an entry that this memory does not hold.
    """
    found: dict[str, Found] = {}
    explain: list[Narrowing] = []
    for find in plan.steps:
        try:
            step = bind(find, Scope.of(snapshot, asking_agent, found))
        except UnresolvedError as error:
            found[find.name] = Found(note=str(error))
            explain.append(Narrowing(find.name, "references", 0, 0, 0.0, str(error)))
            continue
        candidates = list(_states_in(step, snapshot))
        for key, keep in _stages(step, snapshot):
            started, rows_in = time.perf_counter(), len(candidates)
            candidates = keep(candidates)
            seconds = time.perf_counter() - started
            explain.append(Narrowing(step.name, key, rows_in, len(candidates), seconds))
        found[find.name] = Found(tuple(each.row for each in candidates), step.viewpoint, windows=step.windows)
    scope = Scope.of(snapshot, asking_agent, found)
    return Result(found, tuple(explain), tuple(measured_reference(each, plan, scope) for each in plan.measures))


def _stages(step: Bound, snapshot: Snapshot) -> Iterator[tuple[str, Callable[[Candidates], Candidates]]]:
    """What narrows the candidates, in turn."""
    yield "kinds and presence", partial(_fitting, step, snapshot)
    if step.semantic is not None:
        scores = semantic.scores_reference(step.semantic, snapshot)
        yield "semantic", partial(_scored, "semantic", lambda each: scores[each.row.entry])
    for bound in step.spatial:
        yield f"spatial {bound.key.relation}", partial(_scored, "spatial", partial(_relate, bound, snapshot))
    yield "distance and bearing", partial(_measured, step)
    for bound in step.directly:
        yield f"directly {bound.key.relation}", partial(_next, bound, snapshot)
    yield "order and limit", partial(_ordered, step, snapshot)


# --- when, who, what kind --------------------------------------------------------------------------------------


def _states_in(step: Bound, snapshot: Snapshot) -> Iterator[Candidate]:
    """A candidate for every state that meets one of the windows."""
    state_row = -1
    for entry_row, entry in enumerate(snapshot.entries):
        for index, state in enumerate(entry.states):
            state_row += 1
            last = index + 1 == len(entry.states)
            ends_ns = OPEN_NS if last else entry.states[index + 1].interval.from_ns - 1
            instants = []
            for window in step.windows:
                from_ns = max(state.interval.from_ns, window.after_ns)
                to_ns = min(ends_ns, window.before_ns)
                at_ns = _about(step, window, entry, from_ns, to_ns) if from_ns <= to_ns else None
                instants += [] if at_ns is None else [at_ns]
            if instants:
                parts = {"temporal": 1.0} if step.timed else {}
                yield Candidate(Row(entry_row, state_row, max(instants), 1.0, parts), Boxes.of(state.box))


def _about(step: Bound, window: Window, entry: Entry, from_ns: int, to_ns: int) -> int | None:
    """The instant that a state's part of a window is about; None where the step leaves it out."""
    by_agent = [each for each in entry.sightings if step.agent in (None, each.agent)]
    if step.observed:
        seen = [min(each.to_ns, to_ns) for each in by_agent if each.from_ns <= to_ns and each.to_ns >= from_ns]
        return max(seen, default=None)
    known = step.agent is None or any(each.from_ns <= window.before_ns for each in by_agent)
    return to_ns if known else None


def _fitting(step: Bound, snapshot: Snapshot, candidates: Candidates) -> Candidates:
    """Candidates of the step's kinds, category, presence, visibility and earlier steps, unseen by `not_agent`."""

    def fits(candidate: Candidate) -> bool:
        row, entry = candidate.row.entry, snapshot.entries[candidate.row.entry]
        visibility = VISIBILITIES[snapshot.states.visibility[candidate.row.state]]
        others = [each for each in entry.sightings if each.agent == step.not_agent]
        return (
            (step.kinds == "both" or entry.kind == step.kinds.removesuffix("s"))
            and (step.category is None or (entry.category or "").casefold() == step.category)
            and (step.presence == "any" or (visibility == "absent") == (step.presence == "gone"))
            and (not step.visibility or visibility in step.visibility)
            and (step.within is None or row in step.within)
            and (step.without is None or row not in step.without)
            and not any(each.from_ns <= step.window.before_ns for each in others)
        )

    return [candidate for candidate in candidates if fits(candidate)]


# --- where -----------------------------------------------------------------------------------------------------


def _relate(bound: BoundKey, snapshot: Snapshot, candidate: Candidate) -> float:
    """How well a candidate fulfils a key with any choice of anchors, after negation; 0 where it does not."""
    scores = [score for _, score in _compared(bound, snapshot, candidate)]
    if bound.key.negated:
        return 1.0 if scores and max(scores) == 0.0 else 0.0
    return max(scores, default=0.0)


def _compared(
    bound: BoundKey, snapshot: Snapshot, candidate: Candidate
) -> Iterator[tuple[tuple[Shape, ...], float]]:
    """Each choice of anchors without the candidate itself, and the score with it."""
    for choice in bound.choices:
        if all(place.entry is None or place.entry != candidate.row.entry for place in choice):
            anchors = tuple(_box_at(place, candidate.row.at_ns) for place in choice)
            score = float(spatial.score(bound.key, candidate.boxes, anchors, bound.lens))
            if bound.key.relation == "on" and 0.0 < score <= HELD_INSIDE:
                score = 0.0 if _held_elsewhere(candidate, choice[0], bounds(anchors[0]), snapshot) else score
            yield anchors, score


def _held_elsewhere(candidate: Candidate, place: Place, anchor: Boxes, snapshot: Snapshot) -> bool:
    """Whether a candidate stands on something else at its instant, something that the anchor does not hold."""
    for row, entry in enumerate(snapshot.entries):
        state = entry.state_at(candidate.row.at_ns)
        if row in (candidate.row.entry, place.entry) or state is None or state.visibility == "absent":
            continue
        if held_by_another(candidate.boxes, anchor, Boxes.of(state.box)):
            return True
    return False


def _next(bound: BoundKey, snapshot: Snapshot, candidates: Candidates) -> Candidates:
    """The one candidate that comes next in the key's direction."""

    def cost(candidate: Candidate) -> float:
        compared = _compared(bound, snapshot, candidate)
        return min(float(spatial.next_cost(candidate.boxes, boxes, np.asarray(score))) for boxes, score in compared)

    return sorted(candidates, key=lambda each: (cost(each), *_tie(each, snapshot)))[:1]


def _measured(step: Bound, candidates: Candidates) -> Candidates:
    """The candidates with distance and bearing."""

    def measured(candidate: Candidate) -> Candidate:
        row, boxes, distances = candidate.row, candidate.boxes, []
        for place in step.measured_from:
            if place.entry is None or place.entry != row.entry:
                box = _box_at(place, row.at_ns)
                gap, centre = spatial.gap(boxes, box), centre_distance_m(boxes, bounds(box))
                distances.append((float(spatial.rounded(gap)), float(spatial.rounded(centre))))
        distance_m, centre_m = min(distances, default=(None, 0.0))
        bearing_deg = None
        if step.facing is not None:
            bearing_deg = float(spatial.rounded(np.degrees(step.facing.bearing_rad(boxes.centre))))
        row = replace(row, distance_m=distance_m, bearing_deg=bearing_deg)
        return replace(candidate, row=row, centre_m=centre_m)

    return [measured(candidate) for candidate in candidates]


def _box_at(place: Place, at_ns: int) -> Shape:
    return place.boxes[int(place.index_at(np.asarray(at_ns)))]


# --- scores and order ------------------------------------------------------------------------------------------


def _scored(part: str, rate: Callable[[Candidate], float], candidates: Candidates) -> Candidates:
    """Candidates whose score is not 0, with it multiplied in."""
    kept = []
    for candidate in candidates:
        if (score := rate(candidate)) > 0.0:
            row = candidate.row
            parts = {**row.parts, part: row.parts.get(part, 1.0) * score}
            kept.append(replace(candidate, row=replace(row, score=math.prod(parts.values()), parts=parts)))
    return kept


def _ordered(step: Bound, snapshot: Snapshot, candidates: Candidates) -> Candidates:
    """The first `limit` candidates in the step's order."""

    def rank(candidate: Candidate) -> tuple[float, ...]:
        row = candidate.row
        low, high = candidate.boxes
        match step.order:
            case "score":
                return (-row.score,)
            case "distance":
                return (np.inf if row.distance_m is None else row.distance_m, candidate.centre_m)
            case "farthest":
                return (np.inf if row.distance_m is None else -row.distance_m, -candidate.centre_m)
            case "first_seen":
                return (min(each.from_ns for each in _seen_by(step, snapshot.entries[row.entry])),)
            case "last_seen" if step.observed:
                return (-row.at_ns,)
            case "last_seen":
                return (-max(each.to_ns for each in _seen_by(step, snapshot.entries[row.entry])),)
            case "latest_first":
                return (-int(snapshot.states.from_ns[row.state]),)
            case "largest" | "smallest":
                volume = float(spatial.rounded(np.asarray(np.prod(high - low))))
                return (-volume if step.order == "largest" else volume,)
            case "highest" | "lowest":
                return (-high[2] if step.order == "highest" else high[2],)

    ordered = sorted(candidates, key=lambda each: (*rank(each), *_tie(each, snapshot)))
    return _spread(ordered, snapshot, step.limit) if step.diverse and step.limit else ordered[: step.limit]


def _seen_by(step: Bound, entry: Entry) -> list[Sighting]:
    return [each for each in entry.sightings if step.agent in (None, each.agent)]


def _spread(ordered: Candidates, snapshot: Snapshot, limit: int) -> Candidates:
    """One after the other, the candidate whose score is best after what its likeness to those before costs it."""

    def likeness(a: Candidate, b: Candidate) -> float:
        if a.row.entry == b.row.entry:
            return 1.0
        vectors = (snapshot.vectors[each.row.entry].astype(np.float64) for each in (a, b))
        return max(float(spatial.rounded(np.array(np.dot(*vectors)))), 0.0)

    pool, chosen = ordered[: max(POOL, 4 * limit)], Candidates()
    while pool and len(chosen) < limit:
        left = [
            each.row.score * (1.0 - LIKENESS_COST * max((likeness(each, one) for one in chosen), default=0.0))
            for each in pool
        ]
        chosen.append(pool.pop(left.index(max(left))))
    return chosen


def _tie(candidate: Candidate, snapshot: Snapshot) -> tuple[float, str, int]:
    """Better score, then entry id, then latest state."""
    return (-candidate.row.score, snapshot.entries[candidate.row.entry].entry_id, -candidate.row.state)
