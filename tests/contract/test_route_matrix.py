"""Every route and method x every state of token and session, by HTTP. A route that is not in TABLE fails."""

import itertools
import re
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, NamedTuple

import httpx
import pytest

from pendesk.domain import token
from pendesk.domain.access import TOKEN_SCOPES, Role, Scope
from pendesk.main import ROUTES, create_app
from pendesk.operations.registry import TOOLS
from pendesk.store import sign_in
from pendesk.store.tx import Tx
from pendesk.transports.mcp.endpoint import PATHS as MCP_PATHS
from tests.desk import HandClock, TestDesk
from tests.transports.served import URL, Served, serving
from tests.workbench import published_spec

FOREIGN = "Foreignword"
RANDOM = "01a1ded5-0000-7000-8000-000000000000"
SAME = {"sec-fetch-site": "same-origin"}
_ADDRESSES = (f"10.{a}.{b}.{c}" for a, b, c in itertools.product(range(256), range(256), range(1, 255)))


class Rule(NamedTuple):
    """What decides on a route.

    nobody: its answer is the same whoever asks. cookie: a session sees another answer than all others do.
    bearer: 401 without a good token, then the scope and role of `operation`.
    """

    by: str
    status: int
    path: str = ""
    operation: str = ""
    sent: Any = None
    signed_in: int = 0


FORM = {"x": "y"}
# The status is that of the sample request without credentials; `signed_in` is a session's.
TABLE = {
    ("GET", "/"): Rule("cookie", 200, signed_in=200),
    ("GET", "/sign-in"): Rule("nobody", 200),
    ("POST", "/sign-in"): Rule("nobody", 403, sent={"code": "x"}),
    ("GET", "/sign-in/oidc"): Rule("nobody", 404),  # no provider is set
    ("GET", "/sign-in/oidc/callback"): Rule("nobody", 404),
    ("POST", "/sign-out"): Rule("nobody", 303, sent=FORM),
    ("GET", "/invite"): Rule("nobody", 403),
    ("POST", "/invite"): Rule("nobody", 403, sent={"code": "x"}),
    ("GET", "/share/{secret}.md"): Rule("nobody", 200, "/share/{share}.md"),
    ("GET", "/share/{secret}.json"): Rule("nobody", 200, "/share/{share}.json"),
    ("GET", "/share/{secret}"): Rule("nobody", 200, "/share/{share}"),
    ("POST", "/share/{secret}"): Rule("nobody", 303, "/share/{share}", sent={"title": "x"}),
    ("GET", "/static/{name}"): Rule("nobody", 200, "/static/pendesk.css"),
    ("GET", "/attachments/{workspace}/{id}"): Rule("nobody", 404, "/attachments/{workspace}/{attachment}"),
    ("GET", "/.well-known/oauth-authorization-server"): Rule("nobody", 200),
    ("GET", "/.well-known/oauth-authorization-server/mcp"): Rule("nobody", 200),
    ("GET", "/.well-known/oauth-protected-resource"): Rule("nobody", 200),
    ("GET", "/.well-known/oauth-protected-resource/mcp"): Rule("nobody", 200),
    ("GET", "/oauth/authorize"): Rule("cookie", 200, "/oauth/authorize?{asked}", signed_in=200),
    ("POST", "/oauth/authorize"): Rule("nobody", 403, sent={"ticket": "x", "decision": "allow"}),
    ("POST", "/oauth/token"): Rule("nobody", 400, sent=FORM),
    ("POST", "/oauth/register"): Rule("nobody", 400, sent=FORM),
    ("POST", "/oauth/revoke"): Rule("nobody", 400, sent=FORM),
    ("POST", "/oauth/device_authorization"): Rule("nobody", 400, sent=FORM),
    ("GET", "/device"): Rule("cookie", 200, signed_in=200),
    ("POST", "/device"): Rule("cookie", 403, sent={"user_code": "BCDF-BCDF"}, signed_in=403),
    ("GET", "/api/v1/health"): Rule("nobody", 200),
    ("GET", "/api/v1/context"): Rule("bearer", 401, "/api/v1/context?project_id={project}", "get_context"),
    ("POST", "/api/v1/actions/{ref}/test-reports"): Rule(
        "bearer", 401, "/api/v1/actions/{action}/test-reports?format=junit", "upload_test_report", sent=FORM
    ),
    ("POST", "/webhooks/github"): Rule("nobody", 403, sent=FORM),
    ("POST", "/webhooks/github/{project_id}"): Rule("nobody", 403, "/webhooks/github/{project}", sent=FORM),
    ("GET", "/metrics"): Rule("nobody", 404),
    ("POST", "/mcp"): Rule("bearer", 401, sent=FORM),
    ("POST", "/mcp/"): Rule("bearer", 401, sent=FORM),
    ("GET", "/mcp"): Rule("bearer", 401),
    ("GET", "/mcp/"): Rule("bearer", 401),
}
# Routes of a page of ours: nothing that another site's page sends there has any effect.
FORMS = ["/sign-in", "/sign-out", "/invite", "/oauth/authorize", "/device"]


