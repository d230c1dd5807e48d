import json

import pytest

from pendesk.transports.web.pages.form_post import ONE_TIME_SECRETS
from tests.transports.served import serving

HTMX = {"hx-request": "true", "sec-fetch-site": "same-origin"}
BROWSER = {"accept": "text/html", "sec-fetch-site": "same-origin", "referer": "http://127.0.0.1:3847/p/X?area=ui"}


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path / "data") as running:
        await running.http.post("/sign-in", data={"code": (await running.link()).partition("code=")[2]})
        yield running


async def make(served, headers, **fields):
    return await served.http.post("/do/create_project", data={"name": "Harbour", **fields}, headers=headers)


async def test_a_form_calls_its_operation_and_says_what_was_made(served):
    answer = await make(served, HTMX, _done="Made — ünicode.")
    assert answer.status_code == 204
    done = json.loads(answer.headers["hx-trigger"])["done"]
    assert (done["message"], done["operation"]) == ("Made — ünicode.", "create_project")
    assert (await served.http.get(f"/p/{done['key']}")).status_code == 200


async def test_it_goes_where_the_form_says_and_nowhere_else(served):
    answer = await make(served, HTMX, _next="/p/{key}")
    key = json.loads(answer.headers["hx-trigger"])["done"]["key"]
    assert answer.headers["hx-redirect"] == f"/p/{key}"
    for elsewhere in ("//evil.test", "/\\evil.test", "https://evil.test/", "/{key}\r\nx: y", "{pid.__class__}"):
        assert "hx-redirect" not in (await make(served, HTMX, _next=elsewhere)).headers


async def test_a_refusal_is_the_one_error_body_in_its_own_words(served):
    answer = await served.http.post("/do/create_project", data={"name": ""}, headers=HTMX)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "name")


async def test_without_javascript_it_goes_back_and_the_page_says_it_once(served):
    answer = await make(served, BROWSER, _done="It is <made>.")
    assert (answer.status_code, answer.headers["location"]) == (303, "/p/X?area=ui")
    assert "It is &lt;made&gt;." in (await served.http.get("/projects")).text
    assert "It is" not in (await served.http.get("/projects")).text
    answer = await served.http.post("/do/create_project", data={"name": ""}, headers=BROWSER)
    assert answer.status_code == 303
    assert "name" in (await served.http.get("/projects")).text


async def test_nobody_puts_words_into_our_pages(served):
    page = await served.http.get("/projects", headers={"cookie": "pendesk_flash=00.Send%20money"})
    assert "Send money" not in page.text


@pytest.mark.parametrize("operation", [*sorted(ONE_TIME_SECRETS), "list_projects", "nothing", "record_push"])
async def test_reads_unknown_names_and_secrets_are_not_for_forms(served, operation):
    answer = await served.http.post(f"/do/{operation}", data={"x": "y"}, headers=HTMX)
    assert answer.status_code in (403, 404)


async def test_garbage_is_refused(served):
    for content in (b"\xff\xfe", b"&".join([b"a=b"] * 3_000)):
        answer = await served.http.post("/do/create_project", content=content, headers=HTMX)
        assert answer.status_code == 422


async def test_a_viewer_is_told_what_role_it_needs(served):
    created = await served.service.dispatcher.call(
        served.owner, "create_user", {"name": "Eve", "email": "e@x.test", "role": "viewer"}
    )
    link = await served.service.dispatcher.call(served.owner, "create_sign_in_link", {"user_pid": created.user_id})
    await served.http.post("/sign-out")
    await served.http.post("/sign-in", data={"code": link.url.partition("code=")[2]})
    answer = await make(served, HTMX)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "role_forbids")
    assert "New project" not in (await served.http.get("/projects")).text
