"""Stays at places become worldlines of things.

The ledger folds observations into *stays*: one thing at one place. Here a stay that ended, because its place was
seen empty, is joined to a stay of the same kind of thing that began later somewhere else: the mug that vanished
from the table and turned up on the desk is one mug that moved. What stayed where it was is no candidate, so of two
equal mugs the one that is still there is not mistaken for the one that left.

A pure function of the stays: whatever order the evidence came in, the same worldlines come out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import NS_PER_S
from recall4d.geometry.box import crosses
from recall4d.memory.stay import MIN_HIDDEN, Stay, states_of
from recall4d.records import Claim, Entry, Event, EventKind, State

Rows = NDArray[np.intp]

SAME_TEXT = 0.9
"""Cosine similarity from which two descriptions may be of one thing at two places."""

MAX_SIZE_RATIO = 1.7
"""Boxes of one thing at two places differ at most by this factor: another side of it may show."""

STREAM_GAP_S = 2.0
"""Where frames lie farther apart than this a new segment begins: nothing is concluded of what was between."""

FOLLOW_S = 3.0
FOLLOW_M_PER_S = 2.5
"""A thing lost here and found there within this time, at this speed or less, was watched on its way, if somebody
watched: not across a gap in the stream.
"""

MIN_SUPPORT = 4
"""Changes of things observed fewer times are not reported, unless the thing was watched on its way."""

MAX_COMPARED = 4_000_000
"""Pairs compared at once."""

RECENT_NS = 3 * NS_PER_S

SURE, LIKELY = 0.9, 0.7
"""Confidence of a move to a place that had been seen empty before, and to one never looked at before."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two stays of one thing.

    Attributes:
        before, after: rows of the stays.
        confidence: in [0, 1].
        followed: it was watched on its way.
    """

    before: int
    after: int
    confidence: float
    followed: bool


def worldlines(
    stays: Sequence[Stay], now_ns: int, frames_ns: NDArray[np.int64] | None = None
) -> tuple[list[Entry], list[Event]]:
    """Entries with their states over time, and every change, in order of time.

    Args:
        stays: everything the ledger holds.
        now_ns: the instant of knowledge.
        frames_ns: (n,) instants of all frames, in order; None for a stream without gaps.
    """
    links, doubtful = link(stays, frames_ns)
    following = {each.before: each for each in links}
    entries: list[Entry] = []
    events: list[Event] = []
    heads = sorted(set(range(len(stays))) - {each.after for each in links})
    names = _names(heads, following, stays)
    newcomers = [stay for stay in stays if stay.was_empty_before]
    for head in heads:
        chain = [head]
        while chain[-1] in following:
            chain.append(following[chain[-1]].after)
        joins = [following[row] for row in chain[:-1]]
        maybe = {names[other] for row in chain for other in doubtful.get(row, ())} - {names[head]}
        lived = [stays[row] for row in chain]
        entry = _entry(lived, joins, now_ns)
        entries.append(replace(entry, possibly_same_as=tuple(sorted(maybe))) if maybe else entry)
        events += _events(entry, lived, joins, newcomers)
    events.sort(key=lambda event: (event.before_ns, event.after_ns, event.entry_id))
    return entries, events


def link(
    stays: Sequence[Stay], frames_ns: NDArray[np.int64] | None = None
) -> tuple[list[Link], Mapping[int, set[int]]]:
    """Which stay goes on at which: links, and rows that may be one thing but cannot be told.

    Watched moves come first, shortest gap first. Of the rest, the best explanation joins as many stays as can be,
    and rather to places that had been seen empty than to ones never looked at. A link that is not in every best
    explanation is none: where several equal things left and several turned up, nothing says which is which.
    """
    pairs = _candidates(stays, frames_ns)
    links: list[Link] = []

    def gap_ns(each: Link) -> int:
        return stays[each.after].arrived_ns - stays[each.before].left_ns

    def still_free() -> list[Link]:
        left, arrived = {each.before for each in links}, {each.after for each in links}
        return [pair for pair in pairs if pair.before not in left and pair.after not in arrived]

    left, arrived = set[int](), set[int]()
    for each in sorted((p for p in pairs if p.followed), key=lambda p: (gap_ns(p), p.before, p.after)):
        if each.before not in left and each.after not in arrived:
            links.append(each)
            left.add(each.before)
            arrived.add(each.after)
    for group in _connected(still_free()):
        links += _certain(group)
    doubtful: dict[int, set[int]] = {}
    for each in still_free():
        doubtful.setdefault(each.before, set()).add(each.after)
        doubtful.setdefault(each.after, set()).add(each.before)
    return links, doubtful


def _connected(pairs: Sequence[Link]) -> list[list[Link]]:
    """Pairs in groups that have no stay in common, neither as the one left nor as the one arrived at."""
    parent: dict[tuple[str, int], tuple[str, int]] = {}

    def root(end: tuple[str, int]) -> tuple[str, int]:
        while (up := parent.setdefault(end, end)) != end:
            parent[end] = parent.setdefault(up, up)
            end = up
        return end

    for pair in pairs:
        parent[root(("left", pair.before))] = root(("arrived", pair.after))
    groups: dict[tuple[str, int], list[Link]] = {}
    for pair in pairs:
        groups.setdefault(root(("left", pair.before)), []).append(pair)
    return list(groups.values())


def _certain(pairs: Sequence[Link]) -> list[Link]:
    """The pairs that every best way to join stays contains; each stay is left once and arrived at once."""
    best, chosen = _best(pairs)
    return [each for each in chosen if _best([pair for pair in pairs if pair is not each])[0] < best]


def _best(pairs: Sequence[Link]) -> tuple[float, list[Link]]:
    """The best way to join stays: how good it is, and its pairs."""
    from scipy.optimize import linear_sum_assignment

    rows = {row: i for i, row in enumerate(dict.fromkeys(pair.before for pair in pairs))}
    columns = {row: i for i, row in enumerate(dict.fromkeys(pair.after for pair in pairs))}
    worth = np.zeros((len(rows), len(columns)))
    pair_at = {(rows[pair.before], columns[pair.after]): pair for pair in pairs}
    for at, pair in pair_at.items():
        # One more link outweighs all that speaks for one place rather than another.
        worth[at] = 1.0 + 0.5 * (pair.confidence >= SURE) / len(pairs)
    chosen = list(zip(*linear_sum_assignment(worth, maximize=True), strict=True))
    return float(sum(worth[at] for at in chosen)), [pair_at[at] for at in chosen if at in pair_at]


def _candidates(stays: Sequence[Stay], frames_ns: NDArray[np.int64] | None) -> list[Link]:
    """Every pair of an ended stay and a later one that may be the same thing."""
    if not stays:
        return []
    left_ns, arrived_ns = (np.array([getattr(s, name) for s in stays]) for name in ("left_ns", "arrived_ns"))
    ended, was_empty = (np.array([getattr(s, name) for s in stays]) for name in ("ended", "was_empty_before"))
    # One glimpse of the empty place does not make a thing gone, unless it turned up elsewhere.
    glimpsed = ended | np.array([stay.glimpsed_empty_ns is not None for stay in stays])

    def may(befores: Rows, afters: Rows) -> NDArray[np.bool_]:
        gap_s = (arrived_ns[afters][None] - left_ns[befores][:, None]) / NS_PER_S
        joins = (gap_s > 0) & (ended[befores][:, None] | was_empty[afters][None])
        joins &= (glimpsed[befores][:, None] | (gap_s <= FOLLOW_S)) & (befores[:, None] != afters[None])
        return np.asarray(joins)

    rows, columns = _alike(stays, *_pairs(np.flatnonzero(ended), np.flatnonzero(was_empty), len(stays), may))
    place = np.array([stay.entry.now.box.centroid_xyz for stay in stays])
    gap_s = (arrived_ns[columns] - left_ns[rows]) / NS_PER_S
    way_m = np.linalg.norm(place[rows] - place[columns], axis=1)
    followed = (gap_s <= FOLLOW_S) & (way_m <= FOLLOW_M_PER_S * gap_s + 0.3)
    if frames_ns is not None:
        followed &= _in_one_segment(left_ns[rows], arrived_ns[columns], frames_ns)
    # What was watched on its way has left, even where nobody has looked back yet.
    left = glimpsed[rows] | followed
    confidence = np.where(followed | was_empty[columns], SURE, LIKELY)
    pairs = zip(*(each[left].tolist() for each in (rows, columns, confidence, followed)), strict=True)
    return [Link(*pair) for pair in pairs]


def _in_one_segment(
    from_ns: NDArray[np.int64], to_ns: NDArray[np.int64], frames_ns: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """(k,) whether the stream has no gap between two instants of frames."""
    segment = np.concatenate([[0], np.cumsum(np.diff(frames_ns) > STREAM_GAP_S * NS_PER_S)])
    first, last = (segment[np.searchsorted(frames_ns, each)] for each in (from_ns, to_ns))
    return np.asarray(first == last)


def _pairs(
    ended: Rows, was_empty: Rows, n: int, may: Callable[[Rows, Rows], NDArray[np.bool_]]
) -> tuple[Rows, Rows]:
    """Pairs (rows, columns) of `n` stays that may be joined, ascending, without comparing all with all.

    Something changed on one side of every pair: the first stay `ended`, or the place of the second `was_empty`.
    Of many stays few did.
    """
    everything, lasting = np.arange(n), np.setdiff1d(np.arange(n), ended)
    found = []
    for befores, afters in ((ended, everything), (lasting, was_empty)):
        step = max(MAX_COMPARED // max(len(afters), 1), 1)
        for at in range(0, len(befores) if len(afters) else 0, step):
            rows, columns = np.nonzero(may(befores[at : at + step], afters))
            found.append((befores[at + rows], afters[columns]))
    rows, columns = (np.concatenate([ended[:0], *(pair[side] for pair in found)]) for side in (0, 1))
    order = np.lexsort((columns, rows))
    return rows[order], columns[order]


def _alike(stays: Sequence[Stay], rows: Rows, columns: Rows) -> tuple[Rows, Rows]:
    """Of the pairs that may be: those of two things of one description and about one size."""
    size_m = np.array([stay.entry.now.box.diagonal_m for stay in stays])
    is_thing = np.array([stay.entry.kind == "thing" for stay in stays])
    ratio = size_m[rows] / size_m[columns]
    fit = (ratio <= MAX_SIZE_RATIO) & (ratio >= 1 / MAX_SIZE_RATIO) & is_thing[rows] & is_thing[columns]
    rows, columns = rows[fit], columns[fit]
    used, at = np.unique(np.concatenate([rows, columns]), return_inverse=True)
    vectors = np.stack([stays[row].vector for row in used.tolist()]) if len(used) else np.zeros((0, 1))
    similar = np.einsum("nd,nd->n", vectors[at[: len(rows)]], vectors[at[len(rows) :]]) >= SAME_TEXT
    return rows[similar], columns[similar]


def _names(heads: Sequence[int], following: Mapping[int, Link], stays: Sequence[Stay]) -> dict[int, str]:
    """The entry id that each row ends up under: that of the first stay of its chain."""
    names: dict[int, str] = {}
    for head in heads:
        row = head
        while True:
            names[row] = stays[head].entry.entry_id
            if row not in following:
                break
            row = following[row].after
    return names


def _entry(chain: Sequence[Stay], joins: Sequence[Link], now_ns: int) -> Entry:
    if not joins:
        return chain[0].alone
    sightings = sorted(
        (each for stay in chain for each in stay.entry.sightings), key=lambda each: (each.from_ns, each.agent)
    )
    is_recent = now_ns - chain[-1].arrived_ns < RECENT_NS
    return replace(
        chain[-1].entry,
        entry_id=chain[0].entry.entry_id,
        states=_states(chain),
        sightings=tuple(sightings),
        n_observations=sum(stay.entry.n_observations for stay in chain),
        agents=tuple(dict.fromkeys(each.agent for each in sightings)),
        claims=_joined_claims([claim for stay in reversed(chain) for claim in stay.entry.claims]),
        motion="moving" if joins[-1].followed and is_recent else "movable",
    )


def _joined_claims(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """What each agent says, once, however many places it rests on; in the order given."""
    joined: dict[tuple[str, str], Claim] = {}
    for each in claims:
        known = joined.get((each.agent, each.description))
        joined[each.agent, each.description] = (
            each
            if known is None
            else Claim(
                each.agent,
                each.description,
                known.n_views + each.n_views,
                known.n_unoccluded + each.n_unoccluded,
                min(known.nearest_m, each.nearest_m),
                max(known.last_ns, each.last_ns),
            )
        )
    return tuple(joined.values())


def _states(chain: Sequence[Stay]) -> tuple[State, ...]:
    """Each spell of being there, and each of being gone that follows one, until the next begins."""
    arrivals = [stay.arrived_ns for stay in chain[1:]]
    return states_of(
        [
            (from_ns, visibility, stay)
            for stay, next_ns in zip(chain, [*arrivals, None], strict=True)
            for from_ns, visibility in stay.parts
            if visibility != "absent" or next_ns is None or from_ns < next_ns
        ]
    )


def covered_since(stay: Stay, newcomers: Sequence[Stay]) -> int | None:
    """The instant from which something that was not there before stands in front of a thing; None if nothing does.

    Args:
        stay: the thing.
        newcomers: things that came to their place, which had been seen empty.
    """
    if len(stay.hidden) < MIN_HIDDEN:
        return None
    centre = np.asarray(stay.entry.now.box.centroid_xyz)
    looks = [
        look
        for look in stay.hidden
        if any(
            stay.entry.last_seen_ns < each.seen_ns[0] <= look.stamp_ns
            and crosses(np.asarray(look.eye_xyz), centre, each.entry.now.box)
            for each in newcomers
            if each is not stay
        )
    ]
    return looks[0].stamp_ns if len(looks) >= MIN_HIDDEN else None


def _events(
    entry: Entry,
    chain: Sequence[Stay],
    joins: Sequence[Link],
    newcomers: Sequence[Stay],
) -> list[Event]:
    """What changed of one thing, in order of time; nothing of things hardly ever seen."""
    if entry.n_observations < MIN_SUPPORT and not joins:
        return []
    changes: list[tuple[EventKind, int, int, Stay | None, Stay | None, float]] = []
    first = chain[0].history[0]
    if not first.there:
        changes.append(("appeared", first.last_ns, chain[0].arrived_ns, None, chain[0], SURE))
    for row, stay in enumerate(chain):
        history = stay.history
        is_last_stay = row == len(chain) - 1
        first_there = next(i for i, spell in enumerate(history) if spell.there)
        for i in range(first_there + 1, len(history)):
            before, spell = history[i - 1], history[i]
            if spell.there:
                changes.append(("returned", before.last_ns, spell.first_ns, None, stay, SURE))
            elif is_last_stay or i < len(history) - 1:
                changes.append(("gone", before.last_ns, spell.first_ns, stay, None, SURE))
        if not is_last_stay:
            arrived_ns, emptied_ns = chain[row + 1].arrived_ns, stay.glimpsed_empty_ns
            found = arrived_ns if emptied_ns is None else min(emptied_ns, arrived_ns)
            changes.append(("moved", stay.left_ns, found, stay, chain[row + 1], joins[row].confidence))
    covered_ns = None if chain[-1].ended else covered_since(chain[-1], newcomers)
    if covered_ns is not None:
        changes.append(("occluded", chain[-1].left_ns, covered_ns, chain[-1], chain[-1], SURE))
    return _joined_motion(
        [
            Event(
                kind=kind,
                entry_id=entry.entry_id,
                description=entry.description,
                after_ns=after_ns,
                before_ns=before_ns,
                from_xyz=None if source is None else source.entry.now.box.centroid_xyz,
                to_xyz=None if target is None else target.entry.now.box.centroid_xyz,
                agent=_agent_at(chain, before_ns),
                confidence=confidence,
            )
            for kind, after_ns, before_ns, source, target, confidence in changes
        ]
    )


def _joined_motion(events: list[Event]) -> list[Event]:
    """One continuous motion is one event: from where it began to where it ended."""
    joined: list[Event] = []
    for event in events:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind == event.kind == "moved"
            and event.before_ns - last.before_ns < FOLLOW_S * NS_PER_S
        ):
            joined[-1] = replace(last, to_xyz=event.to_xyz, confidence=min(last.confidence, event.confidence))
        else:
            joined.append(event)
    return joined


def _agent_at(chain: Sequence[Stay], stamp_ns: int) -> str:
    return next(look.agent for stay in chain for look in stay.looks if look.stamp_ns == stamp_ns)
