"""A model's form, held to the words of the question.

A small model looks for the right thing in slightly other words: "diningchair", a mug where red mugs are asked for,
things right of the vase where the question says left. Where the question names what the form names, its own words
hold. What the question does not name is left as it is: a model may know that a telly is a TV. English only; in
other languages nothing is found, and nothing changed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from recall4d.query.english.lexicon import ADJECTIVES
from recall4d.query.morphology import singular
from recall4d.reasoning.r4.wanted import CHANGES

_RELATION_SAID = {
    "on": "on", "on top of": "on", "onto": "on", "upon": "on", "under": "under", "underneath": "under",
    "beneath": "under", "above": "above", "over": "above", "below": "below", "behind": "behind",
    "in front of": "front", "left of": "left", "right of": "right", "beside": "beside", "next to": "beside",
    "inside": "inside", "nearest to": "nearest", "closest to": "nearest", "closer to": "nearest",
    "nearer to": "nearest", "near": "near", "around": "near",
}  # fmt: skip
"""What a relation of the form is called in a question; "in" and "at" may mean several."""

_OF_PLACES = ("list", "which", "what_moved", "what_is_gone", "what_is_new")

_ORDINALS = {"first": "first", "last": "last", "latest": "last"}
_VISIT_SAID = re.compile(rf"\b({'|'.join(_ORDINALS)}) (?:visit|tour|round|walk|time round)\b")
_NOT_A_VISIT = frozenset(("since", "between", "after", "before", "than", "compared"))

_PREPOSITION = "|".join(sorted(_RELATION_SAID, key=len, reverse=True))
_DETERMINER = "(?:(?:the|a|an|my|our|your|this|that) )?"


def as_said(document: Any, question: str) -> Any:
    """The document in the question's own words, where it has some for what is named.

    Args:
        document: of the flat form, not yet validated.
        question: an empty one changes nothing.
    """
    steps = document.get("steps") if isinstance(document, dict) else None
    if not isinstance(steps, list):
        return document
    words = words_in(question)
    names = {str(step.get("name")) for step in steps if isinstance(step, dict)}
    said = [_step(step, words, names) if isinstance(step, dict) else step for step in steps]
    if document.get("ask") in _OF_PLACES and len(said) == 1 and isinstance(said[0], dict):
        said = [_things_there(said[0], words)]
    return {**document, "steps": _on_the_visit(said, str(document.get("ask")), words)}


def _things_there(step: dict[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """What is on the table is asked, and the table looked for: then it is things there that are meant."""
    if "where" in step or not isinstance(step.get("what"), str):
        return step
    relation = _relation_before(words_in(step["what"]), words)
    if relation is None:
        return step
    return {
        **{name: each for name, each in step.items() if name != "what"},
        "where": {"relation": relation, "of": step["what"]},
    }


def _on_the_visit(steps: list[Any], ask: str, words: Sequence[str]) -> list[Any]:
    """With the visit that the question names, where no step says when; "since" one is no time of its own."""
    if ask in CHANGES:
        return [_not_during(step) if "since" in words else step for step in steps]
    visits = set(_VISIT_SAID.findall(" ".join(words)))
    if not steps or not isinstance(steps[-1], dict) or len(visits) != 1 or _NOT_A_VISIT & set(words):
        return steps
    if any(isinstance(step, dict) and step.get("when") for step in steps):
        return steps
    return [*steps[:-1], {**steps[-1], "when": {"during": f"{_ORDINALS[visits.pop()]} visit"}}]


def _not_during(step: Any) -> Any:
    when = step.get("when") if isinstance(step, dict) else None
    if not isinstance(when, dict) or "during" not in when:
        return step
    kept = {name: each for name, each in when.items() if name != "during"}
    return {**{name: each for name, each in step.items() if name != "when"}, **({"when": kept} if kept else {})}


def _step(step: Mapping[str, Any], words: Sequence[str], names: Collection[str]) -> dict[str, Any]:
    kept = dict(step)
    if isinstance(kept.get("what"), str):
        kept["what"] = _thing(kept["what"], words)
    for key in ("where", "and_where"):
        where = kept.get(key)
        if isinstance(where, dict) and isinstance(where.get("of"), str):
            kept[key] = _where(where, words, names)
    return kept


def _where(where: Mapping[str, Any], words: Sequence[str], names: Collection[str]) -> dict[str, Any]:
    kept = dict(where)
    if kept["of"] not in names:
        kept["of"] = _thing(kept["of"], words)
    relation = _relation_before(words_in(kept["of"]), words)
    return kept if relation is None or "and_of" in kept else {**kept, "relation": relation}


def _thing(what: str, words: Sequence[str]) -> str:
    """A thing as the question spells it, with the adjectives that stand before it there."""
    found = _place_of("".join(map(singular, words_in(what))), words)
    if found is None:
        return what
    start, end = found
    while start > 0 and words[start - 1] in ADJECTIVES:
        start -= 1
    said = [*words[start : end - 1], singular(words[end - 1])]
    return what if said == words_in(what) else " ".join(said)


def _place_of(compact: str, words: Sequence[str]) -> tuple[int, int] | None:
    """Where in the question something stands, number and spaces aside; None where it does not, or twice."""
    spans = [
        (start, end)
        for start in range(len(words))
        for end in range(start + 1, min(start + 6, len(words)) + 1)
        if "".join(map(singular, words[start:end])) == compact
    ]
    return spans[0] if len(spans) == 1 else None


def _relation_before(landmark: Sequence[str], words: Sequence[str]) -> str | None:
    """The relation whose words stand right before a landmark, wherever it is named; None where that differs."""
    if not landmark:
        return None
    named = re.compile(rf"\b({_PREPOSITION}) {_DETERMINER}{re.escape(' '.join(landmark))}\b")
    relations = {_RELATION_SAID[found] for found in named.findall(" ".join(words))}
    return relations.pop() if len(relations) == 1 else None


def words_in(text: str) -> list[str]:
    """Its words in lower case; "dining_table" are two."""
    return re.findall(r"[^\W_]+", text.lower())
