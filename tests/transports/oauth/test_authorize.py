import re

import httpx
import pytest

from pendesk.domain.access import TOOL_SETS
from pendesk.domain.people import Member, Workspace
from pendesk.ids import new_id
from pendesk.store import people
from tests.domain.test_redirect import HOSTILE
from tests.sites import OTHER_SITES, SAME
from tests.transports.oauth.walk import BACK, PASSWORD, Walk, hidden, sent_back
from tests.transports.served import serving


@pytest.fixture
async def client(walk):
    return await walk.register()


def is_page(answer: httpx.Response, status: int, words: str) -> bool:
    assert "location" not in answer.headers
    assert answer.headers["content-type"].startswith("text/html")
    return answer.status_code == status and words in answer.text


# The client and its address come first.


@pytest.mark.parametrize(
    "changes", [{}, {"response_type": "token"}, {"code_challenge": None}, {"scope": "x"}, {"resource": "x"}]
)
async def test_a_bad_address_is_never_gone_to_whatever_else_is_wrong(walk, client, changes):
    await walk.sign_in()
    for uri in [*HOSTILE, "http://127.0.0.1:5000/other", "http://127.0.0.1:5000/callback/"]:
        for ident in (client, "penling-mcp"):
            answer = await walk.authorize(ident, redirect_uri=uri, **changes)
            assert answer.status_code == 400, uri
            assert "location" not in answer.headers
            assert "refresh" not in answer.headers
            assert not re.search(r'(?:href|action|src|url)="?[^">]*(?:evil|/cb)', answer.text)
    answer = await walk.authorize(client, redirect_uri="http://localhost:5000/callback", **changes)
    assert is_page(answer, 400, "This address is not accepted")  # it registered another name


@pytest.mark.parametrize(
    "ident",
    ["", "nobody", "01a1debb-c229-7ab7-a132-2f6fb56127e3", "https://evil.test/client", "\x00", "x" * 5_000, "É"],
)
async def test_an_unknown_client_is_told_so_and_nothing_is_sent(walk, ident):
    await walk.sign_in()
    assert is_page(await walk.authorize(ident), 400, "This program is not known")


async def test_repeated_parameters_are_refused(walk, client):
    await walk.sign_in()
    query = str(httpx.QueryParams(walk.asking(client)))
    for name, value in (("client_id", "penling-mcp"), ("redirect_uri", "http://evil.test/"), ("redirect_uri", BACK)):
        answer = await walk.http.get(f"/oauth/authorize?{query}&{httpx.QueryParams({name: value})}")
        assert answer.status_code == 400
        assert "location" not in answer.headers
    for name in ("state", "scope", "code_challenge", "response_type"):
        answer = await walk.http.get(f"/oauth/authorize?{query}&{name}=x")
        assert sent_back(answer)["error"] == "invalid_request"
        assert sent_back(answer).get("state") != "x"


async def test_any_port_of_the_registered_address(walk, client):
    await walk.sign_in()
    page = await walk.authorize(client, redirect_uri="http://127.0.0.1:6123/callback")
    back = await walk.decide(page)
    assert "code" in sent_back(back, "http://127.0.0.1:6123/callback")


async def test_the_built_in_client_needs_no_registration(walk):
    await walk.sign_in()
    for back in ("http://localhost:7/callback", "http://[::1]:7/callback", "http://127.0.0.1:7/callback/x"):
        assert "code" in sent_back(await walk.decide(await walk.authorize("penling-mcp", redirect_uri=back)), back)


# Then the rest, told to the client.


