"""What a brief says of the work so far: the former holders' in the hand-over, the caller's own beside it."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.errors import ClaimLost
from pendesk.store import reports
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def grace(desk):
    return await desk.person("Grace")


@pytest.fixture
async def action(desk, ada, grace):
    return (await published_spec(desk, ada, participants=(grace,))).actions[0]


@pytest.fixture
async def terminal(desk, ada):
    """A terminal of Ada's agent by its process: terminal("1")."""
    scopes = ["specs.read", "builds.write"]
    token_id = (await desk.call(ada, "create_token", name="Ada's laptop", scopes=scopes))["tokenId"]

    def make(process):
        origin = CallOrigin(client="claude-code", marks=frozenset({make_mark(MarkKind.PROCESS, process)}))
        return ada._replace(via="mcp", scopes=BUILDING_SCOPES, token_id=token_id, origin=origin)

    return make


async def brief_of(desk, actor, action):
    return await desk.call(actor, "get_action_brief", action_pid=action["pid"])


async def commit(desk, actor, action, letter, **fields):
    sha = letter * 40
    await desk.call(actor, "report_commit", action_pid=action["pid"], sha=sha, message=f"Commit {letter}", **fields)
    return f"{sha} Commit {letter}"


async def result(desk, actor, action, place, outcome):
    criterion_id = action["criteria"][place]
    about = {"action_pid": action["pid"], "criterion_id": criterion_id, "outcome": outcome}
    await desk.call(actor, "report_test_result", **about)
    return (criterion_id, outcome)


def outcomes(rows):
    return [(row["criterionId"], row["outcome"]) for row in rows]


async def test_the_hand_over_has_only_what_former_holders_reported(desk, ada, grace, action):
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    first = await commit(desk, ada, action, "a", branch="half-way")
    passed = await result(desk, ada, action, 0, "passed")
    await desk.call(ada, "release_action", action_pid=action["pid"])
    await desk.call(grace, "claim_action", action_pid=action["pid"])
    second = await commit(desk, grace, action, "b", branch="the-rest")
    failed = await result(desk, grace, action, 1, "failed")
    brief = await brief_of(desk, grace, action)
    assert (brief["handOver"]["untrusted"]["holder"], brief["handOver"]["untrusted"]["branch"]) == ("Ada", "half-way")
    assert brief["handOver"]["untrusted"]["commits"] == [first]
    assert outcomes(brief["handOver"]["results"]) == [passed]
    assert brief["yourWork"]["commits"] == [second]
    assert brief["yourWork"]["branch"] == "the-rest"
    assert outcomes(brief["yourWork"]["results"]) == [failed]


async def test_the_commits_of_all_former_holders_are_there_and_the_newest_is_named(desk, ada, grace, action):
    hugo = await desk.person("Hugo")
    spec_id = (await brief_of(desk, ada, action))["spec"]["pid"]
    await desk.call(ada, "add_participant", spec_id=spec_id, user_id=hugo.user_id)
    commits = []
    for holder, letter in ((ada, "a"), (grace, "b")):
        await desk.call(holder, "claim_action", action_pid=action["pid"])
        commits.append(await commit(desk, holder, action, letter, branch=f"branch-{letter}"))
        message = f"So far {letter}."
        await desk.call(holder, "update_progress", action_pid=action["pid"], status="started", message=message)
        desk.clock.forward(MINUTE)
        await desk.call(holder, "release_action", action_pid=action["pid"])
    await desk.call(hugo, "claim_action", action_pid=action["pid"])
    hand_over = (await brief_of(desk, hugo, action))["handOver"]
    assert (hand_over["untrusted"]["holder"], hand_over["untrusted"]["lastProgress"]) == ("Grace", "So far b.")
    assert hand_over["untrusted"]["branch"] == "branch-b"
    assert hand_over["untrusted"]["commits"] == [commits[1], f"{commits[0]} (branch-a)"]
    assert "yourWork" not in await brief_of(desk, hugo, action)


async def test_who_claims_again_finds_the_earlier_work_as_their_own(desk, terminal, action):
    first, second = terminal("1"), terminal("2")
    await desk.call(first, "claim_action", action_pid=action["pid"])
    early = await commit(desk, first, action, "a")
    await desk.call(first, "release_action", action_pid=action["pid"])
    await desk.call(second, "claim_action", action_pid=action["pid"])
    between = await commit(desk, second, action, "b")
    await desk.call(second, "release_action", action_pid=action["pid"])
    await desk.call(first, "claim_action", action_pid=action["pid"])
    desk.clock.forward(MINUTE)
    late = await commit(desk, first, action, "c")
    brief = await brief_of(desk, first, action)
    assert brief["yourWork"]["commits"] == [late, early]
    assert (brief["handOver"]["untrusted"]["holder"], brief["handOver"]["untrusted"]["commits"]) == (
        "Claude Code #2",
        [between],
    )


