"""A server that is sent JSON and sends JSON back: time-outs, retries, and errors that say what to do.

httpx and not the package openai: one endpoint of a few fields is spoken here, by servers that each deviate from it
in their own way, and what is retried, what is said and what is kept secret is decided in this module.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from recall4d.errors import MissingExtraError, ModelRequestError, ModelUnavailableError, UsageError
from recall4d.models.real_calls import check_real_call, is_loopback

if TYPE_CHECKING:
    import httpx

RETRIED = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Statuses that may pass: too slow, too many, a server in trouble. 400, 401, 403, 404, 409 would come again."""

FIRST_DELAY_S, MAX_DELAY_S = 0.5, 8.0
MAX_RETRY_AFTER_S = 60.0
CONNECT_TIMEOUT_S = 10.0

_LASTING = ("invalid_request_error", "not_supported_error", "insufficient_quota", "exceed_context_size_error")
"""Kinds of error that some servers send with 429 or 500 and that do not pass."""


class RefusedRequestError(ModelRequestError):
    """A server refused a request.

    Attributes:
        status: of the HTTP reply.
        detail: what the server said.
    """

    def __init__(self, message: str, status: int, detail: str) -> None:
        super().__init__(message)
        self.status = status
        self.detail = detail


class ServerUnreachableError(ModelUnavailableError):
    """No connection came about."""