FAULTS: list[tuple[dict[str, str | None], str]] = [
    ({"response_type": "token"}, "unsupported_response_type"),
    ({"response_type": None}, "unsupported_response_type"),
    ({"response_type": "code token"}, "unsupported_response_type"),
    ({"code_challenge": None}, "invalid_request"),
    ({"code_challenge": "short"}, "invalid_request"),
    ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"code_challenge_method": None}, "invalid_request"),
    ({"scope": "person"}, "invalid_scope"),
    ({"scope": "specs.read admin"}, "invalid_scope"),
    ({"resource": "https://elsewhere.example.com/mcp"}, "invalid_target"),
    ({"request": "eyJ"}, "invalid_request"),
    ({"request_uri": "https://evil.test"}, "invalid_request"),
    ({"response_mode": "fragment"}, "invalid_request"),
    ({"response_mode": "form_post"}, "invalid_request"),
    ({"scope": "spécs"}, "invalid_request"),
    ({"nonce": "\x00"}, "invalid_request"),
]


async def test_faults_are_told_to_the_client_with_iss_and_state(walk, client):
    for changes, error in FAULTS:
        told = sent_back(await walk.authorize(client, **changes))
        assert told["error"] == error, changes
        assert told["error_description"]
        assert told["iss"] == walk.url
        assert told["state"] == "st&te=1"
        assert "code" not in told


async def test_a_state_that_is_too_long_is_not_carried(walk, client):
    told = sent_back(await walk.authorize(client, state="x" * 3_000))
    assert told["error"] == "invalid_request"
    assert "state" not in told


async def test_the_answer_carries_code_iss_and_state(walk, client):
    await walk.sign_in()
    told = sent_back(await walk.decide(await walk.authorize(client)))
    assert set(told) == {"code", "iss", "state"}
    assert (told["iss"], told["state"]) == (walk.url, "st&te=1")
    assert "state" not in sent_back(await walk.decide(await walk.authorize(client, state=None)))


async def test_a_no_is_told(walk, client):
    await walk.sign_in()
    told = sent_back(await walk.decide(await walk.authorize(client), "deny"))
    assert (told["error"], told["iss"], told["state"]) == ("access_denied", walk.url, "st&te=1")


# The consent page.


async def test_it_names_client_host_and_scopes_and_is_asked_every_time(walk):
    client = await walk.register(client_name="<script>alert(1)</script>" + "x" * 200)
    await walk.sign_in()
    for _ in range(2):
        page = await walk.authorize(client, scope="specs.read desk.write")
        assert page.status_code == 200
        assert "<script" not in page.text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
        assert "x" * 100 not in page.text
        assert "127.0.0.1:5000" in page.text
        requested, *_others = page.text.partition("As requested")[2].split("</label>")
        assert "Read the published specs" in requested
        assert "Create and edit projects" in requested
        assert "Claim actions" not in requested
        assert "code" in sent_back(await walk.decide(page))


async def test_it_cannot_be_framed_scripted_or_cached(walk, client):
    await walk.sign_in()
    headers = (await walk.authorize(client)).headers
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "form-action 'self' http://127.0.0.1:5000;" in policy
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("headers", OTHER_SITES)
async def test_another_site_cannot_agree(walk, client, headers):
    await walk.sign_in()
    page = await walk.authorize(client)
    answer = await walk.http.post("/oauth/authorize", data={**hidden(page), "decision": "allow"}, headers=headers)
    assert answer.status_code == 403
    assert "code" in sent_back(await walk.decide(page))  # nothing was used up


async def test_a_ticket_serves_one_browser_once(walk, client):
    await walk.sign_in()
    page = await walk.authorize(client)
    mine = dict(walk.http.cookies)
    walk.http.cookies.clear()
    assert is_page(await walk.decide(page), 403, "has expired")  # no session
    await walk.sign_in()  # the same person in another browser
    assert is_page(await walk.decide(page), 403, "has expired")
    walk.http.cookies.clear()
    walk.http.cookies.update(mine)
    assert "code" in sent_back(await walk.decide(page))
    assert is_page(await walk.decide(page), 403, "has expired")


@pytest.mark.parametrize(
    "changes",
    [
        {"ticket": "x"},
        {"ticket": ""},
        {"workspace": "nowhere"},
        {"decision": ""},
        {"decision": "ALLOW"},
        {"workspace": ""},
    ],
)
async def test_a_form_that_was_tampered_with_is_refused(walk, client, changes):
    await walk.sign_in()
    page = await walk.authorize(client)
    answer = await walk.http.post(
        "/oauth/authorize", data={**hidden(page), "decision": "allow", **changes}, headers=SAME
    )
    assert is_page(answer, 403, "has expired")


