"""Every route and method x every state of token and session, by HTTP. A route that is not in TABLE fails."""

import itertools
import re
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx
import pytest

from pendesk.domain import token
from pendesk.domain.access import TOKEN_SCOPES, Role, Scope
from pendesk.main import ROUTES, create_app
from pendesk.operations.operation import AnyOperation, Kind
from pendesk.operations.registry import TOOLS
from pendesk.store import sign_in
from pendesk.store.engine.tx import Tx
from pendesk.transports.live.endpoint import PATH as EVENTS_PATH
from pendesk.transports.mcp.endpoint import PATHS as MCP_PATHS
from pendesk.transports.rest.routes import BASE, RestRoute
from pendesk.transports.rest.routes import TABLE as REST
from pendesk.transports.web.pages.registry import PAGES
from pendesk.transports.web.parts.one_time_secret import FORMS as ONE_TIME_SECRETS
from tests.contract.shapes import NOUN_OF_FIELD
from tests.contract.test_access_matrix import BY_NAME, OWN_RULE, asking
from tests.contract.test_bad_input import UUID, RehearsalDispatcher, furnish
from tests.desk import HandClock, TestDesk
from tests.github_site import RefusingOutbound, place_token
from tests.mistyped import mistyped
from tests.sites import OTHER_SITES, SAME
from tests.transports.served import URL, Served, serving

FOREIGN = "Foreignword"
RANDOM = "01a1ded5-0000-7000-8000-000000000000"
_ADDRESSES = (f"10.{a}.{b}.{c}" for a, b, c in itertools.product(range(256), range(256), range(1, 255)))


class Rule(NamedTuple):
    """What decides on a route.

    nobody: its answer is the same whoever asks. cookie: a session sees another answer than all others do.
    bearer: 401 without a good token. either: 401 without a good token or session, then scope and role decide.
    """

    by: str
    status: int
    path: str = ""
    sent: Any = None
    signed_in: int = 0
    rest: RestRoute | None = None


FORM = {"x": "y"}
# The status is that of the sample request without credentials; `signed_in` is a session's.
TABLE = {
    # Every page sends strangers to sign in, and its twin says 401 to them.
    **{("GET", page.path): Rule("cookie", 303, signed_in=200) for page in PAGES},
    **{("GET", page.json_url_path): Rule("cookie", 401, signed_in=200) for page in PAGES},
    # The sample's action has not been handed in, so there is nothing to review.
    # The samples name them by their ids; their pages are read at their refs.
    **{
        ("GET", path): Rule("cookie", 303, signed_in=302)
        for path in ("/specs/{spec}", "/documents/{document}", "/notes/{note}")
    },
    ("GET", "/a/{ref}/review"): Rule("cookie", 303, signed_in=422),
    ("GET", "/a/{ref}/review.json"): Rule("cookie", 401, signed_in=422),
    ("GET", "/p/{key}/list.csv"): Rule("cookie", 401, signed_in=200),
    **{("POST", form.path): Rule("cookie", 401, sent=FORM, signed_in=422) for form in ONE_TIME_SECRETS},
    **{("GET", form.path): Rule("cookie", 401, signed_in=303) for form in ONE_TIME_SECRETS},
    ("GET", "/live"): Rule("cookie", 401, "/live?part=/sidebar%23sidebar", signed_in=200),
    ("POST", "/do/{operation}"): Rule("cookie", 401, "/do/create_task", sent=FORM, signed_in=422),
    ("POST", "/preview"): Rule("cookie", 401, sent={"text": "x"}, signed_in=200),
    ("POST", "/preview/diff"): Rule("cookie", 401, sent={"old": "x", "new": "y"}, signed_in=200),
    ("GET", "/files/{attachment}"): Rule("cookie", 401, signed_in=302),
    ("GET", "/views/{view}"): Rule("cookie", 303, "/views/none", signed_in=404),
    ("GET", "/sign-in"): Rule("nobody", 200),
    ("POST", "/sign-in"): Rule("nobody", 403, sent={"code": "x"}),
    ("GET", "/offline"): Rule("nobody", 200),
    ("GET", "/sign-in/oidc"): Rule("nobody", 404),  # no provider is set
    ("GET", "/sign-in/oidc/callback"): Rule("nobody", 404),
    ("POST", "/sign-out"): Rule("nobody", 303, sent=FORM),
    ("GET", "/invite"): Rule("nobody", 403),
    ("POST", "/invite"): Rule("nobody", 403, sent={"code": "x"}),
    ("GET", "/share/{secret}.md"): Rule("nobody", 200, "/share/{share secret}.md"),
    ("GET", "/share/{secret}.json"): Rule("nobody", 200, "/share/{share secret}.json"),
    ("GET", "/share/{secret}"): Rule("nobody", 200, "/share/{share secret}"),
    ("POST", "/share/{secret}"): Rule("nobody", 303, "/share/{share secret}", sent={"title": "x"}),
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
    ("GET", "/api/v1"): Rule("nobody", 200),
    ("GET", "/api/v1/openapi.json"): Rule("nobody", 200),
    ("GET", "/api/v1/health"): Rule("nobody", 200),
    # A filter that is refused: the stream itself would not end.
    ("GET", EVENTS_PATH): Rule("either", 401, f"{EVENTS_PATH}?kind=x"),
    ("POST", "/api/v1/projects/import"): Rule("either", 401, sent=FORM, signed_in=422),
    ("GET", "/api/v1/projects/{project_id}/export"): Rule(
        "either", 401, "/api/v1/projects/{project}/export", signed_in=200
    ),
    ("GET", "/api/v1/sync"): Rule("nobody", 200),
    ("POST", "/webhooks/github"): Rule("nobody", 403, sent=FORM),
    ("POST", "/webhooks/github/{project_id}"): Rule("nobody", 403, "/webhooks/github/{project}", sent=FORM),
    ("GET", "/metrics"): Rule("nobody", 404),
    ("POST", "/mcp"): Rule("bearer", 401, sent=FORM),
    ("POST", "/mcp/"): Rule("bearer", 401, sent=FORM),
    ("GET", "/mcp"): Rule("bearer", 401),
    ("GET", "/mcp/"): Rule("bearer", 401),
    **{(row.method, BASE + row.path): Rule("either", 401, rest=row) for row in REST},
}
# Routes of a page of ours: nothing that another site's page sends there has any effect.
FORMS = [
    "/do/{operation}",
    "/preview",
    "/preview/diff",
    "/sign-in",
    "/sign-out",
    "/invite",
    "/oauth/authorize",
    "/device",
]
FORMS += [form.path for form in ONE_TIME_SECRETS]
REST_ROUTES = [route for route in TABLE if TABLE[route].rest is not None]
# The example is about the maker's own; nobody else finds it, whatever their role.
OF_ONE_PERSON = {"revoke_session"}


