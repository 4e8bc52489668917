"""What follows the colon of an adapter's name: `MODEL?option=value&option=value`."""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, ValidationError

from recall4d.errors import UsageError


class Options(BaseModel):
    """Base of the options an adapter takes; every field has a default or is required of the caller."""

    model_config = ConfigDict(frozen=True, extra="forbid")


OptionsT = TypeVar("OptionsT", bound=Options)


def read_argument(
    kind: str, argument: str | None, options: type[OptionsT], default: str = ""
) -> tuple[str, OptionsT]:
    """The model's name and the options of an adapter named `kind:MODEL?option=value`.

    Args:
        kind: the adapter's name, for messages ("segmenter 'sam2'").
        argument: what followed the colon.
        options: what may follow the question mark; values are written as in a URL (%26 for &).
        default: the model taken when none is named; "" asks for one.

    Raises:
        UsageError: no model, an unknown option, one that is missing or a value that does not fit.
    """
    model, _, query = (argument or "").partition("?")
    model = model or default
    known = ", ".join(options.model_fields)
    if not model:
        raise UsageError(f"the {kind} needs a model: MODEL or MODEL?option=value, options: {known}")
    try:
        return model, options.model_validate(dict(parse_qsl(query, keep_blank_values=True)))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = ".".join(map(str, fault["loc"]))
        got = "" if fault["type"] == "missing" else f", got {fault['input']!r}"
        raise UsageError(f"the {kind}: option {name!r}: {fault['msg'].lower()}{got}; options: {known}") from error
