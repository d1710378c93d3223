"""A server on this machine that speaks the wire formats of Bedrock (Converse, ConverseStream), OpenAI and Anthropic.

What it answers is scripted: a list of replies, or a function of the question. The real client libraries talk to it.
"""

from __future__ import annotations

import json
import ssl
import struct
import threading
import time
from binascii import crc32
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

NAMES = {  # of errors, by status: Bedrock, OpenAI, Anthropic
    400: ("ValidationException", "invalid_request_error", "invalid_request_error"),
    403: ("AccessDeniedException", "invalid_api_key", "permission_error"),
    404: ("ResourceNotFoundException", "model_not_found", "not_found_error"),
    429: ("ThrottlingException", "rate_limit_exceeded", "rate_limit_error"),
    500: ("InternalServerException", "server_error", "api_error"),
}
TOO_LONG = {
    "bedrock": "Input is too long for requested model.",
    "openai": "This model's maximum context length is 8192 tokens.",
    "anthropic": "prompt is too long: 210000 tokens > 200000 maximum",
}


@dataclass(frozen=True)
class Say:
    """A reply that goes well, or nearly."""

    text: str
    ending: str = "stop"  # "stop", "length", "cut" (the connection breaks), "never" (no end mark, clean close)
    wait: float = 0.0  # seconds before it begins
    pause: float = 0.0  # seconds between two pieces


@dataclass(frozen=True)
class Refuse:
    """A reply with an error status."""

    status: int
    too_long: bool = False


@dataclass(frozen=True)
class Rubbish:
    """A body that is no JSON and no stream."""

    body: bytes = b"<html>gateway</html>"


@dataclass(frozen=True)
class Endless:
    """Pieces without end."""


Reply = str | Say | Refuse | Rubbish | Endless


@dataclass
class Loopback:
    """A context manager; `address` is the root, `asked` what came in."""

    replies: Sequence[Reply] | Callable[[str], Reply] = ()
    asked: list[str] = field(default_factory=list)  # the text of every question, instructions included
    headers: list[dict[str, str]] = field(default_factory=list)
    certificate: Path | None = None  # with its key, for https

    def __enter__(self) -> Loopback:
        loopback = self
        self._queue = list(self.replies) if not callable(self.replies) else []

        class Handler(_Handler):
            server_side = loopback

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        return f"http{'s' if self.certificate else ''}://127.0.0.1:{self._server.server_address[1]}"

    def base_url(self, provider: str) -> str:
        return f"{self.address}/v1" if provider == "openai" else self.address

    def reply(self, question: str) -> Reply:
        if callable(self.replies):
            return self.replies(question)
        return self._queue.pop(0) if len(self._queue) > 1 else self._queue[0]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_side: Loopback

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.server_side.headers.append(dict(self.headers))
        if self.path.startswith("/foundation-models"):
            self._json(200, {"modelSummaries": [{"modelArn": "arn:x", "modelId": "maker.small-v1", "inferenceTypesSupported": ["ON_DEMAND"]}]})  # fmt: skip
        elif self.path.startswith("/inference-profiles"):
            self._json(200, {"inferenceProfileSummaries": [{"inferenceProfileId": "eu.maker.large-v1", "inferenceProfileName": "large", "inferenceProfileArn": "arn:y", "models": [], "status": "ACTIVE", "type": "SYSTEM_DEFINED"}]})  # fmt: skip
        else:
            entry = {"id": "small", "object": "model", "type": "model", "created": 1, "owned_by": "me", "display_name": "Small", "created_at": "2026-01-01T00:00:00Z"}  # fmt: skip
            self._json(200, {"object": "list", "data": [entry], "has_more": False, "first_id": "small", "last_id": "small"})  # fmt: skip

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server_side.headers.append(dict(self.headers))
        question = json.dumps(body, ensure_ascii=False)
        self.server_side.asked.append(_text_of(body))
        reply = self.server_side.reply(question)
        reply = Say(reply) if isinstance(reply, str) else reply
        provider = self._provider()
        with suppress(BrokenPipeError, ConnectionResetError):
            if isinstance(reply, Refuse):
                self._refuse(provider, reply)
            elif isinstance(reply, Rubbish):
                self._begin(200, "text/html")
                self._piece(reply.body)
                self._end()
            else:
                time.sleep(getattr(reply, "wait", 0.0))
                stream = "converse-stream" in self.path or body.get("stream")
                self._stream(provider, reply) if stream else self._json(200, _whole(provider, reply))

    def _provider(self) -> str:
        path = unquote(self.path)
        return "bedrock" if "/converse" in path else "openai" if path.endswith("/chat/completions") else "anthropic"

    def _refuse(self, provider: str, reply: Refuse) -> None:
        place = ("bedrock", "openai", "anthropic").index(provider)
        name = NAMES[reply.status][place]
        message = TOO_LONG[provider] if reply.too_long else f"scripted {name}"
        if reply.too_long and provider == "openai":
            name = "context_length_exceeded"
        bodies: dict[str, Any] = {
            "bedrock": {"message": message},
            "openai": {"error": {"message": message, "type": name, "code": name}},
            "anthropic": {"type": "error", "error": {"type": name, "message": message}},
        }
        self._json(reply.status, bodies[provider], {"x-amzn-errortype": name})

    def _stream(self, provider: str, reply: Say | Endless) -> None:
        kind = "application/vnd.amazon.eventstream" if provider == "bedrock" else "text/event-stream"
        self._begin(200, kind)
        frames = {"bedrock": _bedrock, "openai": _openai, "anthropic": _anthropic}[provider]
        for frame in frames(_pieces(reply), getattr(reply, "ending", "stop")):
            self._piece(frame)
            time.sleep(getattr(reply, "pause", 0.0))
        if getattr(reply, "ending", "") == "cut":
            self.close_connection = True
            self.connection.close()
            return
        self._end()

    def _begin(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def _piece(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _end(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def _json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})}.items():  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _text_of(body: Any) -> str:
    """All strings of a request, one below the other."""
    if isinstance(body, str):
        return body
    parts = body.values() if isinstance(body, dict) else body if isinstance(body, list) else []
    return "\n".join(filter(None, map(_text_of, parts)))


