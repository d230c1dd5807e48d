"""What a member owns ends with them or is handed over: on both engines, and whoever does something at the same time."""

import asyncio
from collections import Counter

import pytest

from pendesk.domain.access import TOKEN_SCOPES, Role
from pendesk.domain.errors import LinkLeadsNowhere, NotFound, Refusal, RoleForbids, RuleBroken, Unauthenticated
from pendesk.domain.publication import Publication
from pendesk.domain.token import hash_secret
from pendesk.store import events, people, publications, sign_in, tokens, webhooks
from pendesk.transports.authenticate import authenticate_bearer_token
from tests.callers import admit_guest, find_invite, start_session
from tests.events import events_of
from tests.other_desk import place_picture
from tests.refusals import refused
from tests.workbench import published_spec

OWNED = ["agent", "agent_token", "webhook", "github_webhook", "share", "share", "picture", "invite"]


class Leaver:
    """Mara, an admin who owns one of everything. `agent` is her agent's account, `other` somebody else's."""

    def __init__(self, desk):
        self.desk = desk

    async def furnish(self, owner):
        desk = self.desk
        self.mara = mara = await desk.person("Mara", Role.ADMIN)
        self.agent = (await desk.call(mara, "create_user", name="Bot", kind="agent"))["userId"]
        self.token = (await desk.call(mara, "create_token", name="CI", user_pid=self.agent))["token"]
        self.other = (await desk.call(owner, "create_user", name="Other", kind="agent"))["userId"]
        self.spare = (await desk.call(mara, "create_token", name="Spare", user_pid=self.other))["token"]
        self.own = (await desk.call(mara, "create_token", name="Mine"))["token"]
        speaks = mara._replace(user_id=self.agent, role=Role.MEMBER, scopes=TOKEN_SCOPES)
        self.work = await published_spec(desk, owner, participants=(speaks,))
        await desk.call(speaks, "claim_action", action_pid=self.work.actions[0]["pid"])
        project = {"project_id": self.work.project_id}
        self.hook = (await desk.call(mara, "create_webhook", url="https://e.com/x"))["webhook"]["webhookId"]
        await desk.call(owner, "update_project", repository_url="https://github.com/example/x", **project)
        await desk.call(mara, "set_github_webhook", **project)
        self.share = (await desk.call(mara, "create_share", **project))["url"].rpartition("/")[2]
        await self._publish(project)
        self.source = await place_picture(desk, mara, "Theirs")
        invited = await desk.call(mara, "invite_member", email=f"new-{desk.workspace}@example.com")
        self.invite = invited["url"].partition("code=")[2]
        return self

    async def _publish(self, project):
        """A share that stands on another server, with that server's token."""
        share = (await self.desk.call(self.mara, "create_share", **project))["share"]

        def publish(tx):
            there = "https://other.example"
            tx.run(
                "UPDATE shares SET server_url = :url WHERE workspace_id = :workspace AND id = :id",
                url=there,
                id=share["shareId"],
            )
            row = Publication(project["project_id"], share["shareId"], there, "sealed", "", self.mara.user_id, 0, None)
            publications.add(tx, row)

        await self.desk.store.write(self.desk.workspace, publish)

    async def works(self):
        """Which of the ways in, and of the things that send data out, still work."""
        tests = {
            "token": self._bears(self.token),
            "spare": self._bears(self.spare),
            "own": self._bears(self.own),
            "share": self._opens(),
            "invite": self._invites(),
            "webhook": self._find(lambda tx: webhooks.by_id(tx, self.hook)),
            "publication": self._find(lambda tx: publications.of_project(tx, self.work.project_id)),
        }
        return {name for name, test in tests.items() if await test}

    async def _bears(self, token):
        try:
            return await authenticate_bearer_token(self.desk.dispatcher, f"Bearer {token}", "mcp")
        except Unauthenticated:
            return None

    async def _opens(self):
        try:
            return await self.desk.call(
                await admit_guest(self.desk.dispatcher, self.share), "get_share", secret=self.share
            )
        except LinkLeadsNowhere:
            return None

    async def _invites(self):
        return await find_invite(self.desk.dispatcher, self.invite)

    async def _find(self, query):
        return await self.desk.store.read(self.desk.workspace, query)


EVERYTHING = {"token", "spare", "own", "share", "invite", "webhook", "publication"}