class Scene:
    """A workspace with a member of each role and another next door; credentials of every kind and state."""

    def __init__(self, served: Served) -> None:
        self.service = served.service
        self.app = create_app(served.service)
        self.home = TestDesk(served.service.store, HandClock())
        self.home.desk, self.home.door = served.service.desk, served.service.door
        self.home.workspace = served.owner.workspace_id
        self.owner = served.owner

    async def furnish(self) -> "Scene":
        self.people = {role: await self.home.person(role.word, role) for role in Role}
        self.tokens = {role: await self.token(person, sorted(TOKEN_SCOPES)) for role, person in self.people.items()}
        self.narrow = {scope: await self.token(self.people[Role.OWNER], [scope]) for scope in TOKEN_SCOPES}
        self.session = await self.cookie(self.people[Role.OWNER])
        member = self.people[Role.MEMBER]
        removed = await self.home.person("Removed")
        removed_token, removed_session = await self.token(removed, sorted(TOKEN_SCOPES)), await self.cookie(removed)
        await self.home.call(self.owner, "remove_member", user_pid=removed.user_id)
        revoked = await self.home.call(member, "create_token", name="x")
        await self.home.call(member, "revoke_token", token_id=revoked["tokenId"])
        expired = await self.token(member, ["specs.read"])
        ended, old = await self.cookie(member), await self.cookie(member)
        await self.service.store.write("", lambda tx: sign_in.end_session(tx, token.digest(ended)))
        for table, secret in (("tokens", expired), ("sessions", old)):
            sql = f"UPDATE {table} SET expires_at = 1 WHERE hash = :hash"
            await self.service.store.write("", partial(_run, sql, secret))
        # None of these lets anybody in.
        self.bad_tokens = {
            "malformed": "Bearer pendesk_mcp_x",
            "no checksum": f"Bearer {self.tokens[Role.OWNER][:-1]}0",
            "unknown": f"Bearer {token.write_token(b'x' * 32)}",
            "unknown access token": f"Bearer {token.write_token(b'x' * 32, token.ACCESS_PREFIX)}",
            "refresh token": f"Bearer {token.write_token(b'x' * 32, token.REFRESH_PREFIX)}",
            "another scheme": f"Basic {self.tokens[Role.OWNER]}",
            "two of them": f"Bearer {self.tokens[Role.OWNER]}, Bearer {self.tokens[Role.OWNER]}",
            "nothing after it": "Bearer ",
            "expired": f"Bearer {expired}",
            "revoked": f"Bearer {revoked['token']}",
            "a removed member's": f"Bearer {removed_token}",
            "a session's secret": f"Bearer {self.session}",
        }
        self.bad_cookies = {
            "unknown": "x" * 43,
            "ended": ended,
            "expired": old,
            "a removed member's": removed_session,
            "a token": self.tokens[Role.OWNER],
        }
        await self._furnish_next_door()
        return self

    async def _furnish_next_door(self) -> None:
        desk = TestDesk(self.service.store, HandClock())
        desk.desk, desk.door = self.service.desk, self.service.door
        await desk.open(FOREIGN)
        stranger = await desk.person(FOREIGN, Role.OWNER)
        work = await published_spec(desk, stranger)
        made = await desk.call(stranger, "create_token", name=FOREIGN, scopes=sorted(TOKEN_SCOPES))
        self.next_door = made["token"]
        own = await published_spec(self.home, self.owner, participants=tuple(self.people.values()))
        shared = await self.home.call(self.owner, "create_share", project_id=own.project_id, takes_items=True)
        self.share = shared["url"].rpartition("/")[2]
        self.ids = {"action": own.actions[0]["pid"], "project": own.project_id, "workspace": self.home.workspace}
        self.foreign = {"action": work.actions[0]["pid"], "project": work.project_id, "workspace": desk.workspace}

    async def token(self, person: Any, scopes: list[Any]) -> str:
        made = await self.home.call(person, "create_token", name="x", scopes=scopes)
        secret: str = made["token"]
        return secret

    async def cookie(self, person: Any) -> str:
        made = await self.home.call(person, "create_sign_in_link")
        answer = await self.send("POST", "/sign-in", {"code": made["url"].partition("code=")[2]}, **SAME)
        return answer.cookies["pendesk_session"]

    async def send(self, method: str, path: str, sent: Any = None, **headers: str) -> httpx.Response:
        """From an address that was never seen before: what is counted by address is not what is tested here."""
        transport = httpx.ASGITransport(self.app, client=(next(_ADDRESSES), 1))
        async with httpx.AsyncClient(transport=transport, base_url=URL) as http:
            kind = {"json": sent} if path.startswith("/mcp") else {"data": sent}
            answer = await http.request(method, path, headers=headers, **(kind if sent else {}))
        assert answer.status_code < 500
        assert FOREIGN.lower() not in answer.text.lower()
        return answer

    async def ask(self, route: tuple[str, str], ids: dict[str, str] | None = None, **headers: str) -> httpx.Response:
        rule = TABLE[route]
        known = {"attachment": RANDOM, "asked": ASKED, "share": self.share, **self.ids, **(ids or {})}
        path = (rule.path or route[1]).format(**known)
        # Tries for one account are counted too, so each is for another.
        sent = (
            {**rule.sent, "email": f"{next(_ADDRESSES)}@example.com"} if route[1] in FORMS and rule.sent else rule.sent
        )
        return await self.send(route[0], path, sent, **SAME, **headers)


