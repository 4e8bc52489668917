"""recall4d: a metric memory of what was where, when, and who saw it.

`Memory` is the door. Names are imported when first used, so that `import recall4d` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recall4d.api import Memory
    from recall4d.config import AssociationSettings, IngestSettings
    from recall4d.errors import Recall4dError
    from recall4d.query.plan import Plan
    from recall4d.records import Answer, Entry, Evidence, Frame, SourceOptions

__version__ = "0.1.0"

_HOME = {
    "Answer": "recall4d.records",
    "AssociationSettings": "recall4d.config",
    "Entry": "recall4d.records",
    "Evidence": "recall4d.records",
    "Frame": "recall4d.records",
    "IngestSettings": "recall4d.config",
    "Memory": "recall4d.api",
    "Plan": "recall4d.query.plan",
    "Recall4dError": "recall4d.errors",
    "SourceOptions": "recall4d.records",
}

__all__ = [
    "Answer",
    "AssociationSettings",
    "Entry",
    "Evidence",
    "Frame",
    "IngestSettings",
    "Memory",
    "Plan",
    "Recall4dError",
    "SourceOptions",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'recall4d' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
