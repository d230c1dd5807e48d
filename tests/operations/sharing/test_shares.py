"""Links for guests: what they show, what they never show, and how they end."""

import asyncio

import pytest

from pendesk.domain import access, token
from pendesk.domain.access import TOKEN_SCOPES, Scope
from pendesk.domain.errors import BadField, LinkLeadsNowhere, MissingScope, NotFound, RuleBroken, TooManyRequests
from pendesk.domain.limits import DAY_US, GUEST_REQUESTS_WAITING, PROJECT_SHARES
from pendesk.operations.registry import OPERATIONS
from tests.callers import admit_guest
from tests.events import events_of
from tests.guest_requests import fill_inbox
from tests.mistyped import mistyped
from tests.refusals import refused
from tests.workbench import next_door


async def seen(desk, secret):
    """As a guest, from the link alone."""
    guest = await admit_guest(desk.dispatcher, secret)
    return await desk.call(guest, "get_share", secret=secret)


async def leave(desk, secret, title="It is slow", **more):
    return await desk.call(await admit_guest(desk.dispatcher, secret), "leave_item", secret=secret, title=title, **more)


async def test_a_guest_sees_the_projects_picture(desk, ada, work, share):
    await desk.call(ada, "create_goal", project_id=work.project_id, title="Fewer passwords", description="Or none.")
    secret, created = await share()
    result = await seen(desk, secret)
    project = result["project"]
    assert (project["name"], project["description"], project["status"]) == ("Pendesk", "A work server", "active")
    assert project["goals"] == [{"title": "Fewer passwords", "text": "Or none."}]
    assert project["specs"] == [{"title": "Sign in", "text": "People sign in with a password."}]
    assert [(step["ref"], step["label"], step["status"]) for step in project["actions"]] == [
        ("PEN-1", "Action 1", "todo"),
        ("PEN-2", "Action 2", "todo"),
    ]
    assert (project["actions"][0]["criteriaDone"], project["actions"][0]["criteriaTotal"]) == (0, 2)
    assert project["counts"] == {"todo": 2}
    assert len(project["edges"]) == 1
    assert (result["takesItems"], created["state"]) == (False, "open")


async def test_a_guest_sees_one_actions_brief(desk, ada, work, share):
    secret, created = await share(action_id=work.actions[1]["refCode"])
    result = await seen(desk, secret)
    assert "project" not in result
    action = result["action"]
    assert (action["ref"], action["description"], action["project"]) == ("PEN-2", "Do part 2.", "Pendesk")
    assert [criterion["text"] for criterion in action["criteria"]] == ["Criterion 2.1 holds", "Criterion 2.2 holds"]
    assert action["spec"]["results"] == ["A person can sign in"]
    assert action["approach"] == "Begin with the form."
    assert action["first"] == [{"ref": "PEN-1", "label": "Action 1", "status": "todo"}]
    assert created["actionId"] == work.actions[1]["pid"]


async def test_documents_are_shown_only_where_chosen(desk, ada, work, share):
    await desk.call(ada, "create_document", project_id=work.project_id, title="Design", body="Blue.")
    assert (await seen(desk, (await share())[0]))["project"]["documents"] == []
    (page,) = (await seen(desk, (await share(with_documents=True))[0]))["project"]["documents"]
    assert (page["title"], page["body"]) == ("Design", "Blue.")


