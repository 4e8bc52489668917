"""What memory came to think otherwise of: entries that were one thing all along, and one that was two.

While a recording comes in, entries only grow together: parts of a table seen from two sides. When everything is
concluded anew, with a corrected trajectory, another agent's map or other thresholds, one may also fall apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from recall4d.records import Entry, Revision

MIN_SHARE = 0.2
"""Of an entry's observations, at least so many must go elsewhere together before it counts as two things."""

ObservationName = tuple[str, int, int]


def folded(known: Mapping[str, str], retired: Mapping[str, str], at_ns: int, agent: str) -> list[Revision]:
    """Of what one frame folded together: the entries that others could have known by their names.

    Args:
        known: descriptions of the entries that were written before, by id.
        retired: ids folded into others, with the other's id.
        at_ns, agent: which frame.
    """
    return [
        Revision("merged", entry_id, retired[entry_id], description, at_ns, agent)
        for entry_id, description in known.items()
    ]


def concluded_anew(
    before: Sequence[Entry], was: Mapping[ObservationName, str], now: Mapping[ObservationName, str], at_ns: int
) -> list[Revision]:
    """Which entries became one, and which two, when everything was concluded anew.

    An entry goes on as the one that most of its observations are of now. It is split if enough of the others are,
    together, of one that was none of the entries before.

    Args:
        before: the entries before.
        was, now: the entry of every observation, before and after.
        at_ns: the memory's last instant.
    """
    went: dict[str, Counter[str]] = {}
    for name, entry_id in was.items():
        went.setdefault(entry_id, Counter())[now[name]] += 1
    heirs = {entry_id: min(counts, key=lambda each: (-counts[each], each)) for entry_id, counts in went.items()}
    found: list[Revision] = []
    for entry in before:
        counts, heir = went.get(entry.entry_id, Counter[str]()), heirs.get(entry.entry_id)
        if heir is None:
            continue
        if heir != entry.entry_id:
            found.append(Revision("merged", entry.entry_id, heir, entry.description, at_ns, None))
        found += [
            Revision("split", entry.entry_id, other, entry.description, at_ns, None)
            for other, n in sorted(counts.items())
            if other != heir and other not in heirs and n >= MIN_SHARE * counts.total()
        ]
    return found
