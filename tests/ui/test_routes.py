from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from mlzero.ui import downloads, security, uploads
from mlzero.ui.routes import middleware, routes

from .conftest import COOKIE, OTHER
from .test_upload_frames import frame

MINE = {"cookie": f"{security.COOKIE}={COOKIE}"}
THEIRS = {"cookie": f"{security.COOKIE}={OTHER}"}
FRAMES = {"content-type": uploads.FRAMES}


@pytest.fixture
def client() -> Iterator[TestClient]:
    async def page(request: object) -> HTMLResponse:
        return HTMLResponse("<p>hello</p>")

    async def script(request: object) -> Response:
        return Response("1", media_type="text/javascript")

    app = Starlette(routes=[*routes(), Route("/", page), Route("/x.js", script)], middleware=middleware())
    with TestClient(app) as made:
        yield made


@pytest.fixture
def upload(home: Path) -> tuple[str, uploads.Upload]:
    def place() -> tuple[str, Path]:
        folder = home / "runs" / "r1"
        (folder / "data").mkdir(parents=True)
        return "r1", folder

    return uploads.new_upload(COOKIE, place)


def send(
    client: TestClient, token: str, files: dict[str, bytes], *, add: bool = False, headers: dict[str, str] = MINE
) -> Response:
    size = sum(map(len, files.values()))
    begun = client.post(
        f"/api/upload/{token}/begin", json={"files": len(files), "bytes": size, "add": add}, headers=headers
    )
    if begun.status_code != 200:
        return begun
    body = b"".join(frame(name, content) for name, content in files.items())
    sent = client.post(f"/api/upload/{token}", content=body, headers=headers | FRAMES)
    return client.post(f"/api/upload/{token}/finish", headers=headers) if sent.status_code == 200 else sent


# -- cookie and headers


def test_first_page_hands_out_one_unguessable_cookie(client: TestClient) -> None:
    first = client.get("/")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie
    assert security.checked(first.cookies[security.COOKIE])
    assert "set-cookie" not in client.get("/").headers  # the client sends it back


@pytest.mark.parametrize("value", ["short", "x" * 100, "a b" * 12, "<script>" * 5])
def test_a_misshapen_cookie_is_replaced(client: TestClient, value: str) -> None:
    client.cookies.clear()
    answer = client.get("/", headers={"cookie": f"{security.COOKIE}={value}"})
    assert security.checked(answer.cookies.get(security.COOKIE))


def test_a_cached_page_does_not_lose_the_cookie(client: TestClient) -> None:
    asked: dict[bytes, bytes] = {}

    async def app(scope: dict, receive: object, send: object) -> None:
        asked.update(scope["headers"])

    import anyio

    scope = {"type": "http", "headers": [(b"if-none-match", b"1"), (b"accept", b"*/*")]}
    anyio.run(security.OwnerCookie(app), scope, None, None)  # type: ignore[arg-type]
    assert asked == {b"accept": b"*/*"}


