"""JSON schemas as servers take them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

_FOR_PEOPLE = frozenset({"title", "default", "examples", "discriminator", "$comment"})
"""Keywords that constrain nothing; some servers refuse a schema that holds them."""


def json_schema(adapter: TypeAdapter[Any]) -> dict[str, Any]:
    """The schema of a type, without what constrains nothing. Descriptions stay: models read them."""
    return bare(adapter.json_schema())


def bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without keywords that constrain nothing, in which a field that has only one value must be written.

    Objects with fields take no others unless it says so: where others may be added, some models never stop.

    Such a field tells the members of a union apart. Where it has a default, pydantic's schema lets it be left out,
    and pydantic then refuses the document in which it is left out.
    """
    kept = {name: _bare_value(name, value) for name, value in schema.items() if name not in _FOR_PEOPLE}
    tags = [name for name, field in kept.get("properties", {}).items() if "const" in field]
    if "properties" in kept:
        kept.setdefault("additionalProperties", False)
    if tags:
        kept["required"] = list(dict.fromkeys([*tags, *kept.get("required", [])]))
    return kept


def _bare_value(name: str, value: Any) -> Any:
    if name in ("properties", "$defs", "patternProperties"):  # names of fields and types, not keywords
        return {inner: bare(schema) for inner, schema in value.items()}
    if name in ("enum", "const", "required"):
        return value
    if isinstance(value, Mapping):
        return bare(value)
    if isinstance(value, list):
        return [bare(each) if isinstance(each, Mapping) else each for each in value]
    return value


def is_strict(schema: Any) -> bool:
    """Whether every object in a schema names all its fields as required and allows no others.

    OpenAI's servers enforce only such schemas, and refuse others that are called strict; the rest do not ask.
    """
    if isinstance(schema, Mapping):
        fields = schema.get("properties")
        if schema.get("type") == "object" or isinstance(fields, Mapping):
            names = set(fields or {})
            if schema.get("additionalProperties") is not False or names != set(schema.get("required", [])):
                return False
        return all(is_strict(value) for value in schema.values())
    if isinstance(schema, list):
        return all(is_strict(each) for each in schema)
    return True
