"""The log names people by their ids: whatever happens to them, no name and no address of theirs stands in it.

A sealed log cannot be changed, so what is written there stays; names are looked up when it is read.
"""

import ast
from pathlib import Path

import pytest

import pendesk
from pendesk.domain.access import Role
from pendesk.domain.event_visibility import PRIVATE_KINDS
from pendesk.domain.limits import INVITE_US
from pendesk.domain.oidc import Identity
from pendesk.operations.access.start_oidc_session import JoinPolicy
from pendesk.store import invites
from tests.callers import (
    accept_invite_as_known_user,
    accept_invite_as_new_user,
    admit_guest,
    create_first_workspace,
    find_local_actor,
    start_oidc_session,
    start_session,
)
from tests.workbench import next_door, published_spec

MARKER = "Zebedee"
NAME = f"{MARKER} Quux"
PASSWORD = "correct horse battery"
NOBODY = JoinPolicy(frozenset(), Role.MEMBER)


def address(desk, name="zebedee"):
    return f"{name}-{desk.workspace}@{MARKER}.example"


@pytest.fixture
async def owner(desk):
    return await desk.person("Owner", Role.OWNER)


async def member(desk, owner, kind="person", **more):
    email = {} if kind == "agent" else {"email": address(desk)}
    return (await desk.call(owner, "create_user", name=NAME, kind=kind, **email, **more))["userId"]


async def invite_code(desk, owner, email):
    created = await desk.call(owner, "invite_member", email=email)
    return created["url"].partition("code=")[2], created["inviteId"]


async def create_people(desk, owner):
    await member(desk, owner)
    await member(desk, owner, kind="agent")


async def rename(desk, owner):
    agent = await member(desk, owner, kind="agent")
    await desk.call(owner, "rename_user", user_pid=agent, name=f"{MARKER} the second")
    await desk.call(owner, "rename_user", name=NAME)


async def invite_and_revoke(desk, owner):
    _, invite_id = await invite_code(desk, owner, address(desk))
    await desk.call(owner, "revoke_invite", invite_id=invite_id)


async def accept_as_new(desk, owner):
    code, _ = await invite_code(desk, owner, address(desk))
    assert await accept_invite_as_new_user(desk.dispatcher, code, {"name": NAME, "password": PASSWORD})


async def accept_as_known(desk, owner):
    other = await next_door(desk)
    email = address(desk, "known")
    host = await other.person("Host", Role.OWNER)
    known = await other.call(host, "create_user", name=NAME, email=email)
    code, _ = await invite_code(desk, owner, email)
    assert await accept_invite_as_known_user(desk.dispatcher, code, known["userId"])


async def link_and_sign_in(desk, owner):
    user_id = await member(desk, owner)
    identity = Identity("https://id.example.com", f"{MARKER}-{desk.workspace}", address(desk).lower(), NAME)
    assert await start_oidc_session(desk.dispatcher, identity, NOBODY, MARKER)
    link = await desk.call(owner, "create_sign_in_link", user_pid=user_id)
    assert await start_session(desk.dispatcher, link["url"].partition("code=")[2], MARKER)


async def set_password(desk, owner):
    await desk.call(owner, "set_password", user_pid=await member(desk, owner), password=PASSWORD)


async def token_for_an_agent(desk, owner):
    agent = await member(desk, owner, kind="agent")
    created = await desk.call(owner, "create_token", name="CI", user_pid=agent)
    await desk.call(owner, "revoke_token", token_id=created["tokenId"])


async def change_role_and_remove(desk, owner):
    user_id = await member(desk, owner, role="admin")
    admin = owner._replace(user_id=user_id, user_name=NAME, role=Role.ADMIN)
    agent = (await desk.call(admin, "create_user", name=f"{MARKER}'s agent", kind="agent"))["userId"]
    await desk.call(admin, "create_token", name="CI", user_pid=agent)
    await desk.call(admin, "invite_member", email=address(desk, "guest"))
    await desk.call(owner, "change_role", user_pid=user_id, role="member", hand_over_to=owner.user_id)
    await desk.call(owner, "remove_member", user_pid=user_id, hand_over_to=owner.user_id)
    await desk.call(owner, "remove_member", user_pid=agent)


