"""The form in which a small model writes a plan: what is asked, in a word, and steps in the flat keys form.

`query.keys_form` says how things are found; here one word more says what of them answers the question, so that
memory computes an answer of the right type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from pydantic import Field, ValidationError, model_validator

from recall4d.errors import InputError
from recall4d.query.keys_form import KeysForm, KeysStep, Known, When, Where, plan_of_form
from recall4d.query.manual import INSTANTS, field_lines
from recall4d.query.plan import Ask, Find, Plan, SpatialKey, StepRef
from recall4d.query.plan.base import Part
from recall4d.query.plan.faults import fault_sentence
from recall4d.query.plan.where import N_ANCHORS
from recall4d.query.rooms import EVERYWHERE
from recall4d.reasoning.r4.examples import examples_like
from recall4d.reasoning.r4.unasked import without_unasked

MAX_STEPS = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one word of the form asks for.

    Attributes:
        told: what the manual says of it.
        kind, detail: of the plan's ask.
        present: without a time, only what is not known to be gone is meant.
    """

    told: str
    kind: str
    detail: str | None = None
    present: bool = False


WANTED: Mapping[str, Wanted] = {
    "where": Wanted("where is it, where was it", "where"),
    "where_before": Wanted("where was it before it moved", "where", "before"),
    "on_what": Wanted("what does it stand or lie on", "on_what"),
    "which": Wanted("which one, what thing is it", "which", present=True),
    "list": Wanted("what things are there", "list", present=True),
    "count": Wanted("how many", "count", present=True),
    "exists": Wanted("yes or no: is it there, was it there", "exists", present=True),
    "still_there": Wanted("yes or no: is it still where it was", "still_there"),
    "distance": Wanted(
        "how far apart the things of the last two steps are, or how far the only one is from me", "distance"
    ),
    "height": Wanted("how high, how tall", "height", "height"),
    "width": Wanted("how wide", "size", "width"),
    "length": Wanted("how long it is in metres", "size", "length"),
    "direction": Wanted("which way from me", "direction"),
    "left_or_right": Wanted("is the first step's thing left or right of the second's", "side", "left_right"),
    "when_first_seen": Wanted("when first seen, first noticed", "when_seen", "first"),
    "when_last_seen": Wanted("when last seen, last in view", "when_seen", "last"),
    "how_long_ago": Wanted("how long ago seen", "since_seen", "last"),
    "how_long_seen": Wanted("for how long it was in view", "seen_for"),
    "when_moved": Wanted("when was it moved", "when_moved", "moved"),
    "has_moved": Wanted("yes or no: was it moved", "has_changed", "moved"),
    "moved_by": Wanted("how far was it moved", "moved_distance"),
    "what_moved": Wanted("which of the things were moved", "what_changed", "moved"),
    "what_is_gone": Wanted("which of the things were taken away", "what_changed", "gone"),
    "what_is_new": Wanted("which of the things are new", "what_changed", "appeared"),
    "colour": Wanted("what colour", "attribute", "colour"),
    "material": Wanted("made of what", "attribute", "material"),
    "words_on_it": Wanted("what is written on it, what title", "attribute", "title"),
    "description": Wanted("what does it look like", "attribute", "description"),
    "who_saw": Wanted("who saw it", "who_saw"),
    "who_saw_first": Wanted("who saw it first", "who_saw", "first"),
    "who_saw_last": Wanted("who saw it last", "who_saw", "last"),
    "seen_first": Wanted("which of the things of two steps was seen first", "compare_seen", "first"),
    "nearer": Wanted("which of two steps' things is nearer to the third's", "compare_distance", "nearest"),
    "farther": Wanted("which of two steps' things is farther from the third's", "compare_distance", "farthest"),
    "taller": Wanted("which of two steps' things is taller", "compare_size", "tallest"),
    "larger": Wanted("which of two steps' things is bigger", "compare_size", "largest"),
    "smaller": Wanted("which of two steps' things is smaller", "compare_size", "smallest"),
    "higher": Wanted("which of two steps' things is higher up", "compare_size", "highest"),
    "lower": Wanted("which of two steps' things is lower down", "compare_size", "lowest"),
}
"""The words, in the manual's order."""

