"""What a thing is, in words (a first version)."""

from __future__ import annotations

import re

from recall4d.memory.snapshot import Snapshot
from recall4d.query.plan import SemanticKey


def scores_reference(key: SemanticKey, snapshot: Snapshot) -> list[float]:
    """A score in [0, 1] for each entry; 0 where it does not match."""
    queries = snapshot.embed(list(key.texts))
    scores = []
    for entry, vector in zip(snapshot.entries, snapshot.vectors, strict=True):
        words = _words(f"{entry.category or ''} {entry.description} {' '.join(entry.attributes.values())}")
        score = 0.0
        for text, query in zip(key.texts, queries, strict=True):
            cosine = round(float(vector @ query), 6)
            if _words(text) <= words or cosine >= 0.6:
                score = max(score, cosine)
        fits = all(_words(each) <= words for each in key.attributes)
        refused = any(_words(each) <= words for each in key.without)
        scores.append(score if fits and not refused else 0.0)
    return scores


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall(r"[a-z0-9]+", text.lower())}
