"""A model hub on loopback: the few addresses that fetching weights asks for."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub:
    """Serves the folders of `root` as repositories `owner/name`; a context manager.

    `holds` makes it keep back the second half of large files until the end, as a network does that stops.
    """

    def __init__(self, root: Path, *, holds: bool = False) -> None:
        self.asked: list[str] = []
        self.headers: list[str] = []
        self.end = threading.Event()
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self) -> None:
                self.answer(body=False)

            def do_GET(self) -> None:
                self.answer(body=True)

            def answer(self, *, body: bool) -> None:
                hub.asked.append(f"{self.command} {self.path}")
                hub.headers.append(str(self.headers))
                match self.path.partition("?")[0].strip("/").split("/"):
                    case ["api", "models", owner, name, "revision" | "tree" as what, _] if (
                        root / owner / name
                    ).is_dir():
                        files = sorted((root / owner / name).iterdir())
                        siblings = [{"rfilename": file.name} for file in files]
                        tree = [
                            {"type": "file", "path": f.name, "size": f.stat().st_size, "oid": COMMIT} for f in files
                        ]
                        told = (
                            tree if what == "tree" else {"id": f"{owner}/{name}", "sha": COMMIT, "siblings": siblings}
                        )
                        self.send(json.dumps(told).encode(), "application/json", body)
                    case [owner, name, "resolve", _, file] if (root / owner / name / file).is_file():
                        self.send((root / owner / name / file).read_bytes(), "application/octet-stream", body)
                    case _:
                        self.send_response(404)
                        self.send_header("X-Error-Code", "RepoNotFound")
                        self.send_header("Content-Length", "0")
                        self.end_headers()

            def send(self, content: bytes, kind: str, body: bool) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
                self.send_header("X-Repo-Commit", COMMIT)
                self.end_headers()
                if not body:
                    return
                half = len(content) // 2 if holds and len(content) > 10_000 else len(content)
                self.wfile.write(content[:half])
                if half < len(content):
                    self.wfile.flush()
                    hub.end.wait(120)
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Hub:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end.set()
        self.server.shutdown()
        self.server.server_close()