def _run(sql: str, secret: str, tx: Tx) -> None:
    tx.run(sql, hash=token.digest(secret))


ASKED = (
    "response_type=code&client_id=penling-mcp&redirect_uri=http://127.0.0.1:5000/callback&code_challenge_method=S256"
    f"&code_challenge={'a' * 43}"
)


NEW = re.compile(r"[0-9A-Za-z]{43}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z")


def told(answer: httpx.Response) -> tuple[int, str]:
    """Without what is new in every answer."""
    return answer.status_code, NEW.sub("(new)", answer.text)


@pytest.fixture(scope="module")
async def scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    data = tmp_path_factory.mktemp("routes") / "data"
    async with serving(data, requests_per_minute=1_000_000) as served:
        yield await Scene(served).furnish()


def test_every_route_is_in_the_table():
    routes = {(method, route.path) for route in ROUTES for method in (route.methods or ()) if method != "HEAD"}
    routes |= {(method, path) for path in MCP_PATHS for method in ("GET", "POST")}
    assert routes == set(TABLE), "say in TABLE who may use it"
    assert {path for method, path in TABLE if method == "POST" and TABLE[method, path].by == "cookie"} <= set(FORMS)


@pytest.mark.parametrize("route", TABLE, ids=" ".join)
async def test_what_lets_nobody_in_lets_nobody_in(scene, route):
    nobody = await scene.ask(route)
    assert nobody.status_code == TABLE[route].status, nobody.text
    for name, value in scene.bad_tokens.items():
        answer = await scene.ask(route, authorization=value)
        if TABLE[route].by == "bearer":
            assert answer.status_code == 401, name
            assert answer.headers["www-authenticate"].startswith(
                f'Bearer resource_metadata="{URL}/.well-known/oauth-protected-resource"'
            )
            sent_one = name not in ("another scheme", "nothing after it")
            assert ('error="invalid_token"' in answer.headers["www-authenticate"]) is sent_one, name
        else:
            assert told(answer) == told(nobody), name
    for name, value in scene.bad_cookies.items():
        assert told(await scene.ask(route, cookie=f"pendesk_session={value}")) == told(nobody), name


