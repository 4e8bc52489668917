"""Words of a question that neither the grammar nor the model took up.

A small model answers the part of a question that it understands, and is sure of it: asked for the chairs on the
side toward the cupboards, it counts all chairs. Words that the grammar could not read may be idle ("pray"), or said
otherwise in the model's plan ("became"). Those that are not idle are known: adjectives, words of place and order,
and what things in memory are called. Where such a word stands neither in the plan nor in what was found, the answer
is to another question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from recall4d.memory.snapshot import Snapshot
from recall4d.query import vocabulary
from recall4d.query.columns import columns_of
from recall4d.query.english.lexicon import ADJECTIVES, WORDS_OF_PLACE_OR_ORDER
from recall4d.query.semantic import Phrase
from recall4d.query.words import standard_words
from recall4d.records import Answer


def leftover(unread: Sequence[str], answered: Answer, snapshot: Snapshot) -> tuple[str, ...]:
    """Those of the words that matter and that the answer's plan and evidence pass over.

    Args:
        unread: words that the grammar could not read.
        answered: by the model.
        snapshot: the memory.
    """
    texts = [*_strings(answered.plan), *(each.description for each in answered.evidence)]
    taken_up = frozenset[str]().union(*(standard_words(text.replace("_", " ")) for text in texts))
    return tuple(
        word for word in unread if _matters(word.lower(), snapshot) and not standard_words(word) <= taken_up
    )


def _matters(word: str, snapshot: Snapshot) -> bool:
    if word in vocabulary.STOPWORDS | vocabulary.BREAKS:
        return False
    if word in ADJECTIVES | WORDS_OF_PLACE_OR_ORDER:
        return True
    return len(columns_of(snapshot).texts.touched(Phrase.of(word))) > 0


def _strings(plan: Any) -> Iterator[str]:
    if isinstance(plan, str):
        yield plan
    elif isinstance(plan, dict):
        for value in plan.values():
            yield from _strings(value)
    elif isinstance(plan, list | tuple):
        for value in plan:
            yield from _strings(value)
