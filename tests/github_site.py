"""A stand-in of GitHub's API for one repository: real HTTP on a real port, with the fields of the real answers."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import unquote, urlsplit

from pendesk.domain.github_api import GithubToken
from pendesk.operations.outbound import Reply
from pendesk.store import github_fetches
from pendesk.transports.fetch import Fetcher, is_public_https_or_private
from pendesk.transports.http_outbound import HttpOutbound
from tests.desk import TestDesk
from tests.github_payloads import sha

TOKEN = "github_pat_11ABCDEFG0aBcDeFgHiJkL_" + "mNoPqRsTuVwXyZ0123456789" * 2
HEAD, BASE, PREVIOUS = sha(1), sha(100), sha(50)
FULL_NAME = "acme/harbor"
DIFF = b"""diff --git a/src/app.py b/src/app.py
index 1111111..2222222 100644
--- a/src/app.py
+++ b/src/app.py
@@ -1,2 +1,3 @@
 import os
-print("hello")
+print("hello, harbor")
+print(os.name)
diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..3333333
Binary files /dev/null and b/logo.png differ
"""


class GithubSite:
    """`answers` are given instead of the usual ones, by path: (status, headers, body), or what writes to the socket."""

    def __init__(self, port: int) -> None:
        self.page = f"http://127.0.0.1:{port}/{FULL_NAME}"
        self.api = f"/api/v3/repos/{FULL_NAME}"
        self.token = TOKEN
        self.requests: list[tuple[str, str, str]] = []
        self.answers: dict[str, Any] = {}
        self.head = HEAD
        self.state = "open"
        self.mergeable_state = "clean"
        self.diff = DIFF
        self.commits = 2
        self.runs: list[dict[str, Any]] = []
        self.statuses: list[dict[str, Any]] = []
        self.compare_status = "ahead"

    @property
    def pr_url(self) -> str:
        return f"{self.page}/pull/7"

    def pull(self) -> dict[str, Any]:
        return {
            "number": 7,
            "html_url": self.pr_url,
            "state": self.state,
            "title": "Sign in with a password",
            "draft": False,
            "merged": False,
            "merged_at": None,
            "updated_at": "2026-07-01T10:00:00Z",
            "mergeable": True,
            "mergeable_state": self.mergeable_state,
            "head": {"ref": "feature", "sha": self.head, "repo": {"full_name": FULL_NAME}},
            "base": {"ref": "main", "sha": BASE, "repo": {"full_name": FULL_NAME}},
        }

    def comparison(self, base: str, page: int) -> dict[str, Any]:
        listed = [
            {"sha": sha(200 + number), "commit": {"message": f"Step {number}\n\nAnd why."}}
            for number in range(self.commits)
        ]
        files = [
            {"filename": "src/app.py", "status": "modified", "additions": 2, "deletions": 1, "patch": "@@ ..."},
            {"filename": "logo.png", "status": "added", "additions": 0, "deletions": 0},
            {"filename": "new name.md", "status": "renamed", "previous_filename": "old.md", "additions": 0},
        ]
        return {
            "status": self.compare_status,
            "ahead_by": self.commits,
            "behind_by": 3,
            "total_commits": self.commits,
            "merge_base_commit": {"sha": base if len(base) == 40 else BASE, "commit": {"message": "Base"}},
            "commits": listed[100 * (page - 1) : 100 * page],
            "files": files if page == 1 else [],
        }

    def answer(self, path: str, query: str, accept: str) -> tuple[int, dict[str, str], bytes]:
        rest = path.removeprefix(self.api)
        page = int(dict(part.split("=") for part in query.split("&") if part).get("page", "1"))
        if rest.startswith("/compare/"):
            base = unquote(rest.removeprefix("/compare/")).partition("...")[0]
            if accept == "application/vnd.github.diff":
                return 200, {"Content-Type": "application/vnd.github.diff; charset=utf-8"}, self.diff
            return _json(self.comparison(base, page))
        known: dict[str, Any] = {"": {"full_name": FULL_NAME}, "/pulls/7": self.pull()}
        if rest.endswith("/check-runs"):
            return _json({"total_count": len(self.runs), "check_runs": self.runs[100 * (page - 1) : 100 * page]})
        if rest.endswith("/status"):
            return _json({"state": "pending", "statuses": self.statuses})
        return _json(known[rest]) if rest in known else (404, {}, b'{"message": "Not Found"}')

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            method, target, _ = head.split("\r\n", 1)[0].split(" ")
            headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            url = urlsplit(target)
            self.requests.append((method, target, headers["Accept"]))
            given = self.answers.get(url.path.removeprefix(self.api))
            if callable(given):
                await given(writer)
                return
            if headers.get("Authorization") != f"Bearer {self.token}":
                given = given or (401, {}, b'{"message": "Bad credentials"}')
            status, more, body = given or self.answer(url.path, url.query, headers["Accept"])
            more = {"Content-Type": "application/json; charset=utf-8", **more, "Content-Length": str(len(body))}
            lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in more.items()), "", ""]
            writer.write("\r\n".join(lines).encode() + body)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):  # the fetcher hung up
            pass
        finally:
            writer.close()


def _json(value: Any) -> tuple[int, dict[str, str], bytes]:
    return 200, {}, json.dumps(value).encode()


@asynccontextmanager
async def github_site() -> AsyncIterator[GithubSite]:
    sites: list[GithubSite] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await sites[0].serve(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    sites.append(GithubSite(server.sockets[0].getsockname()[1]))
    try:
        yield sites[0]
    finally:
        server.close()


def guarded_outbound(timeout_s: float = 5) -> HttpOutbound:
    """The way out of a server with outgoing_private_addresses on."""
    return HttpOutbound(Fetcher(allowed=is_public_https_or_private, timeout_s=timeout_s))


class RefusingOutbound:
    """Where nothing may leave the machine: every token is refused."""

    async def send(self, *_request: Any, **_how: Any) -> Reply:
        return Reply(401, b"")

    async def check_allowed(self, url: str) -> None:
        pass


async def place_token(desk: TestDesk, project_id: str, user_id: str) -> None:
    """One that nobody can read: enough to be removed."""
    row = GithubToken(project_id, "sealed", user_id, desk.clock(), None, None)
    await desk.store.write(desk.workspace, lambda tx: github_fetches.save_token(tx, row))
