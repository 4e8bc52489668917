"""How a model is named on the command line: `kind:NAME?option=value&option=value`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote

from pydantic import BaseModel, ConfigDict, ValidationError

from recall4d.errors import UsageError

OptionsType = TypeVar("OptionsType", bound="Options")


class Options(BaseModel):
    """Base of an adapter's options: unknown ones are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def read_argument(kind: str, argument: str | None, example: str) -> tuple[str, dict[str, str]]:
    """Name and options of a spec's argument.

    Raises:
        UsageError: there is no name.
    """
    name, _, query = (argument or "").partition("?")
    if not name:
        raise UsageError(f"{kind} needs the name of a model, such as {example}")
    return name, dict(parse_qsl(query, keep_blank_values=True))


def with_option(spec: str, option: str, value: str) -> str:
    """A spec with one more option; what it says already of that option is overruled."""
    return f"{spec}{'&' if '?' in spec else '?'}{option}={quote(value, safe='')}"


def validated(kind: str, options: type[OptionsType], values: Mapping[str, Any]) -> OptionsType:
    """Options, checked.

    Raises:
        UsageError: an unknown option, or a value that does not fit; the message names the known ones.
    """
    try:
        return options.model_validate(values)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = ".".join(map(str, problem["loc"]))
        if problem["type"] == "extra_forbidden":
            raise UsageError(
                f"{kind} has no option {name!r}: expected some of {', '.join(options.model_fields)}"
            ) from None
        raise UsageError(f"{kind} option {name}: {problem['msg']}, got {problem['input']!r}") from None