async def test_nothing_about_people_ids_or_costs_is_in_it(desk, work):
    """Every text that is not for guests has a word that must not be found."""
    hidden = "Zanzibar"
    person = await desk.person(hidden)
    about, first, second = {"project_id": work.project_id}, work.actions[0]["pid"], work.actions[1]["pid"]
    await desk.call(person, "add_participant", spec_id=work.spec_id, user_id=person.user_id)
    document = await desk.call(person, "create_document", title="Shown", body="Shown", **about)
    await desk.call(person, "add_comment", document_id=document["pid"], body=hidden)
    await desk.call(person, "create_note", title=hidden, body=hidden, **about)
    run = await desk.call(person, "start_agent_run", label=hidden, model=hidden, **about)
    await desk.call(person, "record_agent_progress", run_id=run["pid"], message=hidden)
    await desk.call(person, "complete_agent_run", run_id=run["pid"], status="completed", tokens=777123, cost=777.5)
    await desk.call(person, "claim_action", action_pid=first, agent_model=hidden)
    await desk.call(person, "report_commit", action_pid=first, sha="a" * 40, message=hidden)
    answer = await desk.call(person, "request_clarification", action_pid=first, question=hidden)
    await desk.call(person, "answer_question", clarification_pid=answer["pid"], answer=hidden)
    await desk.call(person, "update_progress", action_pid=first, status="wont-do", message=hidden)
    plan = await desk.call(person, "create_plan", spec_id=work.spec_id, title="Plan B", approach=hidden)
    await desk.call(person, "create_action", plan_id=plan["pid"], label=hidden, criteria=[hidden])
    for more in ({"with_documents": True}, {"action_id": first}, {"action_id": second}):
        share = await desk.call(person, "create_share", takes_items=True, **about, **more)
        secret = share["url"].rpartition("/")[2]
        await leave(desk, secret, hidden, body=hidden, guest_name=hidden)
        result = str(await seen(desk, secret))
        assert hidden not in result
        for word in (work.project_id, work.spec_id, first, person.user_id, "777", "@example.com", "a" * 40):
            assert word not in result


async def test_it_ends_at_once_when_revoked_and_when_its_time_is_over(desk, ada, share):
    secret, created = await share()
    lasting, _ = await share()
    short, _ = await share(expires_in_days=1)
    answer = await desk.call(ada, "revoke_share", share_id=created["shareId"])
    assert answer["state"] == "ended"
    desk.clock.forward(DAY_US)
    unknown = token.make_token(b"x" * 32, token.SHARE_PREFIX)
    messages = set()
    for gone in (secret, short, unknown, "nonsense", mistyped(lasting), ""):
        with refused(LinkLeadsNowhere) as caught:
            await seen(desk, gone)
        messages.add(caught.refusal.message)
    assert len(messages) == 1
    assert (await seen(desk, lasting))["project"]["name"] == "Pendesk"
    second = await desk.call(ada, "revoke_share", share_id=created["shareId"])
    assert second["revokedAt"] == answer["revokedAt"]
    assert len(await events_of(desk, ada, "share.revoked")) == 1


async def test_the_secret_is_shown_once_and_kept_nowhere(desk, ada, work, share):
    secret, created = await share()
    page = await desk.call(ada, "list_shares", project_id=work.project_id)
    assert [item["shareId"] for item in page["shares"]] == [created["shareId"]]
    rows = await desk.store.read(
        desk.workspace, lambda tx: tx.all("SELECT * FROM shares UNION ALL SELECT * FROM shares")
    )
    events = await desk.call(ada, "list_events")
    assert secret not in str((page, rows, events))
    assert secret.removeprefix(token.SHARE_PREFIX) not in str((page, rows, events))


async def test_a_guest_can_reach_nothing_else(desk, share):
    guest = await admit_guest(desk.dispatcher, (await share())[0])
    own = {operation.name for operation in OPERATIONS if operation.scope is Scope.GUEST}
    assert own == {"get_share", "leave_item"}
    for operation in OPERATIONS:
        if operation.name not in own:
            with refused(MissingScope):
                await desk.call(guest, operation.name)
    assert Scope.GUEST not in TOKEN_SCOPES


async def test_a_guest_of_one_workspace_is_none_in_another(desk, ada, share):
    other = await next_door(desk)
    nina = await other.person("Nina")
    theirs = await other.call(nina, "create_project", name="Foreign")
    created = await other.call(nina, "create_share", project_id=theirs["pid"])
    secret = created["url"].rpartition("/")[2]
    with refused(LinkLeadsNowhere):
        await desk.call(access.guest_actor(desk.workspace), "get_share", secret=secret)
    with refused(NotFound):
        await desk.call(ada, "revoke_share", share_id=created["share"]["shareId"])
    assert (await seen(other, secret))["project"]["name"] == "Foreign"