class Scene:
    """A workspace with a member of each role and another next door; credentials of every kind and state.

    What a route writes through the dispatcher is undone, so that each is asked about the same things.
    """

    def __init__(self, served: Served) -> None:
        self.service = served.service
        rehearsal = RehearsalDispatcher(served.service.dispatcher)
        rehearsal.outbound = RefusingOutbound()
        self.app = create_app(served.service._replace(dispatcher=rehearsal))
        self.home, self.peers = self.desk(), self.desk()

    def desk(self) -> TestDesk:
        desk = TestDesk(self.service.dispatcher.store, HandClock())
        desk.installation, desk.dispatcher = self.service.installation, self.service.dispatcher
        return desk

    async def furnish(self) -> "Scene":
        self.owner, self.own = await furnish(self.home, "Homely")
        project = {"project_id": self.own["project"]}
        await self.home.call(self.owner, "update_project", repository_url="https://github.com/example/desk", **project)
        await self.home.call(self.owner, "set_github_webhook", **project)
        await place_token(self.home, self.own["project"], self.owner.user_id)
        self.people = {role: await self.home.person(role.label, role) for role in Role}
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
        await self.service.dispatcher.store.write("", lambda tx: sign_in.end_session(tx, token.hash_secret(ended)))
        for table, secret in (("tokens", expired), ("sessions", old)):
            sql = f"UPDATE {table} SET expires_at = 1 WHERE hash = :hash"
            await self.service.dispatcher.store.write("", partial(_run, sql, secret))
        # None of these lets anybody in.
        self.bad_tokens = {
            "malformed": "Bearer pendesk_mcp_x",
            "no checksum": f"Bearer {mistyped(self.tokens[Role.OWNER])}",
            "unknown": f"Bearer {token.make_token(b'x' * 32)}",
            "unknown access token": f"Bearer {token.make_token(b'x' * 32, token.ACCESS_PREFIX)}",
            "refresh token": f"Bearer {token.make_token(b'x' * 32, token.REFRESH_PREFIX)}",
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
        self.stranger, self.foreign = await furnish(self.peers, FOREIGN)
        self.cookies = {role: await self.cookie(person) for role, person in self.people.items()}
        return self

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
            kind = {"json": sent} if path.startswith(("/mcp", BASE)) else {"data": sent}
            answer = await http.request(method, path, headers=headers, **(kind if sent else {}))
        assert answer.status_code < 500
        assert FOREIGN.lower() not in answer.text.lower()
        return answer

    async def ask(self, route: tuple[str, str], ids: dict[str, str] | None = None, **headers: str) -> httpx.Response:
        rule, known = TABLE[route], ids or self.own
        if rule.rest is not None:
            path, sent = rest_request(rule.rest, known)
            return await self.send(route[0], path, sent, **SAME, **headers)
        # What the addresses of pages call them.
        named = {"key": known["project"], "ref": known["action"], "asked": ASKED, "workspace": self.home.workspace}
        named["member"], named["proposal"], named["agent_session"] = (
            known["user"],
            known["draft"],
            known["agent session"],
        )
        path = (rule.path or route[1]).format(**named, **known)
        # Tries for one account are counted too, so each is for another.
        sent = (
            {**rule.sent, "email": f"{next(_ADDRESSES)}@example.com"} if route[1] in FORMS and rule.sent else rule.sent
        )
        return await self.send(route[0], path, sent, **SAME, **headers)

    def credentials(self, role: Role, operation: AnyOperation) -> list[dict[str, str]]:
        """A session, and a token where one can have the scope."""
        by_cookie = {"cookie": f"pendesk_session={self.cookies[role]}"}
        by_token = {"authorization": f"Bearer {self.tokens[role]}"}
        return [by_cookie, by_token] if operation.scope in (*TOKEN_SCOPES, Scope.ANY) else [by_cookie]

    @property
    def nobodys(self) -> dict[str, str]:
        return dict.fromkeys(self.own, RANDOM)


def operation_of(route: tuple[str, str]) -> AnyOperation:
    row = TABLE[route].rest
    assert row is not None
    return BY_NAME[row.operation]


def code_of(answer: httpx.Response) -> str:
    told: dict[str, dict[str, str]] = answer.json() if answer.content else {}
    return told.get("error", {}).get("code", "")


def without_ids(text: str) -> str:
    return UUID.sub("(id)", text)


def _run(sql: str, secret: str, tx: Tx) -> None:
    tx.run(sql, hash=token.hash_secret(secret))


ASKED = (
    "response_type=code&client_id=penling-mcp&redirect_uri=http://127.0.0.1:5000/callback&code_challenge_method=S256"
    f"&code_challenge={'a' * 43}"
)


NEW = re.compile(
    r"[0-9A-Za-z]{43}|[0-9a-f]{8}-[0-9a-f-]{27}|[\d.]+@example\.com"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z|\w{3} \d\d \w{3} \d{4}, [\d:]{8} UTC"
)


def rest_request(row: RestRoute, ids: dict[str, str]) -> tuple[str, Any]:
    """An example for the operation, put where the route reads it."""
    made = asking(BY_NAME[row.operation], ids)
    named = {name: ids[NOUN_OF_FIELD[name]] for name in re.findall(r"{(\w+)}", row.path)}
    path = BASE + row.path.format(**named)
    rest = {name: value for name, value in made.items() if name not in named}
    if row.method in ("GET", "DELETE") or row.body != "json":
        inline = {name: value for name, value in rest.items() if name not in ("receipt", "content")}
        return f"{path}?{urlencode(inline)}", rest.get("content")
    return path, rest


def names_something(route: tuple[str, str]) -> bool:
    row = TABLE[route].rest
    one, another = (dict.fromkeys(set(NOUN_OF_FIELD.values()) - {""}, ident) for ident in ("a" * 36, "b" * 36))
    return row is not None and rest_request(row, one) != rest_request(row, another)


def told(answer: httpx.Response) -> tuple[int, str]:
    """Without what is new in every answer."""
    return answer.status_code, NEW.sub("(new)", answer.text)


@pytest.fixture(scope="module")
async def scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    data = tmp_path_factory.mktemp("routes") / "data"
    async with serving(data, requests_per_minute=1_000_000) as served:
        yield await Scene(served).furnish()


def test_every_route_is_in_the_table():
    implied = {"HEAD", "OPTIONS"}
    routes = {(method, route.path) for route in ROUTES for method in (route.methods or set()) - implied}
    routes |= {(method, path) for path in MCP_PATHS for method in ("GET", "POST")} | {("GET", EVENTS_PATH)}
    assert routes == set(TABLE), "say in TABLE who may use it"
    assert {path for method, path in TABLE if method == "POST" and TABLE[method, path].by == "cookie"} <= set(FORMS)


@pytest.mark.parametrize("route", TABLE, ids=" ".join)
async def test_what_lets_nobody_in_lets_nobody_in(scene, route):
    nobody = await scene.ask(route)
    assert nobody.status_code == TABLE[route].status, nobody.text
    for name, value in scene.bad_tokens.items():
        answer = await scene.ask(route, authorization=value)
        if TABLE[route].by in ("bearer", "either"):
            assert answer.status_code == 401, name
            assert answer.headers["www-authenticate"].startswith(
                f'Bearer resource_metadata="{URL}/.well-known/oauth-protected-resource"'
            )
            sent_one = name not in ("another scheme", "nothing after it")
            assert ('error="invalid_token"' in answer.headers["www-authenticate"]) is sent_one, name
        else:
            assert told(answer) == told(nobody), name
    for name, value in scene.bad_cookies.items():
        answer = await scene.ask(route, cookie=f"pendesk_session={value}")
        if TABLE[route].by == "either":
            assert answer.status_code == 401, name
        else:
            assert told(answer) == told(nobody), name


@pytest.mark.parametrize("route", TABLE, ids=" ".join)
async def test_good_credentials_count_only_where_the_table_says(scene, route):
    rule, nobody = TABLE[route], await scene.ask(route)
    by_token = await scene.ask(route, authorization=f"Bearer {scene.tokens[Role.OWNER]}")
    session = await scene.cookie(scene.people[Role.OWNER])  # of its own: one of the routes ends it
    by_cookie = await scene.ask(route, cookie=f"pendesk_session={session}")
    assert (told(by_token) != told(nobody)) is (rule.by in ("bearer", "either"))
    assert (told(by_cookie) != told(nobody)) is (rule.by in ("cookie", "either"))
    if rule.by == "cookie":
        assert by_cookie.status_code == rule.signed_in
    if rule.by in ("bearer", "either"):
        assert by_token.status_code != 401
    if rule.by == "either":
        assert by_cookie.status_code != 401


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("headers", OTHER_SITES)
async def test_no_other_site_sends_our_forms(scene, path, headers):
    for cookie in ("", f"pendesk_session={scene.session}"):
        answer = await scene.send("POST", path, TABLE["POST", path].sent, cookie=cookie, **headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_site")
    assert "<h1>Inbox</h1>" in (await scene.send("GET", "/", cookie=f"pendesk_session={scene.session}")).text


@pytest.mark.parametrize("route", REST_ROUTES, ids=" ".join)
async def test_scope_and_role_decide_where_a_route_is_an_operation(scene, route):
    operation = operation_of(route)
    least = max(operation.role, OWN_RULE.get(operation.name, operation.role))
    for role in Role:
        for headers in scene.credentials(role, operation):
            code = code_of(await scene.ask(route, **headers))
            assert (code == "role_forbids") is (role < least), (role, headers, code)
    for scope, secret in scene.narrow.items():
        answer = await scene.ask(route, authorization=f"Bearer {secret}")
        missing = 'error="insufficient_scope"' in answer.headers.get("www-authenticate", "")
        assert (missing and answer.status_code == 403) is (operation.scope not in (scope, Scope.ANY)), scope


@pytest.mark.parametrize("route", [route for route in REST_ROUTES if names_something(route)], ids=" ".join)
async def test_what_is_next_door_is_as_absent_as_what_nobody_has(scene, route):
    for headers in scene.credentials(Role.OWNER, operation_of(route)):
        answers = [await scene.ask(route, ids, **headers) for ids in (scene.foreign, scene.nobodys)]
        theirs, nobodys = [(answer.status_code, without_ids(answer.text)) for answer in answers]
        assert theirs == nobodys


@pytest.mark.parametrize("route", REST_ROUTES, ids=" ".join)
async def test_what_is_asked_of_the_own_workspace_is_there(scene, route):
    """Else the test above would show nothing."""
    for headers in scene.credentials(Role.OWNER, operation_of(route)):
        answer = await scene.ask(route, **headers)
        if operation_of(route).name not in OF_ONE_PERSON:
            assert answer.status_code != 404, answer.text


def may_change(route: tuple[str, str]) -> bool:
    """By its method, or because reading it is noted."""
    return route[0] != "GET" or operation_of(route).kind is Kind.WRITE


@pytest.mark.parametrize("route", [route for route in REST_ROUTES if may_change(route)], ids=" ".join)
@pytest.mark.parametrize("headers", OTHER_SITES)
async def test_no_other_site_writes_by_a_cookie(scene, route, headers):
    row = TABLE[route].rest
    path, sent = rest_request(row, scene.own) if row else ("", None)
    answer = await scene.send(route[0], path, sent, cookie=f"pendesk_session={scene.session}", **headers)
    assert (answer.status_code, code_of(answer)) == (403, "cross_site")


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
async def test_every_tool_is_closed_to_bad_tokens_and_other_scopes(scene, tool):
    operation = scene.service.dispatcher.operations[tool]
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