@pytest.fixture
async def owner(desk):
    return await desk.person("Owner", Role.OWNER)


@pytest.fixture
async def leaver(desk, owner):
    return await Leaver(desk).furnish(owner)


def kinds(owned):
    return [thing["kind"] for thing in owned]


async def test_the_preview_names_what_they_own_and_changes_nothing(desk, owner, leaver):
    shown = await desk.call(owner, "preview_removal", user_pid=leaver.mara.user_id)
    assert kinds(shown["owned"]) == OWNED
    assert {thing["outcome"] for thing in shown["owned"]} == {"end"}
    agent = shown["owned"][0]
    assert (agent["name"], agent["tokens"], agent["claims"]) == ("Bot", 1, 1)
    assert [thing["name"] for thing in shown["owned"] if thing.get("alwaysEnds")] == [
        f"new-{desk.workspace}@example.com, as member"
    ]
    assert shown["own"] == {"tokens": 1, "grants": 0, "claims": 0}
    assert [member["name"] for member in shown["newOwners"]] == ["Owner"]
    assert await leaver.works() == EVERYTHING


async def test_everything_ends_with_its_owner(desk, owner, leaver):
    shown = await desk.call(owner, "preview_removal", user_pid=leaver.mara.user_id)
    removed = await desk.call(owner, "remove_member", user_pid=leaver.mara.user_id)
    assert removed["owned"] == shown["owned"]
    assert "nextStep" not in removed
    assert await leaver.works() == set()
    hook = await desk.call(owner, "get_github_webhook", project_id=leaver.work.project_id)
    assert hook["isSet"] is False
    with refused(NotFound):
        await desk.call(owner, "list_picture_items", source_id=leaver.source)
    action = leaver.work.actions[0]["pid"]
    assert (await desk.call(owner, "claim_action", action_pid=action))["status"] == "started"
    members = (await desk.call(owner, "list_members"))["members"]
    assert [member["name"] for member in members] == ["Owner", "Other"]


async def test_each_end_has_its_event(desk, owner, leaver):
    after = await desk.store.read(desk.workspace, events.last_seq)
    await desk.call(owner, "remove_member", user_pid=leaver.mara.user_id)
    log = (await desk.call(owner, "list_events", after=after, limit=100))["events"]
    assert Counter(event["kind"] for event in log) == {
        "action.released": 1,
        "member.removed": 2,
        "token.revoked": 1,
        "outgoing_webhook.removed": 1,
        "webhook.removed": 1,
        "share.revoked": 2,
        "picture.removed": 1,
        "invite.revoked": 1,
    }


async def test_it_is_handed_over_where_somebody_takes_it(desk, owner, leaver):
    bob = await desk.person("Bob", Role.ADMIN)
    asked = {"user_pid": leaver.mara.user_id, "hand_over_to": bob.user_id}
    shown = await desk.call(owner, "preview_removal", **asked)
    removed = await desk.call(owner, "remove_member", **asked)
    assert removed["owned"] == shown["owned"]
    outcomes = Counter(thing["outcome"] for thing in removed["owned"])
    assert outcomes == {"hand_over": 7, "end": 1}
    assert "Mara has seen" in removed["nextStep"]
    # Their own token and the invite end in any case: with either they would be back.
    assert await leaver.works() == EVERYTHING - {"own", "invite"}
    listed = (await desk.call(owner, "list_tokens", everyone=True))["tokens"]
    live = [token for token in listed if token["state"] == "active"]
    assert [(token["name"], token["ownerName"], token["createdByName"]) for token in live] == [
        ("CI", "Bob", "Mara"),
        ("Spare", "Bob", "Mara"),
    ]
    bot = next(member for member in (await desk.call(owner, "list_members"))["members"] if member["name"] == "Bot")
    assert (bot["ownerName"], bot["createdByName"]) == ("Bob", "Mara")
    (hook,) = (await desk.call(owner, "list_webhooks"))["webhooks"]
    assert (hook["ownerName"], hook["createdByName"]) == ("Bob", "Mara")
    shares = (await desk.call(owner, "list_shares", project_id=leaver.work.project_id))["shares"]
    assert {(share["ownerName"], share["createdByName"]) for share in shares} == {("Bob", "Mara")}
    handed = [await events_of(desk, owner, f"{noun}.handed_over") for noun in ("member", "token", "share", "picture")]
    assert [len(log) for log in handed] == [1, 2, 2, 1]
    assert all(event["data"]["to"] == bob.user_id for log in handed for event in log)


