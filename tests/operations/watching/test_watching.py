"""Watching: who hears of what without having asked, who has, and who does not want to."""

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import NotFound
from tests.refusals import refused
from tests.workbench import drafted_spec


@pytest.fixture
async def work(desk, ada):
    return await drafted_spec(desk, ada)


@pytest.fixture
def action(work):
    return work.actions[0]["refCode"]


async def watchers(desk, who, ident):
    answer = await desk.call(who, "list_watchers", object_id=ident)
    return {row["name"]: row["why"] for row in answer["watchers"]}


async def heard(desk, who):
    inbox = await desk.call(who, "get_inbox", kind="watched")
    assert inbox["counts"]["watched"] == len(inbox["items"])
    return [(item.get("refCode") or item["label"], item["text"], item["number"]) for item in inbox["items"]]


async def test_author_assignee_who_commented_and_who_was_mentioned_watch(desk, ada, grace, action):
    eve, bob = await desk.person("Eve"), await desk.person("Bob")
    assert await watchers(desk, ada, action) == {"Ada": "author"}
    await desk.call(ada, "update_action", action_id=action, assignee="Grace")
    await desk.call(eve, "add_comment", document_id=action, body="What of @Bob?")
    assert await watchers(desk, ada, action) == {
        "Ada": "author",
        "Grace": "assignee",
        "Eve": "commented",
        "Bob": "mentioned",
    }
    assert await heard(desk, bob) == []  # it stands among his mentions


async def test_they_hear_of_comments_and_of_changes_of_state_but_not_of_their_own(desk, ada, grace, action):
    await desk.call(grace, "add_comment", document_id=action, body="Why?")
    assert await heard(desk, ada) == [(action, "commented", 1)]
    await desk.call(grace, "update_action", action_id=action, state="backlog")
    assert await heard(desk, ada) == [(action, "moved it", 2)]
    assert await heard(desk, grace) == []
    await desk.call(ada, "add_comment", document_id=action, body="So.")
    assert await heard(desk, ada) == []  # who answers has read it
    assert await heard(desk, grace) == [(action, "commented", 1)]
    everything = await desk.call(grace, "get_inbox")
    assert (everything["items"], everything["counts"]["total"]) == ([], 0)


async def test_what_was_read_is_gone_until_something_happens_again(desk, ada, grace, work):
    first, second = (each["refCode"] for each in work.actions)
    for ref in (first, second):
        await desk.call(grace, "add_comment", document_id=ref, body="Why?")
    await desk.call(ada, "mark_watched_read", object_id=first)
    assert await heard(desk, ada) == [(second, "commented", 1)]
    await desk.call(grace, "add_comment", document_id=first, body="Still?")
    assert len(await heard(desk, ada)) == 2
    await desk.call(ada, "mark_watched_read")
    assert await heard(desk, ada) == []


async def test_who_watches_a_spec_or_a_project_hears_of_its_actions(desk, ada, grace, work, action):
    eve = await desk.person("Eve")
    told = await desk.call(grace, "set_watch", object_id=work.spec_id)
    assert (told["watching"], told["why"]) == (True, "chosen")
    await desk.call(eve, "set_watch", object_id=work.project_id)
    assert await watchers(desk, ada, action) == {"Ada": "author", "Eve": "project", "Grace": "spec"}
    assert await watchers(desk, ada, work.project_id) == {"Eve": "chosen"}
    await desk.call(ada, "add_comment", document_id=action, body="Begin here.")
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    for person in (grace, eve):
        assert sorted(await heard(desk, person)) == [(action, "commented", 1), ("Sign in", "published a build", 1)]


async def test_the_nearest_decides(desk, ada, grace, work, action):
    await desk.call(grace, "set_watch", object_id=work.project_id)
    await desk.call(grace, "set_watch", object_id=action, watching=False)
    await desk.call(ada, "add_comment", document_id=action, body="Quiet.")
    assert await heard(desk, grace) == []
    await desk.call(grace, "set_watch", object_id=work.spec_id, watching=False)
    await desk.call(ada, "add_comment", document_id=work.actions[1]["refCode"], body="Quiet, too.")
    assert await heard(desk, grace) == []
    await desk.call(grace, "set_watch", object_id=action)
    await desk.call(ada, "add_comment", document_id=action, body="Loud.")
    assert await heard(desk, grace) == [(action, "commented", 1)]


async def test_an_author_may_unwatch(desk, ada, grace, action):
    await desk.call(grace, "add_comment", document_id=action, body="Why?")
    told = await desk.call(ada, "set_watch", object_id=action, watching=False)
    assert told["watching"] is False
    assert await heard(desk, ada) == []
    await desk.call(grace, "add_comment", document_id=action, body="Really?")
    assert await heard(desk, ada) == []


async def test_what_an_agent_of_ones_own_did_is_news(desk, ada, terminal):
    await desk.call(ada, "create_project", name="Pendesk", key="TSK")
    task = await desk.call(ada, "create_task", project_id="TSK", label="Plain")
    await desk.call(terminal(process="1"), "claim_action", action_pid=task["refCode"])
    (item,) = (await desk.call(ada, "get_inbox", kind="watched"))["items"]
    assert (item["text"], item["who"]["agent"]) == ("claimed it", "Claude Code on ada-laptop")


async def test_those_who_left_and_accounts_of_agents_watch_nothing(desk, ada, grace, action):
    await desk.call(grace, "add_comment", document_id=action, body="Why?")
    owner = await desk.person("Owner", Role.OWNER)
    await desk.call(owner, "remove_member", user_pid=grace.user_id)
    assert await watchers(desk, ada, action) == {"Ada": "author"}


async def test_what_is_deleted_is_forgotten(desk, ada, grace, work, action):
    await desk.call(grace, "set_watch", object_id=action)
    await desk.call(grace, "set_watch", object_id=work.spec_id)
    await desk.call(ada, "add_comment", document_id=action, body="Going.")
    await desk.call(ada, "add_comment", document_id=work.spec_id, body="Going.")
    await desk.call(ada, "delete_action", action_id=action)
    await desk.call(ada, "delete_spec", spec_id=work.spec_id)
    assert await heard(desk, grace) == []
    with refused(NotFound):
        await desk.call(grace, "set_watch", object_id=action)