async def test_the_form_decides_nothing_but_yes_or_no(walk, client):
    """Everything that was agreed to lies on the server; what a form adds is not read."""
    await walk.sign_in()
    page = await walk.authorize(client, scope="specs.read")
    told = sent_back(await walk.decide(page, scope="desk.write", redirect_uri="http://evil.test/", client_id="x"))
    answer = await walk.redeem(client, told["code"])
    assert answer.json()["scope"] == "specs.read"


# Signing in on the way.


async def with_password(walk):
    name = f"ada{walk.served.owner.user_id[-6:]}{id(walk)}@example.com"
    user = await walk.call("create_user", name="Ada", email=name)
    await walk.call("set_password", password=PASSWORD, user_pid=user.user_id)
    return name


async def test_the_password_leads_back_to_the_same_request(walk, client):
    name = await with_password(walk)
    page = await walk.authorize(client)
    assert is_page(page, 200, 'name="password"')
    asked = {"params": walk.asking(client), "headers": SAME}
    wrong = await walk.http.post("/oauth/authorize", data={"email": name, "password": "wrong"}, **asked)
    assert is_page(wrong, 403, "Incorrect email or password")
    assert "set-cookie" not in wrong.headers
    right = await walk.http.post("/oauth/authorize", data={"email": name, "password": PASSWORD}, **asked)
    assert right.status_code == 303
    assert right.headers["location"].startswith("/oauth/authorize?response_type=code&client_id=")
    assert "HttpOnly" in right.headers["set-cookie"]
    consent = await walk.http.get(right.headers["location"])
    assert "code" in sent_back(await walk.decide(consent))


async def test_signing_in_cannot_be_turned_into_a_redirect_elsewhere(walk, client):
    name = await with_password(walk)
    for bad in ("http://evil.test/", "//evil.test", "http://evil.test\\@127.0.0.1/cb"):
        answer = await walk.http.post(
            "/oauth/authorize",
            params=walk.asking(client, redirect_uri=bad),
            data={"email": name, "password": PASSWORD},
            headers=SAME,
        )
        assert answer.status_code == 400
        assert "location" not in answer.headers
        assert "set-cookie" not in answer.headers
    answer = await walk.http.post("/sign-in?next=//evil.test", data={"email": name, "password": PASSWORD}, headers=SAME)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


async def test_passwords_cannot_be_tried_at_will(walk, client):
    name = await with_password(walk)
    statuses = []
    for number in range(14):
        sent = {"email": name, "password": f"guess {number}"}
        answer = await walk.http.post("/oauth/authorize", params=walk.asking(client), data=sent, headers=SAME)
        statuses.append(answer.status_code)
    assert statuses == [403] * 10 + [429] * 4
    answer = await walk.http.post("/sign-in", data={"email": name, "password": PASSWORD}, headers=SAME)
    assert answer.status_code == 429
    await walk.sign_in()  # a link still works


async def test_another_site_cannot_sign_anyone_in(walk, client):
    name = await with_password(walk)
    for headers in OTHER_SITES:
        sent = {"email": name, "password": PASSWORD}
        answer = await walk.http.post("/oauth/authorize", params=walk.asking(client), data=sent, headers=headers)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