async def test_what_was_handed_over_ends_with_the_new_owner(desk, owner, leaver):
    bob = await desk.person("Bob", Role.ADMIN)
    await desk.call(owner, "remove_member", user_pid=leaver.mara.user_id, hand_over_to=bob.user_id)
    await desk.call(owner, "remove_member", user_pid=bob.user_id)
    assert await leaver.works() == set()


@pytest.mark.parametrize("who", ["mara", "member", "agent", "viewer"])
async def test_who_may_not_own_it_takes_nothing_over(desk, owner, leaver, who):
    takers = {
        "mara": leaver.mara.user_id,
        "member": (await desk.person("Member")).user_id,
        "viewer": (await desk.person("Viewer", Role.VIEWER)).user_id,
        "agent": leaver.other,
    }
    for operation in ("preview_removal", "remove_member"):
        with refused(RuleBroken, "cannot_own", "admin or above", "leave hand_over_to out"):
            await desk.call(owner, operation, user_pid=leaver.mara.user_id, hand_over_to=takers[who])
    assert await leaver.works() == EVERYTHING


async def test_nobody_hands_over_to_somebody_who_is_not_there(desk, owner, leaver):
    gone = await desk.person("Gone", Role.ADMIN)
    await desk.call(owner, "remove_member", user_pid=gone.user_id)
    for nobody in (gone.user_id, "nobody@example.com"):
        with refused(NotFound):
            await desk.call(owner, "remove_member", user_pid=leaver.mara.user_id, hand_over_to=nobody)


async def test_a_share_needs_only_a_member(desk, owner):
    ada, bob = await desk.person("Ada"), await desk.person("Bob")
    project = await desk.call(ada, "create_project", name="Harbour")
    await desk.call(ada, "create_share", project_id=project["pid"])
    shown = await desk.call(owner, "preview_removal", user_pid=ada.user_id)
    assert [member["name"] for member in shown["newOwners"]] == ["Bob", "Owner"]
    removed = await desk.call(owner, "remove_member", user_pid=ada.user_id, hand_over_to=bob.user_id)
    assert [thing["outcome"] for thing in removed["owned"]] == ["hand_over"]


async def test_removing_an_agents_account_leaves_what_its_owner_has(desk, owner, leaver):
    await desk.call(owner, "remove_member", user_pid=leaver.agent)
    assert await leaver.works() == EVERYTHING - {"token"}
    owned = (await desk.call(owner, "preview_removal", user_pid=leaver.mara.user_id))["owned"]
    assert "agent" not in kinds(owned)


async def test_what_an_agent_makes_is_its_owners(desk, owner, leaver):
    speaks = await authenticate_bearer_token(desk.dispatcher, f"Bearer {leaver.token}", "rest")
    speaks = speaks._replace(scopes=TOKEN_SCOPES)
    await place_picture(desk, speaks, "By the agent")
    owned = (await desk.call(owner, "preview_removal", user_pid=leaver.mara.user_id))["owned"]
    assert [thing["name"] for thing in owned if thing["kind"] == "picture"] == ["Theirs", "By the agent"]


async def test_a_token_for_another_person_ends_with_who_made_it(desk, owner):
    """Whoever made it saw a secret that speaks for somebody else."""
    boss, ada = await desk.person("Boss", Role.OWNER), await desk.person("Ada")
    token = await desk.call(boss, "create_token", name="x", user_pid=ada.user_id)
    asked = {"user_pid": boss.user_id, "hand_over_to": owner.user_id}
    removed = await desk.call(owner, "remove_member", **asked)
    assert [(thing["kind"], thing["outcome"]) for thing in removed["owned"]] == [("personal_token", "end")]
    with refused(Unauthenticated):
        await authenticate_bearer_token(desk.dispatcher, f"Bearer {token['token']}", "mcp")


async def test_a_sign_in_link_for_another_ends_with_who_made_it(desk, owner):
    admin, ada = await desk.person("Admin", Role.ADMIN), await desk.person("Ada")
    links = [await desk.call(maker, "create_sign_in_link", user_pid=ada.user_id) for maker in (admin, admin, ada)]
    codes = [link["url"].partition("code=")[2] for link in links]
    await desk.call(owner, "change_role", user_pid=admin.user_id, role="member")
    assert await start_session(desk.dispatcher, codes[0]) is None
    await desk.call(owner, "remove_member", user_pid=admin.user_id)
    assert await start_session(desk.dispatcher, codes[1]) is None
    assert await start_session(desk.dispatcher, codes[2]) is not None