@pytest.mark.parametrize("path", ["/", "/x.js", "/api/download/nothing"])
def test_every_answer_carries_the_policy(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert path == "/" or "set-cookie" not in headers


# -- uploads


def test_a_folder_arrives_and_loses_its_wrapping(client: TestClient, upload: tuple[str, uploads.Upload]) -> None:
    token, state = upload
    answer = send(client, token, {"shop/train.csv": b"a,b\n1,2\n", "shop/sub/notes.txt": b"hello"})
    assert answer.status_code == 200 and answer.json()["place"] == "r1"
    assert state.state == "complete" and state.folder is not None
    data = state.folder / "data"
    assert (data / "train.csv").read_bytes() == b"a,b\n1,2\n"
    assert (data / "sub/notes.txt").read_bytes() == b"hello"
    assert sorted(p.name for p in state.folder.iterdir()) == ["data"]


def test_a_folder_replaces_and_files_are_added(client: TestClient, upload: tuple[str, uploads.Upload]) -> None:
    token, state = upload
    send(client, token, {"one/a.csv": b"x\n1\n"})
    send(client, token, {"b.csv": b"x\n2\n"}, add=True)
    assert state.folder is not None
    assert sorted(p.name for p in (state.folder / "data").iterdir()) == ["a.csv", "b.csv"]
    send(client, token, {"two/c.csv": b"x\n3\n"})
    assert sorted(p.name for p in (state.folder / "data").iterdir()) == ["c.csv"]


def test_new_data_forgets_what_was_understood_of_the_old(
    client: TestClient, upload: tuple[str, uploads.Upload]
) -> None:
    token, state = upload
    send(client, token, {"one/a.csv": b"x\n1\n"})
    assert state.folder is not None
    (state.folder / "perception").mkdir()
    (state.folder / "perception/profile.json").write_text("{}")
    send(client, token, {"b.csv": b"x\n2\n"}, add=True)
    assert not (state.folder / "perception").exists()


@pytest.mark.parametrize("name", ["../../evil.csv", "/tmp/evil.csv", "a/../../../evil.csv", "..\\..\\evil.csv"])
def test_nothing_is_written_outside(
    client: TestClient, upload: tuple[str, uploads.Upload], home: Path, name: str
) -> None:
    token, state = upload
    answer = send(client, token, {name: b"evil"})
    assert answer.status_code == 400 and "cannot be used" in answer.json()["error"]
    assert not list(home.parent.rglob("evil*"))
    assert state.state == "failed"


@pytest.mark.parametrize("headers", [THEIRS, {"cookie": ""}])
def test_a_foreign_browser_cannot_use_a_ticket(
    client: TestClient, upload: tuple[str, uploads.Upload], headers: dict[str, str]
) -> None:
    client.cookies.clear()
    token, state = upload
    assert send(client, token, {"a.csv": b"x"}, headers=headers).status_code == 403
    for end in ("", "/finish"):
        assert client.post(f"/api/upload/{token}{end}", headers=headers | FRAMES).status_code == 403
    assert state.state == "waiting"


def test_unknown_tickets_are_refused(client: TestClient) -> None:
    assert send(client, "nothing", {"a.csv": b"x"}).status_code == 403


@pytest.mark.parametrize(
    ("files", "size", "word"), [(0, 0, "no files"), (uploads.MAX_FILES + 1, 1, "At most"), (1, 10**15, "There is room")]
)
def test_limits_are_told_before_anything_is_sent(
    client: TestClient, upload: tuple[str, uploads.Upload], files: int, size: int, word: str
) -> None:
    answer = client.post(f"/api/upload/{upload[0]}/begin", json={"files": files, "bytes": size}, headers=MINE)
    assert answer.status_code == 413 and word in answer.json()["error"]


@pytest.mark.parametrize("body", ["no json", '{"files": "many"}', '{"files": Infinity, "bytes": 1}', "[]", "{}"])
def test_a_strange_announcement_is_refused(client: TestClient, upload: tuple[str, uploads.Upload], body: str) -> None:
    answer = client.post(f"/api/upload/{upload[0]}/begin", content=body, headers=MINE)
    assert answer.status_code == 400


def test_frames_need_their_content_type_and_a_beginning(client: TestClient, upload: tuple[str, uploads.Upload]) -> None:
    assert client.post(f"/api/upload/{upload[0]}", content=b"x", headers=MINE).status_code == 415
    assert client.post(f"/api/upload/{upload[0]}", content=b"x", headers=MINE | FRAMES).status_code == 409


def test_missing_files_are_noticed_at_the_end(client: TestClient, upload: tuple[str, uploads.Upload]) -> None:
    token, state = upload
    client.post(f"/api/upload/{token}/begin", json={"files": 2, "bytes": 4}, headers=MINE)
    client.post(f"/api/upload/{token}", content=frame("a.csv", b"ab"), headers=MINE | FRAMES)
    answer = client.post(f"/api/upload/{token}/finish", headers=MINE)
    assert answer.status_code == 422 and "1 of 2 files, 2 of 4 bytes" in answer.json()["error"]
    assert state.state == "failed"


def test_a_broken_archive_is_told_in_a_sentence(client: TestClient, upload: tuple[str, uploads.Upload]) -> None:
    answer = send(client, upload[0], {"data.zip": b"PK\x03\x04 this is no archive"}, add=True)
    assert answer.status_code == 422 and "data.zip" in answer.json()["error"]
    assert upload[1].folder is not None and [path.name for path in upload[1].folder.iterdir()] == ["data"]


def test_nothing_can_be_finished_that_was_not_begun(client: TestClient, upload: tuple[str, uploads.Upload]) -> None:
    for address, status in ((f"/api/upload/{upload[0]}/finish", 422), (f"/api/upload/{upload[0]}", 409)):
        answer = client.post(address, headers=MINE | FRAMES)
        assert answer.status_code == status and answer.json() == {"error": uploads.NOTHING}


@pytest.mark.parametrize(
    ("broken", "status"), [("mlzero.ui.uploads.FrameWriter.write", 507), ("mlzero.perception.unpack.lay_out", 422)]
)
def test_a_full_disk_is_told_and_nobody_waits_for_the_data(
    client: TestClient, upload: tuple[str, uploads.Upload], monkeypatch: pytest.MonkeyPatch, broken: str, status: int
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    token, state = upload
    monkeypatch.setattr(broken, full)
    answer = send(client, token, {"a.csv": b"x\n1\n"})
    assert answer.status_code == status and answer.json()["error"] == uploads.NOT_STORED
    assert state.state == "failed"
    again = client.post(f"/api/upload/{token}", content=b"", headers=MINE | FRAMES)
    assert again.json()["error"] == uploads.NOT_STORED


# -- downloads


def test_a_file_is_given_to_its_owner_only(client: TestClient, home: Path) -> None:
    path = home / "runs" / "r1" / "predictor.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"zip" * 1000)
    link = downloads.link(path, "predictor.zip", COOKIE)
    mine = client.get(link, headers=MINE)
    assert mine.content == b"zip" * 1000
    assert 'filename="predictor.zip"' in mine.headers["content-disposition"]
    assert mine.headers["cache-control"] == "no-store"
    assert client.get(link, headers=THEIRS).status_code == 403
    path.unlink()
    assert client.get(link, headers=MINE).status_code == 404


def test_nothing_outside_the_home_folder_is_given(client: TestClient, home: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    (home / "runs").mkdir()
    (home / "runs" / "link.csv").symlink_to(secret)
    for path in (secret, home / "runs" / "link.csv", home / ".." / "secret"):
        assert client.get(downloads.link(path, "x", COOKIE), headers=MINE).status_code == 404
