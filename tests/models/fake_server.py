"""An OpenAI-compatible server in a thread: a model that repeats what it hears, and every failure on demand.

`server.then(...)` queues what happens to the next requests for a chat completion; when the queue is empty the model
replies. What it can do is set by attributes, and it refuses what it cannot do with the words that real servers use.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
Step = Callable[["Handler", Json], None]


class FakeServer:
    """Attributes are what the server can do; change them before or while it runs."""

    def __init__(self) -> None:
        self.names = ["tiny"]
        self.owned_by = "vllm"
        self.about: Json = {"max_model_len": 2000}
        self.dialects = {"json_schema"}
        self.refuses: dict[str, str] = {}  # a word of the body, and what is said about it
        self.max_pictures = 8
        self.sees_pictures = True
        self.logprobs = True
        self.key: str | None = None
        self.pages: dict[str, Json] = {}
        self.bodies: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.under_way = self.most_under_way = 0
        self._steps: list[Step] = []
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.fake = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    def __enter__(self) -> FakeServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        host, port = self._http.server_address[:2]
        return f"http://{host}:{port}/v1"

    def then(self, *steps: Step) -> None:
        self._steps.extend(steps)

    def next_step(self) -> Step | None:
        with self._lock:
            return self._steps.pop(0) if self._steps else None


class Handler(BaseHTTPRequestHandler):
    @property
    def fake(self) -> FakeServer:
        return self.server.fake  # type: ignore[attr-defined,no-any-return]

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if not self._allowed():
            return
        if self.path == "/v1/models":
            data = [{"id": name, "owned_by": self.fake.owned_by, **self.fake.about} for name in self.fake.names]
            self.send(200, {"object": "list", "data": data})
        elif self.path in self.fake.pages:
            self.send(200, self.fake.pages[self.path])
        else:
            self.send(404, {"detail": "Not Found"})

    def do_POST(self) -> None:
        fake = self.fake
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fake.bodies.append(body)
        fake.headers.append(dict(self.headers))
        if not self._allowed():
            return
        if self.path != "/v1/chat/completions":
            self.send(404, {"detail": "Not Found"})
            return
        fake.under_way += 1
        fake.most_under_way = max(fake.most_under_way, fake.under_way)
        try:
            (fake.next_step() or replies)(self, body)
        finally:
            fake.under_way -= 1

    def send(self, status: int, document: Any, **headers: str) -> None:
        self.send_bytes(status, json.dumps(document).encode(), "application/json", **headers)

    def send_bytes(self, status: int, content: bytes, kind: str, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def _allowed(self) -> bool:
        given = self.headers.get("Authorization", "")
        if self.fake.key is None or given == f"Bearer {self.fake.key}":
            return True
        self.send(
            401, {"error": {"message": f"Incorrect API key provided: {given}", "type": "invalid_request_error"}}
        )
        return False


# --- steps -----------------------------------------------------------------------------------------------------


def replies(handler: Handler, body: Json) -> None:
    """What the model says, or why it cannot."""
    fake = handler.fake
    for word, refusal in fake.refuses.items():
        if word in body or any(message["role"] == word for message in body["messages"]):
            handler.send(400, {"error": {"message": refusal, "type": "BadRequestError"}})
            return
    if body["model"] not in fake.names:
        handler.send(
            404, {"error": {"message": f"The model `{body['model']}` does not exist.", "type": "NotFoundError"}}
        )
        return
    parts = [part for message in body["messages"] for part in _parts(message["content"])]
    n_pictures = sum(part["type"] == "image_url" for part in parts)
    texts = [part["text"] for part in parts if part["type"] == "text"]
    if n_pictures > fake.max_pictures:
        told = f"At most {fake.max_pictures} image(s) may be provided in one prompt."
        handler.send(400, {"error": {"message": told, "type": "BadRequestError"}})
        return
    n_words = sum(len(text.split()) for text in texts)
    if n_words > fake.about.get("max_model_len", 10**9):
        told = f"This model's maximum context length is {fake.about['max_model_len']} tokens."
        handler.send(400, {"error": {"message": told, "type": "BadRequestError"}})
        return
    schema = _schema(body, fake.dialects)
    words = json.dumps(_document(schema)).split(" ") if schema else f"I heard: {texts[-1]}".split(" ")
    limit = body.get("max_tokens", body.get("max_completion_tokens"))
    finish = "length" if len(words) > limit else "stop"
    said = words[:limit]
    handler.send(
        200,
        completion(
            " ".join(said),
            finish,
            tokens_in=n_words + (50 * n_pictures if fake.sees_pictures else 0),
            tokens_out=len(said),
            logprobs=[-0.5] * len(said) if body.get("logprobs") and fake.logprobs else None,
        ),
    )


def completion(
    text: str | None,
    finish: str = "stop",
    tokens_in: int = 7,
    tokens_out: int = 3,
    logprobs: Any = None,
    **message: Any,
) -> Json:
    """A chat completion."""
    choice: Json = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text, **message},
    }
    if logprobs is not None:
        choice["logprobs"] = {"content": [{"token": "a", "logprob": value} for value in logprobs]}
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}
    return {"object": "chat.completion", "choices": [choice], "usage": usage}


def says(document: Any) -> Step:
    """This JSON, whatever was asked."""
    return lambda handler, body: handler.send(200, document)


def fails(status: int, message: str = "", kind: str = "server_error", **headers: str) -> Step:
    """This status, with a JSON error."""
    error = {"error": {"message": message, "type": kind}}
    return lambda handler, body: handler.send(status, error, **headers)


def html(status: int = 200) -> Step:
    """A web page, as from a proxy or from another server at that port."""
    return lambda handler, body: handler.send_bytes(status, b"<html><body>Welcome</body></html>", "text/html")


def broken_json(handler: Handler, body: Json) -> None:
    """JSON that breaks off, in a reply that says it is whole."""
    handler.send_bytes(200, json.dumps(completion("hello")).encode()[:-20], "application/json")


def drops(handler: Handler, body: Json) -> None:
    """The connection is reset."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def drips(seconds: float) -> Step:
    """A reply of one byte now and then, each in time."""

    def step(handler: Handler, body: Json) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "10000")
        handler.end_headers()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                handler.wfile.write(b" ")
                handler.wfile.flush()
            except OSError:
                return
            time.sleep(0.05)

    return step


def waits(seconds: float) -> Step:
    """A slow reply."""

    def step(handler: Handler, body: Json) -> None:
        time.sleep(seconds)
        try:
            replies(handler, body)
        except OSError:  # nobody waited
            handler.close_connection = True

    return step


def _parts(content: Any) -> list[Json]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _schema(body: Json, dialects: set[str]) -> Json | None:
    """The schema of a body, told in a way that this server listens to; other ways are ignored."""
    told = body.get("response_format", {})
    if "json_schema" in dialects and told.get("type") == "json_schema":
        return told["json_schema"]["schema"]  # type: ignore[no-any-return]
    if "json_object" in dialects and told.get("type") == "json_object":
        return told.get("schema")
    if "structured_outputs" in dialects and "structured_outputs" in body:
        return body["structured_outputs"]["json"]  # type: ignore[no-any-return]
    return body.get("guided_json") if "guided_json" in dialects else None


def _document(schema: Json) -> Any:
    """A document that fits a small schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: _document(field) for name, field in schema.get("properties", {}).items()}
    return {"string": "words", "integer": 1, "number": 1.5, "boolean": True, "array": []}[schema["type"]]