async def test_a_sign_in_link_for_another_stays_good_while_its_maker_may_create_one(desk, owner):
    second, ada = await desk.person("Second", Role.OWNER), await desk.person("Ada")
    link = await desk.call(second, "create_sign_in_link", user_pid=ada.user_id)
    await desk.call(owner, "change_role", user_pid=second.user_id, role="admin")
    assert await start_session(desk.dispatcher, link["url"].partition("code=")[2]) is not None


MAKES = {
    "create_user": {"name": "Bot", "kind": "agent"},
    "create_token": {"name": "x"},
    "create_sign_in_link": {},
    "create_webhook": {"url": "https://e.com/y"},
    "invite_member": {"email": "eve@example.com"},
}


@pytest.mark.parametrize("operation", [*MAKES, "create_share", "set_github_webhook", "put_picture"])
async def test_who_was_let_in_before_a_removal_leaves_nothing_behind(desk, owner, leaver, operation):
    """The caller was an admin when the call came in, and is nobody when it comes to its turn."""
    project = {"project_id": leaver.work.project_id}
    await desk.call(owner, "remove_member", user_pid=leaver.mara.user_id)
    with refused(RoleForbids):
        if operation == "put_picture":
            await place_picture(desk, leaver.mara, "Late")
        else:
            await desk.call(leaver.mara, operation, **MAKES.get(operation, project))
    assert await desk.store.read(desk.workspace, lambda tx: _left_behind(tx, leaver.mara.user_id)) == []


def _left_behind(tx, user_id):
    live = {
        "members": "owner_id = :u AND removed_at IS NULL",
        "tokens": "owner_id = :u AND revoked_at IS NULL",
        "outgoing_webhooks": "owner_id = :u",
        "github_webhooks": "owner_id = :u AND removed_at IS NULL",
        "shares": "owner_id = :u AND revoked_at IS NULL",
        "pictures": "owner_id = :u",
        "invites": "created_by = :u AND used_at IS NULL",
        "sign_in_links": "created_by = :u AND used_at IS NULL",
    }
    return [
        table
        for table, test in live.items()
        if tx.one(f"SELECT 1 FROM {table} WHERE workspace_id = :workspace AND {test} LIMIT 1", u=user_id)
    ]


async def test_what_is_made_while_its_maker_is_removed_is_seen_or_refused(desk, owner, leaver):
    """Many at once, behind one barrier: whatever the order, nothing is left that belongs to nobody."""
    barrier = asyncio.Barrier(9)

    async def act(call):
        await barrier.wait()
        try:
            return await call
        except Refusal as refusal:
            return refusal

    agent = leaver.mara._replace(user_id=leaver.agent, role=Role.MEMBER, scopes=TOKEN_SCOPES)
    done = await asyncio.gather(
        act(desk.call(owner, "remove_member", user_pid=leaver.mara.user_id)),
        *(act(desk.call(leaver.mara, name, **asked)) for name, asked in MAKES.items()),
        act(desk.call(leaver.mara, "create_share", project_id=leaver.work.project_id)),
        act(place_picture(desk, leaver.mara, "One")),
        act(place_picture(desk, agent, "Two")),
    )
    assert not isinstance(done[0], Refusal)
    assert await desk.store.read(desk.workspace, lambda tx: _left_behind(tx, leaver.mara.user_id)) == []


async def test_two_who_are_handed_to_one_another_at_once_leave_nothing_without_an_owner(desk, owner, leaver):
    bob = await desk.person("Bob", Role.ADMIN)
    pairs = [(leaver.mara, bob), (bob, leaver.mara)]
    done = await asyncio.gather(
        *(desk.call(owner, "remove_member", user_pid=a.user_id, hand_over_to=b.user_id) for a, b in pairs),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Refusal) for answer in done) == 1
    for person in (leaver.mara, bob):
        gone = await desk.store.read(desk.workspace, lambda tx, who=person: people.member(tx, who.user_id)) is None
        left = await desk.store.read(desk.workspace, lambda tx, who=person: _left_behind(tx, who.user_id))
        assert not (gone and left)


