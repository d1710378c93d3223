"""Files to take away, straight from disk, each through a link that lives fifteen minutes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlzero import config
from mlzero.ui import security
from mlzero.ui.tickets import Tickets

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

LIFETIME = 15 * 60.0  # seconds
RENEW = 8 * 60.0  # seconds after which an open page asks for fresh links


@dataclass(frozen=True)
class Offer:
    """A file on offer and the name it gets on the visitor's disk."""

    path: Path
    name: str


_offers: Tickets[Offer] = Tickets(LIFETIME)


def link(path: Path, name: str, cookie: str) -> str:
    """An address that gives `path` to the browser with this cookie, for fifteen minutes."""
    return f"/api/download/{_offers.issue(Offer(path, name), cookie)}"


async def download(request: Request) -> Response:
    """``GET /api/download/{ticket}``: the file; 403 when the ticket does not open, 404 when the file is gone."""
    from starlette.responses import FileResponse, PlainTextResponse

    offer = _offers.open(request.path_params["ticket"], security.cookie_of(request.scope["headers"]))
    if offer is None:
        return PlainTextResponse("This link has expired. Reload the page and try again.", 403)
    path = offer.path.resolve()
    if not path.is_relative_to(config.home().resolve()) or not path.is_file():
        return PlainTextResponse("This file is gone.", 404)
    return FileResponse(
        path,
        media_type="application/octet-stream",
        filename=offer.name,
        headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"},
    )