_LANDMARKED = ("nearer", "farther")
_SIDED = "left_or_right"
_PAIRED = ("seen_first", _SIDED, *_LANDMARKED, "taller", "larger", "smaller", "higher", "lower")


class QuestionForm(Part):
    """A plan as a form."""

    ask: str
    steps: tuple[KeysStep, ...] = Field(min_length=1, max_length=MAX_STEPS)

    @model_validator(mode="after")
    def _check(self) -> QuestionForm:
        if self.ask not in WANTED:
            raise ValueError(f"ask: expected one of {', '.join(WANTED)}, got {self.ask[:40]!r}")
        least = 3 if self.ask in _LANDMARKED else 2 if self.ask in _PAIRED else 1
        if len(self.steps) < least:
            raise ValueError(f"{self.ask!r} needs {least} steps, got {len(self.steps)}")
        return self


class FlatForm:
    """A `PlanForm` of one word and flat steps; names are understood as those of one memory.

    Attributes:
        known: names of agents, regions and entries.
    """

    examples = staticmethod(examples_like)

    def __init__(self, known: Known | None = None) -> None:
        self.known = known or Known()
        self.schema: Mapping[str, Any] = _schema()
        self.manual = manual()

    def plan(self, document: Any, question: str = "") -> Plan:
        """See `PlanForm`."""
        document = without_unasked(document, question, self.known.agents)
        try:
            names = (*self.known.regions, *_step_names(document))
            form = QuestionForm.model_validate(_side_of_one(_in_order(_plain(document, names))))
            return _compiled(form, self.known)
        except ValidationError as error:
            raise ValueError(fault_sentence(error)) from error
        except InputError as error:
            raise ValueError(str(error)) from error


@cache
def manual() -> str:
    """What a model is told about the form, made from its fields and words."""
    lines = ['Fill in {"ask": word, "steps": [step, ...]}. The ask is about what the last step finds.']
    lines += [f"- {word}: {wanted.told}" for word, wanted in WANTED.items()]
    lines.append(
        "A step keeps the things that fit all its keys; usually one step is enough. Give only keys that the "
        "question names: without when, it is about now. Put where a thing is into where, not into what."
    )
    for name, model in (("step", KeysStep), ("where", Where), ("when", When)):
        lines += field_lines(name, model)
    lines.append(INSTANTS)
    return "\n".join(lines)


def _compiled(form: QuestionForm, known: Known) -> Plan:
    wanted = WANTED[form.ask]
    steps = form.steps
    if form.ask in _LANDMARKED:
        # The landmark is asked for last and found first.
        steps = (steps[2], steps[0], steps[1])
    if form.ask == _SIDED:
        steps = (*steps[:2], *_sides(steps[0], steps[1]))
    plan = plan_of_form(KeysForm(steps=steps), known)
    if wanted.present:
        last = steps[-1]
        kept = [_present(step) if step.name == last.name else step for step in plan.steps]
        plan = plan.model_copy(update={"steps": tuple(kept)})
    if form.ask in _LANDMARKED:
        near = SpatialKey(relation="nearest", anchors=(StepRef(step=steps[0].name),))
        names = (steps[1].name, steps[2].name)
        kept = [step.model_copy(update={"spatial": (near,)}) if step.name in names else step for step in plan.steps]
        plan = plan.model_copy(update={"steps": tuple(kept)})
    return Plan.model_validate(plan.model_copy(update={"ask": _ask(form.ask, wanted, steps)}).model_dump())


def _sides(first: KeysStep, second: KeysStep) -> tuple[KeysStep, KeysStep]:
    """Steps that find the first thing again if it is left, or right, of the second."""
    sides: tuple[Literal["left", "right"], ...] = ("left", "right")
    at = first.when or second.when
    left, right = (
        KeysStep(name=f"{side}_side", among=first.name, where=Where(relation=side, of=second.name), when=at)
        for side in sides
    )
    return left, right