def _pieces(reply: Say | Endless) -> Iterator[str]:
    if isinstance(reply, Endless):
        while True:
            yield "and so on, " * 50
    size = 40
    yield from (reply.text[i : i + size] for i in range(0, len(reply.text), size))


def frame(event: str, payload: dict[str, Any]) -> bytes:
    """One message of Amazon's event stream: lengths and check sums around headers and payload."""
    headers = b""
    for name, value in ((":event-type", event), (":content-type", "application/json"), (":message-type", "event")):
        headers += bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
    data = json.dumps(payload).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(data), len(headers))
    message = prelude + struct.pack(">I", crc32(prelude)) + headers + data
    return message + struct.pack(">I", crc32(message))


def _bedrock(pieces: Iterator[str], ending: str) -> Iterator[bytes]:
    yield frame("messageStart", {"role": "assistant"})
    for piece in pieces:
        yield frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": piece}})
    if ending in ("cut", "never"):
        return
    yield frame("contentBlockStop", {"contentBlockIndex": 0})
    yield frame("messageStop", {"stopReason": "max_tokens" if ending == "length" else "end_turn"})
    yield frame("metadata", {"usage": {"inputTokens": 100, "outputTokens": 20, "totalTokens": 120}, "metrics": {"latencyMs": 5}})  # fmt: skip


def _openai(pieces: Iterator[str], ending: str) -> Iterator[bytes]:
    def chunk(choices: list[Any], **more: Any) -> bytes:
        body = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "small", "choices": choices, **more}  # fmt: skip
        return f"data: {json.dumps(body)}\n\n".encode()

    for piece in pieces:
        yield chunk([{"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": None}])
    if ending in ("cut", "never"):
        return
    yield chunk([{"index": 0, "delta": {}, "finish_reason": ending}])
    yield chunk([], usage={"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120})
    yield b"data: [DONE]\n\n"


def _anthropic(pieces: Iterator[str], ending: str) -> Iterator[bytes]:
    def event(kind: str, **body: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **body})}\n\n".encode()

    message = {"id": "m1", "type": "message", "role": "assistant", "model": "small", "content": [], "stop_reason": None, "stop_sequence": None}  # fmt: skip
    yield event("message_start", message={**message, "usage": {"input_tokens": 100, "output_tokens": 1}})
    yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    for piece in pieces:
        yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
    if ending in ("cut", "never"):
        return
    yield event("content_block_stop", index=0)
    reason = "max_tokens" if ending == "length" else "end_turn"
    yield event("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage={"output_tokens": 20})
    yield event("message_stop")


def _whole(provider: str, reply: Say | Endless) -> dict[str, Any]:
    """The reply to a question that asked for no stream."""
    text = reply.text if isinstance(reply, Say) else "and so on, " * 10_000
    if provider == "bedrock":
        return {
            "output": {"message": {"role": "assistant", "content": [{"text": text}]}}, "stopReason": "end_turn",
            "usage": {"inputTokens": 100, "outputTokens": 20, "totalTokens": 120}, "metrics": {"latencyMs": 5},
        }  # fmt: skip
    if provider == "openai":
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return {"id": "c1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}  # fmt: skip
    return {"id": "m1", "type": "message", "role": "assistant", "model": "small", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 100, "output_tokens": 20}}  # fmt: skip
