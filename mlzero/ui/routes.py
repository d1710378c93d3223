"""What the server answers beside the pages."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.middleware import Middleware
    from starlette.routing import BaseRoute

GARBAGE_EVERY = 180.0  # seconds; page reruns do not collect by themselves (runner.postScriptGC)

_serving = False


def serving() -> bool:
    """Whether this process serves our routes and middleware."""
    return _serving


def routes() -> list[BaseRoute]:
    """Uploads and downloads."""
    from starlette.routing import Route

    from mlzero.ui import downloads, uploads

    return [
        Route("/api/upload/{ticket}/begin", uploads.begin, methods=["POST"]),
        Route("/api/upload/{ticket}", uploads.receive, methods=["POST"]),
        Route("/api/upload/{ticket}/finish", uploads.finish, methods=["POST"]),
        Route("/api/download/{ticket}", downloads.download),
    ]


def middleware() -> list[Middleware]:
    """Content policy outside, owner cookie inside."""
    from starlette.middleware import Middleware

    from mlzero.ui.security import Headers, OwnerCookie

    return [Middleware(Headers), Middleware(OwnerCookie)]


@asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    """Wake the registry, so that waiting runs go on before anybody looks at a page."""
    global _serving
    import anyio
    from streamlit.runtime.pages_manager import PagesManager

    from mlzero.registry import registry

    # Else Streamlit takes `pages/` for its own older layout until somebody has opened the first page, and draws a page
    # whose address is opened before that without the frame of `shell`.
    PagesManager.uses_pages_directory = False
    await anyio.to_thread.run_sync(registry)
    _serving = True
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_collect_garbage)
        yield
        tasks.cancel_scope.cancel()
    _serving = False


async def _collect_garbage() -> None:
    import anyio

    while True:
        await anyio.sleep(GARBAGE_EVERY)
        await anyio.to_thread.run_sync(gc.collect)