async def test_a_person_of_several_workspaces_chooses(walk, client):
    name = await with_password(walk)
    other = new_id()
    user = await walk.served.service.dispatcher.store.read("", lambda tx: people.user_by_email(tx, name))

    def add(tx):
        people.add_workspace(tx, Workspace(other, "<i>Other</i>", tx.now))
        people.add_member(tx, Member(user.id, "member", tx.now, None))

    await walk.served.service.dispatcher.store.write(other, add)
    asked = {"params": walk.asking(client), "headers": SAME}
    await walk.http.post("/oauth/authorize", data={"email": name, "password": PASSWORD}, **asked)
    page = await walk.authorize(client)
    assert "<select" in page.text
    assert "&lt;i&gt;Other&lt;/i&gt;" in page.text
    told = sent_back(await walk.decide(page, workspace=other))
    issued = (await walk.redeem(client, told["code"])).json()
    answer = await walk.mcp(issued["access_token"])
    assert answer.status_code == 200
    row = await walk.served.service.dispatcher.store.read(
        other, lambda tx: tx.one("SELECT count(*) FROM oauth_grants WHERE workspace_id = :workspace")
    )
    assert row[0] == 1


async def test_garbage_is_no_fault(walk, client):
    await walk.sign_in()
    for query in ("", "&&&", "%", "a=%ff", "client_id=%00", "\xff", "=".join("a" * 100), "&".join(["a=b"] * 200)):
        answer = await walk.http.get(f"/oauth/authorize?{query}")
        assert answer.status_code == 400
    for body in (b"", b"\xff\xfe", b"ticket=%ff", b"ticket", b"&".join([b"a=b"] * 200), b"x" * 100_000):
        answer = await walk.http.post("/oauth/authorize", content=body, headers=SAME)
        assert 400 <= answer.status_code < 500
    assert (await walk.http.delete("/oauth/authorize")).status_code == 405


async def test_on_https_the_cookie_and_iss_fit(tmp_path):
    async with serving(tmp_path, url="https://pendesk.example.com") as served:
        walk = Walk(served)
        await walk.sign_in()
        client = await walk.register()
        told = sent_back(await walk.decide(await walk.authorize(client)))
        assert told["iss"] == "https://pendesk.example.com"


@pytest.mark.parametrize("tools", TOOL_SETS)
async def test_the_person_chooses_what_the_program_is_for(walk, tools):
    """RFC 6749, 3.3: what is granted may differ from what was requested, and the answer says so."""
    client_id = await walk.register()
    await walk.sign_in()
    page = await walk.authorize(client_id)
    for tool_set in TOOL_SETS.values():
        assert f"<strong>{tool_set.label}</strong>" in page.text
        assert tool_set.purpose[1:] in page.text
    assert re.findall(r'name="tools" value="(\w*)"( checked)?', page.text) == [
        ("", " checked"),
        ("plan", ""),
        ("all", ""),
    ]
    code = sent_back(await walk.decide(page, tools="" if tools == "build" else tools))["code"]
    tokens = (await walk.redeem(client_id, code)).json()
    assert tokens["scope"] == TOOL_SETS[tools].scope_text
    listed = (await walk.mcp(tokens["access_token"])).json()["result"]["tools"]
    assert ("claim_action" in names(listed), "create_task" in names(listed)) == (tools != "plan", tools != "build")
    renewed = (await walk.refresh(client_id, tokens["refresh_token"])).json()
    assert renewed["scope"] == TOOL_SETS[tools].scope_text
    grant = (await walk.call("list_grants")).grants[0]
    assert " ".join(grant.scopes) == TOOL_SETS[tools].scope_text


async def test_scopes_that_are_no_set_are_granted_as_requested_unless_the_person_chooses(walk):
    client_id = await walk.register()
    await walk.sign_in()
    page = await walk.authorize(client_id, scope="desk.read")
    assert "As requested" in page.text
    assert [value for value, _ in re.findall(r'name="tools" value="(\w*)"( checked)?', page.text)] == [
        "",
        *TOOL_SETS,
    ]
    code = sent_back(await walk.decide(page, tools=""))["code"]
    assert (await walk.redeem(client_id, code)).json()["scope"] == "desk.read"


async def test_only_the_three_choices_can_be_posted(walk):
    client_id = await walk.register()
    await walk.sign_in()
    for tools in ("person", "desk.write", "everything"):
        page = await walk.decide(await walk.authorize(client_id), tools=tools)
        assert page.status_code == 403
        assert "location" not in page.headers


def names(tools):
    return {tool["name"] for tool in tools}
