"""A test report as the body of a request."""

import pytest

from pendesk.domain.access import TOKEN_SCOPES
from tests.desk import TestDesk
from tests.workbench import published_spec

JUNIT = '<testsuite><testcase name="AC-1 shows the form"/></testsuite>'


@pytest.fixture
async def caller(served):
    """A token of the owner's, and the address of an action that they hold."""
    desk = TestDesk.__new__(TestDesk)
    desk.dispatcher = served.service.dispatcher
    await published_spec(desk, served.owner)
    await desk.call(served.owner, "claim_action", action_pid="PEN-1")
    token = await desk.call(served.owner, "create_token", name="CI", scopes=sorted(TOKEN_SCOPES))
    return {"Authorization": f"Bearer {token['token']}"}, "/api/v1/actions/PEN-1/test-reports"


async def test_a_file_is_evidence(served, caller):
    token, path = caller
    answer = await served.http.post(f"{path}?format=junit&sha={'a' * 40}", content=JUNIT, headers=token)
    assert answer.status_code == 200
    body = answer.json()
    assert (body["recorded"], body["sha"], body["criteria"][0]["outcome"]) == (True, "a" * 40, "passed")


async def test_colours_and_a_byte_order_mark_do_no_harm(served, caller):
    token, path = caller
    content = b"\xef\xbb\xbf1..1\n\x1b[32mok\x1b[0m\nok 1 - \x1b[1mAC-1\x1b[0m\n"
    answer = await served.http.post(f"{path}?format=tap", content=content, headers=token)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("query", "content", "status"),
    [
        ("", JUNIT, 422),
        ("?format=html", JUNIT, 422),
        ("?format=junit&colour=red", JUNIT, 422),
        ("?format=junit", b"\xff\xfe", 422),
        ("?format=junit", "", 422),
        ("?format=junit", "<!DOCTYPE x><testsuite/>", 422),
        ("?format=junit&action_pid=PEN-2", JUNIT, 422),
        ("?format=junit", "x" * 1_000_001, 413),
    ],
)
async def test_refusals_come_with_their_status(served, caller, query, content, status):
    token, path = caller
    answer = await served.http.post(path + query, content=content, headers=token)
    assert answer.status_code == status


async def test_it_needs_a_token_that_may_build(served, caller):
    token, path = caller
    assert (await served.http.post(f"{path}?format=junit", content=JUNIT)).status_code == 401
    reading = await served.service.dispatcher.call(
        served.owner, "create_token", {"name": "r", "scopes": ["specs.read"]}
    )
    headers = {"Authorization": f"Bearer {reading.token}"}
    assert (await served.http.post(f"{path}?format=junit", content=JUNIT, headers=headers)).status_code == 403
    unknown = path.replace("PEN-1", "PEN-99")
    assert (await served.http.post(f"{unknown}?format=junit", content=JUNIT, headers=token)).status_code == 404
