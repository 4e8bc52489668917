"""Keys in a model's form that the question does not ask for.

A small model fills in what it could leave out: the agent and the time it was told of, a thing of the examples it
was shown. Such a key makes the question narrower than it is. What a question in English names can be told from its
words; one in another language keeps every key.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from recall4d.query.keys_form import ME, Known
from recall4d.reasoning.r4.as_said import words_in
from recall4d.reasoning.r4.examples import example_things

_ENGLISH = frozenset(
    "the is are did does do what where which who when how there were has have been it my i of to from".split()
)
"""Two of them in a question, and it is in English."""

_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "myself"))

_NUMBERS_AND_UNITS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety "
    "hundred half quarter second seconds minute minutes hour hours frame frames image picture noon midnight".split()
)

_INSTANTS = ("at", "after", "before")

_PLACES = ("where", "and_where")


def without_unasked(document: Any, question: str, known: Known) -> Any:
    """The document without what its question does not name.

    - An agent stays where it is named, or where the question speaks of the one who asks, and not where the question
      is who saw something.
    - An instant that is a number stays where the question has a number or a unit of time.
    - Things of the examples go, and a limit on what is to be counted.

    Args:
        document: of the flat form, not yet validated.
        question: in any words; an empty one leaves the document as it is.
        known: names that the memory knows.
    """
    words = words_in(question)
    steps = document.get("steps") if isinstance(document, dict) else None
    if len(_ENGLISH & set(words)) < 2 or not isinstance(steps, list):
        return document
    ask = str(document.get("ask", ""))
    return {
        **document,
        "steps": [_step(each, ask, words, known) if isinstance(each, dict) else each for each in steps],
    }


def _step(step: Mapping[str, Any], ask: str, words: Sequence[str], known: Known) -> dict[str, Any]:
    kept = dict(step)
    if "agent" in kept and (ask.startswith("who_") or not _is_asked_for(kept["agent"], words, known)):
        del kept["agent"]
    if ask == "count":
        kept.pop("limit", None)
    if _is_copied(kept.get("what"), words):
        del kept["what"]
    for key in _PLACES:
        if isinstance(kept.get(key), dict) and _is_unasked(kept[key], words, known):
            del kept[key]
    if isinstance(kept.get("when"), dict) and not _speaks_of_time(words):
        kept["when"] = {
            name: each for name, each in kept["when"].items() if name not in _INSTANTS or not _is_number(each)
        }
    return kept


def _is_unasked(where: Mapping[str, Any], words: Sequence[str], known: Known) -> bool:
    """Whether a place is one of the examples, or an agent, that the question does not name."""
    of = where.get("of")
    if _is_copied(of, words) or _is_copied(where.get("and_of"), words):
        return True
    return isinstance(of, str) and _is_agent(of, known) and not _is_asked_for(of, words, known)


def _is_copied(said: Any, words: Sequence[str]) -> bool:
    own = words_in(said) if isinstance(said, str) else []
    beginnings = {word[:4] for word in words}  # "stool" and "stools"
    return bool(own) and set(own) <= example_things() and not {each[:4] for each in own} & beginnings


def _is_asked_for(said: Any, words: Sequence[str], known: Known) -> bool:
    """Whether the question names the agent, or speaks of the one who asks; "the kitchen" is no agent."""
    agent = str(said).strip().casefold()
    speaks_of_asker = bool(_FIRST_PERSON & set(words))
    if agent in ME or (speaks_of_asker and agent == (known.asker or "").casefold()):
        return speaks_of_asker
    name, asked = " ".join(words_in(agent)), " ".join(words)
    if name and not _is_agent(agent, known):
        return not re.search(rf"\b(?:the|a|an|this|that) (?:\w+ )?{re.escape(name)}\b", asked)
    return bool(name) and f" {name} " in f" {asked} "


def _is_agent(said: str, known: Known) -> bool:
    return said.strip().casefold() in {each.casefold() for each in known.agents}


def _speaks_of_time(words: Collection[str]) -> bool:
    return bool(_NUMBERS_AND_UNITS & set(words)) or any(word[0].isdigit() for word in words)


def _is_number(instant: Any) -> bool:
    return isinstance(instant, str) and any(char.isdigit() for char in instant)
