"""Keys and passwords, kept out of what is written down."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

HIDDEN = "[hidden]"

_SECRET_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_MIN_LENGTH = 8
"""Shorter values are words ("none", "true") that stand in texts of their own."""

_IN_URL = re.compile(r"(?<=://)[^/\s@\"']+(?=@)")
_IN_HEADER = re.compile(r"(?i)(\bbearer\s+)[\w.~+/=-]{8,}")
_IN_QUERY = re.compile(r"(?i)([?&](?:api[_-]?key|key|token|access_token|secret|password)=)[^&\s\"']+")


def secrets_of(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Values of environment variables whose name says that they are secret, longest first."""
    values = os.environ if environment is None else environment
    found = {value.strip() for name, value in values.items() if _SECRET_NAMES.search(name)}
    return tuple(sorted((each for each in found if len(each) >= _MIN_LENGTH), key=len, reverse=True))


def without_secrets(part: Any, secrets: Sequence[str]) -> Any:
    """Plain JSON with every secret, credential in a URL, bearer token and key in a query replaced, at any depth."""
    if isinstance(part, str):
        return _hidden(part, secrets)
    if isinstance(part, Mapping):
        return {_hidden(str(name), secrets): without_secrets(each, secrets) for name, each in part.items()}
    if isinstance(part, list | tuple):
        return [without_secrets(each, secrets) for each in part]
    return part


def _hidden(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    text = _IN_URL.sub(HIDDEN, text) if "://" in text else text
    text = _IN_HEADER.sub(rf"\g<1>{HIDDEN}", text)
    return _IN_QUERY.sub(rf"\g<1>{HIDDEN}", text) if "=" in text else text
