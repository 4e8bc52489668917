"""One switch for real calls: with it off, reaching a model is an error, in this process and those it starts.

A test that calls out by accident is slow, costs money and passes or fails with the weather. The suite switches
calls off; a test that starts a server of its own, or builds a model of its own, says so:

```python
with real_calls("local"):
    model.complete(request)
```

Every adapter that computes or fetches something asks `check_real_call` first; `scripted` and `replay` need not.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, get_args
from urllib.parse import urlsplit

from recall4d.errors import RealCallError, UsageError

RealCalls = Literal["any", "local", "none"]
"""Any call; only models in this process and servers on a loopback address; none at all."""

VARIABLE = "RECALL4D_REAL_CALLS"


def allowed() -> RealCalls:
    """What is allowed now.

    Raises:
        UsageError: the environment variable says something else.
    """
    value = os.environ.get(VARIABLE, "any")
    for choice in get_args(RealCalls):
        if value == choice:
            return choice  # type: ignore[no-any-return]
    raise UsageError(f"{VARIABLE} must be one of {', '.join(get_args(RealCalls))}, got {value!r}")


@contextmanager
def real_calls(which: RealCalls) -> Iterator[None]:
    """Allow `which` calls inside, in every thread and in processes started inside."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = which
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def check_real_call(model: str, url: str | None = None) -> None:
    """Refuse a call that is not allowed now.

    Args:
        model: its name, for the message.
        url: of its server; None for a model in this process.

    Raises:
        RealCallError: it is not.
    """
    which = allowed()
    if which == "any" or (which == "local" and (url is None or is_loopback(url))):
        return
    raise RealCallError(
        f"a real call to {model} while real calls are switched off ({VARIABLE}={which}): use a scripted or a "
        'replayed model, or allow it with recall4d.models.real_calls.real_calls("local") or ("any")'
    )


def is_loopback(url: str) -> bool:
    """Whether a URL names this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
