"""What was found out about models, kept for a day in the user's cache folder, so that a command asks at once.

A probe is known by the server's URL, the model's name and what the server says of the model; another model behind
the same name, or more context, is probed anew. Losing the file, or not being able to write it, costs one more
probe.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from recall4d.models.probe import Probed
from recall4d.records import Capabilities

MAX_AGE_S = 24 * 3600.0
_CHANGING = ("created", "permission")  # some servers make these anew for every list


def cache_folder() -> Path:
    """Folder for the file: XDG_CACHE_HOME or ~/.cache, as freedesktop.org's base directory specification says."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "recall4d"


def probe_key(url: str, name: str, entry: Mapping[str, Any]) -> str:
    """What a probe is known by."""
    told = {key: value for key, value in entry.items() if key not in _CHANGING}
    return hashlib.sha256(json.dumps([url, name, told], sort_keys=True, default=str).encode()).hexdigest()[:32]


def load(key: str) -> Probed | None:
    """A kept probe that is not too old."""
    document = _read().get(key)
    try:
        if document is None or time.time() - document["at_s"] > MAX_AGE_S:
            return None
        probed = document["probed"]
        return Probed(
            Capabilities(**probed["capabilities"]),
            probed["dialect"],
            frozenset(probed["without"]),
            probed["server"],
            tuple(probed["notes"]),
        )
    except (KeyError, TypeError):
        return None


def save(key: str, probed: Probed) -> None:
    """Keep a probe."""
    kept = {old: each for old, each in _read().items() if time.time() - each.get("at_s", 0.0) <= MAX_AGE_S}
    document = {**asdict(probed), "without": sorted(probed.without)}
    kept[key] = {"at_s": time.time(), "probed": document}
    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(kept), encoding="utf-8")
        part.replace(path)
    except OSError:
        return


def _path() -> Path:
    return cache_folder() / "models.json"


def _read() -> dict[str, Any]:
    try:
        document = json.loads(_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    known = document if isinstance(document, dict) else {}
    return {key: each for key, each in known.items() if isinstance(each, dict)}
