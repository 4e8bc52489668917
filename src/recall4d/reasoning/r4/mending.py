"""A form as a small model writes it, mended before it is validated.

Such a model fills in what it could leave out ("thing", "in the house", what `unasked` knows), puts the step that is
asked about before the one it names, and gives "behind" two landmarks. What was meant is plain;
asking again brings the same again. Nothing here guesses what is looked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, get_args

from recall4d.query.keys_form import ME, Known, Where
from recall4d.query.plan.where import N_ANCHORS
from recall4d.query.rooms import EVERYWHERE, VAGUE
from recall4d.reasoning.r4.as_said import as_said
from recall4d.reasoning.r4.unasked import without_unasked
from recall4d.reasoning.r4.wanted import PAIRED, SIDED

_ANYTHING = ("thing", "things", "object", "objects", "item", "items", "something", "anything", "what", "any", "all")
_TO_ONE = tuple(each for each in get_args(Where.model_fields["relation"].annotation) if N_ANCHORS.get(each, 1) < 2)
_OF_AGENTS = ("in_view", "facing", "along")
_INSIDE = ("on", "inside", "near", "within")
_NOW = ("now", "currently", "at present", "present", "today", "at the moment")


def mended(document: Any, question: str, known: Known) -> Any:
    """The document as it was meant; what is no form at all is returned as it is.

    Args:
        document: as a model wrote it.
        question: what it was written for; an empty one asks for every key that is there.
        known: names that the memory knows.
    """
    document = without_unasked(document, question, known)
    names = (*known.regions, *_step_names(document))
    agents = (*ME, *(each.casefold() for each in known.agents))
    return _side_of_one(_of_what_is_asked(_in_order(as_said(_plain(document, names, agents), question))))


def _side_of_one(document: Any) -> Any:
    """A side asked of one step that lies left or right of a thing: that thing is the second step."""
    if not isinstance(document, dict) or document.get("ask") != SIDED:
        return document
    match document.get("steps"):
        case [{"where": {"relation": "left" | "right", "of": str(landmark)}} as only]:
            first = {name: each for name, each in only.items() if name != "where"}
            return {**document, "steps": [first, {"name": "landmark", "what": landmark}]}
    return document


def _in_order(document: Any) -> Any:
    """Steps after those they name, where their order says nothing else; a small model names what is asked first."""
    steps = document.get("steps") if isinstance(document, dict) else None
    if not isinstance(steps, list) or document.get("ask") in (*PAIRED, "distance"):
        return document
    waiting = [step for step in steps if isinstance(step, dict) and isinstance(step.get("name"), str)]
    ordered: list[dict[str, Any]] = []
    while waiting:
        names = {step["name"] for step in waiting}
        ready = next((step for step in waiting if not _named_in(step) & names - {step["name"]}), waiting[0])
        waiting.remove(ready)
        ordered.append(ready)
    return {**document, "steps": ordered} if len(ordered) == len(steps) else document


def _of_what_is_asked(document: Any) -> Any:
    """Without steps that nothing names behind the first, which is then what is asked about."""
    steps = document.get("steps") if isinstance(document, dict) else None
    if not isinstance(steps, list) or document.get("ask") in (*PAIRED, "distance"):
        return document
    if not all(isinstance(step, dict) and isinstance(step.get("name"), str) for step in steps):
        return document
    names = {step["name"] for step in steps}
    while len(steps) > 1 and not (_named_in(steps[-1]) | _named_in_time(steps[-1])) & names - {steps[-1]["name"]}:
        steps = steps[:-1]
    return {**document, "steps": steps}


def _named_in_time(step: Mapping[str, Any]) -> set[str]:
    """Words in its times, among which another step may be named."""
    when = step.get("when")
    times = when.values() if isinstance(when, dict) else ()
    return {word for each in times if isinstance(each, str) for word in each.split()}


def _named_in(step: Mapping[str, Any]) -> set[Any]:
    """What a step is said to be relative to, or among."""
    keys = [each for each in (step.get("where"), step.get("and_where")) if isinstance(each, dict)]
    said = [step.get("among"), *(each.get(name) for each in keys for name in ("of", "and_of"))]
    return {each for each in said if isinstance(each, str)}


def _step_names(document: Any) -> Iterator[str]:
    steps = document.get("steps") if isinstance(document, dict) else None
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict) and isinstance(step.get("name"), str):
            yield step["name"]


def _plain(document: Any, names: Collection[str], agents: Collection[str]) -> Any:
    """The document without keys that keep everything, as a step without them does: "thing", "in the house", "now".

    Args:
        document: as a model wrote it.
        names: of regions and steps, which are places of their own.
        agents: names and pronouns; nothing else looks anywhere or goes along a path.
    """
    if isinstance(document, list):
        return [_plain(each, names, agents) for each in document]
    if not isinstance(document, dict):
        return document
    kept = {name: _plain(each, names, agents) for name, each in document.items()}
    if isinstance(kept.get("what"), str):
        kept["what"] = kept["what"].replace("_", " ")
    if _says(kept.get("what"), _ANYTHING):
        del kept["what"]
    if kept.get("relation") in _TO_ONE:
        kept.pop("and_of", None)
    if kept.get("relation") in _OF_AGENTS and str(kept.get("of", "me")).strip().lower() not in agents:
        kept["relation"] = "near"
    for key in ("where", "and_where"):
        where = kept.get(key)
        if isinstance(where, dict) and where.get("of") not in names and _is_everywhere(where):
            del kept[key]
    if isinstance(kept.get("when"), dict):
        kept["when"] = _plain_time(kept["when"])
        if not any(kept["when"].values()):
            del kept["when"]
    return kept


def _is_everywhere(where: Mapping[str, Any]) -> bool:
    """Whether a key says only that it is somewhere: in the house, in a corner."""
    return where.get("relation") in _INSIDE and _says(where.get("of"), EVERYWHERE | VAGUE)


def _plain_time(when: dict[str, Any]) -> dict[str, Any]:
    """The key without a time that only says "now"; "at: after X" as "after: X"."""
    for edge in ("after", "before"):
        at = when.get("at")
        if isinstance(at, str) and at.lower().startswith(f"{edge} ") and edge not in when:
            when = {**{name: each for name, each in when.items() if name != "at"}, edge: at[len(edge) + 1 :]}
    said = {name: each for name, each in when.items() if name in ("at", "before", "during")}
    if said and all(_says(each, _NOW) for each in said.values()):
        return {name: each for name, each in when.items() if name not in said}
    return when


def _says(value: Any, words: Collection[str]) -> bool:
    return isinstance(value, str) and value.strip().lower().removeprefix("the ") in words