class JsonServer:
    """One server. May be called from several threads.

    Attributes:
        url: its base URL, without credentials.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout_s: float = 120.0,
        retries: int = 3,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare; nothing is sent yet.

        Args:
            base_url: with or without "http://" and "/v1"; credentials in it are sent and never shown.
            timeout_s: how long one reply may take.
            retries: how often a request that may succeed later is sent again.
            sleep: waits between tries.

        Raises:
            UsageError: not a base URL.
            MissingExtraError: httpx is not installed.
        """
        try:
            import httpx
        except ImportError as error:
            raise MissingExtraError("httpx", "http", "asking a model server") from error
        self.url, credentials = _split(base_url)
        self.retries = retries
        self.timeout_s = timeout_s
        self._key = _key(self.url)
        self._secrets = [secret for secret in (self._key, *(credentials or ())) if secret]
        self._sleep = sleep
        self._client = httpx.Client(
            timeout=httpx.Timeout(timeout_s, connect=CONNECT_TIMEOUT_S),
            auth=credentials,
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
            trust_env=not is_loopback(self.url),
        )

    def __repr__(self) -> str:
        return f"JsonServer({self.url!r})"

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def get(self, path: str, *, retries: int | None = None) -> Any:
        """The document at `path`, which begins with a slash; from the server's root if it begins with two."""
        return self._send("GET", path, None, retries)

    def post(self, path: str, body: Mapping[str, Any], *, retries: int | None = None) -> Any:
        """What the server replies to `body`.

        Raises:
            RefusedRequestError: it refused, for good.
            ModelUnavailableError: not reached, too slow or too busy, after `retries`; the server's own if None.
            ModelRequestError: what came is no JSON.
        """
        return self._send("POST", path, body, retries)

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None, retries: int | None) -> Any:
        check_real_call(f"the server at {self.url}", self.url)
        left = self.retries if retries is None else retries
        delay_s = FIRST_DELAY_S
        while True:
            outcome = self._try(method, path, body)
            if not isinstance(outcome, _MayPass):
                return outcome
            if left == 0 or outcome.wait_s > MAX_RETRY_AFTER_S:
                raise outcome.error
            # Jitter, or all that failed together come again together.
            self._sleep(outcome.wait_s or delay_s * random.uniform(0.5, 1.0))
            left -= 1
            delay_s = min(2 * delay_s, MAX_DELAY_S)

    def _try(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        import httpx

        root = urlsplit(self.url)
        url = f"{root.scheme}://{root.netloc}{path[1:]}" if path.startswith("//") else self.url + path
        # An httpx error holds the request with its headers: it is not chained, no traceback shows it.
        try:
            response = self._whole(method, url, body)
        except httpx.ConnectTimeout:
            return _MayPass(
                ServerUnreachableError(f"no answer from {self.url} within {CONNECT_TIMEOUT_S:g} s: {_START}")
            )
        except httpx.ConnectError as error:
            return _MayPass(
                ServerUnreachableError(f"no server at {self.url} ({self._hidden(str(error))}): {_START}")
            )
        except httpx.TimeoutException:
            late = f"{self.url} did not reply within {self.timeout_s:g} s: allow more, with ?timeout_s=..."
        except httpx.TransportError as error:
            return _MayPass(ModelUnavailableError(f"{self.url} dropped the connection: {self._hidden(str(error))}"))
        else:
            return self._read(response)
        raise ModelUnavailableError(late)

    def _whole(self, method: str, url: str, body: Mapping[str, Any] | None) -> httpx.Response:
        """A reply, read to its end; httpx bounds each wait, and a reply that drips may take any number of them."""
        import httpx

        begun = time.monotonic()
        with self._client.stream(method, url, json=body) as response:
            pieces = []
            for piece in response.iter_bytes():
                pieces.append(piece)
                if time.monotonic() - begun > self.timeout_s:
                    raise httpx.ReadTimeout("the reply takes too long", request=response.request)
            decoded = {"content-encoding", "content-length", "transfer-encoding"}
            headers = [(name, each) for name, each in response.headers.multi_items() if name.lower() not in decoded]
            return httpx.Response(
                response.status_code, headers=headers, content=b"".join(pieces), request=response.request
            )

    def _read(self, response: httpx.Response) -> Any:
        if not response.is_success:
            return self._failed(response)
        try:
            return response.json()
        except (ValueError, RecursionError):
            pass
        kind = response.headers.get("content-type", "nothing").partition(";")[0]
        if "json" in kind:
            return _MayPass(
                ModelUnavailableError(f"{self.url} sent JSON that breaks off: its server or a proxy was cut")
            )
        raise ModelRequestError(
            f"{response.request.url} answered with {kind}, not JSON: is the base URL right? It mostly ends in /v1"
        )

    def _failed(self, response: httpx.Response) -> _MayPass:
        status, detail, kinds = response.status_code, *_detail(response)
        detail = self._hidden(detail)
        told = f"{self.url} answered {status}" + (f": {detail}" if detail else "")
        if status in RETRIED and not kinds.intersection(_LASTING):
            wait_s = _retry_after_s(response.headers.get("retry-after", ""))
            later = f"; it asks to wait {wait_s:.0f} s" if wait_s > MAX_RETRY_AFTER_S else ""
            return _MayPass(ModelUnavailableError(told + later), wait_s)
        if status in (401, 403):
            told += (
                ": set RECALL4D_API_KEY to a key of this server" if not self._key else ": it does not take this key"
            )
        if response.is_redirect:  # not followed: the key would go along
            told += f": it sends on to {response.headers.get('location')}; pass that as --base-url if you trust it"
        raise RefusedRequestError(told, status, detail)

    def _hidden(self, text: str) -> str:
        """A text without our secrets: servers like to repeat the key they refuse."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


_START = "start it, or pass --base-url"


class _MayPass:
    """A failure that may pass, and how long the server asks to wait."""

    def __init__(self, error: ModelUnavailableError, wait_s: float = 0.0) -> None:
        self.error = error
        self.wait_s = wait_s


def _split(base_url: str) -> tuple[str, tuple[str, str] | None]:
    """Base URL without credentials, and the credentials."""
    given = base_url.strip()
    parts = urlsplit(given if "://" in given else f"http://{given}")
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or port == -1:
        shown = given.rpartition("@")[2].partition("?")[0]
        why = "; a key goes into RECALL4D_API_KEY, not behind a question mark" if parts.query else ""
        raise UsageError(f"expected a base URL like http://localhost:8000/v1, got {shown!r}{why}")
    path = parts.path.rstrip("/").removesuffix("/chat/completions").removesuffix("/embeddings") or "/v1"
    host = parts.netloc.rpartition("@")[2]
    credentials = (parts.username or "", parts.password or "") if parts.username or parts.password else None
    return urlunsplit((parts.scheme, host, path, "", "")), credentials


def _key(url: str) -> str | None:
    """The key to send: one of ours goes anywhere, OPENAI_API_KEY only to where OPENAI_BASE_URL or OpenAI is."""
    if key := os.environ.get("RECALL4D_API_KEY"):
        return key.strip()
    theirs = os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1"
    key = os.environ.get("OPENAI_API_KEY")
    return key.strip() if key and _split(theirs)[0] == url else None


def _detail(response: httpx.Response) -> tuple[str, set[str]]:
    """What a server says of a failure, in one line, and the kinds it gives it."""
    try:
        document = response.json()
    except (ValueError, RecursionError):
        text = response.text if "html" not in response.headers.get("content-type", "") else ""
        return " ".join(text.split())[:300], set()
    error = document.get("error", document) if isinstance(document, dict) else document
    if not isinstance(error, dict):
        return str(error)[:300], set()
    message = error.get("message") or error.get("detail") or error
    text = message if isinstance(message, str) else json.dumps(message)
    return " ".join(text.split())[:500], {str(error.get("type")), str(error.get("code"))}


def _retry_after_s(header: str) -> float:
    """Seconds to wait, given as a number or as an instant; 0 where it cannot be read."""
    try:
        return max(float(header), 0.0)
    except ValueError:
        pass
    try:
        return max((parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return 0.0
