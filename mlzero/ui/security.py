"""Who is asking, and what a page of ours may load.

Every browser gets an unguessable HttpOnly cookie with its first page. Runs, uploads and downloads
belong to that cookie, or to the signed-in person when sign-in is configured.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "mlzero_owner"
_SHAPE = re.compile(r"^[A-Za-z0-9_-]{32,64}$")
_YEAR = 365 * 24 * 3600

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


def cookie_of(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The owner cookie in raw request headers, or None when it is missing or misshapen."""
    for name, value in headers:
        if name.lower() == b"cookie":
            try:
                found = SimpleCookie(value.decode("latin-1")).get(COOKIE)
            except CookieError:
                return None
            return checked(found.value if found else None)
    return None


def checked(value: object) -> str | None:
    """The cookie's value when it has the shape we hand out."""
    return value if isinstance(value, str) and _SHAPE.match(value) else None


class OwnerCookie:
    """Hand out the owner cookie with the first HTML answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or cookie_of(scope["headers"]):
            await self.app(scope, receive, send)
            return
        secure = "; Secure" if scope.get("scheme") == "https" else ""
        cookie = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax; Max-Age={_YEAR}{secure}"

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_html(message["headers"]):
                message = {**message, "headers": [*message["headers"], (b"set-cookie", cookie.encode())]}
            await send(message)

        # A cached page would be answered with 304 and no content type: ask for the whole page instead.
        fresh = [pair for pair in scope["headers"] if pair[0].lower() not in (b"if-none-match", b"if-modified-since")]
        await self.app({**scope, "headers": fresh}, receive, with_cookie)


class Headers:
    """Add the content policy and its companions to every answer that does not set them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                added = [pair for pair in HEADERS if pair[0] not in present]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self.app(scope, receive, with_headers)


def _is_html(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers)