async def test_whatever_makes_an_owner_go_their_tokens_and_webhooks_stop(desk, owner, leaver):
    """As if the member's row had been changed by other hands: no operation ended anything."""
    await desk.store.write(desk.workspace, lambda tx: people.remove_member(tx, leaver.mara.user_id))
    assert await leaver.works() & {"token", "spare", "own"} == set()
    due = await desk.store.read("", lambda tx: webhooks.webhooks_due_for_delivery(tx, 1000))
    assert leaver.hook not in [hook.webhook_id for hook in due]
    facts = await desk.store.read("", lambda tx: _standing(tx, [leaver.token, leaver.spare]))
    assert facts == {}


def _standing(tx, secrets):
    return tokens.roles_by_token_hash(tx, [hash_secret(secret) for secret in secrets])


async def test_a_lower_role_needs_a_decision_about_what_it_may_not_own(desk, owner, leaver):
    asked = {"user_pid": leaver.mara.user_id, "role": "member"}
    with refused(RuleBroken, "owns_too_much", "1 agent account", "1 outgoing webhook", "hand_over_to"):
        await desk.call(owner, "change_role", **asked)
    assert await leaver.works() == EVERYTHING
    shown = await desk.call(owner, "preview_removal", **asked)
    changed = await desk.call(owner, "change_role", end_owned=True, **asked)
    assert changed["owned"] == shown["owned"]
    assert sorted(kinds(changed["owned"])) == ["agent", "agent_token", "github_webhook", "webhook"]
    # A member may own shares, and keeps their own token; the invite waits for a role that may give it.
    assert await leaver.works() == {"own", "share", "publication"}
    viewer = await desk.call(owner, "change_role", user_pid=leaver.mara.user_id, role="viewer", end_owned=True)
    assert sorted(kinds(viewer["owned"])) == ["picture", "share", "share"]
    assert await leaver.works() == {"own"}


async def test_with_a_lower_role_somebody_else_takes_over(desk, owner, leaver):
    bob = await desk.person("Bob", Role.ADMIN)
    asked = {"user_pid": leaver.mara.user_id, "role": "viewer"}
    with refused(RuleBroken, "cannot_own"):
        await desk.call(owner, "change_role", hand_over_to=(await desk.person("Member")).user_id, **asked)
    changed = await desk.call(owner, "change_role", hand_over_to=bob.user_id, **asked)
    assert {thing["outcome"] for thing in changed["owned"]} == {"hand_over"}
    assert await leaver.works() == EVERYTHING - {"invite"}
    owned = (await desk.call(owner, "preview_removal", user_pid=bob.user_id))["owned"]
    assert sorted(kinds(owned)) == sorted(kind for kind in OWNED if kind != "invite")


async def test_only_who_may_remove_sees_the_preview(desk, owner, leaver):
    admin, member = await desk.person("Admin", Role.ADMIN), await desk.person("Member")
    for actor, target in ((member, member), (admin, owner), (admin, leaver.mara)):
        with refused(RoleForbids):
            await desk.call(actor, "preview_removal", user_pid=target.user_id)
    with refused(RuleBroken, "last_owner"):
        await desk.call(owner, "preview_removal", user_pid=owner.user_id)


async def test_no_address_of_a_webhook_and_no_secret_stands_in_the_log(desk, owner, leaver):
    bob = await desk.person("Bob", Role.ADMIN)
    await desk.call(owner, "remove_member", user_pid=leaver.mara.user_id, hand_over_to=bob.user_id)
    await desk.call(owner, "remove_member", user_pid=bob.user_id)
    log = str(await desk.store.read(desk.workspace, lambda tx: tx.all("SELECT data FROM events")))
    assert "https://e.com/x" not in log
    assert not any(secret in log for secret in (leaver.token, leaver.spare, leaver.share, leaver.invite))


async def test_what_they_wrote_stays_theirs(desk, owner, leaver):
    note = await desk.call(leaver.mara, "create_note", project_id=leaver.work.project_id, title="Tides")
    await desk.call(owner, "remove_member", user_pid=leaver.mara.user_id)
    assert (await desk.call(owner, "get_note", note_id=note["pid"]))["title"] == "Tides"
    sessions = await desk.store.read(desk.workspace, lambda tx: sign_in.live_sessions(tx, leaver.mara.user_id, 9))
    assert sessions == []