@pytest.mark.parametrize("route", TABLE, ids=" ".join)
async def test_good_credentials_count_only_where_the_table_says(scene, route):
    rule, nobody = TABLE[route], await scene.ask(route)
    by_token = await scene.ask(route, authorization=f"Bearer {scene.tokens[Role.OWNER]}")
    session = await scene.cookie(scene.people[Role.OWNER])  # of its own: one of the routes ends it
    by_cookie = await scene.ask(route, cookie=f"pendesk_session={session}")
    assert (told(by_token) != told(nobody)) is (rule.by == "bearer")
    assert (told(by_cookie) != told(nobody)) is (rule.by == "cookie")
    if rule.by == "cookie":
        assert by_cookie.status_code == rule.signed_in
    if rule.by == "bearer":
        assert by_token.status_code != 401


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    "headers", [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://evil.test"}]
)
async def test_no_other_site_sends_our_forms(scene, path, headers):
    for cookie in ("", f"pendesk_session={scene.session}"):
        answer = await scene.send("POST", path, TABLE["POST", path].sent, cookie=cookie, **headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_site")
    assert "You are signed in" in (await scene.send("GET", "/", cookie=f"pendesk_session={scene.session}")).text


@pytest.mark.parametrize("route", [route for route in TABLE if TABLE[route].operation], ids=" ".join)
async def test_scope_and_role_decide_where_a_route_is_an_operation(scene, route):
    operation = scene.service.door.operations[TABLE[route].operation]
    for role in Role:
        answer = await scene.ask(route, authorization=f"Bearer {scene.tokens[role]}")
        assert (answer.json().get("error", {}).get("code") == "role_forbids") is (role < operation.role), role
    for scope, secret in scene.narrow.items():
        answer = await scene.ask(route, authorization=f"Bearer {secret}")
        missing = answer.status_code == 403 and 'error="insufficient_scope"' in answer.headers["www-authenticate"]
        assert missing is (scope is not operation.scope), scope
    missing_one = dict.fromkeys(scene.ids, RANDOM)
    for secret, foreign in ((scene.tokens[Role.OWNER], scene.foreign), (scene.next_door, scene.ids)):
        theirs, nobodys = [
            await scene.ask(route, ids, authorization=f"Bearer {secret}") for ids in (foreign, missing_one)
        ]
        told_theirs = theirs.text
        for ident in foreign.values():
            told_theirs = told_theirs.replace(ident, "(sent)")
        assert (theirs.status_code, told_theirs) == (nobodys.status_code, nobodys.text.replace(RANDOM, "(sent)"))


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
async def test_every_tool_is_closed_to_bad_tokens_and_other_scopes(scene, tool):
    operation = scene.service.door.operations[tool]
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}
    for name, value in scene.bad_tokens.items():
        assert (await scene.send("POST", "/mcp", call, authorization=value)).status_code == 401, name
    for scope, secret in scene.narrow.items():
        answer = await scene.send("POST", "/mcp", call, authorization=f"Bearer {secret}")
        assert ("insufficient_scope" in answer.text) is (scope is not operation.scope), (scope, answer.text)
    for role, secret in scene.tokens.items():
        answer = await scene.send("POST", "/mcp", call, authorization=f"Bearer {secret}")
        assert ("role_forbids" in answer.text) is (role < operation.role), (role, answer.text)
    for scope, secret in scene.narrow.items():
        listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        listed = (await scene.send("POST", "/mcp", listing, authorization=f"Bearer {secret}")).json()
        names = [each["name"] for each in listed["result"]["tools"]]
        assert (tool in names) is (scope is operation.scope)


def test_no_tool_is_for_people_or_webhooks():
    assert all(tool.scope in TOKEN_SCOPES for tool in TOOLS)
    assert Scope.PERSON not in TOKEN_SCOPES