async def test_an_action_of_another_project_is_refused(desk, ada, share):
    other = await desk.call(ada, "create_project", name="Other")
    task = await desk.call(ada, "create_task", project_id=other["pid"], label="Elsewhere")
    with refused(BadField) as caught:
        await share(action_id=task["pid"])
    assert caught.refusal.details["field"] == "action_id"


async def test_a_guests_item_lands_in_the_inbox_and_becomes_a_task_in_scope(desk, ada, work, share):
    secret, created = await share(takes_items=True)
    assert await leave(desk, secret, " It is slow ", body="On Mondays.", guest_name="Zoe") == {"received": True}
    (row,) = (await desk.call(ada, "list_submissions", project_id=work.project_id))["submissions"]
    assert row["untrusted"] == {"guestName": "Zoe", "title": "It is slow", "body": "On Mondays."}
    answer = await desk.call(ada, "triage_submission", submission_id=row["pid"], action="accept")
    task = await desk.call(ada, "get_task", task_id=answer["taskId"])
    assert (task["status"], task["label"]) == ("scope", "From a guest: It is slow")
    assert task["description"].splitlines()[2:] == ["> It is slow", "> ", "> On Mondays."]
    (event,) = await events_of(desk, ada, "submission.received")
    assert (event["objectId"], event["door"], event["data"]) == (row["pid"], "share", {"share": created["shareId"]})
    assert not event.get("actorId")


async def test_a_share_takes_items_only_where_it_says_so(desk, share):
    secret, _ = await share()
    with refused(RuleBroken, "takes_no_items"):
        await leave(desk, secret)


async def test_an_inbox_that_nobody_reads_is_full_at_last(desk, ada, work, share):
    secret, created = await share(takes_items=True)
    await fill_inbox(desk, work.project_id, created["shareId"], GUEST_REQUESTS_WAITING - 1)
    result = await asyncio.gather(*(leave(desk, secret) for _ in range(4)), return_exceptions=True)
    assert sorted(getattr(item, "code", "left") for item in result) == ["inbox_full"] * 3 + ["left"]
    (first, *_) = (await desk.call(ada, "list_submissions", project_id=work.project_id))["submissions"]
    await desk.call(ada, "triage_submission", submission_id=first["pid"], action="reject")
    await leave(desk, secret)
    with refused(TooManyRequests, "inbox_full"):
        await leave(desk, secret)


async def test_there_are_so_many_shares_of_a_project_and_no_more(desk, ada, share):
    open_shares = [(await share())[1] for _ in range(PROJECT_SHARES)]
    with refused(RuleBroken, "too_many"):
        await share()
    await desk.call(ada, "revoke_share", share_id=open_shares[0]["shareId"])
    await share()


@pytest.mark.parametrize(
    "wrong",
    [{"title": "two\nlines"}, {"title": " "}, {"title": "x" * 201}, {"body": "x" * 4001}, {"guest_name": "x" * 101}],
)
async def test_a_bad_item_names_its_field(desk, share, wrong):
    secret, _ = await share(takes_items=True)
    with refused(BadField) as caught:
        await leave(desk, secret, **wrong)
    assert caught.refusal.details["field"] == next(iter(wrong))


async def test_what_no_person_would_see_is_removed_from_what_a_guest_sends(desk, ada, work, share):
    secret, _ = await share(takes_items=True)
    hidden = "\u202e\u200b\U000e0041"
    await leave(desk, secret, f"Slow{hidden} ❤️", body=f"می‌خواهم{hidden}\nit", guest_name=f"Zoe{hidden}")
    (row,) = (await desk.call(ada, "list_submissions", project_id=work.project_id))["submissions"]
    assert row["untrusted"] == {"guestName": "Zoe", "title": "Slow ❤️", "body": "می‌خواهم\nit"}
    with refused(BadField) as caught:
        await leave(desk, secret, hidden)
    assert caught.refusal.details["field"] == "title"
