"""What things are called in an answer."""

from __future__ import annotations

from collections.abc import Sequence

from recall4d.query.words import standard_words
from recall4d.records import Entry


def called(entry: Entry) -> str:
    """An entry's name: its description, after its category where the description does not say that."""
    description = entry.description.strip()
    category = (entry.category or "").strip()
    if not category or standard_words(category) <= standard_words(description):
        return description or category or "thing"
    return f"{category} ({description})" if description else category


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: "a, b and c"; equal ones counted."""
    counted = dict.fromkeys(names, 0)
    for name in names:
        counted[name] += 1
    parts = [name if n == 1 else f"{n} times {name}" for name, n in counted.items()]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def is_are(count: int) -> str:
    """The verb for so many."""
    return "is" if count == 1 else "are"
