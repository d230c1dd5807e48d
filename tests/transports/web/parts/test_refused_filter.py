"""What an address asks for and nobody knows is left out, and the page says so."""

import pytest

from tests.sites import SAME
from tests.transports.served import serving


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path / "data") as running:
        await running.http.post("/sign-in", data={"code": (await running.link()).partition("code=")[2]}, headers=SAME)
        await running.call("create_project", name="Tides", key="TID")
        await running.call("create_task", project_id="TID", label="Dredge")
        yield running


@pytest.mark.parametrize(
    ("address", "kept", "name", "value"),
    [
        ("/p/TID?due=someday&area=api", "/p/TID?area=api", "due", "someday"),
        ("/p/TID/list?order=sideways", "/p/TID/list", "order", "sideways"),
        ("/timeline?kind=nonsense&project=TID", "/timeline?project=TID", "kind", "nonsense"),
        ("/timeline?project=NOPE", "/timeline", "project", "NOPE"),
    ],
)
async def test_the_rest_of_the_address_is_shown_with_a_note(served, address, kept, name, value):
    answer = await served.http.get(address)
    assert (answer.status_code, answer.headers["location"]) == (303, kept)
    page = await served.http.get(kept)
    assert page.status_code == 200
    assert f"The address asked for {name} “{value}”, which is not known here. It was left out." in page.text


async def test_several_are_left_out_one_after_the_other(served):
    page = await served.http.get("/p/TID?due=someday&mark=nothing", follow_redirects=True)
    assert (page.status_code, page.url.path, page.url.query) == (200, "/p/TID", b"")


async def test_what_is_wrong_in_the_path_is_an_error_page_whatever_the_query_says(served):
    page = await served.http.get("/p/NOPE?project=TID", follow_redirects=True)
    assert page.status_code == 404


async def test_a_part_of_a_page_and_its_twin_are_refused(served):
    part = await served.http.get("/p/TID?due=someday", headers={"hx-request": "true"})
    twin = await served.http.get("/p/TID.json?due=someday")
    assert (part.status_code, twin.status_code) == (422, 422)