async def work_together(desk, owner):
    """They take part, claim, ask, are answered, commented on, and lose the claim when they are removed."""
    user_id = await member(desk, owner)
    builder = owner._replace(user_id=user_id, user_name=NAME, role=Role.MEMBER)
    work = await published_spec(desk, owner, participants=(builder,))
    pid = work.actions[0]["pid"]
    await desk.call(builder, "claim_action", action_pid=pid, agent_model="opus")
    asked = await desk.call(builder, "request_clarification", action_pid=pid, question="Which colour?")
    await desk.call(owner, "answer_question", clarification_pid=asked["pid"], answer="Blue")
    document = await desk.call(builder, "create_document", project_id=work.project_id, title="Tides", body="High, low")
    comment = await desk.call(builder, "add_comment", document_id=document["pid"], body="And when?")
    await desk.call(owner, "delete_comment", comment_id=comment["pid"])
    await desk.call(owner, "remove_member", user_pid=user_id)


async def guest_request(desk, owner):
    work = await published_spec(desk, owner)
    share = await desk.call(owner, "create_share", project_id=work.project_id, takes_items=True)
    secret = share["url"].rpartition("/")[2]
    guest = await admit_guest(desk.dispatcher, secret)
    await desk.call(guest, "leave_item", secret=secret, title="It is slow", guest_name=NAME)
    (item,) = (await desk.call(owner, "list_submissions", project_id=work.project_id))["submissions"]
    await desk.call(owner, "triage_submission", submission_id=item["pid"], action="accept")


STEPS = [
    create_people,
    rename,
    invite_and_revoke,
    accept_as_new,
    accept_as_known,
    link_and_sign_in,
    set_password,
    token_for_an_agent,
    change_role_and_remove,
    work_together,
    guest_request,
]


async def log_text(desk):
    rows = await desk.store.read(
        desk.workspace, lambda tx: tx.all("SELECT * FROM events WHERE workspace_id = :workspace ORDER BY seq")
    )
    return "\n".join(str(row) for row in rows)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
async def test_no_name_and_no_address_stands_in_the_log(desk, owner, step):
    await step(desk, owner)
    text = await log_text(desk)
    assert text.count("\n") >= 1
    assert MARKER.lower() not in text.lower()


async def test_the_first_owner_is_no_exception(fresh):
    email = f"first@{MARKER}.example"
    await create_first_workspace(fresh.dispatcher, workspace="Desk", name=NAME, email=email)
    actor = await find_local_actor(fresh.dispatcher)
    fresh.workspace = actor.workspace_id
    text = await log_text(fresh)
    assert "workspace.created" in text
    assert MARKER.lower() not in text.lower()


async def test_the_timeline_shows_todays_names(desk, owner):
    user_id = await member(desk, owner, role="admin")
    await desk.call(owner, "rename_user", user_pid=user_id, name="Zed")
    await desk.call(owner, "change_role", user_pid=user_id, role="viewer")
    await desk.call(owner, "remove_member", user_pid=user_id)
    deeds = [row["deed"] for row in (await desk.call(owner, "get_timeline"))["events"]]
    assert deeds[:5] == [
        "removed Zed",
        "changed the role of Zed from admin to viewer",
        "renamed Zed",
        "added Zed as admin",
        "created an account for Zed",
    ]


async def test_an_invite_shows_its_address_to_admins_until_it_has_expired(desk, owner):
    await invite_code(desk, owner, "new@example.com")
    assert (await desk.call(owner, "get_timeline"))["events"][0]["deed"] == "invited new@example.com as member"
    desk.clock.forward(INVITE_US)
    await desk.store.write(desk.workspace, invites.delete_expired)
    assert (await desk.call(owner, "get_timeline"))["events"][0]["deed"] == "invited someone as member"


async def test_a_name_of_another_workspace_is_not_shown(desk, owner):
    """Somebody's id from elsewhere, as an imported file might have it."""
    other = await next_door(desk)
    stranger = await other.person(NAME)
    await desk.store.write(
        desk.workspace,
        lambda tx: tx.append_event(
            dict.fromkeys(
                ("actor_id", "agent_model", "project_id", "spec_id", "action_id", "about_user_id", "agent_session_id")
            )
            | {"at": tx.now, "kind": "member.removed", "door": "web", "object_id": stranger.user_id, "data": "{}"}
        ),
    )
    assert (await desk.call(owner, "get_timeline"))["events"][0]["deed"] == "removed a former member"


# What nobody else reads: who sent an invite, or transferred a token, is the actor.
ABOUT_NOBODY = {"invite.created", "invite.revoked", "token.handed_over"}


def test_every_writer_of_a_private_event_says_whom_it_is_about():
    folder = Path(pendesk.__file__).parent / "operations"
    written = set()
    for path in folder.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Event":
                kind = getattr(call.args[0], "value", None)
                if kind in PRIVATE_KINDS - ABOUT_NOBODY:
                    assert any(keyword.arg == "about_user_id" for keyword in call.keywords), f"{path.name}: {kind}"
                    written.add(kind)
    assert written == PRIVATE_KINDS - ABOUT_NOBODY