def _side_of_one(document: Any) -> Any:
    """A side asked of one step that lies left or right of a thing: that thing is the second step."""
    if not isinstance(document, dict) or document.get("ask") != _SIDED:
        return document
    match document.get("steps"):
        case [{"where": {"relation": "left" | "right", "of": str(landmark)}} as only]:
            first = {name: each for name, each in only.items() if name != "where"}
            return {**document, "steps": [first, {"name": "landmark", "what": landmark}]}
    return document


def _in_order(document: Any) -> Any:
    """Steps after those they name, where their order says nothing else; a small model names what is asked first."""
    steps = document.get("steps") if isinstance(document, dict) else None
    if not isinstance(steps, list) or document.get("ask") in (*_PAIRED, "distance"):
        return document
    waiting = [step for step in steps if isinstance(step, dict) and isinstance(step.get("name"), str)]
    ordered: list[dict[str, Any]] = []
    while waiting:
        names = {step["name"] for step in waiting}
        ready = next((step for step in waiting if not _named_in(step) & names - {step["name"]}), waiting[0])
        waiting.remove(ready)
        ordered.append(ready)
    return {**document, "steps": ordered} if len(ordered) == len(steps) else document


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


def _plain(document: Any, names: Collection[str]) -> Any:
    """The document without keys that keep everything, as a step without them does: "thing", "in the house", "now".

    Args:
        document: as a model wrote it.
        names: of regions and steps, which are places of their own.
    """
    if isinstance(document, list):
        return [_plain(each, names) for each in document]
    if not isinstance(document, dict):
        return document
    kept = {name: _plain(each, names) for name, each in document.items()}
    if _says(kept.get("what"), _ANYTHING):
        del kept["what"]
    if kept.get("relation") in _TO_ONE:
        kept.pop("and_of", None)
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
    return where.get("relation") in _INSIDE and _says(where.get("of"), EVERYWHERE)


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


def _present(step: Find) -> Find:
    if step.temporal is not None or step.presence != "any":
        return step
    return step.model_copy(update={"presence": "present"})


def _ask(word: str, wanted: Wanted, steps: tuple[KeysStep, ...]) -> Ask:
    other = None
    step = steps[-1].name
    if word == _SIDED:
        first, second, *sides = (each.name for each in steps)
        return Ask(kind="side", step=first, other=second, among=tuple(sides), detail=wanted.detail)
    if word in _PAIRED or (word == "distance" and len(steps) > 1):
        step, other = steps[-2].name, steps[-1].name
    return Ask(kind=wanted.kind, step=step, other=other, detail=wanted.detail)  # type: ignore[arg-type]


@cache
def _schema() -> Mapping[str, Any]:
    """The form's JSON schema without what only lengthens replies: a field is left out rather than null."""
    schema: dict[str, Any] = _lean(QuestionForm.model_json_schema(by_alias=True))
    schema["properties"]["ask"] = {"enum": list(WANTED)}
    return schema


def _lean(part: Any) -> Any:
    if isinstance(part, list):
        return [_lean(each) for each in part]
    if not isinstance(part, dict):
        return part
    options = [each for each in part.get("anyOf", ()) if each != {"type": "null"}]
    if len(options) == 1:
        return _lean(options[0])
    return {name: _lean(each) for name, each in part.items() if name not in _WORDS or not isinstance(each, str)}


_ANYTHING = ("thing", "things", "object", "objects", "item", "items", "something", "anything", "what", "any", "all")
_TO_ONE = tuple(each for each in get_args(Where.model_fields["relation"].annotation) if N_ANCHORS.get(each, 1) < 2)
_INSIDE = ("on", "inside", "near", "within")
_NOW = ("now", "currently", "at present", "present", "today", "at the moment")
_WORDS = ("title", "description", "default")
