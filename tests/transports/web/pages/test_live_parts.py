"""GET /live: the parts of an open page, each only as far as it has changed."""

import re

import pytest

from pendesk.domain.access import Role
from tests.desk import HandClock, TestDesk
from tests.sites import SAME

BOARD, SIDEBAR, INBOX = "/p/PEN#board", "/sidebar?at=/p/PEN#sidebar", "/#inbox"


@pytest.fixture
async def board(served):
    """A board of three cards, seen by its owner."""
    await sign_in(served, await served.link())
    await served.call("create_project", key="PEN", name="Pendesk")
    for label in ("One", "Two", "Three"):
        await served.call("create_task", project_id="PEN", label=label)
    return served


async def sign_in(served, link):
    await served.http.post("/sign-in", data={"code": link.partition("code=")[2]}, headers=SAME)


async def ask(served, *parts, tag=None):
    headers = {"hx-request": "true"} | ({"if-none-match": tag} if tag else {})
    return await served.http.get("/live", params={"part": list(parts)}, headers=headers)


@pytest.fixture
def called(board, monkeypatch):
    """The names of the operations that are called from then on."""
    names = []
    dispatcher = board.service.dispatcher
    call = dispatcher.call

    async def note_and_call(actor, operation, arguments):
        names.append(operation)
        return await call(actor, operation, arguments)

    monkeypatch.setattr(dispatcher, "call", note_and_call)
    return names


def filled(html):
    return re.findall(r'class="card" id="card-([\w-]+)"', html)


def kept(html):
    return re.findall(r'id="card-([\w-]+)" data-same', html)


async def test_without_a_tag_all_of_a_part_comes_and_with_its_tag_nothing_is_read(board, called):
    first = await ask(board, BOARD)
    [part] = first.json()
    assert filled(part["html"]) == ["PEN-1", "PEN-2", "PEN-3"]
    called.clear()
    again = await ask(board, BOARD, tag=first.headers["etag"])
    assert (again.status_code, again.content, called) == (304, b"", ["follow_events"])
    assert again.headers["etag"] == first.headers["etag"]
    assert float(again.headers["live-pause"]) >= 1


async def test_of_a_board_only_the_cards_that_changed_come_and_the_others_are_named(board, called):
    tag = (await ask(board, BOARD)).headers["etag"]
    await board.call("update_action", action_id="PEN-2", label="Two, anew")
    called.clear()
    answer = await ask(board, BOARD, tag=tag)
    [part] = answer.json()
    assert called == ["follow_events", "get_board_changes"]
    assert (filled(part["html"]), kept(part["html"])) == (["PEN-2"], ["PEN-1", "PEN-3"])
    assert "Two, anew" in part["html"]
    assert (await ask(board, BOARD, tag=answer.headers["etag"])).status_code == 304


async def test_where_any_card_may_have_changed_all_of_the_board_comes(board):
    tag = (await ask(board, BOARD)).headers["etag"]
    await board.call("delete_action", action_id="PEN-1")
    [part] = (await ask(board, BOARD, tag=tag)).json()
    assert (filled(part["html"]), kept(part["html"])) == (["PEN-2", "PEN-3"], [])


async def test_several_parts_come_in_one_answer_and_each_has_its_own_tag(board, called):
    first = await ask(board, SIDEBAR)
    called.clear()
    tags = first.headers["etag"].strip('"') + ",0"
    sidebar, inbox = (await ask(board, SIDEBAR, INBOX, tag=f'"{tags}"')).json()
    assert sidebar is None
    assert 'id="inbox"' in inbox["html"]
    assert "get_overview" not in called


async def test_a_page_of_which_several_parts_are_asked_for_is_read_once(board, called):
    answers = (await ask(board, "/settings/members#members", "/settings/members#invites")).json()
    assert 'id="members"' in answers[0]["html"]
    assert answers[1] == {"sameAs": 0}
    assert called.count("list_members") == 1


async def test_what_is_not_only_in_the_log_is_always_read(board):
    """The first steps are done when an agent calls, which leaves no event."""
    first = await ask(board, INBOX)
    assert (await ask(board, INBOX, tag=first.headers["etag"])).status_code == 200


async def test_what_agent_sessions_do_is_counted_in(board):
    tag = (await ask(board, BOARD)).headers["etag"]
    board.service.feed.signal.on_local_activity(board.owner.workspace_id)
    answer = await ask(board, BOARD, tag=tag)
    assert (answer.status_code, kept(answer.json()[0]["html"])) == (200, ["PEN-1", "PEN-2", "PEN-3"])


async def test_a_page_has_the_tag_of_its_parts_from_the_start(board):
    page = (await board.http.get("/p/PEN")).text
    [tag] = re.findall(r'<body [^>]*data-tag="([^"]+)"', page)
    assert (await ask(board, BOARD, tag=f'"{tag}"')).status_code == 304
    await board.call("update_action", action_id="PEN-2", label="Two, anew")
    [part] = (await ask(board, BOARD, tag=f'"{tag}"')).json()
    assert (filled(part["html"]), kept(part["html"])) == (["PEN-2"], ["PEN-1", "PEN-3"])


@pytest.mark.parametrize("tag", ['"0"', '""', '"x-y-z"', '"0123456789abcdef-1-1-1-0"', "*", '"' + "9" * 5000 + '"'])
async def test_a_tag_that_is_not_of_this_server_brings_all_of_it(board, tag):
    [part] = (await ask(board, BOARD, tag=tag)).json()
    assert filled(part["html"]) == ["PEN-1", "PEN-2", "PEN-3"]


async def test_who_may_do_less_gets_the_part_anew_and_who_is_signed_out_nothing(board):
    desk = TestDesk(board.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = board.owner.workspace_id, board.service.dispatcher
    bo = await desk.person("Bo")
    await sign_in(board, (await board.call("create_sign_in_link", user_pid=bo.user_id)).url)
    first = await ask(board, BOARD)
    assert 'draggable="true"' in first.json()[0]["html"]
    await board.call("change_role", user_pid=bo.user_id, role=Role.VIEWER.label)
    less = await ask(board, BOARD, tag=first.headers["etag"])
    assert filled(less.json()[0]["html"]) == ["PEN-1", "PEN-2", "PEN-3"]
    assert 'draggable="true"' not in less.text
    await board.http.post("/sign-out", headers=SAME)
    assert (await ask(board, BOARD, tag=less.headers["etag"])).status_code == 401


async def test_a_part_that_is_gone_says_so_in_its_place(board):
    gone, unknown, sidebar = (await ask(board, "/p/NONE#board", "/no/such/page#x", SIDEBAR)).json()
    assert (gone["error"]["code"], unknown["error"]["code"]) == ("not_found", "not_found")
    assert 'id="sidebar"' in sidebar["html"]


@pytest.mark.parametrize("count", [0, 13])
async def test_none_and_too_many_are_refused(board, count):
    assert (await ask(board, *[SIDEBAR] * count)).status_code == 422
