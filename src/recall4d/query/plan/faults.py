"""A plan from outside: read, validated, or refused with a sentence that says what to change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from recall4d.errors import InputError
from recall4d.query.plan import MAX_LIMIT, Plan

Model = TypeVar("Model", bound=BaseModel)

MAX_BYTES = 200_000
MAX_FAULTS = 3

_LIMITS = {
    "limit": f"at most {MAX_LIMIT} rows; leave it out to keep all that a later step needs",
    "steps": "at most 16 steps",
}


def plan_of_json(document: str | bytes | Mapping[str, object]) -> Plan:
    """The plan in a JSON document.

    Raises:
        InputError: it is none; the message says where, what was expected and what is there.
    """
    return model_of_json(Plan, document)


def model_of_json(model: type[Model], document: str | bytes | Mapping[str, object]) -> Model:
    """The same for any form of a plan."""
    if isinstance(document, str | bytes) and len(document) > MAX_BYTES:
        raise InputError(f"this is no plan: it has {len(document)} bytes, at most {MAX_BYTES} are read")
    try:
        if isinstance(document, str | bytes):
            return model.model_validate_json(document)
        return model.model_validate(document)
    except ValidationError as error:
        raise InputError(f"this is no plan: {fault_sentence(error)}") from error


def fault_sentence(error: ValidationError) -> str:
    """The first faults of a document: where, what was expected, what is there."""
    faults = error.errors(include_url=False)
    said = [_fault(fault["loc"], fault["msg"], fault["type"], fault["input"]) for fault in faults[:MAX_FAULTS]]
    more = f"; and {len(faults) - MAX_FAULTS} more" if len(faults) > MAX_FAULTS else ""
    return "; ".join(said) + more


def _fault(loc: tuple[int | str, ...], message: str, kind: str, given: object) -> str:
    where = ".".join(map(str, loc))
    expected = message.removeprefix("Value error, ")
    expected = expected[:1].lower() + expected[1:]
    hint = _LIMITS.get(str(loc[-1])) if loc and kind in ("less_than_equal", "too_long") else None
    if hint is not None:
        expected = hint
    shown = "" if kind in ("missing", "json_invalid", "value_error") or isinstance(given, dict | list) else given
    got = f", got {str(shown)[:60]!r}" if shown != "" else ""
    return f"{where}: {expected}{got}" if where else f"{expected}{got}"
