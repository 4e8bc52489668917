"""Keys in a plan that the question does not ask for.

A small model fills in what it could leave out: the time it was told it is, the agent it was told of. Such a key
makes the question narrower than it is. What a question says of time and of agents can be told from its words; where
it says nothing, the key goes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "myself", "we", "us", "our", "ours"))

_NUMBERS_AND_UNITS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety "
    "hundred half quarter second seconds minute minutes hour hours frame frames image picture noon midnight".split()
)

_INSTANTS = ("at", "after", "before")


def without_unasked(document: Any, question: str, agents: Collection[str]) -> Any:
    """A document of the flat form without agents and instants that the question does not name.

    An agent stays where it is named, or where the question speaks of the one who asks; not where the question is
    who saw something. An instant that is a number stays where the question has a number or a unit of time.

    Args:
        document: as a model wrote it, not yet validated.
        question: in any words; an empty one leaves the document as it is.
        agents: names that the memory knows.
    """
    if not question or not isinstance(document, dict) or not isinstance(document.get("steps"), list):
        return document
    words = frozenset(re.findall(r"[^\W_]+", question.lower()))
    who = str(document.get("ask", "")).startswith("who_")
    named = {each for each in agents if each.casefold() in question.casefold()}
    keeps_agent = not who and bool(named or words & _FIRST_PERSON)
    keeps_numbers = bool(words & _NUMBERS_AND_UNITS) or any(word[0].isdigit() for word in words)
    steps = [_step(step, keeps_agent, keeps_numbers) for step in document["steps"]]
    return {**document, "steps": steps}


def _step(step: Any, keeps_agent: bool, keeps_numbers: bool) -> Any:
    if not isinstance(step, dict):
        return step
    kept = dict(step)
    if not keeps_agent:
        kept.pop("agent", None)
    if not keeps_numbers and isinstance(kept.get("when"), Mapping):
        kept["when"] = {
            name: each for name, each in kept["when"].items() if name not in _INSTANTS or not _is_number(each)
        }
        if not any(kept["when"].values()):
            del kept["when"]
    return kept


def _is_number(instant: Any) -> bool:
    return isinstance(instant, str) and any(char.isdigit() for char in instant)
