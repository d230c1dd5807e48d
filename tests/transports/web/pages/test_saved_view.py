"""A saved view has an address of its own, which leads to the page with its filters."""

import pytest

from tests.sites import SAME
from tests.transports.served import Served, serving


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path / "data") as running:
        code = (await running.link()).partition("code=")[2]
        await running.http.post("/sign-in", data={"code": code}, headers=SAME)
        await running.service.dispatcher.call(running.owner, "load_sample", {})
        yield running


async def save(served: Served, **fields: str) -> str:
    form = {"project_id": "HRB", "name": "Late & mine", **fields, "_next": "/views/{pid}"}
    headers = {**SAME, "hx-request": "true"}
    answer = await served.http.post("/do/create_saved_view", data=form, headers=headers)
    assert answer.status_code == 204
    return answer.headers["hx-redirect"]


async def test_its_address_leads_to_the_filters_and_the_page_names_it(served):
    address = await save(served, query="?due=overdue&group=spec&shown=todo:100", page="board", shared="true")
    answer = await served.http.get(address, follow_redirects=False)
    pid = address.rpartition("/")[2]
    assert (answer.status_code, answer.headers["location"]) == (303, f"/p/HRB?due=overdue&group=spec&view={pid}")
    page = (await served.http.get(answer.headers["location"])).text
    assert "<span>Late &amp; mine</span>" in page
    assert f'<input type="hidden" name="view" value="{pid}">' in page
    listed = await save(served, query="state=done", page="list")
    answer = await served.http.get(listed, follow_redirects=False)
    assert answer.headers["location"].startswith("/p/HRB/list?state=done&view=")
    assert (await served.http.get(answer.headers["location"])).status_code == 200


async def test_one_that_is_not_there_is_a_page_that_says_so(served):
    answer = await served.http.get("/views/01920000-0000-7000-8000-000000000000")
    assert answer.status_code == 404
    assert "Check the address" in answer.text


async def test_who_is_signed_out_comes_back_after_signing_in(served):
    served.http.cookies.clear()
    answer = await served.http.get("/views/1", follow_redirects=False)
    assert answer.headers["location"] == "/sign-in?then=%2Fviews%2F1"
