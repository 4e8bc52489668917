"""The form in which a small model writes a plan: what is asked, in a word, and steps in the flat keys form.

`query.keys_form` says how things are found; here one word more says what of them answers the question, so that
memory computes an answer of the right type.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from recall4d.errors import InputError
from recall4d.query.keys_form import KeysForm, KeysStep, Known, When, Where, plan_of_form
from recall4d.query.manual import INSTANTS, field_lines
from recall4d.query.plan import Ask, Find, Plan, SpatialKey, StepRef
from recall4d.query.plan.base import Part
from recall4d.query.plan.faults import fault_sentence
from recall4d.reasoning.r4.examples import examples_like
from recall4d.reasoning.r4.mending import mended
from recall4d.reasoning.r4.wanted import LANDMARKED, PAIRED, SIDED, STAYING, WANTED, Wanted

MAX_STEPS = 4


class QuestionForm(Part):
    """A plan as a form."""

    ask: str
    steps: tuple[KeysStep, ...] = Field(min_length=1, max_length=MAX_STEPS)

    @model_validator(mode="after")
    def _check(self) -> QuestionForm:
        if self.ask not in WANTED:
            raise ValueError(f"ask: expected one of {', '.join(WANTED)}, got {self.ask[:40]!r}")
        least = 3 if self.ask in LANDMARKED else 2 if self.ask in PAIRED else 1
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
        try:
            return _compiled(QuestionForm.model_validate(mended(document, question, self.known)), self.known)
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
    if form.ask in LANDMARKED:
        # The landmark is asked for last and found first.
        steps = (steps[2], steps[0], steps[1])
    if form.ask == SIDED:
        steps = (*steps[:2], *_sides(steps[0], steps[1]))
    if form.ask in STAYING and steps[-1].where is not None:
        steps = (*steps[:-1], *_there(form.ask, steps[-1]))
    plan = plan_of_form(KeysForm(steps=steps), known)
    if wanted.present:
        last = steps[-1]
        kept = [_present(step) if step.name == last.name else step for step in plan.steps]
        plan = plan.model_copy(update={"steps": tuple(kept)})
    if form.ask in LANDMARKED:
        near = SpatialKey(relation="nearest", anchors=(StepRef(step=steps[0].name),))
        names = (steps[1].name, steps[2].name)
        kept = [step.model_copy(update={"spatial": (near,)}) if step.name in names else step for step in plan.steps]
        plan = plan.model_copy(update={"steps": tuple(kept)})
    return Plan.model_validate(plan.model_copy(update={"ask": _ask(form.ask, wanted, steps)}).model_dump())


def _there(ask: str, step: KeysStep) -> tuple[KeysStep, KeysStep]:
    """The thing wherever it is, and the thing where it is asked about."""
    when = When(after="start") if ask == "always_there" and step.when is None else step.when
    anywhere = {"name": f"the_{step.name}"[:40], "where": None, "and_where": None, "when": None}
    return step.model_copy(update=anywhere), step.model_copy(update={"when": when, "presence": "present"})


def _sides(first: KeysStep, second: KeysStep) -> tuple[KeysStep, KeysStep]:
    """Steps that find the first thing again if it is left, or right, of the second."""
    sides: tuple[Literal["left", "right"], ...] = ("left", "right")
    at = first.when or second.when
    left, right = (
        KeysStep(name=f"{side}_side", among=first.name, where=Where(relation=side, of=second.name), when=at)
        for side in sides
    )
    return left, right


def _present(step: Find) -> Find:
    if step.temporal is not None or step.presence != "any":
        return step
    return step.model_copy(update={"presence": "present"})


def _ask(word: str, wanted: Wanted, steps: tuple[KeysStep, ...]) -> Ask:
    other = None
    step = steps[-1].name
    if word == SIDED:
        first, second, *sides = (each.name for each in steps)
        return Ask(kind="side", step=first, other=second, among=tuple(sides), detail=wanted.detail)
    if word in STAYING and steps[-1].where is not None:
        step, other = steps[-2].name, steps[-1].name
    if word in PAIRED or (word == "distance" and len(steps) > 1):
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


_WORDS = ("title", "description", "default")
