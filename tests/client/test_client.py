"""The Python client against a real server, and against a mock that fails."""

import asyncio
import importlib.metadata
import itertools
import subprocess
import sys
from typing import Any

import httpx2 as httpx
import pytest

from pendesk.cli.parts.agent_marks import agent_marks_in
from pendesk_client import (
    AsyncPendesk,
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    Pendesk,
    PendeskError,
    RateLimited,
    ServerFault,
    Unauthenticated,
    Unreachable,
    __version__,
)
from pendesk_client.session import session_headers
from scripts.write_client import FOLDER, GENERATORS, formatted_source

REFUSED = {"error": {"status": 429, "code": "too_many_requests", "message": "Wait.", "retryAfter": 2}}


@pytest.mark.parametrize("name", GENERATORS)
def test_what_is_generated_from_the_server_is_current(name):
    assert (FOLDER / name).read_text() == formatted_source(name), "run `make client`"


def test_the_loop_of_an_agent(server):
    with Pendesk() as desk:
        assert desk.load_sample().loaded
        spec = desk.list_available_specs().specs[0]
        action = next(action for action in spec.actions if action.status == "not-started")
        claim = desk.claim_action(action.pid, agent_model="tester")
        assert (claim.status, claim.claim is not None) == ("started", True)
        brief = desk.get_action_brief(action.ref_code)
        desk.report_commit(action.pid, "a" * 40, "Do it", criterion_ids=[brief.action.acceptance_criteria[0].id])
        report = desk.upload_test_report(action.pid, "junit", b'<testsuite><testcase name="AC-1"/></testsuite>')
        assert report.tests == 1
        assert desk.release_action(action.pid).status == "not-started"


def test_lists_go_on_over_pages_and_files_go_up(server):
    with Pendesk() as desk:
        desk.create_project("Harbour", key="HRB")
        for number in range(53):
            desk.create_note("HRB", f"{number}")
        assert [note.title for note in desk.iter_notes("HRB")] == [f"{number}" for number in range(53)]
        assert len(list(desk.iter_events(project_id="HRB", limit=10))) == 54
        spec = desk.create_spec("HRB", "Tides")
        attachment = desk.put_attachment("chart.png", b"png", media_type="image/png", spec_pid=spec.pid)
        assert (attachment.size_bytes, attachment.media_type) == (3, "image/png")
        edge = desk.create_edge(
            "HRB", desk.create_task("HRB", "a").pid, desk.create_task("HRB", "b").pid, label="blocks"
        )
        desk.remove_edge(edge.pid)
        with pytest.raises(NotFound):
            desk.remove_edge(edge.pid)


def test_refusals_are_typed(server):
    with Pendesk() as desk:
        project = desk.create_project("Harbour", key="HRB")
        with pytest.raises(NotFound):
            desk.get_project("NONE")
        with pytest.raises(Invalid) as bad:
            desk.create_task("HRB", "")
        assert (bad.value.code, bad.value.details["field"]) == ("bad_field", "label")
        desk.update_project("HRB", name="Port")
        with pytest.raises(Conflict) as late:
            desk.update_project("HRB", name="Haven", expected_revision=project.revision)
        assert late.value.details["changed"] == {"name": "Port"}
    with Pendesk(token="pendesk_mcp_x") as desk, pytest.raises(Unauthenticated):
        desk.list_projects()
    with Pendesk(url="http://127.0.0.1:1", retries=0) as desk, pytest.raises(Unreachable):
        desk.list_projects()


async def test_the_async_client_does_the_same(server):
    async with AsyncPendesk() as desk:
        await desk.create_project("Harbour", key="HRB")
        await asyncio.gather(*(desk.create_note("HRB", f"{number}") for number in range(5)))
        assert len([note async for note in desk.iter_notes("HRB")]) == 5
        with pytest.raises(NotFound):
            await desk.get_note("NONE")


def test_events_come_as_they_happen(server):
    with Pendesk() as desk, Pendesk() as writer:
        writer.create_project("Harbour", key="HRB")
        seen = desk.events(after=0, project_id="HRB")
        assert next(seen).kind == "project.created"
        writer.create_note("HRB", "Wind")
        assert next(seen).kind == "note.created"
        notes = desk.events(after=0, kind=["note", "action.claimed"])
        assert next(notes).kind == "note.created"
        assert [event.kind for event in desk.list_events(kind=["note", "project"]).events] == [
            "project.created",
            "note.created",
        ]


async def test_events_come_to_the_async_client_too(server):
    async with AsyncPendesk() as desk:
        await desk.create_project("Harbour", key="HRB")
        async for event in desk.events(after=0, project_id="HRB"):
            assert event.kind == "project.created"
            break


class MockServer:
    """Gives these responses (or raises these errors) in turn, and records the requests."""

    def __init__(self, *responses: Any) -> None:
        self.responses = iter(responses)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        response = next(self.responses)
        if isinstance(response, Exception):
            raise response
        assert isinstance(response, httpx.Response)
        return response


def refused(status: int, code: str = "x") -> httpx.Response:
    return httpx.Response(status, json={"error": {"status": status, "code": code, "message": "No."}})


PROJECTS = httpx.Response(200, json={"projects": []})
DROPPED = httpx.ConnectError("dropped")


