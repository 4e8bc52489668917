"""Multiple choice: the options written in a question, and a plan that looks for nothing but them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recall4d.query.plan import Find, Plan, SemanticKey

_LABEL = re.compile(r"(?:^|\s)\(?([A-Z])[).:]\s+", re.MULTILINE)
_NAMES = re.compile(r"^[^\d]*[A-Za-z][^\d]*$")
_CHOOSING = ("which", "list", "rows")


def split_options(question: str) -> tuple[str, tuple[str, ...]]:
    """A question without its options, and the options: "... (A) the mug (B) the bowl". None for fewer than two."""
    labels = list(_LABEL.finditer(question))
    first = next((at for at, label in enumerate(labels) if label.group(1) == "A"), None)
    if first is None:
        return question, ()
    labels = labels[first:]
    if [label.group(1) for label in labels] != [chr(ord("A") + at) for at in range(len(labels))] or len(labels) < 2:
        return question, ()
    ends = [*(label.start() for label in labels[1:]), len(question)]
    options = tuple(question[label.end() : end].strip(" ,;\n") for label, end in zip(labels, ends, strict=True))
    return question[: labels[0].start()].strip(), options


def among_options(plan: Plan, options: Sequence[str]) -> Plan:
    """The plan, where it asks for any thing at all, asking for one of the things that the options name."""
    names = [re.sub(r"^\s*\(?[A-Za-z][).:]\s+", "", option) for option in options]
    asked = next((step for step in plan.steps if step.name == plan.ask.step), None)
    if plan.ask.kind not in _CHOOSING or asked is None or asked.semantic is not None:
        return plan
    if not all(map(_NAMES.match, names)):
        return plan
    named = asked.model_copy(update={"semantic": SemanticKey(texts=tuple(names))})
    steps: list[Find] = [named if step is asked else step for step in plan.steps]
    return plan.model_copy(update={"steps": tuple(steps)})
