"""Asked clauses become asks: one function for each question word, and one for yes or no."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from recall4d.query.english.asks import amounts, claims, places, things, times, truths, visits
from recall4d.query.english.asks.said import Asked, Said, is_watching, name_of, said, with_history
from recall4d.query.english.asks.unseen import looked
from recall4d.query.english.finder import Finder
from recall4d.query.english.phrases import Clause

__all__ = ["Asked", "ask"]

_BY_WORD: dict[str, Callable[[Said, Finder], Asked]] = {
    "where": places.where,
    "what_on": places.on_what,
    "way": places.way,
    "side": places.side,
    "when": times.when,
    "how_long": times.how_long,
    "how_long_ago": times.how_long_ago,
    "how_often": times.how_often,
    "how_many": amounts.how_many,
    "how_far": amounts.how_far,
    "size": amounts.size,
    "what": things.what,
    "which": things.what,
    "who": things.who,
    "attribute": things.attribute,
    "title": things.title,
    "claims": claims.claims,
    "polar": truths.polar,
    "visit": visits.visit,
    "seen_by": visits.seen_by,
    "seen_before": visits.seen_before,
}


_BETWEEN = frozenset(
    {"looked", "visits", "compare_distance", "compare_size", "compare_seen", "what_changed", "unknown", "away_for"}
)
"""Asks that a history or a superlative in the topic does not narrow."""


def ask(clause: Clause, finder: Finder) -> Asked:
    """Add to `finder` the steps that a clause asks about, and say what to report.

    Raises:
        UnclearError: it asks for nothing that memory could hold.
    """
    assert clause.wh is not None
    told = said(clause)
    finder.periods = [each for each in finder.periods if not is_watching(each)]
    asked = looked(told, finder) or _BY_WORD[clause.wh.kind](told, finder)
    about = told.topic if told.topic.words or not told.alternatives else told.alternatives[0]
    if clause.wh.kind == "how_many" and clause.wh.phrase is not None:
        about = clause.wh.phrase
    plan_ask = with_history(asked.ask, about) if asked.ask.kind not in _BETWEEN else asked.ask
    name = name_of(about) if asked.name == "thing" else asked.name
    return replace(asked, ask=plan_ask, name=name, plural=about.plural)
