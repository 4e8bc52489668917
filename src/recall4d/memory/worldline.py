"""Stays at places become worldlines of things.

The ledger folds observations into *stays*: one thing at one place. Here a stay that ended, because its place was
seen empty, is joined to a stay of the same kind of thing that began later somewhere else: the mug that vanished
from the table and turned up on the desk is one mug that moved. What stayed where it was is no candidate, so of two
equal mugs the one that is still there is not mistaken for the one that left.

A pure function of the stays: whatever order the evidence came in, the same worldlines come out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import NS_PER_S, Interval
from recall4d.geometry.box import crosses
from recall4d.memory.presence import Look, Spell, findings, hidden_looks, spells
from recall4d.records import Entry, Event, EventKind, State, Visibility

SAME_TEXT = 0.9
"""Cosine similarity from which two descriptions may be of one thing at two places."""

MAX_SIZE_RATIO = 1.7
"""Boxes of one thing at two places differ at most by this factor: another side of it may show."""

FOLLOW_S = 3.0
FOLLOW_M_PER_S = 2.5
"""A thing lost here and found there within this time, at this speed or less, was watched on its way."""

MIN_SUPPORT = 4
"""Changes of things observed fewer times are not reported, unless the thing was watched on its way."""

MIN_HIDDEN = 2
"""A thing is hidden when so many looks found it so."""

RECENT_NS = 3 * NS_PER_S

SURE, LIKELY = 0.9, 0.7
"""Confidence of a move to a place that had been seen empty before, and to one never looked at before."""


@dataclass(frozen=True, eq=False, slots=True)
class Stay:
    """One thing at one place.

    Attributes:
        entry: what was folded there, with one state.
        looks: what every frame that looked there found, in order of time.
        vector: (d,) unit embedding of its description.
    """

    entry: Entry
    looks: Sequence[Look]
    vector: NDArray[np.float32]


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


def worldlines(stays: Sequence[Stay], now_ns: int) -> tuple[list[Entry], list[Event]]:
    """Entries with their states over time, and every change, in order of time.

    Args:
        stays: everything the ledger holds.
        now_ns: the instant of knowledge.
    """
    histories = [_history(stay) for stay in stays]
    links, doubtful = link(stays, histories)
    following = {each.before: each for each in links}
    entries: list[Entry] = []
    events: list[Event] = []
    heads = sorted(set(range(len(stays))) - {each.after for each in links})
    names = _names(heads, following, stays)
    newcomers = [stay for stay in stays if _was_empty_before(stay)]
    for head in heads:
        chain = [head]
        while chain[-1] in following:
            chain.append(following[chain[-1]].after)
        joins = [following[row] for row in chain[:-1]]
        maybe = {names[other] for row in chain for other in doubtful.get(row, ())} - {names[head]}
        entry = _entry([stays[row] for row in chain], [histories[row] for row in chain], joins, now_ns)
        entries.append(replace(entry, possibly_same_as=tuple(sorted(maybe))))
        events += _events(entry, [stays[row] for row in chain], [histories[row] for row in chain], joins, newcomers)
    events.sort(key=lambda event: (event.before_ns, event.after_ns, event.entry_id))
    return entries, events


def link(stays: Sequence[Stay], histories: Sequence[Sequence[Spell]]) -> tuple[list[Link], Mapping[int, set[int]]]:
    """Which stay goes on at which: links, and rows that may be one thing but cannot be told.

    Watched moves come first, shortest gap first. Of the rest, the best explanation joins as many stays as can be,
    and rather to places that had been seen empty than to ones never looked at. A link that is not in every best
    explanation is none: where several equal things left and several turned up, nothing says which is which.
    """
    pairs = _candidates(stays, histories)
    links: list[Link] = []

    def gap_ns(each: Link) -> int:
        return _first_seen(histories[each.after]) - _last_seen(histories[each.before])

    def still_free() -> list[Link]:
        left, arrived = {each.before for each in links}, {each.after for each in links}
        return [pair for pair in pairs if pair.before not in left and pair.after not in arrived]

    for each in sorted((p for p in pairs if p.followed), key=lambda p: (gap_ns(p), p.before, p.after)):
        if each in still_free():
            links.append(each)
    for group in _connected(still_free()):
        links += _certain(group)
    doubtful: dict[int, set[int]] = {}
    for each in still_free():
        doubtful.setdefault(each.before, set()).add(each.after)
        doubtful.setdefault(each.after, set()).add(each.before)
    return links, doubtful


def _connected(pairs: Sequence[Link]) -> list[list[Link]]:
    """Pairs in groups that have no stay in common, neither as the one left nor as the one arrived at."""
    groups: list[list[Link]] = []
    for pair in pairs:
        apart, joined = [], [pair]
        for group in groups:
            touches = any(each.before == pair.before or each.after == pair.after for each in group)
            if touches:
                joined = group + joined
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups


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


def _candidates(stays: Sequence[Stay], histories: Sequence[Sequence[Spell]]) -> list[Link]:
    """Every pair of an ended stay and a later one that may be the same thing."""
    if not stays:
        return []
    lost_ns, found_ns = (np.array([when(h) for h in histories]) for when in (_last_seen, _first_seen))
    # One glimpse of the empty place does not make a thing gone, unless it turned up elsewhere.
    ended = np.array([not history[-1].there for history in histories])
    left = ended | np.array([_glimpsed_empty(stay) is not None for stay in stays])
    was_empty = np.array([_was_empty_before(stay) for stay in stays])
    may = _alike(stays) & (found_ns[None] > lost_ns[:, None]) & (ended[:, None] | was_empty[None])
    np.fill_diagonal(may, False)
    found: list[Link] = []
    for before, after in np.argwhere(may).tolist():
        gap_s = (int(found_ns[after]) - int(lost_ns[before])) / NS_PER_S
        followed = _is_followed(stays[before], stays[after], gap_s)
        # What was watched on its way has left, even where nobody has looked back yet.
        if not (left[before] or followed):
            continue
        found.append(Link(before, after, SURE if followed or was_empty[after] else LIKELY, followed))
    return found


def _alike(stays: Sequence[Stay]) -> NDArray[np.bool_]:
    """(n, n): whether two are things of one description and about one size."""
    vectors = np.stack([stay.vector for stay in stays])
    size_m = np.array([stay.entry.now.box.diagonal_m for stay in stays])
    is_thing = np.array([stay.entry.kind == "thing" for stay in stays])
    ratio = size_m[:, None] / size_m[None]
    alike = (vectors @ vectors.T >= SAME_TEXT) & (ratio <= MAX_SIZE_RATIO) & (ratio >= 1 / MAX_SIZE_RATIO)
    return np.asarray(alike & is_thing[:, None] & is_thing[None])


def _is_followed(a: Stay, b: Stay, gap_s: float) -> bool:
    way_m = float(np.linalg.norm(np.subtract(a.entry.now.box.centroid_xyz, b.entry.now.box.centroid_xyz)))
    return gap_s <= FOLLOW_S and way_m <= FOLLOW_M_PER_S * gap_s + 0.3


def _history(stay: Stay) -> list[Spell]:
    """The spells of a stay; one of being there always, however short it was."""
    history = spells(stay.looks)
    if any(spell.there for spell in history):
        return history
    seen = [look.stamp_ns for look in stay.looks if look.seen]
    there = Spell(True, min(seen), max(seen))
    free = [look.stamp_ns for look, what in zip(stay.looks, findings(stay.looks), strict=True) if what == "free"]
    earlier, later = [t for t in free if t < there.first_ns], [t for t in free if t > there.last_ns]
    return [
        *([Spell(False, earlier[0], earlier[-1])] if earlier else []),
        there,
        *([Spell(False, later[0], later[-1])] if later else []),
    ]


def _was_empty_before(stay: Stay) -> bool:
    """Whether its place was seen empty, twice, before the thing was first seen there."""
    first_seen = next(i for i, look in enumerate(stay.looks) if look.seen)
    return findings(stay.looks)[:first_seen].count("free") >= 2


def _glimpsed_empty(stay: Stay) -> int | None:
    """First instant after its last sighting at which its place was seen empty; None if it never was."""
    found = list(zip(stay.looks, findings(stay.looks), strict=True))
    last_seen = max(i for i, (look, _) in enumerate(found) if look.seen)
    return next((look.stamp_ns for look, what in found[last_seen + 1 :] if what == "free"), None)


def _first_seen(history: Sequence[Spell]) -> int:
    return next(spell.first_ns for spell in history if spell.there)


def _last_seen(history: Sequence[Spell]) -> int:
    return next(spell.last_ns for spell in reversed(history) if spell.there)


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


def _entry(
    chain: Sequence[Stay], histories: Sequence[Sequence[Spell]], joins: Sequence[Link], now_ns: int
) -> Entry:
    first, last = chain[0].entry, chain[-1].entry
    sightings = sorted(
        (each for stay in chain for each in stay.entry.sightings), key=lambda each: (each.from_ns, each.agent)
    )
    if not joins:
        motion = first.motion
    else:
        arrived_ns = _first_seen(histories[-1])
        motion = "moving" if joins[-1].followed and now_ns - arrived_ns < RECENT_NS else "movable"
    return replace(
        last,
        entry_id=first.entry_id,
        states=_states(chain, histories),
        sightings=tuple(sightings),
        n_observations=sum(stay.entry.n_observations for stay in chain),
        agents=tuple(dict.fromkeys(each.agent for each in sightings)),
        claims=tuple(claim for stay in reversed(chain) for claim in stay.entry.claims),
        motion=motion,
    )


def _states(chain: Sequence[Stay], histories: Sequence[Sequence[Spell]]) -> tuple[State, ...]:
    """Each spell of being there, and each of being gone that follows one, until the next begins."""
    parts: list[tuple[int, State, Visibility]] = []
    arrivals = [_first_seen(history) for history in histories[1:]]
    for stay, history, left_ns in zip(chain, histories, [*arrivals, None], strict=True):
        place = stay.entry.now
        was_there = False
        for spell in history:
            if spell.there:
                parts.append((spell.first_ns, place, _visibility(stay, spell)))
                was_there = True
            elif was_there and (left_ns is None or spell.first_ns < left_ns):
                parts.append((spell.first_ns, place, "absent"))
    parts.sort(key=lambda part: part[0])
    ends: list[int | None] = [start for start, _, _ in parts[1:]]
    return tuple(
        replace(place, interval=Interval(start, end), visibility=visibility)
        for (start, place, visibility), end in zip(parts, [*ends, None], strict=True)
    )


def _visibility(stay: Stay, spell: Spell) -> Visibility:
    """How it was at the end of a spell of being there: as last seen, or hidden by something new since."""
    is_last = spell.last_ns == max(look.stamp_ns for look in stay.looks if look.seen)
    hidden = is_last and len(hidden_looks(stay.looks)) >= MIN_HIDDEN
    return "occluded" if hidden else stay.entry.now.visibility


def covered_since(stay: Stay, newcomers: Sequence[Stay]) -> int | None:
    """The instant from which something that was not there before stands in front of a thing; None if nothing does.

    Args:
        stay: the thing.
        newcomers: things that came to their place, which had been seen empty.
    """
    centre = np.asarray(stay.entry.now.box.centroid_xyz)
    looks = [
        look
        for look in hidden_looks(stay.looks)
        if any(
            stay.entry.last_seen_ns < _first_look(each) <= look.stamp_ns
            and crosses(np.asarray(look.eye_xyz), centre, each.entry.now.box)
            for each in newcomers
            if each is not stay
        )
    ]
    return looks[0].stamp_ns if len(looks) >= MIN_HIDDEN else None


def _first_look(stay: Stay) -> int:
    return min(look.stamp_ns for look in stay.looks if look.seen)


def _events(
    entry: Entry,
    chain: Sequence[Stay],
    histories: Sequence[Sequence[Spell]],
    joins: Sequence[Link],
    newcomers: Sequence[Stay],
) -> list[Event]:
    """What changed of one thing, in order of time; nothing of things hardly ever seen."""
    if entry.n_observations < MIN_SUPPORT and not joins:
        return []
    changes: list[tuple[EventKind, int, int, Stay | None, Stay | None, float]] = []
    if not histories[0][0].there:
        changes.append(("appeared", histories[0][0].last_ns, _first_seen(histories[0]), None, chain[0], SURE))
    for row, (stay, history) in enumerate(zip(chain, histories, strict=True)):
        is_last_stay = row == len(chain) - 1
        first_there = next(i for i, spell in enumerate(history) if spell.there)
        for i in range(first_there + 1, len(history)):
            before, spell = history[i - 1], history[i]
            if spell.there:
                changes.append(("returned", before.last_ns, spell.first_ns, None, stay, SURE))
            elif is_last_stay or i < len(history) - 1:
                changes.append(("gone", before.last_ns, spell.first_ns, stay, None, SURE))
        if not is_last_stay:
            arrived_ns = _first_seen(histories[row + 1])
            emptied_ns = _glimpsed_empty(stay) or arrived_ns
            left, found = _last_seen(history), min(emptied_ns, arrived_ns)
            changes.append(("moved", left, found, stay, chain[row + 1], joins[row].confidence))
    covered_ns = covered_since(chain[-1], newcomers) if histories[-1][-1].there else None
    if covered_ns is not None:
        changes.append(("occluded", _last_seen(histories[-1]), covered_ns, chain[-1], chain[-1], SURE))
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