async def test_the_words_of_an_older_holder_stand_under_that_ones_name(desk, ada, grace, action):
    said = {"action_pid": action["pid"], "status": "not-started", "message": "Half of it is done."}
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "update_progress", **said)
    assert (await brief_of(desk, grace, action))["handOver"]["untrusted"]["lastProgress"] == "Half of it is done."
    await desk.call(grace, "claim_action", action_pid=action["pid"])
    await desk.call(grace, "release_action", action_pid=action["pid"])
    eve = await desk.person("Eve")
    hand_over = (await brief_of(desk, eve, action))["handOver"]
    assert (hand_over["untrusted"]["holder"], hand_over["untrusted"]["lastProgress"]) == (
        "Grace",
        "Ada: Half of it is done.",
    )


async def test_it_is_there_before_the_action_is_claimed(desk, ada, grace, action):
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    first = await commit(desk, ada, action, "a")
    await desk.call(ada, "release_action", action_pid=action["pid"])
    hand_over = (await brief_of(desk, grace, action))["handOver"]
    assert (hand_over["untrusted"]["holder"], hand_over["ended"], hand_over["untrusted"]["commits"]) == (
        "Ada",
        "released",
        [first],
    )


async def test_what_was_sent_too_late_is_in_the_senders_own_work(desk, ada, grace, action):
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    desk.clock.forward(40 * MINUTE)
    await desk.call(grace, "claim_action", action_pid=action["pid"])
    with refused(ClaimLost):
        await commit(desk, ada, action, "a")
    with refused(ClaimLost):
        await result(desk, ada, action, 0, "passed")
    reports_sent = (await brief_of(desk, ada, action))["yourWork"]["lateReports"]
    assert [row["report"] for row in reports_sent] == ["test.reported", "commit.reported"]
    assert reports_sent[0]["text"] == f"{action['criteria'][0]} passed"
    assert reports_sent[1]["text"] == f"{'a' * 40} Commit a"
    assert "yourWork" not in await brief_of(desk, grace, action)


async def test_a_terminals_late_report_is_not_its_neighbours(desk, terminal, action):
    first, second = terminal("1"), terminal("2")
    await desk.call(first, "claim_action", action_pid=action["pid"])
    desk.clock.forward(40 * MINUTE)
    await desk.call(second, "claim_action", action_pid=action["pid"])
    with refused(ClaimLost):
        await commit(desk, first, action, "a")
    assert len((await brief_of(desk, first, action))["yourWork"]["lateReports"]) == 1
    assert "yourWork" not in await brief_of(desk, second, action)


async def test_a_commit_that_only_the_webhook_brought_is_nobodys(desk, ada, grace, action):
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    first = await commit(desk, ada, action, "a")
    commit_id = (await desk.store.read(desk.workspace, lambda tx: reports.commits_of_action(tx, action["pid"], 1)))[
        0
    ].id

    def link_to_sibling(tx):
        reports.link_unlinked_mentioning_commits(tx, sibling, [commit_id])

    sibling = (await brief_of(desk, ada, action))["siblingActions"][0]["pid"]
    await desk.store.write(desk.workspace, link_to_sibling)
    await desk.call(ada, "claim_action", action_pid=sibling)
    brief = await brief_of(desk, ada, {"pid": sibling})
    assert brief["unreportedCommits"] == {"untrusted": {"commits": [first]}}
    assert not {"yourWork", "handOver"} & set(brief)
    await commit(desk, ada, {"pid": sibling}, "a")
    brief = await brief_of(desk, ada, {"pid": sibling})
    assert (brief["yourWork"]["commits"], "unreportedCommits" in brief) == ([first], False)


async def test_the_holders_last_progress_is_there_after_a_reset(desk, ada, action):
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    assert "yourWork" not in await brief_of(desk, ada, action)
    await desk.call(ada, "update_progress", action_pid=action["pid"], status="started", message="Half of it stands.")
    assert (await brief_of(desk, ada, action))["yourWork"] == {"lastProgress": "Half of it stands."}