@pytest.fixture
def slept(monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    return waits


def client_of(server: MockServer, **options: Any) -> Pendesk:
    return Pendesk("http://desk.test", "pendesk_mcp_x", transport=httpx.MockTransport(server), **options)


def test_retry_after_is_waited_for(slept):
    limited = httpx.Response(429, json=REFUSED, headers={"retry-after": "2"})
    client_of(MockServer(limited, PROJECTS)).list_projects()
    assert slept == [2.0]


def test_a_wait_that_is_too_long_is_an_error(slept):
    with pytest.raises(RateLimited) as error:
        client_of(MockServer(httpx.Response(429, json=REFUSED, headers={"retry-after": "3600"}))).list_projects()
    assert (error.value.details, slept) == ({"retryAfter": 2}, [])


@pytest.mark.parametrize("trouble", [DROPPED, httpx.ReadTimeout("slow"), refused(500), refused(503), refused(502)])
def test_reads_are_repeated_with_growing_pauses(slept, trouble):
    client_of(MockServer(trouble, trouble, trouble, PROJECTS)).list_projects()
    assert len(slept) == 3
    assert slept[2] > slept[0]


@pytest.mark.parametrize("trouble", [DROPPED, refused(500), refused(503, "outcome_unknown")])
def test_a_write_is_repeated_with_the_same_key(slept, trouble):
    claimed = httpx.Response(200, json=dict.fromkeys(("pid", "refCode", "label", "area", "status", "claimedBy"), "x"))
    server = MockServer(trouble, claimed)
    client_of(server).claim_action("HRB-1")
    first, second = [request.headers["idempotency-key"] for request in server.requests]
    assert first == second
    assert len(first) == 32


@pytest.mark.parametrize(("trouble", "kind"), [(DROPPED, Unreachable), (refused(500), ServerFault)])
def test_a_write_that_keeps_no_key_is_not_repeated(slept, trouble, kind):
    server = MockServer(trouble)
    with pytest.raises(kind):
        client_of(server).load_sample()
    assert (len(server.requests), slept) == (1, [])


@pytest.mark.parametrize(("status", "kind"), [(403, Forbidden), (404, NotFound), (409, Conflict), (422, Invalid)])
def test_what_is_refused_for_good_is_not_repeated(slept, status, kind):
    with pytest.raises(kind):
        client_of(MockServer(refused(status))).list_projects()


def test_it_gives_up_in_the_end(slept):
    server = MockServer(*itertools.repeat(DROPPED, 9))
    with pytest.raises(Unreachable):
        client_of(server, retries=2).list_projects()
    assert len(server.requests) == 3


def test_a_page_of_another_server_is_recognized(slept):
    with pytest.raises(PendeskError) as error:
        client_of(MockServer(httpx.Response(404, text="<html>nginx</html>"))).list_projects()
    assert error.value.code == "unexpected_response"


def test_a_broken_stream_goes_on_where_it_broke(slept):
    row = '{"seq":%d,"at":"x","kind":"k","actorId":null,"agentModel":null,"door":"rest","objectId":"o","projectId":null'
    row += ',"specId":null,"actionId":null,"data":{}}'
    text = "retry: 1000\nid: 4\nevent: ready\ndata: {}\n\n:\nid: 5\ndata: " + row % 5 + "\n\nid: 6\ndata: {half"
    more = "id: 6\ndata: " + row % 6 + "\n\n"
    server = MockServer(httpx.Response(200, text=text), DROPPED, httpx.Response(200, text=more))
    seen = client_of(server).events()
    assert [next(seen).seq, next(seen).seq] == [5, 6]
    assert [request.headers.get("last-event-id") for request in server.requests] == [None, "5", "5"]


def test_a_missing_token_or_a_bad_url_is_refused(monkeypatch):
    monkeypatch.delenv("PENDESK_MCP_TOKEN", raising=False)
    with pytest.raises(ValueError, match="PENDESK_MCP_TOKEN"):
        Pendesk("http://desk.test")
    with pytest.raises(ValueError, match="not the URL"):
        Pendesk("desk.test", "pendesk_mcp_x")


def test_it_imports_nothing_of_the_server():
    code = "import sys, pendesk_client; print([name for name in sys.modules if name.split('.')[0] == 'pendesk'])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("chosen", ["argument", "environment"])
def test_a_session_tells_programs_with_one_token_apart(slept, monkeypatch, chosen):
    monkeypatch.setenv("PENDESK_SESSION", "environment")
    server = MockServer(PROJECTS)
    client_of(server, session="argument" if chosen == "argument" else None).list_projects()
    (request,) = server.requests
    assert request.headers["x-pendesk-session"] == chosen
    assert request.headers["user-agent"] == f"pendesk-client/{__version__}"
    assert importlib.metadata.version("pendesk-client") == __version__


@pytest.mark.parametrize("text", ["left", "gr\u00f6\u00dfe", "a\r\nb", "x" * 201, " ", ""])
def test_a_session_is_sent_as_the_command_line_sends_it(text):
    of_command_line = agent_marks_in({"PENDESK_SESSION": text}, [], False, {})._replace(machine=None)
    assert session_headers(None, {"PENDESK_SESSION": text}) == of_command_line.headers()


def test_without_a_session_the_steps_of_a_ci_job_are_one():
    assert session_headers(None, {"BUILDKITE_JOB_ID": "7"}) == {"X-Pendesk-Session": "buildkite:7"}
    assert session_headers(None, {"PENDESK_SESSION": "left", "BUILDKITE_JOB_ID": "7"}) == {"X-Pendesk-Session": "left"}
    assert session_headers(None, {}) == {}
