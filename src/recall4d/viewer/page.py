"""A memory as one HTML file: nothing is fetched, so that it opens from a disk, an archive or a mail years later."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from recall4d.memory.snapshot import Snapshot
from recall4d.viewer.crops import CropBudget
from recall4d.viewer.document import document_of

SCRIPTS = ("memory.js", "canvas.js", "plan.js", "orbit.js", "timeline.js", "panels.js", "page.js")
"""In this order they share one script tag: a module cannot be imported from inside a single file."""

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_UNSAFE = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}


def write_page(
    snapshot: Snapshot,
    directory: Path,
    out: Path,
    title: str = "recall4d memory",
    crop_budget: CropBudget | None = None,
) -> Path:
    """Write a page to explore a memory: plan, 3D view, time line and entries.

    Args:
        snapshot: what is drawn.
        directory: the memory's, in which its crops are found.
        out: file to write; its folder is made if need be.
        title: heading of the page.
        crop_budget: how many crops are embedded, and how large.

    Returns:
        `out`.
    """
    document = document_of(snapshot, directory, crop_budget or CropBudget())
    style = _asset("page.css")
    script = "\n".join(_asset(name) for name in SCRIPTS)
    page = _filled(
        _asset("page.html"),
        {
            "title": html.escape(title),
            "style": style,
            "style_hash": _hash(style),
            "script": script,
            "script_hash": _hash(script),
            "document": json_for_script(document),
        },
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    # The hashes are of text with "\n", and a lone surrogate in a title is no reason to fail.
    out.write_text(page, encoding="utf-8", errors="replace", newline="\n")
    return out


def json_for_script(document: Any) -> str:
    """JSON that may stand inside a script tag, whatever its strings hold.

    Inside JSON `<`, `>` and `&` occur in strings only; as escapes they neither close the tag nor open a comment.
    """
    text = json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.translate(_UNSAFE)


@cache
def _asset(name: str) -> str:
    return files("recall4d.viewer").joinpath("assets", name).read_text(encoding="utf-8")


def _filled(template: str, values: dict[str, str]) -> str:
    """The template with each ``{{name}}`` replaced, in one pass: values are never searched."""
    return _PLACEHOLDER.sub(lambda match: values[match.group(1)], template)


def _hash(text: str) -> str:
    """The source expression that lets a content security policy admit exactly this text (CSP level 2)."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")
