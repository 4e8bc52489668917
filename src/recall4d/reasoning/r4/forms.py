"""The forms in which a model writes a plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Protocol

from pydantic import ValidationError

from recall4d.query.plan import Plan
from recall4d.query.plan.faults import fault_sentence
from recall4d.reasoning.r4.examples import Example


class PlanForm(Protocol):
    """How plans are written.

    Attributes:
        schema: JSON schema of one plan, for decoding that is held to it.
        manual: what a model has to know to write one.
    """

    schema: Mapping[str, Any]
    manual: str

    def examples(self, question: str, n: int) -> tuple[Example, ...]:
        """At most n questions like this one, with the plans that ask them; none where the form has none."""
        ...

    def plan(self, document: Any, question: str = "") -> Plan:
        """The plan in a document.

        Args:
            document: as a model wrote it.
            question: what it was written for; keys that it does not ask for may be left out.

        Raises:
            ValueError: it is none; the message says what is wrong, for the one who wrote it.
        """
        ...


class WholeLanguage:
    """The plan language itself, for models that can be trusted with it."""

    def __init__(self) -> None:
        self.schema: Mapping[str, Any] = _whole_schema()
        self.manual = f"A plan fits this JSON schema:\n{json.dumps(self.schema, separators=(',', ':'))}"

    def examples(self, question: str, n: int) -> tuple[Example, ...]:
        """See `PlanForm`; a model that can be trusted with the whole language needs none."""
        return ()

    def plan(self, document: Any, question: str = "") -> Plan:
        """See `PlanForm`."""
        try:
            return Plan.model_validate(document)
        except ValidationError as error:
            raise ValueError(fault_sentence(error)) from error


@cache
def _whole_schema() -> dict[str, Any]:
    return Plan.model_json_schema()
