"""A plan as text to read and write; docs/plan-language.md has the grammar.

```text
table: "dining table"
mugs: "mug" or "cup"; with "red"; on table; observed from 60 s ago
measure count mugs
```
"""

from __future__ import annotations

from recall4d.query.plan import Plan
from recall4d.query.plan.faults import plan_of_json
from recall4d.query.plan_text.reader import instant_of_text, place_of_text, plan_of_text
from recall4d.query.plan_text.writer import text_of_plan

__all__ = ["instant_of_text", "place_of_text", "plan_of_text", "read_plan", "text_of_plan"]


def read_plan(document: str) -> Plan:
    """A plan written either way: as text, or as JSON.

    Raises:
        InputError: it is neither; the message says where and what was expected.
    """
    return plan_of_json(document) if document.lstrip().startswith("{") else plan_of_text(document)
