"""The retrieval manual: what a language model is told about the keys form.

Made from the form's own fields and descriptions, so that it says what the schema enforces.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args, get_origin

from recall4d.query.keys_form import KeysForm, KeysStep, When, Where

EXAMPLES: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "What is within 2 m of the table?",
        {"steps": [{"name": "near", "where": {"relation": "within", "of": "table", "distance_m": 2}}]},
    ),
    (
        "Which mug was to the right of the sofa 12 seconds ago?",
        {"steps": [{"name": "mug", "what": "mug", "where": {"relation": "right", "of": "sofa"},
                    "when": {"at": "12 s ago"}}]},
    ),
    (
        "How many books did bravo see before the lamp was moved?",
        {"steps": [{"name": "books", "what": "book", "agent": "bravo",
                    "when": {"seen": True, "before": "lamp moved"}}], "ask": "count"},
    ),
    (
        "What was on the counter the last time I passed the kitchen?",
        {"steps": [{"name": "there", "where": {"relation": "on", "of": "counter"},
                    "when": {"during": "last visit to kitchen"}}]},
    ),
    (
        "What did I look at 30 seconds after the start?",
        {"steps": [{"name": "view", "where": {"relation": "in_view", "of": "me"},
                    "when": {"seen": True, "at": "30 s"}}]},
    ),
    (
        "How far is the red ball from the nearest chair?",
        {"steps": [{"name": "ball", "what": "red ball"},
                   {"name": "chair", "what": "chair", "where": {"relation": "nearest", "of": "ball"}, "limit": 1}],
         "ask": "distance"},
    ),
)  # fmt: skip
"""Questions and the forms that ask them; a test runs them."""

_INTRO = """\
Memory holds things with a description, a place (metres) and times. Retrieve from it by filling in a JSON form:
{"steps": [step, ...], "ask": "rows"}. Each step keeps what fits all its keys; later steps may name earlier ones.
Use only the keys that the question gives. If nothing is found, try fewer keys, other words or a larger distance."""

INSTANTS = """\
Instants: now; 12 s ago; 30 s (after the start); start; frame 120; 2026-03-01T12:00Z; X moved, X gone, X appeared, \
X returned, X first seen, X last seen."""


def retrieval_manual(agents: Sequence[str] = (), regions: Sequence[str] = ()) -> str:
    """The manual, with the names of agents and regions that a memory knows."""
    lines = [
        _INTRO,
        *field_lines("step", KeysStep),
        *field_lines("where", Where),
        *field_lines("when", When),
        INSTANTS,
    ]
    asks = get_args(KeysForm.model_fields["ask"].annotation)
    lines.append(f"ask: {'|'.join(asks)} of the last step; distance between the last two.")
    lines += [f"Agents: {', '.join(agents)}."] if agents else []
    lines += [f"Regions: {', '.join(regions)}."] if regions else []
    for question, form in EXAMPLES:
        lines.append(f"Q: {question}\n{json.dumps(form, separators=(',', ':'))}")
    return "\n".join(lines)


def field_lines(name: str, model: type[KeysStep | Where | When]) -> Iterator[str]:
    """A line for each field of a part of the form."""
    yield f"{name}:"
    for field, known in model.model_fields.items():
        said = _choices(known.annotation)
        described = known.description or {"where": "spatial key", "when": "temporal key"}.get(field, "")
        text = ": ".join(each for each in (said, described) if each)
        yield f"- {known.alias or field}: {text}"


def _choices(annotation: Any) -> str:
    """The words that a field may have, where they are few enough to be listed."""
    return "|".join(get_args(annotation)) if get_origin(annotation) is Literal else ""
